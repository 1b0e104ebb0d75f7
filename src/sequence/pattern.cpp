#include <algorithm>
#include <iterator>
#include <utility>

#include "sequence/word_columns.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::sequence {

namespace {

constexpr std::uint32_t narrow_symbols = 256;

std::vector<std::uint32_t> wide_symbols(SymbolView symbols) {
  std::vector<std::uint32_t> wide;
  if (symbols.width() == 1) return wide;
  symbols.with_symbols([&](const auto& list) {
    std::ranges::copy_if(list, std::back_inserter(wide), [](std::uint32_t symbol) { return symbol >= narrow_symbols; });
  });
  std::ranges::sort(wide);
  wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
  return wide;
}

/// The sum of the vertical differences of the last column of one block.
template <class Column>
std::uint64_t sum_of_short(const Word* rows, std::size_t n, std::span<const std::uint8_t> other) {
  Column column;
  for (const std::uint8_t symbol : other) column.advance(rows[symbol], Column::above_first);
  return static_cast<std::uint64_t>(column.total(~Word{0} >> (rows_of_word - n)));
}

}  // namespace

std::uint64_t short_distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, Measure measure,
                             std::size_t symbols) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty()) return b.size();
  Word rows[narrow_symbols];
  std::fill_n(rows, symbols, Word{0});
  for (std::size_t i = 0; i < a.size(); ++i) rows[a[i]] |= Word{1} << i;
  if (measure == Measure::edit) return b.size() + sum_of_short<EditColumn>(rows, a.size(), b);
  return a.size() + b.size() - 2 * sum_of_short<CommonColumn>(rows, a.size(), b);
}

Pattern::Pattern(SymbolView symbols, Measure measure)
    : size_(symbols.size()), measure_(measure), wide_(wide_symbols(symbols)) {
  rows_.resize((narrow_symbols + wide_.size() + 1) * blocks());
  symbols.with_symbols([&](const auto& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t word = static_cast<std::size_t>(rows_of(list[i]) - rows_.data()) + i / rows_of_word;
      rows_[word] |= Word{1} << (i % rows_of_word);
    }
  });
}

/// A symbol that the pattern lacks has the last rows, which are empty.
const std::uint64_t* Pattern::rows_of(std::uint32_t symbol) const {
  if (symbol < narrow_symbols) return rows_.data() + symbol * blocks();
  const auto at = std::ranges::lower_bound(wide_, symbol);
  const bool is_known = at != wide_.end() && *at == symbol;
  const auto place = is_known ? static_cast<std::size_t>(at - wide_.begin()) : wide_.size();
  return rows_.data() + (narrow_symbols + place) * blocks();
}

/// The sum of the vertical differences of the last column, block by block of 64 rows.
template <class Column>
std::uint64_t Pattern::sum_of_rows(SymbolView other) const {
  return other.with_symbols([&](const auto& symbols) {
    std::vector<std::int8_t> above(blocks() > 1 ? symbols.size() : 0, Column::above_first);
    std::int64_t total = 0;
    for (std::size_t block = 0; block < blocks(); ++block) {
      Column column;
      if (above.empty()) {
        for (const auto symbol : symbols) column.advance(rows_of(symbol)[block], Column::above_first);
      } else {
        for (std::size_t j = 0; j < symbols.size(); ++j) {
          above[j] = static_cast<std::int8_t>(column.advance(rows_of(symbols[j])[block], above[j]));
        }
      }
      total += column.total(~Word{0} >> (rows_of_word - std::min(rows_of_word, size_ - block * rows_of_word)));
    }
    return static_cast<std::uint64_t>(total);
  });
}

std::uint64_t Pattern::distance(SymbolView other) const {
  if (measure_ == Measure::edit) return other.size() + sum_of_rows<EditColumn>(other);
  return size_ + other.size() - 2 * sum_of_rows<CommonColumn>(other);
}

}  // namespace warpfold::sequence
