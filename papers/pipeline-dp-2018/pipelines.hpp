#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/run.hpp"

/// The GPU algorithms of Matsumae and Miyazaki, "Solving Dynamic Programming Problem by Pipeline Implementation on GPU"
/// (2018), and Matsumae, "Accelerating Dynamic Programming by P-Fold Pipeline Implementation on GPU" (2023), as
/// printed: ST[i] = op over j of ST[i - a_j], unweighted. They serve for comparison; the solver is `blocks`.
namespace warpfold::papers::pipeline_2018 {

using recurrence::Op;
using recurrence::Problem;

inline constexpr int block_threads = 512;

enum class Method {
  tournament,  ///< NAIVE-PARALLEL of 2018: one element after the other, its k terms combined in a tournament
  pipeline,    ///< 2018, Fig. 2: k threads add one term each to k consecutive elements
  m_by_m,      ///< m terms per thread: our reconstruction of the 2-by-2 pipeline, which both papers only name
  p_fold       ///< 2023, Fig. 6: p elements per step and p threads per term
};

/// The barrier between two of the paper's steps.
enum class Barrier { launch, grid };

struct Schedule {
  Method method = Method::pipeline;
  Barrier barrier = Barrier::grid;
  std::int64_t m = 2;       ///< for m_by_m
  std::int64_t p = 0;       ///< for p_fold; 0: largest_fold
  bool as_printed = false;  ///< p_fold with the printed end of its loop, which leaves the last elements unfinished
                            ///< where p does not divide n - 1 - a_0 - (p - 1)
};

/// The largest p for which the p-fold pipeline is right: min over q of floor(a_q / (k - q)). (The 2023 paper finds it
/// by simulation.) Offsets are in descending order.
[[nodiscard]] std::int64_t largest_fold(std::span<const std::int64_t> offsets);

/// The three pipelines in one form. In a step, lane l of `lanes` combines the terms of group l / fold into the element
/// `head` - l. The head then moves by `fold` elements. Plain arithmetic for hosts and devices.
struct Pipeline {
  std::int64_t n = 0;
  std::int64_t given = 0;  ///< a_0
  std::int64_t k = 0;
  std::int64_t fold = 1;   ///< p
  std::int64_t terms = 1;  ///< m
  bool as_printed = false;

  [[nodiscard]] constexpr std::int64_t groups() const { return (k + terms - 1) / terms; }
  [[nodiscard]] constexpr std::int64_t lanes() const { return groups() * fold; }
  [[nodiscard]] constexpr std::int64_t first_head() const { return given + fold - 1; }
  [[nodiscard]] constexpr std::int64_t last_head() const {
    return as_printed ? n - 1 + (groups() - 1) * fold : n - 1 + lanes() - 1;
  }
  [[nodiscard]] constexpr std::int64_t steps() const {
    return n == given || last_head() < first_head() ? 0 : (last_head() - first_head()) / fold + 1;
  }

  /// Terms first .. last-1 go to `element`; none if first == last.
  struct Work {
    std::int64_t element;
    std::int64_t first;
    std::int64_t last;
  };
  [[nodiscard]] constexpr Work work(std::int64_t head, std::int64_t lane) const {
    const std::int64_t element = head - lane;
    if (element < given || element >= n) return {element, 0, 0};
    const std::int64_t first = lane / fold * terms;
    return {element, first, first + terms < k ? first + terms : k};
  }
};

/// k different offsets from smallest .. largest, and `outputs` values after the given ones, or n in total.
[[nodiscard]] Problem<std::int32_t> random_problem(Op op, std::int64_t k, std::int64_t smallest, std::int64_t largest,
                                                   std::size_t outputs, std::size_t n, std::mt19937_64& random);

/// The pipeline of any method except the tournament. Raises Error{usage} for p below 1 or above largest_fold, and m
/// below 1 or above k.
[[nodiscard]] Pipeline make_pipeline(const Problem<std::int32_t>& problem, const Schedule& schedule);

/// The result of a run: device seconds between events; the number of the paper's steps, which are launches or grid
/// barriers; and the threads that work together. The tournament has two steps per element: all blocks combine terms,
/// then one block combines their results.
struct PipelineRun {
  double seconds = 0;
  std::int64_t steps = 0;
  std::int64_t parallel_degree = 0;
};

/// The device bytes for n values and k offsets, including a value per thread of a block.
[[nodiscard]] constexpr std::size_t device_bytes(std::size_t n, std::size_t k) {
  return (n + k + block_threads) * sizeof(std::int32_t);
}

/// Fills the table after its first a_0 values. The op is min, max, xor, or, or and, unweighted; Error{usage} for
/// others. Raises Error{device} without a GPU.
PipelineRun solve(const Problem<std::int32_t>& problem, const Schedule& schedule, int device, SolveMonitor& monitor,
                  std::span<std::int32_t> table);

/// Backends for recurrence::solve: "tournament", "pipeline", "2-by-2" and "p-fold" with grid barriers, and the same
/// names with "-launches". Empty in a build without CUDA. They solve i32 and reject every other T.
template <class T>
[[nodiscard]] std::vector<recurrence::RecurrenceBackend<T>> backends();

}  // namespace warpfold::papers::pipeline_2018
