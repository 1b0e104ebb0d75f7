#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sequence/align/backends.hpp"

/// Scored alignments on a GPU (gpu/scores.cuh): the score and the end of an alignment with linear or affine gaps.
namespace warpfold::sequence::cuda {

/// A kernel for strips of scores.
struct ScoreKernel {
  bool pairs;     ///< 16 bits for a value, otherwise 32
  unsigned rows;  ///< K, of a stripe
  bool operator==(const ScoreKernel&) const = default;
};
inline constexpr ScoreKernel score_kernels[] = {{true, 4}, {true, 8}, {true, 16}, {true, 32}, {false, 8}, {false, 16}};

/// How A is cut into strips, and what the values of a strip are relative to.
struct ScoreLayout {
  std::uint64_t n, m;
  unsigned codes;
  ScoreKernel kernel;
  int open, extend;
  int corner;       ///< the value that the first row of a strip is moved to, of pairs
  int least_score;  ///< biased; scores below it count as this one: two gaps are no worse
  bool keeps_column;

  [[nodiscard]] std::uint64_t rows_of_a_strip() const;
  [[nodiscard]] std::uint64_t strips() const { return (n + rows_of_a_strip() - 1) / rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t rows() const { return strips() * rows_of_a_strip(); }
  [[nodiscard]] std::uint64_t padding() const { return rows() - n; }
  /// Of a warp, on chip.
  [[nodiscard]] std::size_t shared_bytes() const;
  /// Warps of a multiprocessor, at most.
  [[nodiscard]] unsigned max_warps() const;
  [[nodiscard]] std::size_t device_bytes() const;
  [[nodiscard]] double seconds() const;
};

/// With a given kernel. Nothing if it does not hold the values.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size, const ScoreKernel& kernel);
/// With the kernel that takes least time. Nothing if there is none.
[[nodiscard]] std::optional<ScoreLayout> score_layout_of(const alignment::Size& size);

[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context);
/// With a layout of the query.
[[nodiscard]] Alignment alignment_by_strips(const alignment::Query& query, Context& context, const ScoreLayout& layout);
[[nodiscard]] std::size_t device_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::size_t host_bytes_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] double seconds_of_alignment(const alignment::Size& size, const Options& options);
[[nodiscard]] std::string alignment_unsupported_on_gpu(const alignment::Size& size);

}  // namespace warpfold::sequence::cuda
