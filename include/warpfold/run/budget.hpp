#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace warpfold {

struct Options;

/// Memory of which a solve takes all that it needs: what it may have, and what it had at most.
///
/// Every thread may reserve. A budget within another one takes from both.
class Budget {
 public:
  /// What was taken; gives it back at its end.
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Reservation& operator=(Reservation&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Reservation() {
      if (budget_) budget_->release(bytes_);
    }

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Takes more, or gives some back. Raises what `Budget::reserve` raises; the share is then as it was.
    void resize(std::size_t bytes);

   private:
    friend class Budget;
    Reservation(Budget* budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}

    Budget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// The host's memory: as much as the options allow, as this machine has and, where `options.budget` is set, as is
  /// left in there.
  explicit Budget(const Options& options);

  /// `most` bytes of the memory of `owner`, for messages: "the GPU has".
  Budget(std::size_t most, const char* owner) : most_(most), owner_(owner) {}

  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Raises Error{memory_limit} that names both sizes where there are not as many left.
  [[nodiscard]] Reservation reserve(std::size_t bytes) {
    add(bytes);
    return {this, bytes};
  }
  /// The same for `count` values of `bytes_each`, which may be more than any size holds.
  [[nodiscard]] Reservation reserve(std::size_t count, std::size_t bytes_each);

  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t left() const;                   ///< here, and in those that this one is within
  [[nodiscard]] std::size_t peak() const { return peak_; }  ///< the most that was taken at once

 private:
  void add(std::size_t bytes);
  void release(std::size_t bytes);

  std::size_t most_;
  const char* owner_;
  Budget* within_ = nullptr;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> peak_ = 0;
};

}  // namespace warpfold
