#include "sequence/slices/table.hpp"

namespace warpfold::sequence::slices {

std::uint64_t KeptRow::word(std::size_t sign, std::ptrdiff_t at) const {
  if (at >= 0 && at < static_cast<std::ptrdiff_t>(count)) return words[sign * count + static_cast<std::size_t>(at)];
  return sign == 0 && signs == 2 ? ~std::uint64_t{0} : 0;
}

std::uint64_t KeptRow::bits(std::size_t sign, std::ptrdiff_t column) const {
  const std::ptrdiff_t at = (column - begin) >> 6, shift = (column - begin) & 63;
  if (shift == 0) return word(sign, at);
  return word(sign, at) >> shift | word(sign, at + 1) << (64 - shift);
}

int KeptColumn::difference(std::size_t row) const {
  const std::size_t number = first_row + row + layout->rows_before();
  const std::size_t strip = number / layout->rows(), in_strip = number % layout->rows();
  if (strip < first_strip) return layout->signs == 2 ? -1 : 1;
  if (strip >= end_strip) return layout->signs == 2 ? 1 : 0;
  const std::size_t stripe = in_strip / layout->words, word = in_strip % layout->words;
  const std::uint64_t* const v = of_strip(strip) + word * layout->signs * layout->lanes + stripe % layout->lanes;
  const auto bit = [&](std::size_t sign) { return v[sign * layout->lanes] >> (stripe / layout->lanes) & 1; };
  if (bit(0) != 0) return 1;
  return layout->signs == 2 && bit(1) != 0 ? -1 : 0;
}

}  // namespace warpfold::sequence::slices
