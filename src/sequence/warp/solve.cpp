#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/quantity.hpp"
#include "sequence/gpu/series.hpp"
#include "sequence/tuning.hpp"
#include "sequence/warp/backends.hpp"
#include "sequence/warp/strips/strips.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/sequence/symbols.hpp"

namespace warpfold::sequence {

namespace warp {
namespace {

double operations_of(const Size& size) { return size.operations(); }

double cost_of_table(const Size& size, const Options&) {
  return tuning::table_cell_seconds * static_cast<double>(3 * size.dimensions + 2) * size.n() * size.m();
}
template <class T>
std::size_t bytes_of_table(const Size& size, const Options&) {
  return static_cast<std::size_t>((size.n() + 1) * (size.m() + 1)) * sizeof(WarpingCost<T>);
}
double cost_of_rows(const Size& size, const Options&) {
  return tuning::warp_row_operation_seconds * size.operations() * (size.script ? 2 : 1);
}

template <class T>
WarpingBackend<T> gpu_backend() {
  return {.info = {"strips", "cuda", "strips of rows on a GPU, in f32 or f64",
                   "the cells of the band by 32 lanes, 16 m values, for a path n m / 128"},
          .cost = cuda::seconds_of_warping,
          .bytes = cuda::host_bytes_of_warping,
          .run = cuda::warping_by_strips<T>,
          .unsupported_reason = cuda::unsupported_on_gpu,
          .device_bytes = cuda::device_bytes_of_warping,
          .operations = operations_of};
}

template <class T>
std::vector<WarpingBackend<T>> all_backends() {
  std::vector<WarpingBackend<T>> list = {
      {.info = {"table", "cpu", "the complete table of the recurrence", "n m cells, n m values"},
       .cost = cost_of_table,
       .bytes = bytes_of_table<T>,
       .run = reference<T>,
       .operations = operations_of},
      {.info = {"rows", "cpu", "all types: row by row, one thread", "the cells of the band, m values"},
       .cost = cost_of_rows,
       .bytes = bytes_of_rows<T>,
       .run = by_rows<T>,
       .operations = operations_of},
      {.info = {"strips", "cpu", "strips of rows in vectors of f32 or f64, all threads",
                "the cells of the band / L, m values a thread"},
       .cost = seconds_of_strips,
       .bytes = bytes_of_strips,
       .run = by_strips<T>,
       .unsupported_reason = unsupported_by_strips,
       .supports_checkpoint = true,
       .operations = operations_of}};
  if (has_cuda()) list.push_back(gpu_backend<T>());
  return list;
}

template <class T>
const std::vector<WarpingBackend<T>>& backends() {
  static const std::vector<WarpingBackend<T>> list = all_backends<T>();
  return list;
}

/// No sum of integers is larger: a path has at most n + m - 1 pairs.
template <class T>
double largest_sum(const TimeSeries<T>& a, const TimeSeries<T>& b, PointDistance distance) {
  const auto [least_a, max_a] = std::ranges::minmax(a.values());
  const auto [least_b, max_b] = std::ranges::minmax(b.values());
  const double range = static_cast<double>(std::max(max_a, max_b)) - static_cast<double>(std::min(least_a, least_b));
  const double term = distance == PointDistance::squared ? range * range : range;
  return term * static_cast<double>(a.dimensions()) * static_cast<double>(a.size() + b.size());
}

/// The narrowest lanes that hold every sum exactly, and that for the values of a series.
template <class T>
std::size_t lane_bytes_of(const TimeSeries<T>& a, const TimeSeries<T>& b, PointDistance distance) {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T);
  const double sum = largest_sum(a, b, distance);
  if (sum >= 0x1p62) {
    throw Error(ErrorKind::overflow, fmt::format("the distances of {} and {} points can add up to {:.3g}: less than "
                                                 "2^62 is accepted",
                                                 a.size(), b.size(), sum));
  }
  return sum < 0x1p24 ? sizeof(float) : sum < 0x1p53 ? sizeof(double) : 0;
}

template <class T>
void check(const TimeSeries<T>& a, const TimeSeries<T>& b, const WarpingRequest& request) {
  for (const auto& [series, name] : {std::pair(&a, "first"), std::pair(&b, "second")}) {
    if (series->size() > 0) continue;
    throw Error(ErrorKind::input, fmt::format("the {} series is empty: a path begins at a point of both", name));
  }
  if (a.dimensions() != b.dimensions()) {
    throw Error(ErrorKind::input, fmt::format("the points of the first series have {}, those of the second {}: the "
                                              "same number is accepted",
                                              quantity(a.dimensions(), "dimension"), b.dimensions()));
  }
  if (request.max_distance && !(*request.max_distance >= 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("the largest distance is {}: 0 or more is accepted", *request.max_distance));
  }
  if (request.window == std::uint64_t{0}) {
    throw Error(ErrorKind::infeasible, "no path fits into a band of width 0: 1 or more is accepted");
  }
}

template <class T>
Size size_of(const TimeSeries<T>& a, const TimeSeries<T>& b, const WarpingRequest& request) {
  check(a, b, request);
  return {band_of(a.size(), b.size(), request.window), a.dimensions(), lane_bytes_of(a, b, request.distance),
          std::is_integral_v<T>, request.script};
}

}  // namespace
}  // namespace warp

template <class T>
TimeSeries<T>::TimeSeries(std::span<const T> values, std::size_t dimensions)
    : values_(values), dimensions_(dimensions) {
  if (dimensions == 0) throw Error(ErrorKind::usage, "points of 0 dimensions: 1 or more is accepted");
  if (values.size() % dimensions != 0) {
    throw Error(ErrorKind::input, fmt::format("{}: a multiple of the {} dimensions of a point is accepted",
                                              quantity(values.size(), "value"), dimensions));
  }
  if (size() > max_length) {
    throw Error(ErrorKind::input, fmt::format("{} points: up to {} are accepted", size(), max_length));
  }
  if constexpr (std::is_floating_point_v<T>) {
    const auto wrong = std::ranges::find_if_not(values, [](T value) { return std::isfinite(value); });
    if (wrong == values.end()) return;
    const auto at = static_cast<std::size_t>(wrong - values.begin());
    throw Error(ErrorKind::input, fmt::format("point {} is {}: finite numbers are accepted", at / dimensions, *wrong));
  }
}

template <class T>
Outcome<Warping<T>> dtw(const TimeSeries<T>& a, const TimeSeries<T>& b, const Options& options,
                        const WarpingRequest& request) {
  const warp::Size size = warp::size_of(a, b, request);
  auto outcome = solve_by(std::span(warp::backends<T>()), size, warp::Query<T>{a, b, request, size}, options);
  if (outcome.solution.distance == warp::unreachable<WarpingCost<T>>) {
    throw Error(ErrorKind::overflow, fmt::format("the distance is more than {}: f32 and f64 hold no larger sums",
                                                 std::numeric_limits<T>::max()));
  }
  return outcome;
}

std::vector<AlgorithmInfo> dtw_algorithms() { return infos(warp::backends<float>()); }

template <class T>
Estimate estimate_dtw(const TimeSeries<T>& a, const TimeSeries<T>& b, const Options& options,
                      const WarpingRequest& request) {
  return estimate_by(std::span(warp::backends<T>()), warp::size_of(a, b, request), options);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> warping_path(const Script& script) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::uint64_t i = 0, j = 0;  // points so far
  for (const Run& run : script.runs()) {
    for (std::uint64_t step = 0; step < run.length; ++step) {
      i += run.edit != Edit::insertion ? 1 : 0;
      j += run.edit != Edit::deletion ? 1 : 0;
      pairs.emplace_back(i - 1, j - 1);
    }
  }
  return pairs;
}

template class TimeSeries<float>;
template class TimeSeries<double>;
template class TimeSeries<std::int32_t>;
template Outcome<Warping<float>> dtw(const TimeSeries<float>&, const TimeSeries<float>&, const Options&,
                                     const WarpingRequest&);
template Outcome<Warping<double>> dtw(const TimeSeries<double>&, const TimeSeries<double>&, const Options&,
                                      const WarpingRequest&);
template Outcome<Warping<std::int32_t>> dtw(const TimeSeries<std::int32_t>&, const TimeSeries<std::int32_t>&,
                                            const Options&, const WarpingRequest&);
template Estimate estimate_dtw(const TimeSeries<float>&, const TimeSeries<float>&, const Options&,
                               const WarpingRequest&);
template Estimate estimate_dtw(const TimeSeries<double>&, const TimeSeries<double>&, const Options&,
                               const WarpingRequest&);
template Estimate estimate_dtw(const TimeSeries<std::int32_t>&, const TimeSeries<std::int32_t>&, const Options&,
                               const WarpingRequest&);

}  // namespace warpfold::sequence
