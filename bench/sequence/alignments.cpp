// How fast are the score and the script of an alignment, and what part of the arithmetic ceiling is it? `similar`: of
// similar sequences. By the best instruction set, and by AVX2 if that is another one.
#include <fmt/format.h>

#include <random>
#include <vector>

#include "../question.hpp"
#include "timing/ceilings.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/sequence/verify.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::sequence;
using Symbols = std::vector<std::uint32_t>;

struct Case {
  const char* name;
  std::size_t n;
  std::uint32_t alphabet;
  FreeEnds ends;
  bool script;
};

constexpr Case cases[] = {
    {"protein, global", 20'000, 20, global_ends, false}, {"protein, global", 20'000, 20, global_ends, true},
    {"protein, local", 20'000, 20, local_ends, false},   {"protein, local", 20'000, 20, local_ends, true},
    {"DNA, global", 20'000, 4, global_ends, false},      {"DNA, global", 20'000, 4, global_ends, true},
    {"protein, global", 2000, 20, global_ends, false},   {"protein, global", 2000, 20, global_ends, true}};

/// Similar sequences, by match and mismatch.
struct Similar {
  double changed;  ///< the part of the symbols
  bool script;
  const char* algorithm;
};

constexpr std::size_t similar_length = 100'000;
constexpr Similar similar_cases[] = {{0.001, false, ""},      {0.001, true, ""},     {0.01, false, ""},
                                     {0.01, true, ""},        {0.05, false, ""},     {0.05, true, ""},
                                     {0.15, false, ""},       {0.15, true, ""},      {0.01, true, "diagonals"},
                                     {0.05, false, "strips"}, {0.05, true, "strips"}};

Symbols drawn(std::size_t length, std::uint32_t alphabet, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Symbols symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % alphabet);
  return symbols;
}

/// Scores like those of BLOSUM62: 4 to 11 for equal symbols, -4 to 1 for others.
ScoreMatrix matrix_of(std::uint32_t alphabet) {
  std::vector<std::uint32_t> symbols(alphabet);
  std::vector<std::int64_t> scores(std::size_t{alphabet} * alphabet);
  for (std::uint32_t x = 0; x < alphabet; ++x) {
    symbols[x] = x;
    for (std::uint32_t y = 0; y < alphabet; ++y)
      scores[x * alphabet + y] = std::int64_t{x == y ? 4 + x % 8 : 6} - (x == y ? 0 : 5 + (x + y) % 6);
  }
  return {symbols, scores};
}

void measure(const Case& work, int threads, const std::string& instruction_set) {
  const Symbols a = drawn(work.n, work.alphabet, 1), b = drawn(work.n, work.alphabet, 2);
  const ScoredPair pair(a, b, matrix_of(work.alphabet));
  Options options;
  options.threads = threads;
  options.algorithm = "strips";
  const AlignmentRequest request{.script = work.script, .gaps = {11, 1, {}}, .ends = work.ends};
  const double most =
      work.ends.local ? 0 : timing::ceiling_of_alignments(8, threads);  // of the operations of global alignments
  auto found = align(pair, options, request);
  const auto timing = bench::measure(9, [&] { found = align(pair, options, request); });
  bench::require(!verify(pair, found.solution, request, true).violation, work.name);
  bench::keep(bench::row(work.name,
                         {{"n", work.n},
                          {"script", work.script},
                          {"algorithm", found.report.algorithm},
                          {"instruction_set", instruction_set},
                          {"threads", threads},
                          {"peak_bytes", found.report.peak_bytes}},
                         timing, static_cast<double>(pair.n()) * static_cast<double>(pair.m()), most));
}

/// A copy with that part of the symbols substituted, deleted or inserted.
Symbols mutated(const Symbols& symbols, double changed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution changes(changed);
  Symbols copy;
  for (const auto symbol : symbols) {
    const auto kind = changes(random) ? random() % 3 : 3;
    const auto other = static_cast<std::uint32_t>(random() % 4);
    if (kind == 2) copy.push_back(other);
    if (kind != 1) copy.push_back(kind == 0 ? other : symbol);
  }
  return copy;
}

void measure_similar(const Similar& work, int threads) {
  const Symbols a = drawn(similar_length, 4, 1), b = mutated(a, work.changed, 2);
  const ScoredPair pair(Coded(std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)), 1, -4);
  Options options;
  options.threads = threads;
  options.algorithm = work.algorithm;
  const AlignmentRequest request{.script = work.script, .gaps = {6, 2, {}}};
  Outcome<Alignment> found;
  const double before = bench::processor_seconds();
  const auto timing = bench::measure(
      *work.algorithm ? 1 : 5, [&] { found = align(pair, options, request); }, false);
  const double processor = bench::processor_seconds() - before;
  bench::require(!verify(pair, found.solution, request, false).violation, "similar");
  bench::keep(bench::row(fmt::format("DNA, {:g} % changed", 100 * work.changed),
                         {{"n", similar_length},
                          {"script", work.script},
                          {"algorithm", found.report.algorithm},
                          {"threads", threads},
                          {"processor_seconds", processor / timing.repeats},
                          {"peak_bytes", found.report.peak_bytes}},
                         timing, static_cast<double>(pair.n()) * static_cast<double>(pair.m()), 0));
}

const bench::Question alignments_question(
    "alignments",
    [](const bench::Arguments& arguments) {
      if (bench::is_asked(arguments, "similar")) {
        for (const Similar& work : similar_cases) measure_similar(work, thread_count(0));
        return;
      }
      for (const auto& set : instruction_sets()) {
        if (set != instruction_sets().front() && set != "AVX2") continue;
        force_instruction_set(set);
        for (const int threads : {1, thread_count(0)}) {
          for (const Case& work : cases) measure(work, threads, set);
        }
      }
      force_instruction_set("");
    },
    [](const bench::Json& row) {
      return fmt::format("{:18} {:6} n {:6} {:6} {:2} threads {:9.3f} ms  spread {:.2f}  {:7.1f} G/s  {:.2f}",
                         row["work"].get<std::string>(), row.value("instruction_set", ""), row["n"].get<std::size_t>(),
                         row["script"].get<bool>() ? "script" : "score", row["threads"].get<int>(),
                         1e3 * row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         1e-9 * row["rate_per_second"].get<double>(), row.value("fraction_of_ceiling", 0.0));
    });

}  // namespace
