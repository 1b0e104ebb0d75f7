#include <fmt/format.h>

#include <cmath>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/interval/tiled.hpp"

namespace warpfold::fuzz {
namespace {

using interval::ProductSplit;
using CountingPrime = CountingModulo<1009>;

/// What the recurrences below are made of.
template <class S>
struct Parts {
  using T = typename S::Value;
  std::size_t points;
  Matrix<T> weights;
  std::vector<T> left, middle, right;

  Parts(Bytes& bytes, const Numbers& numbers, std::size_t n)
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

template <class S>
struct Weighted : Parts<S> {
  using Semiring = S;
  using T = typename S::Value;
  using Parts<S>::Parts;
  T leaf(std::size_t i) const { return this->weights(i, 0); }
  T weight(std::size_t i, std::size_t j) const { return this->weights(i, j); }
};

template <class S>
struct WithProduct : Weighted<S> {
  using Weighted<S>::Weighted;
  ProductSplit<typename S::Value> product_split() const {
    return {this->left.data(), this->middle.data(), this->right.data()};
  }
};

template <class S>
struct WithSplitAndInner : Parts<S> {
  using Semiring = S;
  using T = typename S::Value;
  using Parts<S>::Parts;
  T leaf(std::size_t i) const { return this->weights(i, 0); }
  T split(std::size_t i, std::size_t k, std::size_t j) const { return this->weights(k, (i + j) % this->points); }
  T close(std::size_t i, std::size_t j, T best, T inner) const {
    return S::plus(best, S::times(inner, this->weights(i, j)));
  }
};

/// -0.0 counts as 0.0.
template <class T>
T taken(T x) {
  return static_cast<T>(x + T{0});
}

/// The recurrence as it is written.
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

template <class R>
void solve_own(Bytes& bytes) {
  using T = typename R::T;
  const std::size_t n = 2 + bytes.size(300);
  const Numbers numbers(bytes);
  R recurrence(bytes, numbers, n);
  const std::string problem = fmt::format("recurrence of {} points, {}", recurrence.points, dtype_name<T>());
  const std::string first = answer([&] { return filled(recurrence, n, 1, 1); });
  if (!first.starts_with("error ")) expect_same(bits(naive_values(recurrence)), first, problem + " in tiles");
  ForcedSets().each([&](const std::string& set) {
    for (const std::size_t group : {1, 2, 3, 4}) {
      for (const int threads : all_threads) {
        const std::string found = answer([&] { return filled(recurrence, n, group, threads); });
        const bool refused = first.starts_with("error ") && threads > 1;  // the interval named is the first found
        expect_same(refused ? first.substr(0, 7) : first, refused ? found.substr(0, 7) : found,
                    fmt::format("{} in groups of {}, {}, {} threads", problem, group, set, threads));
      }
    }
  });
  if (first.starts_with("error ")) return;
  expect_each_alike(problem, {"tiled"}, [&](const Options& options) { return solved(recurrence, options); });
  if constexpr (std::is_floating_point_v<T>) {
    const std::vector<T> values = naive_values(recurrence);
    const T scale = std::min(T{1}, numbers.scale<T>(bytes));  // products of three are large already
    recurrence.weights = scaled(recurrence.weights, scale);
    recurrence.left = scaled(recurrence.left, scale);
    expect_same(bits(scaled(values, scale)), filled(recurrence, n, 1, 2), fmt::format("{}, {} times", problem, scale));
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
      solve_own<Weighted<MinPlus<std::int32_t>>>(bytes);
      break;
    case 1:
      solve_own<Weighted<MinPlus<float>>>(bytes);
      break;
    case 2:
      solve_own<Weighted<MaxPlus<double>>>(bytes);
      break;
    case 3:
      solve_own<Weighted<MinMax<float>>>(bytes);
      break;
    case 4:
      solve_own<Weighted<MaxMin<std::int64_t>>>(bytes);
      break;
    case 5:
      solve_own<Weighted<CountingPrime>>(bytes);
      break;
    case 6:
      solve_own<WithProduct<MinPlus<std::int64_t>>>(bytes);
      break;
    case 7:
      solve_own<WithProduct<MinPlus<double>>>(bytes);
      break;
    case 8:
      solve_own<WithProduct<MaxPlus<float>>>(bytes);
      break;
    case 9:
      solve_own<WithSplitAndInner<MinPlus<std::int64_t>>>(bytes);
      break;
    case 10:
      solve_own<WithSplitAndInner<MaxPlus<float>>>(bytes);
      break;
    default:
      solve_own<WithSplitAndInner<CountingPrime>>(bytes);
  }
  return 0;
}
