#include "warpfold/minplus/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/exact_type.hpp"
#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "minplus/square.hpp"
#include "minplus/widened.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::minplus {

namespace {

template <class T>
struct Row {
  std::vector<T> values;
  std::vector<std::uint32_t> argmin;  ///< meaningless for powers and closures
};

/// Computes rows again, until its terms are used.
template <class T>
class Recomputation {
 public:
  Recomputation(Semiring semiring, double max_terms, const Options& options)
      : semiring_(semiring),
        zero_(semiring.zero<T>()),
        is_min_(semiring.is_min()),
        adds_(semiring.adds()),
        multiplies_(semiring.multiplies()),
        monitor_(options, max_terms),
        ticker_(monitor_, rows_between_checks),
        terms_left_(max_terms) {}

  [[nodiscard]] bool is_exhausted() const { return terms_left_ < 0; }
  /// Whether every number fits the type.
  [[nodiscard]] bool fits() const { return fits_; }

  /// A row times a matrix, term by term.
  [[nodiscard]] Row<T> times(const T* left, MatrixView<const T> right) {
    Row<T> row{std::vector<T>(right.columns, zero_), std::vector<std::uint32_t>(right.columns, unchanged)};
    for (std::size_t k = 0; k < right.rows; ++k) {
      ticker_.tick();
      if (left[k] == zero_) continue;
      terms_left_ -= static_cast<double>(right.columns);
      if (semiring_.is_selective()) {
        choose(left[k], right.row(k), static_cast<std::uint32_t>(k), row);
      } else {
        add(left[k], right.row(k), row.values);
      }
    }
    return row;
  }

  /// Row i of A^k.
  [[nodiscard]] Row<T> power_row(MatrixView<const T> a, std::uint64_t k, std::size_t i) {
    Row<T> row = row_of_one(a.rows, i);
    for (std::uint64_t step = 0; step < k && !is_exhausted(); ++step) row = times(row.values.data(), a);
    return row;
  }

  /// Row i of 1 + A + A^2 + ..: walks from i, one edge more each round.
  [[nodiscard]] Row<T> closure_row(MatrixView<const T> a, std::size_t i) {
    Row<T> row = row_of_one(a.rows, i);
    for (std::size_t round = 0; round < a.rows && !is_exhausted(); ++round) {
      const std::vector<T> longer = times(row.values.data(), a).values;
      bool has_improved = false;
      for (std::size_t j = 0; j < a.rows; ++j) {
        if (!is_better(longer[j], row.values[j])) continue;
        row.values[j] = longer[j];
        has_improved = true;
      }
      if (!has_improved) break;
    }
    return row;
  }

 private:
  static constexpr std::size_t rows_between_checks = 64;

  [[nodiscard]] bool is_better(T x, T y) const { return is_min_ ? x < y : x > y; }

  [[nodiscard]] Row<T> row_of_one(std::size_t n, std::size_t i) const {
    Row<T> row{std::vector<T>(n, zero_), {}};
    row.values[i] = semiring_.one<T>();
    return row;
  }

  [[nodiscard]] T joined(T x, T y) {
    if (multiplies_) return static_cast<T>(x * y);
    if (!adds_) return is_min_ ? std::max(x, y) : std::min(x, y);
    T sum{};
    if constexpr (std::is_floating_point_v<T>) {
      sum = x + y;
    } else {
      fits_ = !__builtin_add_overflow(x, y, &sum) && fits_;
    }
    fits_ = fits_ && sum < infinity<T> && sum > -infinity<T>;
    return sum;
  }

  void choose(T left, const T* right, std::uint32_t k, Row<T>& row) {
    for (std::size_t j = 0; j < row.values.size(); ++j) {
      if (right[j] == zero_) continue;
      const T term = joined(left, right[j]);
      if (!is_better(term, row.values[j])) continue;
      row.values[j] = term;
      row.argmin[j] = k;
    }
  }

  /// Where exact numbers end. For floats this includes the first that may have been rounded.
  using Sum = std::conditional_t<std::is_floating_point_v<T>, long double, unsigned __int128>;
  static constexpr Sum max_exact = std::is_floating_point_v<T> ? static_cast<Sum>(integer_limit<double> - 1)
                                                               : static_cast<Sum>(std::numeric_limits<T>::max());

  void add(T left, const T* right, std::vector<T>& values) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      Sum sum = static_cast<Sum>(values[j]) + static_cast<Sum>(left) * static_cast<Sum>(right[j]);
      if constexpr (!std::is_floating_point_v<T>) {
        if (semiring_.modulus > 0) sum %= semiring_.modulus;
      }
      fits_ = fits_ && sum <= max_exact;
      values[j] = static_cast<T>(sum);
    }
  }

  Semiring semiring_;
  T zero_;
  bool is_min_;
  bool adds_;
  bool multiplies_;
  SolveMonitor monitor_;
  PeriodicCheck ticker_;
  double terms_left_;
  bool fits_ = true;
};

/// The claimed result, and how a row of it is computed. Powers and closures are a batch of one.
template <class T>
struct Claim {
  enum class Kind { product, power, closure };

  Semiring semiring;
  BatchView<const T> a, b;
  BatchView<const T> product;
  BatchView<const std::uint32_t> argmin = {};
  Kind kind = Kind::product;
  std::uint64_t power = 1;

  [[nodiscard]] std::size_t m() const { return product.first.rows; }
  [[nodiscard]] std::size_t n() const { return product.first.columns; }
  [[nodiscard]] std::size_t rows() const { return n() == 0 ? 0 : product.count * m(); }

  /// Computes row `index` of the batch, unless the terms run out.
  [[nodiscard]] Row<T> row(std::size_t index, Recomputation<T>& anew) const {
    const std::size_t matrix = index / m(), i = index % m();
    if (kind == Kind::power) return anew.power_row(a.first, power, i);
    if (kind == Kind::closure) return anew.closure_row(a.first, i);
    return anew.times(a[a.count == 1 ? 0 : matrix].row(i), b[b.count == 1 ? 0 : matrix]);
  }

  /// Powers and closures of floats add or multiply in a different order than a walk edge by edge. Counts are not
  /// rounded.
  [[nodiscard]] bool agrees(T claimed, T expected) const {
    if (claimed == expected) return true;
    const bool rounds = semiring.adds() || (semiring.multiplies() && semiring.is_selective());
    if (!std::is_floating_point_v<T> || !rounds || kind == Kind::product) return false;
    if (!std::isfinite(static_cast<double>(expected))) return false;  // an infinite tolerance would allow everything
    const double relative = sizeof(T) == sizeof(float) ? 1e-4 : 1e-10;
    const double least =
        semiring.adds() ? 1 : static_cast<double>(std::numeric_limits<T>::min());  // the smallest normal number
    const double tolerance = relative * (least + std::abs(static_cast<double>(expected)));
    return std::abs(static_cast<double>(claimed) - static_cast<double>(expected)) <= tolerance;
  }

  /// A lower bound. The number of rounds of a closure depends on the values.
  [[nodiscard]] double terms_of_a_row() const {
    const double once = static_cast<double>(a.first.columns) * static_cast<double>(n());
    return kind == Kind::power ? once * std::max(1.0, static_cast<double>(power)) : once;
  }
};

/// The place of an entry: "(3, 4) of product 7", or "(3, 4)" for a single product.
template <class T>
std::string place(const Claim<T>& claim, std::size_t index, const std::string& at) {
  return claim.product.count == 1 ? at : fmt::format("{} of product {}", at, index / claim.m());
}

template <class T>
Violation find_row_violation(const Claim<T>& claim, std::size_t index, Recomputation<T>& anew) {
  const std::size_t matrix = index / claim.m(), i = index % claim.m();
  const Row<T> expected = claim.row(index, anew);
  if (anew.is_exhausted()) return std::nullopt;
  if (!anew.fits()) return fmt::format("row {} passes {}", place(claim, index, std::to_string(i)), dtype_name<T>());
  if (claim.kind == Claim<T>::Kind::closure && !claim.agrees(claim.semiring.template one<T>(), expected.values[i])) {
    return fmt::format("walks from vertex {} back to it improve without end: there is no closure", i);
  }
  for (std::size_t j = 0; j < claim.n(); ++j) {
    const auto entry = [&] { return place(claim, index, fmt::format("({}, {})", i, j)); };
    const T claimed = claim.product[matrix](i, j);
    if (!claim.agrees(claimed, expected.values[j])) {
      return fmt::format("entry {} is {}, it has to be {}", entry(), claimed, expected.values[j]);
    }
    if (!claim.argmin.first.data || claim.argmin[matrix](i, j) == expected.argmin[j]) continue;
    return fmt::format("the argmin of entry {} is {}, it has to be {}", entry(), claim.argmin[matrix](i, j),
                       expected.argmin[j]);
  }
  return std::nullopt;
}

[[noreturn]] void reject_terms(double terms, double max_terms) {
  throw Error(ErrorKind::time_limit,
              fmt::format("one row takes {:.3g} operations or more to check: {:.3g} are accepted", terms, max_terms));
}

/// All row numbers, shuffled with a fixed seed, so that a verdict can be repeated.
std::vector<std::size_t> shuffled(std::size_t rows) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  return order;
}

template <class T>
Verdict verdict_of(const Claim<T>& claim, const Options& options, double max_terms) {
  if (claim.terms_of_a_row() > max_terms && claim.rows() > 0) reject_terms(claim.terms_of_a_row(), max_terms);
  Budget budget(options);
  const Budget::Reservation taken = budget.reserve(claim.rows() + 4 * claim.n(), sizeof(std::size_t));
  Verdict verdict{.rows = claim.rows()};
  Recomputation<T> anew(claim.semiring, max_terms, options);
  for (const std::size_t index : shuffled(claim.rows())) {
    if (Violation violation = find_row_violation(claim, index, anew)) return infeasible(*violation);
    if (anew.is_exhausted()) break;
    ++verdict.rows_checked;
  }
  verdict.is_optimal = verdict.rows_checked == verdict.rows;
  if (verdict.is_optimal) return verdict;
  if (verdict.rows_checked == 0) reject_terms(max_terms, max_terms);
  verdict.unchecked = fmt::format("{} of {} rows", verdict.rows - verdict.rows_checked, verdict.rows);
  return verdict;
}

template <class T>
void check_semiring(Semiring semiring) {
  if (semiring.accepts<T>()) return;
  throw Error(ErrorKind::usage, fmt::format("{} is not of {}", to_string(semiring), dtype_name<T>()));
}

template <class T>
void check_batch(const char* name, const BatchView<const T>& batch, std::size_t count) {
  check_view(name, batch.first);
  if (batch.count == count || batch.count == 1) return;
  throw Error(ErrorKind::usage, fmt::format("{} is a batch of {}: 1 or {} are accepted", name, batch.count, count));
}

Violation find_shape_violation(const char* name, std::size_t rows, std::size_t columns, std::size_t m, std::size_t n) {
  if (rows == m && columns == n) return std::nullopt;
  return fmt::format("the {} is {} x {}, not {} x {}", name, rows, columns, m, n);
}

/// Verifies a result of A's own shape.
template <class T>
Verdict verdict_of_square(const Claim<T>& claim, const Options& options, double max_terms) {
  check_semiring<T>(claim.semiring);
  check_square(claim.a.first);
  check_view("result", claim.product.first);
  const std::size_t n = claim.a.first.rows;
  if (Violation violation = find_shape_violation("result", claim.m(), claim.n(), n, n)) return infeasible(*violation);
  return verdict_of(claim, options, max_terms);
}

}  // namespace

template <class T>
Verdict verify_batch(Semiring semiring, BatchView<const T> a, std::type_identity_t<BatchView<const T>> b,
                     std::type_identity_t<BatchView<const T>> product, const Options& options,
                     BatchView<const std::uint32_t> argmin, double max_terms) {
  check_semiring<T>(semiring);
  check_batch("A", a, product.count);
  check_batch("B", b, product.count);
  check_view("product", product.first);
  if (a.first.columns != b.first.rows) {
    throw Error(ErrorKind::usage, fmt::format("A has {}, B {}: as many are accepted",
                                              quantity(a.first.columns, "column"), quantity(b.first.rows, "row")));
  }
  const std::size_t m = a.first.rows, n = b.first.columns;
  if (Violation violation = find_shape_violation("product", product.first.rows, product.first.columns, m, n))
    return infeasible(*violation);
  if (argmin.first.data) {
    check_view("argmin", argmin.first);
    if (Violation violation = find_shape_violation("argmin", argmin.first.rows, argmin.first.columns, m, n))
      return infeasible(*violation);
    if (!semiring.is_selective()) return infeasible(fmt::format("{} has no argmin", to_string(semiring)));
  }
  return verdict_of(Claim<T>{.semiring = semiring, .a = a, .b = b, .product = product, .argmin = argmin}, options,
                    max_terms);
}

template <class T>
Verdict verify(Semiring semiring, MatrixView<const T> a, std::type_identity_t<MatrixView<const T>> b,
               const Product<T>& product, const Options& options, double max_terms) {
  return verify_batch<T>(semiring, {a}, {b}, {product.values.view()}, options, {product.argmin.view()}, max_terms);
}

template <class T>
Verdict verify_power(Semiring semiring, MatrixView<const T> a, std::uint64_t k,
                     std::type_identity_t<MatrixView<const T>> result, const Options& options, double max_terms) {
  return verdict_of_square(
      Claim<T>{
          .semiring = semiring, .a = {a}, .b = {a}, .product = {result}, .kind = Claim<T>::Kind::power, .power = k},
      options, max_terms);
}

template <class T>
Verdict verify_closure(Semiring semiring, MatrixView<const T> a, std::type_identity_t<MatrixView<const T>> result,
                       const Options& options, double max_terms) {
  if (!semiring.is_selective()) {
    throw Error(ErrorKind::usage, fmt::format("{} has no closures", to_string(semiring)));
  }
  if constexpr (std::is_same_v<T, std::int16_t>) {  // walks that are not best may exceed 16 bits
    Budget budget(options);
    Options within = options;
    within.budget = &budget;
    const Budget::Reservation taken =
        budget.reserve(a.rows * a.columns + result.rows * result.columns, sizeof(std::int32_t));
    for (std::size_t i = 0; i < result.rows; ++i) {  // 32 bits would take it for an infinity
      for (std::size_t j = 0; j < result.columns; ++j) {
        if (std::abs(result(i, j)) > infinity<T>) return wrong_cost(fmt::format("({}, {}) is beyond infinity", i, j));
      }
    }
    const Matrix<std::int32_t> wide_a = widened(a), wide_result = widened(result);
    return verify_closure<std::int32_t>(semiring, wide_a.view(), wide_result.view(), within, max_terms);
  } else {
    return verdict_of_square(
        Claim<T>{.semiring = semiring, .a = {a}, .b = {a}, .product = {result}, .kind = Claim<T>::Kind::closure},
        options, max_terms);
  }
}

#define WARPFOLD_INSTANTIATE(T)                                                                                       \
  template Verdict verify(Semiring, MatrixView<const T>, MatrixView<const T>, const Product<T>&, const Options&,      \
                          double);                                                                                    \
  template Verdict verify_batch(Semiring, BatchView<const T>, BatchView<const T>, BatchView<const T>, const Options&, \
                                BatchView<const std::uint32_t>, double);                                              \
  template Verdict verify_power(Semiring, MatrixView<const T>, std::uint64_t, MatrixView<const T>, const Options&,    \
                                double);                                                                              \
  template Verdict verify_closure(Semiring, MatrixView<const T>, MatrixView<const T>, const Options&, double);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus
