// The kernel of kernel.hpp for the instruction set that is being compiled. simd_dispatch.cpp includes it once for each.
#if defined(WARPFOLD_SEQUENCE_LANES_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_LANES_KERNEL_INL_H_
#undef WARPFOLD_SEQUENCE_LANES_KERNEL_INL_H_
#else
#define WARPFOLD_SEQUENCE_LANES_KERNEL_INL_H_
#endif

#include <algorithm>
#include <bit>

#include "sequence/lanes/kernel.hpp"
#include "sequence/slices/cells-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::lanes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using slices::HWY_NAMESPACE::Bits;
using slices::HWY_NAMESPACE::Signed;
using slices::HWY_NAMESPACE::Unsigned;
using slices::HWY_NAMESPACE::V;

/// h above the first row, for the pairs that have the column and for the others.
HWY_INLINE void enter(Signed& h, V has_column) { h = {has_column, hn::Not(has_column)}; }
HWY_INLINE void enter(Unsigned& h, V has_column) { h = {hn::Not(has_column)}; }

/// v before column 0.
HWY_INLINE void set_first(Signed& v) { v = {hn::Set(Bits(), ~std::uint64_t{0}), hn::Zero(Bits())}; }
HWY_INLINE void set_first(Unsigned& v) { v = {hn::Zero(Bits())}; }

template <class D>
void begin(const Tables& tables) {
  D v;
  set_first(v);
  for (std::size_t i = 0; i < tables.rows; ++i) v.store(tables.v + i * D::vectors * hn::Lanes(Bits()));
}

std::size_t row_at(const Tables& tables, std::ptrdiff_t row) {
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, static_cast<std::ptrdiff_t>(tables.rows)));
}

/// C columns from `column`, whose planes stay in the L1.
template <class D, std::size_t planes>
HWY_INLINE void advance_together(const Tables& tables, std::size_t column) {
  const Bits d;
  const std::size_t lanes = hn::Lanes(d);
  const auto t = static_cast<std::ptrdiff_t>(column);
  const std::size_t first = row_at(tables, t + tables.above);
  const std::size_t end = row_at(tables, t + static_cast<std::ptrdiff_t>(columns_together) - 1 + tables.below);
  const std::uint64_t* HWY_RESTRICT const b = tables.b + column * planes * lanes;
  const std::uint64_t* HWY_RESTRICT a = tables.a + first * planes * lanes;
  std::uint64_t* HWY_RESTRICT v_at = tables.v + first * D::vectors * lanes;
  static_assert(columns_together == 4);
  D h0, h1, h2, h3;
  const std::uint64_t* const has = tables.has_column + column * lanes;
  enter(h0, hn::Load(d, has)), enter(h1, hn::Load(d, has + lanes));
  enter(h2, hn::Load(d, has + 2 * lanes)), enter(h3, hn::Load(d, has + 3 * lanes));
  for (std::size_t i = first; i < end; ++i) {
    D v = D::load(v_at);
    const auto cell = [&](D& h, std::size_t c) HWY_ATTR {
      V compared = hn::Xor(hn::Load(d, a), hn::Load(d, b + c * planes * lanes));
#pragma GCC unroll 8
      for (std::size_t p = 1; p < planes; ++p) {
        const V plane = hn::Xor(hn::Load(d, a + p * lanes), hn::Load(d, b + (c * planes + p) * lanes));
        compared = slices::HWY_NAMESPACE::joined<D>(compared, plane);
      }
      D::cell(compared, h, v);
    };
    cell(h0, 0), cell(h1, 1), cell(h2, 2), cell(h3, 3);
    v.store(v_at);
    a += planes * lanes;
    v_at += D::vectors * lanes;
  }
}

template <class D, std::size_t planes>
void advance(const Tables& tables, std::size_t first, std::size_t end) {
  for (std::size_t column = first; column < end; column += columns_together) {
    advance_together<D, planes>(tables, column);
  }
}

/// A counter for every bit of a vector.
class Counters {
 public:
  /// `most`: no counter exceeds it.
  explicit Counters(std::size_t most) : width_(std::bit_width(most)) {
    for (std::size_t k = 0; k < width_; ++k) hn::Store(hn::Zero(Bits()), Bits(), digits_[k]);
  }
  HWY_INLINE void add(V ones) {
    const Bits d;
    for (std::size_t k = 0; k < width_ && !hn::AllTrue(d, hn::Eq(ones, hn::Zero(d))); ++k) {
      const V digit = hn::Load(d, digits_[k]);
      hn::Store(hn::Xor(digit, ones), d, digits_[k]);
      ones = hn::And(digit, ones);
    }
  }
  void get(std::uint32_t* counts) const {
    for (std::size_t lane = 0; lane < hn::Lanes(Bits()); ++lane) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        std::uint64_t count = 0;
        for (std::size_t k = 0; k < width_; ++k) count |= (digits_[k][lane] >> bit & 1) << k;
        *counts++ = static_cast<std::uint32_t>(count);
      }
    }
  }

 private:
  std::size_t width_;
  alignas(64) std::uint64_t digits_[32][slices::max_lanes];
};

HWY_INLINE void count(const Signed& v, V has_row, Counters& counters) {
  counters.add(hn::And(v.plus, has_row));
  counters.add(hn::AndNot(v.minus, has_row));
}
HWY_INLINE void count(const Unsigned& v, V has_row, Counters& counters) { counters.add(hn::And(v.one, has_row)); }

template <class D>
void sum(const Tables& tables, std::size_t shift, std::uint32_t* sums) {
  const std::size_t lanes = hn::Lanes(Bits());
  Counters counters(D::vectors * tables.rows);
  for (std::size_t i = 0; i + shift < tables.rows; ++i) {
    count(D::load(tables.v + i * D::vectors * lanes), hn::Load(Bits(), tables.has_row + (i + shift) * lanes), counters);
  }
  counters.get(sums);
}

template <class D, std::size_t planes>
Functions functions_of() {
  return {hn::Lanes(Bits()) * 64, D::vectors, begin<D>, advance<D, planes>, sum<D>};
}

template <class D>
Functions by_planes(std::size_t planes) {
  switch (planes) {
    case 1:
      return functions_of<D, 1>();
    case 2:
      return functions_of<D, 2>();
    case 3:
      return functions_of<D, 3>();
    case 4:
      return functions_of<D, 4>();
    case 5:
      return functions_of<D, 5>();
    case 6:
      return functions_of<D, 6>();
    case 7:
      return functions_of<D, 7>();
    default:
      return functions_of<D, 8>();
  }
}

Functions functions_for(Measure measure, std::size_t planes) {
  return measure == Measure::edit ? by_planes<Signed>(planes) : by_planes<Unsigned>(planes);
}

bool has_each(const ByteSet& set, const std::uint8_t* bytes, std::size_t count) {
  return std::all_of(bytes, bytes + count,
                     [&](unsigned byte) { return (set[byte % 16 + byte / 128 * 16] >> (byte / 16 % 8) & 1) != 0; });
}

#if HWY_TARGET == HWY_SCALAR || HWY_IS_BIG_ENDIAN
bool has_all_bytes(const ByteSet& set, const std::uint8_t* bytes, std::size_t count) {
  return has_each(set, bytes, count);
}

void transpose_block(const std::uint8_t* const* from, std::uint8_t* to, std::size_t stride) {
  for (std::size_t i = 0; i < block; ++i) {
    for (std::size_t s = 0; s < block; ++s) to[i * stride + s] = from[s][i];
  }
}

void split_bytes(const std::uint8_t* bytes, const std::uint8_t* bits, std::size_t planes, std::uint64_t* to) {
  for (std::size_t p = 0; p < planes; ++p) {
    for (std::size_t lane = 0; lane < hn::Lanes(Bits()); ++lane) {
      std::uint64_t word = 0;
      for (std::size_t q = 0; q < 64; ++q) word |= std::uint64_t{(bytes[lane * 64 + q] & bits[p]) != 0} << q;
      *to++ = word;
    }
  }
}
#else
bool has_all_bytes(const ByteSet& set, const std::uint8_t* bytes, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const std::size_t lanes = hn::Lanes(d);
  if (count < lanes) return has_each(set, bytes, count);
  alignas(16) static constexpr std::uint8_t bit_of_half[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                               1, 2, 4, 8, 16, 32, 64, 128};
  const auto bits = hn::LoadDup128(d, bit_of_half);
  const auto lower = hn::LoadDup128(d, set.data()), upper = hn::LoadDup128(d, set.data() + 16);
  auto missing = hn::Zero(d);
  for (std::size_t first = 0; first < count; first += lanes) {
    const auto symbols = hn::LoadU(d, bytes + std::min(first, count - lanes));
    const auto low = hn::And(symbols, hn::Set(d, 15)), high = hn::ShiftRight<4>(symbols);
    const auto is_upper = hn::RebindMask(d, hn::Lt(hn::BitCast(signed_d, symbols), hn::Zero(signed_d)));
    const auto present = hn::IfThenElse(is_upper, hn::TableLookupBytes(upper, low), hn::TableLookupBytes(lower, low));
    missing = hn::Or(missing, hn::AndNot(present, hn::TableLookupBytes(bits, high)));
  }
  return hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
}

using Block = hn::Full128<std::uint8_t>;

/// Four rounds, each of which interleaves the rows of the first half with those of the second.
void transpose_block(const std::uint8_t* const* from, std::uint8_t* to, std::size_t stride) {
  const Block d;
  hn::Vec<Block> rows[block], next[block];
#pragma GCC unroll 16
  for (std::size_t row = 0; row < block; ++row) rows[row] = hn::LoadU(d, from[row]);
#pragma GCC unroll 4
  for (int round = 0; round < 4; ++round) {
#pragma GCC unroll 8
    for (std::size_t row = 0; row < block / 2; ++row) {
      next[2 * row] = hn::InterleaveLower(d, rows[row], rows[row + block / 2]);
      next[2 * row + 1] = hn::InterleaveUpper(d, rows[row], rows[row + block / 2]);
    }
#pragma GCC unroll 16
    for (std::size_t row = 0; row < block; ++row) rows[row] = next[row];
  }
#pragma GCC unroll 16
  for (std::size_t row = 0; row < block; ++row) hn::StoreU(rows[row], d, to + row * stride);
}

void split_bytes(const std::uint8_t* bytes, const std::uint8_t* bits, std::size_t planes, std::uint64_t* to) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(Bits());
  const std::size_t bytes_of_vector = hn::Lanes(d);
  for (std::size_t p = 0; p < planes; ++p) {
    const auto bit = hn::Set(d, bits[p]);
    auto* const plane = reinterpret_cast<std::uint8_t*>(to + p * lanes);
    for (std::size_t at = 0; at < lanes * 64; at += bytes_of_vector) {
      hn::StoreMaskBits(d, hn::TestBit(hn::Load(d, bytes + at), bit), plane + at / 8);
    }
  }
}
#endif

Transpose transpose_function() { return transpose_block; }
Split split_function() { return split_bytes; }
HasAll has_all_function() { return has_all_bytes; }

}  // namespace warpfold::sequence::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
