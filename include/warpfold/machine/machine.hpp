#pragma once

#include <compare>
#include <cstdint>
#include <string>

/// Simulators of the papers' machines. They run programs that read like pseudo-code, and count time units.
///
/// Sources: K. Nakano, "Simple Memory Machine Models for GPUs", 2012 (PRAM, BPRAM, DMM and UMM), and "Sequential Memory
/// Access on the Unified Memory Machine", 2013 (UMM and HMM).
namespace warpfold::machine {

using Address = std::uint32_t;  ///< the address of a memory word
using Word = std::uint64_t;     ///< the content of a memory cell

/// Simulated time. It has its own type, so that it cannot be added to wall-clock time.
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
  pram,   ///< all threads access memory in one time unit
  bpram,  ///< any `width` accesses per time unit, latency 1
  dmm,    ///< banks: address i is in bank i mod width
  umm,    ///< address groups: address i is in group i / width
  hmm     ///< `multiprocessors` DMMs, each with its own shared memory, on one global UMM
};

/// The place of an address within its row of `width` words on the DMM.
enum class Mapping {
  none,         ///< in bank i mod width
  random_shift  ///< row i / width is rotated by a random amount that `mapping_seed` determines
};

/// The parameters of a machine, without its threads. `validate` checks them.
struct Machine {
  Kind kind = Kind::umm;
  std::uint32_t width = 32;           ///< banks, and words of an address group; unused on the PRAM
  std::uint32_t latency = 1;          ///< time units from request to completion; on the HMM of the global memory
  std::uint32_t multiprocessors = 1;  ///< 1 except on the HMM
  std::uint32_t shared_latency = 1;   ///< latency of the HMM's shared memories, in time units
  Mapping mapping = Mapping::none;    ///< of the DMM and of the HMM's shared memories
  std::uint64_t mapping_seed = 1;
  /// Threads of a warp on the DMM, the UMM and the HMM: a multiple or a divisor of the width. 0, as in the papers: the
  /// width. A GPU's global memory is a UMM with a warp of 32 and a width of 8 words, its sectors.
  std::uint32_t warp = 0;

  /// Returns the number of threads of a warp.
  [[nodiscard]] constexpr std::uint32_t warp_size() const { return warp == 0 ? width : warp; }

  bool operator==(const Machine&) const = default;
};

/// A machine with one access of every thread per time unit.
[[nodiscard]] Machine pram();
/// A machine with `width` accesses per time unit.
[[nodiscard]] Machine bpram(std::uint32_t width);
/// A machine with `width` banks.
[[nodiscard]] Machine dmm(std::uint32_t width, std::uint32_t latency);
/// A machine with address groups of `width` words.
[[nodiscard]] Machine umm(std::uint32_t width, std::uint32_t latency);
/// A machine with a DMM of latency `shared_latency` on each multiprocessor, and one UMM of latency `latency`.
[[nodiscard]] Machine hmm(std::uint32_t multiprocessors, std::uint32_t width, std::uint32_t latency,
                          std::uint32_t shared_latency);

/// Returns a description such as "UMM(w=4, l=5)".
[[nodiscard]] std::string to_string(const Machine& machine);

/// Parses "pram", "bpram", "dmm", "umm" or "hmm". Raises Error{usage} for anything else.
[[nodiscard]] Kind parse_kind(const std::string& text);
/// Returns the word that `parse_kind` accepts.
[[nodiscard]] std::string to_string(Kind kind);

/// Checks a machine and its number of threads, as the papers assume. Raises Error{usage} in these cases:
///
/// * The width, a latency, the number of multiprocessors or the number of threads is below 1.
/// * The warp is neither a multiple nor a divisor of the width, or is given for a PRAM or a BPRAM.
/// * The threads do not fill complete warps, on the HMM the same number of warps on each multiprocessor.
void validate(const Machine& machine, std::uint32_t threads);

/// How steps follow each other in time.
enum class Timing {
  /// As in the papers' analyses: the next access of every thread waits for the last one of this step. A step costs the
  /// stages of all warps + latency - 1. It costs nothing without a request. On the HMM the slowest memory sets the
  /// time.
  lockstep,
  /// As the machine is defined: warps are dispatched in turn, one stage per time unit. A warp can be dispatched once
  /// all its requests are complete.
  pipelined
};

/// Parses "lockstep" or "pipelined". Raises Error{usage} for anything else.
[[nodiscard]] Timing parse_timing(const std::string& text);
/// Returns the word that `parse_timing` accepts.
[[nodiscard]] std::string to_string(Timing timing);

}  // namespace warpfold::machine
