#include "papers/examples.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "papers/traced.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/sdp.hpp"

namespace warpfold::papers {
namespace {

using Texts = std::vector<std::vector<std::string>>;

Texts texts(const Grid& grid) {
  Texts all;
  for (const GridRow& row : grid.rows) {
    all.emplace_back();
    for (const GridCell& cell : row.cells) all.back().push_back(cell.text);
  }
  return all;
}

Drawing drawn(const char* id) { return find_example(id).draw(); }

std::size_t cells_in(const Grid& grid, Tone tone) {
  std::size_t count = 0;
  for (const GridRow& row : grid.rows) {
    for (const GridCell& cell : row.cells) count += cell.tone == tone;
  }
  return count;
}

TEST(Examples, AreNamedOnceAndDrawWholeGrids) {
  std::set<std::string> ids;
  for (const Example& one : examples()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_EQ(&find_example(one.id), &one);
    for (const Part& part : one.draw()) {
      EXPECT_TRUE(part.command.starts_with("warpfold machine run ")) << part.command;
      EXPECT_FALSE(part.grids.empty() && part.graphs.empty());
      for (const Grid& grid : part.grids) {
        EXPECT_FALSE(grid.rows.empty());
        for (const GridRow& row : grid.rows) EXPECT_EQ(row.cells.size(), grid.columns.size()) << one.id;
      }
    }
  }
  EXPECT_THROW(static_cast<void>(find_example("nothing")), Error);
}

/// The indexes of Fig. 5 as the paper prints them.
TEST(Examples, Figure5Of2012IsThePrintedOne) {
  const Drawing drawing = drawn("memory-machines-2012/figure-5");
  EXPECT_EQ(texts(drawing[0].grids[0]), (Texts{{"PE(0)", "PE(4)", "PE(8)", "PE(12)"},
                                               {"PE(13)", "PE(1)", "PE(5)", "PE(9)"},
                                               {"PE(10)", "PE(14)", "PE(2)", "PE(6)"},
                                               {"PE(7)", "PE(11)", "PE(15)", "PE(3)"}}));
  EXPECT_EQ(texts(drawing[0].grids[1]), (Texts{{"PE(0)", "PE(13)", "PE(10)", "PE(7)"},
                                               {"PE(4)", "PE(1)", "PE(14)", "PE(11)"},
                                               {"PE(8)", "PE(5)", "PE(2)", "PE(15)"},
                                               {"PE(12)", "PE(9)", "PE(6)", "PE(3)"}}));
  EXPECT_EQ(texts(drawing[0].grids[2])[0], (std::vector<std::string>{"(0,0)", "(0,1)", "(0,2)", "(0,3)"}));
  EXPECT_EQ(texts(drawing[0].grids[3])[0], (std::vector<std::string>{"(0,0)", "(1,0)", "(2,0)", "(3,0)"}));
}

TEST(Examples, Figure6Of2012IsThePrintedOne) {
  const Drawing drawing = drawn("memory-machines-2012/figure-6");
  EXPECT_EQ(texts(drawing[0].grids[1]), (Texts{{"(0,0)", "(0,1)", "(0,2)", "(0,3)"},
                                               {"(1,1)", "(1,2)", "(1,3)", "(1,0)"},
                                               {"(2,2)", "(2,3)", "(2,0)", "(2,1)"},
                                               {"(3,3)", "(3,0)", "(3,1)", "(3,2)"}}));
  EXPECT_EQ(texts(drawing[0].grids[2])[1], (std::vector<std::string>{"(0,1)", "(1,1)", "(2,1)", "(3,1)"}));
}

/// Each of the 16 edges has a color, and no two of one color share a bank.
TEST(Examples, Figure7Of2012ColorsTheGraphOfAPermutation) {
  const Drawing drawing = drawn("memory-machines-2012/figure-7");
  const Texts graph = texts(drawing[0].grids[0]);
  for (const std::string color : {"c0", "c1", "c2", "c3"}) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::string row, column;
      for (std::size_t j = 0; j < 4; ++j) {
        row += graph[i][j] + " ";
        column += graph[j][i] + " ";
      }
      EXPECT_EQ(row.find(color), row.rfind(color)) << row;
      EXPECT_NE(row.find(color), std::string::npos) << row;
      EXPECT_EQ(column.find(color), column.rfind(color)) << column;
      EXPECT_NE(column.find(color), std::string::npos) << column;
    }
  }
  EXPECT_EQ(drawing[0].grids[1].rows.size(), 4u);
}

TEST(Examples, Figure8Of2013HasADiagonalAStageAndThePrintedOptimum) {
  const Drawing drawing = drawn("umm-dynamic-programming-2013/figure-8");
  EXPECT_EQ(texts(drawing[0].grids[0])[1], (std::vector<std::string>{"", "0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(texts(drawing[0].grids[1])[0].back(), "6");
  EXPECT_EQ(drawing[0].notes.front(), "the least weight is M(1,7) = 6");
}

/// docs/explanation/errata.md, row 10: stage r reaches diagonal 2r - 1.
TEST(Examples, Figure10Of2013UpdatesDiagonalsRTo2RMinus1) {
  const std::vector<Grid> grids = drawn("umm-dynamic-programming-2013/figure-10")[0].grids;
  ASSERT_EQ(grids.size(), 6u);
  for (std::size_t r = 1; r <= grids.size(); ++r) {
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = i + 1; j < 7; ++j) {
        const GridCell& cell = grids[r - 1].rows[i].cells[j];
        EXPECT_EQ(cell.text, r <= j - i && j - i <= 2 * r - 1 ? "DE" : "") << r << ": " << i << ", " << j;
        EXPECT_EQ(cell.tone == Tone::final, j - i <= r);
      }
    }
  }
}

TEST(Examples, Figures11And12Of2013ReadAlongRowsAndTheLastDiagonal) {
  for (const auto& [id, on_diagonal] : {std::pair{"figure-11", 'X'}, {"figure-12", 'Y'}}) {
    const Grid grid = drawn((std::string("umm-dynamic-programming-2013/") + id).c_str())[0].grids[0];
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = i; j < 7; ++j) {
        const std::string& text = grid.rows[i].cells[j].text;
        EXPECT_EQ(text == "W", j - i >= 3 && j - i <= 5) << id << ": " << i << ", " << j;
        EXPECT_TRUE(text.find(on_diagonal) == std::string::npos || j - i == 2) << id;
      }
    }
  }
}

TEST(Examples, ThreadsAreCalledAsInThePaper) {
  EXPECT_EQ(texts(drawn("memory-machines-2012/figure-2")[0].grids[0])[0][0], "PE(0)");
  EXPECT_EQ(texts(drawn("umm-dynamic-programming-2013/figure-3")[0].grids[0])[0][2], "T(0)");
}

/// The paper's statements about the steps: after Step 2 the words of a row have distinct destination rows, after Step 3
/// the words for row i are in column i, and in the end all words are in their places.
TEST(Examples, Figure8Of2012GoesThroughTheStatedSteps) {
  const Drawing drawing = drawn("memory-machines-2012/figure-8");
  ASSERT_EQ(drawing.size(), 2u);
  const std::vector<Grid>& grids = drawing[0].grids;
  ASSERT_EQ(grids.size(), 6u);
  EXPECT_EQ(texts(grids[0])[0], (std::vector<std::string>{"(3,0)", "(3,1)", "(2,0)", "(2,1)"}));
  const std::vector<std::vector<std::string>> after_step_1 = {{"(2,0)", "(3,0)", "(3,1)", "(2,1)"},
                                                              {"(0,1)", "(0,0)", "(1,3)", "(0,3)"},
                                                              {"(1,2)", "(1,1)", "(0,2)", "(3,2)"},
                                                              {"(3,3)", "(2,3)", "(2,2)", "(1,0)"}};
  EXPECT_EQ(texts(grids[1]), after_step_1);
  for (std::size_t i = 0; i < 4; ++i) {
    std::set<char> rows;
    std::set<Tone> colors;
    for (std::size_t j = 0; j < 4; ++j) {
      rows.insert(grids[2].rows[i].cells[j].text[1]);
      colors.insert(grids[0].rows[i].cells[j].tone);
      EXPECT_EQ(grids[3].rows[i].cells[j].text[1], static_cast<char>('0' + j));
      EXPECT_EQ(grids[5].rows[i].cells[j].text, "(" + std::to_string(i) + "," + std::to_string(j) + ")");
    }
    EXPECT_EQ(rows.size(), 4u);
    EXPECT_EQ(colors.size(), 4u);
  }
  EXPECT_NE(texts(drawing[1].grids[5]), texts(grids[5]));  // in the printed form words are lost
}

TEST(Examples, TimesOfTheWorkedStepsAreThePrintedOnes) {
  const Drawing both = drawn("memory-machines-2012/figure-4");
  EXPECT_EQ(both[0].notes.front(), "3 stages + 3 - 1 = 5 time units");
  EXPECT_EQ(both[1].notes.front(), "5 stages + 3 - 1 = 7 time units");
  EXPECT_EQ(drawn("umm-dynamic-programming-2013/figure-5")[0].notes.front(), "4 stages + 5 - 1 = 8 time units");
  EXPECT_EQ(drawn("umm-dynamic-programming-2013/figure-3")[0].notes.front(), "length 12, fragmentation 2");
}

TEST(Examples, ThePipelinesRegistersCompleteEveryRequestInItsLastOne) {
  const Grid registers = drawn("umm-dynamic-programming-2013/figure-5")[0].grids[1];
  ASSERT_EQ(registers.rows.size(), 5u);
  EXPECT_EQ(registers.columns.size(), 8u);
  EXPECT_EQ(registers.rows.front().cells[0].text, "W(0) A[0]");
  EXPECT_EQ(registers.rows.back().cells[7].text, "W(1) A[3]");
  EXPECT_EQ(registers.rows.back().cells[3].text, "");
}

TEST(Examples, TheGapsOfTheSequenceAreMarked) {
  const Grid grid = drawn("umm-dynamic-programming-2013/figure-3")[0].grids[0];
  for (const std::size_t word : {6u, 7u, 11u, 12u, 13u}) EXPECT_EQ(grid.rows[0].cells[word].text, "gap");
  EXPECT_EQ(grid.rows[0].cells[5].text, "T(3)");
}

TEST(Examples, TheTriangulationHasFiveChordsOfWeightSixAndItsTreeSevenLeaves) {
  for (const char* paper : {"umm-dynamic-programming-2013/figure-4", "gpu-polygon-triangulation-2013/figure-1"}) {
    const Part part = drawn(paper)[0];
    std::int64_t weight = 0;
    std::size_t chosen = 0;
    for (const GraphEdge& edge : part.graphs[1].edges) {
      if (!edge.is_strong) continue;
      ++chosen;
      weight += std::stoll(edge.text);
    }
    EXPECT_EQ(part.graphs[0].edges.size(), 20u + 8);
    EXPECT_EQ(chosen, 5u);
    EXPECT_EQ(weight, 6);
  }
  const Graph tree = drawn("umm-dynamic-programming-2013/figure-6")[0].graphs[1];
  EXPECT_EQ(tree.nodes.size(), 13u);
  EXPECT_EQ(tree.edges.size(), 12u);
  EXPECT_EQ(std::ranges::count_if(tree.nodes, [](const GraphNode& node) { return node.text[0] == 'l'; }), 7);
}

TEST(Examples, KonigsGraphHasEveryColorOnceAtEveryNode) {
  const Graph graph = drawn("memory-machines-2012/figure-7")[0].graphs[0];
  ASSERT_EQ(graph.edges.size(), 16u);
  std::set<std::pair<std::size_t, std::string>> ends;
  for (const GraphEdge& edge : graph.edges) {
    EXPECT_TRUE(ends.insert({edge.from, edge.text}).second);
    EXPECT_TRUE(ends.insert({edge.to, edge.text}).second);
  }
}

TEST(Examples, TheReductionEndsInTheLeastValue) {
  const Graph tree = drawn("gpu-polygon-triangulation-2013/figure-8")[0].graphs[0];
  EXPECT_EQ(tree.nodes.size(), 15u);
  EXPECT_EQ(tree.nodes.back().text, "m0 = 8");
}

TEST(Examples, BanksAreColumnsAndAddressGroupsAreRows) {
  for (const auto& [id, parts] :
       {std::pair{"memory-machines-2012/figure-3", 2u}, {"umm-dynamic-programming-2013/figure-2", 2u}}) {
    const Drawing drawing = drawn(id);
    ASSERT_EQ(drawing.size(), parts);
    const Grid &banks = drawing[0].grids[0], &groups = drawing[1].grids[0];
    EXPECT_EQ(banks.rows[2].cells[1].text, "m[9]");
    EXPECT_EQ(banks.rows[0].cells[1].tone, banks.rows[3].cells[1].tone);
    EXPECT_EQ(groups.rows[2].cells[0].tone, groups.rows[2].cells[3].tone);
    EXPECT_NE(groups.rows[0].cells[1].tone, groups.rows[3].cells[1].tone);
  }
}

TEST(Examples, TheKnapsacksTableEndsInTheOptimum) {
  const Grid table = drawn("p-fold-pipeline-2023/figure-8")[0].grids[2];
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[3].cells[4].text, "7");  // the items of weight 2 and profits 3 and 4
  EXPECT_EQ(table.rows[3].cells[4].tone, Tone::color_1);
}

TEST(Examples, Figure3Of2018DoesWhatTheTextTells) {
  const Drawing drawing = drawn("pipeline-dp-2018/figure-3");
  const Texts steps = texts(drawing[0].grids[0]);
  EXPECT_EQ(steps[0][0], "(1)");  // step 1: ST[5] <- ST[0]
  EXPECT_EQ(steps[0][5], "1");
  EXPECT_EQ(steps[1][6], "1");  // step 2: the first thread treats ST[6], the second ST[5]
  EXPECT_EQ(steps[1][5], "2");
  EXPECT_EQ(steps[2][5], "3*");  // step 3: ST[5] is completely determined
  EXPECT_EQ(steps.size(), 12u + 3 - 5 - 1);
}

TEST(Examples, Figures5And6Of2018AreThePrintedOnes) {
  EXPECT_EQ(texts(drawn("pipeline-dp-2018/figure-5")[0].grids[0]), (Texts{{"1", "6", "10", "13", "15"},
                                                                          {"", "2", "7", "11", "14"},
                                                                          {"", "", "3", "8", "12"},
                                                                          {"", "", "", "4", "9"},
                                                                          {"", "", "", "", "5"}}));
  EXPECT_EQ(drawn("pipeline-dp-2018/figure-6")[0].notes.front(),
            "ST[13] = min of f(ST[1], ST[11]), f(ST[6], ST[8]), f(ST[10], ST[4])");
}

TEST(Examples, TheStepGridMarksEarlyReadsAndWrongValuesOnlyWhereTheFormIsWrong) {
  const auto early = [](const Part& part) { return cells_in(part.grids[0], Tone::early); };
  const auto wrong = [](const Part& part) { return cells_in(part.grids[1], Tone::wrong); };
  const Part three_fold = drawn("p-fold-pipeline-2023/figure-7")[0],
             four_fold = drawn("p-fold-pipeline-2023/figure-11")[0];
  EXPECT_EQ(early(three_fold) + wrong(three_fold), 0u);
  EXPECT_EQ(four_fold.grids[0].rows[2].cells[10].text, "11*(1!)");
  EXPECT_EQ(four_fold.grids[0].rows[2].cells[11].text, "10*(0!)");
  EXPECT_EQ(early(four_fold), 2u);
  EXPECT_EQ(wrong(four_fold), 2u);
  for (const char* id : {"pipeline-dp-2018/figure-7", "p-fold-pipeline-2023/figure-8"}) {
    const Drawing both = drawn(id);
    EXPECT_EQ(both.size(), 2u);
    std::size_t right_forms = 0;
    for (const Part& part : both) {
      EXPECT_EQ(early(part) > 0, wrong(part) > 0) << id;
      right_forms += early(part) == 0;
    }
    EXPECT_EQ(right_forms, 1u) << id;
  }
  EXPECT_NE(drawn("p-fold-pipeline-2023/figure-5")[0].notes.back().find(
                "ST[12] is written by thread 0 in step 3, thread 1 in step 4, thread 2 in step 5"),
            std::string::npos);
}

/// docs/explanation/errata.md, row 4, from the trace: up to the largest fold no read is too early; beyond it some are.
TEST(StepGrid, FindsEarlyReadsExactlyBeyondTheLargestFold) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const auto drawn_offsets = machine::random_offsets(3, 4, 16, random);
    const std::vector<std::int64_t> offsets(drawn_offsets.begin(), drawn_offsets.end());
    const std::uint32_t most = machine::largest_fold(drawn_offsets);
    for (std::uint32_t fold = 1; fold <= most + 1; ++fold) {
      machine::RunRequest request = sdp_request(offsets, 60, 64);
      request.parameters["fold"] = fold;
      EXPECT_EQ(early_reads(traced("sdp-p-fold", request), sdp_table(offsets)).empty(), fold <= most);
    }
  }
}

const Drawing small_drawing = {
    {"warpfold machine run x",
     {{"One & two < three",
       {"0", "10"},
       {{"step 1", {{"a", Tone::given}, {"bbb", Tone::early}}}, {"step 2", {{"", Tone::none}, {"c", Tone::final}}}}}},
     {"a note"}}};

TEST(Drawings, LineTheirColumnsUpInText) {
  EXPECT_EQ(
      to_text(small_drawing),
      "warpfold machine run x\n\nOne & two < three\n        0   10\nstep 1  a  bbb\nstep 2       c\n\n* a note\n");
}

TEST(Drawings, HoldEverythingInsideTheirPicture) {
  for (const Example& one : examples()) {
    const std::string svg = to_svg(one.id + ": " + one.title, one.draw());
    const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
    const double height = std::stod(svg.substr(svg.find("height=\"") + 8));
    const std::regex box("<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    const std::regex line("<text x=\"([0-9]+)\" y=\"([0-9]+)\" font-size=\"([0-9]+)\"[^>]*>([^<]*)</text>");
    std::size_t boxes = 0;
    for (std::sregex_iterator found(svg.begin(), svg.end(), box), end; found != end; ++found, ++boxes) {
      EXPECT_LE(std::stod((*found)[1]) + std::stod((*found)[3]), width) << one.id;
      EXPECT_LE(std::stod((*found)[2]) + std::stod((*found)[4]), height) << one.id;
    }
    for (std::sregex_iterator found(svg.begin(), svg.end(), line), end; found != end; ++found) {
      const auto letters = static_cast<double>((*found)[4].length());
      EXPECT_LE(std::stod((*found)[1]) + 0.55 * std::stod((*found)[3]) * letters, width) << (*found)[4];
      EXPECT_LE(std::stod((*found)[2]), height) << (*found)[4];
    }
    EXPECT_GT(boxes, 10u);
  }
}

TEST(Drawings, EscapeTextInTheirPicture) {
  const std::string svg = to_svg("small", small_drawing);
  EXPECT_NE(svg.find("One &amp; two &lt; three"), std::string::npos);
  EXPECT_NE(svg.find(">read before it is final<"), std::string::npos);
  EXPECT_EQ(svg.find(">partly computed<"), std::string::npos);
}

TEST(Drawings, KeepTextsAndTonesInJson) {
  const auto json = to_json(small_drawing);
  EXPECT_EQ(json[0]["grids"][0]["rows"][0]["cells"][1]["tone"], "early");
  EXPECT_EQ(json[0]["notes"][0], "a note");
}

}  // namespace
}  // namespace warpfold::papers
