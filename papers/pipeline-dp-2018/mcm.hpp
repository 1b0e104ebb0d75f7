#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/run/run.hpp"

/// The matrix-chain pipeline of Matsumae and Miyazaki, "Solving Dynamic Programming Problem by Pipeline Implementation
/// on GPU" (2018), section IV, as CUDA kernels: n - 1 threads, each of which adds one term per step. Fig. 8 adds an
/// element's terms in the order of the split. From n = 4 matrices on, it reads operands that are not final, some of
/// which another thread writes in the same step. So its result differs from run to run. The corrected form adds a term
/// once both operands are final, in the stages of UMM-OPT. It serves for comparison; `chain` solves in O(n log n).
namespace warpfold::papers::pipeline_2018 {

/// The upper triangle in the paper's linear order: one diagonal after another, rows ascending, all counted from 0.
/// Element (row, column) is the product of matrices row .. column.
struct McmTable {
  std::int64_t n = 0;  ///< matrices

  [[nodiscard]] constexpr std::int64_t size() const { return n * (n + 1) / 2; }
  [[nodiscard]] constexpr std::int64_t start(std::int64_t diagonal) const {
    return diagonal * n - diagonal * (diagonal - 1) / 2;
  }
  [[nodiscard]] constexpr std::int64_t at(std::int64_t row, std::int64_t column) const {
    return start(column - row) + row;
  }
  /// The heads of Fig. 8's outer loop, and so the number of its steps: n(n+1)/2 - 2.
  [[nodiscard]] constexpr std::int64_t first_head() const { return n; }
  [[nodiscard]] constexpr std::int64_t end_head() const { return size() + n - 2; }
};

/// A step of the corrected form: thread `row` adds one term to (row, row + diagonal). Stage r adds every term whose
/// larger operand is on diagonal r-1, to the diagonals r .. 2r-1. That is two terms per element, or one if both
/// operands are on that diagonal. There are n(n-1)/2 steps.
struct McmStep {
  std::int64_t n = 0;
  std::int64_t stage = 1;
  std::int64_t diagonal = 1;
  bool second = false;

  /// The term's split before this matrix: operands (row, split-1) and (split, row + diagonal).
  [[nodiscard]] constexpr std::int64_t split(std::int64_t row) const {
    return second ? row + diagonal - stage + 1 : row + stage;
  }
  /// Whether no earlier step has reached the diagonal.
  [[nodiscard]] constexpr bool is_first_term() const { return !second && diagonal + 2 >= 2 * stage; }
  [[nodiscard]] constexpr bool is_last_of_stage() const {
    const std::int64_t widest = 2 * stage - 1;
    return diagonal == (widest < n - 1 ? widest : n - 1) && (second || diagonal == widest);
  }
  constexpr void advance() {
    if (is_last_of_stage()) {
      diagonal = ++stage;
      second = false;
    } else if (second || diagonal == 2 * stage - 1) {
      ++diagonal;
      second = false;
    } else {
      second = true;
    }
  }
};

enum class McmForm { printed, corrected };

/// The barrier between steps. `stage`: a grid barrier after each stage only. It suffices for the corrected form,
/// because a row's elements belong to one thread.
enum class McmBarrier { launch, grid, stage };

struct McmRun {
  std::vector<std::int64_t> table;  ///< in the order of McmTable; the optimum is last
  std::int64_t steps = 0;
  std::int64_t barriers = 0;  ///< the number of launches or grid barriers
  double seconds = 0;         ///< seconds on the device
};

/// Solves a chain. `dimensions`: p_0 .. p_n of at least 2 matrices, each at least 1. Raises Error{usage} for other
/// dimensions, for dimensions whose worst cost does not fit into 62 bits, and for barriers by stage in the printed
/// form. Raises Error{device} without a GPU.
McmRun solve_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier, int device,
                 SolveMonitor& monitor);

/// Random dimensions of that many matrices, from 1 .. 100; the same for the same number.
[[nodiscard]] std::vector<std::int64_t> random_dimensions(std::size_t matrices);

/// Raises what solve_mcm raises for its arguments.
void check_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier);

}  // namespace warpfold::papers::pipeline_2018
