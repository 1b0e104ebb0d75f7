#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// What a solve should do besides finding the best value.
struct Request {
  bool items = true;       ///< also say how many copies of each item are packed
  std::string dtype = {};  ///< "i32" or "i64" for the tables; empty: i32 where the largest total fits
};

/// What the best packing is worth, and the packing.
struct Solution {
  std::int64_t value = 0;
  std::int64_t weight = 0;           ///< of the packed items; 0 without `Request::items`
  std::vector<std::int64_t> copies;  ///< of every item; empty without `Request::items`
  std::string dtype;
  std::string reason;  ///< one sentence: why this algorithm ran
};

/// The best value for every capacity 0 .. problem.capacity().
struct CapacityTable {
  std::vector<std::int64_t> values;
};

struct PackingQuery;  ///< a problem with its request; of this project's own backends, and not installed
using PackingBackend = Backend<PackingQuery, PackingQuery, Solution>;
using CapacityBackend = Backend<PackingQuery, PackingQuery, CapacityTable>;

/// The algorithms that `Options::algorithm` accepts.
///
/// The recurrence (S. Matsumae 2023, section 4.3): best(i, c) = max(best(i-1, c), best(i-1, c - weight_i) + value_i),
/// best(0, c) = 0, c = 0 .. capacity. "reference" is that, in two plain loops. "table" computes the same rows in place,
/// n (capacity + 1) cells in O(capacity) memory, strips of capacities staying in a core's cache while several items
/// pass. "core" is a list of undominated states grown from the break item outwards with upper bounds. Unbounded
/// problems run in tables only.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

/// Solves for the problem's one capacity. Every algorithm gives the same value. Where several packings have it, the
/// solution is one of them, and which one depends on the algorithm alone, not on the instruction set, the number of
/// threads or the device: a table gives the same packing on a CPU and on a GPU, "core" and "reference" may each give
/// another. A memory limit may change the packing. Without Options::algorithm the report names the algorithm that ran.
/// `more`: further algorithms of this project, the papers' (src/knapsack/backends.hpp). Raises Error{memory_limit} and
/// Error{time_limit} where memory or time do not suffice, Error{usage} for an unknown algorithm or dtype, Error{device}
/// where there is none.
[[nodiscard]] Outcome<Solution> solve(const Problem& problem, const Options& options = {}, const Request& request = {},
                                      ExtraBackends<PackingBackend> extra_backends = {});

/// Solves for every capacity, by a table; raises what `solve` raises.
[[nodiscard]] Outcome<CapacityTable> every_capacity(const Problem& problem, const Options& options = {},
                                                    const Request& request = {},
                                                    ExtraBackends<CapacityBackend> extra_backends = {});

/// What `solve` would take, or `every_capacity`; raises what they raise for the options. How far "core" has to go, and
/// whether it gives up for a table, depends on the items.
[[nodiscard]] Estimate estimate(const Problem& problem, const Options& options = {}, const Request& request = {},
                                ExtraBackends<PackingBackend> extra_backends = {});
/// The same of `every_capacity`.
[[nodiscard]] Estimate estimate_every_capacity(const Problem& problem, const Options& options = {},
                                               const Request& request = {},
                                               ExtraBackends<CapacityBackend> extra_backends = {});

}  // namespace warpfold::knapsack
