#include <array>

#include "papers/papers.hpp"
#include "papers/results.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace {

struct Row {
  const char* range;
  double sequential_ms, naive_parallel_ms, pipeline_ms;
};

constexpr std::array rows{Row{"2^14 <= n <= 2^15, 2^12 <= k <= 2^13", 274, 64, 78},
                          Row{"2^16 <= n <= 2^17, 2^14 <= k <= 2^15", 4288, 368, 386},
                          Row{"2^18 <= n <= 2^19, 2^16 <= k <= 2^17", 68453, 3018, 2408}};

Table table_1(const RunOptions& options) {
  const Results gpu(options, "h200", "paper_pipelines");
  const Results cpu(options, "epyc-2core", "paper_sequential");
  Table table{
      {"range", "algorithm", "published [ms]", "here, grid barriers [ms]", "here, launches [ms]", "runs"}, {}, {}};
  for (std::size_t number = 1; number <= rows.size(); ++number) {
    const Row& row = rows[number - 1];
    const auto sequential = [&](const char* key, double factor) {
      return cpu.cell({{"row", number}, {"method", "sequential"}}, key, factor);
    };
    table.rows.push_back({row.range, "SEQUENTIAL", row.sequential_ms, sequential("mean_seconds", 1e3), "none: a CPU",
                          sequential("repeats", 1)});
    const auto add = [&](const char* name, const char* method, const nlohmann::json& published) {
      const auto cell = [&](const char* barrier, const char* key, double factor) {
        return gpu.cell({{"work", "table-1"}, {"row", number}, {"method", method}, {"barrier", barrier}}, key, factor);
      };
      table.rows.push_back({row.range, name, published, cell("grid", "mean_seconds", 1e3),
                            cell("launch", "mean_seconds", 1e3), cell("grid", "repeats", 1)});
    };
    add("NAIVE-PARALLEL", "tournament", row.naive_parallel_ms);
    add("PIPELINE", "pipeline", row.pipeline_ms);
    add("2-by-2 pipeline, reconstructed", "2-by-2", "not printed");
    const auto blocks = [&](const char* key, double factor) {
      return gpu.cell({{"work", "table-1"}, {"row", number}, {"method", "cuda-blocks"}}, key, factor);
    };
    table.rows.push_back({row.range, "this library's cuda-blocks, with transfers", "none", blocks("mean_seconds", 1e3),
                          "none", blocks("repeats", 1)});
  }
  table.notes = {
      "means; the paper's are of 100 runs a cell on a GTX TITAN Black, its SEQUENTIAL machine is not printed",
      "n and k are drawn uniformly from their ranges, the offsets uniformly without repetition from 1 .. 2k: "
      "the paper says neither",
      "the tournament takes two barriers an element, a pipeline one a step", gpu.source(), cpu.source()};
  return table;
}

Table matrix_chain(const RunOptions& options) {
  const Results results(options, "h200", "paper_mcm");
  Table table{{"n", "form", "barrier", "steps", "barriers", "here [ms]", "wrong elements", "printed"}, {}, {}};
  for (const int n : {128, 256, 512, 1024, 2048}) {
    for (const auto& [form, barrier] : {std::pair{"printed", "grid"},
                                        {"printed", "launch"},
                                        {"corrected", "grid"},
                                        {"corrected", "launch"},
                                        {"corrected", "grid, a stage"}}) {
      const auto cell = [&](const char* key, double factor = 1) {
        return results.cell({{"n", n}, {"form", form}, {"barrier", barrier}}, key, factor);
      };
      table.rows.push_back({n, form, barrier, cell("steps"), cell("barriers"), cell("median_seconds", 1e3),
                            cell("wrong_elements"), "not printed"});
    }
  }
  table.notes = {"printed: Fig. 8 with the guard it means; it reads operands that are not final from n = 4 on",
                 "corrected: a term is added once both operands are final, in n(n-1)/2 steps of n - 1 threads; a "
                 "barrier after each stage is enough, since a row's elements belong to one thread",
                 results.source()};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  const std::string id = "pipeline-dp-2018/";
  return {{id + "table-1", paper, "Sequential, naive parallel and pipeline implementations of S-DP", table_1},
          {id + "figure-8", paper, "The matrix-chain pipeline, printed and corrected", matrix_chain}};
}

}  // namespace warpfold::papers::pipeline_2018
