#include "sequence/seeds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "sequence/tuning.hpp"

namespace warpfold::sequence {

namespace {

using Index = std::int64_t;

/// The shortest parts of which a random one hardly occurs by chance, on bound + 1 diagonals.
std::size_t length_for(std::uint32_t codes, std::size_t bound) {
  const double chances = tuning::seed_chances * static_cast<double>(bound + 1);
  const double length = std::ceil(std::log(chances) / std::log(std::max(codes, 2u)));
  return std::min(static_cast<std::size_t>(length), tuning::max_seed);
}
std::size_t counters_for(std::size_t bound) { return std::bit_ceil(tuning::seed_counters * (bound + 1)); }

constexpr std::uint64_t hash_factor = 0x9E3779B97F4A7C15;

std::uint64_t hash_of(std::span<const std::uint32_t> part) {
  std::uint64_t hash = 0;
  for (const std::uint32_t code : part) hash = hash * hash_factor + code + 1;
  return hash;
}

/// The hashes of all parts of a length, in ascending order, each by the one before.
class Hashes {
 public:
  Hashes(std::span<const std::uint32_t> sequence, std::size_t length) : sequence_(sequence), length_(length) {
    if (count() > 0) hash_ = hash_of(sequence.first(length));
    for (std::size_t at = 0; at < length; ++at) first_factor_ *= hash_factor;
  }

  [[nodiscard]] Index at() const { return static_cast<Index>(at_); }
  [[nodiscard]] Index count() const { return static_cast<Index>(sequence_.size()) - static_cast<Index>(length_) + 1; }
  std::uint64_t take() {
    const std::uint64_t hash = hash_;
    if (at_ + length_ < sequence_.size()) {
      hash_ = hash * hash_factor + (sequence_[at_ + length_] + 1 - (sequence_[at_] + std::uint64_t{1}) * first_factor_);
    }
    ++at_;
    return hash;
  }

 private:
  std::span<const std::uint32_t> sequence_;
  std::size_t length_, at_ = 0;
  std::uint64_t hash_ = 0, first_factor_ = 1;
};

/// The parts of B that begin in a window, which moves on.
class Window {
 public:
  Window(std::span<const std::uint32_t> b, std::size_t length, std::size_t bound)
      : entering_(b, length),
        leaving_(b, length),
        shift_(64 - std::countr_zero(counters_for(bound))),
        counts_(counters_for(bound)) {}

  void move(Index first, Index last) {
    while (entering_.at() < std::min(last + 1, entering_.count())) ++counts_[entering_.take() >> shift_];
    while (leaving_.at() < std::min(first, entering_.at())) --counts_[leaving_.take() >> shift_];
  }
  [[nodiscard]] bool has(std::uint64_t hash) const { return counts_[hash >> shift_] > 0; }

 private:
  Hashes entering_, leaving_;
  int shift_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Seeds::Seeds(const Coded& pair, std::int64_t bound)
    : length_(length_for(pair.codes(), static_cast<std::size_t>(bound))), missing_(pair.n() / length_ + 2) {
  // A script comes to diagonal k by |k| edits, and from there to the last corner by as many as diagonals are between.
  const auto corner = static_cast<Index>(pair.n()) - static_cast<Index>(pair.m());
  const Index highest = (bound + corner) / 2, lowest = -((bound - corner) / 2);
  Window window(pair.b(), length_, static_cast<std::size_t>(bound));
  const std::size_t parts = pair.n() / length_;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto begin = static_cast<Index>(part * length_);
    window.move(begin - highest, begin - lowest);
    missing_[part] = window.has(hash_of(pair.a().subspan(part * length_, length_))) ? 0 : 1;
  }
  for (std::size_t part = parts; part-- > 0;) missing_[part] += missing_[part + 1];
}

std::size_t Seeds::bytes(std::size_t n, std::uint32_t codes, std::size_t bound) {
  return sizeof(std::uint32_t) * (counters_for(bound) + n / length_for(codes, bound) + 2);
}

}  // namespace warpfold::sequence
