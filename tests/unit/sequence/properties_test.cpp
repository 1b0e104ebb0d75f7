#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

std::int64_t distance(const std::string& a, const std::string& b, const Request& request = {}) {
  return *edit_distance(a, b, {}, request).solution.distance;
}
std::int64_t length(const std::string& a, const std::string& b) { return *lcs(a, b).solution.length; }

std::string drawn() { return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc"))); }

RC_GTEST_PROP(SequenceProperties, DistancesAreAMetric, ()) {
  const std::string a = drawn(), b = drawn(), c = drawn();
  RC_ASSERT(distance(a, b) == distance(b, a));
  RC_ASSERT((distance(a, b) == 0) == (a == b));
  RC_ASSERT(distance(a, c) <= distance(a, b) + distance(b, c));
}

RC_GTEST_PROP(SequenceProperties, ReversalChangesNothing, ()) {
  const std::string a = drawn(), b = drawn();
  const std::string x(a.rbegin(), a.rend()), y(b.rbegin(), b.rend());
  RC_ASSERT(distance(a, b) == distance(x, y));
  RC_ASSERT(length(a, b) == length(x, y));
}

RC_GTEST_PROP(SequenceProperties, PartsBoundTheWhole, ()) {
  const std::string a = drawn(), b = drawn(), c = drawn(), d = drawn();
  RC_ASSERT(distance(a + c, b + d) <= distance(a, b) + distance(c, d));
  RC_ASSERT(length(a + c, b + d) >= length(a, b) + length(c, d));
  RC_ASSERT(distance(a + c, b + c) == distance(a, b));
}

RC_GTEST_PROP(SequenceProperties, InsertionsAndDeletionsAloneGiveTheSubsequence, ()) {
  const std::string a = drawn(), b = drawn();
  const auto indels = static_cast<std::int64_t>(a.size() + b.size()) - 2 * length(a, b);
  RC_ASSERT(distance(a, b, {.costs = {.substitution = 2}}) == indels);
}

RC_GTEST_PROP(SequenceProperties, CostsScaleTheDistance, ()) {
  const std::string a = drawn(), b = drawn();
  RC_ASSERT(distance(a, b, {.costs = {7, 7, 7, 7}}) == 7 * distance(a, b));
}

RC_GTEST_PROP(SequenceProperties, ScriptsOfTheOtherTieAreThoseOfReversedSequences, ()) {
  const std::string a = drawn(), b = drawn();
  const std::string x(a.rbegin(), a.rend()), y(b.rbegin(), b.rend());
  const Script right = edit_distance(a, b, {}, {.script = true, .ties = Ties::right}).solution.script;
  RC_ASSERT(right == edit_distance(x, y, {}, {.script = true}).solution.script.reversed());
  RC_ASSERT(right.apply(a, b) == b);
  RC_ASSERT(right.inverse().apply(b, a) == a);
}

/// A script of any cost: steps are drawn, and symbols that are equal match.
Script drawn_script(const std::string& a, const std::string& b) {
  Script script;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const int step = *rc::gen::inRange(0, 3);
    if (step < 2 && i < a.size() && j < b.size()) {
      script.push(a[i++] == b[j++] ? Edit::match : Edit::substitution);
    } else if (j == b.size() || (step == 2 && i < a.size())) {
      script.push(Edit::deletion), ++i;
    } else {
      script.push(Edit::insertion), ++j;
    }
  }
  return script;
}

RC_GTEST_PROP(SequenceProperties, ComposedScriptsTurnTheFirstIntoTheLast, ()) {
  const std::string a = drawn(), b = drawn(), c = drawn(), d = drawn();
  const Script ab = drawn_script(a, b), bc = drawn_script(b, c), cd = drawn_script(c, d);
  const Script ac = ab.compose(bc, a, c);
  RC_ASSERT(ac.apply(a, c) == c);
  RC_ASSERT(verify(Coded(a, c), Distance{ac.cost(), ac}, {.script = true}));
  RC_ASSERT(ac.cost() <= ab.cost() + bc.cost());
  RC_ASSERT(ac.compose(cd, a, d) == ab.compose(bc.compose(cd, b, d), a, d));
  RC_ASSERT(ac.inverse().cost() == bc.inverse().compose(ab.inverse(), c, a).cost());
}

RC_GTEST_PROP(SequenceProperties, ComposedTranspositionsAreAScript, ()) {
  const std::string a = drawn(), b = drawn(), c = drawn();
  const Request request{.script = true, .transpositions = true};
  const Script ab = edit_distance(a, b, {}, request).solution.script;
  const Script bc = edit_distance(b, c, {}, request).solution.script;
  const Script ac = ab.compose(bc, a, c);
  RC_ASSERT(verify(Coded(a, c), Distance{ac.cost(), ac}, request));
}

RC_GTEST_PROP(SequenceProperties, ColumnsAreFewestAndMostBetweenTheOthers, ()) {
  const std::string a = drawn(), b = drawn();
  const auto columns = [&](Ties ties) {
    const Request request{.script = true, .ties = ties};
    const Distance found = edit_distance(a, b, {}, request).solution;
    RC_ASSERT(verify(Coded(a, b), found, request, true));
    return found.script.symbols_of_a() + found.script.count(Edit::insertion);
  };
  for (const Ties ties : {Ties::left, Ties::right}) {
    RC_ASSERT(columns(Ties::shortest) <= columns(ties));
    RC_ASSERT(columns(ties) <= columns(Ties::longest));
  }
}

}  // namespace
}  // namespace warpfold::sequence
