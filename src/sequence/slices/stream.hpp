#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sequence/slices/table.hpp"

namespace warpfold::sequence::slices {

/// The differences along the last row of a strip, which the strip below reads. They are bits as the last stripe makes
/// them: column j is bit j + (stripes - 1) columns.
class Stream {
 public:
  explicit Stream(const Layout& layout);

  /// Begins a strip whose chunks are `first` to `last`.
  void begin(std::size_t first, std::size_t last);
  /// Takes what chunk `at` made.
  void put(const Chunk& chunk, std::size_t at);
  /// Sets what is above the next strip in chunk `at`. `lag`: Layout::lag.
  void get(Chunk& chunk, std::size_t at, std::size_t lag) const;

  /// Copies what some chunks made to `words`, or takes what was copied, one sign after the other.
  void copy(std::size_t first, std::size_t end, std::span<std::uint64_t> words) const;
  void put(std::size_t first, std::size_t end, std::span<const std::uint64_t> words);

  /// Copies the differences in the columns of a row.
  void save(const KeptRow& row, const Layout& layout) const;
  /// Becomes the stream of a strip whose chunks are `first` to `last`, by what `save` copied.
  void restore(const KeptRow& row, std::size_t first, std::size_t last, const Layout& layout);

  /// The bits of a sign over the columns from `from` to `to`, counted.
  [[nodiscard]] std::int64_t count(std::size_t sign, std::size_t from, std::size_t to, const Layout& layout) const;

 private:
  [[nodiscard]] std::uint64_t word(std::size_t sign, std::size_t at) const;

  std::vector<std::uint64_t> bits_[2];
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace warpfold::sequence::slices
