#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "result.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/multiply.hpp"

/// Dense triangulations and (min,+) products on random whole numbers, checked and then timed: what `warpfold bench` and
/// bench/interval/fraction_of_ceiling.cpp share.
namespace warpfold::bench {

/// Below 1024, so that every total is a whole number that f32 holds exactly and does not depend on the order of sums.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<T> values(count);
  for (T& x : values) x = static_cast<T>(generator() % 1024);
  return values;
}

/// Options of the oracle.
inline Options naive() {
  Options options;
  options.device = parse_device("cpu");
  options.algorithm = "reference";
  return options;
}

/// Raises Error{internal} unless the polygon of the first vertices, 256 at most, has the naive reference's structure.
template <class T>
void check_against_reference(const std::vector<T>& w, std::size_t n, const Options& options) {
  const std::size_t few = std::min<std::size_t>(n, 256);
  const interval::Triangulation<T> problem({w.data(), few, few, n});
  const auto expected = interval::solve(problem, naive()).solution;
  const auto solution = interval::solve(problem, options).solution;
  if (solution.cost != expected.cost || solution.nodes != expected.nodes) {
    throw Error(ErrorKind::internal, "the solution of the first vertices is not the reference's");
  }
}

/// Raises Error{internal} unless the chords' weights add up to the cost and the same polygon, its vertices counted from
/// another one on, has the same cost: its table has other entries throughout.
template <class T>
void check_triangulation(const std::vector<T>& w, std::size_t n, const Options& options) {
  const auto solution = interval::solve(interval::Triangulation<T>({w.data(), n, n, n}), options).solution;
  double total = 0;
  for (const interval::Chord& chord : solution.chords) total += static_cast<double>(w[chord.i * n + chord.j]);
  if (solution.chords.size() != n - 3 || total != static_cast<double>(solution.cost)) {
    throw Error(ErrorKind::internal, "the chords of the solution do not add up to its cost");
  }
  std::vector<T> turned(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto [a, b] = std::minmax({(i + n / 3) % n, (j + n / 3) % n});
      turned[i * n + j] = w[a * n + b];
    }
  }
  if (interval::solve(interval::Triangulation<T>({turned.data(), n, n, n}), options).solution.cost != solution.cost) {
    throw Error(ErrorKind::internal, "the turned polygon has another cost");
  }
}

/// One row: a triangulation of n vertices, problem and structure included.
template <class T>
Json measure_triangulation(std::size_t n, const Options& options, std::uint64_t seed, int repeats, double ceiling) {
  const std::vector<T> w = random_values<T>(n * n, seed);
  check_against_reference(w, n, options);
  check_triangulation(w, n, options);
  Report report;
  const Timing timing = measure(repeats, [&] {
    report = interval::solve(interval::Triangulation<T>({w.data(), n, n, n}), options).report;
  });
  const auto m = static_cast<double>(n);
  return row("triangulate",
             {{"n", n},
              {"dtype", dtype_name<T>()},
              {"device", report.device},
              {"algorithm", report.algorithm},
              {"threads", report.threads}},
             timing, m * (m - 1) * (m - 2) / 6, ceiling);
}

/// Entries for products: 0 and 1 for or-and.
template <class T>
std::vector<T> random_entries(std::size_t count, std::uint64_t seed) {
  if (sizeof(T) > 1) return random_values<T>(count, seed);
  std::mt19937_64 generator(seed);
  std::vector<T> values(count);
  for (T& x : values) x = static_cast<T>(generator() % 64 == 0);
  return values;
}

/// Raises Error{internal} unless 1000 random entries of the n x n product are what the definition says.
template <class T>
void check_entries(minplus::Semiring semiring, const std::vector<T>& a, const std::vector<T>& b,
                   const std::vector<T>& c, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  for (int check = 0; check < 1000; ++check) {
    const std::size_t i = generator() % n;
    const std::size_t j = generator() % n;
    T entry = semiring.zero<T>();
    minplus::multiply<T>(semiring, {a.data() + i * n, 1, n, n}, {b.data() + j, n, 1, n}, {&entry, 1, 1, 1}, naive());
    if (entry != c[i * n + j]) throw Error(ErrorKind::internal, "an entry of the product is wrong");
  }
}

/// One row: an n x n product, checked at 1000 random entries.
template <class T>
Json measure_product(std::size_t n, const Options& options, std::uint64_t seed, int repeats, double ceiling,
                     minplus::Semiring semiring = {}) {
  const std::vector<T> a = random_entries<T>(n * n, seed);
  const std::vector<T> b = random_entries<T>(n * n, seed + 1);
  std::vector<T> c(n * n);
  Report report;
  const auto multiply = [&] {
    std::fill(c.begin(), c.end(), semiring.zero<T>());
    report = minplus::multiply<T>(semiring, {a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n}, options);
  };
  multiply();
  check_entries(semiring, a, b, c, n, seed);
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    multiply();
    seconds.push_back(report.prepare_seconds + report.solve_seconds);
  }
  const auto m = static_cast<double>(n);
  Json parameters = {{"n", n},
                     {"dtype", dtype_name<T>()},
                     {"device", report.device},
                     {"algorithm", report.algorithm},
                     {"threads", report.threads}};
  if (semiring != minplus::Semiring()) parameters["semiring"] = to_string(semiring);
  if (semiring.modulus > 0) parameters["modulus"] = semiring.modulus;
  return row("minplus", parameters, summarize(seconds), m * m * m, ceiling);
}

}  // namespace warpfold::bench
