#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/triangulation.hpp"

/// The backends that solve.cpp and batch.cpp list. The callers reject infeasible results. Explicitly instantiated for
/// int32_t, int64_t, float and double.
namespace warpfold::interval {

/// n(n-1)(n-2)/6: the splits of a polygon.
[[nodiscard]] inline double split_count(std::size_t vertices) {
  const auto n = static_cast<double>(vertices);
  return n * (n - 1) * (n - 2) / 6;
}

/// The bytes that TileStorage holds for a size: a large table consists of full huge pages. The largest size stays as it
/// is.
[[nodiscard]] constexpr std::size_t bytes_in_pages(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const bool is_integer = bytes < page || bytes > std::numeric_limits<std::size_t>::max() - page;
  return is_integer ? bytes : (bytes + page - 1) / page * page;
}

/// Backend::seconds of a polygon whose chords all have the same weight, measured on one of `probe_size` vertices.
template <class T>
[[nodiscard]] double seconds_by_probe(const TriangulationBackend<T>& backend, const TriangulationSize& size,
                                      const Options& options);

/// Raises Error{infeasible} for the cost of a polygon that has no triangulation.
template <class T>
void check_feasible(T cost) {
  if (cost < infinity<T>) return;
  throw Error(ErrorKind::infeasible, "the forbidden chords leave no triangulation");
}

namespace reference {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context);
}

namespace cpu {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context);
}

/// The tiled solver on a GPU.
namespace cuda {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context);

/// The bytes that it needs on the first GPU. Less if the weights are in pinned memory.
template <class T>
std::size_t device_bytes(const TriangulationSize& size, const Options& options);

template <class T>
std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>& problems, Context& context);

/// The matrix chain's recurrence for dimensions p_0 .. p_n. `exact`: every total is an integer that T holds.
template <class T>
IntervalTable<T> solve_chain(std::span<const T> dimensions, bool exact, Context& context);

/// The bytes that it needs on each GPU.
template <class T>
std::size_t chain_device_bytes(const MatrixChain& chain, const Options& options);
}  // namespace cuda

}  // namespace warpfold::interval
