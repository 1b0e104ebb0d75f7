#pragma once

#include <compare>
#include <cstdint>
#include <string>

/// The papers' machines as simulators: programs written like their pseudo-code, counted in time units.
/// PRAM, BPRAM, DMM and UMM: K. Nakano, "Simple Memory Machine Models for GPUs", 2012; the UMM again and the HMM:
/// "Sequential Memory Access on the Unified Memory Machine", 2013.
namespace warpfold::machine {

using Address = std::uint32_t;  ///< of one memory word
using Word = std::uint64_t;     ///< what a memory cell holds

/// Simulated time: a type of its own, so that it never adds to wall-clock time.
struct TimeUnits {
  std::uint64_t count = 0;

  auto operator<=>(const TimeUnits&) const = default;
  TimeUnits& operator+=(TimeUnits other) {
    count += other.count;
    return *this;
  }
  friend TimeUnits operator+(TimeUnits a, TimeUnits b) { return {a.count + b.count}; }
  friend TimeUnits operator-(TimeUnits a, TimeUnits b) { return {a.count - b.count}; }
};

/// The machines of the papers.
enum class Kind {
  pram,   ///< every thread's access in one time unit
  bpram,  ///< any `width` accesses a time unit, latency 1
  dmm,    ///< banks: address i lies in bank i mod width
  umm,    ///< address groups: address i lies in group i / width
  hmm     ///< `multiprocessors` DMMs, each with a shared memory of its own, on one global UMM
};

/// Where an address of the DMM lies within its row of `width` words.
enum class Mapping {
  none,         ///< in bank i mod width
  random_shift  ///< row i / width is rotated by a random amount, drawn from `mapping_seed`
};

/// A machine without its threads. Plain values; `validate` says what is accepted.
struct Machine {
  Kind kind = Kind::umm;
  std::uint32_t width = 32;           ///< banks, threads of a warp; the PRAM has none
  std::uint32_t latency = 1;          ///< time units from request to completion, of the global memory on the HMM
  std::uint32_t multiprocessors = 1;  ///< the HMM alone has more than one
  std::uint32_t shared_latency = 1;   ///< the HMM's shared memories
  Mapping mapping = Mapping::none;    ///< of the DMM, and of the HMM's shared memories
  std::uint64_t mapping_seed = 1;

  bool operator==(const Machine&) const = default;
};

/// One access of every thread in a time unit.
[[nodiscard]] Machine pram();
/// `width` accesses a time unit.
[[nodiscard]] Machine bpram(std::uint32_t width);
/// `width` banks.
[[nodiscard]] Machine dmm(std::uint32_t width, std::uint32_t latency);
/// Address groups of `width` words.
[[nodiscard]] Machine umm(std::uint32_t width, std::uint32_t latency);
/// A DMM of latency `shared_latency` on each multiprocessor, and one UMM of latency `latency`.
[[nodiscard]] Machine hmm(std::uint32_t multiprocessors, std::uint32_t width, std::uint32_t latency,
                          std::uint32_t shared_latency);

/// "UMM(w=4, l=5)" and the like.
[[nodiscard]] std::string to_string(const Machine& machine);

/// "pram", "bpram", "dmm", "umm" or "hmm". Raises Error{usage} for anything else.
[[nodiscard]] Kind parse_kind(const std::string& text);
/// The word that `parse_kind` takes.
[[nodiscard]] std::string to_string(Kind kind);

/// Raises Error{usage} unless width, latencies, multiprocessors and threads are 1 or more and the threads fill whole
/// warps (and, on the HMM, the same number of warps on each multiprocessor), as the papers assume.
void validate(const Machine& machine, std::uint32_t threads);

/// How steps follow each other.
enum class Timing {
  /// The papers' analyses: the next access of every thread waits for the last of the present one. A step costs the
  /// stages of all warps + latency - 1, and nothing when nobody asks; on the HMM the slowest memory sets it.
  lockstep,
  /// The machine as defined: warps are dispatched in turn, one stage a time unit, as soon as none of their requests is
  /// unfinished.
  pipelined
};

/// "lockstep" or "pipelined". Raises Error{usage} for anything else.
[[nodiscard]] Timing parse_timing(const std::string& text);
/// The word that `parse_timing` takes.
[[nodiscard]] std::string to_string(Timing timing);

}  // namespace warpfold::machine
