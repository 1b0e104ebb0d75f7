#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/matrix_product.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// c = a b, n x n words in tiles of w x w. `left` and `right` are one tile each in every shared memory.
struct TiledProduct {
  std::uint64_t n, w;
  Array<Value> a, b, c, left, right;

  [[nodiscard]] std::uint64_t at(std::uint64_t row, std::uint64_t column, std::uint64_t e) const {
    return (row * w + e / w) * n + column * w + e % w;
  }
};

Program load_tile(Thread t, TiledProduct of, Array<Value> from, std::uint64_t row, std::uint64_t column,
                  Array<Value> to) {
  for (std::uint64_t e = t.local_id; e < to.size(); e += t.local_count) {
    const Value x = co_await from.read(of.at(row, column, e));
    co_await to.write(e, x);
  }
  co_await barrier();
}

Program add_product(Thread t, TiledProduct of, std::vector<Value>* sums) {
  const std::uint64_t w = of.w;
  std::size_t own = 0;
  for (std::uint64_t e = t.local_id; e < w * w; e += t.local_count, ++own) {
    for (std::uint64_t k = 0; k < w; ++k) {
      const Value x = co_await of.left.read(e / w * w + k);
      const Value y = co_await of.right.read(k * w + e % w);
      (*sums)[own] += x * y;
    }
  }
}

Program multiply_by_tiles(Thread t, TiledProduct of) {
  const std::uint64_t across = of.n / of.w, words = of.w * of.w;
  std::vector<Value> sums((words + t.local_count - 1) / t.local_count);
  for (std::uint64_t tile = t.multiprocessor; tile < across * across; tile += t.count / t.local_count) {
    const std::uint64_t row = tile / across, column = tile % across;
    std::ranges::fill(sums, 0);
    for (std::uint64_t k = 0; k < across; ++k) {
      co_await phase("load");
      co_await load_tile(t, of, of.a, row, k, of.left);
      co_await load_tile(t, of, of.b, k, column, of.right);
      co_await phase("multiply");
      co_await add_product(t, of, &sums);
    }
    co_await phase("store");
    std::size_t own = 0;
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count, ++own) {
      co_await of.c.write(of.at(row, column, e), sums[own]);
    }
  }
}

RunResult run_matrix_product_hmm(const RunRequest& request) {
  const std::uint64_t n = request.n, w = request.machine.width;
  accept_n(request, n % w == 0, "a multiple of the width");
  const MatrixPair matrices = matrices_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const TiledProduct product{n,
                             w,
                             simulation.array("a", matrices.a),
                             simulation.array("b", matrices.b),
                             simulation.array<Value>("c", n * n),
                             simulation.shared_array<Value>("left", w * w),
                             simulation.shared_array<Value>("right", w * w)};
  simulation.run([&](Thread t) { return multiply_by_tiles(t, product); });
  const auto c = simulation.values(product.c);
  RunResult result = result_of(request, simulation, c == matrices.product(n), matrix_words(request));
  result.inputs["a"] = matrices.a;
  result.inputs["b"] = matrices.b;
  result.outputs["c"] = c;
  result.formula = formulas::matrix_product_hmm(request.machine, request.threads, n);
  result.formula_text =
      "(2 m + 1)(n n/w + R T (l - 1)) + R m (2 w + 2)(w + T (l' - 1)), m = n/w, R = ceil(m m/d), T = ceil(w w/q), q "
      "= "
      "p/d";
  result.bound = formulas::matrix_product_hmm_bound(request.machine, request.threads, n);
  result.bound_text = "n^3/w (1/w + 1/d) + n^3/p (l/w + l')";
  return result;
}

}  // namespace

Algorithm matrix_product_hmm() {
  return {"matrix-product-hmm",
          "The product of two n x n matrices by tiles of w x w words, two of them in each shared memory.",
          "the tiled product of CUDA programmers; a hybrid machine is future work of Memory machines 2012",
          run_matrix_product_hmm,
          {Kind::hmm},
          false,
          {},
          matrix_lists()};
}

}  // namespace warpfold::machine
