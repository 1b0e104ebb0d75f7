#include <fmt/format.h>

#include <optional>

#include "minplus_input.hpp"
#include "verify.hpp"
#include "warpfold/formats/matrix.hpp"
#include "warpfold/minplus/verify.hpp"

namespace warpfold::app {

namespace {

using minplus::BatchView;
using minplus::Semiring;

/// Reads and checks a file that the run wrote. It must have the expected shape.
template <class T>
std::vector<T> read_result(const Json& solution, const char* key, const ProductShape& shape) {
  const io::NpyArray array = io::read_npy(value_at(solution, key).get<std::string>());
  if (array.shape != shape.extents())
    throw MalformedSolution(fmt::format("the {} has another shape than the product", key));
  return array.weights<T>();
}

/// Checks what the solution states of the matrices.
Violation find_statement_violation(const Json& solution, const ProductShape& shape) {
  if (Violation violation = find_run_violation(solution, shape.m)) return violation;
  if (!value_at(solution, "cost").is_null()) return "'cost' is there, a product has none";
  const auto extents = integers<std::size_t>(value_at(solution, "shape"));
  if (extents != std::vector{shape.m, shape.p, shape.n}) return "'shape' is not that of the matrices";
  const auto batch = solution.contains("batch") ? integer<std::size_t>(value_at(solution, "batch")) : 1;
  if (batch != shape.batch || solution.contains("batch") != shape.is_batch)
    return "'batch' is not that of the matrices";
  return std::nullopt;
}

Semiring read_semiring(const Json& solution) {
  Semiring semiring = minplus::parse_semiring(text_at(solution, "semiring"));
  if (!solution.contains("modulus")) return semiring;
  semiring.modulus = integer<std::uint64_t>(value_at(solution, "modulus"));
  if (semiring.modulus == 0) throw MalformedSolution("'modulus' is 0");
  if (semiring.kind != Semiring::plus_times) throw MalformedSolution("'modulus' is there: plus-times alone has one");
  return semiring;
}

/// The views of `count` matrices that are stored one after the other.
template <class T>
BatchView<const T> batch_of(const std::vector<T>& values, std::size_t rows, std::size_t columns, std::size_t count) {
  return {{values.data(), rows, columns, columns}, count, rows * columns};
}

template <class T>
Verdict verdict_of_product(Semiring semiring, const io::NpyArray& a, const io::NpyArray& b, const Json& solution,
                           const Options& limits) {
  const ProductShape shape = shape_of_product(a, b);
  const auto [m, p, n, batch, a_count, b_count, is_batch, a_is_vector, b_is_vector] = shape;
  const auto no_edge = stated_no_edge(solution);
  const std::vector<T> left = a.lengths(semiring.zero<T>(), no_edge), right = b.lengths(semiring.zero<T>(), no_edge);
  const std::vector<T> product = read_result<T>(solution, "output", shape);
  std::vector<std::uint32_t> argmin;
  if (solution.contains("argmin")) argmin = read_result<std::uint32_t>(solution, "argmin", shape);
  return minplus::verify_batch<T>(semiring, batch_of(left, m, p, a_count), batch_of(right, p, n, b_count),
                                  batch_of(product, m, n, batch), limits,
                                  argmin.empty() ? BatchView<const std::uint32_t>{} : batch_of(argmin, m, n, batch));
}

template <class T>
Verdict verdict_of_square(Semiring semiring, const io::NpyArray& a, const Json& solution, const Options& limits) {
  const ProductShape shape = shape_of_power(a);
  const std::size_t n = shape.n;
  const std::vector<T> values = a.lengths(semiring.zero<T>(), stated_no_edge(solution));
  const std::vector<T> result = read_result<T>(solution, "output", shape);
  const MatrixView<const T> matrix{values.data(), n, n, n}, stated{result.data(), n, n, n};
  if (solution.value("closure", false)) return minplus::verify_closure(semiring, matrix, stated, limits);
  return minplus::verify_power(semiring, matrix, integer<std::uint64_t>(value_at(solution, "power")), stated, limits);
}

}  // namespace

Verdict verify_minplus(const Files& matrices, const Json& solution, const Options& limits) {
  const io::NpyArray a = formats::read_matrix(matrices.front());
  std::optional<io::NpyArray> b;
  if (matrices.size() > 1) b = formats::read_matrix(matrices[1]);
  const bool is_product = !solution.contains("power") && !solution.value("closure", false);
  if (Violation violation = find_statement_violation(solution, b ? shape_of_product(a, *b) : shape_of_power(a)))
    return infeasible(*violation);
  if (is_product && !b) return infeasible("a product has two matrices: A.npy B.npy SOLUTION is accepted");
  if (!is_product && b) return infeasible("a power or a closure has one matrix: A.npy SOLUTION is accepted");
  if (!solution.contains("output")) return infeasible("'output' is not there: a run with -o FILE.npy is accepted");
  const Semiring semiring = read_semiring(solution);
  return with_minplus_dtype(text_at(solution, "dtype"), [&]<class T>(T) {
    return b ? verdict_of_product<T>(semiring, a, *b, solution, limits)
             : verdict_of_square<T>(semiring, a, solution, limits);
  });
}

}  // namespace warpfold::app
