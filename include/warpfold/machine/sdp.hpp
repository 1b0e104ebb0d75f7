#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

/// The simplified dynamic programming problem of papers/pipeline-dp-2018 and papers/p-fold-pipeline-2023,
/// ST[i] = op over j of ST[i - a_j] for a_0 <= i < n: what its pipelines read together, and how wide they may be.
/// `offsets` are a_0 > a_1 > ... > a_{k-1} > 0 everywhere here.
namespace warpfold::machine {

/// Raises Error{usage} naming the first offset that is 0 or not below the one before it, or where there is none.
void check_offsets(std::span<const std::uint32_t> offsets);

/// The length of the longest run of consecutive offsets, a_r = a_{r+1} + 1: the slowdown that the 2018 paper states.
[[nodiscard]] std::uint32_t longest_run(std::span<const std::uint32_t> offsets);

/// The most threads that read one element in one step of the p-fold pipeline (p = 1: the pipeline), as both papers
/// count collisions; 1 where no two do. In step i thread j reads ST[i - j - a_q], q = j / p.
[[nodiscard]] std::uint32_t read_collisions(std::span<const std::uint32_t> offsets, std::uint32_t fold = 1);

/// The largest p for which the p-fold pipeline is right. Thread qp, the q-th term's first, reads ST[i - qp - a_q] in
/// step i, before which elements up to i - kp are final: p <= a_q / (k - q) for every q. The 2023 paper finds p by
/// simulation only.
[[nodiscard]] std::uint32_t largest_fold(std::span<const std::uint32_t> offsets);

/// `terms` different offsets, each set equally likely, from `smallest` .. `largest`. Raises Error{usage} where there
/// are not so many, or 0 is among them.
[[nodiscard]] std::vector<std::uint32_t> random_offsets(std::uint32_t terms, std::uint32_t smallest,
                                                        std::uint32_t largest, std::mt19937_64& random);

}  // namespace warpfold::machine
