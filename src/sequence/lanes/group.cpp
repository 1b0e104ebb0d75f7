#include "sequence/lanes/group.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::lanes {

namespace {

std::size_t rounded_up(std::size_t number, std::size_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

std::size_t longest(std::span<const SymbolView> list) {
  std::size_t size = 0;
  for (const SymbolView symbols : list) size = std::max(size, symbols.size());
  return size;
}

/// Sets bit q of vector `at`.
void set_bit(std::uint64_t* vectors, std::size_t lanes, std::size_t at, std::size_t q) {
  vectors[at * lanes + q / 64] |= std::uint64_t{1} << (q % 64);
}

/// A block of a sequence that begins at `first`, which may lie before or behind it in part or entirely.
const std::uint8_t* block_of(SymbolView symbols, std::ptrdiff_t first, std::uint8_t* copy) {
  const auto size = static_cast<std::ptrdiff_t>(symbols.size());
  const auto width = static_cast<std::ptrdiff_t>(block);
  if (first >= 0 && first + width <= size) return symbols.bytes() + first;
  std::memset(copy, 0, block);
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(first, 0), end = std::min(first + width, size);
  if (begin < end) std::memcpy(copy + (begin - first), symbols.bytes() + begin, static_cast<std::size_t>(end - begin));
  return copy;
}

}  // namespace

std::size_t pairs_of_vector() { return functions(Measure::edit, 1).pairs; }

Group::Group(Measure measure, std::size_t n, std::size_t m, const SolveMonitor& monitor)
    : measure_(measure),
      monitor_(monitor),
      lanes_(pairs_of_vector() / 64),
      a_(slices::aligned_words(n * max_planes * lanes_)),
      b_(slices::aligned_words(rounded_up(m, columns_together) * max_planes * lanes_)),
      has_row_(slices::aligned_words(n * lanes_)),
      has_column_(slices::aligned_words(rounded_up(m, columns_together) * lanes_)),
      v_(slices::aligned_words(n * 2 * lanes_)),
      symbols_(slices::aligned_words(block * 8 * lanes_)),
      functions_(functions(measure, 1)),
      rows_of_pair_(64 * lanes_),
      columns_of_pair_(64 * lanes_),
      sums_(64 * lanes_),
      entries_(64 * lanes_) {}

std::size_t Group::bytes(std::size_t n, std::size_t m) {
  const std::size_t words = n * (max_planes + 3) + rounded_up(m, columns_together) * (max_planes + 1) + 8 * block;
  return pairs_of_vector() / 8 * words + 20 * pairs_of_vector();
}

void Group::set_b(std::span<const SymbolView> b, const Planes& planes) {
  planes_ = planes;
  functions_ = functions(measure_, planes_.count);
  tables_.planes = planes_.count;
  tables_.columns = rounded_up(longest(b), columns_together);
  std::fill_n(has_column_.get(), tables_.columns * lanes_, 0);
  columns_of_pair_.assign(64 * lanes_, 0);
  for (std::size_t q = 0; q < b.size(); ++q) {
    columns_of_pair_[q] = static_cast<std::uint32_t>(b[q].size());
    set_bit(has_column_.get(), lanes_, tables_.columns - b[q].size(), q);
  }
  for (std::size_t at = lanes_; at < tables_.columns * lanes_; ++at) has_column_[at] |= has_column_[at - lanes_];
  pack(b, tables_.columns, true, b_.get());
}

void Group::solve(std::span<const SymbolView> a, std::optional<std::uint32_t> bound, std::uint32_t* distances) {
  tables_.rows = longest(a);
  std::fill_n(has_row_.get(), tables_.rows * lanes_, 0);
  rows_of_pair_.assign(64 * lanes_, 0);
  for (std::size_t q = 0; q < a.size(); ++q) {
    rows_of_pair_[q] = static_cast<std::uint32_t>(a[q].size());
    set_bit(has_row_.get(), lanes_, a[q].size() - 1, q);
  }
  for (std::size_t at = (tables_.rows - 1) * lanes_; at > 0; --at) has_row_[at - 1] |= has_row_[at - 1 + lanes_];
  pack(a, tables_.rows, false, a_.get());
  if (measure_ == Measure::indel) {
    std::for_each_n(a_.get(), tables_.rows * planes_.count * lanes_, [](std::uint64_t& word) { word = ~word; });
  }
  run(bound, distances);
}

void Group::solve(SymbolView a, std::optional<std::uint32_t> bound, std::uint32_t* distances) {
  tables_.rows = a.size();
  std::fill_n(has_row_.get(), tables_.rows * lanes_, ~std::uint64_t{0});
  rows_of_pair_.assign(64 * lanes_, static_cast<std::uint32_t>(a.size()));
  const std::uint8_t inverted = measure_ == Measure::indel ? 0xFF : 0;
  std::uint64_t* to = a_.get();
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t p = 0; p < planes_.count; ++p, to += lanes_) {
      std::fill_n(to, lanes_, (a.bytes()[i] ^ inverted) & planes_.bits[p] ? ~std::uint64_t{0} : 0);
    }
  }
  run(bound, distances);
}

/// The planes of `length` symbols of each sequence, shorter ones with others before or behind them.
void Group::pack(std::span<const SymbolView> list, std::size_t length, bool is_aligned_at_end, std::uint64_t* to) {
  static const Transpose transpose_block = transpose();
  static const Split split_bytes = split();
  const std::size_t pairs = 64 * lanes_;
  auto* const symbols = reinterpret_cast<std::uint8_t*>(symbols_.get());
  std::uint8_t copies[block][block];
  const std::uint8_t* from[block];
  for (std::size_t first = 0; first < length; first += block) {
    for (std::size_t q = 0; q < pairs; q += block) {
      for (std::size_t s = 0; s < block; ++s) {
        const SymbolView sequence = q + s < list.size() ? list[q + s] : SymbolView();
        const std::size_t before = is_aligned_at_end ? length - sequence.size() : 0;
        from[s] =
            block_of(sequence, static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(before), copies[s]);
      }
      transpose_block(from, symbols + q, pairs);
    }
    for (std::size_t i = 0; i < std::min(block, length - first); ++i, to += planes_.count * lanes_) {
      split_bytes(symbols + i * pairs, planes_.bits.data(), planes_.count, to);
    }
  }
}

/// The diagonals that scripts of cost `bound` can reach, of all pairs.
void Group::limit_to(std::uint32_t bound) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (std::size_t q = 0; q < rows_of_pair_.size(); ++q) {
    if (columns_of_pair_[q] == 0) continue;
    const std::int64_t symbols = std::int64_t{rows_of_pair_[q]} + columns_of_pair_[q];
    least = std::min(least, symbols), most = std::max(most, symbols);
  }
  const auto columns = static_cast<std::int64_t>(tables_.columns);
  tables_.above = ((least - std::int64_t{bound}) >> 1) - columns;
  tables_.below = ((most + std::int64_t{bound}) >> 1) - columns + 1;
}

/// The columns between two looks at the clock, and whether all pairs have passed a bound.
std::size_t Group::columns_between_looks(bool has_bound) const {
  const auto band = static_cast<std::size_t>(tables_.below - tables_.above);
  const std::size_t rows = std::clamp<std::size_t>(band, 1, tables_.rows);
  const std::size_t columns = has_bound ? tuning::check_columns * tables_.rows / rows : tables_.columns;
  const std::size_t most = tuning::batch_check_entries / pairs_of_vector() / rows;
  return rounded_up(std::clamp<std::size_t>(columns, 1, std::max<std::size_t>(most, 1)), columns_together);
}

void Group::run(std::optional<std::uint32_t> bound, std::uint32_t* distances) {
  tables_.a = a_.get(), tables_.b = b_.get(), tables_.v = v_.get();
  tables_.has_row = has_row_.get(), tables_.has_column = has_column_.get();
  limit_to(bound.value_or(static_cast<std::uint32_t>(tables_.rows + tables_.columns)));
  functions_.begin(tables_);
  const std::size_t step = columns_between_looks(bound.has_value());
  bool is_passed = false;
  for (std::size_t column = 0; column < tables_.columns && !is_passed; column += step) {
    const std::size_t end = std::min(column + step, tables_.columns);
    functions_.advance(tables_, column, end);
    if (end == tables_.columns) break;
    monitor_.check();
    is_passed = bound && all_exceed(*bound, end);
  }
  if (!is_passed) entries_at(tables_.columns, entries_.data());
  for (std::size_t q = 0; q < entries_.size(); ++q) distances[q] = static_cast<std::uint32_t>(entries_[q]);
}

/// The entries of all pairs in their last diagonal, after `column` columns. Entries do not decrease along a diagonal.
void Group::entries_at(std::size_t column, std::int64_t* entries) {
  const std::size_t shift = tables_.columns - column;
  functions_.sum(tables_, shift, sums_.data());
  for (std::size_t q = 0; q < sums_.size(); ++q) {
    const auto j = std::int64_t{columns_of_pair_[q]} - static_cast<std::int64_t>(shift);
    const auto i = std::max<std::int64_t>(0, std::int64_t{rows_of_pair_[q]} - static_cast<std::int64_t>(shift));
    const auto sum = std::int64_t{sums_[q]};
    entries[q] = measure_ == Measure::edit ? j + sum - i : i + j - 2 * sum;
  }
}

/// Whether no pair can have a distance of at most `bound`.
bool Group::all_exceed(std::uint32_t bound, std::size_t column) {
  entries_at(column, entries_.data());
  for (std::size_t q = 0; q < entries_.size(); ++q) {
    if (columns_of_pair_[q] > 0 && entries_[q] <= std::int64_t{bound}) return false;
  }
  return true;
}

}  // namespace warpfold::sequence::lanes
