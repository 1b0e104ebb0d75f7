// Is a grammar of one table and one product as fast as the recurrence that it is? Both run in turn, and their CPU time
// is measured, so other programs may run at the same time.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "../question.hpp"
#include "timing/dense.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/recurrence.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::interval;

/// The optimal triangulation of a convex polygon, as a recurrence.
struct AsRecurrence {
  using Semiring = MinPlus<float>;
  std::size_t vertices;
  const float* weights;

  float leaf(std::size_t) const { return 0; }
  float weight(std::size_t i, std::size_t j) const { return weights[i * vertices + j]; }
};

/// The same as a grammar.
struct AsGrammar {
  using Semiring = MinPlus<float>;
  enum Table : unsigned { only, tables };
  static constexpr Product products[] = {{.left = only, .right = only}};
  AsRecurrence same;

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(only, j == i + 1 ? same.leaf(i) : Semiring::zero());
    add(only, same.weight(i, j), add.product(0));
  }
};

/// The most base pairs of an RNA sequence (examples/nussinov.cpp). Its terms read an interval inside, so it closes one
/// interval after the other in both forms.
struct Pairs {
  using Semiring = MaxPlus<std::int32_t>;
  enum Table : unsigned { only, tables };
  static constexpr Product products[] = {{.left = only, .right = only}};
  std::vector<std::uint8_t> bases;  // 0 A, 1 C, 2 G, 3 U

  bool pair(std::size_t i, std::size_t j) const {
    const unsigned both = bases[i] + bases[j - 1];
    return j - i > 4 && (both == 3 || both == 5);
  }
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t close(std::size_t i, std::size_t j, std::int32_t best, std::int32_t inner) const {
    return pair(i, j) ? std::max(best, inner + 1) : best;
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(only, j == i + 1 ? 0 : Semiring::zero());
    add(only, pair(i, j) ? 1 : Semiring::zero(), add.inside(only, 1, 1));
    add(only, add.product(0));
  }
};

template <class Call>
double cpu_seconds(const Call& call) {
  const std::clock_t begin = std::clock();
  call();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

template <class R, class G>
void measure_both(const std::string& work, const R& recurrence, const G& grammar, std::size_t n, int repeats) {
  Options options;
  options.threads = 1;
  bench::require(
      solve_recurrence(recurrence, n, options).solution.value() == solve_grammar(grammar, n, options).solution.value(),
      "the grammar has another value");
  std::vector<double> of_grammar, of_recurrence, ratios;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    of_recurrence.push_back(cpu_seconds([&] { static_cast<void>(solve_recurrence(recurrence, n, options)); }));
    of_grammar.push_back(cpu_seconds([&] { static_cast<void>(solve_grammar(grammar, n, options)); }));
    ratios.push_back(of_recurrence.back() / of_grammar.back());
  }
  const auto points = static_cast<double>(n);
  bench::Json row =
      bench::row(work, {{"n", n}, {"threads", 1}}, bench::summarize(of_grammar), points * points * points / 6, 0);
  row["recurrence_seconds"] = bench::summarize(of_recurrence).median_seconds;
  row["times_as_fast"] = bench::summarize(ratios).median_seconds;
  bench::keep(std::move(row));
}

void measure_both(std::size_t n, int repeats) {
  const auto weights = bench::random_values<float>(n * n, 1);
  const AsRecurrence recurrence{n, weights.data()};
  measure_both("grammar of one table", recurrence, AsGrammar{recurrence}, n, repeats);
  Pairs pairs{bench::random_values<std::uint8_t>(n, 1)};
  for (std::uint8_t& base : pairs.bases) base %= 4;
  measure_both("pairs, a grammar of one table", pairs, pairs, n, repeats);
}

const bench::Question one_table_question("one_table", [](const bench::Arguments&) {
  measure_both(1024, 41);
  measure_both(4096, 15);
  measure_both(8192, 5);
});

}  // namespace
