#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/run/backend.hpp"
#include "warpfold/run/checkpointer.hpp"
#include "warpfold/run/run.hpp"

/// The rows of a table that a checkpoint saves. From such a row on, all rows below it can be computed.
namespace warpfold::sequence {

/// How the rows of a table are cut into groups. They depend on the lengths alone, and not on threads, memory or the
/// processor, so that any run can continue what another began. Strips of all layouts have to end where a unit ends.
struct RowGroups {
  std::size_t unit;   ///< rows
  std::size_t units;  ///< of the table
  std::size_t side;   ///< of the triangle of super-tiles, one for each group

  [[nodiscard]] std::size_t count() const { return side * (side + 1) / 2; }
  /// The units up to the end of a group.
  [[nodiscard]] std::size_t end(std::size_t group) const { return (group + 1) * units / count(); }
  /// The group that ends after so many units.
  [[nodiscard]] std::optional<std::size_t> ending_after(std::size_t so_many) const;
  /// The group that has a unit.
  [[nodiscard]] std::size_t that_has(std::size_t at) const;
};

/// At most `max_groups` groups of `rows` rows. The unit is the largest of `min_unit` times a power of two, up to
/// `max_unit` rows, with which there are as many units as that, or `min_unit`.
[[nodiscard]] RowGroups row_groups(std::size_t rows, std::size_t max_groups, std::size_t min_unit,
                                   std::size_t max_unit);

/// What tells a table from others.
struct TableIdentity {
  std::string type;  ///< KeptTable::type
  const char* unit;  ///< KeptTable::unit
  std::size_t points;
  std::vector<std::byte> request;  ///< what the table depends on besides the points
  /// Appends some points to `bytes`.
  std::function<void(std::size_t first, std::size_t count, std::vector<std::byte>& bytes)> describe;
};

/// The row below each group. A Checkpointer saves it once it is final, and has those of an earlier run.
class SavedRows {
 public:
  /// Takes `bytes(groups, row_bytes)` bytes.
  SavedRows(const RowGroups& groups, std::size_t row_bytes);
  [[nodiscard]] static std::size_t bytes(const RowGroups& groups, std::size_t row_bytes) {
    return groups.count() * row_bytes;
  }

  /// Calls fill() with a checkpointer, and raises what it and the checkpointer raise.
  void solve(Checkpointer& checkpointer, const Options& options, const TableIdentity& identity,
             const std::function<void()>& fill);

  [[nodiscard]] const RowGroups& groups() const { return groups_; }
  [[nodiscard]] std::span<std::byte> row(std::size_t group) const {
    return {rows_.get() + group * row_bytes_, row_bytes_};
  }
  /// The first groups, without the last one, whose rows an earlier run saved. For `fill`.
  [[nodiscard]] std::size_t restored() const { return restored_; }
  /// Tells that the row of a group is final. Any thread may call it, once for each group that was not restored.
  void made(std::size_t group);

 private:
  RowGroups groups_;
  std::size_t row_bytes_;
  std::unique_ptr<std::byte[]> rows_;
  std::vector<bool> known_;
  std::size_t restored_ = 0;
  Checkpointer* checkpointer_ = nullptr;
};

/// Solves with a checkpoint, by `solve(saved)`, which returns a solution.
template <class Solve>
auto solve_saving(const RowGroups& groups, std::size_t row_bytes, const TableIdentity& identity, Context& context,
                  const Solve& solve) {
  const auto taken = context.budget.reserve(SavedRows::bytes(groups, row_bytes));
  SavedRows saved(groups, row_bytes);
  decltype(solve(saved)) solution;
  saved.solve(*context.options.checkpointer, context.options, identity, [&] { solution = solve(saved); });
  return solution;
}

/// Appends the bytes of some values.
template <class T>
void append_bytes(std::vector<std::byte>& bytes, std::span<const T> values) {
  const std::size_t before = bytes.size();
  bytes.resize(before + values.size_bytes());
  if (!values.empty()) std::memcpy(bytes.data() + before, values.data(), values.size_bytes());
}

/// The identity of a table of two sequences, whose elements are the points, those of A first.
template <class T>
TableIdentity identity_of_pair(std::string type, const char* unit, std::span<const T> a, std::span<const T> b,
                               std::span<const std::int64_t> request) {
  TableIdentity identity{std::move(type), unit, a.size() + b.size(), {}, {}};
  append_bytes(identity.request, request);
  identity.describe = [a, b](std::size_t first, std::size_t count, std::vector<std::byte>& bytes) {
    const std::size_t begin = std::min(first, a.size()), of_a = std::min(a.size() - begin, count);
    append_bytes(bytes, a.subspan(begin, of_a));
    append_bytes(bytes, b.subspan(first + of_a - a.size(), count - of_a));
  };
  return identity;
}

}  // namespace warpfold::sequence
