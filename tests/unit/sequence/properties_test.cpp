#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "warpfold/sequence/lcs.hpp"

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

}  // namespace
}  // namespace warpfold::sequence
