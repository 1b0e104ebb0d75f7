#include "polygon/convex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/magnitude.hpp"
#include "interval/tuning.hpp"
#include "polygon/whole_weights.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon {

namespace {

/// Not less than the weight of any chord: that of a diagonal of the box around the outline.
double weight_of_box(const Outline& outline, Weight formula) {
  Point least = outline[0], most = outline[0];
  for (const Point& vertex : outline.vertices()) {
    least = {std::min(least.x, vertex.x), std::min(least.y, vertex.y)};
    most = {std::max(most.x, vertex.x), std::max(most.y, vertex.y)};
  }
  return chord_weight(formula, least, most);
}

/// The largest weight of a chord, which is at most `bound`.
double largest_weight(const Outline& outline, Weight formula, double bound, const std::string& dtype) {
  double largest = weight_of_box(outline, formula);
  if (largest <= bound) return largest;
  largest = 0;
  for (std::size_t i = 0; i + 2 < outline.size(); ++i) {
    for (std::size_t j = i + 2; j < outline.size() - (i == 0); ++j) {
      const double weight = chord_weight(formula, outline[i], outline[j]);
      largest = std::max(largest, weight);
      if (weight <= bound) continue;
      throw Error(ErrorKind::overflow,
                  fmt::format("chord ({}, {}) weighs {}: with {} vertices and {}, weights up to {} "
                              "are accepted",
                              i, j, weight, outline.size(), dtype, bound));
    }
  }
  return largest;
}

/// Truncated, other chords would weigh least.
template <class T>
void check_whole(const Outline& outline, Weight formula) {
  for (std::size_t i = 0; i + 2 < outline.size(); ++i) {
    for (std::size_t j = i + 2; j < outline.size() - (i == 0); ++j) {
      const Flaw flaw = flaw_of_weight<T>(i, j, chord_weight(formula, outline[i], outline[j]));
      if (flaw) throw Error(ErrorKind::input, *flaw);
    }
  }
}

template <class T>
using ConvexBackend = Backend<ConvexPolygon<T>, ConvexPolygon<T>, interval::Solution<T>>;

template <class T>
interval::Solution<T> on_cpu(const ConvexPolygon<T>& polygon, Context& context) {
  const Budget::Share taken = interval::detail::take_table<ConvexPolygon<T>>(polygon.vertices(), context);
  return interval::solution_of(polygon, interval::detail::fill_table(polygon, polygon.vertices(), context), context);
}

template <class T>
interval::Solution<T> on_gpu(const ConvexPolygon<T>& polygon, Context& context) {
  if (!context.options.keeper) return interval::cuda::solve_convex(polygon.points(), context);
  return interval::cuda::solve_kept(polygon, polygon.vertices(), polygon.points(), context);
}

/// interval's "tiled", which needs no matrix here.
template <class T>
std::vector<ConvexBackend<T>> convex_backends() {
  std::vector<ConvexBackend<T>> list;
  for (const AlgorithmInfo& info : interval::algorithms()) {
    if (info.name != "tiled") continue;
    if (info.device == "cpu") {
      list.push_back({.info = info,
                      .cost = [](const ConvexPolygon<T>&, const Options&) { return 1.0; },
                      .bytes = [](const ConvexPolygon<T>& polygon,
                                  const Options&) { return interval::RecurrenceTable<T>::bytes(polygon.vertices()); },
                      .run = on_cpu<T>,
                      .keeps = true});
    } else {
      list.push_back(
          {.info = info,
           .cost = [](const ConvexPolygon<T>& polygon,
                      const Options&) { return polygon.vertices() >= interval::cuda_gains_from ? 0.0 : 2.0; },
           .bytes = nullptr,
           .run = on_gpu<T>,
           .spans_gpus = true,
           .keeps = true,
           .device_bytes =
               [](const ConvexPolygon<T>& polygon, const Options& options) {
                 return interval::cuda::convex_device_bytes<T>(polygon.vertices(), options);
               }});
    }
  }
  return list;
}

}  // namespace

template <class T>
ConvexPolygon<T>::ConvexPolygon(const Outline& outline, Weight formula) : outline_(outline), formula_(formula) {
  if (formula != Weight::length && formula != Weight::squared) {
    throw Error(ErrorKind::usage, fmt::format("weight {} is unknown", static_cast<int>(formula)));
  }
  if (!outline.strictly_convex()) {
    throw Error(ErrorKind::input, "the outline is not strictly convex: such a one, or a matrix of weights is accepted");
  }
  const auto chords = static_cast<T>(outline.size() - 3);
  const T bound = largest_accepted_total<T> / std::max(chords, T{1});
  const double largest = largest_weight(outline, formula, static_cast<double>(bound), std::string(dtype_name<T>()));
  if constexpr (std::is_integral_v<T>) check_whole<T>(outline, formula);
  largest_total_ = static_cast<T>(chords * static_cast<T>(largest));
}

template <class T>
void ConvexPolygon<T>::describe_point(std::size_t i, std::vector<std::byte>& bytes) const {
  const std::array<double, 3> said = {outline_[i].x, outline_[i].y, formula_ == Weight::squared ? 2.0 : 1.0};
  const auto all = std::as_bytes(std::span(said));
  bytes.insert(bytes.end(), all.begin(), all.end());
}

template <class T>
Outcome<interval::Solution<T>> solve(const Outline& outline, Weight weight, const Options& options) {
  const ConvexPolygon<T> polygon(outline, weight);
  const auto backends = convex_backends<T>();
  return solve_by(std::span(backends), polygon, polygon, options);
}

template <class T>
Estimate estimate(const Outline& outline, Weight weight, const Options& options) {
  const ConvexPolygon<T> polygon(outline, weight);
  const auto backends = convex_backends<T>();
  Estimate expected = interval::estimate<T>(outline.size(), options);
  const Needs needs = needs_of(backend_for(std::span(backends), polygon, options), polygon, options);
  expected.bytes = needs.bytes;
  expected.device_bytes = needs.device_bytes;
  return expected;
}

#define WARPFOLD_INSTANTIATE(T)                                                             \
  template class ConvexPolygon<T>;                                                          \
  template Outcome<interval::Solution<T>> solve<T>(const Outline&, Weight, const Options&); \
  template Estimate estimate<T>(const Outline&, Weight, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon
