#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Plans for moving the word at i to permutation[i], for every i, made once from the permutation and used many times.
namespace warpfold::permutation {

/// A place of a schedule that moves nothing.
inline constexpr std::uint32_t idle = std::numeric_limits<std::uint32_t>::max();

/// Raises Error{input} naming the first entry that makes `permutation` none: out of range, or there twice.
void check_permutation(std::span<const std::uint32_t> permutation);

inline constexpr std::uint32_t max_banks = 1 << 20;

/// An order in which `width` words at a time move without a bank conflict in a memory where address a lies in bank
/// a mod width. In round i, lane j moves the word at sources[i * width + j], whose bank is j; the destinations of a
/// round lie in distinct banks too. There are ceil(n / width) rounds; lanes without a word are `idle`.
struct BankSchedule {
  std::uint32_t width = 0;
  std::vector<std::uint32_t> sources;

  [[nodiscard]] std::size_t rounds() const { return width == 0 ? 0 : sources.size() / width; }
};

/// The schedule of papers/memory-machines-2012, section V: source banks and destination banks are the nodes, words the
/// edges, colours the rounds. A last incomplete round is filled up with words that stay where they are.
/// Raises Error{usage} unless width is 1 .. max_banks, and what `check_permutation` raises.
[[nodiscard]] BankSchedule conflict_free_schedule(std::span<const std::uint32_t> permutation, std::uint32_t width,
                                                  std::uint64_t seed = 1);

/// The pipeline stages that a memory of `width` banks needs to write the destinations of `sources`, `width` of them at
/// a time: for each group the largest number of distinct addresses in one bank. ceil(n / width) is the least.
/// Raises Error{usage} unless width is 1 .. max_banks and every source is an entry or idle.
[[nodiscard]] std::size_t write_stages(std::span<const std::uint32_t> permutation,
                                       std::span<const std::uint32_t> sources, std::uint32_t width);

/// The array as a matrix, `rows` x `columns` with the last row perhaps incomplete, and three steps that each stay in a
/// row or in a column, so that each works within a cache: a word goes within its row to a column that no other word
/// of the same destination row takes, within that column to its destination row, and within that row to its place.
/// An entry says for each place which column, row and column its word comes from: 6 bytes a word.
/// On a CPU with many misses in flight this does not pay: with a 32 MiB cache the plain scatter is faster at every size
/// measured, up to 2^24 words (results/epyc-2core/permutation_moving.json).
struct ThreeStepPlan {
  std::size_t n = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint16_t> first;   ///< [rows][columns], source column
  std::vector<std::uint16_t> second;  ///< [rows][columns], source row
  std::vector<std::uint16_t> third;   ///< [rows][columns], source column
};

/// The plan of papers/memory-machines-2012, section VI, without its transposes (a CPU reads columns in blocks of
/// whole cache lines): rows are the nodes, words the edges, colours the columns in between.
/// Raises what `check_permutation` raises, and Error{memory_limit} for more than 2^31 words.
[[nodiscard]] ThreeStepPlan plan_three_steps(std::span<const std::uint32_t> permutation, std::uint64_t seed = 1);

/// Moves from[i] to to[permutation[i]] by the plan. T is a 4- or 8-byte type: std::uint32_t, std::uint64_t, float or
/// double. `spare` is working memory for `spare_words(plan)` words; nothing is allocated. `threads`: 0
/// for all. Raises Error{usage} where a length does not fit the plan, for a plan that is none and for fewer than 0
/// threads.
template <class T>
void move(const ThreeStepPlan& plan, std::span<const T> from, std::span<T> to, std::span<T> spare, int threads = 1);

/// The words of working memory that `move` needs.
[[nodiscard]] std::size_t spare_words(const ThreeStepPlan& plan);

}  // namespace warpfold::permutation
