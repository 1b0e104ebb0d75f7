#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/run/run.hpp"

/// Adaptive granularity: the GPU triangulation of Ito and Nakano, "A GPU Implementation of Dynamic Programming for the
/// Optimal Polygon Triangulation" (2013). It computes every stage p (diagonal p of the table, one kernel call) by the
/// method and block size that were fastest for it on this device. Time does not depend on the weights, so one tuning
/// serves every polygon of that size.
namespace warpfold::papers::gpu_polygon_2013 {

/// The position of M(i, j) in an n x n array (section 4.2).
enum class Arrangement {
  naive,     ///< element (i, j)
  sliding,   ///< element (j-i, j): a diagonal is a row. (The paper prints row i-j+n, which is out of range for i = j.)
  mirroring  ///< elements (i, j) and (j, i): a column is also a row
};

/// What computes one M(i, j): a thread, or one or more blocks.
enum class Method { thread_based, block_based };

/// How a stage is computed: TB(threads) on the naive or sliding arrangement, BB(threads, blocks) on the naive or
/// mirroring one.
struct Stage {
  Method method = Method::block_based;
  Arrangement arrangement = Arrangement::mirroring;
  int threads = 256;
  int blocks = 1;  ///< the blocks for one M(i, j); 1 under TB

  bool operator==(const Stage&) const = default;
};

/// "TB(64) sliding", "BB(256,1) mirroring".
[[nodiscard]] std::string to_string(const Stage& stage);

/// Entry p says how stage p is computed. There are entries 0 .. n-2. The arrangement may change from sliding to
/// mirroring once. The conversion is a kernel call of its own.
using Plan = std::vector<Stage>;

/// The plan in which all stages are the same.
[[nodiscard]] Plan uniform_plan(std::size_t n, const Stage& stage);

/// The numbers of threads of a block, and of blocks, that the paper measures.
inline constexpr std::array thread_counts{32, 64, 128, 256, 512, 1024};
inline constexpr std::array block_counts{1, 2, 4, 8};

/// All candidates for a stage, thread-based and block-based.
[[nodiscard]] std::vector<Stage> thread_based_stages(Arrangement arrangement);
[[nodiscard]] std::vector<Stage> block_based_stages(Arrangement arrangement);

/// Raises Error{usage} that names the first stage that is not such a candidate.
void check_plan(const Plan& plan, std::size_t n);

/// Stages first .. last of a plan, which are computed in the same way.
struct StageRun {
  std::size_t first = 0;
  std::size_t last = 0;
  Stage stage;
};

/// A plan as the smallest number of such runs.
[[nodiscard]] std::vector<StageRun> stage_runs(const Plan& plan);

/// The result of tuning for polygons of `n` vertices on one kind of device.
struct Tuning {
  std::string device;  ///< the name of the device: "NVIDIA H200"
  std::size_t n = 0;
  std::string dtype;                  ///< the number type that was timed
  Plan plan;                          ///< TB on the sliding arrangement, then BB on the mirroring one
  std::size_t first_block_stage = 0;  ///< the first block-based stage; 0: all are block-based
  double conversion_seconds = 0;      ///< for sliding -> mirroring, included in the total; 0 without a switch
  double total_seconds = 0;           ///< of a complete run of `plan`
};

/// The fastest plan, given the times of each stage. It has TB's best candidates before a switch and BB's best from the
/// switch on. The switch minimizes the sum of both and of the conversion. Times are [candidate][stage].
[[nodiscard]] Plan fastest_plan(const std::vector<Stage>& thread_based,
                                const std::vector<std::vector<double>>& thread_seconds,
                                const std::vector<Stage>& block_based,
                                const std::vector<std::vector<double>>& block_seconds, double conversion_seconds);

/// Times every stage of an n-gon with random weights under TB(32..1024) and BB(32..1024, 1/2/4/8), `repeats` times
/// each. Returns the fastest plan. `dtype`: "f32", "f64", "i32" or "i64". Uses options.device, stop and deadline.
/// Raises Error{device} without a GPU, and Error{usage} for n < 3 or another dtype.
[[nodiscard]] Tuning tune(std::size_t n, const std::string& dtype, std::size_t repeats, std::uint64_t seed,
                          const Options& options);

/// The file of a tuning: $XDG_CACHE_HOME/warpfold/adaptive-<device>-<n>.json, by default in $HOME/.cache.
[[nodiscard]] std::string tuning_path(const std::string& device, std::size_t n);

/// Write and read a tuning. Writing replaces the file completely or not at all. Reading raises Error{input} that names
/// the file and what is wrong.
void write_tuning(const std::string& path, const Tuning& tuning);
[[nodiscard]] Tuning read_tuning(const std::string& path);

}  // namespace warpfold::papers::gpu_polygon_2013
