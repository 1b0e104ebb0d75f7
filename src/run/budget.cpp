#include "warpfold/run/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "core/size_text.hpp"
#include "run/allowance.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold {

namespace {

/// `needed` may be the largest std::size_t, which stands for a size that overflowed.
[[noreturn]] void refuse(std::size_t needed, const char* owner, std::size_t max_bytes) {
  const bool is_beyond = needed == std::numeric_limits<std::size_t>::max();
  throw Error(ErrorKind::memory_limit,
              fmt::format("the solve needs {}, {} {}",
                          is_beyond ? "2^64 bytes or more" : bytes_text(static_cast<double>(needed)), owner,
                          bytes_text(static_cast<double>(max_bytes))));
}

}  // namespace

Budget::Budget(const Options& options) : Budget(options.max_memory, "the limit is") {
  if (const std::size_t there = allowed_bytes(); there < max_bytes_) {
    max_bytes_ = there;
    owner_ = "this machine has";
  }
  within_ = options.budget;
}

Budget::Reservation Budget::reserve(std::size_t count, std::size_t bytes_each) {
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  if (bytes_each > 0 && count > largest / bytes_each) refuse(largest, owner_, max_bytes_);
  return reserve(count * bytes_each);
}

std::size_t Budget::left() const {
  const std::size_t here = max_bytes_ - std::min<std::size_t>(max_bytes_, taken_);
  return within_ ? std::min(here, within_->left()) : here;
}

void Budget::add(std::size_t bytes) {
  std::size_t before = taken_;
  const auto check = [&] {
    if (bytes <= max_bytes_ && before <= max_bytes_ - bytes) return;
    refuse(bytes > std::numeric_limits<std::size_t>::max() - before ? bytes : before + bytes, owner_, max_bytes_);
  };
  check();
  // The outer budget reserves first and releases last, so it never counts less than this one. This one's peak then
  // never includes bytes that the outer budget refuses.
  if (within_) within_->add(bytes);
  try {
    while (!taken_.compare_exchange_weak(before, before + bytes)) check();
  } catch (...) {
    if (within_) within_->release(bytes);
    throw;
  }
  for (std::size_t max_so_far = peak_; max_so_far < before + bytes;) {
    if (peak_.compare_exchange_weak(max_so_far, before + bytes)) break;
  }
}

void Budget::release(std::size_t bytes) {
  taken_ -= bytes;
  if (within_) within_->release(bytes);
}

void Budget::Reservation::resize(std::size_t bytes) {
  if (bytes > bytes_) budget_->add(bytes - bytes_);
  if (bytes < bytes_) budget_->release(bytes_ - bytes);
  bytes_ = bytes;
}

}  // namespace warpfold
