#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace warpfold {

struct Options;

/// The memory that a solve may hold: a limit, what is reserved now, and the peak. Any thread may reserve. A budget
/// inside another one reserves from both.
class Budget {
 public:
  /// Bytes reserved from a budget. The destructor releases them.
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
    /// Changes the number of reserved bytes. Raises what `Budget::reserve` raises; the reservation is then unchanged.
    void resize(std::size_t bytes);

   private:
    friend class Budget;
    Reservation(Budget* budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}

    Budget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// Host memory. The limit is options.max_memory, or this machine's memory or its control group's if that is less. If
  /// `options.budget` is set, this budget is inside it.
  explicit Budget(const Options& options);

  /// A limit of `max_bytes` bytes. Messages name it by `owner`, for example "the GPU has".
  Budget(std::size_t max_bytes, const char* owner) : max_bytes_(max_bytes), owner_(owner) {}

  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Reserves `bytes` bytes. Raises Error{memory_limit} that names the needed bytes and the limit if too few are left.
  [[nodiscard]] Reservation reserve(std::size_t bytes) {
    add(bytes);
    return {this, bytes};
  }
  /// Reserves count * bytes_each bytes. A product that overflows raises Error{memory_limit}, too.
  [[nodiscard]] Reservation reserve(std::size_t count, std::size_t bytes_each);

  [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }
  [[nodiscard]] std::size_t left() const;                   ///< in this budget and in those around it
  [[nodiscard]] std::size_t peak() const { return peak_; }  ///< the most that was reserved at one time

 private:
  void add(std::size_t bytes);
  void release(std::size_t bytes);

  std::size_t max_bytes_;
  const char* owner_;
  Budget* within_ = nullptr;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> peak_ = 0;
};

}  // namespace warpfold
