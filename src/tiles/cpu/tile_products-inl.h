// The products of tiles for the instruction set being compiled. tile_products.cpp includes it once for each.
#if defined(WARPFOLD_TILES_TILE_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#undef WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#else
#define WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tiles/cpu/register_product-inl.h"
#include "tiles/cpu/tile_products.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

template <class Ops, class T>
void accumulate(T* c, const T* a, const T* b, std::size_t depth, const T* next_a, const T* next_b) {
  using B = TileBlock<T>;
  for_each_block<B::rows, B::columns>(next_a, next_b, [&](std::size_t i, std::size_t j) HWY_ATTR {
    multiply_block<Ops, B::rows, B::vectors>(typename B::D(), a + i * tile_side, tile_side, b + j, tile_side,
                                             c + i * tile_side + j, tile_side, depth);
  });
}

/// The product without an index, `noted_terms` terms at a time. After these each result is compared with the one
/// before.
template <class Ops, class T>
void accumulate_noting(T* c, TileIndex<T>* note, const T* a, const T* b, std::size_t depth, TileIndex<T> first,
                       const T* next_a, const T* next_b) {
  using B = TileBlock<T>;
  const typename B::D d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  for_each_block<B::rows, B::columns>(next_a, next_b, [&](std::size_t i, std::size_t j) HWY_ATTR {
    auto here = hn::Set(di, first);
    for (std::size_t k = 0; k < depth; k += noted_terms) {
      hn::Vec<decltype(d)> sum[B::rows][B::vectors];
      add_block<Ops>(d, a + i * tile_side + k, tile_side, b + k * tile_side + j, tile_side, c + i * tile_side + j,
                     tile_side, std::min(noted_terms, depth - k), sum);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < B::rows; ++r) {
#pragma GCC unroll 16
        for (std::size_t v = 0; v < B::vectors; ++v) {
          const std::size_t at = (i + r) * tile_side + j + v * B::lanes;
          const auto better = hn::RebindMask(di, Ops::better(sum[r][v], hn::Load(d, c + at)));
          hn::Store(hn::IfThenElse(better, here, hn::Load(di, note + at)), di, note + at);
          hn::Store(sum[r][v], d, c + at);
        }
      }
      here = hn::Add(here, hn::Set(di, static_cast<TileIndex<T>>(noted_terms)));
    }
  });
}

/// Prefetches `noted_terms` values.
template <class T>
HWY_INLINE void prefetch_terms(const T* from) {
  for (std::size_t k = 0; k < noted_terms; k += 64 / sizeof(T)) hwy::Prefetch(from + k);
}

/// One bit for each lane, without a branch.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits = 0;
  for (std::size_t x = 0; 8 * x < hn::MaxLanes(d); ++x) bits |= std::uint64_t{bytes[x]} << (8 * x);
  return bits;
}

/// Returns the first of the noted terms whose value is `sought`. Values are compared, not bits: -0 is 0.
template <class Ops, class T>
HWY_INLINE std::size_t first_term(T sought, const T* left, const T* right) {
  const hn::CappedTag<T, noted_terms> d;
  const auto wanted = hn::Set(d, sought);
  std::uint64_t equal = 0;
#pragma GCC unroll 16
  for (std::size_t k = 0; k < noted_terms; k += hn::MaxLanes(d)) {
    equal |= bits_of(d, hn::Eq(Ops::times(hn::Load(d, left + k), hn::Load(d, right + k)), wanted)) << k;
  }
  return static_cast<std::size_t>(std::countr_zero(equal));
}

/// The places of a tile whose note is 0 or more, and some more, so that a loop can look ahead.
struct NotedPlaces {
  static constexpr std::size_t ahead = searched_ahead;
  std::uint16_t at[tile_side * tile_side + ahead];
  std::size_t count = 0;

  template <class I>
  HWY_INLINE explicit NotedPlaces(const I* note) {
    for (std::size_t place = 0; place < tile_side * tile_side; ++place) {
      at[count] = static_cast<std::uint16_t>(place);
      count += note[place] >= 0 ? 1 : 0;
    }
    std::fill_n(at + count, ahead, count > 0 ? at[count - 1] : std::uint16_t{0});
  }
};

/// Makes the notes of these places the offset of the first term that is the result, from the line's first entry.
/// Prefetches what later results need, and the labels that are found, if there are any.
template <class Ops, class T>
HWY_INLINE void search_noted(const NotedPlaces& places, const T* c, TileIndex<T>* note, const T* a, const T* b,
                             const TileIndex<T>* labels) {
  const auto row = [](std::size_t at) { return at / tile_side * tile_side; };
  const auto column = [](std::size_t at) { return at % tile_side * tile_side; };
  for (std::size_t x = 0; x < places.count; ++x) {
    const std::size_t next = places.at[x + NotedPlaces::ahead], at = places.at[x];
    const std::ptrdiff_t next_first = note[next], first = note[at];
    prefetch_terms(a + row(next) + next_first);
    prefetch_terms(b + column(next) + next_first);
    const std::size_t term = first_term<Ops>(c[at], a + row(at) + first, b + column(at) + first);
    const std::ptrdiff_t found = first + static_cast<std::ptrdiff_t>(term);
    note[at] = static_cast<TileIndex<T>>(found);
    if (labels) hwy::Prefetch(labels + row(at) + found);
  }
}

template <class Ops, class T>
void find_first(const T* c, TileIndex<T>* note, const T* a, const T* b) {
  const NotedPlaces places(note);
  search_noted<Ops, T>(places, c, note, a, b, nullptr);
  constexpr TileIndex<T> side = tile_side;
  for (std::size_t x = 0; x < places.count; ++x) {
    TileIndex<T>& term = note[places.at[x]];
    term = term / (side * side) * side + term % side;
  }
}

template <class Ops, class T>
void find_labels(const T* c, TileIndex<T>* note, const T* a, const T* b, const TileIndex<T>* labels) {
  const NotedPlaces places(note);
  search_noted<Ops>(places, c, note, a, b, labels);
  for (std::size_t x = 0; x < places.count; ++x) {
    const std::size_t at = places.at[x];
    note[at] = labels[at / tile_side * tile_side + static_cast<std::size_t>(note[at])];
  }
}

/// Products with argmin: four operations a result instead of two, since the comparison sets a mask and the mask chooses
/// k. As many results are held as indices: four rows of two vectors, half of AVX-512's registers and all of the
/// others'.
///
/// On the others, integers gained by two rows and by choosing again instead of the mask: i32 about 25 % and i64 12 % on
/// Zen 3. Floats lost 8 % by either.
///
/// label(i, k) is what a result of row i gets from term k.
template <class Ops, class T, class Label>
HWY_INLINE void accumulate_choosing(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth,
                                    const Label& label) {
  constexpr bool chooses_by_mask = HWY_TARGET <= HWY_AVX3 || std::is_floating_point_v<T>;
  constexpr int R = chooses_by_mask ? 4 : 2;
  constexpr int V = 2;
  const hn::ScalableTag<T> d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (std::size_t j = 0; j < tile_side; j += V * lanes) {
    for (std::size_t i = 0; i < tile_side; i += R) {
      hn::Vec<decltype(d)> sum[R][V];
      hn::Vec<decltype(di)> where[R][V];
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) {
          sum[r][v] = hn::Load(d, c + (i + r) * tile_side + j + v * lanes);
          where[r][v] = hn::Load(di, index + (i + r) * tile_side + j + v * lanes);
        }
      }
      for (std::size_t k = 0; k < depth; ++k) {
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto here = hn::Set(di, label(i + r, k));
          const auto left = hn::Set(d, a[(i + r) * tile_side + k]);
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            const auto candidate = Ops::times(left, hn::Load(d, b + k * tile_side + j + v * lanes));
            const auto better = Ops::better(candidate, sum[r][v]);
            sum[r][v] =
                chooses_by_mask ? hn::IfThenElse(better, candidate, sum[r][v]) : Ops::plus(sum[r][v], candidate);
            where[r][v] = hn::IfThenElse(hn::RebindMask(di, better), here, where[r][v]);
          }
        }
      }
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) {
          hn::Store(sum[r][v], d, c + (i + r) * tile_side + j + v * lanes);
          hn::Store(where[r][v], di, index + (i + r) * tile_side + j + v * lanes);
        }
      }
    }
  }
}

template <class Ops, class T>
void accumulate_argmin(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth, std::size_t first_k) {
  accumulate_choosing<Ops>(c, index, a, b, depth,
                           [&](std::size_t, std::size_t k) HWY_ATTR { return static_cast<TileIndex<T>>(first_k + k); });
}

template <class Ops, class T>
void accumulate_labels(T* c, TileIndex<T>* label, const T* a, const T* b, std::size_t depth,
                       const TileIndex<T>* labels) {
  accumulate_choosing<Ops>(c, label, a, b, depth,
                           [&](std::size_t i, std::size_t k) HWY_ATTR { return labels[i * tile_side + k]; });
}

template <class Semiring>
TileProducts<typename Semiring::Value> products_of() {
  using T = typename Semiring::Value;
  using Ops = VectorOps<Semiring>;
  if constexpr (sizeof(T) < 4 || !SemiringTraits<Semiring>::is_selective) {
    return {accumulate<Ops, T>};
  } else {
    return {accumulate<Ops, T>,        accumulate_argmin<Ops, T>, accumulate_labels<Ops, T>,
            accumulate_noting<Ops, T>, find_first<Ops, T>,        find_labels<Ops, T>};
  }
}

template <class T, class... Semirings>
TileProductSet<T> products_of_all(TagList<Semirings...> /*tags*/) {
  return {products_of<Semirings>()...};
}

template <class T>
TileProductSet<T> product_set() {
  return products_of_all<T>(Tags<T>());
}

// HWY_EXPORT takes plain functions only.
TileProductSet<std::uint8_t> product_set_u8() { return product_set<std::uint8_t>(); }
TileProductSet<std::int16_t> product_set_i16() { return product_set<std::int16_t>(); }
TileProductSet<std::int32_t> product_set_i32() { return product_set<std::int32_t>(); }
TileProductSet<std::int64_t> product_set_i64() { return product_set<std::int64_t>(); }
TileProductSet<std::uint64_t> product_set_u64() { return product_set<std::uint64_t>(); }
TileProductSet<float> product_set_f32() { return product_set<float>(); }
TileProductSet<double> product_set_f64() { return product_set<double>(); }

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
