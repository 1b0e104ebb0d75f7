// How many pairs of sequences are compared in a second, a bit of a vector each, and by one word after another?
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "warpfold/sequence/batch.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::sequence;

struct Batch {
  const char* name;
  const char* letters;
  std::size_t pairs, shortest, longest;
  std::optional<std::uint32_t> max_distance;
};

const Batch measured_batches[] = {{"DNA of 100 to 150", "ACGT", 100'000, 100, 150, {}},
                                  {"DNA of 100 to 150, at most 5", "ACGT", 100'000, 100, 150, 5},
                                  {"letters of 100 to 150", "abcdefghijklmnopqrstuvwxyz", 100'000, 100, 150, {}},
                                  {"DNA of 1000", "ACGT", 10'000, 1000, 1000, {}},
                                  {"DNA of 20 to 40", "ACGT", 100'000, 20, 40, {}}};

std::vector<std::string> drawn(const Batch& work, std::mt19937_64& random) {
  std::vector<std::string> list(work.pairs);
  const std::string letters = work.letters;
  for (std::string& text : list) {
    text.resize(work.shortest + random() % (work.longest - work.shortest + 1));
    for (char& c : text) c = letters[random() % letters.size()];
  }
  return list;
}

double cells_of(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  double cells = 0;
  for (std::size_t at = 0; at < a.size(); ++at) {
    cells += static_cast<double>(a[at].size()) * static_cast<double>(b[at].size());
  }
  return cells;
}

void measure(const Batch& work, Measure measured, const char* algorithm, int threads) {
  std::mt19937_64 random(1);
  const auto first = drawn(work, random), second = drawn(work, random);
  const std::vector<SymbolView> a(first.begin(), first.end()), b(second.begin(), second.end());
  Options options;
  options.threads = threads;
  options.algorithm = algorithm;
  const BatchRequest request{.measure = measured, .max_distance = work.max_distance};
  auto found = distances(a, b, options, request);
  const auto timing = bench::measure(9, [&] { found = distances(a, b, options, request); });
  for (std::size_t at = 0; at < a.size(); at += 997) {
    bench::require(found.solution[at] == request.limited(Pattern(a[at], measured).distance(b[at])), work.name);
  }
  bench::keep(bench::row(work.name,
                         {{"measure", measured == Measure::edit ? "edit" : "indel"},
                          {"pairs", work.pairs},
                          {"algorithm", found.report.algorithm},
                          {"threads", threads},
                          {"pairs_per_second", static_cast<double>(work.pairs) / timing.median_seconds},
                          {"peak_bytes", found.report.peak_bytes}},
                         timing, cells_of(first, second), 0));
}

const bench::Question batches_question(
    "batches",
    [](const bench::Arguments&) {
      for (const int threads : {1, thread_count(0)}) {
        for (const Batch& work : measured_batches) {
          for (const Measure measured : {Measure::edit, Measure::indel}) {
            for (const char* algorithm : {"lanes", "words"}) measure(work, measured, algorithm, threads);
          }
        }
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:6} {:30} {:6} {:2} threads {:8.2f} ms  spread {:.2f}  {:7.2f} M pairs/s {:7.1f} G/s",
                         row["measure"].get<std::string>(), row["work"].get<std::string>(),
                         row["algorithm"].get<std::string>(), row["threads"].get<int>(),
                         1e3 * row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         1e-6 * row["pairs_per_second"].get<double>(), 1e-9 * row["rate_per_second"].get<double>());
    });

}  // namespace
