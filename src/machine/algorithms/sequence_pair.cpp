#include "machine/algorithms/sequence_pair.hpp"

#include <algorithm>

#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

constexpr std::uint64_t max_symbols = 32767;  // so that every table has fewer than 2^32 words
constexpr std::uint64_t drawn_symbols = 4;

std::uint64_t symbols_of_b(const RunRequest& request) {
  const auto* given = request.list("b");
  const std::uint64_t m = given != nullptr ? given->size() : request.parameter("m", request.n);
  accept_parameter("m", m, m >= 1 && m <= max_symbols, "1 to 32767 symbols");
  return m;
}

}  // namespace

Value SequencePair::cell(bool equal, Value diagonal, Value above, Value left) const {
  if (is_edit()) return std::min(diagonal + (equal ? 0 : 1), std::min(above, left) + 1);
  return std::max(diagonal + (equal ? 1 : 0), std::max(above, left));
}

std::vector<Value> SequencePair::table() const {
  std::vector<Value> d(n() * m());
  for (std::uint64_t i = 0; i < n(); ++i) {
    for (std::uint64_t j = 0; j < m(); ++j) {
      const Value diagonal = i > 0 && j > 0 ? d[(i - 1) * m() + j - 1] : corner(i, j);
      const Value above = i > 0 ? d[(i - 1) * m() + j] : border(j + 1);
      const Value left = j > 0 ? d[i * m() + j - 1] : border(i + 1);
      d[i * m() + j] = cell(a[i] == b[j], diagonal, above, left);
    }
  }
  return d;
}

SequencePair pair_of(const RunRequest& request, PairMeasure measure) {
  const std::uint64_t n = request.n;
  accept_n(request, n >= 1 && n <= max_symbols, "1 to 32767 symbols");
  const std::uint64_t m = symbols_of_b(request);
  check_data(request, n * m);
  const auto symbols = [&](const char* name, std::uint64_t count, std::uint64_t seed) {
    return given_or(request, name, [&] { return random_values(request, count, seed, drawn_symbols); });
  };
  return {measure, symbols("a", n, request.seed), symbols("b", m, request.seed + 1)};
}

RunResult pair_result(const RunRequest& request, const Simulation& simulation, const SequencePair& pair, Value distance,
                      bool correct) {
  RunResult result = result_of(request, simulation, correct, pair.n() + pair.m());
  result.inputs["a"] = pair.a;
  result.inputs["b"] = pair.b;
  result.outputs["D"] = {distance};
  result.bound = formulas::pair_bound(request.machine, request.threads, pair.n(), pair.m(), 1);
  result.bound_text = "n m/w + n m l/p + (n + m) l";
  result.lower_bound_text = "max(A/w + l - 1, A l/p), A = n + m symbols";
  return result;
}

RunResult pair_table_result(const RunRequest& request, const Simulation& simulation, const SequencePair& pair,
                            const std::vector<Value>& table) {
  RunResult result = pair_result(request, simulation, pair, table.back(), table == pair.table());
  result.few_words_lower_bound =
      formulas::few_words_pair_lower_bound(request.machine, request.threads, pair.n(), pair.m());
  result.few_words_lower_bound_text = "max(n m/w, n m l/p, (n + m - 1) l), for a table whose cells are all stored";
  return result;
}

Algorithm pair_algorithm(std::string_view name, std::string_view description, std::string_view source,
                         RunResult (*run)(const RunRequest&), std::vector<Parameter> parameters) {
  constexpr Value largest_symbol = 255;
  parameters.insert(parameters.begin(), {"m", "symbols of the second sequence; default: n"});
  return {name,
          description,
          source,
          run,
          flat_machines(),
          false,
          std::move(parameters),
          {{"a", "the first sequence's symbols", 0, largest_symbol, "n", one_each},
           {"b", "the second sequence's symbols", 0, largest_symbol, "m", nullptr, {"m"}}}};
}

}  // namespace warpfold::machine
