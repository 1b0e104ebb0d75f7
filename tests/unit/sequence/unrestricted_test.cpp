// Transpositions without restriction: against shortest paths over all strings, and as a metric.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "unit/sequence/oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

const Request unrestricted{.script = true, .transpositions = true, .unrestricted = true};
const Request restricted{.script = true, .transpositions = true};

Distance solved(const std::string& a, const std::string& b, const Request& request = unrestricted) {
  return edit_distance(a, b, {}, request).solution;
}

std::vector<std::string> strings_of(const std::string& letters, std::size_t longest) {
  std::vector<std::string> all = {""};
  for (std::size_t at = 0; all[at].size() < longest; ++at) {
    for (const char letter : letters) all.push_back(all[at] + letter);
  }
  return all;
}

using Visit = std::function<void(const std::string&, std::int64_t)>;

/// Every string that one edit makes of a string, and the cost.
void each_edit(const std::string& text, const std::string& letters, const Costs& costs, const Visit& visit) {
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const std::string before = text.substr(0, i), rest = text.substr(i);
    for (const char letter : letters) visit(before + letter + rest, costs.insertion);
    if (rest.empty()) continue;
    visit(before + rest.substr(1), costs.deletion);
    for (const char letter : letters) visit(before + letter + rest.substr(1), costs.substitution);
    if (rest.size() > 1) visit(before + rest[1] + rest[0] + rest.substr(2), costs.transposition);
  }
}

/// The least cost of edits from one string to each other one, over strings up to a length.
std::map<std::string, std::int64_t> shortest_paths(const std::string& from, const std::string& letters,
                                                   std::size_t longest, const Costs& costs) {
  using Entry = std::pair<std::int64_t, std::string>;
  std::map<std::string, std::int64_t> final;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.emplace(0, from);
  while (!open.empty()) {
    const auto [cost, text] = open.top();
    open.pop();
    if (!final.emplace(text, cost).second) continue;
    each_edit(text, letters, costs, [&, cost = cost](const std::string& next, std::int64_t more) {
      if (next.size() <= longest && !final.contains(next)) open.emplace(cost + more, next);
    });
  }
  return final;
}

void expect_shortest_paths(const std::string& letters, std::size_t longest, const Costs& costs) {
  for (const std::string& a : strings_of(letters, longest)) {
    const auto paths = shortest_paths(a, letters, longest + 1, costs);
    for (const std::string& b : strings_of(letters, longest)) {
      Request request = unrestricted;
      request.costs = costs;
      for (const Ties ties : {Ties::left, Ties::right, Ties::shortest, Ties::longest}) {
        request.ties = ties;
        const Distance found = solved(a, b, request);
        ASSERT_EQ(found.distance, paths.at(b)) << a << ' ' << b << ' ' << found.script.cigar();
        ASSERT_EQ(found.script.apply(a, b), b) << a << ' ' << found.script.cigar();
        ASSERT_EQ(found.script.inverse().apply(b, a), a) << b << ' ' << found.script.cigar();
        const Verdict verdict = verify(Coded(a, b), found, request, true);
        ASSERT_TRUE(verdict) << a << ' ' << b << ' ' << found.script.cigar() << ' ' << *verdict.violation;
      }
    }
  }
}

TEST(UnrestrictedTranspositions, AreTheShortestPathsOverAllStrings) {
  for (const Costs& costs : {Costs(), Costs{2, 3, 4, 3}, Costs{1, 1, 3, 1}, Costs{3, 1, 5, 2}, Costs{2, 2, 1, 2},
                             Costs{0, 4, 1, 2}, Costs{1, 1, 0, 1}}) {
    expect_shortest_paths("ab", 4, costs);
  }
  expect_shortest_paths("ab", 5, {});
  expect_shortest_paths("abc", 4, {});
  expect_shortest_paths("abcd", 3, {.substitution = 2});
}

RC_GTEST_PROP(UnrestrictedTranspositions, AreAMetric, ()) {
  const auto drawn = [] { return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc"))); };
  const std::string a = drawn(), b = drawn(), c = drawn();
  RC_ASSERT(*solved(a, b).distance == *solved(b, a).distance);
  RC_ASSERT((*solved(a, b).distance == 0) == (a == b));
  RC_ASSERT(*solved(a, c).distance <= *solved(a, b).distance + *solved(b, c).distance);
}

TEST(UnrestrictedTranspositions, HaveTheTriangleInequalityThatTheRestrictedOnesLack) {
  EXPECT_EQ(solved("ca", "ac", restricted).distance, 1);
  EXPECT_EQ(solved("ac", "abc", restricted).distance, 1);
  EXPECT_EQ(solved("ca", "abc", restricted).distance, 3);
  EXPECT_EQ(solved("ca", "abc").distance, 2);
}

TEST(UnrestrictedTranspositions, AreTheRestrictedOnesUnlessSymbolsSwapThatAreApart) {
  int apart = 0, alike = 0;
  for (const std::string& a : strings_of("abc", 4)) {
    for (const std::string& b : strings_of("abc", 4)) {
      const Distance free = solved(a, b), bound = solved(a, b, restricted);
      ASSERT_LE(*free.distance, *bound.distance) << a << ' ' << b;
      ASSERT_LE(*bound.distance, *solved(a, b, {}).distance) << a << ' ' << b;
      const bool is_apart = free.script.count(Edit::transposition_begin) > 0;
      ++(is_apart ? apart : alike);
      const bool is_equal = !is_apart || *bound.distance <= 1;
      ASSERT_TRUE(!is_equal || free.distance == bound.distance) << a << ' ' << b;
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(alike, 1000);
}

TEST(UnrestrictedTranspositions, AreVerifiedByTheKeptRows) {
  std::mt19937_64 random(3);
  const auto cost = [&] { return static_cast<std::int64_t>(random() % 5); };
  for (int round = 0; round < 150; ++round) {
    const test::Symbols a = test::draw(random() % 100, 4, random);
    Request request = unrestricted;
    request.ties = std::array{Ties::left, Ties::right, Ties::shortest, Ties::longest}[random() % 4];
    request.costs = {cost(), cost(), cost(), 4 + cost()};
    const test::Symbols b = test::mutate(a, 3, 4, random);
    const Coded pair = round % 2 ? test::coded(a, b) : Coded::of_sets(a, b);
    const Verdict verdict = verify(pair, edit_distance(pair, {}, request).solution, request, true);
    ASSERT_TRUE(verdict) << *verdict.violation;
    EXPECT_TRUE(verdict.is_optimal);
  }
}

/// A row is kept for each code that its symbol matches.
TEST(UnrestrictedTranspositions, AreVerifiedInTheMemoryOfAllKeptRows) {
  test::Symbols b(1000);
  for (std::size_t j = 0; j < b.size(); ++j) b[j] = static_cast<std::uint32_t>(1 + j % 15);
  const Coded pair = Coded::of_sets(test::Symbols{15}, b);
  const Distance found = edit_distance(pair, {}, unrestricted).solution;
  const auto verify_with_rows = [&](std::size_t rows) {
    Options options;
    options.max_memory = rows * (b.size() + 1) * sizeof(std::int64_t);
    return verify(pair, found, unrestricted, true, options);
  };
  EXPECT_TRUE(verify_with_rows(3 + pair.codes()));
  EXPECT_THROW(static_cast<void>(verify_with_rows(2 + pair.codes())), Error);
}

TEST(UnrestrictedTranspositions, TakeTheMemoryThatTheyEstimateOrNone) {
  std::mt19937_64 random(4);
  const Coded pair = test::coded(test::draw(300, 50, random), test::draw(200, 50, random));
  for (const Ties ties : {Ties::left, Ties::right, Ties::shortest}) {
    Request request = unrestricted;
    request.ties = ties;
    const std::size_t peak = edit_distance(pair, {}, request).report.peak_bytes;
    EXPECT_GE(peak, std::size_t{301} * 201 * sizeof(std::int64_t));
    EXPECT_LE(peak, estimate_edit_distance(pair, {}, request).bytes);
    Options options;
    options.max_memory = peak / 2;
    EXPECT_THROW(static_cast<void>(edit_distance(pair, options, request)), Error);
  }
}

TEST(UnrestrictedTranspositions, HaveAScriptWithTheirTwoEnds) {
  const Script script = solved("xcay", "xabcy").script;
  EXPECT_EQ(script.cigar(), "1=1(1I1)1=");
  EXPECT_EQ(script.cigar(false), "2M1I2M");
  EXPECT_EQ(script.cost({.insertion = 5, .transposition = 7}), 12);
  EXPECT_EQ(script.inverse().cigar(), "1=1(1D1)1=");
  EXPECT_EQ(script.reversed().cigar(), "1=1(1I1)1=");
  EXPECT_EQ(script.rows("xcay", "xabcy"), (std::pair<std::string, std::string>{"xc-ay", "xabcy"}));
  EXPECT_EQ(script.apply("1234", "?????"), "13?24");
  Script none;
  none.push(Edit::match, 5);
  EXPECT_EQ(script.compose(none, "xcay", "xabcy").cigar(), "1=1X1I1X1=");
}

std::string usage_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(UnrestrictedTranspositions, RejectWhatTheyDoNotSolve) {
  Request request = unrestricted;
  request.costs = {4, 3, 1, 3};
  EXPECT_EQ(usage_error_of([&] { static_cast<void>(solved("a", "b", request)); }),
            "the cost of transposition is 3: without restriction, at least half of an insertion and a deletion is "
            "accepted, 4");
  EXPECT_EQ(usage_error_of([&] { static_cast<void>(verify(Coded("a", "b"), Distance{1}, request)); }),
            "the cost of transposition is 3: without restriction, at least half of an insertion and a deletion is "
            "accepted, 4");
  request.costs.transposition = 4;
  EXPECT_EQ(solved("ab", "ba", request).distance, 2);
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  request.costs = {largest, largest, 1, largest};
  EXPECT_EQ(solved("", "", request).distance, 0);  // no symbol, so no cost is too large
  EXPECT_EQ(usage_error_of([] { static_cast<void>(solved("a", "b", {.unrestricted = true})); }),
            "unrestricted transpositions are requested without transpositions: both are accepted");
  EXPECT_EQ(usage_error_of([] { static_cast<void>(verify(Coded("a", "b"), Distance{1}, {.unrestricted = true})); }),
            "unrestricted transpositions are requested without transpositions: both are accepted");
  for (const AlgorithmInfo& algorithm : edit_distance_algorithms()) {
    Options options;
    options.algorithm = algorithm.name;
    if (algorithm.name == "table" || algorithm.device != "cpu") continue;
    EXPECT_NE(usage_error_of([&] { static_cast<void>(edit_distance("ab", "ba", options, unrestricted)); }), "no error")
        << algorithm.name;
  }
}

Script script_from(const std::vector<Run>& runs) {
  Script script;
  for (const Run& run : runs) script.push(run.edit, run.length);
  return script;
}

TEST(UnrestrictedTranspositions, HaveTheirFaultsFound) {
  const Coded pair("xcay", "xabcy");
  const auto violation = [&](const Script& script, const Request& request = unrestricted) {
    return *verify(pair, Distance{2, script}, request).violation;
  };
  constexpr auto begin = Edit::transposition_begin, end = Edit::transposition_end;
  const Script right = solved("xcay", "xabcy").script;
  EXPECT_TRUE(verify(pair, Distance{2, right}, unrestricted, true));
  EXPECT_EQ(violation(right, restricted), "symbol 2 is transposed with one that is no neighbor, which is not allowed");
  EXPECT_EQ(violation(script_from({{Edit::match, 1}, {begin, 1}, {Edit::insertion, 1}, {begin, 1}, {Edit::match, 1}})),
            "symbol 3 of the first sequence and symbol 4 of the second do not fit the script's '('");
  EXPECT_EQ(violation(script_from({{Edit::match, 1}, {end, 1}, {Edit::insertion, 1}, {end, 1}, {Edit::match, 1}})),
            "symbol 2 of the first sequence and symbol 2 of the second do not fit the script's ')'");
  EXPECT_EQ(violation(script_from({{Edit::match, 1}, {begin, 1}, {end, 1}, {Edit::insertion, 1}, {Edit::match, 1}})),
            "symbol 3 of the first sequence and symbol 3 of the second do not fit the script's ')'");
  EXPECT_EQ(violation(script_from({{begin, 1}, {Edit::substitution, 2}, {Edit::insertion, 1}, {end, 1}})),
            "symbol 2 of the first sequence and symbol 2 of the second do not fit the script's 'X'");
  EXPECT_EQ(violation(script_from({{Edit::match, 1}, {begin, 1}, {Edit::deletion, 2}, {Edit::insertion, 3}})),
            "the transposition of symbol 2 does not end");
}

}  // namespace
}  // namespace warpfold::sequence
