#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/kernel_trace.hpp"

/// What bench/machine/cuda_probe.cu runs on a GPU, in the order of its kernels: address patterns, then programs. Each
/// is also an access or a run of a simulated machine, which predicts its stages.
namespace warpfold::machine {

/// A load that one warp repeats, each time after the one before.
struct Pattern {
  Space space = Space::shared;
  std::uint32_t bytes = 4;  ///< of each lane
  std::string index;        ///< the element of lane i
};

[[nodiscard]] std::vector<Pattern> patterns();

/// The number of loads that a pattern's kernel makes.
inline constexpr std::uint32_t loads_of_pattern = 1024;

/// Returns the stages of one load.
[[nodiscard]] std::uint32_t predicted_stages(const Pattern& pattern);

/// A program of `algorithms()` and its run: one thread block does the same accesses on a GPU.
struct Twin {
  std::string title;  ///< the algorithm's name, with what else tells it from the other twins
  std::string algorithm;
  Space space = Space::shared;
  std::uint32_t threads = 32;
  std::uint64_t n = 0;
  std::uint64_t offset_step = 0;  ///< of an sdp pipeline: its k offsets are k, .., 2, 1 times this
  std::uint64_t terms = 0;        ///< k
};

[[nodiscard]] std::vector<Twin> twins();

/// Returns the number of words of the kernel's memory: its arrays, one after another.
[[nodiscard]] std::uint32_t words_of(const Twin& twin);

/// Returns the stages that the kernel adds to those of the program. In shared memory all words are stored at first and
/// loaded at the end. In global memory the cycles are stored.
[[nodiscard]] std::uint32_t frame_stages(const Twin& twin);

/// Returns the run of the simulated machine.
[[nodiscard]] RunRequest request_of(const Twin& twin);

}  // namespace warpfold::machine
