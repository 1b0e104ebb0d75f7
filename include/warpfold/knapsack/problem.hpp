#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfold::knapsack {

/// How often an item may be packed: once, up to `copies` times, or without limit.
enum class Kind { zero_one, bounded, unbounded };

/// The value and the weight of one copy.
struct Item {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::int64_t copies = 1;  ///< number of copies for `bounded`; 0 or 1 for `zero_one`; ignored for `unbounded`

  bool operator==(const Item&) const = default;
};

/// Choose x_i copies of every item i so that sum x_i * weight_i <= capacity, and sum x_i * value_i is largest.
///
/// A problem is checked at construction and does not change afterwards. Raises Error{input} that names the first item
/// and its value in these cases:
///
/// * The capacity, a value, a weight or a number of copies is negative.
/// * A 0-1 item has more than one copy.
/// * An unbounded item has weight 0 and a value.
///
/// Raises Error{overflow} if 4 * (largest possible total) >= 2^63.
class Problem {
 public:
  Problem(Kind kind, std::vector<Item> items, std::int64_t capacity);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

  /// Returns the largest number of copies of item i in any packing: min(copies, capacity / weight).
  [[nodiscard]] std::int64_t max_copies(std::size_t i) const;

  /// Returns a bound on the value of every packing. It decides which type is wide enough.
  [[nodiscard]] std::int64_t largest_total() const { return largest_total_; }

 private:
  Kind kind_;
  std::vector<Item> items_;
  std::int64_t capacity_;
  std::int64_t largest_total_;
};

/// A 0-1 item that represents `count` copies of item `source`.
struct Piece {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::uint32_t source = 0;
  std::int64_t count = 1;
};

/// Returns the items of a 0-1 or bounded problem as pieces that fit and have a value.
///
/// m copies are split into 1, 2, 4, .. and a rest: about log2(m) pieces, which sum to every number from 0 to m. Items
/// without weight are left out, because every best packing takes all their copies.
[[nodiscard]] std::vector<Piece> pieces(const Problem& problem);

/// Returns the names of the classes that `generate` knows, in the order of their numbers in Pisinger's papers.
[[nodiscard]] const std::vector<std::string>& generator_classes();

/// Parameters of a random instance of one of the classes of D. Pisinger, "Where are the hard knapsack problems?" (2005)
/// and of S. Martello, D. Pisinger, P. Toth (1999). Coefficients are from 1..range. The capacity is series /
/// (series_length + 1) of the total weight, but at least the heaviest weight. It is odd for the even-odd classes.
struct Generator {
  std::string name = "uncorrelated";
  std::size_t n = 1000;
  std::int64_t range = 1000;
  std::int64_t series = 50;
  std::int64_t series_length = 100;
  std::uint64_t seed = 1;
};
/// Draws the instance. The same parameters give the same instance on every machine; it differs from that of Pisinger's
/// program, which draws other random numbers. Raises Error{usage} for parameters out of range.
[[nodiscard]] Problem generate(const Generator& generator);

}  // namespace warpfold::knapsack
