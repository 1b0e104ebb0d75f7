#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfold::knapsack {

/// How often an item may be packed: once, up to its `copies`, or without limit.
enum class Kind { zero_one, bounded, unbounded };

/// What one copy is worth and weighs.
struct Item {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::int64_t copies = 1;  ///< how many there are, of `Kind::bounded`; of `zero_one` 0 or 1; `unbounded` ignores it

  bool operator==(const Item&) const = default;
};

/// Choose x_i copies of every item i so that sum x_i * weight_i <= capacity and sum x_i * value_i is largest.
///
/// A problem validates itself at construction and does not change afterwards. Raises Error{input} that names the first
/// item and its value for: a negative capacity, value, weight or number of copies; copies above 1 of a 0-1 item; an
/// unbounded item of weight 0 with a value. Error{overflow} for totals that do not fit, 4 * (largest possible total) >=
/// 2^63.
class Problem {
 public:
  Problem(Kind kind, std::vector<Item> items, std::int64_t capacity);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

  /// The most copies of item i that any packing can hold: min(copies, capacity / weight).
  [[nodiscard]] std::int64_t max_copies(std::size_t i) const;

  /// No packing is worth more than this: it decides which arithmetic is wide enough.
  [[nodiscard]] std::int64_t largest_total() const { return largest_total_; }

 private:
  Kind kind_;
  std::vector<Item> items_;
  std::int64_t capacity_;
  std::int64_t largest_total_;
};

/// A 0-1 item that stands for `count` copies of item `source`.
struct Piece {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::uint32_t source = 0;
  std::int64_t count = 1;
};

/// The items of a 0-1 or bounded problem as pieces that fit and have a value, m copies split into 1, 2, 4, .. and a
/// rest: about log2(m) pieces that sum to every number from 0 to m. Pieces without weight are not among them: every
/// best packing takes them whole.
[[nodiscard]] std::vector<Piece> pieces(const Problem& problem);

/// The names in Pisinger's papers of the classes that `generate` knows, in the order of their numbers there.
[[nodiscard]] const std::vector<std::string>& generator_classes();

/// Draws an instance of one of the classes of D. Pisinger, "Where are the hard knapsack problems?" (2005) and of
/// S. Martello, D. Pisinger, P. Toth (1999); coefficients come from 1..range and the capacity is
/// series / (series_length + 1) of the total weight. The same arguments give the same instance on every machine; the
/// random numbers are ours, not those of Pisinger's program. Raises Error{usage} for arguments that make no sense.
struct Generator {
  std::string name = "uncorrelated";
  std::size_t n = 1000;
  std::int64_t range = 1000;
  std::int64_t series = 50;
  std::int64_t series_length = 100;
  std::uint64_t seed = 1;
};
/// The instance that they describe.
[[nodiscard]] Problem generate(const Generator& generator);

}  // namespace warpfold::knapsack
