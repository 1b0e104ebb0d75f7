#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "papers/papers.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/sdp.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

constexpr std::uint64_t entries = 200;  // n of every run in this file

/// k random offsets from `smallest` to `largest`.
struct Drawn {
  std::uint32_t k, smallest, largest;
};

/// The runs of one p on several sets of offsets.
struct FoldRuns {
  double expression = 0;  ///< the expression of section 4.2, as a mean
  double printed_steps = 0, steps = 0;
  int wrong_as_printed = 0, wrong = 0;
};

FoldRuns run_sets(const Drawn& drawn, std::uint64_t p, int sets, std::uint64_t seed) {
  FoldRuns runs;
  std::mt19937_64 random(seed);
  for (int set = 0; set < sets; ++set) {
    const auto offsets = machine::random_offsets(drawn.k, drawn.smallest, drawn.largest, random);
    machine::RunRequest request{.machine = machine::pram(), .threads = 512, .n = entries, .seed = seed};
    request.parameters["fold"] = p;
    request.lists["offsets"].assign(offsets.begin(), offsets.end());
    const auto right = machine::run(machine::find_algorithm("sdp-p-fold"), request);
    request.as_printed = true;
    const auto printed = machine::run(machine::find_algorithm("sdp-p-fold"), request);
    const auto last = static_cast<double>(entries - 1 + (drawn.k - 1) * p), first = double(offsets[0]) + double(p - 1);
    runs.expression += (last - first + 1) / static_cast<double>(p) / sets;
    runs.printed_steps += static_cast<double>(printed.counts.at("pipeline_steps")) / sets;
    runs.steps += static_cast<double>(right.counts.at("pipeline_steps")) / sets;
    runs.wrong_as_printed += printed.correct ? 0 : 1;
    runs.wrong += right.correct ? 0 : 1;
  }
  return runs;
}

/// Sections 3.2 and 4.2: checks the pipeline (p = 1) and the p-fold pipeline, and counts their steps and work.
Table iterations(const RunOptions& options) {
  const int sets = options.trials > 0 ? options.trials : 50;
  Table table{{key("k"), key("offsets"), key("p"), counted("printed iterations, the expression"),
               counted("printed iterations, counted"), counted("wrong as printed"), counted("iterations"),
               counted("wrong"), counted("p k threads x iterations over n k")},
              {}};
  for (const Drawn& drawn : {Drawn{1, 1, 16}, {3, 1, 8}, {4, 4, 40}, {8, 1, 16}, {8, 24, 80}, {16, 64, 120}}) {
    // Offsets are at least `smallest`, so a_q / (k - q) is at least smallest / k.
    const std::uint64_t most = std::max(drawn.smallest / drawn.k, 1U);
    for (const std::uint64_t p : std::set<std::uint64_t>{1, 2, 3, most}) {
      if (p > most) continue;
      const FoldRuns runs = run_sets(drawn, p, sets, options.seed);
      table.rows.push_back({drawn.k, fmt::format("{} .. {}", drawn.smallest, drawn.largest), p, runs.expression,
                            runs.printed_steps, runs.wrong_as_printed, runs.steps, runs.wrong,
                            static_cast<double>(p) * runs.steps / static_cast<double>(entries)});
    }
  }
  table.notes = {
      fmt::format("n = {}, {} random sets of offsets a row, seed {}; means; p up to what every such set allows",
                  entries, sets, options.seed),
      "the expression is not rounded: ((n - 1) + (k - 1) p - a_0 - (p - 1) + 1) / p",
      "p = 1 is the pipeline of Fig. 2: right for all offsets (section 3.2), in n + k - a_0 - 1 iterations",
      "work: O(n k), as that of the sequential algorithm, with a part for the steps in which not all threads work"};
  return table;
}

/// Section 4.3: O(K C) elements, p of them per step.
Table knapsack_steps(const RunOptions& options) {
  Table table{{key("K"), key("C"), counted("elements K (C + 1)"), counted("p"), counted("iterations"),
               counted("p x iterations over elements"), counted("right")},
              {}};
  for (const std::uint64_t items : {4, 16, 64}) {
    for (const std::uint64_t capacity : {15, 63, 255}) {
      machine::RunRequest request{.machine = machine::pram(), .threads = 512, .n = items, .seed = options.seed};
      request.parameters["capacity"] = capacity;
      const auto result = machine::run(machine::find_algorithm("knapsack-p-fold"), request);
      const std::uint64_t p = result.counts.at("fold"), steps = result.counts.at("pipeline_steps");
      const std::uint64_t elements = items * (capacity + 1);
      table.rows.push_back({items, capacity, elements, p, steps,
                            static_cast<double>(p * steps) / static_cast<double>(elements),
                            result.correct ? "yes" : "no"});
    }
  }
  table.notes = {"row by row a thread takes K (C + 1) elements, one after the other; p of them are taken at once",
                 "p is the largest that is right: (C + 1 + w_min)/2, rounded down (docs/explanation/errata.md, row 5)"};
  return table;
}

}  // namespace

std::vector<Experiment> statements() {
  const std::string id = "p-fold-pipeline-2023/";
  return {{id + "iterations", paper, "Iterations, work and correctness of the pipeline and the p-fold pipeline",
           iterations},
          {id + "knapsack", paper, "Elements and iterations of the 0-1 knapsack problem", knapsack_steps}};
}

}  // namespace warpfold::papers::p_fold_2023
