#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/machine.hpp"

/// What one step costs, without a program: addresses in, stages and time units out.
namespace warpfold::machine {

/// The access of one warp: what its lanes ask for, nothing where a lane sits out.
struct WarpAccess {
  /// A thread of the warp that asks, and for which address.
  struct Lane {
    std::uint32_t lane = 0;
    Address address = 0;
  };

  bool write = false;
  std::vector<Lane> lanes;
};

/// Where and when one word is served.
struct Served {
  std::uint32_t lane = 0;
  Address word = 0;        ///< its address in words
  std::uint32_t bank = 0;  ///< word mod width, after the address mapping
  std::uint32_t stage = 0;
};

/// How many stages one warp takes, and in which each of its words is served.
struct WarpCost {
  std::uint32_t stages = 0;
  std::vector<Served> words;  ///< by lane
};

/// What all warps take together.
struct StepCost {
  std::vector<WarpCost> warps;
  TimeUnits time_units;  ///< the stages of all warps + latency - 1
};

/// The step in which consecutive warps make these accesses, on the DMM or the UMM. `bytes` is 4, 8 or 16: addresses
/// count elements of that size, and as on real GPUs an element is bytes / 4 neighbouring words, and the first half
/// (8 bytes) or quarter (16 bytes) of a warp is served before the next.
/// Raises Error{usage} for another machine or size, or a width that bytes / 4 does not divide; Error{input} for more
/// lanes than the width and for words beyond 2^32.
[[nodiscard]] StepCost step_cost(const Machine& machine, const std::vector<WarpAccess>& warps, std::uint32_t bytes = 4);

/// Reads lines "R 0 32 64 ..", one warp's access each; R or W, integers, '-' for a lane that sits out. Empty lines
/// and what follows '#' do not count. Raises Error{input} "NAME:LINE: ...".
[[nodiscard]] std::vector<WarpAccess> read_accesses(std::string_view text, const std::string& name);

/// A formula in integers, such as "i*33 % 1024": + - * / % << >> & | ^ ( ) with the precedence of C, and the
/// variables i (the thread), p (the threads) and w (the width).
class Expression {
 public:
  /// Raises Error{usage} that names the place where the text stops making sense.
  explicit Expression(std::string text);
  ~Expression();
  Expression(Expression&&) noexcept;

  /// Raises Error{input} naming i where the value divides by zero, shifts too far or leaves the 64-bit integers.
  [[nodiscard]] std::int64_t value(std::int64_t i, std::int64_t p, std::int64_t w) const;

 private:
  struct Node;
  std::string text_;
  std::vector<Node> nodes_;
};

/// The reads of p threads at the addresses that the expression gives, a warp of `width` each. Raises Error{input} that
/// names the thread and the value of an address below 0 or beyond 2^32, Error{usage} for a width of 0.
[[nodiscard]] std::vector<WarpAccess> indexed_accesses(const Expression& index, std::uint32_t threads,
                                                       std::uint32_t width);

/// The accesses as a grid lane x bank with the stage in which each is served, as text; `cost_svg` makes a picture of
/// it.
[[nodiscard]] std::string cost_text(const Machine& machine, const StepCost& cost);
/// The same as a picture for print, SVG.
[[nodiscard]] std::string cost_svg(const Machine& machine, const StepCost& cost);

}  // namespace warpfold::machine
