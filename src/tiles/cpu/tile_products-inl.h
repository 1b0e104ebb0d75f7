// The products of tiles for the instruction set being compiled. tile_products.cpp includes it once for each.
#if defined(WARPFOLD_TILES_TILE_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#undef WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#else
#define WARPFOLD_TILES_TILE_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
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

/// Products with argmin by comparing each candidate: four operations a result instead of
/// two, since the comparison sets a mask and the mask chooses k. As many results are held as indices: four rows of two
/// vectors, half of AVX-512's registers and all of the others'.
///
/// On the others, integers gained by two rows and by choosing again instead of the mask: i32 about 25 % and i64 12 % on
/// Zen 3. Floats lost 8 % by either.
template <class Ops, class T>
void choose_argmin(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth, std::size_t first_k) {
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
        const auto here = hn::Set(di, static_cast<TileIndex<T>>(first_k + k));
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
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

#if HWY_TARGET <= HWY_AVX3  // the others hold too few results, or have too few lanes for a chunk

/// The columns of a tile's results that improved in each chunk of k: bit j of word [i][chunk].
struct ImprovedResults {
  static constexpr std::size_t chunk = 16, chunks = tile_side / chunk;

  std::uint64_t words[tile_side][chunks];

  [[nodiscard]] std::uint64_t any(std::size_t i) const { return words[i][0] | words[i][1] | words[i][2] | words[i][3]; }
  /// The results of the first rows that improved.
  [[nodiscard]] std::size_t count(std::size_t rows) const {
    std::size_t results = 0;
    for (std::size_t i = 0; i < rows; ++i) results += static_cast<std::size_t>(__builtin_popcountll(any(i)));
    return results;
  }
};

/// c = plus(c, a (x) b) for rows first_i .. end_i-1, and which results improved in which chunk.
template <class Ops, class T>
void accumulate_marked(T* c, const T* a, const T* b, std::size_t first_i, std::size_t end_i,
                       ImprovedResults& improved) {
  constexpr int R = 4, V = 2;
  constexpr std::size_t chunk = ImprovedResults::chunk;
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (std::size_t j = 0; j < tile_side; j += V * lanes) {
    for (std::size_t i = first_i; i < end_i; i += R) {
      hn::Vec<decltype(d)> sum[R][V], old[R][V];
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) sum[r][v] = hn::Load(d, c + (i + r) * tile_side + j + v * lanes);
      }
      for (std::size_t first = 0; first < tile_side; first += chunk) {
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) old[r][v] = sum[r][v];
        }
#pragma GCC unroll 4
        for (std::size_t k = first; k < first + chunk; ++k) {
          hn::Vec<decltype(d)> right[V];
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) right[v] = hn::Load(d, b + k * tile_side + j + v * lanes);
#pragma GCC unroll 16
          for (int r = 0; r < R; ++r) {
            const auto left = hn::Set(d, a[(i + r) * tile_side + k]);
#pragma GCC unroll 16
            for (int v = 0; v < V; ++v) sum[r][v] = Ops::plus(sum[r][v], Ops::times(left, right[v]));
          }
        }
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            auto* const bytes = reinterpret_cast<std::uint8_t*>(&improved.words[i + r][first / chunk]);
            hn::StoreMaskBits(d, Ops::better(sum[r][v], old[r][v]), bytes + (j + v * lanes) / 8);
          }
        }
      }
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) hn::Store(sum[r][v], d, c + (i + r) * tile_side + j + v * lanes);
      }
    }
  }
}

/// to[j][k] = b[k][j] for all of a row's columns and for the rows k that fill a block of 128 bits.
template <class T>
HWY_INLINE void transpose_rows(const T* b, std::size_t k, T* to) {
  constexpr std::size_t held = 16 / sizeof(T);
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  alignas(64) T block[held][lanes];
  for (std::size_t j = 0; j < tile_side; j += lanes) {
    const auto row = [&](std::size_t x) HWY_ATTR { return hn::Load(d, b + (k + x) * tile_side + j); };
    const auto low = hn::BitCast(d64, hn::InterleaveLower(d, row(0), row(1)));
    const auto high = hn::BitCast(d64, hn::InterleaveUpper(d, row(0), row(1)));
    if constexpr (held == 2) {
      hn::Store(hn::BitCast(d, low), d, block[0]);
      hn::Store(hn::BitCast(d, high), d, block[1]);
    } else {
      const auto next_low = hn::BitCast(d64, hn::InterleaveLower(d, row(2), row(3)));
      const auto next_high = hn::BitCast(d64, hn::InterleaveUpper(d, row(2), row(3)));
      hn::Store(hn::BitCast(d, hn::InterleaveLower(d64, low, next_low)), d, block[0]);
      hn::Store(hn::BitCast(d, hn::InterleaveUpper(d64, low, next_low)), d, block[1]);
      hn::Store(hn::BitCast(d, hn::InterleaveLower(d64, high, next_high)), d, block[2]);
      hn::Store(hn::BitCast(d, hn::InterleaveUpper(d64, high, next_high)), d, block[3]);
    }
    for (std::size_t x = 0; x < lanes; ++x) {
      std::copy_n(block[x % held] + x / held * held, held, to + (j + x) * tile_side + k);
    }
  }
}

/// Calls found(place, i, k) for each improved result, with the first k that gives its value: in the last chunk in which
/// it improved.
template <class Ops, class T, class Found>
HWY_INLINE void search_improved(const T* c, const T* a, const T* columns, const ImprovedResults& improved,
                                const Found& found) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (std::size_t i = 0; i < tile_side; ++i) {
    const auto& words = improved.words[i];
    for (std::uint64_t bits = improved.any(i); bits != 0; bits &= bits - 1) {
      const auto j = static_cast<std::size_t>(__builtin_ctzll(bits)), at = i * tile_side + j;
      const std::uint64_t later = (words[1] >> j & 1) | (words[2] >> j & 1) << 1 | (words[3] >> j & 1) << 2;
      std::size_t k = later == 0 ? 0 : ImprovedResults::chunk * (64 - static_cast<std::size_t>(__builtin_clzll(later)));
      const auto best = hn::Set(d, c[at]);
      const auto find = [&] HWY_ATTR {
        const auto left = hn::LoadU(d, a + i * tile_side + k);
        return hn::FindFirstTrue(d, hn::Eq(Ops::times(left, hn::LoadU(d, columns + j * tile_side + k)), best));
      };
      std::ptrdiff_t place = find();
      for (; place < 0; place = find()) k += lanes;
      found(at, i, k + static_cast<std::size_t>(place));
    }
  }
}

/// The product alone, and a search of each result that improved. If so many improve that comparing each candidate takes
/// less time, which the first rows tell, it returns false and changes nothing.
///
/// Measured on one thread of a Xeon (Sapphire Rapids), f32, in times of a product: comparing 2.0; the product with
/// marks 1.12, the transposed tile 0.11, and the search 3.5 times the part of the results that improve. In the r-th of
/// equal rounds 1 / r of them do.
template <class Ops, class T, class Found>
HWY_INLINE bool multiply_and_search(T* c, const T* a, const T* b, double max_improved, const Found& found) {
  constexpr std::size_t sample = 4;
  alignas(64) T old[sample * tile_side];
  std::copy_n(c, sample * tile_side, old);
  ImprovedResults improved;
  accumulate_marked<Ops>(c, a, b, 0, sample, improved);
  if (static_cast<double>(improved.count(sample)) > max_improved * sample * tile_side) {
    std::copy_n(old, sample * tile_side, c);
    return false;
  }
  accumulate_marked<Ops>(c, a, b, sample, tile_side, improved);
  alignas(64) T columns[tile_side * tile_side];
  for (std::size_t k = 0; k < tile_side; k += 16 / sizeof(T)) transpose_rows(b, k, columns);
  search_improved<Ops>(c, a, columns, improved, found);
  return true;
}

#else

template <class Ops, class T, class Found>
HWY_INLINE bool multiply_and_search(T* /*c*/, const T* /*a*/, const T* /*b*/, double /*max_improved*/,
                                    const Found& /*found*/) {
  return false;
}

#endif

template <class Ops, class T>
void accumulate_argmin(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth, std::size_t first_k) {
  const auto found = [&](std::size_t place, std::size_t /*i*/, std::size_t k) {
    index[place] = static_cast<TileIndex<T>>(first_k + k);
  };
  if (depth == tile_side && multiply_and_search<Ops>(c, a, b, 0.2, found)) return;
  choose_argmin<Ops>(c, index, a, b, depth, first_k);
}

/// Where the argmin is 0 or more, the label becomes a's.
template <class I>
void take_labels(I* labels, const I* argmin, const I* a_labels) {
  const hn::ScalableTag<I> di;
  const std::size_t lanes = hn::Lanes(di);
  for (std::size_t at = 0; at < tile_side * tile_side; at += lanes) {
    const auto index = hn::Load(di, argmin + at);
    const auto taken = hn::Lt(hn::Set(di, I{-1}), index);
    if (hn::AllFalse(di, taken)) continue;
    const I* row = a_labels + at / tile_side * tile_side;
    const auto found = hn::GatherIndex(di, row, hn::Max(index, hn::Zero(di)));
    hn::Store(hn::IfThenElse(taken, found, hn::Load(di, labels + at)), di, labels + at);
  }
}

template <class Ops, class T>
void accumulate_labels(T* c, TileIndex<T>* labels, const T* a, const TileIndex<T>* a_labels, const T* b,
                       std::size_t depth) {
  const auto found = [&](std::size_t place, std::size_t i, std::size_t k) {
    labels[place] = a_labels[i * tile_side + k];
  };
  if (depth == tile_side && multiply_and_search<Ops>(c, a, b, 0.35, found)) return;
  alignas(64) TileIndex<T> argmin[tile_side * tile_side];
  std::fill_n(argmin, tile_side * tile_side, TileIndex<T>{-1});
  choose_argmin<Ops>(c, argmin, a, b, depth, 0);
  take_labels(labels, argmin, a_labels);
}

template <class Semiring>
TileProducts<typename Semiring::Value> products_of() {
  using T = typename Semiring::Value;
  using Ops = VectorOps<Semiring>;
  if constexpr (sizeof(T) < 4 || !SemiringTraits<Semiring>::is_selective) {
    return {accumulate<Ops, T>, nullptr, nullptr};
  } else {
    return {accumulate<Ops, T>, accumulate_argmin<Ops, T>, accumulate_labels<Ops, T>};
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
