// How long do prefix tables take on this GPU and on the host's processors, beside the tables that they read?
//
//   bench_interval cuda_prefix_tables --json > results/<machine>/cuda_prefix_tables.json

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../question.hpp"
#include "warpfold/interval/marginals.cuh"

namespace warpfold::bench {

/// Words with weights, over all intervals.
struct Words {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { word, tables };
  std::span<const double> weights;

  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    add(word, weights[(3 * i + 5 * j) % weights.size()]);
  }
};
/// And all texts of words.
struct Texts : Words {
  enum PrefixTable : unsigned { text, prefix_tables };
  static constexpr interval::PrefixSum prefix_sums[1] = {{.left = text, .right = word}};

  template <class Add>
  constexpr void prefix_terms(std::size_t j, Add& add) const {
    add(text, j == 0 ? 1.0 : 0.0);
    add(text, add.prefix(0));
  }
};

namespace {

template <class Call>
void keep_row(const char* work, std::size_t n, const char* device, const Call& call) {
  const Timing timing = measure(device == std::string("cuda") ? 5 : 3, [&] { static_cast<void>(call()); });
  const auto m = static_cast<double>(n);
  keep(row(work, {{"n", n}, {"device", device}}, timing, m * (m - 1) / 2, 0));
}

void measure_length(std::size_t n) {
  std::vector<double> weights;
  for (unsigned t = 0; t < 997; ++t) weights.push_back(0.01 + static_cast<double>(t * 37 % 101) / 500);
  const interval::cuda::Array<double> there(weights);
  const Words words{weights}, words_there{there.span()};
  const Texts texts{{weights}}, texts_there{{there.span()}};
  Options on_gpu;
  on_gpu.device = parse_device("cuda");
  const auto solved = interval::cuda::solve_grammar(texts_there, n, on_gpu).solution;
  const auto expected = interval::solve_grammar(texts, n).solution;
  require(solved.value() == expected.value(), "the GPU's texts have another sum");
  keep_row("words", n, "cuda", [&] { return interval::cuda::solve_grammar(words_there, n, on_gpu); });
  keep_row("words and texts", n, "cuda", [&] { return interval::cuda::solve_grammar(texts_there, n, on_gpu); });
  keep_row("marginals of points", n, "cuda",
           [&] { return interval::cuda::prefix_marginals(texts_there, solved, Texts::text); });
  keep_row("words", n, "cpu", [&] { return interval::solve_grammar(words, n); });
  keep_row("words and texts", n, "cpu", [&] { return interval::solve_grammar(texts, n); });
  keep_row("marginals of points", n, "cpu", [&] { return interval::prefix_marginals(texts, expected, Texts::text); });
}

const Question question("cuda_prefix_tables", [](const Arguments&) {
  for (const std::size_t n : {1000, 4000, 16000}) measure_length(n);
});

}  // namespace
}  // namespace warpfold::bench
