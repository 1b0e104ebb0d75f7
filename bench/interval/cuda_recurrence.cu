// How fast are user-defined recurrences on this GPU (a triangulation, the matrix chain, Nussinov's base pairs),
// compared with the built-in triangulation and the (min,+) ceiling of the same run?
//
//   bench_interval cuda_recurrence --json > results/<machine>/cuda_recurrence.json

#include <random>

#include "../device_time.cuh"
#include "minplus/ceiling.cuh"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.cuh"

namespace warpfold::bench {

/// The triangulation as a user would write it.
template <class T>
struct Chords {
  using Semiring = MinPlus<T>;
  std::size_t vertices;
  const T* weights;

  constexpr T leaf(std::size_t) const { return 0; }
  constexpr T weight(std::size_t i, std::size_t j) const {
    return i == 0 && j + 1 == vertices ? 0 : weights[i * vertices + j];
  }
};
struct NonnegativeChords : Chords<float> {
  static constexpr bool nonnegative = true;
};

/// The most base pairs of an RNA sequence (examples/nussinov.cpp).
struct Nussinov {
  using Semiring = MaxPlus<std::int32_t>;
  std::span<const std::uint8_t> bases;  // 0 A, 1 C, 2 G, 3 U

  static constexpr bool pair(unsigned a, unsigned b) { return a + b == 3 || a + b == 5; }
  constexpr std::int32_t leaf(std::size_t) const { return 0; }
  constexpr std::int32_t close(std::size_t i, std::size_t j, std::int32_t best, std::int32_t inner) const {
    return j - i > 4 && pair(bases[i], bases[j - 1]) ? std::max(best, inner + 1) : best;
  }
};

/// Small dimensions, so that every total is an integer of at most 24 bits.
template <class T>
struct Chain {
  using Semiring = MinPlus<T>;
  static constexpr bool nonnegative = true;
  const T* p;

  constexpr T leaf(std::size_t) const { return 0; }
  constexpr T weight(std::size_t, std::size_t) const { return 0; }
  constexpr interval::ProductSplit<T> product_split() const { return {p, p, p, true}; }
};
/// Without the promise of nonnegative values: an addition and a minimum for every split, besides the product.
struct PlainChain : Chain<float> {
  static constexpr bool nonnegative = false;
};

namespace {

using cuda::Buffer;
using cuda::check;
using interval::cuda::detail::DeviceSolve;

/// The two terms of a product split, for the ceiling of a chain's own instructions.
template <class R>
struct SplitArithmetic {
  using Rules = interval::device::RecurrenceRules<R, true>;
  using Value = typename Rules::Value;
  static constexpr Value none = infinity<Value>;
  static __device__ __forceinline__ Value plus(Value x, Value y) { return Rules::plus(x, y); }
  static __device__ __forceinline__ Value accumulate(Value best, Value a0, Value b0, Value a1, Value b1) {
    return Rules::accumulate_products(best, a0, b0, b1, a1, b1, b0, a0);
  }
};

template <class T>
Json row_of(const std::string& work, std::size_t n, const Timing& timing, double ceiling) {
  const auto m = static_cast<double>(n);
  return row(work, {{"dtype", dtype_name<T>()}, {"n", n}}, timing, m * (m - 1) * (m - 2) / 6, ceiling);
}

template <class T>
void keep_solve(const std::string& work, std::size_t n, const Timing& timing, double ceiling,
                double built_in_seconds = 0) {
  Json json = row_of<T>(work, n, timing, ceiling);
  if (built_in_seconds > 0) json["fraction_of_built_in"] = built_in_seconds / timing.median_seconds;
  keep(std::move(json));
}

template <class R>
Timing time_of(DeviceSolve<R>& solve, int repeats) {
  const Timing timing = device_time(repeats, [&](cudaStream_t stream) { solve.start(stream); });
  solve.check_fit();
  return timing;
}

template <class T>
__global__ void draw_weights(T* weights, std::size_t count) {
  for (std::size_t t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += std::size_t{gridDim.x} * blockDim.x) {
    weights[t] = static_cast<T>(1 + (t * 2654435761U >> 7) % 1000);
  }
}

/// The user-defined triangulation and the built-in one, from the same weights on the device.
template <class T, class R>
void triangulations(const std::string& name, std::size_t n, double ceiling, int repeats, bool nonnegative) {
  const Buffer<T> weights(n * n), cost(1);
  draw_weights<<<1024, 256>>>(weights.data(), n * n);
  cuda::check_launch("draw weights");
  Timing built_in;
  T least = 0;
  {
    interval::cuda::Plan<T> plan(n);
    const interval::cuda::WeightBounds<T> bounds{static_cast<T>(1000 * n), nonnegative};
    built_in = device_time(repeats, [&](cudaStream_t s) { plan.solve(weights.data(), 0, bounds, s); });
    plan.costs(cost.data());
    check(cudaMemcpy(&least, cost.data(), sizeof least, cudaMemcpyDeviceToHost), "send the cost");
  }
  keep_solve<T>("built-in " + name, n, built_in, ceiling);
  R chords;
  chords.vertices = n;
  chords.weights = weights.data();
  DeviceSolve<R> own(chords, n);
  keep_solve<T>("own " + name, n, time_of(own, repeats), ceiling, built_in.median_seconds);
  require(own.table().value(0, n - 1) == least, "one's own triangulation has another cost than the built-in");
}

template <class T, class R>
void chain(const std::string& name, std::size_t n, double ceiling, int repeats) {
  // of the chain's own instructions, with all operands in registers
  const double own_ceiling = minplus::device::ceiling_per_second<SplitArithmetic<R>>();
  std::mt19937_64 random(n);
  std::vector<std::int64_t> dimensions(n);
  for (std::int64_t& p : dimensions) p = static_cast<std::int64_t>(1 + random() % 6);
  const std::vector<T> p(dimensions.begin(), dimensions.end());
  R recurrence;
  recurrence.p = p.data();
  DeviceSolve<R> solve(recurrence, n);
  Json json = row_of<T>(name, n, time_of(solve, repeats), ceiling);
  json["own_ceiling_per_second"] = own_ceiling;
  json["fraction_of_own_ceiling"] = json["rate_per_second"].get<double>() / own_ceiling;
  keep(std::move(json));
  const auto expected = interval::solve(interval::MatrixChain(dimensions)).solution.cost;
  require(static_cast<interval::Wide>(solve.table().value(0, n - 1)) == expected, name + " is not Hu and Shing's");
}

void nussinov(std::size_t n, double ceiling, int repeats, bool checked) {
  std::mt19937_64 random(n);
  std::vector<std::uint8_t> bases(n - 1);
  for (std::uint8_t& base : bases) base = static_cast<std::uint8_t>(random() % 4);
  const interval::cuda::Array<std::uint8_t> on_device(bases);
  DeviceSolve<Nussinov> solve(Nussinov{on_device.span()}, n);
  keep_solve<std::int32_t>("nussinov", n, time_of(solve, repeats), ceiling);
  if (checked) {
    require(interval::solve_recurrence(Nussinov{bases}, n).solution.value() == solve.table().value(0, n - 1),
            "the CPU finds another number of pairs");
  }
}

const Question cuda_recurrence_question("cuda_recurrence", [](const Arguments&) {
  using tiles::device::Arithmetic;
  const double f32 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<float>>>();
  const double i32 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<std::int32_t>>>();
  const double f64 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<double>>>();
  keep({{"work", "registers only"}, {"terms_per_second", {{"f32", f32}, {"i32", i32}, {"f64", f64}}}});
  for (const std::size_t n : {8192, 32768}) {
    const int repeats = n == 8192 ? 5 : 3;
    triangulations<float, Chords<float>>("triangulation", n, f32, repeats, false);
    triangulations<float, NonnegativeChords>("triangulation, not negative", n, f32, repeats, true);
    triangulations<std::int32_t, Chords<std::int32_t>>("triangulation", n, i32, repeats, false);
    chain<float, PlainChain>("chain", n, f32, repeats);
    chain<float, Chain<float>>("chain, not negative", n, f32, repeats);
    chain<std::int32_t, Chain<std::int32_t>>("chain", n, i32, repeats);
    nussinov(n, i32, repeats, n == 8192);
  }
  chain<double, Chain<double>>("chain", 8192, f64, 5);
});

}  // namespace
}  // namespace warpfold::bench
