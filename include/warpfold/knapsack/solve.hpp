#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// What a solve should return besides the best value, and in which type.
struct Request {
  bool items = true;       ///< also return how many copies of each item are packed
  std::string dtype = {};  ///< "i32" or "i64" for the tables; empty: i32 if the largest total fits
};

/// The value of the best packing, and the packing.
struct Solution {
  std::int64_t value = 0;
  std::int64_t weight = 0;           ///< weight of the packed items; 0 without `Request::items`
  std::vector<std::int64_t> copies;  ///< packed copies of every item; empty without `Request::items`
  std::string dtype;
  std::string reason;  ///< one sentence on why this algorithm ran
};

/// The best value for every capacity 0 .. problem.capacity().
struct CapacityTable {
  std::vector<std::int64_t> values;
};

struct PackingQuery;  ///< a problem with its request; internal to this library's backends
using PackingBackend = Backend<PackingQuery, PackingQuery, Solution>;
using CapacityBackend = Backend<PackingQuery, PackingQuery, CapacityTable>;

/// Returns the algorithms that `Options::algorithm` accepts. The recurrence (S. Matsumae 2023, section 4.3):
///
///     best(0, c) = 0,   best(i, c) = max(best(i-1, c), best(i-1, c - weight_i) + value_i)   for c = 0 .. capacity.
///
/// A table has n (capacity + 1) cells and takes O(capacity) memory. Unbounded problems are solved by tables only.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

/// Returns the best packing for the problem's capacity.
///
/// Every algorithm gives the same value. If several packings have it, the one returned depends on the algorithm only,
/// not on the instruction set, the number of threads or the device. "table" gives the same packing on a CPU and on a
/// GPU; "core" and "reference" may give others. A memory limit may change the packing.
///
/// Options::algorithm forces an algorithm; the report names the one that ran. `extra_backends` are further algorithms
/// of this project.
///
/// Errors: Error{usage} for an unknown algorithm or dtype. Error{device} if the device is unavailable.
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<Solution> solve(const Problem& problem, const Options& options = {}, const Request& request = {},
                                      ExtraBackends<PackingBackend> extra_backends = {});

/// Returns the best value for every capacity, by a table. Raises what `solve` raises.
[[nodiscard]] Outcome<CapacityTable> every_capacity(const Problem& problem, const Options& options = {},
                                                    const Request& request = {},
                                                    ExtraBackends<CapacityBackend> extra_backends = {});

/// Returns the time and memory that `solve` would take. Raises what `solve` raises for the options. The items decide
/// how far "core" has to go, and whether it gives up for a table.
[[nodiscard]] Estimate estimate(const Problem& problem, const Options& options = {}, const Request& request = {},
                                ExtraBackends<PackingBackend> extra_backends = {});
/// Returns the time and memory that `every_capacity` would take. Raises what it raises for the options.
[[nodiscard]] Estimate estimate_every_capacity(const Problem& problem, const Options& options = {},
                                               const Request& request = {},
                                               ExtraBackends<CapacityBackend> extra_backends = {});

}  // namespace warpfold::knapsack
