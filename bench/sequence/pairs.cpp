// How fast are the distance and the script of one pair of sequences, and what part of the arithmetic ceiling is it?
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "warpfold/run/team.hpp"
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

using Vector256 = std::uint64_t __attribute__((vector_size(32)));
using Vector512 = std::uint64_t __attribute__((vector_size(64)));

/// The operations of a cell in registers, for two bits a symbol. The empty asm keeps the
/// comparison in the loop.
template <class V>
__attribute__((always_inline)) inline std::uint64_t edit_cells(std::size_t rounds) {
  V row[2] = {}, plus[3] = {}, minus[3] = {}, h_plus[3] = {}, h_minus[3] = {};
  V column = {};
  asm volatile("" : "+v"(row[0]), "+v"(row[1]));
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 3
    for (int c = 0; c < 3; ++c) {
      asm volatile("" : "+v"(column));
      const V one_more = ((row[0] ^ column) | (row[1] ^ column)) & ~(minus[c] | h_minus[c]);
      const V below_plus = minus[c] | (one_more & ~plus[c]);
      const V below_minus = plus[c] & ~one_more;
      plus[c] = h_minus[c] | (one_more & ~h_plus[c]);
      minus[c] = h_plus[c] & ~one_more;
      h_plus[c] = below_plus;
      h_minus[c] = below_minus;
    }
  }
  V all = {};
  for (int c = 0; c < 3; ++c) all ^= plus[c] ^ minus[c] ^ h_plus[c] ^ h_minus[c];
  return all[0];
}

template <class V>
__attribute__((always_inline)) inline std::uint64_t common_cells(std::size_t rounds) {
  V row[2] = {}, v[4] = {}, h[4] = {};
  V column = {};
  asm volatile("" : "+v"(row[0]), "+v"(row[1]));
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      asm volatile("" : "+v"(column));
      const V same = (row[0] ^ column) & (row[1] ^ column);
      const V below = (h[c] | same) & ~v[c];
      v[c] = (v[c] | same) & ~h[c];
      h[c] = below;
    }
  }
  V all = {};
  for (int c = 0; c < 4; ++c) all ^= v[c] ^ h[c];
  return all[0];
}

__attribute__((target("avx2"))) std::uint64_t edit_256(std::size_t rounds) { return edit_cells<Vector256>(rounds); }
__attribute__((target("avx512f"))) std::uint64_t edit_512(std::size_t rounds) { return edit_cells<Vector512>(rounds); }
__attribute__((target("avx2"))) std::uint64_t common_256(std::size_t rounds) { return common_cells<Vector256>(rounds); }
__attribute__((target("avx512f"))) std::uint64_t common_512(std::size_t rounds) {
  return common_cells<Vector512>(rounds);
}

/// Cells per second of `threads` threads that compute in registers alone; 0 without AVX2.
double ceiling(bool is_edit, int threads) {
  if (!__builtin_cpu_supports("avx2")) return 0;
  const bool is_wide = __builtin_cpu_supports("avx512f");
  const auto run = is_edit ? (is_wide ? edit_512 : edit_256) : (is_wide ? common_512 : common_256);
  constexpr std::size_t rounds = 10'000'000;
  std::vector<std::uint64_t> sinks(static_cast<std::size_t>(threads));
  const bench::Timing timing = bench::measure(
      5, [&] { parallel(threads, [&](int thread) { sinks[static_cast<std::size_t>(thread)] = run(rounds); }); });
  return (is_wide ? 512.0 : 256.0) * (is_edit ? 3 : 4) * rounds * threads / timing.median_seconds;
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
                          {"random lines of 20,000", 100'000, 20'000, 0, "", true},
                          {"random lines of 2,000", 20'000, 2000, 0, "", true}};

bench::Json row_of(const Work& work, bool is_edit, const Report& report, const bench::Timing& timing, double cells,
                   double most) {
  return bench::row(work.name,
                    {{"measure", is_edit ? "edit" : "lcs"},
                     {"n", work.n},
                     {"alphabet", work.alphabet},
                     {"script", work.script},
                     {"algorithm", report.algorithm},
                     {"threads", report.threads},
                     {"peak_bytes", report.peak_bytes}},
                    timing, cells, most);
}

void measure(const Work& work, bool is_edit, int threads, double most) {
  Random random(1);
  const Symbols a = draw(work.n, work.alphabet, random);
  const Symbols b =
      work.every > 0 ? changed(a, work.every, work.alphabet, random) : draw(work.n, work.alphabet, random);
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  Options options;
  options.threads = threads;
  options.algorithm = work.algorithm;
  const Request request{.script = work.script};
  const double cells = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const bool counts = options.algorithm == "slices" && work.alphabet == 4;  // the ceiling is that of two bits a symbol
  if (is_edit) {
    Outcome<Distance> found;
    const auto timing = bench::measure(7, [&] { found = edit_distance(pair, options, request); });
    bench::require(!verify(pair, found.solution, request, true).violation, work.name);
    bench::keep(row_of(work, is_edit, found.report, timing, cells, counts ? most : 0));
  } else {
    Outcome<Subsequence> found;
    const auto timing = bench::measure(7, [&] { found = lcs(pair, options, request); });
    bench::require(!verify(pair, found.solution, request, true).violation, work.name);
    bench::keep(row_of(work, is_edit, found.report, timing, cells, counts ? most : 0));
  }
}

const bench::Question pairs_question(
    "pairs",
    [](const bench::Arguments&) {
      for (const bool is_edit : {true, false}) {
        for (const int threads : {1, thread_count(0)}) {
          const double most = ceiling(is_edit, threads);
          for (const Work& work : works) measure(work, is_edit, threads, most);
        }
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:4} {:24} n {:7} {:6} {:10} {:2} threads {:9.3f} ms  spread {:.2f}  {:7.1f} G/s  {:.2f}",
                         row["measure"].get<std::string>(), row["work"].get<std::string>(), row["n"].get<std::size_t>(),
                         row["script"].get<bool>() ? "script" : "score", row["algorithm"].get<std::string>(),
                         row["threads"].get<int>(), 1e3 * row["median_seconds"].get<double>(),
                         row["spread"].get<double>(), 1e-9 * row["rate_per_second"].get<double>(),
                         row.value("fraction_of_ceiling", 0.0));
    });

}  // namespace
