#include "papers/papers.hpp"
#include "papers/results.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

const std::string future_work = "the paper leaves measuring on a GPU as future work: nothing is printed";

Results gpu_results(const RunOptions& options) { return {options, "h200", "paper_pipelines"}; }

Table by_p(const RunOptions& options) {
  const Results results = gpu_results(options);
  Table table{{"p", "threads", "grid barriers [ms]", "launches [ms]", "grid barriers, printed loop [ms]"}, {}, {}};
  for (int p = 1; p <= 9; ++p) {
    const auto cell = [&](const char* form, const char* barrier) {
      return results.cell({{"work", "p-fold-by-p"}, {"g", 100}, {"p", p}, {"form", form}, {"barrier", barrier}},
                          "median_seconds", 1e3);
    };
    table.rows.push_back({p, 20 * p, cell("corrected", "grid"), cell("corrected", "launch"), cell("printed", "grid")});
  }
  table.notes = {future_work, "k = 20 offsets from 100 .. 200, 32768 elements, one set of offsets whose largest p is 9",
                 "the printed loop leaves the last elements unfinished where p does not divide n - 1 - a_0 - (p - 1)",
                 results.source()};
  return table;
}

/// The pipeline beside the p-fold pipeline with each set's largest p, along one parameter.
Table along(const RunOptions& options, const char* work, const char* parameter, const std::vector<double>& values,
            const char* note) {
  const Results results = gpu_results(options);
  Table table{{parameter, "largest p, mean", "pipeline, grid [ms]", "p-fold, grid [ms]", "pipeline, launches [ms]",
               "p-fold, launches [ms]"},
              {},
              {}};
  for (const double value : values) {
    const auto cell = [&](const char* method, const char* barrier, const char* key, double factor) {
      return results.cell({{"work", work}, {parameter, value}, {"method", method}, {"barrier", barrier}}, key, factor);
    };
    table.rows.push_back({value, cell("p-fold", "grid", "p", 1), cell("pipeline", "grid", "mean_seconds", 1e3),
                          cell("p-fold", "grid", "mean_seconds", 1e3), cell("pipeline", "launch", "mean_seconds", 1e3),
                          cell("p-fold", "launch", "mean_seconds", 1e3)});
  }
  table.notes = {future_work, note, "32768 elements, means of five sets of offsets, each with its own largest p",
                 results.source()};
  return table;
}

Table by_gap(const RunOptions& options) {
  return along(options, "p-fold-by-gap", "g", {10, 20, 50, 100, 200, 400, 800},
               "K = 100 and r = 0.2, as in Fig. 12; the range of g is ours");
}

Table by_density(const RunOptions& options) {
  return along(options, "p-fold-by-density", "r", {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}, "K = 100 and g = 20, as in Fig. 13");
}

}  // namespace

std::vector<Experiment> gpu_experiments() {
  const std::string id = "p-fold-pipeline-2023/";
  return {{id + "gpu-by-p", paper, "The p-fold pipeline on a GPU against p", by_p},
          {id + "gpu-by-gap", paper, "The p-fold pipeline on a GPU against the offsets' lower limit g", by_gap},
          {id + "gpu-by-density", paper, "The p-fold pipeline on a GPU against the offsets' density r", by_density}};
}

}  // namespace warpfold::papers::p_fold_2023
