#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/machine.hpp"

/// The cost of one step without a program: addresses in, stages and time units out.
namespace warpfold::machine {

/// The access of one warp: the requests of its lanes. A lane without a request is not listed.
struct WarpAccess {
  /// A lane of the warp and the address that it requests.
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
  Address word = 0;        ///< the address, in words
  std::uint32_t bank = 0;  ///< word mod width, after the address mapping
  std::uint32_t stage = 0;
};

/// The number of stages that one warp takes, and the stage that serves each of its words.
struct WarpCost {
  std::uint32_t stages = 0;
  std::vector<Served> words;  ///< in the order of the lanes
};

/// The cost of all warps together.
struct StepCost {
  std::vector<WarpCost> warps;
  TimeUnits time_units;  ///< the stages of all warps + latency - 1
};

/// Returns the cost of one step in which consecutive warps make these accesses on the DMM or the UMM. `bytes` is the
/// size of an element: 1, 2, 4, 8 or 16. Addresses count elements.
///
/// As on real GPUs, a word has 4 bytes. Elements of 1 or 2 bytes share a word: lanes that access one word are served
/// together, as are lanes that access one element. An element of 8 or 16 bytes is bytes / 4 neighboring words. Then the
/// first half (8 bytes) or quarter (16 bytes) of a warp is served before the next.
///
/// Raises Error{usage} for another machine or size, or a warp that bytes / 4 does not divide. Raises Error{input} for
/// more lanes than a warp has threads, and for words beyond 2^32.
[[nodiscard]] StepCost step_cost(const Machine& machine, const std::vector<WarpAccess>& warps, std::uint32_t bytes = 4);

/// Reads lines such as "R 0 32 64 ..", one access of a warp each: R or W, then an integer for each lane, or '-' for a
/// lane without a request. Empty lines and text after '#' are skipped. `name` is used in messages. Raises Error{input}
/// "NAME:LINE: ...".
[[nodiscard]] std::vector<WarpAccess> read_accesses(std::string_view text, const std::string& name);

/// An integer formula such as "i*33 % 1024". It has the operators + - * / % << >> & | ^ and parentheses, with the
/// precedence of C. Its variables are i (the thread), p (the number of threads) and w (the width).
class Expression {
 public:
  /// Parses the text. Raises Error{usage} that names the place of the first error.
  explicit Expression(std::string text);
  ~Expression();
  Expression(Expression&&) noexcept;

  /// Returns the value for i, p and w. Raises Error{input} that names i for a division by zero, a shift out of range,
  /// or a value beyond 64-bit integers.
  [[nodiscard]] std::int64_t value(std::int64_t i, std::int64_t p, std::int64_t w) const;

 private:
  struct Node;
  std::string text_;
  std::vector<Node> nodes_;
};

/// Returns the reads of `threads` threads at the addresses that the expression gives, in warps of `warp` threads; 0:
/// `width`. Raises Error{input} that names the thread and the value for an address below 0 or beyond 2^32, and
/// Error{usage} for a width of 0.
[[nodiscard]] std::vector<WarpAccess> indexed_accesses(const Expression& index, std::uint32_t threads,
                                                       std::uint32_t width, std::uint32_t warp = 0);

/// Returns a text grid of lanes and banks, with the stage in which each access is served.
[[nodiscard]] std::string cost_text(const Machine& machine, const StepCost& cost);
/// Returns the same grid as an SVG picture.
[[nodiscard]] std::string cost_svg(const Machine& machine, const StepCost& cost);

}  // namespace warpfold::machine
