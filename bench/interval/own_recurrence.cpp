// How fast are user-defined recurrences, including chains by the dynamic program, compared with the built-in solver and
// the ceiling?
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "../question.hpp"
#include "timing/dense.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::interval;
using bench::Json;

/// The triangulation as a user would write it.
template <class T>
struct Chords {
  using Semiring = MinPlus<T>;
  std::size_t vertices;
  const T* weights;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t i, std::size_t j) const { return i == 0 && j + 1 == vertices ? 0 : weights[i * vertices + j]; }
};

/// The most base pairs of an RNA sequence (examples/nussinov.cpp).
struct Nussinov {
  using Semiring = MaxPlus<std::int32_t>;
  std::vector<std::uint8_t> bases;  // 0 A, 1 C, 2 G, 3 U

  static bool pair(unsigned a, unsigned b) { return a + b == 3 || a + b == 5; }
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t close(std::size_t i, std::size_t j, std::int32_t best, std::int32_t inner) const {
    return j - i > 4 && pair(bases[i], bases[j - 1]) ? std::max(best, inner + 1) : best;
  }
};

/// A folding of the same bases: four tables, a product, and loops of up to 30 bases as a stencil. The costs are made
/// up.
struct Folding {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { paired, shifted, branches, stems, tables };
  static constexpr Product products[] = {{.left = stems, .right = stems}};
  static constexpr Stencil stencils[] = {{.of = shifted, .deep = 30}};
  std::vector<std::uint8_t> bases;

  std::int32_t loop(std::size_t a, std::size_t b) const {
    return a + b == 0 ? Semiring::zero()
                      : static_cast<std::int32_t>(50 + 10 * (a + b) + 3 * (std::max(a, b) - std::min(a, b)));
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const std::int32_t pair = j - i > 4 && Nussinov::pair(bases[i], bases[j - 1]) ? 0 : Semiring::zero();
    const std::int32_t first = bases[i], last = bases[j - 1];
    add(paired, pair, static_cast<std::int32_t>(300 + std::min<std::size_t>(j - i, 30)));
    add(paired, pair, -200 - 20 * first, add.inside(paired, 1, 1));
    add(paired, pair, 5 * first, add.stencil(0));
    add(paired, pair, 340, add.inside(branches, 1, 1));
    add(shifted, 3 * last, add.here(paired));
    add(branches, 0, add.product(0));
    add(stems, 40, add.here(paired));
    add(stems, 1, add.inside(stems, 1, 0));
    add(stems, 1, add.inside(stems, 0, 1));
    add(stems, 0, add.here(branches));
  }
};

template <class T>
struct Chain {
  using Semiring = MinPlus<T>;
  std::vector<T> p;
  bool fused;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t, std::size_t) const { return 0; }
  ProductSplit<T> product_split() const { return {p.data(), p.data(), p.data(), fused}; }
};

double splits(std::size_t n) {
  const auto m = static_cast<double>(n);
  return m * (m - 1) * (m - 2) / 6;
}

/// `ceiling`: (min,+) results per second of the type. A product split also takes a multiplication.
template <class T, class R>
Json measure_recurrence(const std::string& work, const R& recurrence, std::size_t n, int repeats) {
  const int threads = thread_count(0);
  const double ceiling = minplus::measure_ceiling<T>(threads);
  const bench::Timing timing = bench::measure(repeats, [&] { static_cast<void>(solve_recurrence(recurrence, n)); });
  return bench::row(work, {{"n", n}, {"dtype", dtype_name<T>()}, {"threads", threads}}, timing, splits(n), ceiling);
}

void measure_chords() {
  const std::size_t n = 8192;
  const auto w = bench::random_values<float>(n * n, 1);
  const Chords<float> chords{n, w.data()};
  Options options;
  options.device = parse_device("cpu");
  const Triangulation<float> problem({w.data(), n, n, n});
  bench::require(solve(problem, options).solution.cost == solve_recurrence(chords, n).solution.value(),
                 "one's own triangulation has another cost than the built-in");
  Json own = measure_recurrence<float>("own triangulation", chords, n, 5);
  Json built_in =
      bench::measure_triangulation<float>(n, options, 1, 5, minplus::measure_ceiling<float>(thread_count(0)));
  own["fraction_of_built_in"] = built_in["median_seconds"].get<double>() / own["median_seconds"].get<double>();
  bench::keep(std::move(own));
  bench::keep(std::move(built_in));
}

template <class T>
void measure_own_chain(std::size_t n) {
  const auto dimensions = bench::random_values<std::int64_t>(n, 1);
  std::vector<std::int64_t> whole;
  for (std::int64_t p : dimensions) whole.push_back(p + 1);
  const Chain<T> chain{{whole.begin(), whole.end()}, true};
  const auto expected = solve(MatrixChain(whole)).solution.cost;
  bench::require(static_cast<Wide>(solve_recurrence(chain, n).solution.value()) == expected,
                 "the dynamic program is not Hu and Shing's");
  bench::keep(measure_recurrence<T>("chain", chain, n, 3));
}

std::vector<std::uint8_t> random_bases(std::size_t count) {
  std::vector<std::uint8_t> bases;
  for (const std::int32_t x : bench::random_values<std::int32_t>(count, 1)) {
    bases.push_back(static_cast<std::uint8_t>(x % 4));
  }
  return bases;
}

void measure_nussinov() {
  const std::size_t n = 8192;
  const Nussinov rna{random_bases(n - 1)};
  const auto result = solve_recurrence(rna, n);
  std::int32_t pairs = 0;
  for (const Split& node : structure(rna, result.solution)) pairs += node.k == node.i;
  bench::require(pairs == result.solution.value(), "the pairs are not as many as the value says");
  bench::keep(measure_recurrence<std::int32_t>("nussinov", rna, n, 3));
}

void measure_folding(std::size_t n, int repeats) {
  const int threads = thread_count(0);
  const Folding rna{random_bases(n - 1)};
  const auto fold = [&] { return derivation(rna, solve_grammar(rna, n).solution).size(); };
  bench::require(fold() > 0, "the folding has no derivation");
  const double operations = estimate_grammar(rna, n).operations;
  const double ceiling = minplus::measure_ceiling<std::int32_t>(threads);
  bench::keep(bench::row("folding with structure", {{"n", n}, {"dtype", "i32"}, {"threads", threads}},
                         bench::measure(repeats, [&] { static_cast<void>(fold()); }), operations, ceiling));
}

/// 10,000 tables of 3 to 130 points in one call.
void measure_batch() {
  const std::size_t most = 130;
  const auto w = bench::random_values<float>(most * most, 1);
  std::vector<Chords<float>> tables;
  std::vector<std::size_t> points;
  double total = 0;
  for (std::size_t t = 0; t < 10'000; ++t) {
    points.push_back(3 + t * 37 % (most - 2));
    tables.push_back({points.back(), w.data()});
    total += splits(points.back());
  }
  const auto values = solve_recurrences<Chords<float>>(tables, points).solution;
  for (std::size_t t = 0; t < tables.size(); t += 97) {
    bench::require(values[t] == solve_recurrence(tables[t], points[t]).solution.value(),
                   "a table of the batch has another value alone");
  }
  const int threads = thread_count(0);
  const bench::Timing timing =
      bench::measure(5, [&] { static_cast<void>(solve_recurrences<Chords<float>>(tables, points)); });
  Json row = bench::row("batch of 3 .. 130 points", {{"tables", tables.size()}, {"dtype", "f32"}, {"threads", threads}},
                        timing, total, minplus::measure_ceiling<float>(threads));
  row["tables_per_second"] = static_cast<double>(tables.size()) / timing.median_seconds;
  bench::keep(row);
}

const bench::Question own_recurrence_question(
    "own_recurrence",
    [](const bench::Arguments&) {
      measure_chords();
      measure_own_chain<double>(8192);
      measure_own_chain<std::int64_t>(8192);
      measure_nussinov();
      for (const std::size_t n : {1000, 4000}) measure_folding(n, 3);
      measure_batch();
    },
    [](const bench::Json& row) {
      return fmt::format("{:>24} {}: {:.6f} s (spread {:.2f}), {:6.1f} G/s, {:.2f} of the ceiling",
                         row["work"].get<std::string>(), row["dtype"].get<std::string>(),
                         row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         1e-9 * row["rate_per_second"].get<double>(), row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
