#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "timing/measure.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/multiply.hpp"

/// Dense triangulations and (min,+) products on random integers, checked and then timed.
namespace warpfold::timing {

/// Random values below 1024. Every total is then an integer that f32 holds exactly, so it does not depend on the order
/// of additions.
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

/// Raises Error{internal} unless the polygon of the first vertices (at most 256) gets the naive reference's structure.
template <class T>
void check_against_reference(const std::vector<T>& w, std::size_t n, const Options& options) {
  const std::size_t few = std::min<std::size_t>(n, 256);
  const interval::Triangulation<T> problem({w.data(), few, few, n});
  const auto expected = interval::solve(problem, naive()).solution;
  const auto solution = interval::solve(problem, options).solution;
  if (solution.cost != expected.cost || solution.triangles != expected.triangles) {
    throw Error(ErrorKind::internal, "the solution of the first vertices is not the reference's");
  }
}

/// Raises Error{internal} unless the chords' weights add up to the cost, and the polygon with renumbered vertices has
/// the same cost. Renumbering changes all entries of the table.
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

/// The times of the calls of a solve: the wall clock's for the whole call, and on a GPU also the device's time with
/// resident data.
class SolveTimes {
 public:
  /// Calls `solve`, which returns its report, once to warm up and then `repeats` times. Calls `prepare` before each,
  /// untimed.
  template <class Prepare, class Solve>
  SolveTimes(int repeats, Prepare&& prepare, Solve&& solve) {
    for (int repeat = -1; repeat < repeats; ++repeat) {
      prepare();
      const auto start = std::chrono::steady_clock::now();
      report_ = solve();
      const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (repeat < 0) continue;
      whole_.push_back(whole);
      resident_.push_back(report_.solve_seconds);
    }
  }

  [[nodiscard]] const Report& report() const { return report_; }

  /// The row of a solve. On a GPU its figures are for data that is resident on the device. `from_host` has those of the
  /// whole call, from host memory to host memory.
  [[nodiscard]] Json row(const std::string& work, Json parameters, double results, double ceiling) const {
    parameters["device"] = report_.device;
    parameters["algorithm"] = report_.algorithm;
    parameters["threads"] = report_.threads;
    const Timing whole = summarize(whole_);
    if (!report_.device.starts_with("cuda")) return timing::row(work, parameters, whole, results, ceiling);
    Json object = timing::row(work, parameters, summarize(resident_), results, ceiling);
    object["from_host"] = {{"median_seconds", whole.median_seconds},
                           {"spread", whole.spread},
                           {"rate_per_second", results / whole.median_seconds}};
    return object;
  }

 private:
  Report report_;
  std::vector<double> whole_, resident_;
};

/// Measures a triangulation of n vertices, including the construction of the problem and the structure. On a GPU,
/// `from_host` also has the time in which the problem checks its weights.
template <class T>
Json measure_triangulation(std::size_t n, const Options& options, std::uint64_t seed, int repeats, double ceiling) {
  const std::vector<T> w = random_values<T>(n * n, seed);
  check_against_reference(w, n, options);
  check_triangulation(w, n, options);
  const auto state = [&] { return interval::Triangulation<T>({w.data(), n, n, n}, options.threads); };
  const SolveTimes times(
      repeats, [] {}, [&] { return interval::solve(state(), options).report; });
  const auto m = static_cast<double>(n);
  Json object = times.row("triangulate", {{"n", n}, {"dtype", dtype_name<T>()}}, m * (m - 1) * (m - 2) / 6, ceiling);
  if (object.contains("from_host")) {
    object["from_host"]["validate_seconds"] = measure(repeats, [&] { static_cast<void>(state()); }).median_seconds;
  }
  return object;
}

/// Random entries for products. For or-and they are 0 and 1.
template <class T>
std::vector<T> random_entries(std::size_t count, std::uint64_t seed) {
  if (sizeof(T) > 1) return random_values<T>(count, seed);
  std::mt19937_64 generator(seed);
  std::vector<T> values(count);
  for (T& x : values) x = static_cast<T>(generator() % 64 == 0);
  return values;
}

/// Raises Error{internal} unless 1000 random entries of the n x n product agree with the definition.
template <class T>
void check_entries(minplus::Semiring semiring, const std::vector<T>& a, const std::vector<T>& b,
                   const std::vector<T>& c, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  for (int check = 0; check < 1000; ++check) {
    const std::size_t i = generator() % n;
    const std::size_t j = generator() % n;
    T entry = semiring.zero<T>();
    minplus::accumulate<T>(semiring, {a.data() + i * n, 1, n, n}, {b.data() + j, n, 1, n}, {&entry, 1, 1, 1}, naive());
    if (entry != c[i * n + j]) throw Error(ErrorKind::internal, "an entry of the product is wrong");
  }
}

/// Measures an n x n product, after checking 1000 random entries.
template <class T>
Json measure_product(std::size_t n, const Options& options, std::uint64_t seed, int repeats, double ceiling,
                     minplus::Semiring semiring = {}) {
  const std::vector<T> a = random_entries<T>(n * n, seed);
  const std::vector<T> b = random_entries<T>(n * n, seed + 1);
  std::vector<T> c(n * n);
  const auto clear = [&] { std::fill(c.begin(), c.end(), semiring.zero<T>()); };
  const auto multiply = [&] {
    return minplus::accumulate<T>(semiring, {a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n}, options);
  };
  clear();
  multiply();
  check_entries(semiring, a, b, c, n, seed);
  const SolveTimes times(repeats, clear, multiply);
  const auto m = static_cast<double>(n);
  Json parameters = {{"n", n}, {"dtype", dtype_name<T>()}};
  if (semiring != minplus::Semiring()) parameters["semiring"] = to_string(semiring);
  if (semiring.modulus > 0) parameters["modulus"] = semiring.modulus;
  return times.row("minplus", parameters, m * m * m, ceiling);
}

}  // namespace warpfold::timing
