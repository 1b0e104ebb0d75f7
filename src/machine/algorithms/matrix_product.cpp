#include "machine/algorithms/matrix_product.hpp"

#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

std::vector<Value> MatrixPair::product(std::uint64_t n) const {
  std::vector<Value> c(n * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t k = 0; k < n; ++k) {
      for (std::uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}

MatrixPair matrices_of(const RunRequest& request) {
  accept_n(request, request.n >= 1 && request.n < 65536, "1 to 65535 rows");
  const std::uint64_t words = request.n * request.n;
  check_data(request, 3 * words);
  const auto list = [&](const char* name, std::uint64_t seed) {
    return given_or(request, name, [&] { return random_values(request, words, seed); });
  };
  return {list("a", request.seed), list("b", request.seed + 1)};
}

std::vector<List> matrix_lists() {
  constexpr Value most = 1 << 23;  // 65535 products have a sum
  const auto rows = [](std::uint64_t entries) -> std::optional<std::uint64_t> {
    std::uint64_t n = 0;
    while (n < 65536 && n * n < entries) ++n;
    return n * n == entries ? std::optional(n) : std::nullopt;
  };
  return {{"a", "the left matrix, row by row", -most, most, "n^2", rows},
          {"b", "the right matrix, row by row", -most, most, "n^2", rows}};
}

std::uint64_t matrix_words(const RunRequest& request) { return 3 * request.n * request.n; }

namespace {

/// One thread for each element of c. The threads of a warp read one word of a, and neighbors of b.
Program multiply_matrices(Thread pe, Array<Value> a, Array<Value> b, Array<Value> c, std::uint64_t n) {
  for (std::uint64_t q = pe.id; q < n * n; q += pe.count) {
    Value sum = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
      const Value x = co_await a.read(q / n * n + k);
      const Value y = co_await b.read(k * n + q % n);
      sum += x * y;
    }
    co_await c.write(q, sum);
  }
}

RunResult run_matrix_product(const RunRequest& request) {
  const std::uint64_t n = request.n;
  const MatrixPair matrices = matrices_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", matrices.a), b = simulation.array("b", matrices.b);
  const auto c = simulation.array<Value>("c", n * n);
  simulation.run([&](Thread pe) { return multiply_matrices(pe, a, b, c, n); });
  const auto product = simulation.values(c);
  RunResult result = result_of(request, simulation, product == matrices.product(n), matrix_words(request));
  result.inputs["a"] = matrices.a;
  result.inputs["b"] = matrices.b;
  result.outputs["c"] = product;
  if (!formulas::has_latency(request.machine) || formulas::divides(request.machine, n)) {
    result.formula = formulas::matrix_product(request.machine, request.threads, n);
    result.formula_text = "(2 n + 1)(n n/w + ceil(n n/p)(l - 1))";
  }
  const auto size = static_cast<double>(n);
  result.bound = formulas::optimal(request.machine, request.threads, size * size * size);
  result.bound_text = "n^3/w + n^3 l/p";
  return result;
}

}  // namespace

Algorithm matrix_product() {
  return {"matrix-product",
          "The product of two n x n matrices, a thread for each element of it.",
          "the PRAM's algorithm of textbooks; future work of Memory machines 2012, section VII",
          run_matrix_product,
          flat_machines(),
          false,
          {},
          matrix_lists()};
}

}  // namespace warpfold::machine
