#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/sequence/oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

Options table() {
  Options options;
  options.algorithm = "table";
  return options;
}

/// All strings over {a, b} up to a length.
std::vector<std::string> strings(std::size_t longest) {
  std::vector<std::string> all = {""};
  for (std::size_t at = 0; at < all.size() && all[at].size() < longest; ++at) {
    all.push_back(all[at] + 'a');
    all.push_back(all[at] + 'b');
  }
  return all;
}

/// The least cost by trying every script.
std::int64_t least_cost(std::string_view a, std::string_view b, bool substitutes) {
  if (a.empty() || b.empty()) return static_cast<std::int64_t>(a.size() + b.size());
  std::int64_t best = 1 + std::min(least_cost(a.substr(1), b, substitutes), least_cost(a, b.substr(1), substitutes));
  if (a[0] == b[0] || substitutes) {
    best = std::min(best, (a[0] != b[0]) + least_cost(a.substr(1), b.substr(1), substitutes));
  }
  return best;
}

TEST(SequenceReference, IsTheLeastOfAllScripts) {
  for (const auto& a : strings(5)) {
    for (const auto& b : strings(5)) {
      EXPECT_EQ(edit_distance(a, b, table()).solution.distance, least_cost(a, b, true)) << a << ' ' << b;
      const auto indels = static_cast<std::int64_t>(a.size() + b.size()) - 2 * *lcs(a, b, table()).solution.length;
      EXPECT_EQ(indels, least_cost(a, b, false)) << a << ' ' << b;
    }
  }
}

TEST(SequenceReference, GivesTheScriptsOfAllStringsUpToLength8) {
  for (const auto& a : strings(8)) {
    if (!a.empty() && a[0] == 'b') continue;  // the same as with both letters exchanged
    for (const auto& b : strings(8)) {
      const Request request{.script = true};
      ASSERT_EQ(edit_distance(a, b, table(), request).solution.script,
                test::Recursion<std::string>(a, b, request, true).script())
          << a << ' ' << b;
      ASSERT_EQ(lcs(a, b, table(), request).solution.script,
                test::Recursion<std::string>(a, b, request, false).script())
          << a << ' ' << b;
    }
  }
}

TEST(SequenceReference, FollowsEveryTieRule) {
  const Costs some_costs[] = {{}, {.insertion = 2, .deletion = 3, .substitution = 4}, {.substitution = 2}};
  for (const auto& a : strings(6)) {
    for (const auto& b : strings(6)) {
      for (const Ties ties : {Ties::left, Ties::right}) {
        for (const Costs& costs : some_costs) {
          for (const bool transpositions : {false, true}) {
            const Request request{.script = true, .ties = ties, .costs = costs, .transpositions = transpositions};
            test::Recursion<std::string> oracle(a, b, request, true);
            const auto found = edit_distance(a, b, table(), request).solution;
            ASSERT_EQ(found.distance, oracle.distance()) << a << ' ' << b;
            ASSERT_EQ(found.script, oracle.script()) << a << ' ' << b;
          }
        }
        const Request request{.script = true, .ties = ties};
        ASSERT_EQ(lcs(a, b, table(), request).solution.script,
                  test::Recursion<std::string>(a, b, request, false).script())
            << a << ' ' << b;
      }
    }
  }
}

TEST(SequenceReference, KnowsWhatTextbooksSay) {
  EXPECT_EQ(edit_distance("kitten", "sitting").solution.distance, 3);
  EXPECT_EQ(lcs("ABCBDAB", "BDCABA").solution.length, 4);
  EXPECT_EQ(edit_distance("abcd", "acbd").solution.distance, 2);
  EXPECT_EQ(edit_distance("abcd", "acbd", {}, {.transpositions = true}).solution.distance, 1);
  EXPECT_EQ(edit_distance("ca", "abc", {}, {.transpositions = true}).solution.distance, 3);
}

TEST(SequenceReference, EmptySequencesHaveOneScript) {
  const auto nothing = edit_distance("", "", {}, {.script = true}).solution;
  EXPECT_EQ(nothing.distance, 0);
  EXPECT_TRUE(nothing.script.empty());
  EXPECT_EQ(edit_distance("abc", "", {}, {.script = true}).solution.script.cigar(), "3D");
  EXPECT_EQ(lcs("", "ab", {}, {.script = true}).solution.script.cigar(), "2I");
  EXPECT_EQ(lcs("", "ab").solution.length, 0);
}

TEST(SequenceReference, DistancesAboveTheBoundAreNotGiven) {
  EXPECT_EQ(edit_distance("kitten", "sitting", {}, {.max_distance = 3}).solution.distance, 3);
  EXPECT_FALSE(edit_distance("kitten", "sitting", {}, {.max_distance = 2}).solution.distance);
  EXPECT_FALSE(lcs("kitten", "sitting", {}, {.max_distance = 4}).solution.length);
  EXPECT_EQ(lcs("kitten", "sitting", {}, {.max_distance = 5}).solution.length, 4);
  EXPECT_FALSE(edit_distance("abc", "", {}, {.max_distance = 2}).solution.distance);
}

std::string error_of(const std::function<void()>& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(SequenceReference, CostsThatNoScriptMayHaveAreRejected) {
  EXPECT_EQ(
      error_of([] { static_cast<void>(edit_distance("a", "b", {}, {.costs = {.deletion = -1}})); }, ErrorKind::usage),
      "the cost of deletion is -1: 0 or more is accepted");
  EXPECT_EQ(error_of([] { static_cast<void>(edit_distance("a", "b", {}, {.costs = {.insertion = 1LL << 60}})); },
                     ErrorKind::overflow),
            "the cost of insertion is 1152921504606846976: 2 symbols of this cost have to stay below 2^61");
  EXPECT_EQ(error_of([] { static_cast<void>(lcs("a", "b", {}, {.transpositions = true})); }, ErrorKind::usage),
            "a longest common subsequence has no costs and no transpositions: the defaults are accepted");
}

TEST(SequenceVerify, AcceptsEverySolution) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    const auto pair = test::coded(test::draw(random() % 150, 4, random), test::draw(random() % 150, 4, random));
    for (const bool transpositions : {false, true}) {
      const Request request{.script = true, .transpositions = transpositions};
      const Verdict verdict = verify(pair, edit_distance(pair, table(), request).solution, request, true);
      EXPECT_TRUE(verdict) << *verdict.violation;
      EXPECT_TRUE(verdict.is_optimal);
    }
    EXPECT_TRUE(verify(pair, lcs(pair, table(), {.script = true}).solution, {.script = true}, true));
  }
}

TEST(SequenceVerify, FindsEveryFault) {
  const Coded pair("kitten", "sitting");
  const Request request{.script = true};
  const Distance right = edit_distance(pair, {}, request).solution;

  Distance wrong = right;
  wrong.distance = 4;
  EXPECT_EQ(verify(pair, wrong, request).violation, "the script costs 3, the stated distance is 4");

  wrong = right;
  wrong.script.push(Edit::deletion);
  EXPECT_EQ(verify(pair, wrong, request).violation, "the script goes over 7 and 7 symbols, the sequences have 6 and 7");

  wrong = {3, {}};
  wrong.script.push(Edit::match, 6);
  wrong.script.push(Edit::insertion);
  const Verdict verdict = verify(pair, wrong, request);
  EXPECT_EQ(verdict.violation, "symbol 1 of the first sequence and symbol 1 of the second do not fit the script's '='");
  EXPECT_FALSE(verdict.is_feasible);

  EXPECT_EQ(verify(pair, Distance{4}, {}, true).violation, "the distance is 3, 4 is stated");
  EXPECT_EQ(verify(pair, Distance{}, {.max_distance = 3}, true).violation,
            "the distance is 3, more than the bound is stated");
  EXPECT_EQ(verify(pair, Distance{3}, {.max_distance = 2}).violation, "the distance 3 is more than the bound 2");
  EXPECT_EQ(verify(pair, Subsequence{4, right.script}, request).violation,
            "symbol 1 is substituted: a common subsequence has matches, deletions and insertions");
  EXPECT_TRUE(verify(pair, Distance{}, {.max_distance = 2}, true));
}

}  // namespace
}  // namespace warpfold::sequence
