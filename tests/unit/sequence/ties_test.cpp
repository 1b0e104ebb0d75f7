#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unit/sequence/alignment_oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

constexpr Ties from_the_end[] = {Ties::left, Ties::shortest, Ties::longest};

std::uint64_t columns_of(const Script& script) { return script.symbols_of_a() + script.count(Edit::insertion); }

/// By which of several scripts or alignments of the same cost the rule takes the least.
std::int64_t rank_of(Ties ties, const Script& script) {
  const auto columns = static_cast<std::int64_t>(columns_of(script));
  return ties == Ties::shortest ? columns : ties == Ties::longest ? -columns : 0;
}

/// Every script of two short sequences, from the end to the beginning. Of equal ones the first is kept, and steps are
/// tried in the order that the rule states.
class AllScripts {
 public:
  AllScripts(const std::string& a, const std::string& b, const Request& request) : a_(a), b_(b), request_(request) {
    visit(a.size(), b.size(), 0, 0);
  }
  [[nodiscard]] std::int64_t cost() const { return best_[0].value.first; }
  [[nodiscard]] Script best(std::size_t rule) const {
    Script backwards;
    for (const Edit edit : best_[rule].steps) backwards.push(edit);
    return backwards.reversed();
  }

 private:
  using Value = std::pair<std::int64_t, std::int64_t>;  ///< the cost, and what decides ties
  struct Best {
    Value value = {std::numeric_limits<std::int64_t>::max(), 0};
    std::vector<Edit> steps = {};
  };

  void visit(std::size_t i, std::size_t j, std::int64_t cost, std::int64_t columns) {
    if (i == 0 && j == 0) return offer(cost, columns);
    const Costs& costs = request_.costs;
    const auto go_on = [&](Edit edit, std::size_t up, std::size_t left, std::int64_t edit_cost) {
      steps_.push_back(edit);
      visit(i - up, j - left, cost + edit_cost, columns + static_cast<std::int64_t>(std::max(up, left)));
      steps_.pop_back();
    };
    if (i > 0 && j > 0) {
      const bool is_match = a_[i - 1] == b_[j - 1];
      go_on(is_match ? Edit::match : Edit::substitution, 1, 1, is_match ? 0 : costs.substitution);
    }
    const bool is_swapped = request_.transpositions && i > 1 && j > 1 && a_[i - 1] == b_[j - 2] &&
                            a_[i - 2] == b_[j - 1] && a_[i - 1] != a_[i - 2];
    if (is_swapped) go_on(Edit::transposition, 2, 2, costs.transposition);
    if (i > 0) go_on(Edit::deletion, 1, 0, costs.deletion);
    if (j > 0) go_on(Edit::insertion, 0, 1, costs.insertion);
  }
  void offer(std::int64_t cost, std::int64_t columns) {
    const std::int64_t ranks[] = {0, columns, -columns};
    for (std::size_t rule = 0; rule < best_.size(); ++rule) {
      const Value value(cost, ranks[rule]);
      if (value < best_[rule].value) best_[rule] = {value, steps_};
    }
  }

  const std::string& a_;
  const std::string& b_;
  Request request_;
  std::vector<Edit> steps_ = {};
  std::array<Best, std::size(from_the_end)> best_ = {};
};

/// The script by a table of pairs: the cost of what leads to a cell, and what decides ties.
Script script_by_pairs(const std::string& a, const std::string& b, Ties ties) {
  using Value = std::pair<std::int64_t, std::int64_t>;
  const std::int64_t column = ties == Ties::shortest ? 1 : -1;
  std::vector<std::vector<Value>> table(a.size() + 1, std::vector<Value>(b.size() + 1));
  const auto after = [&](std::size_t i, std::size_t j, std::int64_t cost) {
    return Value(table[i][j].first + cost, table[i][j].second + column);
  };
  const auto diagonal = [&](std::size_t i, std::size_t j) { return after(i - 1, j - 1, a[i - 1] == b[j - 1] ? 0 : 1); };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      Value least(i + j == 0 ? 0 : std::numeric_limits<std::int64_t>::max(), 0);
      if (i > 0 && j > 0) least = std::min(least, diagonal(i, j));
      if (i > 0) least = std::min(least, after(i - 1, j, 1));
      if (j > 0) least = std::min(least, after(i, j - 1, 1));
      table[i][j] = least;
    }
  }
  Script backwards;
  for (std::size_t i = a.size(), j = b.size(); i + j > 0;) {
    if (i > 0 && j > 0 && table[i][j] == diagonal(i, j)) {
      backwards.push(a[i - 1] == b[j - 1] ? Edit::match : Edit::substitution), --i, --j;
    } else if (i > 0 && table[i][j] == after(i - 1, j, 1)) {
      backwards.push(Edit::deletion), --i;
    } else {
      backwards.push(Edit::insertion), --j;
    }
  }
  return backwards.reversed();
}

/// The same for alignments.
class BestAlignment {
 public:
  BestAlignment(const ScoredPair& pair, const AlignmentRequest& request) : pair_(pair), request_(request) {
    const FreeEnds& ends = request.ends;
    for (std::size_t i = 0; i <= pair.n(); ++i) {
      for (std::size_t j = 0; j <= pair.m(); ++j) {
        const bool at_end = i == pair.n() || j == pair.m();
        if (ends.local || (at_end && (i == pair.n() || ends.end_a) && (j == pair.m() || ends.end_b))) {
          visit(i, j, {.end_a = i, .end_b = j});
        }
      }
    }
  }
  [[nodiscard]] const Alignment& best() const { return *best_; }

 private:
  void visit(std::size_t i, std::size_t j, const Alignment& later) {
    const FreeEnds& ends = request_.ends;
    const bool is_free = (i == 0 && j == 0) || (i == 0 && ends.begin_b) || (j == 0 && ends.begin_a);
    if (ends.local || is_free) offer(i, j, later);
    const auto go_on = [&](Edit edit, std::size_t length, std::size_t up, std::size_t left, std::int64_t score) {
      Alignment longer = later;
      longer.score += score;
      longer.script.push(edit, length);
      visit(i - up, j - left, longer);
    };
    if (i > 0 && j > 0) {
      const std::uint32_t x = pair_.a()[i - 1], y = pair_.b()[j - 1];
      go_on(pair_.matches(x, y) ? Edit::match : Edit::substitution, 1, 1, 1, pair_.score(x, y));
    }
    for (std::size_t k = 1; k <= i; ++k) go_on(Edit::deletion, k, k, 0, -request_.gaps.of(k));
    for (std::size_t k = 1; k <= j; ++k) go_on(Edit::insertion, k, 0, k, -request_.gaps.of(k));
  }
  void offer(std::size_t i, std::size_t j, const Alignment& backwards) {
    Alignment found = backwards;
    found.script = backwards.script.reversed();
    found.script.begin_a = i, found.script.begin_b = j;
    const auto value_of = [&](const Alignment& each) {
      return std::pair(-each.score, rank_of(request_.ties, each.script));
    };
    if (!best_ || value_of(found) < value_of(*best_)) best_ = found;
  }

  const ScoredPair& pair_;
  AlignmentRequest request_;
  std::optional<Alignment> best_;
};

std::vector<std::string> words_up_to(std::size_t length) {
  std::vector<std::string> all = {""};
  for (std::size_t at = 0; all[at].size() < length; ++at) all.push_back(all[at] + 'a'), all.push_back(all[at] + 'b');
  return all;
}

TEST(Ties, AreThoseOfAllScriptsWithTheLeastCost) {
  Request requests[] = {{.script = true},
                        {.script = true, .costs = {2, 3, 4, 1}},
                        {.script = true, .costs = {0, 1, 1, 1}},
                        {.script = true, .transpositions = true}};
  for (const std::string& a : words_up_to(5)) {
    for (const std::string& b : words_up_to(5)) {
      for (Request& request : requests) {
        const AllScripts all(a, b, request);
        for (std::size_t rule = 0; rule < std::size(from_the_end); ++rule) {
          request.ties = from_the_end[rule];
          const Distance found = edit_distance(a, b, {}, request).solution;
          ASSERT_EQ(found.distance, all.cost()) << a << ' ' << b;
          ASSERT_EQ(found.script.cigar(), all.best(rule).cigar()) << a << ' ' << b;
        }
      }
    }
  }
}

TEST(Ties, OfColumnsAreThoseOfATableOfPairs) {
  for (const std::string& a : words_up_to(7)) {
    for (const std::string& b : words_up_to(7)) {
      for (const Ties ties : {Ties::shortest, Ties::longest}) {
        const Script found = edit_distance(a, b, {}, {.script = true, .ties = ties}).solution.script;
        ASSERT_EQ(found.cigar(), script_by_pairs(a, b, ties).cigar()) << a << ' ' << b;
      }
    }
  }
}

TEST(Ties, AreThoseOfAllAlignmentsWithTheLargestScore) {
  const GapCosts gaps[] = {{0, 1, {}}, {2, 1, {}}, {1, 2, GapCosts::Piece{3, 1}}};
  for (const std::string& a : words_up_to(3)) {
    for (const std::string& b : words_up_to(3)) {
      const ScoredPair pair(Coded(a, b), 1, -1);
      for (const FreeEnds& ends : test::all_ends()) {
        for (const GapCosts& each : gaps) {
          for (const Ties ties : from_the_end) {
            const AlignmentRequest request{.script = true, .ties = ties, .gaps = each, .ends = ends};
            const BestAlignment all(pair, request);
            const Alignment found = align(pair, {}, request).solution;
            ASSERT_EQ(found.score, all.best().score) << a << ' ' << b;
            ASSERT_EQ(found.end_a, all.best().end_a) << a << ' ' << b;
            ASSERT_EQ(found.end_b, all.best().end_b) << a << ' ' << b;
            ASSERT_EQ(found.script.cigar(), all.best().script.cigar()) << a << ' ' << b;
            ASSERT_EQ(found.script, all.best().script) << a << ' ' << b;
          }
        }
      }
    }
  }
}

TEST(Ties, OfCommonSubsequencesHaveEquallyManyColumns) {
  for (const std::string& a : words_up_to(5)) {
    for (const std::string& b : words_up_to(5)) {
      const Script left = lcs(a, b, {}, {.script = true}).solution.script;
      for (const Ties ties : {Ties::right, Ties::shortest, Ties::longest}) {
        const Script found = lcs(a, b, {}, {.script = true, .ties = ties}).solution.script;
        ASSERT_EQ(columns_of(found), columns_of(left));
        ASSERT_TRUE(ties == Ties::right || found == left);
      }
    }
  }
}

TEST(Ties, OfColumnsAreTheSameByEveryAlgorithm) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    const test::Symbols a = test::draw(random() % 300, 3, random);
    const test::Symbols b = random() % 2 ? test::draw(random() % 300, 3, random) : test::mutate(a, 5, 3, random);
    const Coded coded = test::coded(a, b);
    const ScoredPair pair =
        random() % 2 ? ScoredPair(coded, 2, -2) : ScoredPair(a, b, test::drawn_matrix(3, -4, 4, random));
    const Ties ties = random() % 2 ? Ties::shortest : Ties::longest;
    const AlignmentRequest request{.script = random() % 4 > 0,
                                   .ties = ties,
                                   .gaps = {static_cast<std::int64_t>(random() % 3), 1, {}},
                                   .ends = test::all_ends()[random() % test::all_ends().size()]};
    Options options;
    options.algorithm = "table";
    const Alignment expected = align(pair, options, request).solution;
    const Distance distance = edit_distance(coded, options, {.script = true, .ties = ties}).solution;
    for (const char* algorithm : {"", "rows", "strips"}) {
      options.algorithm = algorithm;
      const Alignment found = align(pair, options, request).solution;
      ASSERT_EQ(found.score, expected.score) << algorithm;
      ASSERT_EQ(found.end_a, expected.end_a) << algorithm;
      ASSERT_EQ(found.end_b, expected.end_b) << algorithm;
      ASSERT_EQ(found.script, expected.script) << algorithm;
      ASSERT_TRUE(verify(pair, found, request, true));
      ASSERT_EQ(edit_distance(coded, options, {.script = true, .ties = ties}).solution.script, distance.script);
    }
  }
}

TEST(Ties, OfAnAlignmentsEndDoNotDependOnTheScript) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 400; ++round) {
    const test::Symbols a = test::draw(random() % 12, 2, random), b = test::draw(random() % 12, 2, random);
    const ScoredPair pair(test::coded(a, b), 1, -1);
    for (const Ties ties : {Ties::left, Ties::right, Ties::shortest, Ties::longest}) {
      AlignmentRequest request{.ties = ties, .ends = test::all_ends()[random() % test::all_ends().size()]};
      const Alignment score = align(pair, {}, request).solution;
      request.script = true;
      const Alignment script = align(pair, {}, request).solution;
      ASSERT_EQ(std::tie(score.score, score.end_a, score.end_b), std::tie(script.score, script.end_a, script.end_b));
      ASSERT_EQ(score.script, Script());
    }
  }
}

TEST(Ties, OfColumnsBoundTheDistance) {
  const Request request{.script = true, .ties = Ties::shortest, .max_distance = 2};
  EXPECT_FALSE(edit_distance("kitten", "sitting", {}, request).solution.distance);
  EXPECT_EQ(
      edit_distance("kitten", "kit", {}, {.script = true, .ties = Ties::longest, .max_distance = 3}).solution.distance,
      3);
}

TEST(Ties, OfColumnsAreVerified) {
  const Coded pair("ab", "ba");
  const Request fewest{.script = true, .ties = Ties::shortest}, most{.script = true, .ties = Ties::longest};
  const Distance shortest = edit_distance(pair, {}, fewest).solution, longest = edit_distance(pair, {}, most).solution;
  EXPECT_EQ(shortest.script.cigar(), "2X");
  EXPECT_EQ(longest.script.cigar(), "1I1=1D");
  EXPECT_TRUE(verify(pair, longest, most, true));
  EXPECT_EQ(verify(pair, shortest, most, true).violation, "another script of this cost has more columns");
  EXPECT_EQ(verify(pair, longest, fewest, true).violation, "another script of this cost has fewer columns");
  EXPECT_TRUE(verify(pair, longest, fewest));
}

TEST(Ties, OfColumnsOfAlignmentsAreVerified) {
  const ScoredPair pair(Coded("xb", "yb"), 1, 0);
  const GapCosts gaps{0, 1, {}};
  const AlignmentRequest fewest{.script = true, .ties = Ties::shortest, .gaps = gaps, .ends = local_ends};
  const AlignmentRequest most{.script = true, .ties = Ties::longest, .gaps = gaps, .ends = local_ends};
  const Alignment shortest = align(pair, {}, fewest).solution, longest = align(pair, {}, most).solution;
  EXPECT_EQ(shortest.script.cigar(), "1=");
  EXPECT_EQ(longest.script.cigar(), "1X1=");
  EXPECT_TRUE(verify(pair, longest, most, true));
  EXPECT_EQ(verify(pair, shortest, most, true).violation, "another alignment of this score has more columns");
  EXPECT_EQ(verify(pair, longest, fewest, true).violation, "another alignment of this score has fewer columns");
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Ties, OfColumnsRejectWhatTheyDoNotSolve) {
  Options words;
  words.algorithm = "words";
  EXPECT_NE(message_of([&] {
              static_cast<void>(edit_distance("ab", "ba", words, {.script = true, .ties = Ties::shortest}));
            }).find("returns no shortest or longest script"),
            std::string::npos);
  EXPECT_EQ(message_of([] {
              const AlignmentRequest request{.script = true, .ties = Ties::longest, .gaps = {1, 0, {}}};
              static_cast<void>(align("ab", "ba", {}, request));
            }),
            "the cost to extend a gap is 0: for the longest alignment 1 or more is accepted");
  Options diagonals;
  diagonals.algorithm = "diagonals";
  for (const Ties ties : {Ties::shortest, Ties::longest}) {
    EXPECT_NE(message_of([&] {
                static_cast<void>(align("ab", "ba", diagonals, {.script = true, .ties = ties}));
              }).find("ties left and right are accepted"),
              std::string::npos);
    EXPECT_EQ(align("ab", "ab", diagonals, {.ties = ties}).solution.score, 2);  // no script: nothing to choose
  }
  EXPECT_EQ(
      message_of([] {
        static_cast<void>(edit_distance(
            "ab", "ba", {}, {.script = true, .ties = Ties::shortest, .costs = {.insertion = std::int64_t{1} << 57}}));
      }),
      "the cost of insertion is 144115188075855872: 4 symbols of this cost, times 5, have to stay below 2^61");
}

TEST(VerifiedCosts, ThatDoNotFitAreRefusedAsInASolve) {
  const Coded pair("ab", "b");
  const Request request{.script = true, .costs = {std::int64_t{1} << 60, std::int64_t{1} << 60, std::int64_t{1} << 60}};
  EXPECT_THROW((void)verify(pair, Distance{}, request, true), Error);
  const AlignmentRequest gaps{.script = true, .gaps = {std::int64_t{1} << 60, std::int64_t{1} << 60, {}}};
  EXPECT_THROW((void)verify(ScoredPair(pair, 1, -1), Alignment{}, gaps, true), Error);
}

}  // namespace
}  // namespace warpfold::sequence
