#include "sequence/slices/ceiling.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/slices/ceiling.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "sequence/slices/cells-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::slices::HWY_NAMESPACE {

/// C columns of one word of rows in each round, in two chains that are independent of each other.
template <class D, std::size_t planes>
CeilingLoop ceiling_loop(std::size_t rounds) {
  const Bits d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) std::uint64_t words[columns * 8 * window_words];
  std::uint64_t value = 1;
  for (auto& word : words) word = value *= 0x9E3779B97F4A7C15;
  Chunk chunk{};
  chunk.window = words;
  chunk.planes = planes;
  const Columns<D, planes> symbols(chunk, 0);
  D v0 = D::load(words), v1 = D::load(words + 8), h0 = D::load(words + 16), h1 = D::load(words + 24);
  for (std::size_t round = 0; round < rounds; ++round) {
    const typename Columns<D, planes>::Rows rows(words, planes, round % 4);  // or n would be the same in every round
    D::cell(symbols.compare(rows, 0), h0, v0);
    D::cell(symbols.compare(rows, 1), h1, v1);
    D::cell(symbols.compare(rows, 2), h0, v0);
    D::cell(symbols.compare(rows, 3), h1, v1);
  }
  for (const D& last : {v0, v1, h0, h1}) {
    last.store(words);
    for (std::size_t lane = 0; lane < D::vectors * lanes; ++lane) value ^= words[lane];
  }
  return {static_cast<double>(rounds * columns * 64 * lanes), value};
}

template <class D>
CeilingLoop ceiling_by_planes(std::size_t planes, std::size_t rounds) {
  if (planes <= 2) return ceiling_loop<D, 2>(rounds);
  return planes <= 5 ? ceiling_loop<D, 5>(rounds) : ceiling_loop<D, 8>(rounds);
}

CeilingLoop ceiling_for(Measure measure, std::size_t planes, std::size_t rounds) {
  return measure == Measure::edit ? ceiling_by_planes<Signed>(planes, rounds)
                                  : ceiling_by_planes<Unsigned>(planes, rounds);
}

}  // namespace warpfold::sequence::slices::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::sequence::slices {

HWY_EXPORT(ceiling_for);

CeilingLoop run_ceiling_loop(Measure measure, std::size_t planes, std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(ceiling_for)(measure, planes, rounds);
}

}  // namespace warpfold::sequence::slices
#endif
