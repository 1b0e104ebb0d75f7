#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "warpfold/minplus/multiply.hpp"

/// Random products with the reference's results, for the tests of every backend.
namespace warpfold::minplus::test {

enum class Kind { random, few_values, with_infinity, extreme };
constexpr Kind kinds[] = {Kind::random, Kind::few_values, Kind::with_infinity, Kind::extreme};

template <class T>
struct Drawn {
  std::size_t rows, columns;
  std::vector<T> values;

  MatrixView<T> view() { return {values.data(), rows, columns, columns}; }
};

/// From 0 to 1.
template <class T>
T fraction(Kind kind, std::int32_t random) {
  const auto least = std::is_integral_v<T> ? T{1} : std::numeric_limits<T>::min();
  if (kind == Kind::few_values) return static_cast<T>(static_cast<T>(std::abs(random) % 3) / T{2});
  if (kind == Kind::extreme) return random % 3 == 0 ? T{0} : random % 2 == 0 ? T{1} : least;
  if (kind == Kind::with_infinity && random % 10 != 0) return T{0};
  return static_cast<T>(static_cast<T>(std::abs(random)) / static_cast<T>(8000));
}

/// Random entries that the semiring accepts, at most `most`.
template <class T>
Drawn<T> random_matrix(Semiring semiring, std::size_t rows, std::size_t columns, Kind kind, std::uint64_t seed,
                       bool is_result = false) {
  std::mt19937_64 generator(seed);
  Drawn<T> matrix{rows, columns, std::vector<T>(rows * columns)};
  const T zero = semiring.zero<T>();
  const bool is_count = semiring.kind == Semiring::plus_times;
  T most = is_result ? largest_result<T> : largest_factor<T>;
  if (!semiring.adds()) most = static_cast<T>(is_count ? 1000 : infinity<T> / 2);
  for (T& x : matrix.values) {
    const auto random = static_cast<std::int32_t>(generator() % 16001) - (is_count ? 0 : 8000);
    if (kind == Kind::random)
      x = static_cast<T>(static_cast<T>(random) / static_cast<T>(std::is_integral_v<T> || is_count ? 1 : 1.37));
    if (kind == Kind::few_values) x = static_cast<T>(random % 3);
    if (kind == Kind::with_infinity) x = random % 10 != 0 ? zero : static_cast<T>(random);
    if (kind == Kind::extreme) x = random % 3 == 0 ? zero : random % 2 == 0 || is_count ? most : static_cast<T>(-most);
    if (semiring.is_of_unit_interval()) x = fraction<T>(kind, random);
    if (semiring.kind == Semiring::or_and) x = static_cast<T>(random % (kind == Kind::few_values ? 2 : 30) == 0);
  }
  return matrix;
}

/// The semirings of T.
template <class T>
std::vector<Semiring> semirings() {
  std::vector<Semiring> list;
  for (const std::string_view name : semiring_names()) {
    const Semiring semiring = parse_semiring(std::string(name));
    if (semiring.accepts<T>()) list.push_back(semiring);
  }
  if (std::is_same_v<T, std::uint64_t>) list.emplace_back(Semiring::plus_times, 4294967291U);
  return list;
}

/// Factors whose terms become better with every k, or all tie.
template <class T>
void let_every_term_improve(Drawn<T>& a, Drawn<T>& b, bool is_min, bool ties) {
  for (std::size_t at = 0; at < a.values.size(); ++at) {
    const auto k = static_cast<int>(ties ? 1 : at % a.columns);
    a.values[at] = static_cast<T>(is_min ? -k : k);
  }
  std::fill(b.values.begin(), b.values.end(), T{0});
}

/// A random product with its result.
template <class T>
struct Instance {
  Semiring semiring;
  Drawn<T> a, b, c, expected;
  Drawn<std::uint32_t> expected_argmin;
  std::string name;

  Instance(Semiring of, std::size_t m, std::size_t p, std::size_t n, Kind kind)
      : semiring(of),
        a(random_matrix<T>(of, m, p, kind, 1)),
        b(random_matrix<T>(of, p, n, kind, 2)),
        c(random_matrix<T>(of, m, n, Kind::with_infinity, 3, true)),
        expected(c),
        expected_argmin{m, n, std::vector<std::uint32_t>(m * n)},
        name(to_string(of) + " " + std::to_string(m) + " x " + std::to_string(p) + " x " + std::to_string(n)) {
    expect_the_references();
  }

  /// After a change of the factors or of C.
  void expect_the_references() {
    Options options;
    options.device.kind = Device::Kind::cpu;
    options.algorithm = "reference";
    expected = c;
    accumulate(semiring, a.view(), b.view(), expected.view(), options,
               semiring.is_selective() ? expected_argmin.view() : MatrixView<std::uint32_t>{});
  }

  /// Multiplies with and without argmin into poisoned results.
  void expect_equal(const Options& options, const std::string& where) {
    Drawn<T> result = c;
    accumulate(semiring, a.view(), b.view(), result.view(), options);
    EXPECT_EQ(result.values, expected.values) << where << ", " << name;
    if (!semiring.is_selective()) return;
    result = c;
    Drawn<std::uint32_t> argmin{c.rows, c.columns, std::vector<std::uint32_t>(c.values.size(), 0xabababab)};
    accumulate(semiring, a.view(), b.view(), result.view(), options, argmin.view());
    EXPECT_EQ(result.values, expected.values) << where << " with argmin, " << name;
    EXPECT_EQ(argmin.values, expected_argmin.values) << where << ", " << name;
  }
};

}  // namespace warpfold::minplus::test
