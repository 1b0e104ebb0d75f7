#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interval/backends.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::interval {

/// Why the dynamic program in T does not solve the chain: "cost may not fit i64: ...", or empty. The same on every
/// device.
template <class T>
[[nodiscard]] std::string misfit(const MatrixChain& chain);

/// The chain's recurrence, and the solution from its splits. Raises Error{overflow} if the cost may not fit T.
template <class T>
struct ChainRecurrence {
  using Semiring = MinPlus<T>;
  std::vector<T> p;
  bool fused;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t, std::size_t) const { return 0; }
  ProductSplit<T> product_split() const { return {p.data(), p.data(), p.data(), fused}; }
};
template <class T>
[[nodiscard]] ChainRecurrence<T> recurrence_of(const MatrixChain& chain);
template <class T>
[[nodiscard]] ChainSolution solution_of(const MatrixChain& chain, std::vector<Split> splits);

/// Solves a chain by the tiled dynamic program in T: int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] ChainSolution chain_by_dp(const MatrixChain& chain, bool on_gpu, Context& context);

/// Calls `action` with a zero of the type that the dynamic program uses for the chain by default.
template <class Action>
auto with_dp_type(const MatrixChain& chain, const Action& action) {
  return chain_dp_dtype(chain) == dtype_name<std::int32_t>() ? action(std::int32_t{}) : action(std::int64_t{});
}

template <class Solution>
using ChainBackend = Backend<MatrixChain, MatrixChain, Solution>;

/// Backend::seconds of the dynamic program, measured on the chain's first matrices.
template <class Solution>
[[nodiscard]] double seconds_of_dp(const ChainBackend<Solution>& backend, const MatrixChain& chain,
                                   const Options& options) {
  const std::size_t few = std::min(chain.size(), backend.probe_size);
  const auto& p = chain.dimensions();
  const MatrixChain part({p.begin(), p.begin() + static_cast<std::ptrdiff_t>(few + 1)});
  return split_count(chain.size() + 1) * probe_seconds(backend, part, options) / std::max(1.0, split_count(few + 1));
}

inline const AlgorithmInfo dp_info{"dp", "cpu",
                                   "matrix chain by the recurrence: on the stack up to n = 16, in tiles above",
                                   "n^3/6 operations, 0.5 n^2 values"};

/// The backend "dp" on the CPU and, in a build with CUDA, on a GPU.
template <class Solution>
[[nodiscard]] std::vector<ChainBackend<Solution>> dp_backends(std::size_t (*bytes)(const MatrixChain&, const Options&),
                                                              std::size_t (*device_bytes)(const MatrixChain&,
                                                                                          const Options&),
                                                              Solution (*on_cpu)(const MatrixChain&, Context&),
                                                              Solution (*on_gpu)(const MatrixChain&, Context&)) {
  const auto operations = [](const MatrixChain& chain) { return split_count(chain.size() + 1); };
  std::vector<ChainBackend<Solution>> list = {
      {.info = dp_info,
       .cost = [](const MatrixChain& chain, const Options&) { return chain.size() <= small_chain ? 0.0 : 2.0; },
       .bytes = bytes,
       .run = on_cpu,
       .supports_checkpoint = true,
       .operations = operations,
       .seconds = seconds_of_dp<Solution>,
       .probe_size = probe_vertices - 1}};
  if (has_cuda()) {
    list.push_back({.info = {dp_info.name, "cuda", "matrix chain by the recurrence, in tiles, on one GPU or several",
                             dp_info.takes},
                    .cost = [](const MatrixChain&, const Options&) { return 3.0; },
                    .bytes = bytes,
                    .run = on_gpu,
                    .supports_multi_gpu = true,
                    .device_bytes = device_bytes,
                    .operations = operations,
                    .seconds = seconds_of_dp<Solution>,
                    .probe_size = probe_vertices - 1});
  }
  return list;
}

}  // namespace warpfold::interval
