#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "warpfold/permutation/word.hpp"

/// Plans that move the word at i to permutation[i], for every i. A plan is made once from the permutation and used many
/// times.
namespace warpfold::permutation {

/// The entry of a schedule for a lane that moves nothing.
inline constexpr std::uint32_t idle = std::numeric_limits<std::uint32_t>::max();

/// Checks a permutation. Raises Error{input} that names the first entry that is out of range or occurs twice, and
/// Error{memory_limit} for more than 2^31 entries.
void check_permutation(std::span<const std::uint32_t> permutation);
/// Returns integers of any size as a permutation. Raises what `check_permutation` raises.
[[nodiscard]] std::vector<std::uint32_t> permutation_of(std::span<const std::int64_t> entries);

inline constexpr std::uint32_t max_banks = 1 << 20;

/// A schedule that moves `width` words at a time without a bank conflict. Address a is in bank a mod width. In round i,
/// lane j moves the word at sources[i * width + j], whose bank is j. The destinations of a round are in distinct banks
/// too. There are ceil(n / width) rounds. A lane without a word is `idle`.
struct BankSchedule {
  std::uint32_t width = 0;
  std::vector<std::uint32_t> sources;

  [[nodiscard]] std::size_t rounds() const { return width == 0 ? 0 : sources.size() / width; }
};

/// Returns the schedule of papers/memory-machines-2012, section V. Source banks and destination banks are nodes, words
/// are edges, and colors are rounds. An incomplete last round is padded with words that stay in place.
///
/// Raises Error{usage} unless width is 1 .. max_banks, and what `check_permutation` raises.
[[nodiscard]] BankSchedule conflict_free_schedule(std::span<const std::uint32_t> permutation, std::uint32_t width,
                                                  std::uint64_t seed = 1);

/// Returns the pipeline stages that a memory of `width` banks needs to write the destinations of `sources`, `width` at
/// a time. A group takes as many stages as its most contended bank has addresses. The minimum is ceil(n / width).
///
/// Raises Error{usage} unless width is 1 .. max_banks and every source is an entry of the permutation or idle.
[[nodiscard]] std::size_t write_stages(std::span<const std::uint32_t> permutation,
                                       std::span<const std::uint32_t> sources, std::uint32_t width);

/// A plan of three steps that each move words within a row or a column, so that each works within a cache. The array is
/// a matrix of `rows` x `columns`; the last row may be incomplete.
///
/// * A word first moves within its row to a column that no other word with the same destination row uses.
/// * It then moves within that column to its destination row, and within that row to its place.
///
/// For each place an entry states which column, row and column its word comes from: 6 bytes per word.
///
/// It is the executable form of the paper's plan. `TwoPassPlan` is faster on CPUs and GPUs, and needs no coloring.
struct ThreeStepPlan {
  std::size_t n = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint16_t> first;   ///< [rows][columns], source column
  std::vector<std::uint16_t> second;  ///< [rows][columns], source row
  std::vector<std::uint16_t> third;   ///< [rows][columns], source column
};

/// Returns the plan of papers/memory-machines-2012, section VI, without its transposes: a CPU reads columns in blocks
/// of complete cache lines. Rows are nodes, words are edges, and colors are the columns in between.
///
/// Raises what `check_permutation` raises.
[[nodiscard]] ThreeStepPlan plan_three_steps(std::span<const std::uint32_t> permutation, std::uint64_t seed = 1);

/// Moves from[i] to to[permutation[i]] by the plan. T is an unsigned integer, float, double or Wide. `spare` is working
/// memory of `spare_words(plan)` words; nothing is allocated. `threads`: 0 means all.
///
/// Raises Error{usage} if a length does not match the plan, for an invalid plan, and for a negative number of threads.
template <class T>
void move(const ThreeStepPlan& plan, std::span<const T> from, std::span<T> to, std::span<T> spare, int threads = 1);

/// Returns the words of working memory that `move` needs.
[[nodiscard]] std::size_t spare_words(const ThreeStepPlan& plan);

}  // namespace warpfold::permutation
