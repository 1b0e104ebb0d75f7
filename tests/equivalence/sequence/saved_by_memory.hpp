#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/run/checkpointer.hpp"
#include "warpfold/run/run.hpp"

/// Checkpoints without files, that stop a solve at any saved row.
namespace warpfold::sequence::test {

/// The rows that a solve has saved, and in the next solve those that it finds. Rows are super-tiles of one tile.
class SavedByMemory final : public Checkpointer {
 public:
  /// `stop_at`: the row after which the solve is stopped.
  explicit SavedByMemory(std::vector<std::vector<std::byte>> rows = {}, std::optional<std::size_t> stop_at = {})
      : rows_(std::move(rows)), stop_at_(stop_at) {}

  [[nodiscard]] const std::vector<std::vector<std::byte>>& rows() const { return rows_; }
  /// The first so many of them, and no others.
  [[nodiscard]] std::vector<std::vector<std::byte>> first_rows(std::size_t many) const {
    auto first = rows_;
    for (std::size_t at = many; at < first.size(); ++at) first[at].clear();
    return first;
  }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] std::size_t saved() const {
    return static_cast<std::size_t>(std::ranges::count_if(rows_, [](const auto& row) { return !row.empty(); }));
  }
  [[nodiscard]] const std::vector<std::byte>& description() const { return description_; }

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override { return !rows_[number(i, j)].empty(); }
  void made(std::size_t i, std::size_t j) override {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    const std::byte* const row = place_.first + number(i, j) * place_.tile_bytes;
    EXPECT_TRUE(rows_[number(i, j)].empty()) << "row " << number(i, j) << " was made twice";
    rows_[number(i, j)].assign(row, row + place_.tile_bytes);
    is_stopped_ = number(i, j) == stop_at_;
    if (is_stopped_) throw Error(ErrorKind::cancelled, "cancelled");
  }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    for (std::size_t j = 0; j < place_.tiles; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        if (comes(i, j)) arrived(i, j);
      }
    }
  }
  void solve(const KeptTable& table, const Options& /*options*/, const std::function<void()>& fill) override {
    place_ = table.place;
    for (std::size_t i = 0; i < table.points; i += table.points_at_once) table.describe(i, description_);
    rows_.resize(number(0, place_.tiles));
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      ASSERT_TRUE(rows_[at].empty() || rows_[at].size() == place_.tile_bytes);
      std::ranges::copy(rows_[at], place_.first + at * place_.tile_bytes);
    }
    fill();
  }

 private:
  static std::size_t number(std::size_t i, std::size_t j) { return j * (j + 1) / 2 + i; }

  std::vector<std::vector<std::byte>> rows_;
  std::optional<std::size_t> stop_at_;
  bool is_stopped_ = false;
  SuperTiles place_{};
  std::mutex mutex_;
  std::vector<std::byte> description_;
};

/// Another checkpointer, and a solve that is stopped after some rows.
class Stopped final : public Checkpointer {
 public:
  Stopped(Checkpointer& checkpointer, std::size_t rows) : checkpointer_(checkpointer), left_(rows) {}

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override { return checkpointer_.comes(i, j); }
  void made(std::size_t i, std::size_t j) override {
    checkpointer_.made(i, j);
    if (left_.fetch_sub(1) == 1) throw Error(ErrorKind::cancelled, "cancelled");
  }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    checkpointer_.progress(arrived);
  }
  void solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) override {
    checkpointer_.solve(table, options, fill);
  }

 private:
  Checkpointer& checkpointer_;
  std::atomic<std::size_t> left_;
};

/// Solves without a checkpoint and with one, and stops after each saved row and goes on by other numbers of threads.
/// `solve(options)` returns all of the solution as text, `count` is the number of saved rows. `has_one_row`: whether
/// these have the same bytes in every solve.
template <class Solve>
void expect_the_same_from_any_row_on(const Solve& solve, std::size_t count, bool has_one_row = true) {
  Options options;
  options.threads = 1;
  const std::string expected = solve(options);
  SavedByMemory complete;
  options.checkpointer = &complete;
  EXPECT_EQ(solve(options), expected);
  ASSERT_EQ(complete.saved(), count);
  ASSERT_EQ(complete.count(), count);
  for (std::size_t row = 0; row < count; ++row) {
    SCOPED_TRACE(testing::Message() << "stopped at row " << row);
    SavedByMemory stopped({}, row);
    options.checkpointer = &stopped;
    options.threads = row % 2 == 0 ? 3 : 1;
    EXPECT_THROW(solve(options), Error);
    ASSERT_EQ(stopped.saved(), row + 1);
    SavedByMemory resumed(stopped.rows());
    options.checkpointer = &resumed;
    options.threads = row % 3 == 0 ? 2 : row % 3 == 1 ? 1 : 4;
    EXPECT_EQ(solve(options), expected);
    EXPECT_TRUE(!has_one_row || resumed.rows() == complete.rows());
    EXPECT_TRUE(resumed.description() == complete.description());
  }
}

/// Solves with a checkpoint by every instruction set, from the beginning and from the first `many` rows on.
/// `solve(options)` returns all of the solution as text.
template <class Solve>
void expect_the_same_by_any_instruction_set(const Solve& solve, std::size_t count, std::size_t many) {
  Options options;
  const std::string expected = solve(options);
  SavedByMemory complete;
  options.checkpointer = &complete;
  static_cast<void>(solve(options));
  ASSERT_EQ(complete.count(), count);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    SCOPED_TRACE(set);
    SavedByMemory whole, resumed(complete.first_rows(many));
    for (SavedByMemory* saved : {&whole, &resumed}) {
      options.checkpointer = saved;
      EXPECT_EQ(solve(options), expected);
      EXPECT_TRUE(saved->rows() == complete.rows());
    }
  }
  force_instruction_set("");
}

/// The error of a solve that goes on with the checkpoint in a folder, or "none".
template <class Solve>
std::string refusal_of(const std::string& folder, Options options, const Solve& solve) {
  Checkpoint checkpoint = Checkpoint::resumed(folder);
  options.checkpointer = &checkpoint;
  try {
    static_cast<void>(solve(options));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace warpfold::sequence::test
