#include "sequence/slices/stream.hpp"

#include <algorithm>
#include <bit>

namespace warpfold::sequence::slices {

Stream::Stream(const Layout& layout) {
  for (std::size_t sign = 0; sign < layout.signs; ++sign) bits_[sign].resize(layout.stream_words());
}

void Stream::begin(std::size_t first, std::size_t last) {
  first_ = first * chunk_words;
  last_ = last * chunk_words;
}

void Stream::put(const Chunk& chunk, std::size_t at) {
  for (std::size_t sign = 0; sign < 2 && !bits_[sign].empty(); ++sign) {
    std::copy_n(chunk.below[sign], chunk_words, &bits_[sign][at * chunk_words - first_]);
  }
}

void Stream::get(Chunk& chunk, std::size_t at, std::size_t lag) const {
  constexpr std::size_t shift = 64 - columns;
  for (std::size_t sign = 0; sign < 2 && !bits_[sign].empty(); ++sign) {
    for (std::size_t w = 0; w < chunk_words; ++w) {
      const std::size_t from = (at + lag) * chunk_words + w - 1;
      chunk.above[sign][w] = word(sign, from) >> shift | word(sign, from + 1) << (64 - shift);
    }
  }
}

void Stream::copy(std::size_t first, std::size_t end, std::span<std::uint64_t> words) const {
  const std::size_t from = first * chunk_words - first_, count = (end - first) * chunk_words;
  for (std::size_t at = 0; at < words.size(); at += count) {
    std::copy_n(bits_[at / count].begin() + static_cast<std::ptrdiff_t>(from), count, words.data() + at);
  }
}

void Stream::put(std::size_t first, std::size_t end, std::span<const std::uint64_t> words) {
  const std::size_t from = first * chunk_words - first_, count = (end - first) * chunk_words;
  for (std::size_t at = 0; at < words.size(); at += count) {
    std::copy_n(words.data() + at, count, bits_[at / count].begin() + static_cast<std::ptrdiff_t>(from));
  }
}

void Stream::save(const KeptRow& row, const Layout& layout) const {
  const std::size_t skew = (layout.stripes() - 1) * columns, shift = skew % 64;
  const std::size_t column = static_cast<std::size_t>(row.begin), first = (column + skew) / 64;
  static_assert(columns < 64);  // so the shift is not 0
  for (std::size_t sign = 0; sign < layout.signs; ++sign) {
    std::uint64_t* const words = row.words + sign * row.count;
    for (std::size_t w = 0; w < row.count; ++w) {
      words[w] = word(sign, first + w) >> shift | word(sign, first + w + 1) << (64 - shift);
    }
    if (column + 64 * row.count > layout.m) words[row.count - 1] &= (std::uint64_t{1} << layout.m % 64) - 1;
  }
}

void Stream::restore(const KeptRow& row, std::size_t first, std::size_t last, const Layout& layout) {
  begin(first, last);
  const auto skew = static_cast<std::ptrdiff_t>((layout.stripes() - 1) * columns);
  for (std::size_t sign = 0; sign < layout.signs; ++sign) {
    for (std::size_t at = first_; at < last_; ++at) {
      bits_[sign][at - first_] = row.bits(sign, static_cast<std::ptrdiff_t>(64 * at) - skew);
    }
  }
}

std::int64_t Stream::count(std::size_t sign, std::size_t from, std::size_t to, const Layout& layout) const {
  const std::size_t skew = (layout.stripes() - 1) * columns;
  std::int64_t bits = 0;
  for (std::size_t bit = from + skew; bit < to + skew;) {
    const std::size_t length = std::min(64 - bit % 64, to + skew - bit);
    bits += std::popcount(word(sign, bit / 64) << (64 - length - bit % 64) & (~std::uint64_t{0} << (64 - length)));
    bit += length;
  }
  return bits;
}

/// Right of the strip's columns nothing matches: the distance grows by one from column to column.
std::uint64_t Stream::word(std::size_t sign, std::size_t at) const {
  if (at < last_) return bits_[sign][at - first_];
  return sign == 0 && !bits_[1].empty() ? ~std::uint64_t{0} : 0;
}

}  // namespace warpfold::sequence::slices
