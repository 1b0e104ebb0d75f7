#include "warpfold/minplus/ceiling.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/number_types.hpp"
#include "minplus/ceiling_loop.hpp"
#include "warpfold/run/team.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "minplus/ceiling.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpfold::minplus::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V add(D, V a, V b) {
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    return hn::SaturatedAdd(a, b);
  } else {
    return hn::Add(a, b);
  }
}

/// Runs `rounds` rounds on R x V accumulators. R and V leave registers for the other operands: an accumulator that the
/// compiler moves to the stack halves the rate.
template <class T>
CeilingLoop run_rounds(T* memory, std::size_t rounds) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr int R = HWY_TARGET == HWY_AVX3 ? 5 : 4;
  constexpr int V = HWY_TARGET == HWY_AVX3 ? 4 : 2;
  hn::Vec<decltype(d)> right[V];
  hn::Vec<decltype(d)> sum[R][V];
#pragma GCC unroll 16
  for (int v = 0; v < V; ++v) right[v] = hn::LoadU(d, memory + v);
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) sum[r][v] = hn::LoadU(d, memory + (r * V + v) * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t round = 0; round < rounds; ++round) {
    asm volatile("" ::: "memory");  // the broadcast value may have changed, so that no addition is done once for all
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto left = hn::Set(d, memory[r]);
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) sum[r][v] = hn::Min(sum[r][v], add(d, left, right[v]));
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) hn::StoreU(sum[r][v], d, memory + (r * V + v) * lanes);
  }
  return {hwy::TargetName(HWY_TARGET), R, V, lanes};
}

// HWY_EXPORT takes plain functions only.
CeilingLoop run_i16(std::int16_t* memory, std::size_t rounds) { return run_rounds(memory, rounds); }
CeilingLoop run_i32(std::int32_t* memory, std::size_t rounds) { return run_rounds(memory, rounds); }
CeilingLoop run_i64(std::int64_t* memory, std::size_t rounds) { return run_rounds(memory, rounds); }
CeilingLoop run_f32(float* memory, std::size_t rounds) { return run_rounds(memory, rounds); }
CeilingLoop run_f64(double* memory, std::size_t rounds) { return run_rounds(memory, rounds); }

}  // namespace warpfold::minplus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::minplus {

namespace {

HWY_EXPORT(run_i16);
HWY_EXPORT(run_i32);
HWY_EXPORT(run_i64);
HWY_EXPORT(run_f32);
HWY_EXPORT(run_f64);

CeilingLoop run(std::int16_t* memory, std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(run_i16)(memory, rounds); }
CeilingLoop run(std::int32_t* memory, std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(run_i32)(memory, rounds); }
CeilingLoop run(std::int64_t* memory, std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(run_i64)(memory, rounds); }
CeilingLoop run(float* memory, std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(run_f32)(memory, rounds); }
CeilingLoop run(double* memory, std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(run_f64)(memory, rounds); }

/// Returns the results per second of one thread, measured for some 30 ms.
template <class T>
double measure_thread() {
  using Clock = std::chrono::steady_clock;
  T memory[ceiling_values] = {};
  std::size_t results = 0;
  const auto start = Clock::now();
  double seconds = 0;
  for (; seconds < 0.03; seconds = std::chrono::duration<double>(Clock::now() - start).count()) {
    constexpr std::size_t rounds = 100'000;
    results += rounds * run(memory, rounds).results();
  }
  return static_cast<double>(results) / seconds;
}

}  // namespace

template <class T>
CeilingLoop run_ceiling_loop(T* memory, std::size_t rounds) {
  return run(memory, rounds);
}

template <class T>
std::vector<CeilingShare> measure_ceiling_shares(int threads) {
  std::vector<CeilingShare> shares(static_cast<std::size_t>(threads));
  parallel(threads, [&](int thread) {
    shares[static_cast<std::size_t>(thread)] = {measure_thread<T>(), std::this_thread::get_id()};
  });
  return shares;
}

template <class T>
double measure_ceiling(int threads) {
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    double sum = 0;
    for (const CeilingShare& share : measure_ceiling_shares<T>(threads)) sum += share.results_per_second;
    best = std::max(best, sum);
  }
  return best;
}

#define WARPFOLD_INSTANTIATE(T)                                      \
  template CeilingLoop run_ceiling_loop(T*, std::size_t);            \
  template std::vector<CeilingShare> measure_ceiling_shares<T>(int); \
  template double measure_ceiling<T>(int);
WARPFOLD_INSTANTIATE(std::int16_t)
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus
#endif
