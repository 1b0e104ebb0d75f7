// How fast are the distance and the script of one pair of sequences, and what part of the arithmetic ceiling is it?
// `--scripts`: scripts alone; `--similar`: those of similar sequences, also by a band; `--longest`: 10^6 random bases,
// all threads.
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "timing/ceilings.hpp"
#include "warpfold/sequence/verify.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::sequence;
using Symbols = std::vector<std::uint32_t>;
using Random = std::mt19937_64;

Symbols draw(std::size_t length, std::uint32_t alphabet, Random& random) {
  Symbols symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % alphabet);
  return symbols;
}

/// A copy in which one symbol in `every` is substituted, deleted, or gets another one before it, each as often.
Symbols changed(const Symbols& symbols, std::size_t every, std::uint32_t alphabet, Random& random) {
  Symbols copy;
  for (const auto symbol : symbols) {
    const auto kind = random() % every ? 3 : random() % 3;
    if (kind != 1 && kind != 3) copy.push_back(static_cast<std::uint32_t>(random() % alphabet));
    if (kind >= 2) copy.push_back(symbol);
  }
  return copy;
}

struct Work {
  const char* name;
  std::size_t n;
  std::uint32_t alphabet;
  std::size_t every;  ///< 0: two random sequences
  const char* algorithm;
  bool script;
};

constexpr Work works[] = {{"random DNA", 100'000, 4, 0, "slices", false},
                          {"random DNA", 100'000, 4, 0, "words", false},
                          {"random DNA", 100'000, 4, 0, "", false},
                          {"random DNA", 100'000, 4, 0, "slices", true},
                          {"random DNA", 100'000, 4, 0, "", true},
                          {"random DNA", 10'000, 4, 0, "", false},
                          {"random DNA", 10'000, 4, 0, "", true},
                          {"random protein", 100'000, 20, 0, "slices", false},
                          {"random bytes", 100'000, 256, 0, "slices", false},
                          {"DNA, 1 % changed", 100'000, 4, 100, "", true},
                          {"DNA, 5 % changed", 100'000, 4, 20, "", true},
                          {"DNA, 15 % changed", 100'000, 4, 7, "", true},
                          {"DNA, 5 % changed", 1'000'000, 4, 20, "", true},
                          {"random lines of 20,000", 100'000, 20'000, 0, "", true},
                          {"random lines of 2,000", 20'000, 2000, 0, "", true}};

constexpr Work longest_works[] = {{"random DNA", 1'000'000, 4, 0, "slices", false},
                                  {"random DNA", 1'000'000, 4, 0, "slices", true}};

Coded pair_of(const Work& work) {
  Random random(1);
  const Symbols a = draw(work.n, work.alphabet, random);
  const Symbols b =
      work.every > 0 ? changed(a, work.every, work.alphabet, random) : draw(work.n, work.alphabet, random);
  return {std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
}

/// `solve`: edit_distance or lcs, with a request.
template <class Solve>
void measure(const Work& work, const char* problem, int threads, const Solve& solve) {
  const Coded pair = pair_of(work);
  const Measure minimized = problem == std::string("lcs") ? Measure::indel : Measure::edit;
  // It applies where all cells are computed by the same operations.
  const double most =
      work.algorithm == std::string("slices") ? timing::ceiling_of_pairs(minimized, pair.planes(), threads) : 0;
  Options options;
  options.device.kind = Device::Kind::cpu;
  options.threads = threads;
  options.algorithm = work.algorithm;
  const Request request{.script = work.script};
  const double cells = static_cast<double>(pair.n()) * static_cast<double>(pair.m());
  const bool is_long = cells > 1e11;  // the optimum would take a minute to verify
  auto found = solve(pair, options, request);
  const auto timing = bench::measure(is_long ? 3 : 9, [&] { found = solve(pair, options, request); });
  bench::require(!verify(pair, found.solution, request, !is_long).violation, work.name);
  bench::keep(bench::row(work.name,
                         {{"problem", problem},
                          {"n", work.n},
                          {"alphabet", work.alphabet},
                          {"script", work.script},
                          {"asked", work.algorithm},
                          {"algorithm", found.report.algorithm},
                          {"threads", threads},
                          {"peak_bytes", found.report.peak_bytes}},
                         timing, cells, most));
}

/// Edit distances with scripts, in processor time too, because few milliseconds are disturbed by other programs.
void measure_similar(const Work& work, int threads) {
  const Coded pair = pair_of(work);
  Options options;
  options.device.kind = Device::Kind::cpu;
  options.threads = threads;
  options.algorithm = work.algorithm;
  const Request request{.script = true};
  Outcome<Distance> found;
  const double before = bench::processor_seconds();
  const auto timing = bench::measure(
      15, [&] { found = edit_distance(pair, options, request); }, false);
  const double processor = bench::processor_seconds() - before;
  bench::require(!verify(pair, found.solution, request, work.n <= 100'000).violation, work.name);
  bench::keep(bench::row(work.name,
                         {{"problem", "edit distance"},
                          {"n", work.n},
                          {"script", true},
                          {"asked", work.algorithm},
                          {"algorithm", found.report.algorithm},
                          {"threads", threads},
                          {"processor_seconds", processor / timing.repeats},
                          {"peak_bytes", found.report.peak_bytes}},
                         timing, static_cast<double>(pair.n()) * static_cast<double>(pair.m()), 0));
}

constexpr Work similar_works[] = {
    {"DNA, 1 % changed", 100'000, 4, 100, "", true},   {"DNA, 1 % changed", 100'000, 4, 100, "band", true},
    {"DNA, 2 % changed", 100'000, 4, 50, "", true},    {"DNA, 2 % changed", 100'000, 4, 50, "band", true},
    {"DNA, 5 % changed", 100'000, 4, 20, "", true},    {"DNA, 5 % changed", 100'000, 4, 20, "band", true},
    {"DNA, 15 % changed", 100'000, 4, 7, "", true},    {"DNA, 15 % changed", 100'000, 4, 7, "diagonals", true},
    {"DNA, 1 % changed", 1'000'000, 4, 100, "", true}, {"DNA, 1 % changed", 1'000'000, 4, 100, "band", true},
    {"DNA, 5 % changed", 1'000'000, 4, 20, "", true},  {"DNA, 5 % changed", 1'000'000, 4, 20, "band", true}};

void measure_both(const Work& work, int threads) {
  measure(work, "edit distance", threads, [](const Coded& pair, const Options& options, const Request& request) {
    return edit_distance(pair, options, request);
  });
  measure(work, "lcs", threads, [](const Coded& pair, const Options& options, const Request& request) {
    return lcs(pair, options, request);
  });
}

const bench::Question pairs_question(
    "pairs",
    [](const bench::Arguments& arguments) {
      const std::string asked = arguments.empty() ? "" : arguments.front();
      if (asked == "--similar") {
        for (const Work& work : similar_works) {
          measure_similar(work, 1);
          if (work.n > 100'000) measure_similar(work, thread_count(0));
        }
        return;
      }
      if (asked == "--longest") {
        for (const Work& work : longest_works) measure_both(work, thread_count(0));
        return;
      }
      const bool scripts = bench::is_asked(arguments, "--scripts");
      for (const int threads : {1, thread_count(0)}) {
        for (const Work& work : works) {
          if (work.script || !scripts) measure_both(work, threads);
        }
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:13} {:22} n {:7} {:6} {:9} {:2} threads {:9.3f} ms  spread {:.2f}  {:7.1f} G/s  {:.2f}",
                         row["problem"].get<std::string>(), row["work"].get<std::string>(), row["n"].get<std::size_t>(),
                         row["script"].get<bool>() ? "script" : "score", row["algorithm"].get<std::string>(),
                         row["threads"].get<int>(), 1e3 * row["median_seconds"].get<double>(),
                         row["spread"].get<double>(), 1e-9 * row["rate_per_second"].get<double>(),
                         row.value("fraction_of_ceiling", 0.0));
    });

}  // namespace
