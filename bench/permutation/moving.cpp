// When is moving an array by a three-step plan faster than the plain scatter to[permutation[i]] = from[i]?
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "../question.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace {

using namespace warpfold;

template <class T>
void measure_moves(std::size_t n, int repeats) {
  std::vector<std::uint32_t> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937_64(n));
  std::vector<T> from(n), scattered(n), to(n);
  std::iota(from.begin(), from.end(), T{});
  const auto plan_start = std::chrono::steady_clock::now();
  const permutation::ThreeStepPlan plan = permutation::plan_three_steps(permutation);
  const double plan_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - plan_start).count();
  std::vector<T> spare(spare_words(plan));

  for (const int threads : {1, thread_count(0)}) {
    const auto for_each = [&](const auto& body) {
      parallel(threads, [&](int thread) {
        const std::size_t end = n * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
        for (std::size_t i = n * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads); i < end; ++i)
          body(i);
      });
    };
    const bench::Timing scatter =
        bench::measure(repeats, [&] { for_each([&](std::size_t i) { scattered[permutation[i]] = from[i]; }); });
    const bench::Timing planned =
        bench::measure(repeats, [&] { permutation::move<T>(plan, from, to, spare, threads); });
    const bench::Timing copy = bench::measure(repeats, [&] { for_each([&](std::size_t i) { spare[i] = from[i]; }); });
    if (to != scattered) {
      throw std::runtime_error(fmt::format("the plan moved {} words to other places than the scatter", n));
    }
    const bench::Json parameters = {{"n", n}, {"word_bytes", sizeof(T)}, {"threads", threads}};
    const auto words = static_cast<double>(n);
    const double ceiling = words / copy.median_seconds;
    bench::keep(bench::row("scatter", parameters, scatter, words, ceiling));
    bench::Json row = bench::row("three steps", parameters, planned, words, ceiling);
    row["plan_seconds"] = plan_seconds;
    row["scatter_seconds_over_three_steps"] = scatter.median_seconds / planned.median_seconds;
    bench::keep(std::move(row));
  }
}

const bench::Question moving_question(
    "moving",
    [](const bench::Arguments&) {
      for (const int log2 : {16, 20, 22, 24}) measure_moves<std::uint32_t>(std::size_t{1} << log2, 5);
      measure_moves<std::uint64_t>(std::size_t{1} << 24, 5);
    },
    [](const bench::Json& row) {
      return fmt::format("{:>12} n = {:>9}, {} bytes, {} threads: {:9.5f} s (spread {:.2f}), {:.2f} of a copy's rate",
                         row["work"].get<std::string>(), row["n"].get<std::size_t>(), row["word_bytes"].get<int>(),
                         row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
