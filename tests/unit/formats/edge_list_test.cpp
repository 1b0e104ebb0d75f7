#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"

/// Edge lists as other programs write them.
namespace warpfold::formats::edge_lists {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Edges = std::vector<GraphEdge>;

std::string refusal(const std::string& text, const EdgeListOptions& options = {}) {
  try {
    static_cast<void>(parse_edge_list("f", text, options));
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::internal);
    return error.what();
  }
  return "accepted";
}

/// "FROM>TO:LENGTH" for every edge, in the names of the file.
std::vector<std::string> edges_of(const std::string& text, const EdgeListOptions& options = {}) {
  const Graph graph = parse_edge_list("f", text, options);
  std::vector<std::string> edges;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [from, to] = graph.edges[k];
    edges.push_back(fmt::format("{}>{}:{}", graph.name(from), graph.name(to), graph.lengths.text(k)));
  }
  return edges;
}

// ---- a first line of sizes

TEST(SizesLine, IsNoEdgeWhereItHasFewerWordsThanTheEdges) {
  const Graph graph = parse_edge_list("f", "6 2\n0 1 5\n1 4 7\n");
  EXPECT_EQ(graph.vertices, 6);
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 4}}));
  EXPECT_EQ(parse_edge_list("f", "# sizes\n6,2\n0,1,5\n\n1,4,7\n").vertices, 6);
  EXPECT_THAT(refusal("6 3\n0 1 5\n1 4 7\n"), HasSubstr("f:1: '6 3' is no edge"));
  EXPECT_THAT(refusal("4 2\n0 1 5\n1 4 7\n3 9 1"), HasSubstr("f:1: '4 2' is no edge"));
}

TEST(SizesLine, CountsVerticesFromOneWhereTheLastIsOneOfThem) {
  const Graph graph = parse_edge_list("f", "3 2\n1 2 5\n2 3 7\n");
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.name(0), "1");
  EXPECT_THAT(refusal("3 2\n0 2 5\n2 3 7\n"), HasSubstr("f:1: '3 2' is no edge"));
}

TEST(SizesLine, WithASourceIsRejectedBecauseItCouldBeAnEdge) {
  const std::string text = "4 2 0\n0 1 5\n1 3 7\n";
  EXPECT_EQ(refusal(text),
            "f: the first line, '4 2 0', is an edge, or the sizes of the graph: --header no, or --header "
            "yes, is accepted");
  EXPECT_THAT(edges_of(text, {.header = false}), ElementsAre("4>2:0", "0>1:5", "1>3:7"));
  EXPECT_THAT(edges_of(text, {.header = true}), ElementsAre("0>1:5", "1>3:7"));
  EXPECT_THAT(parse_edge_list("f", text, {.header = true}).notes,
              ElementsAre(HasSubstr("the source 0, which is ignored")));
}

TEST(SizesLine, WithoutASourceIsRejectedAboveEdgesWithoutLengths) {
  EXPECT_THAT(refusal("3 2\n0 1\n1 2\n"), HasSubstr("'3 2', is an edge, or the sizes"));
  EXPECT_THAT(edges_of("3 2\n0 1\n1 2\n", {.header = true}), ElementsAre("0>1:1", "1>2:1"));
}

TEST(SizesLine, IsAnEdgeWhereOtherEdgesFollowThanItWouldSay) {
  EXPECT_THAT(edges_of("4 2 0\n0 1 5\n"), ElementsAre("4>2:0", "0>1:5"));  // one line, not two
  EXPECT_THAT(edges_of("4 2 0\n0 1 5\n1 4 7\n3 0 1\n").size(), 4);         // three lines
  EXPECT_THAT(edges_of("4 2 0\n0 1 5\n1 5 7\n").size(), 3);                // a vertex beyond
  EXPECT_THAT(edges_of("4 2 9\n0 1 5\n1 3 7\n").size(), 3);                // a source beyond
  EXPECT_THAT(edges_of("4 2 0\n0 1 5\n1 x 7\n").size(), 3);                // a name
}

// ---- ids of any size

TEST(LargeIds, AreTheVerticesThatOccurInAscendingOrder) {
  const Graph graph = parse_edge_list("f", "9000000000,240949599,3\n240949599,18446744073709551615,4\n");
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_THAT(graph.ids, ElementsAre(240949599U, 9000000000U, 18446744073709551615U));
  EXPECT_EQ(graph.edges, (Edges{{1, 0}, {0, 2}}));
  EXPECT_EQ(graph.name(1), "9000000000");
  EXPECT_EQ(graph.find("9000000000"), 1);
  EXPECT_EQ(graph.find("1"), std::nullopt);
  EXPECT_EQ(graph.find("x"), std::nullopt);
}

TEST(LargeIds, BeginAtFourTimesTheEdgesPlusAThousand) {
  EXPECT_EQ(parse_edge_list("f", "0 1007 1").vertices, 2U);
  EXPECT_EQ(parse_edge_list("f", "0 1003 1").vertices, 1004U);
  EXPECT_THAT(parse_edge_list("f", "0 1003 1").ids, ElementsAre());
  EXPECT_EQ(parse_edge_list("f", "0 1004 1").vertices, 2U);
  EXPECT_EQ(parse_edge_list("f", "0 1007 1\n0 1 1").vertices, 1008U);
  EXPECT_EQ(parse_edge_list("f", "0 1007 1", {.vertices = 2000}).vertices, 2000U);
}

TEST(LargeIds, AreBelowTheNumberOfVerticesThatIsAsked) {
  EXPECT_THAT(refusal("0 7 1", {.vertices = 7}), HasSubstr("--vertices is 7: a number above the largest vertex, 7,"));
  EXPECT_THAT(refusal("0 a 1", {.vertices = 7}), HasSubstr("f: has names"));
}

TEST(LargeIds, BeyondEveryTypeAreNamesAmongNamesAlone) {
  EXPECT_EQ(refusal("0 18446744073709551616 1"),
            "f: '18446744073709551616' is no vertex: integers below 2^64, or names, are accepted");
  EXPECT_THAT(edges_of("0 18446744073709551616 1\n0 a 2"), ElementsAre("0>18446744073709551616:1", "0>a:2"));
}

TEST(Ids, MayBeWrittenAsFloatingPointNumbers) {
  EXPECT_THAT(edges_of("source,target,weight\n1.0,2.0,3\n2.0,3.00,4\n"), ElementsAre("1>2:3", "2>3:4"));
  EXPECT_THAT(edges_of("1.0,beta,3\n1,2.0,4\n"), ElementsAre("1.0>beta:3", "1>2.0:4"));  // versions
  EXPECT_THAT(edges_of("1.5,2,3\n"), ElementsAre("1.5>2:3"));
}

// ---- separated values

TEST(QuotedNames, MayHaveSeparatorsAndDoubledQuotes) {
  EXPECT_THAT(edges_of("\"Rome, Italy\",\"Oslo\",\"3\"\n\"the \"\"Red\"\" Inn\", \"Oslo\" ,4\n"),
              ElementsAre("Rome, Italy>Oslo:3", "the \"Red\" Inn>Oslo:4"));
  EXPECT_THAT(edges_of("\"New York\" \"San Jose\" 3\n"), ElementsAre("New York>San Jose:3"));
  EXPECT_THAT(edges_of("\"a;b\";\"\"\"\";3\n"), ElementsAre("a;b>\":3"));
  EXPECT_THAT(refusal("\"a,b,3\n"), HasSubstr("f:1: '\"a,b,3' has a quote that is not closed"));
  EXPECT_THAT(refusal("\"a\"x,b,3\n"), HasSubstr("goes on after its quote"));
}

TEST(Comments, AreLinesAndWhatFollowsALength) {
  EXPECT_THAT(edges_of("# a\n% b\nhttp://x.org/a#1,b #2,1\n  # c\nb #2,c,2 # old\n"),
              ElementsAre("http://x.org/a#1>b #2:1", "b #2>c:2"));
  EXPECT_THAT(edges_of("a b#1 3 # a b 4\nb #1 2\n"), ElementsAre("a>b#1:3", "b>#1:2"));
}

TEST(Comments, AreRejectedWhereTheyReadAsEdgesOfNames) {
  EXPECT_THAT(
      refusal("a,b,1\n#ff0000,b,2\n"),
      HasSubstr("f:2: '#ff0000,b,2' is an edge or a comment: a name that begins with # in quotes, or a blank after"));
  EXPECT_THAT(edges_of("a,b,1\n\"#ff0000\",b,2\n"), ElementsAre("a>b:1", "#ff0000>b:2"));
  for (const char* const comment : {"# a,c,2", "#", "##a,b,1", "#a,c,far", "#from,to,length", "#a,\"c,2", "#a,c,2,4"}) {
    EXPECT_THAT(edges_of(fmt::format("a,b,1\n{}\n", comment)), ElementsAre("a>b:1")) << comment;
  }
  EXPECT_THAT(edges_of("1,2,1\n#2,3,1\n"), ElementsAre("1>2:1"));  // numbers have no such names
  EXPECT_THAT(edges_of("a b\n#a c\n"), ElementsAre("a>b:1"));
}

TEST(PlainLines, AreReadAsAllOthersAre) {
  // Each line once as it is, and once with a quoted id, which is not plain.
  for (const char* const length :
       {"0", "7", "-3", "-0", "007", "1.5", "-1.5", ".5", "5.", "1e3", "-2E-3", "+4", "999999999999999999",
        "1000000000000000000", "12345678901234567890", "-123456789012345678901234567890", "9007199254740993",
        "100000000000000000000000000000000000000000"}) {
    const Graph plain = parse_edge_list("f", fmt::format("0,1,{}\n2,3,1\n", length));
    const Graph quoted = parse_edge_list("f", fmt::format("\"0\",1,\"{}\"\n2,3,1\n", length));
    EXPECT_EQ(plain.edges, quoted.edges) << length;
    EXPECT_EQ(plain.lengths.is_integral, quoted.lengths.is_integral) << length;
    EXPECT_EQ(plain.lengths.integers, quoted.lengths.integers) << length;
    EXPECT_EQ(plain.lengths.reals, quoted.lengths.reals) << length;
    EXPECT_EQ(plain.lengths.doubles_hold, quoted.lengths.doubles_hold) << length;
  }
  for (const char* const length : {"inf", "-inf", "nan", "1e999", "1x", "--1", "-", "0x10", "1,5"}) {
    EXPECT_NE(refusal(fmt::format("0,1,2\n2,3,{}\n", length)), "accepted") << length;
  }
  EXPECT_THAT(edges_of("0,1,2\r\n1,2,1.5\r\n"), ElementsAre("0>1:2", "1>2:1.5"));
  EXPECT_THAT(refusal("0;1;1.5\n1;2;1,5\n"), HasSubstr("f:2: '1,5' and others have decimal points"));
  EXPECT_THAT(refusal("0;1;1,5\n1;2;1.5\n"), HasSubstr("f:2: '1.5' and others have decimal points"));
}

TEST(Names, AreNumberedInTheirOrderHoweverManyThereAre) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("v{},w{},1\n", i % 2500, i);
  const Graph graph = parse_edge_list("f", text);
  ASSERT_EQ(graph.vertices, 7500);
  EXPECT_EQ(graph.edges[2], (GraphEdge{4, 5}));
  EXPECT_EQ(graph.edges[2502], (GraphEdge{4, 5002}));
  EXPECT_EQ(graph.name(5002), "w2502");
}

TEST(Lines, EndInCarriageReturnsWhereThereIsNothingElse) {
  EXPECT_THAT(edges_of("a,b,1\rb,c,2\r"), ElementsAre("a>b:1", "b>c:2"));
  EXPECT_THAT(refusal("a,b,1\rb,c,x\r"), HasSubstr("f:2: 'x' is no number"));
}

TEST(Separators, AreTabsWhereNamesHaveBlanks) {
  EXPECT_THAT(edges_of("New York\tBoston\t2\nBoston\tBar Harbor\t3\n"),
              ElementsAre("New York>Boston:2", "Boston>Bar Harbor:3"));
  EXPECT_THAT(edges_of("0 1\t2\n"), ElementsAre("0>1:2"));
  EXPECT_THAT(edges_of("0,1,2,\n1,2,3,,\n"), ElementsAre("0>1:2", "1>2:3"));
  EXPECT_THAT(edges_of("a;b;2;\n"), ElementsAre("a>b:2"));
}

TEST(DecimalCommas, AreReadWhereCommasDoNotSeparate) {
  EXPECT_THAT(edges_of("a;b;1,5\nb;c;2\n"), ElementsAre("a>b:1.5", "b>c:2"));
  EXPECT_THAT(edges_of("1\t2\t0,25\n"), ElementsAre("1>2:0.25"));
  EXPECT_THAT(edges_of("1 2 0,25\n"), ElementsAre("1>2:0.25"));
  EXPECT_THAT(refusal("a;b;1,5\nb;c;2.5\n"), HasSubstr("f:2: '2.5' and others have decimal points and decimal commas"));
  EXPECT_THAT(refusal("a;b;1,500,000\n"), HasSubstr("is no number"));
}

// ---- headers and columns

TEST(Header, IsFoundByItsPlace) {
  for (const char* header : {"node1,node2,w", "origin,destination,travel_time", "a stop,another,minutes", "x,y,z"}) {
    EXPECT_THAT(edges_of(fmt::format("{}\np,q,1\nq,r,2\n", header)), ElementsAre("p>q:1", "q>r:2")) << header;
  }
  EXPECT_THAT(edges_of("id1;id2;value\na;b;1\n"), ElementsAre("a>b:1"));
  EXPECT_THAT(edges_of("from;to\n1;2\n"), ElementsAre("1>2:1"));
  EXPECT_THAT(edges_of("source,target\nn1,n2\nn2,n3\n"), ElementsAre("n1>n2:1", "n2>n3:1"));
}

TEST(Header, IsRejectedWhereItsWordsAreVertices) {
  EXPECT_THAT(refusal("a,b,x\nb,c,1\n"), HasSubstr("f: the first line is a header, or an edge of 'b'"));
  EXPECT_THAT(edges_of("a,b,x\nb,c,1\n", {.header = true}), ElementsAre("b>c:1"));
  EXPECT_THAT(refusal("a,b,x\nb,c,1\n", {.header = false}), HasSubstr("f:1: 'x' is no number"));
  EXPECT_THAT(refusal("a,b,n/a\nc,d,1\n"), HasSubstr("f:1: 'n/a' is no number: 12, -1.5 or 1e3 is accepted"));
  EXPECT_THAT(refusal("0,1,x\n2,3,1\n"), HasSubstr("f:1: 'x' is no number"));
}

TEST(Header, NamesTheColumns) {
  EXPECT_THAT(edges_of("Source,Target,Type,Id,Label,Weight\na,b,Directed,0,,2.5\nb,c,Undirected,1,,1\n"),
              ElementsAre("a>b:2.5", "b>c:1", "c>b:1"));
  EXPECT_THAT(edges_of("Source,Target,Type,Id\na,b,Directed,7\n"), ElementsAre("a>b:1"));
  EXPECT_THAT(edges_of("b,Undirected,c,7\n", {.columns = {"1", "3", "4"}}), ElementsAre("b>c:7"));
  EXPECT_THAT(edges_of("id,cost,target,source\n0,5,a,b\n"), ElementsAre("b>a:5"));
  EXPECT_THAT(edges_of("Source,Target,Type,Weight\nb,c,Undirected,1\n", {.directed = true}), ElementsAre("b>c:1"));
}

TEST(Header, MayHaveAnIndexColumnWithoutAName) {
  EXPECT_THAT(edges_of(",source,target,weight\n0,a,b,1\n1,b,c,2\n"), ElementsAre("a>b:1", "b>c:2"));
  EXPECT_THAT(edges_of(",x,y,z\n0,a,b,1\n"), ElementsAre("a>b:1"));
  EXPECT_THAT(edges_of("\"p\" \"q\" \"w\"\n\"1\" \"a\" \"b\" 1\n"), ElementsAre("a>b:1"));  // as R writes it
}

TEST(Header, WithSeveralLengthsNeedsTheColumns) {
  const std::string text = "from,to,cost,time\na,b,1,60\n";
  EXPECT_EQ(refusal(text),
            "f: has the columns from, to, cost, time: --columns FROM,TO,LENGTH, or FROM,TO, is accepted");
  EXPECT_THAT(edges_of(text, {.columns = {"from", "to", "time"}}), ElementsAre("a>b:60"));
  EXPECT_THAT(edges_of(text, {.columns = {"2", "1", "3"}}), ElementsAre("b>a:1"));
  EXPECT_THAT(edges_of(text, {.columns = {"from", "to"}}), ElementsAre("a>b:1"));
  EXPECT_THAT(refusal(text, {.columns = {"from", "to", "metres"}}), HasSubstr("f: has no columns from,to,metres"));
  EXPECT_THAT(refusal(text, {.columns = {"1", "2", "5"}}), HasSubstr("or 1 to 4, are accepted"));
  EXPECT_THAT(refusal("a,b,1,60\n"), HasSubstr("'a,b,1,60' is no edge"));
}

TEST(LinesWithoutLengths, AreEdgesOfLengthOne) {
  EXPECT_THAT(edges_of("0 1\n1 2\n"), ElementsAre("0>1:1", "1>2:1"));
  EXPECT_THAT(edges_of("# FromNodeId\tToNodeId\n30\t1412\n"), ElementsAre("30>1412:1"));
  EXPECT_THAT(edges_of("a,3\n", {.unweighted = true}), ElementsAre("a>3:1"));
  EXPECT_THAT(edges_of("a,b,x\nb,c,2\n", {.header = false, .unweighted = true}), ElementsAre("a>b:1", "b>c:1"));
  EXPECT_THAT(refusal("a,b,3\nb,c\n"), HasSubstr("f:2: 'b,c' is no edge"));
}

TEST(Attributes, MayHaveAWeightAsNetworkxWritesIt) {
  EXPECT_THAT(edges_of("1 2 {'weight': 3}\n2 3 {'color': 'red', 'weight': 1.5}\n"), ElementsAre("1>2:3", "2>3:1.5"));
  EXPECT_THAT(edges_of("a b {}\nb c {}\n"), ElementsAre("a>b:1", "b>c:1"));
  EXPECT_THAT(refusal("1 2 {'weight': 3}\n2 3 {}\n"), HasSubstr("f:2: '{}' has no weight"));
}

TEST(Attributes, AreADictionaryOfPython) {
  EXPECT_THAT(edges_of("a b {}\nb c {}\n"), ElementsAre("a>b:1", "b>c:1"));
  EXPECT_THAT(edges_of("graph b {'weight': 3}\n"), ElementsAre("graph>b:3"));
  EXPECT_THAT(refusal("a b {3}\n"), HasSubstr("f:1: '{3}' has no weight"));
}

TEST(OtherFormatsOfGraphs, AreRejectedByName) {
  const std::pair<const char*, const char*> files[] = {
      {"digraph { a -> b [len=3]; }\n", "DOT of Graphviz"},
      {"# drawn\nstrict graph G {\n a -- b\n}\n", "DOT of Graphviz"},
      {"digraph { \"a\" -> \"b\" }\n", "DOT of Graphviz"},
      {"graph [\n node [ id 0 ]\n]\n", "GML"},
      {"graph\n[\n node\n [\n", "GML"},
      {"Creator \"igraph\"\ngraph [\n", "GML"},
      {"<?xml version=\"1.0\"?>\n<graphml>\n", "XML, such as GraphML or GEXF"},
      {"\xef\xbb\xbf{\"nodes\": [], \"links\": []}\n", "JSON"},
      {"[[0, 1, 5], [1, 2, 6]]\n", "JSON"},
      {"[0, 1]\n[1, 2]\n", "JSON"},
      {"*Vertices 2\n1 \"a\"\n2 \"b\"\n*Arcs\n1 2 3\n", "a network of Pajek"},
  };
  for (const auto& [text, name] : files) {
    EXPECT_EQ(refusal(text), fmt::format("f: is {}: lines 'from,to,length', .gr, .mtx and .npz are accepted", name));
  }
  EXPECT_THAT(edges_of("graph,digraph,3\n"), ElementsAre("graph>digraph:3"));
  EXPECT_THAT(edges_of("[a],b,3\n"), ElementsAre("[a]>b:3"));
}

TEST(LengthsOfNaN, AreReadWhereTheCallerTakesThemForNoEdge) {
  EXPECT_THAT(edges_of("a,b,nan\nb,c,2\n", {.accepts_nan = true}), ElementsAre("a>b:nan", "b>c:2"));
  EXPECT_THAT(edges_of("x,y,w\n0,1,NaN\n", {.accepts_nan = true}), ElementsAre("0>1:nan"));
  EXPECT_THAT(refusal("a,b,nan\nb,c,2\n"), HasSubstr("f:1: 'nan' is no length: a finite number is accepted"));
  EXPECT_THAT(refusal("a,b,inf\n", {.accepts_nan = true}), HasSubstr("f:1: 'inf' is no length"));
}

TEST(Konect, SaysWhetherEdgesLeadBothWays) {
  EXPECT_THAT(edges_of("% asym weighted\n% 2 3 3\n1 2 1\n2 3 2\n"), ElementsAre("1>2:1", "2>3:2"));
  EXPECT_THAT(edges_of("% sym unweighted\n1 2\n2 2\n"), ElementsAre("1>2:1", "2>1:1", "2>2:1"));
  EXPECT_THAT(edges_of("% sym unweighted\n1 2\n", {.directed = true}), ElementsAre("1>2:1"));
  EXPECT_THAT(edges_of("% asym positive\n1 2 4 1082040961\n"), ElementsAre("1>2:4"));
  EXPECT_THAT(refusal("% bip weighted\n1 1 4\n"), HasSubstr("f: is a bipartite graph"));
}

// ---- labeled matrices

TEST(LabeledMatrix, HasARowAndAColumnForEachVertex) {
  const auto expected = ElementsAre("A>B:1", "A>C:9", "B>A:1", "B>C:2", "C>A:9", "C>B:2");
  EXPECT_THAT(edges_of(";A;B;C\nA;0;1;9\nB;1;0;2\nC;9;2;0\n"), expected);
  EXPECT_THAT(edges_of("town,A,B,C\nA,0,1,9\nB,1,0,2\nC,9,2,0\n"), expected);
  EXPECT_THAT(edges_of("A B C\nA 0 1 9\nB 1 0 2\nC 9 2 0\n"), expected);
  EXPECT_THAT(edges_of(",0,1\n0,,1.5\n1,nan,inf\n"), ElementsAre("0>1:1.5"));
  EXPECT_THAT(parse_edge_list("f", ",0,1\n0,,1.5\n1,nan,inf\n").names, ElementsAre());
  EXPECT_THAT(edges_of(",7,5\n7,,2\n5,,\n"), ElementsAre("7>5:2"));
}

TEST(LabeledMatrix, WithAZeroNeedsToKnowWhetherItIsAnEdge) {
  const std::string text = ",A,B\nA,0,0\nB,3,0\n";
  EXPECT_EQ(refusal(text),
            "f:2: '0' is the entry from A to B: --no-edge 0, or --no-edge inf if it is a length, is accepted");
  EXPECT_THAT(edges_of(text, {.knows_no_edge = true}), ElementsAre("A>B:0", "B>A:3"));
  EXPECT_THAT(refusal(",A,A\nA,1,1\nA,1,1\n"), HasSubstr("f: has a label twice"));
}

TEST(LabeledMatrix, IsNoEdgeListWithAHeader) {
  EXPECT_THAT(edges_of("x,a,b\na,c,3\nb,a,0\n", {.header = true, .columns = {"1", "2", "3"}}),
              ElementsAre("a>c:3", "b>a:0"));
  EXPECT_THAT(edges_of(",source,target,weight\nsource,a,b,1\n"), ElementsAre("a>b:1"));
}

}  // namespace
}  // namespace warpfold::formats::edge_lists
