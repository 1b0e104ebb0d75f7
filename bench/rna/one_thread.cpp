// How much CPU time does a folding take with one thread, alone and in a batch? Other programs may run at the same time.
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "problems.hpp"
#include "warpfold/rna/fold.hpp"

namespace {

using namespace warpfold;

struct FoldingLoad {
  std::size_t bases, sequences;
  int repeats;
};

constexpr FoldingLoad folding_loads[] = {{50, 1000, 9}, {100, 500, 9}, {300, 50, 9}, {1000, 3, 9}, {4000, 1, 5}};

/// The CPU time of a call for each of the sequences, in several runs.
template <class Call>
bench::Timing cpu_seconds(const FoldingLoad& load, const Call& call) {
  std::vector<double> seconds;
  for (int t = 0; t < load.repeats; ++t) {
    const std::clock_t begin = std::clock();
    call();
    seconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / static_cast<double>(load.sequences));
  }
  return bench::summarize(std::move(seconds));
}

void measure_one_thread(const bench::Arguments&) {
  const rna::Parameters parameters = rna::rules_1998();
  Options options;
  options.threads = 1;
  for (const FoldingLoad& load : folding_loads) {
    std::vector<rna::Sequence> sequences;
    const std::string letters = bench::drawn_sequence(load.bases * load.sequences).letters();
    for (std::size_t t = 0; t < load.sequences; ++t) sequences.emplace_back(letters.substr(t * load.bases, load.bases));
    const auto all = rna::fold_each(sequences, parameters, options).solution;
    for (std::size_t t = 0; t < load.sequences; ++t) {
      const rna::Folding alone = rna::fold(sequences[t], parameters, options).solution;
      bench::require(alone.structure == all[t].structure, "a folding differs from that of the batch");
    }
    const auto row = [&](const std::string& work, const auto& call) {
      bench::keep(bench::row(work, {{"n", load.bases}, {"sequences", load.sequences}, {"threads", 1}},
                             cpu_seconds(load, call), bench::folding_operations(load.bases), 0));
    };
    row("one call for each", [&] {
      for (const rna::Sequence& one : sequences) static_cast<void>(rna::fold(one, parameters, options));
    });
    row("one call for all", [&] { static_cast<void>(rna::fold_each(sequences, parameters, options)); });
  }
}

const bench::Question one_thread_question("one_thread", measure_one_thread);

}  // namespace
