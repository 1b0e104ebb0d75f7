#include "sequence/seeds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "sequence/tuning.hpp"

namespace warpfold::sequence {

namespace {

using Index = std::int64_t;

/// The shortest parts of which a random one seldom occurs by chance, on bound + 1 diagonals.
std::size_t length_for(std::uint32_t codes, std::size_t bound) {
  const double chances = tuning::seed_chances * static_cast<double>(bound + 1);
  const double length = std::ceil(std::log(chances) / std::log(std::max(codes, 2u)));
  return std::min(static_cast<std::size_t>(length), tuning::max_seed);
}
std::size_t places_for(std::size_t bound) { return std::bit_ceil(tuning::seed_places * (bound + 1)); }

constexpr std::uint64_t hash_factor = 0x9E3779B97F4A7C15;

/// The hashes of all parts of a length, in descending order, each by the one before.
class Hashes {
 public:
  Hashes(std::span<const std::uint32_t> sequence, std::size_t length)
      : sequence_(sequence), length_(length), at_(std::max(sequence.size() + 1, length) - length) {
    for (std::size_t more = 0; more < length; ++more) {
      last_factor_ *= hash_factor;
      if (at_ > 0) hash_ = hash_ * hash_factor + symbol(sequence.size() - more);
    }
  }

  /// The part that was taken last.
  [[nodiscard]] Index at() const { return static_cast<Index>(at_); }
  std::uint64_t take() {
    --at_;
    const std::uint64_t hash = hash_;
    if (at_ > 0) hash_ = hash * hash_factor + (symbol(at_) - symbol(at_ + length_) * last_factor_);
    return hash;
  }

 private:
  /// The symbol that ends so many symbols.
  [[nodiscard]] std::uint64_t symbol(std::size_t end) const { return sequence_[end - 1] + std::uint64_t{1}; }

  std::span<const std::uint32_t> sequence_;
  std::size_t length_, at_;
  std::uint64_t hash_ = 0, last_factor_ = 1;
};

/// The parts of B that begin in a window, which moves on to the first symbol. The part that was taken last is the first
/// one of its hash, so nothing has to be removed.
class Window {
 public:
  Window(std::span<const std::uint32_t> b, std::size_t length, std::size_t bound)
      : parts_(b, length), shift_(64 - std::countr_zero(places_for(bound))), first_(places_for(bound), nowhere) {}

  /// Whether one that begins at `first` to `last` has the hash.
  [[nodiscard]] bool has(std::uint64_t hash, Index first, Index last) {
    while (parts_.at() > std::max<Index>(first, 0)) {
      const std::uint64_t entering = parts_.take();
      first_[entering >> shift_] = static_cast<std::uint32_t>(parts_.at());
    }
    return last >= 0 && first_[hash >> shift_] <= static_cast<std::uint64_t>(last);
  }

 private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  static_assert(max_length <= nowhere);

  Hashes parts_;
  int shift_;
  std::vector<std::uint32_t> first_;  ///< by the upper bits of hashes
};

}  // namespace

Seeds::Seeds(const Coded& pair, std::int64_t bound) : missing_(pair.n() / rows_together + 2) {
  // A script comes to diagonal k by |k| edits, and from there to the last corner by as many as diagonals are between.
  const auto corner = static_cast<Index>(pair.n()) - static_cast<Index>(pair.m());
  const Index highest = (bound + corner) / 2, lowest = -((bound - corner) / 2);
  const std::size_t length = length_for(pair.codes(), static_cast<std::size_t>(bound));
  Window window(pair.b(), length, static_cast<std::size_t>(bound));
  Hashes parts(pair.a(), length);
  for (auto last = static_cast<Index>(pair.n() - length); parts.at() > 0;) {
    const std::uint64_t hash = parts.take();
    const Index begin = parts.at();
    if (begin > last) continue;
    if (window.has(hash, begin - highest, begin - lowest)) continue;
    ++missing_[static_cast<std::size_t>(begin) / rows_together];
    last = begin - static_cast<Index>(length);
  }
  for (std::size_t rows = missing_.size() - 1; rows-- > 0;) missing_[rows] += missing_[rows + 1];
}

std::size_t Seeds::bytes(std::size_t n, std::size_t bound) {
  return sizeof(std::uint32_t) * (places_for(bound) + n / rows_together + 2);
}

}  // namespace warpfold::sequence
