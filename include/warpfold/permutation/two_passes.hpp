#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/permutation/word.hpp"

namespace warpfold::permutation {

/// A plan that moves the word at i to permutation[i] in two passes. Each pass works on one block of consecutive words
/// at a time. A block fits a fast memory: a level-2 cache, or the shared memory of a GPU's multiprocessor.
///
/// * Pass 1 reads a block and writes its words to a middle array. Words of one destination block lie side by side
/// there:
///   they are a *run*. Block d of the middle array receives the words of destination block d, ordered by source block.
/// * Pass 2 permutes each block of the middle array into the result.
///
/// With n words in blocks of b there are at most (n / b)^2 runs, whatever the permutation is. So a run has b^2 / n
/// words on average, or more. The plan takes 4 bytes and 6 bits per word, and 4 bytes per run.
///
/// Source: the distribution by blocks is a pass of a radix sort whose digits are known beforehand. Unlike the three
/// steps of papers/memory-machines-2012, section VI, it needs no edge coloring, because a run may start at any place.
class TwoPassPlan {
 public:
  static constexpr std::uint32_t max_block = 1 << 16;

  /// The arrays of a plan.
  struct Arrays {
    std::uint32_t block = 0;
    std::vector<std::uint16_t> first = {};   ///< place in the order of the runs -> the word's place in its source block
    std::vector<std::uint16_t> second = {};  ///< destination -> the word's place in the middle array's block
    std::vector<std::uint32_t> run_starts = {};  ///< bit p: whether a run starts at place p
    std::vector<std::uint32_t> shift = {};       ///< run -> its place in the middle array minus its own, modulo 2^32
  };

  /// Plans in O(n) time with `threads` threads (0 means all). `block` is a multiple of 32 up to `max_block`; 0 means a
  /// block for the caches of a CPU.
  ///
  /// Raises Error{usage} for another block, and what `check_permutation` raises.
  explicit TwoPassPlan(std::span<const std::uint32_t> permutation, std::uint32_t block = 0, int threads = 1);

  /// Takes the arrays of a plan that was made before, of this permutation or by a GPU. Cost: O(n).
  ///
  /// Raises Error{input} for arrays that do not move each word to a place of its own.
  explicit TwoPassPlan(Arrays arrays);

  [[nodiscard]] std::size_t size() const { return arrays_.first.size(); }
  [[nodiscard]] std::uint32_t block() const { return arrays_.block; }
  [[nodiscard]] std::size_t runs() const { return arrays_.shift.size(); }
  [[nodiscard]] const Arrays& arrays() const { return arrays_; }
  /// For each place in the order of the runs: the word's place in the middle array.
  [[nodiscard]] std::vector<std::uint32_t> middle_places() const;
  /// For each 32 places in the order of the runs: the number of runs that start before.
  [[nodiscard]] const std::vector<std::uint32_t>& runs_before() const { return runs_before_; }
  /// The size of the plan itself.
  [[nodiscard]] std::size_t bytes() const;

  /// Moves from[i] to to[permutation[i]]. `middle` is working memory of size() words. `from` and `to` may be the same
  /// array. T is an unsigned integer, float, double or Wide. `threads`: 0 means all.
  ///
  /// Raises Error{usage} if a length is not the plan's, or for a negative number of threads.
  template <class T>
  void move(std::span<const T> from, std::span<T> to, std::span<T> middle, int threads = 1) const;

  /// Moves from[permutation[i]] to to[i]: the inverse of `move`, with the same plan.
  template <class T>
  void move_back(std::span<const T> from, std::span<T> to, std::span<T> middle, int threads = 1) const;

 private:
  class Planner;

  [[nodiscard]] std::size_t blocks() const { return (size() + block() - 1) / block(); }
  void count_runs_before();
  void check_blocks() const;
  void check_runs() const;
  void check_lengths(std::size_t from, std::size_t to, std::size_t middle) const;
  template <class Visit>
  void for_each_run(std::size_t block, const Visit& visit) const;

  Arrays arrays_;
  std::vector<std::uint32_t> runs_before_;
};

}  // namespace warpfold::permutation
