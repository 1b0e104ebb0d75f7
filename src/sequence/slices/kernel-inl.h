// The kernel of kernel.hpp for the instruction set that is being compiled. simd_dispatch.cpp includes it once for each.
#if defined(WARPFOLD_SEQUENCE_SLICES_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_SLICES_KERNEL_INL_H_
#undef WARPFOLD_SEQUENCE_SLICES_KERNEL_INL_H_
#else
#define WARPFOLD_SEQUENCE_SLICES_KERNEL_INL_H_
#endif

#include "sequence/slices/cells-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::slices::HWY_NAMESPACE {

template <class D, std::size_t planes, bool keeps>
void advance(Chunk& chunk) {
  const Bits d;
  const std::size_t lanes = hn::Lanes(d);
  const NextStripe next_stripe;
  const FirstBit first_bit;
  const std::size_t words = chunk.words;
  std::uint64_t* HWY_RESTRICT const state = chunk.state;
  std::uint64_t* HWY_RESTRICT const h_state = state + words * D::vectors * lanes;
  const std::uint64_t* HWY_RESTRICT const all_rows = chunk.rows;
  const std::size_t planes_of_rows = chunk.planes;
  std::uint64_t* kept = chunk.steps;
  for (auto& row : chunk.below) {
    for (auto& word : row) word = 0;
  }
  // Single variables: the compiler keeps an array in memory.
  static_assert(columns == 4);
  const std::size_t vectors = D::vectors * lanes;
  D h0 = D::load(h_state);
  D h1 = D::load(h_state + vectors);
  D h2 = D::load(h_state + 2 * vectors);
  D h3 = D::load(h_state + 3 * vectors);
  for (std::size_t step = 0; step < chunk_steps; ++step) {
    const std::size_t stripe = chunk.first_step + step;
    if (chunk.left && stripe < 64 * lanes) {
      for (std::size_t k = 0; k < words; ++k) D::copy(state + k * vectors, chunk.left + k * vectors, stripe, lanes);
    }
    if (chunk.right && stripe - chunk.right_step < 64 * lanes) {
      const std::size_t there = stripe - chunk.right_step;
      for (std::size_t k = 0; k < words; ++k) D::copy(chunk.right + k * vectors, state + k * vectors, there, lanes);
    }
    const Columns<D, planes> symbols(chunk, step);
    const auto enter = [&](D& h, std::size_t c)
                           HWY_ATTR { h = D::entered(h, next_stripe, first_bit, chunk, step * columns + c); };
    enter(h0, 0), enter(h1, 1), enter(h2, 2), enter(h3, 3);
    for (std::size_t k = 0; k < words; ++k) {
      const typename Columns<D, planes>::Rows rows(all_rows, planes_of_rows, k);
      D v = D::load(state + k * vectors);
      const auto cell = [&](D& h, std::size_t c) HWY_ATTR {
        const V one_more = D::cell(symbols.compare(rows, c), h, v);
        if constexpr (keeps) {
          D::keep(one_more, v, kept);
          kept += vectors;
        }
      };
      cell(h0, 0), cell(h1, 1), cell(h2, 2), cell(h3, 3);
      v.store(state + k * vectors);
    }
    h0.leave(chunk, step * columns);
    h1.leave(chunk, step * columns + 1);
    h2.leave(chunk, step * columns + 2);
    h3.leave(chunk, step * columns + 3);
  }
  h0.store(h_state);
  h1.store(h_state + vectors);
  h2.store(h_state + 2 * vectors);
  h3.store(h_state + 3 * vectors);
}

template <class D>
Advance by_planes(std::size_t planes) {
  switch (planes) {
    case 1:
      return advance<D, 1, false>;
    case 2:
      return advance<D, 2, false>;
    case 3:
      return advance<D, 3, false>;
    case 4:
      return advance<D, 4, false>;
    case 5:
      return advance<D, 5, false>;
    case 6:
      return advance<D, 6, false>;
    case 7:
    case 8:
      return advance<D, 8, false>;
    default:
      return advance<D, 0, false>;
  }
}

/// The kernel that keeps steps runs on few cells.
template <class D>
Advance by_planes_keeping(std::size_t planes) {
  return planes == 2 ? advance<D, 2, true> : advance<D, 0, true>;
}

Advance kernel_for(Measure measure, std::size_t planes, bool keeps) {
  if (measure == Measure::edit) return keeps ? by_planes_keeping<Signed>(planes) : by_planes<Signed>(planes);
  return keeps ? by_planes_keeping<Unsigned>(planes) : by_planes<Unsigned>(planes);
}

std::size_t lanes_of_vector() { return hn::Lanes(Bits()); }

}  // namespace warpfold::sequence::slices::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
