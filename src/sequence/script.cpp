#include "warpfold/sequence/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "warpfold/core/error.hpp"

namespace warpfold::sequence {

namespace {

std::span<const char> symbols(std::string_view text) { return {text.data(), text.size()}; }
std::string text_of(const std::vector<char>& symbols) { return {symbols.begin(), symbols.end()}; }

std::int64_t cost_of(Edit edit, const Costs& costs) {
  const std::array<std::int64_t, 5> all = {0, costs.substitution, costs.deletion, costs.insertion, costs.transposition};
  return all[static_cast<std::size_t>(edit)];
}

Edit inverted(Edit edit) {
  if (edit == Edit::deletion) return Edit::insertion;
  return edit == Edit::insertion ? Edit::deletion : edit;
}

/// A run in the letters M, D and I.
Run aligned(Run run) {
  if (run.edit == Edit::transposition) return {Edit::match, 2 * run.length};
  return run.edit == Edit::substitution ? Run{Edit::match, run.length} : run;
}

std::string written(const std::vector<Run>& runs, std::string_view letters) {
  std::string text;
  for (const Run& run : runs) {
    fmt::format_to(std::back_inserter(text), "{}{}", run.length, letters[static_cast<std::size_t>(run.edit)]);
  }
  return text;
}

}  // namespace

std::uint64_t Script::symbols_of_a() const {
  return std::accumulate(runs_.begin(), runs_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Run& run) { return sum + run.length * symbols_of_a(run.edit); });
}

std::uint64_t Script::symbols_of_b() const {
  return std::accumulate(runs_.begin(), runs_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Run& run) { return sum + run.length * symbols_of_b(run.edit); });
}

std::uint64_t Script::count(Edit edit) const {
  std::uint64_t count = 0;
  for (const Run& run : runs_) count += run.edit == edit ? run.length : 0;
  return count;
}

std::int64_t Script::cost(const Costs& costs) const {
  std::int64_t cost = 0;
  for (const Run& run : runs_) cost += static_cast<std::int64_t>(run.length) * cost_of(run.edit, costs);
  return cost;
}

std::string Script::cigar(bool extended) const {
  if (extended) return written(runs_, "=XDIT");
  Script joined;
  for (const Run& run : runs_) joined.push(aligned(run).edit, aligned(run).length);
  return written(joined.runs_, "M?DI?");
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Script::matched_pairs() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  pairs.reserve(count(Edit::match));
  walk(begin_a + symbols_of_a(), begin_b + symbols_of_b(), [&](Edit edit, std::uint64_t i, std::uint64_t j) {
    if (edit == Edit::match) pairs.emplace_back(i, j);
  });
  return pairs;
}

Script Script::inverse() const {
  Script inverse;
  for (const Run& run : runs_) inverse.push(inverted(run.edit), run.length);
  inverse.begin_a = begin_b;
  inverse.begin_b = begin_a;
  return inverse;
}

Script Script::reversed() const& { return Script(*this).reversed(); }

Script Script::reversed() && {
  std::ranges::reverse(runs_);
  begin_a = begin_b = 0;
  return std::move(*this);
}

std::string Script::apply(std::string_view a, std::string_view b) const {
  return text_of(apply<char>(symbols(a), symbols(b)));
}

std::pair<std::string, std::string> Script::rows(std::string_view a, std::string_view b, char gap) const {
  const auto both = rows<char>(symbols(a), symbols(b), gap);
  return {text_of(both.first), text_of(both.second)};
}

void Script::check_lengths(std::uint64_t n, std::uint64_t m) const {
  const std::uint64_t a = begin_a + symbols_of_a();
  const std::uint64_t b = begin_b + symbols_of_b();
  if (a <= n && b <= m) return;
  throw Error(ErrorKind::input, fmt::format("the script goes over {} and {} symbols: at most {} and {} are accepted, "
                                            "the lengths of the sequences",
                                            a, b, n, m));
}

}  // namespace warpfold::sequence
