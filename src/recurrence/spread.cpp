#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "backends.hpp"
#include "core/number_types.hpp"
#include "kernels.hpp"
#include "run/large_vector.hpp"

namespace warpfold::recurrence {

namespace {

/// The offsets as bits, in eight copies shifted by 0 to 7 bits. So the mask of any index's successors starts at a byte.
class SuccessorMask {
 public:
  explicit SuccessorMask(std::span<const std::int64_t> offsets)
      : stride_(front + static_cast<std::size_t>(offsets.front()) / 8 + 1 + back), bytes_(8 * stride_) {
    for (std::size_t shift = 0; shift < 8; ++shift) {
      for (const std::int64_t offset : offsets) {
        const std::size_t bit = static_cast<std::size_t>(offset) + shift;
        bytes_[shift * stride_ + front + bit / 8] |= static_cast<std::uint8_t>(1u << (bit % 8));
      }
    }
  }

  /// Bit b of the bytes from here on tells whether index 64 * word + b is a successor of `source`. word is at least
  /// source / 64 and at most (source + a_0) / 64.
  [[nodiscard]] const std::uint8_t* from(std::size_t source, std::size_t word) const {
    const std::size_t copy = source % 8;
    return bytes_.data() + copy * stride_ + front + word * 8 - source / 8;
  }

 private:
  static constexpr std::size_t front = 8;   // the word of the source itself
  static constexpr std::size_t back = 264;  // the last word, and the rest of the longest vector
  std::size_t stride_;
  std::vector<std::uint8_t> bytes_;
};

template <class T, class Better>
class Spreading {
 public:
  Spreading(const Problem<T>& problem, SolveMonitor& monitor, double max_operations, std::span<T> table)
      : problem_(problem),
        monitor_(monitor),
        table_(table),
        max_operations_(max_operations),
        given_(problem.initial().size()),
        n_(problem.n()),
        left_(n_ - given_),
        words_((n_ + 63) / 64),
        end_open_(words_) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    open_.reserve(words_ + vector_words_);
    grow(open_, words_, all, monitor);
    open_.resize(words_ + vector_words_, 0);
    first_open_ = given_ / 64;
    std::fill_n(open_.begin(), first_open_, 0);
    if (left_ > 0) {
      open_[first_open_] &= all << (given_ % 64);
      open_[words_ - 1] &= all >> ((64 - n_ % 64) % 64);
    }
    grow(taken_, open_.size(), std::uint64_t{0}, monitor);
    grow(where_, open_.size(), std::uint32_t{0}, monitor);
    waiting_.reserve(left_ + 1);  // only the used part is touched
    by_bits_ = problem.largest_offset() / 64 < 4 * static_cast<std::int64_t>(problem.offsets().size());
    if (by_bits_) mask_.emplace(problem.offsets());
  }

  /// The initial values in ascending order, sorted piece by piece: usually the first few reach everything.
  bool run() {
    std::vector<std::uint32_t> order(given_);
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](std::uint32_t x, std::uint32_t y) { return better_(table_[x], table_[y]); };
    std::size_t sorted = 0;
    for (std::size_t piece = 64; sorted < given_ && left_ > 0; piece *= 4) {
      const auto first = order.begin() + static_cast<std::ptrdiff_t>(sorted);
      const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(given_, sorted + piece));
      if (last != order.end()) std::nth_element(first, last, order.end(), before);
      std::sort(first, last, before);
      for (auto source = first; source != last && left_ > 0; ++source) {
        if (!spread_from(*source)) return false;
      }
      sorted = static_cast<std::size_t>(last - order.begin());
    }
    return true;
  }

 private:
  /// Gives the value of `source` to every open index that it reaches. Returns false if that is too much work.
  bool spread_from(std::size_t source) {
    const T value = table_[source];
    waiting_.assign(1, static_cast<std::uint32_t>(source));
    // In order: an early source reaches more of the table than a late one.
    for (std::size_t next = 0; next < waiting_.size() && left_ > 0; ++next) {
      if (done_ > max_operations_) return false;
      if (++steps_ % 1024 == 0) monitor_.check();
      const std::size_t from = waiting_[next];
      if (by_bits_) {
        take_bits(from, value);
      } else {
        take_each(from, value);
      }
    }
    return true;
  }

  void take_bits(std::size_t source, T value) {
    while (open_[first_open_] == 0) ++first_open_;
    while (open_[end_open_ - 1] == 0) --end_open_;
    const std::size_t first = std::max(first_open_, source / 64);
    const std::size_t last =
        std::min(end_open_, (source + static_cast<std::size_t>(problem_.largest_offset())) / 64 + 1);
    if (first >= last) return;
    const std::size_t found =
        cpu::take_common(open_.data() + first, mask_->from(source, first), last - first, taken_.data(), where_.data());
    done_ += static_cast<double>(last - first) / 8;
    for (std::size_t f = 0; f < found; ++f) {
      for (std::size_t w = where_[f]; w < where_[f] + vector_words_; ++w) {
        for (std::uint64_t bits = taken_[w]; bits != 0; bits &= bits - 1) {
          settle((first + w) * 64 + static_cast<std::size_t>(std::countr_zero(bits)), value);
        }
      }
    }
  }

  void take_each(std::size_t source, T value) {
    const auto offsets = problem_.offsets();
    done_ += static_cast<double>(offsets.size());
    for (std::size_t j = offsets.size(); j-- > 0;) {
      const std::size_t i = source + static_cast<std::size_t>(offsets[j]);
      if (i >= n_) return;
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      if (!(open_[i / 64] & bit)) continue;
      open_[i / 64] &= ~bit;
      settle(i, value);
    }
  }

  void settle(std::size_t i, T value) {
    table_[i] = value;
    --left_;
    if (i + static_cast<std::size_t>(problem_.smallest_offset()) < n_)
      waiting_.push_back(static_cast<std::uint32_t>(i));
  }

  const Problem<T>& problem_;
  SolveMonitor& monitor_;
  std::span<T> table_;
  const double max_operations_;
  const std::size_t given_;
  const std::size_t n_;
  const std::size_t vector_words_ = cpu::vector_words();
  const Better better_{};
  std::size_t left_;  // open outputs
  const std::size_t words_;
  std::vector<std::uint64_t> open_;  // one bit for each index: it has no value yet
  std::vector<std::uint64_t> taken_;
  std::vector<std::uint32_t> where_;
  std::size_t first_open_ = 0;          // no word before it has an open output
  std::size_t end_open_;                // no word from here on has one
  std::vector<std::uint32_t> waiting_;  // outputs that have the current value and have not passed it on
  std::optional<SuccessorMask> mask_;
  bool by_bits_ = false;
  double done_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

// The method is exact. An output's value is the best initial value from which a chain of offsets leads to it. The best
// initial value settles all that it reaches, the next one what is left, and so on. A settled output never changes, and
// the outputs after it already have its value, or a better one.
template <class T>
bool spread(const Problem<T>& problem, SolveMonitor& monitor, double max_operations, std::span<T> table) {
  if (problem.op() == Op::min) return Spreading<T, std::less<T>>(problem, monitor, max_operations, table).run();
  return Spreading<T, std::greater<T>>(problem, monitor, max_operations, table).run();
}

#define WARPFOLD_INSTANTIATE(T) template bool spread(const Problem<T>&, SolveMonitor&, double, std::span<T>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
