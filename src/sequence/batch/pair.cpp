#include "sequence/batch/pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "sequence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence::batch {

void check_pairs(List a, List b) {
  if (a.size() == b.size()) return;
  throw Error(ErrorKind::input,
              fmt::format("the lists have {} and {} sequences: lists of one length are accepted", a.size(), b.size()));
}

Coded coded(const SymbolView& a, const SymbolView& b) {
  const auto wide = [](const SymbolView& sequence) {
    return sequence.with_symbols(
        [](const auto& symbols) { return std::vector<std::uint32_t>(symbols.begin(), symbols.end()); });
  };
  if (a.width() != b.width()) {
    const auto first = wide(a), second = wide(b);
    return {std::span<const std::uint32_t>(first), std::span<const std::uint32_t>(second)};
  }
  return a.with_symbols([&]<class T>(std::span<const T> symbols) {
    return b.with_symbols([&]<class U>(std::span<const U> others) -> Coded {
      if constexpr (std::is_same_v<T, U>) return {symbols, others};
      return {std::string_view(), std::string_view()};
    });
  });
}

double cells_of(const SymbolView& a, const SymbolView& b) {
  return static_cast<double>(a.size()) * static_cast<double>(b.size());
}

std::uint64_t least_distance(std::size_t n, std::size_t m) { return std::max(n, m) - std::min(n, m); }

bool is_known(std::size_t n, std::size_t m, const BatchRequest& request) {
  return n == 0 || m == 0 || (request.max_distance && least_distance(n, m) > *request.max_distance);
}

std::uint32_t distance_of_pair(const SymbolView& a, const SymbolView& b, const BatchRequest& request,
                               const Options& options) {
  if (is_known(a.size(), b.size(), request)) return request.limited(least_distance(a.size(), b.size()));
  if (std::min(a.size(), b.size()) <= tuning::max_pattern) {
    const bool a_is_shorter = a.size() < b.size();
    return request.limited(Pattern(a_is_shorter ? a : b, request.measure).distance(a_is_shorter ? b : a));
  }
  const Coded pair = coded(a, b);
  const Request one{.max_distance = request.max_distance};
  Options of_one = options;
  if (!options.algorithm.empty()) of_one.algorithm = "words";
  if (request.measure == Measure::edit) {
    const auto found = edit_distance(pair, of_one, one).solution.distance;
    return request.limited(found ? static_cast<std::uint64_t>(*found) : max_length);
  }
  const auto found = lcs(pair, of_one, one).solution.length;
  return request.limited(found ? a.size() + b.size() - 2 * static_cast<std::uint64_t>(*found) : max_length);
}

double seconds_of_words(std::size_t n, std::size_t m, Measure measure) {
  const double words = static_cast<double>((std::min(n, m) + 63) / 64 * std::max(n, m));
  return tuning::pattern_seconds +
         words * (measure == Measure::edit ? tuning::edit_word_seconds : tuning::lcs_word_seconds);
}

}  // namespace warpfold::sequence::batch
