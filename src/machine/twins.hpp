#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/kernel_trace.hpp"

/// What bench/machine/cuda_probe.cu runs on a GPU, in the order of its kernels: address patterns, experiments,
/// programs, loops, then frames. Each but a frame is also an access or a run of a simulated machine, which predicts its
/// stages.
namespace warpfold::machine {

/// What one access of a pattern is.
enum class Access : std::uint8_t {
  load,         ///< global memory: past the first cache
  cached_load,  ///< global memory: through the first cache
  atomic_add,   ///< of 0, whose result the warp waits for
  store         ///< the warp waits for nothing
};

/// An access that one warp repeats. Loads and atomic operations each wait for the one before.
struct Pattern {
  Space space = Space::shared;
  std::uint32_t bytes = 4;  ///< of each lane
  std::string index;        ///< the element of lane i
  Access access = Access::load;
  std::uint32_t advance = 0;  ///< access k is at index + (k advance) mod period
  std::uint32_t period = 1;   ///< a power of 2
};

[[nodiscard]] std::vector<Pattern> patterns();

/// Returns the instruction of a pattern's loads, such as "LDS.64".
[[nodiscard]] std::string opcode_of(const Pattern& pattern);

/// The number of accesses that a pattern's kernel makes.
inline constexpr std::uint32_t accesses_of_pattern = 1024;

/// Returns the stages of the first access.
[[nodiscard]] std::uint32_t predicted_stages(const Pattern& pattern);

/// A pattern for which the machine fails, with a counter that shows why.
struct Experiment {
  std::string title;
  Pattern pattern;
  std::string counter;          ///< its name
  std::uint64_t predicted = 0;  ///< what it counts if the machine is right
  std::string reason;           ///< one sentence
};

[[nodiscard]] std::vector<Experiment> experiments();

/// A program of `algorithms()` and its run: one thread block does the same accesses on a GPU.
struct Twin {
  std::string title;  ///< the algorithm's name, with what else tells it from the other twins
  std::string algorithm;
  Space space = Space::shared;
  std::uint32_t threads = 32;
  std::uint64_t n = 0;
  std::uint64_t offset_step = 0;  ///< of an sdp pipeline: its k offsets are k, .., 2, 1 times this
  std::uint64_t terms = 0;        ///< k
  bool in_tiles = false;          ///< the permutation transposes tiles of 32 x 32 words
};

[[nodiscard]] std::vector<Twin> twins();

/// Whether the program finds an optimal triangulation.
[[nodiscard]] bool is_triangulation(const Twin& twin);

/// Returns the number of words of the kernel's memory: its arrays, one after another.
[[nodiscard]] std::uint32_t words_of(const Twin& twin);

/// Returns the stages that the kernel adds to those of the program. In shared memory all words are stored at first and
/// loaded at the end. In global memory the cycles are stored, and the moves of a permutation are loaded.
[[nodiscard]] std::uint32_t frame_stages(const Twin& twin);

/// Returns the run of the simulated machine.
[[nodiscard]] RunRequest request_of(const Twin& twin);

/// One thread block repeats an access. What it does in between shows what else costs a program time.
struct Loop {
  std::string title;
  Space space = Space::shared;
  std::uint32_t threads = 32;
  std::string index = "i*1";  ///< the element of lane i among those of its warp
  Access access = Access::load;
  std::uint32_t at_once = 1;     ///< loads of a turn, which do not wait for each other
  std::uint32_t operations = 0;  ///< integer operations of a turn, each of which waits for the one before
  bool has_barrier = false;      ///< a turn ends with a barrier
  bool is_unrolled = false;      ///< 16 turns without a branch
};

[[nodiscard]] std::vector<Loop> loops();

/// The number of turns that a loop's kernel makes.
inline constexpr std::uint32_t turns_of_loop = 256;

/// Returns how many words apart the elements of neighboring warps begin.
[[nodiscard]] std::uint32_t words_of_warp(const Loop& loop);

/// Returns the stages of all turns.
[[nodiscard]] std::uint64_t predicted_stages(const Loop& loop);

/// What a kernel does besides its program or loop: it stores words in shared memory and loads them. A kernel that does
/// this alone tells how many instructions that takes.
struct Frame {
  Space space = Space::shared;
  std::uint32_t threads = 32;
  std::uint32_t words = 0;  ///< in shared memory

  friend bool operator==(const Frame&, const Frame&) = default;
};

[[nodiscard]] Frame frame_of(const Twin& twin);
[[nodiscard]] Frame frame_of(const Loop& loop);

/// Returns the frames of all programs and loops, each once.
[[nodiscard]] std::vector<Frame> frames();

/// Returns the stages that the kernel of a loop adds to those of the loop.
[[nodiscard]] std::uint32_t frame_stages(const Loop& loop);

}  // namespace warpfold::machine
