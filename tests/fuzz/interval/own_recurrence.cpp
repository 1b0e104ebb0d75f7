#include <fmt/format.h>

#include <cmath>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/interval/tiled.hpp"
#ifdef __CUDACC__
#include "warpfold/interval/recurrence.cuh"
#endif

namespace warpfold::fuzz {
namespace {

using interval::ProductSplit;
using CountingPrime = CountingModulo<1009>;

/// The numbers of a recurrence.
template <class S>
struct Drawn {
  using T = typename S::Value;
  std::size_t points;
  Matrix<T> weights;
  std::vector<T> left, middle, right;

  Drawn(Bytes& bytes, const Numbers& numbers, std::size_t n)
      : points(n), left(n, T{0}), middle(n, T{0}), right(n, T{0}) {
    const auto most = static_cast<T>(std::numeric_limits<T>::max() / static_cast<T>(40 * n));
    const auto list = [&] { return numbers.list<T>(bytes, n, static_cast<T>(std::cbrt(most))); };
    weights = numbers.matrix<T>(bytes, n, n, most, S::zero());
    left = list(), middle = list(), right = list();
    if constexpr (std::is_same_v<S, CountingPrime>) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) weights(i, j) %= 1009;
      }
    }
  }
};

/// The numbers of the recurrences below, on the host or on a GPU.
template <class S>
struct Parts {
  using Semiring = S;
  using T = typename S::Value;
  std::size_t points;
  const T *weights, *left, *middle, *right;

  [[nodiscard]] constexpr T entry(std::size_t i, std::size_t j) const { return weights[i * points + j]; }
  [[nodiscard]] constexpr T leaf(std::size_t i) const { return entry(i, 0); }
};

template <class S>
struct Weighted : Parts<S> {
  [[nodiscard]] constexpr auto weight(std::size_t i, std::size_t j) const { return this->entry(i, j); }
};

template <class S>
struct WithProduct : Parts<S> {
  [[nodiscard]] constexpr auto weight(std::size_t i, std::size_t j) const { return this->entry(i, j); }
  [[nodiscard]] ProductSplit<typename S::Value> product_split() const {
    return {this->left, this->middle, this->right};
  }
};

template <class S>
struct WithSplitAndInner : Parts<S> {
  using T = typename S::Value;
  [[nodiscard]] constexpr T split(std::size_t i, std::size_t k, std::size_t j) const {
    return this->entry(k, (i + j) % this->points);
  }
  [[nodiscard]] constexpr T close(std::size_t i, std::size_t j, T best, T inner) const {
    return S::plus(best, S::times(inner, this->entry(i, j)));
  }
};

template <class R>
using DrawnOf = Drawn<typename R::Semiring>;

template <class R>
R on_host(const DrawnOf<R>& drawn) {
  return {{drawn.points, drawn.weights.view().data, drawn.left.data(), drawn.middle.data(), drawn.right.data()}};
}

/// -0.0 counts as 0.0.
template <class T>
T taken(T x) {
  return static_cast<T>(x + T{0});
}

/// The recurrence as written.
template <class R>
std::vector<typename R::T> naive_values(const R& r) {
  using S = typename R::Semiring;
  const std::size_t n = r.points;
  Matrix<typename R::T> value(n, n, S::one());
  for (std::size_t i = n - 1; i-- > 0;) {
    value(i, i + 1) = taken(r.leaf(i));
    for (std::size_t j = i + 2; j < n; ++j) {
      auto best = S::zero();
      for (std::size_t k = i + 1; k < j; ++k) {
        auto parts = S::times(value(i, k), value(k, j));
        if constexpr (interval::splits_by_product<R>) parts = S::times(parts, r.product_split()(i, k, j));
        if constexpr (interval::splits_freely<R>) parts = S::times(parts, taken(r.split(i, k, j)));
        best = S::plus(best, parts);
      }
      if constexpr (interval::closes_by_weight<R>) {
        value(i, j) = S::times(best, taken(r.weight(i, j)));
      } else {
        value(i, j) = taken(r.close(i, j, best, value(i + 1, j - 1)));
      }
    }
  }
  std::vector<typename R::T> values;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) values.push_back(value(i, j));
  }
  return values;
}

template <class R>
std::string solved(const R& recurrence, const Options& options) {
  const auto table = interval::solve_recurrence(recurrence, recurrence.points, options).solution;
  std::string text = bits(values_of(table));
  if constexpr (
      requires { R::Semiring::plus; } && !requires { R::Semiring::accepts; }) {
    text += bits(interval::structure(recurrence, table, options));
  }
  return text;
}

/// In a build with CUDA, a GPU's values must be the CPU's.
template <class R>
void expect_values_alike_on_gpu(const std::string& problem, const DrawnOf<R>& drawn) {
#ifdef __CUDACC__
  if (!has_gpu()) return;
  const std::string expected = answer([&] {
    return bits(values_of(interval::solve_recurrence(on_host<R>(drawn), drawn.points, by("tiled")).solution));
  });
  // the message names the first interval that was found
  if (expected.starts_with(error_text(ErrorKind::overflow))) return;
  using List = interval::cuda::Array<typename R::T>;
  const List weights(drawn.weights.values()), left(drawn.left), middle(drawn.middle), right(drawn.right);
  const R on_gpu{{drawn.points, weights.span().data(), left.span().data(), middle.span().data(), right.span().data()}};
  expect_alike_on_gpu(problem, expected, "", [&](const Options& options) {
    const auto solution = interval::cuda::solve_recurrence(on_gpu, drawn.points, options).solution;
    return bits(values_of(solution.to_host(options)));
  });
#else
  static_cast<void>(problem), static_cast<void>(drawn);
#endif
}

template <class R>
void expect_groups_and_sets_alike(const std::string& problem, const R& recurrence, const std::string& expected) {
  if (!takes_every_variant(problem + expected)) return;
  ForcedSets().each([&](const std::string& set) {
    for (const std::size_t group : {1, 2, 3, 4}) {
      for (const int threads : all_threads) {
        const std::string found = answer([&] { return filled(recurrence, recurrence.points, group, threads); });
        // the message names the first interval that was found
        const bool refused = expected.starts_with("error ") && threads > 1;
        expect_same(refused ? expected.substr(0, 7) : expected, refused ? found.substr(0, 7) : found,
                    fmt::format("{} in groups of {}, {}, {} threads", problem, group, set, threads));
      }
    }
  });
}

/// Also runs on a GPU if `on_gpu` is true. nvcc takes a minute for half of the recurrences.
template <class R, bool on_gpu = false>
void solve_own(Bytes& bytes) {
  using T = typename R::T;
  const std::size_t n = on_gpu && is_large(bytes) ? bytes.large_size() : 2 + bytes.size(300);
  const Numbers numbers(bytes);
  DrawnOf<R> drawn(bytes, numbers, n);
  const R recurrence = on_host<R>(drawn);
  const std::string problem = fmt::format("recurrence of {} points, {}", n, dtype_name<T>());
  if constexpr (on_gpu) expect_values_alike_on_gpu<R>(problem, drawn);
  if (tally.large) return;
  const std::string first = answer([&] { return filled(recurrence, n, 1, 1); });
  if (!first.starts_with("error ")) expect_same(bits(naive_values(recurrence)), first, problem + " in tiles");
  expect_groups_and_sets_alike(problem, recurrence, first);
  if (first.starts_with("error ")) return;
  expect_each_alike(problem, {"tiled"}, [&](const Options& options) { return solved(recurrence, options); });
  if constexpr (std::is_floating_point_v<T>) {
    const std::vector<T> values = naive_values(recurrence);
    const T scale = std::min(T{1}, numbers.scale<T>(bytes));  // products of three are large already
    drawn.weights = scaled(drawn.weights, scale);
    drawn.left = scaled(drawn.left, scale);
    expect_same(bits(scaled(values, scale)), filled(on_host<R>(drawn), n, 1, 2),
                fmt::format("{}, {} times", problem, scale));
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  using namespace warpfold::fuzz;
  Bytes bytes(data, size);
  switch (bytes.below(12)) {
    case 0:
      solve_own<Weighted<MinPlus<std::int32_t>>, true>(bytes);
      break;
    case 1:
      solve_own<Weighted<MinPlus<float>>>(bytes);
      break;
    case 2:
      solve_own<Weighted<MaxPlus<double>>>(bytes);
      break;
    case 3:
      solve_own<Weighted<MinMax<float>>, true>(bytes);
      break;
    case 4:
      solve_own<Weighted<MaxMin<std::int64_t>>>(bytes);
      break;
    case 5:
      solve_own<Weighted<CountingPrime>, true>(bytes);
      break;
    case 6:
      solve_own<WithProduct<MinPlus<std::int64_t>>, true>(bytes);
      break;
    case 7:
      solve_own<WithProduct<MinPlus<double>>, true>(bytes);
      break;
    case 8:
      solve_own<WithProduct<MaxPlus<float>>>(bytes);
      break;
    case 9:
      solve_own<WithSplitAndInner<MinPlus<std::int64_t>>>(bytes);
      break;
    case 10:
      solve_own<WithSplitAndInner<MaxPlus<float>>, true>(bytes);
      break;
    default:
      solve_own<WithSplitAndInner<CountingPrime>>(bytes);
  }
  return 0;
}
