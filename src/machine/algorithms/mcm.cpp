#include "machine/algorithms/mcm.hpp"

#include <algorithm>
#include <limits>

#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

std::vector<Value> chain_solution(const Chain& chain) {
  std::vector<Value> table(chain.size());
  for (std::uint64_t diagonal = 1; diagonal < chain.n; ++diagonal) {
    for (std::uint64_t row = 0; row + diagonal < chain.n; ++row) {
      const std::uint64_t column = row + diagonal;
      Value best = std::numeric_limits<Value>::max();
      for (std::uint64_t split = row + 1; split <= column; ++split) {
        best = std::min(
            best, table[chain.at(row, split - 1)] + table[chain.at(split, column)] + chain.weight(row, split, column));
      }
      table[chain.at(row, column)] = best;
    }
  }
  return table;
}

std::vector<Value> random_dimensions(const RunRequest& request) {
  auto dimensions = random_values(request, request.n + 1, request.seed, 100);
  for (Value& dimension : dimensions) ++dimension;
  return dimensions;
}

std::optional<std::uint64_t> matrices_of(std::uint64_t dimensions) {
  return dimensions == 0 ? std::nullopt : std::optional(dimensions - 1);
}

}  // namespace

Program compute_element(Array<Value> st, const Chain* chain, std::uint64_t row, std::uint64_t diagonal) {
  Value best = std::numeric_limits<Value>::max();
  for (std::uint64_t j = 0; j < diagonal; ++j) {
    const ChainTerm term = term_of(*chain, row, diagonal, j);
    const Value left = co_await st.read(term.left);
    const Value right = co_await st.read(term.right);
    best = std::min(best, left + right + term.weight);
  }
  co_await st.write(chain->start(diagonal) + row, best);
}

Chain chain_of(const RunRequest& request) {
  accept_n(request, request.n >= 2 && request.n <= 1u << 14, "2 to 16384 matrices");
  return {request.n, given_or(request, "dimensions", [&] { return random_dimensions(request); })};
}

RunResult chain_result(const RunRequest& request, const Simulation& simulation, const Chain& chain,
                       const std::vector<Value>& table, std::uint64_t memory_steps, std::uint64_t active) {
  RunResult result =
      sdp_result(request, simulation, table == chain_solution(chain), chain.size(), memory_steps, active);
  result.inputs["dimensions"] = chain.dims;
  result.outputs["ST"] = table;
  return result;
}

Algorithm chain_algorithm(std::string_view name, std::string_view description, std::string_view source,
                          RunResult (*run)(const RunRequest&), bool has_printed_form) {
  return {name,
          description,
          source,
          run,
          flat_machines(),
          has_printed_form,
          {},
          {{"dimensions", "rows of the first matrix, then the columns of each", 1, 1 << 16, "n + 1", matrices_of}}};
}

}  // namespace warpfold::machine
