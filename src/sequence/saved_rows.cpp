#include "sequence/saved_rows.hpp"

#include <algorithm>
#include <utility>

namespace warpfold::sequence {

namespace {

constexpr std::size_t points_at_once = 4096;

/// The place of a super-tile in the triangle. Columns are stored one after another.
std::pair<std::size_t, std::size_t> place_of(std::size_t number) {
  std::size_t column = 0;
  for (; number > column; ++column) number -= column + 1;
  return {number, column};
}
std::size_t number_of(std::size_t i, std::size_t j) { return j * (j + 1) / 2 + i; }

}  // namespace

std::optional<std::size_t> RowGroups::ending_after(std::size_t so_many) const {
  for (std::size_t group = 0; group < count(); ++group) {
    if (end(group) == so_many) return group;
  }
  return {};
}

std::size_t RowGroups::that_has(std::size_t at) const {
  std::size_t group = 0;
  while (end(group) <= at) ++group;
  return group;
}

RowGroups row_groups(std::size_t rows, std::size_t max_groups, std::size_t min_unit, std::size_t max_unit) {
  const auto units_of = [&](std::size_t unit) { return (rows + unit - 1) / unit; };
  RowGroups groups{max_unit, 0, 1};
  while (groups.unit > min_unit && units_of(groups.unit) < max_groups) groups.unit /= 2;
  groups.units = units_of(groups.unit);
  const std::size_t most = std::min(groups.units, max_groups);
  while ((groups.side + 1) * (groups.side + 2) / 2 <= most) ++groups.side;
  return groups;
}

SavedRows::SavedRows(const RowGroups& groups, std::size_t row_bytes)
    : groups_(groups),
      row_bytes_(row_bytes),
      rows_(std::make_unique_for_overwrite<std::byte[]>(bytes(groups, row_bytes))) {}

void SavedRows::solve(Checkpointer& checkpointer, const Options& options, const TableIdentity& identity,
                      const std::function<void()>& fill) {
  checkpointer_ = &checkpointer;
  const auto describe = [&](std::size_t i, std::vector<std::byte>& bytes) {
    if (i == 0) bytes = identity.request;
    identity.describe(i, std::min(points_at_once, identity.points - i), bytes);
  };
  const KeptTable table{.type = identity.type,
                        .points = identity.points,
                        .place = {rows_.get(), row_bytes_, groups_.side, 1},
                        .describe = describe,
                        .unit = identity.unit,
                        .points_at_once = points_at_once};
  checkpointer.solve(table, options, [&] {
    known_.assign(groups_.count(), false);
    checkpointer.progress([&](std::size_t i, std::size_t j) { known_[number_of(i, j)] = true; });
    restored_ = static_cast<std::size_t>(std::find(known_.begin(), known_.end() - 1, false) - known_.begin());
    fill();
  });
}

void SavedRows::made(std::size_t group) {
  if (known_[group]) return;
  const auto [i, j] = place_of(group);
  checkpointer_->made(i, j);
}

}  // namespace warpfold::sequence
