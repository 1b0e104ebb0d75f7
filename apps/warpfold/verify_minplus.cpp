#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "minplus_input.hpp"
#include "verify.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::app {

namespace {

using minplus::Semiring;

/// Terms that are recomputed at most: every row where that is enough, else as many of them in a random order.
constexpr double most_terms = 4e9;

/// What recomputing has come to. `fits` says whether exact sums of numbers that count stayed within the type.
struct Check {
  double terms_left = most_terms;
  bool fits = true;

  [[nodiscard]] bool is_out_of_terms() const { return terms_left < 0; }
};

template <class T>
struct Row {
  std::vector<T> values;
  std::vector<std::uint32_t> argmin;
};

/// A row times a matrix, term by term.
template <class T>
Row<T> times(Semiring semiring, const std::vector<T>& left, const T* matrix, std::size_t columns, Check& check) {
  const T zero = semiring.zero<T>();
  Row<T> row{std::vector<T>(columns, zero), std::vector<std::uint32_t>(columns, minplus::unchanged)};
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (left[k] == zero) continue;
    check.terms_left -= static_cast<double>(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      const T right = matrix[k * columns + j];
      if (right == zero) continue;
      T& here = row.values[j];
      if (semiring.kind == Semiring::plus_times) {
        using Wide = std::conditional_t<std::is_floating_point_v<T>, long double, unsigned __int128>;
        Wide sum = static_cast<Wide>(here) + static_cast<Wide>(left[k]) * static_cast<Wide>(right);
        if constexpr (!std::is_floating_point_v<T>) {
          if (semiring.modulus > 0) sum %= semiring.modulus;
        }
        check.fits = check.fits && static_cast<Wide>(static_cast<T>(sum)) == sum;
        here = static_cast<T>(sum);
        continue;
      }
      const T both = semiring.takes_least() ? std::max(left[k], right) : std::min(left[k], right);
      const T term = semiring.adds() ? static_cast<T>(left[k] + right) : both;
      if (semiring.takes_least() ? term >= here : term <= here) continue;
      here = term;
      row.argmin[j] = static_cast<std::uint32_t>(k);
    }
  }
  return row;
}

/// Row i of the identity.
template <class T>
std::vector<T> row_of_one(Semiring semiring, std::size_t n, std::size_t i) {
  std::vector<T> row(n, semiring.zero<T>());
  row[i] = semiring.one<T>();
  return row;
}

template <class T>
struct Claim {
  Semiring semiring;
  ProductShape shape;
  std::vector<T> a, b, product;
  std::vector<std::uint32_t> argmin;
  std::optional<std::uint64_t> power;
  bool closure;

  /// Row `index` of the product (of matrix index / m of a batch), unless it runs out of terms.
  Row<T> row(std::size_t index, Check& check) const {
    const std::size_t matrix = index / shape.m, i = index % shape.m, n = shape.n;
    if (closure) return closure_row(i, check);
    if (power) {
      Row<T> row{row_of_one<T>(semiring, n, i), {}};
      for (std::uint64_t step = 0; step < *power && !check.is_out_of_terms(); ++step) {
        row = times(semiring, row.values, a.data(), n, check);
      }
      return row;
    }
    const T* left = a.data() + ((shape.a_count == 1 ? 0 : matrix) * shape.m + i) * shape.p;
    const T* right = b.data() + (shape.b_count == 1 ? 0 : matrix) * shape.p * n;
    return times(semiring, std::vector<T>(left, left + shape.p), right, n, check);
  }

  /// Walks from i, one edge more each round, until nothing improves.
  Row<T> closure_row(std::size_t i, Check& check) const {
    std::vector<T> walks = row_of_one<T>(semiring, shape.n, i);
    for (std::size_t round = 0; round < shape.n && !check.is_out_of_terms(); ++round) {
      const std::vector<T> longer = times(semiring, walks, a.data(), shape.n, check).values;
      std::vector<T> next = walks;
      for (std::size_t j = 0; j < shape.n; ++j) {
        next[j] = semiring.takes_least() ? std::min(walks[j], longer[j]) : std::max(walks[j], longer[j]);
      }
      if (next == walks) break;
      walks = std::move(next);
    }
    return {walks, {}};
  }

  /// Powers and closures of floats add in another order than a walk edge by edge.
  [[nodiscard]] bool agrees(T claimed, T expected) const {
    if (claimed == expected) return true;
    if (!std::is_floating_point_v<T> || !semiring.adds() || !(power || closure)) return false;
    const double relative = sizeof(T) == sizeof(float) ? 1e-4 : 1e-10;
    const double tolerance = relative * (1 + std::abs(static_cast<double>(expected)));
    return std::abs(static_cast<double>(claimed) - static_cast<double>(expected)) <= tolerance;
  }

  /// At the least: how many rounds a closure takes shows in them.
  [[nodiscard]] double terms_of_a_row() const {
    const double once = static_cast<double>(shape.p) * static_cast<double>(shape.n);
    return power ? once * std::max(1.0, static_cast<double>(*power)) : once;
  }
};

template <class T>
Flaw flaw_of_row(const Claim<T>& claim, std::size_t index, Check& check) {
  const std::size_t n = claim.shape.n;
  const Row<T> expected = claim.row(index, check);
  if (check.is_out_of_terms()) return std::nullopt;
  const std::string matrix = claim.shape.is_batch ? fmt::format("of product {} ", index / claim.shape.m) : "";
  if (!check.fits) return fmt::format("row {} {}passes {}", index % claim.shape.m, matrix, dtype_name<T>());
  for (std::size_t j = 0; j < n; ++j) {
    const T claimed = claim.product[index * n + j];
    if (!claim.agrees(claimed, expected.values[j])) {
      return fmt::format("entry ({}, {}) {}is {}, it has to be {}", index % claim.shape.m, j, matrix, claimed,
                         expected.values[j]);
    }
    if (claim.argmin.empty() || claim.argmin[index * n + j] == expected.argmin[j]) continue;
    return fmt::format("the argmin of entry ({}, {}) {}is {}, it has to be {}", index % claim.shape.m, j, matrix,
                       claim.argmin[index * n + j], expected.argmin[j]);
  }
  return std::nullopt;
}

template <class T>
Flaw flaw_of(const Claim<T>& claim, Coverage& coverage) {
  const std::size_t rows = claim.shape.entries() == 0 ? 0 : claim.shape.batch * claim.shape.m;
  if (rows == 0) {
    coverage.is_optimal = true;
    return std::nullopt;
  }
  const auto refuse = [](double terms) {
    throw Error(
        ErrorKind::time_limit,
        fmt::format("one row takes {:.3g} operations or more to check: {:.3g} are accepted", terms, most_terms));
  };
  if (claim.terms_of_a_row() > most_terms) refuse(claim.terms_of_a_row());
  std::vector<std::size_t> order(rows);
  for (std::size_t index = 0; index < rows; ++index) order[index] = index;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));  // a seed that repeats a verdict
  Check check;
  coverage.rows = rows;
  for (const std::size_t index : order) {
    const Flaw flaw = flaw_of_row(claim, index, check);
    if (flaw) return flaw;
    if (check.is_out_of_terms()) break;
    ++coverage.checked;
  }
  if (coverage.checked == 0) refuse(most_terms);
  coverage.is_optimal = coverage.checked == rows;
  return std::nullopt;
}

/// Reads a file that the run wrote. Nothing in it may have another shape.
template <class T>
std::optional<std::vector<T>> read_result(const Json& solution, const char* key, const ProductShape& shape) {
  const io::NpyArray array = io::read_npy(solution.at(key).get<std::string>());
  if (array.shape != shape.extents()) return std::nullopt;
  return array.weights<T>();
}

/// What the run says of its matrices.
Flaw flaw_of_statement(const Json& solution, const ProductShape& shape) {
  if (Flaw flaw = flaw_of_run(solution, shape.m)) return flaw;
  if (!solution.at("cost").is_null()) return "'cost' is there, a product has none";
  const auto extents = wholes<std::size_t>(solution.at("shape"));
  if (extents != std::vector{shape.m, shape.p, shape.n}) return "'shape' is not that of the matrices";
  const auto batch = solution.contains("batch") ? whole<std::size_t>(solution.at("batch")) : 1;
  if (batch != shape.batch || solution.contains("batch") != shape.is_batch)
    return "'batch' is not that of the matrices";
  return std::nullopt;
}

template <class T>
Flaw flaw_as(const io::NpyArray& a, const std::optional<io::NpyArray>& b, const Json& solution, Coverage& coverage) {
  Claim<T> claim{.semiring = minplus::parse_semiring(solution.at("semiring").get<std::string>()),
                 .shape = b ? shape_of_product(a, *b) : shape_of_power(a),
                 .a = a.weights<T>(),
                 .b = b ? b->weights<T>() : std::vector<T>{},
                 .product = {},
                 .argmin = {},
                 .power = {},
                 .closure = solution.value("closure", false)};
  if (solution.contains("modulus")) {
    claim.semiring.modulus = whole<std::uint64_t>(solution.at("modulus"));
    if (claim.semiring.modulus == 0) return "'modulus' is 0";
  }
  if (!claim.semiring.template accepts<T>())
    return fmt::format("{} is not of {}", to_string(claim.semiring), dtype_name<T>());
  if (Flaw flaw = flaw_of_statement(solution, claim.shape)) return flaw;
  if (solution.contains("power")) claim.power = whole<std::uint64_t>(solution.at("power"));
  if (!b && !claim.power && !claim.closure) return "a product has two matrices: A.npy B.npy SOLUTION is accepted";
  if (!solution.contains("output")) return "'output' is not there: a run with -o FILE.npy is accepted";
  auto product = read_result<T>(solution, "output", claim.shape);
  if (!product) return "the output has another shape than the product";
  claim.product = std::move(*product);
  if (solution.contains("argmin")) {
    auto argmin = read_result<std::uint32_t>(solution, "argmin", claim.shape);
    if (!argmin) return "the argmin has another shape than the product";
    claim.argmin = std::move(*argmin);
  }
  return flaw_of(claim, coverage);
}

}  // namespace

Flaws verify_minplus(const std::vector<std::string>& matrices, const Json& solution, Coverage& coverage) {
  const io::NpyArray a = io::read_npy(matrices.front());
  std::optional<io::NpyArray> b;
  if (matrices.size() > 1) b = io::read_npy(matrices[1]);
  return {with_minplus_dtype(solution.at("dtype").get<std::string>(),
                             [&](auto zero) { return flaw_as<decltype(zero)>(a, b, solution, coverage); })};
}

}  // namespace warpfold::app
