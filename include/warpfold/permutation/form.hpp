#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Permutations that a formula states, so that no plan has to be stored for them.
namespace warpfold::permutation {

/// An axis of an array: `extent` places, each `stride` words after the one before. The stride may be negative.
struct Axis {
  std::uint32_t extent = 1;
  std::int64_t stride = 0;

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// permutation[i] = offset + the sum of c_k axes[k].stride, where c_0, c_1 .. are the digits of i in the mixed radix
/// axes[0].extent, axes[1].extent .., least significant digit first.
///
/// Identity, reversal, transposes of any number of dimensions, flips of single dimensions, bit reversal, and reading
/// with a stride that divides n have this form.
struct AxisForm {
  std::int64_t offset = 0;
  std::vector<Axis> axes;

  friend bool operator==(const AxisForm&, const AxisForm&) = default;
};

/// Returns the form with the fewest axes, if the permutation has one. Cost: O(n); for most others a few steps.
[[nodiscard]] std::optional<AxisForm> find_axes(std::span<const std::uint32_t> permutation);

/// Returns r if permutation[i] = (i + r) mod n for all i. Cost: O(n); for most others a few steps.
[[nodiscard]] std::optional<std::uint32_t> find_rotation(std::span<const std::uint32_t> permutation);

}  // namespace warpfold::permutation
