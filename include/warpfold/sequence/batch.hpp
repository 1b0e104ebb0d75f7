#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpfold/run/run.hpp"
#include "warpfold/sequence/script.hpp"

/// Distances of many pairs of sequences.
namespace warpfold::sequence {

/// A sequence of symbols of 1, 2 or 4 bytes, which the caller owns. Symbols are compared as integers, so sequences of
/// different widths may be compared.
class SymbolView {
 public:
  SymbolView() = default;
  SymbolView(std::string_view bytes) : data_(bytes.data()), size_(bytes.size()) {}
  SymbolView(const std::string& bytes) : SymbolView(std::string_view(bytes)) {}
  SymbolView(std::span<const std::uint8_t> symbols) : data_(symbols.data()), size_(symbols.size()) {}
  SymbolView(std::span<const std::uint16_t> symbols) : data_(symbols.data()), size_(symbols.size()), width_(2) {}
  SymbolView(std::span<const std::uint32_t> symbols) : data_(symbols.data()), size_(symbols.size()), width_(4) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return width_; }  ///< bytes of a symbol
  /// The symbols if they are bytes.
  [[nodiscard]] const std::uint8_t* bytes() const { return static_cast<const std::uint8_t*>(data_); }

  /// Calls visit(span of the symbols) and returns what it returns.
  template <class Visit>
  auto with_symbols(const Visit& visit) const {
    if (width_ == 1) return visit(std::span(static_cast<const std::uint8_t*>(data_), size_));
    if (width_ == 2) return visit(std::span(static_cast<const std::uint16_t*>(data_), size_));
    return visit(std::span(static_cast<const std::uint32_t*>(data_), size_));
  }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t width_ = 1;
};

/// One sequence that is compared with many. Any number of threads may use it.
///
/// A comparison with m symbols takes m words for every 64 symbols of the pattern, some 15 operations each, and m bytes
/// if the pattern has more than 64. It holds 2,048 bytes for every 64 symbols.
class Pattern {
 public:
  explicit Pattern(SymbolView symbols, Measure measure = Measure::edit);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The distance of unit costs between the pattern and a sequence.
  [[nodiscard]] std::uint64_t distance(SymbolView other) const;

 private:
  template <class Column>
  [[nodiscard]] std::uint64_t sum_of_rows(SymbolView other) const;
  [[nodiscard]] const std::uint64_t* rows_of(std::uint32_t symbol) const;
  [[nodiscard]] std::size_t blocks() const { return (size_ + 63) / 64; }

  std::size_t size_;
  Measure measure_;
  std::vector<std::uint64_t> rows_;       ///< for every symbol below 256, then for each of `wide_`, a word a block
  std::vector<std::uint32_t> wide_ = {};  ///< the pattern's symbols from 256 on, ascending
};

/// The distance of unit costs of two sequences of bytes, the shorter of which has at most 64 symbols, without options,
/// a report or an allocation. Takes as many words as the longer one has symbols. `symbols`: all symbols are below it;
/// 128 of ASCII takes a little less time.
[[nodiscard]] std::uint64_t short_distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                                           Measure measure = Measure::edit, std::size_t symbols = 256);
/// The most symbols of the shorter sequence.
inline constexpr std::size_t max_short = 64;

/// What to compute for every pair.
struct BatchRequest {
  Measure measure = Measure::edit;
  /// A larger distance is given as max_distance + 1, and takes less work.
  std::optional<std::uint32_t> max_distance = {};

  /// `distance`, or max_distance + 1 if that is less.
  [[nodiscard]] std::uint32_t limited(std::uint64_t distance) const {
    const std::uint64_t least = max_distance ? std::uint64_t{*max_distance} + 1 : distance;
    return static_cast<std::uint32_t>(distance < least ? distance : least);
  }
};

/// Computes the distance of unit costs of A[i] and B[i], for all i.
///
/// Pairs of similar lengths share a vector, a bit each: (2 p + 7) operations with p bits a symbol (indel: 2 p + 3)
/// compute an entry of as many tables as a vector has bits. Few pairs, sequences beyond 2,048 symbols, and batches with
/// more than 256 different symbols go one pair after another: by words with an adder, or as `edit_distance` does. All
/// threads work on different pairs. The results do not depend on any of this. With `max_distance` only the diagonals
/// that it allows are computed, and a vector ends once all its pairs have passed it.
///
/// On a GPU 32 pairs share a word: (p + 5) operations of three inputs (indel: p + 2) for an entry of 32 tables. With
/// `max_distance` the pairs of a word are computed by strips of rows: only the columns that it allows, and none of the
/// strips after all of the pairs have passed it. Up to 8 threads copy the symbols, directly from pinned memory if they lie there one after
/// another. Pairs beyond 16,384 symbols go one after another.
///
/// Takes 16 bytes a pair, and of each thread up to 2 MB. Batches with symbols of more than a byte are copied. For a GPU
/// each thread takes 16 MB, and of the GPU 32 MB.
///
/// Raises Error{input} unless A and B have equal lengths, and if the longest sequences of A and B have
/// 2^31 symbols or more together. Raises
/// Error{usage} for an algorithm that `batch_algorithms` does not list, Error{device} for a GPU and more than 256
/// symbols, and Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<std::vector<std::uint32_t>> distances(std::span<const SymbolView> a,
                                                            std::span<const SymbolView> b, const Options& options = {},
                                                            const BatchRequest& request = {});

/// Computes the distances of every A[i] and every B[j], row by row: entry i |B| + j. Otherwise like `distances`.
[[nodiscard]] Outcome<std::vector<std::uint32_t>> cdist(std::span<const SymbolView> a, std::span<const SymbolView> b,
                                                        const Options& options = {}, const BatchRequest& request = {});

/// Returns the algorithms that Options::algorithm can name for `distances`, `cdist` and `nearest`.
[[nodiscard]] std::vector<AlgorithmInfo> batch_algorithms();

/// One of several sequences, and its distance.
struct Neighbor {
  std::uint32_t distance;
  std::size_t index;

  auto operator<=>(const Neighbor&) const = default;
};

/// Finds for every A[i] the k nearest sequences of B, nearest first. Of equal distances the smaller index comes first.
/// With `max_distance` only those up to it, so there may be fewer.
///
/// The distance of the k-th so far bounds those that follow. Takes 16 k |A| bytes a thread. Otherwise like `distances`.
[[nodiscard]] Outcome<std::vector<std::vector<Neighbor>>> nearest(std::span<const SymbolView> a,
                                                                  std::span<const SymbolView> b, std::size_t k,
                                                                  const Options& options = {},
                                                                  const BatchRequest& request = {});

/// Computes the scripts of A[i] and B[i], for all i, as `edit_distance` and `lcs` do. All threads work on different
/// pairs. A script is absent if the distance is more than `max_distance`; `distances` finds these first, on a CPU of
/// sequences up to 2,048 symbols. Options::algorithm may name one that `edit_distance` has, on the CPU.
///
/// On a GPU pairs of up to 4,096 bytes share words as for `distances`, which keeps two bits of every cell: 512 MB of a
/// GPU at a time for each of up to 8 threads. A thread of the GPU walks back through a pair. Longer pairs go one after
/// another.
///
/// Raises what these functions raise, and Error{device} for a GPU and more than 256 symbols.
[[nodiscard]] Outcome<std::vector<std::optional<Script>>> scripts(std::span<const SymbolView> a,
                                                                  std::span<const SymbolView> b,
                                                                  const Options& options = {},
                                                                  const BatchRequest& request = {},
                                                                  Ties ties = Ties::left);

}  // namespace warpfold::sequence
