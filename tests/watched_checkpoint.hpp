#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

#include "warpfold/checkpoint/checkpoint.hpp"

namespace warpfold::test {

/// A checkpoint that calls a function after this process has made a given number of super-tiles.
class Watched final : public Checkpointer {
 public:
  Watched(Checkpoint checkpoint, std::size_t after, std::function<void()> action)
      : checkpoint_(std::move(checkpoint)), left_(after), action_(std::move(action)) {}

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override { return checkpoint_.comes(i, j); }
  void made(std::size_t i, std::size_t j) override {
    checkpoint_.made(i, j);
    if (--left_ == 0) action_();
  }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    checkpoint_.progress(arrived);
  }
  void solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) override {
    checkpoint_.solve(table, options, fill);
  }

 private:
  Checkpoint checkpoint_;
  std::atomic<std::size_t> left_;
  std::function<void()> action_;
};

}  // namespace warpfold::test
