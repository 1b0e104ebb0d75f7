#include "warpfold/polygon/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "warpfold/core/error.hpp"

namespace warpfold::polygon {

namespace {

template <class T>
bool acceptable(T weight) {
  if constexpr (std::is_floating_point_v<T>) return weight > -infinity<T>;  // false for NaN
  return true;
}

template <class T>
T magnitude(T weight) {
  return weight < 0 ? -std::max(weight, -infinity<T>) : weight;
}

}  // namespace

double chord_weight(Weight weight, const Point& a, const Point& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double squared = dx * dx + dy * dy;
  return weight == Weight::length ? std::sqrt(squared) : squared;
}

template <class T>
Triangulation<T>::Triangulation(VisibilityGraph graph, std::vector<T> weights)
    : graph_(std::move(graph)), weights_(std::move(weights)) {
  const std::size_t n = vertices();
  if (weights_.size() != graph_.ends.size()) {
    throw Error(ErrorKind::usage, fmt::format("there are {} weights for {} pairs of vertices: one each is accepted",
                                              weights_.size(), graph_.ends.size()));
  }
  const T largest_allowed = std::numeric_limits<T>::max() / 4 / static_cast<T>(std::max<std::size_t>(n, 4) - 3);
  T largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
      const std::size_t j = graph_.ends[e];
      T& weight = weights_[e];
      if (graph_.is_edge(i, j) || weight == 0) weight = 0;  // -0 becomes 0
      const bool forbidden = weight >= infinity<T>;
      if (!acceptable(weight) || (!forbidden && magnitude(weight) >= largest_allowed)) {
        throw Error(
            ErrorKind::input,
            fmt::format("chord ({}, {}) weighs {}: with {} vertices and {} a magnitude below {} is accepted, or "
                        "+inf for a forbidden chord",
                        i, j, weight, n, dtype_name<T>(), largest_allowed));
      }
      if (forbidden) {
        weight = infinity<T>;
      } else {
        largest = std::max(largest, magnitude(weight));
      }
    }
  }
  largest_total_ = largest * static_cast<T>(std::max<std::size_t>(n, 3) - 3);
}

template class Triangulation<std::int32_t>;
template class Triangulation<std::int64_t>;
template class Triangulation<float>;
template class Triangulation<double>;

}  // namespace warpfold::polygon
