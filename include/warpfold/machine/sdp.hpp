#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

/// The simplified dynamic programming problem of papers/pipeline-dp-2018 and papers/p-fold-pipeline-2023:
///
///     ST[i] = op over j of ST[i - a_j]   for a_0 <= i < n,
///
/// with `offsets` a_0 > a_1 > ... > a_{k-1} > 0. These functions say which elements the pipelines read at the same
/// time, and how wide a pipeline can be.
namespace warpfold::machine {

/// Checks the offsets. Raises Error{usage} that names the first offset that is 0 or not below the one before it. An
/// empty list is rejected too.
void check_offsets(std::span<const std::uint32_t> offsets);

/// Returns the length of the longest run of consecutive offsets, a_r = a_{r+1} + 1. The 2018 paper states it as the
/// slowdown.
[[nodiscard]] std::uint32_t longest_run(std::span<const std::uint32_t> offsets);

/// Returns the largest number of threads that read one element in one step of the p-fold pipeline, p = `fold`, when all
/// of its threads are busy. With p = 1 this is the plain pipeline. Both papers count collisions in this way; 1 means
/// that there are none. In step i thread j reads ST[i - j - a_q], q = j / p. A table that is shorter than the pipeline
/// may have fewer.
[[nodiscard]] std::uint32_t read_collisions(std::span<const std::uint32_t> offsets, std::uint32_t fold = 1);

/// Returns the largest p for which the p-fold pipeline is correct: p <= a_q / (k - q) for every q. Thread qp, the first
/// of term q, reads ST[i - qp - a_q] in step i, when elements up to i - kp are final. The 2023 paper finds p by
/// simulation only.
[[nodiscard]] std::uint32_t largest_fold(std::span<const std::uint32_t> offsets);

/// Draws `terms` different offsets from `smallest` .. `largest`. Each set is equally likely. Raises Error{usage} if the
/// range has fewer numbers, or contains 0.
[[nodiscard]] std::vector<std::uint32_t> random_offsets(std::uint32_t terms, std::uint32_t smallest,
                                                        std::uint32_t largest, std::mt19937_64& random);

}  // namespace warpfold::machine
