#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/permutation/stored_plan.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::permutation {

/// A move of an array in host memory.
struct Moved {
  std::string algorithm;
  std::size_t bytes_moved =
      0;                    ///< read and written, the plan among them; a random access counts as a cache line or sector
  double plan_seconds = 0;  ///< of making the plan, or of copying it to a GPU
  double move_seconds = 0;  ///< the second of two moves; on a GPU without the way there and back
  double copy_seconds = 0;  ///< of a copy of the array, measured in the same way
};

/// The names that options.algorithm accepts on a device, the one that is taken by default first. On a GPU that depends
/// on the permutation.
[[nodiscard]] std::vector<std::string> move_algorithms(Device::Kind kind);

/// Moves the word of `word_bytes` = 1, 2, 4, 8 or 16 bytes at `from` + i to `to` + permutation[i], for every i. Reads
/// options.device, threads and algorithm. Device auto is the CPU: the way to a GPU takes longer than a move.
///
/// Raises what `check_permutation` raises, Error{usage} for another algorithm or word size, and Error{device}.
Moved move_words(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const std::byte* from,
                 std::byte* to, const Options& options = {});

/// Makes a plan for words of `word_bytes` that a file can keep, on the device. Reads options.device, threads and
/// algorithm, of which a CPU also has those that `plan_to_store` names.
///
/// Raises what `move_words` raises, and Error{usage} for an algorithm that this permutation does not have.
[[nodiscard]] StoredPlan stored_plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes,
                                     const Options& options = {});

/// Moves words by a plan that was made before. Reads options.device and threads. Raises Error{usage} for another word
/// size, and Error{device}.
Moved move_words(const StoredPlan& plan, std::size_t word_bytes, const std::byte* from, std::byte* to,
                 const Options& options = {});

/// The stages of a UMM for a list of places: every `lanes` places, one after another, take a stage for each group of
/// `group` neighboring places among them. For a GPU a group is a sector of 32 bytes.
[[nodiscard]] std::size_t group_stages(std::span<const std::uint32_t> places, std::uint32_t lanes, std::uint32_t group);

}  // namespace warpfold::permutation
