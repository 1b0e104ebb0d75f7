#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "warpfold/run/budget.hpp"
#include "warpfold/sequence/time_warping.hpp"

// Shares no code with the solvers.
namespace warpfold::sequence {

namespace {

template <class T>
WarpingCost<T> point_distance(const TimeSeries<T>& a, const TimeSeries<T>& b, std::size_t i, std::size_t j,
                              PointDistance kind) {
  WarpingCost<T> sum = 0;
  for (std::size_t k = 0; k < a.dimensions(); ++k) {
    const WarpingCost<T> x = a.values()[i * a.dimensions() + k], y = b.values()[j * a.dimensions() + k];
    const WarpingCost<T> apart = x > y ? x - y : y - x;
    sum += kind == PointDistance::squared ? apart * apart : apart;
  }
  return sum;
}

/// How many points a pair is shifted against the nearer of the two diagonals through the first and the last pair.
std::uint64_t shift_of(std::uint64_t i, std::uint64_t j, std::uint64_t n, std::uint64_t m) {
  if (j > i) return j - i > (m > n ? m - n : 0) ? j - i - (m > n ? m - n : 0) : 0;
  return i - j > (n > m ? n - m : 0) ? i - j - (n > m ? n - m : 0) : 0;
}

bool is_allowed(std::uint64_t i, std::uint64_t j, std::uint64_t n, std::uint64_t m, const WarpingRequest& request) {
  return !request.window || shift_of(i, j, n, m) < *request.window;
}

/// Adds up the distances of a path, or says why it is none.
template <class T>
Violation find_path_violation(const TimeSeries<T>& a, const TimeSeries<T>& b, const Script& script,
                              const WarpingRequest& request, WarpingCost<T>& cost) {
  cost = 0;
  std::uint64_t i = 0, j = 0;  // points so far
  for (const Run& run : script.runs()) {
    if (run.edit != Edit::match && run.edit != Edit::deletion && run.edit != Edit::insertion) {
      return "a path has matches, deletions and insertions only";
    }
    for (std::uint64_t step = 0; step < run.length; ++step) {
      if (run.edit != Edit::insertion) ++i;
      if (run.edit != Edit::deletion) ++j;
      if (i == 0 || j == 0) return "the path does not begin with a match";
      if (i > a.size() || j > b.size()) {
        return fmt::format("the path goes beyond the {} points of the {} series", i > a.size() ? a.size() : b.size(),
                           i > a.size() ? "first" : "second");
      }
      if (!is_allowed(i - 1, j - 1, a.size(), b.size(), request)) {
        return fmt::format("the path leaves the band at points {} and {}", i - 1, j - 1);
      }
      cost += point_distance(a, b, i - 1, j - 1, request.distance);
    }
  }
  if (i == a.size() && j == b.size()) return std::nullopt;
  return fmt::format("the path ends after {} and {} of {} and {} points", i, j, a.size(), b.size());
}

}  // namespace

/// The rows of the recurrence, with the row of the first point as the first one.
template <class T>
WarpingCost<T> verified_dtw(const TimeSeries<T>& a, const TimeSeries<T>& b, const WarpingRequest& request,
                            const Options& options) {
  using Cost = WarpingCost<T>;
  constexpr Cost none = std::numeric_limits<Cost>::has_infinity ? std::numeric_limits<Cost>::infinity()
                                                                : std::numeric_limits<Cost>::max();
  Budget budget(options);
  const auto taken = budget.reserve(b.size(), 2 * sizeof(Cost));
  const SolveMonitor monitor(options, static_cast<double>(a.size()));
  std::vector<Cost> above(b.size(), none), row(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    monitor.check();
    for (std::size_t j = 0; j < b.size(); ++j) {
      Cost before = i == 0 && j == 0 ? Cost{0} : none;
      if (i > 0) before = std::min(before, above[j]);
      if (j > 0) before = std::min(before, row[j - 1]);
      if (i > 0 && j > 0) before = std::min(before, above[j - 1]);
      const bool is_reached = before != none && is_allowed(i, j, a.size(), b.size(), request);
      row[j] = is_reached ? before + point_distance(a, b, i, j, request.distance) : none;
    }
    above.swap(row);
  }
  return above.back();
}

template <class T>
Verdict verify(const TimeSeries<T>& a, const TimeSeries<T>& b, const Warping<T>& solution,
               const WarpingRequest& request, bool optimal, const Options& options) {
  if (request.script && solution.distance) {
    WarpingCost<T> cost = 0;
    if (auto violation = find_path_violation(a, b, solution.script, request, cost)) return infeasible(*violation);
    if (cost != *solution.distance) {
      return wrong_cost(fmt::format("the path costs {}, the stated distance is {}", cost, *solution.distance));
    }
  }
  if (!optimal) return {};
  const WarpingCost<T> optimum = verified_dtw(a, b, request, options);
  if (!solution.distance && request.max_distance && !(static_cast<double>(optimum) > *request.max_distance)) {
    return wrong_cost(fmt::format("the distance is {}, more than {} is stated", optimum, *request.max_distance));
  }
  if (solution.distance && optimum != *solution.distance) {
    return wrong_cost(fmt::format("the distance is {}, {} is stated", optimum, *solution.distance));
  }
  return {.is_optimal = true};
}

template Verdict verify(const TimeSeries<float>&, const TimeSeries<float>&, const Warping<float>&,
                        const WarpingRequest&, bool, const Options&);
template Verdict verify(const TimeSeries<double>&, const TimeSeries<double>&, const Warping<double>&,
                        const WarpingRequest&, bool, const Options&);
template Verdict verify(const TimeSeries<std::int32_t>&, const TimeSeries<std::int32_t>&, const Warping<std::int32_t>&,
                        const WarpingRequest&, bool, const Options&);
template float verified_dtw(const TimeSeries<float>&, const TimeSeries<float>&, const WarpingRequest&, const Options&);
template double verified_dtw(const TimeSeries<double>&, const TimeSeries<double>&, const WarpingRequest&,
                             const Options&);
template std::int64_t verified_dtw(const TimeSeries<std::int32_t>&, const TimeSeries<std::int32_t>&,
                                   const WarpingRequest&, const Options&);

}  // namespace warpfold::sequence
