#include "papers/gpu-polygon-triangulation-2013/other_problems.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "papers/traced.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

/// The elements that Loop C of a stage writes, and how often it writes them: once for each term.
struct StageCount {
  std::set<std::uint64_t> elements;
  std::uint64_t terms = 0;
};

std::vector<StageCount> count_stages(const TracedRun& run, std::uint64_t n) {
  std::vector<StageCount> all(n - 1);
  std::uint32_t stage = 0, phase = 0;
  for (const auto& dispatch : run.trace.dispatches()) {
    for (; phase <= dispatch.phase; ++phase) stage += run.trace.phases()[phase].name == "loop C";
    if (run.trace.phases()[dispatch.phase].name != "loop C") continue;
    for (const auto& access : dispatch.accesses) {
      if (!access.write) continue;
      all[stage].elements.insert(access.address);
      ++all[stage].terms;
    }
  }
  return all;
}

std::string drawn(std::size_t n, std::string_view letters, std::mt19937_64& random) {
  std::string text(n, ' ');
  for (char& letter : text) letter = letters[random() % letters.size()];
  return text;
}

std::int64_t plain_chain(const std::vector<std::int64_t>& p) {
  const std::size_t n = p.size();
  std::vector<std::int64_t> cost(n * n);
  for (std::size_t length = 2; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      for (std::size_t k = i + 1; k < i + length; ++k) {
        best = std::min(best, cost[i * n + k] + cost[k * n + i + length] + p[i] * p[k] * p[i + length]);
      }
      cost[i * n + i + length] = best;
    }
  }
  return cost[n - 1];
}

std::int64_t plain_lcs(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::int64_t>> length(a.size() + 1, std::vector<std::int64_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return length[a.size()][b.size()];
}

}  // namespace

Table stages(const RunOptions& options) {
  constexpr std::uint64_t n = 12;
  const TracedRun run = traced("dp-opt", {.machine = machine::pram(), .threads = 16, .n = n, .seed = options.seed});
  const std::vector<StageCount> all = count_stages(run, n);
  Table table{{key("stage p"), published("elements n - p - 1"), counted("elements"), published("terms p"),
               counted("terms of an element"), counted("terms of the stage")},
              {}};
  for (std::uint64_t p = 1; p + 1 < n; ++p) {
    const std::size_t elements = all[p].elements.size();
    table.rows.push_back({p, n - p - 1, elements, p, all[p].terms / elements, all[p].terms});
  }
  table.notes = {"n = 12, chosen by us: early stages have many elements with few terms, late ones few with many",
                 "the method TB takes a thread for each element, BB(t,b) takes b blocks", run.command};
  return table;
}

Table other_problems(const RunOptions& options) {
  std::mt19937_64 random(options.seed);
  Table table{{key("problem"), key("command"), key("n"), counted("optimum"), counted("by the plain recurrence")}, {}};
  for (const std::size_t n : {50U, 200U}) {
    std::vector<std::int64_t> dimensions(n + 1);
    for (auto& dimension : dimensions) dimension = static_cast<std::int64_t>(1 + random() % 100);
    table.rows.push_back({"matrix chain", "warpfold chain", n,
                          static_cast<std::int64_t>(solve(interval::MatrixChain(dimensions)).solution.cost),
                          plain_chain(dimensions)});
    const std::string a = drawn(n, "ACGT", random), b = drawn(n, "ACGT", random);
    table.rows.push_back({"longest common subsequence", "warpfold lcs", n, sequence::lcs(a, b).solution.length.value(),
                          plain_lcs(a, b)});
    const rna::Sequence letters(drawn(n, "ACGU", random));
    const rna::Parameters parameters = rna::rules_1998();
    const auto folding = rna::fold(letters, parameters).solution;
    table.rows.push_back({"RNA folding, as an algebraic dynamic program solves it", "warpfold fold", n,
                          static_cast<std::int64_t>(folding.energy),
                          static_cast<std::int64_t>(rna::energy_of(letters, folding.structure, parameters))});
  }
  table.notes = {"drawn at random; energies in 0.01 kcal/mol, compared with the sum over the structure's loops",
                 "grammars of your own, which algebraic dynamic programming writes: docs/guides/grammars.md"};
  return table;
}

}  // namespace warpfold::papers::gpu_polygon_2013
