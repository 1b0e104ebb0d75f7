// User-defined recurrences, compiled with any flags. The total of the structure, added up in the recurrence's order,
// must be the table's value: in bits without contraction, otherwise up to rounding.
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "warpfold/interval/recurrence.hpp"

using namespace warpfold;
using namespace warpfold::interval;

namespace {

constexpr std::size_t max_points = 400;

/// Fractions, so that fusing a product and a sum changes the rounding.
struct Numbers {
  std::vector<double> left, middle, right, weight;

  explicit Numbers(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> fraction(0.1, 10);
    for (std::vector<double>* list : {&left, &middle, &right, &weight}) {
      for (std::size_t t = 0; t < max_points; ++t) list->push_back(fraction(random));
    }
  }
  double at(std::size_t i, std::size_t j) const { return weight[(7 * i + 13 * j) % max_points] * left[i]; }
};

struct ByWeight {
  const Numbers* numbers;
  double weight(std::size_t i, std::size_t j) const { return numbers->at(i, j); }
};
struct Freely {
  const Numbers* numbers;
  double close(std::size_t i, std::size_t j, double best) const { return best + numbers->left[i] * numbers->right[j]; }
};
/// Has a value even without a split or an inner interval.
struct WithInner {
  const Numbers* numbers;
  double close(std::size_t i, std::size_t j, double best, double inner) const {
    const double around = inner + numbers->at(i, j) * numbers->middle[j] * 3;
    const double alone = numbers->left[i] * numbers->right[j] * static_cast<double>(j - i) * 12;
    return std::min(std::min(best + numbers->left[i] * 0.1, around), alone);
  }
};

struct NoSplit {
  const Numbers* numbers;
};
template <bool is_fused>
struct Product {
  const Numbers* numbers;
  ProductSplit<double> product_split() const {
    return {numbers->left.data(), numbers->middle.data(), numbers->right.data(), is_fused};
  }
};
struct FreeSplit {
  const Numbers* numbers;
  double split(std::size_t i, std::size_t k, std::size_t j) const {
    return numbers->left[i] * numbers->middle[k] + numbers->weight[k] * numbers->right[j];
  }
};

template <class Close, class Split>
struct Own : Close, Split {
  using Semiring = MinPlus<double>;
  const Numbers* given;
  explicit Own(const Numbers& numbers) : Close{&numbers}, Split{&numbers}, given(&numbers) {}
  double leaf(std::size_t i) const { return given->weight[i]; }
};

template <class R>
double closed(const R& own, std::size_t i, std::size_t j, double best, double inner) {
  if constexpr (closes_by_weight<R>) return best + own.weight(i, j);
  if constexpr (closes_with_inner<R>) return own.close(i, j, best, inner);
  if constexpr (!closes_by_weight<R> && !closes_with_inner<R>) return own.close(i, j, best);
}

template <class R>
double joined(const R& own, double left, double right, std::size_t i, std::size_t k, std::size_t j) {
  if constexpr (splits_by_product<R>) return left + right + own.product_split()(i, k, j);
  if constexpr (splits_freely<R>) return left + right + own.split(i, k, j);
  return left + right;
}

/// The total of the structure. Nodes come before those inside them, so they are added up from the last.
template <class R>
double total_of(const R& own, const std::vector<Split>& nodes, std::size_t points) {
  std::map<std::pair<std::size_t, std::size_t>, double> value;
  const auto at = [&](std::size_t i, std::size_t j) {
    return i == j ? 0 : j == i + 1 ? own.leaf(i) : value.at({i, j});
  };
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const auto [i, k, j] = *node;
    double best = infinity<double>, inner = infinity<double>;
    if (k == i) inner = at(i + 1, j - 1);
    if (i < k && k < j) best = joined(own, at(i, k), at(k, j), i, k, j);
    value[{i, j}] = closed(own, i, j, best, inner);
  }
  return at(0, points - 1);
}

/// The value of the whole by the recurrence.
template <class R>
double naive_value(const R& own, std::size_t points) {
  std::vector<double> value(points * points, 0.0);
  for (std::size_t length = 1; length < points; ++length) {
    for (std::size_t i = 0; i + length < points; ++i) {
      const std::size_t j = i + length;
      double best = length == 1 ? own.leaf(i) : infinity<double>;
      for (std::size_t k = i + 1; k < j; ++k) {
        best = std::min(best, joined(own, value[i * points + k], value[k * points + j], i, k, j));
      }
      value[i * points + j] = length == 1 ? best : closed(own, i, j, best, value[(i + 1) * points + j - 1]);
    }
  }
  return value[points - 1];
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool may_contract = true;
#else
constexpr bool may_contract = false;
#endif

int failures = 0;

void expect_equal(const char* kind, const char* what, std::size_t points, double got, double expected, bool in_bits) {
  const double allowed = in_bits ? 0 : 1e-13 * static_cast<double>(points) * std::abs(expected);
  if (std::abs(got - expected) <= allowed) return;
  std::printf("%s, n = %zu: %s %.17g, the table says %.17g\n", kind, points, what, got, expected);
  ++failures;
}

template <class Close, class Split>
void check(const char* kind, bool fused) {
  for (const std::size_t points : {9, 50, 200, 400}) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      const Numbers numbers(seed);
      const Own<Close, Split> own(numbers);
      const auto solved = solve_recurrence(own, points);
      const bool in_bits = !may_contract && !fused;
      expect_equal(kind, "the structure adds up to", points, total_of(own, structure(own, solved.solution), points),
                   solved.solution.value(), in_bits);
      if (points == 50) {
        expect_equal(kind, "the recurrence as it is written gives", points, naive_value(own, points),
                     solved.solution.value(), in_bits);
      }
    }
  }
}

template <class Close>
void check_splits(const char* kind) {
  check<Close, NoSplit>(kind, false);
  check<Close, Product<false>>(kind, false);
  check<Close, Product<true>>(kind, true);
  check<Close, FreeSplit>(kind, false);
}

}  // namespace

int main() {
  check_splits<ByWeight>("weight");
  check_splits<Freely>("close");
  check_splits<WithInner>("close with inner");
  if (failures == 0) std::puts("every structure adds up");
  return failures == 0 ? 0 : 1;
}
