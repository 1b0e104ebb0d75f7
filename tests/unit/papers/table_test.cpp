#include "papers/table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <set>

#include "papers/measure.hpp"
#include "papers/registry.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {
namespace {

const Column times_published = in_seconds(published("", "GTX 680"));
const Column times_measured = in_seconds(measured("", "Some CPU"));

TEST(Heading, SaysWhoseTheNumbersAre) {
  EXPECT_EQ(heading(key("n")), "n");
  EXPECT_EQ(heading(counted("steps")), "steps");
  EXPECT_EQ(heading(published("speed-up", "GTX 680")), "speed-up, published (GTX 680)");
  EXPECT_EQ(heading(recorded("", "H200, 2026-11-20, commit 1")), "recorded (H200, 2026-11-20, commit 1)");
  EXPECT_EQ(heading(measured("p", "Some CPU")), "p, this machine (Some CPU)");
}

TEST(Text, HasThePublishedDigitsAndThreeOfWhatIsMeasured) {
  EXPECT_EQ(text(times_published, 1939.02), "1,939.02 s");
  EXPECT_EQ(text(times_published, 0.56e-3), "0.56 ms");
  EXPECT_EQ(text(times_measured, 1939.02), "1,939 s");
  EXPECT_EQ(text(times_measured, 463.19), "463 s");
  EXPECT_EQ(text(times_measured, 0.28828), "288 ms");
  EXPECT_EQ(text(times_measured, 4.19e-6), "4.19 µs");
  EXPECT_EQ(text(times_measured, 0.99999), "1 s");
  EXPECT_EQ(text(times_measured, "no GPU"), "no GPU");
}

TEST(Text, OfAVerbatimCellIsThePrintedOne) {
  EXPECT_EQ(text(times_published, verbatim(22e-3, "22.00 ms")), "22.00 ms");
  EXPECT_EQ(verbatim(22e-3, "22.00 ms").number(), 22e-3);
}

TEST(Grid, HasThePapersRowsAndColumnsWithOurCellsAtTheSamePlaces) {
  const Table table{{key("arrangement"), key("b"), key("t"), times_published, times_measured},
                    {{"naive", 1, 32, 8.0, 2.0},
                     {"naive", 1, 64, 6.0, 3.0},
                     {"naive", 2, 32, 5.0, "no GPU"},
                     {"naive", 2, 64, 4.0, 1.0}}};
  const PaperGrid grid = in_grid(table, {0, 1}, 2, 3, {4});
  EXPECT_EQ(grid.columns, (std::vector<std::string>{"t = 32", "t = 64"}));
  ASSERT_EQ(grid.rows.size(), 2u);
  EXPECT_EQ(grid.rows[1].heading, "naive, b = 2");
  EXPECT_EQ(grid.rows[1].group, "naive");
  EXPECT_EQ(grid.rows[1].printed[1].number(), 4);
  EXPECT_EQ(grid.rows[1].ours[0][0].value, "no GPU");
  EXPECT_EQ(grid.rows[0].ours[0][1].number(), 3);
}

TEST(Text, GroupsTheDigitsOfWhatIsCountedButNotOfSizes) {
  EXPECT_EQ(text(counted("steps"), 1234567), "1,234,567");
  EXPECT_EQ(text(counted("steps"), 999), "999");
  EXPECT_EQ(text(counted("mean"), -1234.5), "-1,234");
  EXPECT_EQ(text(counted("mean"), 9.1619), "9.16");
  EXPECT_EQ(text(key("n"), 8192), "8192");
}

TEST(Quotient, IsATextWhereACellIsNone) {
  EXPECT_EQ(quotient(6, 2, "none").value, 3.0);
  EXPECT_EQ(quotient("not measured", 2, "none").value, "none");
}

Experiment named(const char* title) { return {"paper/figure", "Author, Title", title, nullptr}; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Picture, HasALineForEveryColumnAndGroup) {
  const Table table{{key("n"), key("method"), times_published, times_measured},
                    {{1, "a", 1, 2}, {2, "a", 2, 3}, {1, "b", "none", 4}, {2, "b", "none", 5}},
                    {},
                    Chart{0, {1}, {2, 3}}};
  const std::string picture = to_svg(named("a < b"), table);
  EXPECT_EQ(count(picture, "<polyline"), 3u);
  EXPECT_EQ(count(picture, ">a, published (GTX 680)</text>"), 1u);
  EXPECT_EQ(count(picture, ">b, this machine (Some CPU)</text>"), 1u);
  EXPECT_EQ(count(picture, ">time</text>"), 1u);
  EXPECT_EQ(count(picture, ">a &lt; b</text>"), 1u);
}

TEST(Picture, IsLogarithmicWhereTheRangeAsks) {
  const auto picture_of = [](double x, double y) {
    return to_svg(named("t"), {{key("n"), times_measured}, {{1, 1}, {2, 2}, {x, y}}, {}, Chart{0, {}, {1}}});
  };
  EXPECT_EQ(count(picture_of(3, 5), "logarithmic"), 0u);
  EXPECT_EQ(count(picture_of(8, 5), ">n, logarithmic<"), 1u);
  EXPECT_EQ(count(picture_of(3, 50), ">time, logarithmic<"), 1u);
}

TEST(Picture, DrawsAPublishedPointAndSaysWhereThereIsNone) {
  const auto picture_of = [](const Cell& cell) {
    return to_svg(
        named("t"),
        {{key("g"), counted("p"), published("")}, {{1, 1, "not printed"}, {2, 2, cell}}, {}, Chart{0, {}, {1, 2}}});
  };
  EXPECT_EQ(count(picture_of(2), "prints no values"), 0u);
  EXPECT_EQ(count(picture_of(2), "<rect"), 3u);  // background, point, and legend
  EXPECT_EQ(count(picture_of("not printed"), "prints no values"), 1u);
}

/// The column in pixels and the ends of the only bar in the picture.
std::array<double, 3> bar_of(const std::string& picture) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(picture, found, std::regex("M([0-9.]+) ([0-9.]+)V([0-9.]+)\" stroke=\"#")));
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3])};
}

TEST(Picture, DrawsABarFromTheFastestToTheSlowestRun) {
  Table table{{key("n"), times_measured}, {{1, 2.0}, {2, 4.0}}, {}, Chart{0, {}, {1}}};
  EXPECT_EQ(count(to_svg(named("t"), table), "vertical bars"), 0u);
  table.rows[0][1].spread = 1;  // from 1 to 3
  table.rows[0][1].fastest = 1;
  const std::string picture = to_svg(named("t"), table);
  EXPECT_EQ(count(picture, "vertical bars"), 1u);
  EXPECT_EQ(bar_of(picture), (std::array{80.0, 275.0, 125.0}));  // 0 is at 350, 4 at 50
}

TEST(Picture, DrawsABarUpwardsFromTheMedianWhereTheFastestRunIsNotKnown) {
  Table table{{key("n"), times_measured}, {{1, 1.0}, {2, 4.0}}, {}, Chart{0, {}, {1}}};
  table.rows[0][1].spread = 3;
  EXPECT_EQ(bar_of(to_svg(named("t"), table)), (std::array{80.0, 275.0, 50.0}));
}

TEST(Picture, NamesTheMachineOfALineByItsColumn) {
  const Table table{{key("n"), key("method"), in_seconds(recorded("")), key("on")},
                    {{1, "a", 1, "G"}, {2, "a", 2, "G"}, {1, "b", 4, "C"}, {2, "b", 5, "C"}},
                    {},
                    Chart{0, {1}, {2}, {{2, 3}}}};
  const std::string picture = to_svg(named("t"), table);
  EXPECT_EQ(count(picture, ">a, recorded (G)</text>"), 1u);
  EXPECT_EQ(count(picture, ">b, recorded (C)</text>"), 1u);
}

TEST(Picture, GivesAGroupOneColorWhoeverMeasuredIt) {
  Table table{{key("n"), key("method"), times_published, times_measured}, {}, {}, Chart{0, {1}, {2, 3}}};
  for (const char* method : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    table.rows.push_back({1, method, table.rows.size() + 1, 2 * table.rows.size() + 10});
  }
  const std::string picture = to_svg(named("t"), table);
  std::set<std::string> colors;
  const std::regex line("<polyline[^>]*stroke=\"(#[0-9a-f]+)\"");
  for (std::sregex_iterator found(picture.begin(), picture.end(), line), end; found != end; ++found) {
    colors.insert((*found)[1]);
  }
  EXPECT_EQ(colors.size(), 8u);
}

TEST(Picture, LetsALineShowUnderOneThatHidesIt) {
  const auto broad = [](double second) {
    const Table table{{key("n"), counted("a"), counted("b")}, {{1, 10, 10}, {2, 20, second}}, {}, Chart{0, {}, {1, 2}}};
    return count(to_svg(named("t"), table), "stroke-width=\"10\"");
  };
  EXPECT_EQ(broad(20), 1u);
  EXPECT_EQ(broad(15), 0u);
}

TEST(Picture, LabelsTheLastValueOfItsHorizontalAxis) {
  Table table{{key("g"), counted("p")}, {}, {}, Chart{0, {}, {1}}};
  for (int g = 10; g <= 200; g += 10) table.rows.push_back({g, 1});
  EXPECT_EQ(count(to_svg(named("t"), table), ">200</text>"), 1u);
}

TEST(Picture, MarksAConstantAndDrawsNoLineBetweenPointsOfASweep) {
  const Table table{{key("n"), counted("ratio")},
                    {{10, 0.5}, {20, 1.5}, {700, 1.0}},
                    {},
                    Chart{.x = 0, .by = {}, .lines = {1}, .constant = 2.0, .has_lines = false}};
  const std::string picture = to_svg(named("t"), table);
  EXPECT_EQ(count(picture, "<polyline"), 0u);
  EXPECT_EQ(count(picture, "<circle"), 4u);  // the points and the legend
  EXPECT_EQ(count(picture, ">constant 2</text>"), 1u);
  EXPECT_EQ(count(picture, ">1000</text>"), 1u) << "powers of ten on the axis";
}

TEST(Picture, IsRefusedWhereThereIsNoNumber) {
  const Table texts{{key("n"), times_measured}, {{1, "no GPU"}}, {}, Chart{0, {}, {1}}};
  EXPECT_THROW((void)to_svg(named("t"), texts), Error);
  EXPECT_THROW((void)to_svg(named("t"), Table{{key("n")}, {{1}}}), Error);
}

TEST(Meter, TakesTheMedianAndTheSpreadOfSeveralRuns) {
  Meter meter({.row_seconds = 5});
  double next = 0.01;
  const Cell cell = meter.seconds(1, [&] { return next += 0.01; });  // 0.02 warms up; 0.03 .. 0.07 count
  EXPECT_NEAR(cell.number(), 0.05, 1e-12);
  EXPECT_NEAR(cell.spread, 0.04 / 0.05, 1e-12);
  EXPECT_NEAR(cell.fastest, 0.03, 1e-12);
}

TEST(Meter, LeavesOutWhatTheLastRateSaysTakesTooLong) {
  Meter meter({.row_seconds = 5});
  int runs = 0;
  const auto run = [&] {
    ++runs;
    return 2.0;
  };
  EXPECT_EQ(meter.seconds(1, run).number(), 2);
  EXPECT_EQ(runs, 1);  // only one, because it takes longer than a second
  EXPECT_EQ(meter.seconds(2, run).value, "not measured");
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(Meter({.row_seconds = 0}).seconds(1, run).value, "not measured");
  EXPECT_EQ(runs, 1);
}

TEST(ThisMachine, IsCalledByItsProcessorsName) {
  EXPECT_NE(this_machine().find(" thread"), std::string::npos) << this_machine();
  EXPECT_EQ(this_machine().ends_with("no GPU"), !has_gpu());
}

}  // namespace
}  // namespace warpfold::papers
