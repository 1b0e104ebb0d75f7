#include "warpfold/formats/graph.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StrEq;
using Edges = std::vector<GraphEdge>;
using Parse = Graph (*)(const std::string&, std::string_view);

std::string refusal(Parse parse, const std::string& text) {
  try {
    static_cast<void>(parse("f", text));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> lengths_of(const Graph& graph) {
  std::vector<std::string> lengths;
  for (std::size_t k = 0; k < graph.lengths.size(); ++k) lengths.push_back(graph.lengths.text(k));
  return lengths;
}

/// The first line is an edge, whatever its numbers are.
const EdgeListOptions no_header{.header = false};

const std::string banner = "%%MatrixMarket matrix coordinate ";

TEST(EdgeList, TakesIntegersAsTheVerticesThemselves) {
  const Graph graph = parse_edge_list("f", "0,4,7\n4,2,-1\n");
  EXPECT_EQ(graph.vertices, 5);
  EXPECT_EQ(graph.edges, (Edges{{0, 4}, {4, 2}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("7", "-1"));
  EXPECT_TRUE(graph.names.empty());
  EXPECT_EQ(graph.name(3), "3");
  EXPECT_EQ(graph.find("4"), 4);
  for (const char* stranger : {"5", "-1", "four", "", "+4", "99999999999999999999"}) {
    EXPECT_EQ(graph.find(stranger), std::nullopt) << stranger;
  }
}

TEST(EdgeList, CountsNamedVerticesAsTheyComeFirst) {
  const Graph graph = parse_edge_list("f", "Ayr,Bude,3\nBude,Cork,4\nCork,Ayr,5\n");
  EXPECT_THAT(graph.names, ElementsAre("Ayr", "Bude", "Cork"));
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(graph.name(1), "Bude");
  EXPECT_EQ(graph.find("Cork"), 2);
  EXPECT_EQ(graph.find("cork"), std::nullopt);
}

TEST(EdgeList, TakesNumbersForNamesWhereOneNameIsNoNumber) {
  for (const char* text : {"7,3,1\n3,A,2\n7,A,3\n", "7 3 1\n3 A 2\n7 A 3"}) {
    const Graph graph = parse_edge_list("f", text);
    EXPECT_THAT(graph.names, ElementsAre("7", "3", "A"));
    EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 2}, {0, 2}}));
  }
  EXPECT_THAT(parse_edge_list("f", "007 7 1").names, ElementsAre("007", "7"));
  EXPECT_THAT(parse_edge_list("f", "-1 0 1").names, ElementsAre("-1", "0"));
  EXPECT_THAT(parse_edge_list("f", "99999999999999999999 2147483648 1\n0 A 1").names,
              ElementsAre("99999999999999999999", "2147483648", "0", "A"));
}

TEST(EdgeList, KeepsLoopsAndSeveralEdgesBetweenTwoVertices) {
  EXPECT_EQ(parse_edge_list("f", "0 1 5\n0 1 3\n1 1 0").edges, (Edges{{0, 1}, {0, 1}, {1, 1}}));
}

TEST(EdgeList, SplitsAtCommasSemicolonsOrBlanks) {
  const std::vector<std::string> names = {"New York", "Boston"};
  EXPECT_EQ(parse_edge_list("f", "New York, Boston ,306\n").names, names);
  EXPECT_EQ(parse_edge_list("f", "New York;Boston;306\r\n").names, names);
  EXPECT_EQ(parse_edge_list("f", "\"New York\",\"Boston\",\"306\"\n").names, names);
  EXPECT_THAT(parse_edge_list("f", " York\t Boston  306").names, ElementsAre("York", "Boston"));
}

TEST(EdgeList, SkipsCommentsEmptyLinesAndAHeader) {
  for (const char* header : {"from,to,length", "Source;Target;Weight", "u v distance", "\"a\",\"b\",\"cost\""}) {
    const Graph graph = parse_edge_list("f", fmt::format("\xef\xbb\xbf# roads\n\n{}\r\n1,2,3 # a lane\n", header));
    EXPECT_EQ(graph.edges, (Edges{{1, 2}})) << header;
  }
  EXPECT_THAT(refusal(parse_edge_list, "0 1 2\nfrom to length\n"), HasSubstr("f:2: 'length' is no number"));
  EXPECT_THAT(refusal(parse_edge_list, "from to lenght\n"), HasSubstr("f:1: 'lenght' is no number"));
}

TEST(EdgeList, RefusesALineThatIsNoEdge) {
  EXPECT_THAT(refusal(parse_edge_list, "0 1 2\n0 1\n"), StrEq("f:2: '0 1' is no edge: 'from,to,length' or 'from to "
                                                              "length' is accepted"));
  for (const char* line : {"0 1 2 3", "0,1,2,3", "7", "a b,3", ",", "1,2;3", "\"a b\" 3"}) {
    EXPECT_THAT(refusal(parse_edge_list, line), HasSubstr("is no edge")) << line;
  }
  EXPECT_THAT(refusal(parse_edge_list, std::string(100000, ',')), HasSubstr("is no edge"));
  EXPECT_THAT(refusal(parse_edge_list, std::string("\0\xff\x1b\n", 4)), HasSubstr("'\\x00\\xff\\x1b' is no edge"));
}

TEST(EdgeList, RefusesWhatIsNoName) {
  for (const char* line : {",b,3", "a,,3", "\"\",b,3", "a\"b,c,3", "\x1b[31m,b,3"}) {
    EXPECT_THAT(refusal(parse_edge_list, line), HasSubstr("is no name: text without quotes and control")) << line;
  }
}

TEST(EdgeList, RefusesAFileWithoutAnEdge) {
  for (const char* text : {"", "\n\n", "# nothing", "from,to,length\n"}) {
    EXPECT_EQ(refusal(parse_edge_list, text), "f: has no edge: lines 'from,to,length' are accepted") << text;
  }
}

TEST(Lengths, StayExactWhereAllAreIntegers) {
  EXPECT_THAT(lengths_of(parse_edge_list("f", "0 1 9007199254740993\n1 0 -9223372036854775808")),
              ElementsAre("9007199254740993", "-9223372036854775808"));
  const Graph real = parse_edge_list("f", "0 1 2\n1 0 2.5");
  EXPECT_FALSE(real.lengths.is_integral);
  EXPECT_THAT(lengths_of(real), ElementsAre("2", "2.5"));
}

TEST(Lengths, AreFiniteNumbersInEveryFormat) {
  const std::map<Parse, std::string> before = {{parse_edge_list, "0 1 "},
                                               {parse_dimacs, "p sp 2 1\na 1 2 "},
                                               {parse_matrix_market, banner + "real general\n2 2 1\n1 2 "}};
  for (const auto& [parse, text] : before) {
    for (const char* length : {"inf", "-inf", "nan", "Infinity"}) {
      EXPECT_THAT(refusal(parse, text + length), HasSubstr(fmt::format(": '{}' is no length: a finite", length)));
    }
    EXPECT_THAT(refusal(parse, text + "1e999"), HasSubstr("'1e999' is out of range"));
    EXPECT_THAT(refusal(parse, text + "0x10"), HasSubstr("'0x10' is no number"));
    EXPECT_EQ(refusal(parse, text + "-1.5"), "accepted");
  }
}

TEST(Dimacs, ReadsCommentsTheProblemAndItsArcs) {
  const Graph graph = parse_dimacs("f", "c USA\nc\n\np sp 4 3\r\na 1 2 17\nc more\n a 2 1 17\na 4 4 0\n");
  EXPECT_EQ(graph.vertices, 4);
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 0}, {3, 3}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("17", "17", "0"));
  EXPECT_EQ(graph.name(3), "4");
  EXPECT_EQ(graph.find("1"), 0);
  EXPECT_EQ(graph.find("0"), std::nullopt);
  EXPECT_EQ(graph.find("5"), std::nullopt);
  EXPECT_EQ(parse_dimacs("f", "p sp 3 0").vertices, 3);
}

TEST(Dimacs, RefusesAMissingOrSecondProblemLine) {
  EXPECT_EQ(refusal(parse_dimacs, ""), "f: states no problem: a line 'p sp VERTICES ARCS' is accepted");
  EXPECT_THAT(refusal(parse_dimacs, "c\na 1 2 3\n"),
              HasSubstr("f:2: 'a 1 2 3' does not begin a graph: 'p sp VERTICES"));
  EXPECT_THAT(refusal(parse_dimacs, "p sp 2 1\np sp 2 1\n"), HasSubstr("f:2: 'p sp 2 1' is no arc"));
  for (const char* line : {"p max 2 1", "p sp 2", "p sp 2 1 1", "p"}) {
    EXPECT_THAT(refusal(parse_dimacs, line), HasSubstr("does not begin a graph")) << line;
  }
}

TEST(Dimacs, RefusesALineThatIsNoArc) {
  for (const char* line : {"a 1 2", "a 1 2 3 4", "e 1 2 3", "1 2 3"}) {
    EXPECT_THAT(refusal(parse_dimacs, fmt::format("p sp 2 1\n{}\n", line)),
                HasSubstr(fmt::format("f:2: '{}' is no arc: 'a FROM TO LENGTH' is accepted", line)));
  }
}

TEST(Dimacs, RefusesVerticesThatAreNotThere) {
  for (const char* vertex : {"0", "3", "-1", "+1", "1.0", "x", "4294967297", "99999999999999999999"}) {
    const std::string expected = fmt::format("f:2: '{}' is no vertex: 1 .. 2 is accepted", vertex);
    EXPECT_EQ(refusal(parse_dimacs, fmt::format("p sp 2 1\na {} 1 3", vertex)), expected);
    EXPECT_EQ(refusal(parse_dimacs, fmt::format("p sp 2 1\na 1 {} 3", vertex)), expected);
  }
}

TEST(Dimacs, RefusesCountsThatDoNotAgree) {
  EXPECT_EQ(refusal(parse_dimacs, "p sp 2 2\na 1 2 3\n"), "f: has 1 of the 2 edges announced: as many are accepted");
  EXPECT_THAT(refusal(parse_dimacs, "p sp 2 1\na 1 2 3\na 2 1 3\n"),
              HasSubstr("f:3: this is one edge more than the 1"));
}

TEST(Dimacs, RefusesSizesBeyondItsTypesWithoutTakingMemory) {
  EXPECT_EQ(parse_dimacs("f", "p sp 2147483648 0").vertices, std::size_t{1} << 31);
  EXPECT_THAT(refusal(parse_dimacs, "p sp 2147483649 0"),
              HasSubstr("f:1: '2147483649' vertices are too many: up to 2^31"));
  EXPECT_THAT(refusal(parse_dimacs, "p sp 2 18446744073709551615"), HasSubstr("has 0 of the 18446744073709551615"));
  for (const char* size : {"18446744073709551616", "-1", "2.0", "many"}) {
    EXPECT_THAT(refusal(parse_dimacs, fmt::format("p sp 2 {}", size)), HasSubstr(fmt::format("'{}' is no size", size)));
    EXPECT_THAT(refusal(parse_dimacs, fmt::format("p sp {} 0", size)), HasSubstr(fmt::format("'{}' is no size", size)));
  }
}

TEST(MatrixMarket, ReadsAGeneralMatrixAsEdgesFromRowToColumn) {
  const Graph graph = parse_matrix_market("f", banner + "real general\n% of mine\n\n3 3 2\n1 3 2.5\n%\n2 2 1e3\n");
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(graph.edges, (Edges{{0, 2}, {1, 1}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("2.5", "1000"));
  EXPECT_EQ(graph.name(0), "1");
}

TEST(MatrixMarket, ReadsASymmetricEntryAsTwoEdgesUnlessOnTheDiagonal) {
  const Graph graph = parse_matrix_market("f", banner + "integer symmetric\n3 3 2\n3 1 7\n2 2 5\n");
  EXPECT_EQ(graph.edges, (Edges{{2, 0}, {0, 2}, {1, 1}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("7", "7", "5"));
  const Graph upper = parse_matrix_market("f", banner + "integer symmetric\n3 3 1\n1 3 7\n");
  EXPECT_EQ(upper.edges, (Edges{{0, 2}, {2, 0}})) << "whichever of its triangles the file has";
}

TEST(MatrixMarket, ReadsASkewSymmetricEntryAsTwoEdgesOfOtherSigns) {
  const Graph graph = parse_matrix_market("f", banner + "real skew-symmetric\n3 3 1\n3 1 2.5\n");
  EXPECT_EQ(graph.edges, (Edges{{2, 0}, {0, 2}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("2.5", "-2.5"));
  EXPECT_THAT(refusal(parse_matrix_market, banner + "real skew-symmetric\n3 3 1\n2 2 1\n"),
              HasSubstr("f:3: '2 2 1' is on the diagonal"));
}

TEST(MatrixMarket, ReadsAnArrayDownItsColumns) {
  const std::string array = "%%MatrixMarket matrix array ";
  const Graph graph = parse_matrix_market("f", array + "integer general\n2 2\n1\n2\n3\n4\n");
  EXPECT_EQ(graph.edges, (Edges{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("1", "2", "3", "4"));
  const Graph symmetric = parse_matrix_market("f", array + "real symmetric\n3 3\n0 1 inf\n% more\n0 2\n0\n");
  EXPECT_EQ(symmetric.edges, (Edges{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}, {2, 2}})) << "infinity is no edge";
  const Graph skew = parse_matrix_market("f", array + "real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_EQ(skew.edges, (Edges{{1, 0}, {0, 1}, {2, 0}, {0, 2}, {2, 1}, {1, 2}}));
  EXPECT_THAT(refusal(parse_matrix_market, array + "real general\n2 2\n1 2 3\n"), HasSubstr("has 3 of the 4 edges"));
  EXPECT_THAT(refusal(parse_matrix_market, array + "real general\n1 1\n1 2\n"), HasSubstr("one edge more"));
  EXPECT_THAT(refusal(parse_matrix_market, array + "pattern general\n1 1\n1\n"),
              HasSubstr("a pattern is a coordinate"));
  EXPECT_THAT(refusal(parse_matrix_market, array + "real symmetric\n2 3\n1\n"),
              HasSubstr("no size of a symmetric matrix"));
}

TEST(MatrixMarket, MayCountTheEntriesOfAnArray) {
  const std::string array = "%%MatrixMarket matrix array real general\n";
  EXPECT_EQ(parse_matrix_market("f", array + "2 2 4\n0\n1\n2\n0\n").edges.size(), 4);
  EXPECT_THAT(refusal(parse_matrix_market, array + "2 2 3\n0\n1\n2\n0\n"),
              HasSubstr("f:2: '2 2 3' is no size: 'ROWS COLUMNS' is accepted"));
}

TEST(MatrixMarket, ReadsFortransExponentsAndABannerOfOnePercentSign) {
  const Graph graph = parse_matrix_market("f", banner.substr(1) + "real general\n2 2 2\n1 2 2.5D+00\n2 1 -1d-1\n");
  EXPECT_THAT(lengths_of(graph), ElementsAre("2.5", "-0.1"));
  EXPECT_EQ(graph_format("-", banner.substr(1)).name, "Matrix Market");
}

TEST(MatrixMarket, RoundsIntegersOfAnyLength) {
  const Graph graph = parse_matrix_market("f", banner + "integer general\n2 2 1\n1 2 1" + std::string(60, '0') + "\n");
  EXPECT_FALSE(graph.lengths.is_integral);
  EXPECT_FALSE(graph.lengths.doubles_hold);
  EXPECT_EQ(graph.lengths.real(0), 1e60);
}

TEST(MatrixMarket, GivesAPatternsEdgesLengthOne) {
  const Graph graph = parse_matrix_market("f", banner + "pattern symmetric\n2 2 1\n2 1\n");
  EXPECT_EQ(graph.edges, (Edges{{1, 0}, {0, 1}}));
  EXPECT_THAT(lengths_of(graph), ElementsAre("1", "1"));
  EXPECT_THAT(refusal(parse_matrix_market, banner + "pattern general\n2 2 1\n2 1 1\n"),
              HasSubstr("f:3: '2 1 1' is no entry: 'ROW COLUMN' is accepted"));
}

TEST(MatrixMarket, ReadsItsFirstLineInCapitalsToo) {
  EXPECT_EQ(parse_matrix_market("f", "%%matrixmarket MATRIX Coordinate INTEGER General\n1 1 0").vertices, 1);
}

TEST(MatrixMarket, RefusesKindsThatAreNoGraph) {
  const auto first_line = [](const std::string& line) { return refusal(parse_matrix_market, line + "\n1 1 0\n"); };
  EXPECT_THAT(first_line("%%MatrixMarket matrix sparse real general"),
              HasSubstr("f:1: 'sparse' is not accepted here: coordinate or array is"));
  EXPECT_THAT(first_line(banner + "complex general"),
              HasSubstr("'complex' is not accepted here: real or double or integer or pattern is"));
  EXPECT_THAT(first_line(banner + "real hermitian"),
              HasSubstr("'hermitian' is not accepted here: general or symmetric or skew-symmetric is"));
  EXPECT_THAT(first_line("%%MatrixMarket vector coordinate real general"), HasSubstr("'vector' is not accepted here"));
  for (const std::string line : {"3 3 1", "", "%%MatrixMarket", "% matrix coordinate real general x"}) {
    EXPECT_THAT(first_line(line), HasSubstr("f:1: '" + line + "' does not begin a matrix")) << line;
  }
  EXPECT_THAT(first_line(banner + "real general 7"), HasSubstr("does not begin a matrix"));
}

TEST(MatrixMarket, RefusesAMatrixThatIsNotSquareOrHasNoSize) {
  EXPECT_THAT(refusal(parse_matrix_market, banner + "real general\n3 4 0"),
              HasSubstr("f: is 3 x 4: as many rows as columns"));
  EXPECT_THAT(refusal(parse_matrix_market, banner + "real general\n3 3"), HasSubstr("f:2: '3 3' is no size: 'ROWS"));
  EXPECT_THAT(refusal(parse_matrix_market, banner + "real general\n% 3 3 0\n"), HasSubstr("f: has no size"));
  EXPECT_THAT(refusal(parse_matrix_market, ""), HasSubstr("f: has no size"));
  EXPECT_THAT(refusal(parse_matrix_market, banner + "real general\n4294967296 4294967296 0"), HasSubstr("too many"));
}

TEST(MatrixMarket, RefusesEntriesThatAreNotThereOrNotOfTheirField) {
  const auto entries = [](const std::string& lines) {
    return refusal(parse_matrix_market, banner + "integer general\n3 3 2\n" + lines);
  };
  EXPECT_THAT(entries("1 4 1\n"), HasSubstr("f:3: '4' is no vertex: 1 .. 3 is accepted"));
  EXPECT_THAT(entries("0 1 1\n"), HasSubstr("f:3: '0' is no vertex"));
  EXPECT_THAT(entries("1 2\n"), HasSubstr("f:3: '1 2' is no entry: 'ROW COLUMN LENGTH' is accepted"));
  EXPECT_THAT(entries("1 2 3 4\n"), HasSubstr("is no entry"));
  EXPECT_THAT(entries("1 2 1.5\n"), HasSubstr("f:3: '1.5' is no integer"));
  EXPECT_THAT(entries("1 2 1\n"), HasSubstr("f: has 1 of the 2 edges announced"));
  EXPECT_THAT(entries("1 2 1\n1 2 1\n1 2 1\n"), HasSubstr("f:5: this is one edge more than the 2"));
}

TEST(GraphFormats, AreToldByTheEndingOrElseByTheContent) {
  EXPECT_EQ(graph_format("roads.gr", "1 2 3").name, "DIMACS");
  EXPECT_EQ(graph_format("roads.MTX", "1 2 3").name, "Matrix Market");
  EXPECT_EQ(graph_format("-", "\xef\xbb\xbf%%matrixMarket and more").name, "Matrix Market");
  EXPECT_EQ(graph_format("-", "c a comment\n\nc\np sp 3 0\n").name, "DIMACS");
  EXPECT_EQ(graph_format("-", "p max 3 0\n").name, "DIMACS");
  EXPECT_EQ(graph_format("-", "p sp 3\n").name, "lines from,to,length");
  EXPECT_EQ(graph_format("-", "c d 3\nd c 3\n").name, "lines from,to,length");
  EXPECT_EQ(graph_format("roads.csv", "").name, "lines from,to,length");
  EXPECT_THAT(
      refusal([](const std::string& path, std::string_view text) { return parse_graph(path, text); }, "\x93NUMPY\x01"),
      HasSubstr("f: this is a .npy matrix"));
}

TEST(GraphFormats, AreReadFromFiles) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "a.gr") << "p sp 2 1\na 1 2 3\n";
  std::ofstream(folder / "a.mtx") << banner << "pattern general\n2 2 1\n1 2\n";
  std::ofstream(folder / "a.csv") << "0,1,3\n";
  for (const char* name : {"a.gr", "a.mtx", "a.csv"}) {
    EXPECT_EQ(read_graph(folder / name).edges, (Edges{{0, 1}})) << name;
  }
}

TEST(ExampleGraph, HasTwelveTownsEachWithAWayOutAndIn) {
  const Graph towns = read_graph(WARPFOLD_EXAMPLES "/towns.csv");
  EXPECT_EQ(towns.vertices, 12);
  EXPECT_TRUE(towns.lengths.is_integral);
  for (std::uint32_t town = 0; town < towns.vertices; ++town) {
    const auto leaves = [&](GraphEdge road) { return road.from == town; };
    const auto enters = [&](GraphEdge road) { return road.to == town; };
    EXPECT_TRUE(std::any_of(towns.edges.begin(), towns.edges.end(), leaves)) << towns.name(town);
    EXPECT_TRUE(std::any_of(towns.edges.begin(), towns.edges.end(), enters)) << towns.name(town);
  }
}

// ---- what is written is read back

struct Edge {
  GraphEdge ends;
  std::int64_t length = 0;
};

std::vector<Edge> any_edges(std::uint32_t vertices) {
  return *rc::gen::nonEmpty(rc::gen::container<std::vector<Edge>>(
      rc::gen::construct<Edge>(rc::gen::construct<GraphEdge>(rc::gen::inRange<std::uint32_t>(0, vertices),
                                                             rc::gen::inRange<std::uint32_t>(0, vertices)),
                               rc::gen::arbitrary<std::int64_t>())));
}

void assert_same(const Graph& graph, const std::vector<Edge>& edges) {
  RC_ASSERT(graph.edges.size() == edges.size());
  RC_ASSERT(graph.lengths.is_integral);
  RC_ASSERT(graph.lengths.size() == edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    RC_ASSERT(graph.edges[k] == edges[k].ends);
    RC_ASSERT(graph.lengths.integers[k] == edges[k].length);
  }
  for (std::size_t vertex = 0; vertex < graph.vertices; ++vertex) {
    RC_ASSERT(graph.find(graph.name(vertex)) == static_cast<std::uint32_t>(vertex));
  }
}

std::string lines(const std::vector<Edge>& edges, std::string_view format, std::uint32_t first) {
  std::string text;
  for (const auto& [ends, length] : edges) {
    text += fmt::format(fmt::runtime(format), ends.from + first, ends.to + first, length) + "\n";
  }
  return text;
}

RC_GTEST_PROP(WrittenGraphs, AreReadBackFromNumberedEdgeLists, ()) {
  const std::vector<Edge> edges = any_edges(100);
  const auto format = *rc::gen::element("{},{},{}", "{} {}\t{}", " {} ; {};{}  # noted\r\n", "\"{}\",\"{}\",{}");
  const Graph graph = parse_graph("-", lines(edges, format, 0), no_header);
  assert_same(graph, edges);
  std::uint32_t largest = 0;
  for (const Edge& edge : edges) largest = std::max({largest, edge.ends.from, edge.ends.to});
  RC_ASSERT(graph.vertices == largest + 1);
}

RC_GTEST_PROP(WrittenGraphs, AreReadBackFromEdgeListsWithNames, ()) {
  const std::vector<Edge> edges = any_edges(20);
  const Graph graph = parse_graph("-", lines(edges, "town {},town {},{}", 0));
  RC_ASSERT(graph.edges.size() == edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    RC_ASSERT(graph.name(graph.edges[k].from) == fmt::format("town {}", edges[k].ends.from));
    RC_ASSERT(graph.name(graph.edges[k].to) == fmt::format("town {}", edges[k].ends.to));
    RC_ASSERT(graph.lengths.integers[k] == edges[k].length);
  }
  for (std::uint32_t vertex = 0; vertex < graph.vertices; ++vertex) RC_ASSERT(graph.find(graph.name(vertex)) == vertex);
}

RC_GTEST_PROP(WrittenGraphs, MeanTheSameWhereALaterNameIsNoNumber, ()) {
  const std::vector<Edge> edges = any_edges(20);
  const std::string text = lines(edges, "{} {} {}", 0);
  const Graph numbered = parse_edge_list("f", text, no_header);
  const Graph named = parse_edge_list("f", text + "0 last 1\n", no_header);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    RC_ASSERT(named.name(named.edges[k].from) == numbered.name(numbered.edges[k].from));
    RC_ASSERT(named.name(named.edges[k].to) == numbered.name(numbered.edges[k].to));
  }
  RC_ASSERT(named.name(named.edges.back().to) == "last");
}

RC_GTEST_PROP(WrittenGraphs, AreReadBackFromDimacs, ()) {
  const std::vector<Edge> edges = any_edges(100);
  const Graph graph = parse_graph("-", fmt::format("c\np sp 100 {}\n", edges.size()) + lines(edges, "a {} {} {}", 1));
  RC_ASSERT(graph.vertices == 100U);
  assert_same(graph, edges);
}

RC_GTEST_PROP(WrittenGraphs, AreReadBackFromMatrixMarket, ()) {
  const std::vector<Edge> edges = any_edges(100);
  const std::string size = fmt::format("integer general\n100 100 {}\n", edges.size());
  const Graph graph = parse_graph("-", banner + size + lines(edges, "{} {} {}", 1));
  RC_ASSERT(graph.vertices == 100U);
  assert_same(graph, edges);
}

RC_GTEST_PROP(WrittenGraphs, AreReadOrRefusedWhateverTheTextIs, ()) {
  const auto before = *rc::gen::element<std::string>("", "p sp 2 2\n", banner + "real symmetric\n2 2 2\n");
  const auto text = *rc::gen::container<std::string>(
      rc::gen::element('0', '1', '2', ' ', '\n', '-', ',', ';', '"', 'a', 'p', '#', '%', '.', 'e'));
  try {
    const Graph graph = parse_graph("f", before + text);
    RC_ASSERT(graph.lengths.size() == graph.edges.size());
    for (const auto& [from, to] : graph.edges) RC_ASSERT(std::max(from, to) < graph.vertices);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::input);
  }
}

}  // namespace
}  // namespace warpfold::formats
