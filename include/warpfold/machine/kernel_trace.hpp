#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/cost.hpp"

/// The memory accesses of a kernel that ran on a GPU, as NVBit's tool mem_trace prints them, and their stages:
///
///     MEMTRACE: CTX 0x.. - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x.. 0x.. ..
///
/// A line has 32 addresses, in bytes. 0x0 is an idle lane. Other lines are skipped.
namespace warpfold::machine {

/// The memories that an opcode names.
enum class Space : std::uint8_t {
  shared,  ///< a DMM with 32 banks of 4 bytes
  global   ///< a UMM whose groups are sectors of 32 bytes
};

/// "shared" or "global".
[[nodiscard]] std::string to_string(Space space);

/// The machine that models this memory of a GPU: warps of 32 threads and a latency of 1.
[[nodiscard]] Machine machine_of(Space space);

/// The memory that an opcode accesses, and the bytes of a lane.
struct Opcode {
  Space space = Space::global;
  std::uint32_t bytes = 4;
};

/// Parses an opcode such as "LDG.E.64" or "STS.U16". Returns nothing if it does not say which memory it accesses, as
/// the generic "LD.E", or accesses it otherwise than lane by lane, as "LDSM".
[[nodiscard]] std::optional<Opcode> parse_opcode(std::string_view text);

/// The access of one warp: an address in bytes for each lane; 0: the lane is idle.
struct TracedAccess {
  std::array<std::uint32_t, 3> cta = {};
  std::uint32_t warp = 0;
  std::array<std::uint64_t, 32> addresses = {};
};

/// Returns the line of one access in a trace.
[[nodiscard]] std::string trace_line(std::uint64_t launch, std::string_view opcode, const TracedAccess& access);

/// Returns the cost of one access. Addresses that are no multiple of the element's bytes are rounded down.
[[nodiscard]] WarpCost cost_of(const Opcode& opcode, const TracedAccess& access);

/// All accesses by one opcode in one launch of a kernel.
struct TracedInstruction {
  std::uint64_t launch = 0;
  std::string opcode;
  Opcode kind;
  std::uint64_t requests = 0;  ///< accesses of a warp
  std::uint64_t stages = 0;
  /// Stages if the same words, each once, were side by side.
  std::uint64_t fewest_stages = 0;
  std::uint32_t worst_stages = 0;
  std::uint64_t worst_line = 0;  ///< of the trace, from 1
  TracedAccess worst;            ///< the first with the most stages
};

/// Reads a trace piece by piece. Memory: about 700 bytes for each instruction of each launch, whatever the trace's
/// size.
class KernelTrace {
 public:
  /// `name` is used in messages.
  explicit KernelTrace(std::string name) : name_(std::move(name)) {}

  /// Reads the next bytes. Raises Error{input} "NAME:LINE: ..." for a line that begins as an access and is none. Raises
  /// Error{memory_limit} for more than 2^17 instructions.
  void add(std::string_view bytes);
  /// Reads the last line, if it has no end.
  void end();

  /// Returns the instructions, those that lose the most stages first.
  [[nodiscard]] std::vector<TracedInstruction> instructions() const;
  /// Returns the opcodes that `parse_opcode` does not know, with the number of their accesses.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& unknown_opcodes() const { return unknown_; }
  /// Returns the number of lines that are no accesses.
  [[nodiscard]] std::uint64_t other_lines() const { return other_lines_; }

 private:
  void add_line(std::string_view line);
  void add_part(std::string_view part);

  std::string name_, pending_;
  bool skips_line_ = false;
  std::uint64_t line_ = 0, other_lines_ = 0;
  std::map<std::pair<std::uint64_t, std::string>, TracedInstruction> instructions_;
  std::map<std::string, std::uint64_t> unknown_;
};

/// Returns an SVG picture of the worst access of each instruction: lanes down, and across the banks of shared memory,
/// or the sectors of global memory that it touches.
[[nodiscard]] std::string trace_svg(const std::vector<TracedInstruction>& instructions);

}  // namespace warpfold::machine
