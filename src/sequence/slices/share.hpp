#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sequence/slices/layout.hpp"

namespace warpfold::sequence::slices {

/// The strips of a process, if several processes share a table. Strips go to the members of all teams in turn, and this
/// process has the members `first` to `first + count` of `total`. So it has rounds of `count` strips one below the
/// other, and needs the row above the first strip of each round.
struct Share {
  std::size_t first, count, total;

  [[nodiscard]] bool is_all() const { return count == total; }
  [[nodiscard]] bool has(std::size_t strip) const { return strip % total >= first && strip % total < first + count; }
  /// The number of a strip of this process among these.
  [[nodiscard]] std::size_t number(std::size_t strip) const { return strip / total * count + strip % total - first; }
  /// The number of the row below a strip of this process, or above one, among these rows.
  [[nodiscard]] std::size_t row_number(std::size_t strip) const {
    if (is_all()) return strip;
    return has(strip) ? strip / total * (count + 1) + strip % total - first + 1 : (strip + 1) / total * (count + 1);
  }

  /// The rows that are in memory at a time. Two rounds of them are: of the one before, other strips still read.
  [[nodiscard]] std::size_t streams(const Layout& layout) const;
  /// The states that are kept for a script.
  [[nodiscard]] std::size_t kept_states(const Layout& layout) const;
  [[nodiscard]] std::size_t bytes(const Layout& layout) const;

 private:
  [[nodiscard]] std::size_t rounds(const Layout& layout) const { return (layout.strips() + total - 1) / total; }
};

/// The share of a process that has all strips.
[[nodiscard]] inline Share share_of_all(std::size_t threads) { return {0, threads, threads}; }

/// The layout for a script by several processes. `largest`: the share with the most members. Each process computes
/// `parts` parts at a time for the walk, and has `bytes_left` bytes or more.
[[nodiscard]] Layout for_shared_script(Layout layout, const Share& largest, std::size_t parts, std::size_t bytes_left);

/// Sends rows to the process that has the next strips, and receives those of the process before. The words of all rows
/// come in the order in which they are sent. Only the thread that calls Strips::run calls it.
class RowExchange {
 public:
  /// Raises if another process has failed.
  virtual void check() = 0;
  virtual void send(std::span<const std::uint64_t> words) = 0;
  /// Returns whether all these words have come. If not, none is set.
  [[nodiscard]] virtual bool receive(std::span<std::uint64_t> words) = 0;

 protected:
  ~RowExchange() = default;
};

}  // namespace warpfold::sequence::slices
