// When is moving an array by a plan, in three steps or in two passes, faster than the plain scatter to[permutation[i]]
// = from[i]? The ceiling is a copy.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "../question.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/two_passes.hpp"
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
  std::optional<permutation::ThreeStepPlan> three_steps;  // whose planning takes a minute for long arrays
  std::optional<permutation::TwoPassPlan> two_passes;
  const double two_pass_seconds =
      bench::measure(1, [&] { two_passes.emplace(permutation, 0, thread_count(0)); }).median_seconds;
  double three_step_seconds = 0;
  if (n <= std::size_t{1} << 24) {
    three_step_seconds =
        bench::measure(1, [&] { three_steps = permutation::plan_three_steps(permutation); }).median_seconds;
  }
  std::vector<T> spare(three_steps ? spare_words(*three_steps) : n);

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
    const bench::Timing copy = bench::measure(repeats, [&] { for_each([&](std::size_t i) { spare[i] = from[i]; }); });
    const bench::Json parameters = {{"n", n}, {"word_bytes", sizeof(T)}, {"threads", threads}};
    const auto words = static_cast<double>(n);
    const double ceiling = words / copy.median_seconds;
    const auto keep_plan = [&](const char* name, const bench::Timing& moving, double plan_seconds) {
      bench::require(to == scattered, fmt::format("{} moved a word of {} to another place than the scatter", name, n));
      bench::Json row = bench::row(name, parameters, moving, words, ceiling);
      row["plan_seconds"] = plan_seconds;
      row["scatter_seconds_over_these"] = scatter.median_seconds / moving.median_seconds;
      bench::keep(std::move(row));
      std::fill(to.begin(), to.end(), T{});
    };
    bench::keep(bench::row("scatter", parameters, scatter, words, ceiling));
    if (three_steps) {
      keep_plan("three steps",
                bench::measure(repeats, [&] { permutation::move<T>(*three_steps, from, to, spare, threads); }),
                three_step_seconds);
    }
    const std::span<T> middle = std::span(spare).first(n);
    keep_plan("two passes", bench::measure(repeats, [&] { two_passes->move<T>(from, to, middle, threads); }),
              two_pass_seconds);
  }
}

const bench::Question moving_question(
    "moving",
    [](const bench::Arguments&) {
      for (const int log2 : {16, 20, 22, 24, 26}) measure_moves<std::uint32_t>(std::size_t{1} << log2, 5);
      measure_moves<std::uint64_t>(std::size_t{1} << 24, 5);
    },
    [](const bench::Json& row) {
      return fmt::format("{:>12} n = {:>9}, {} bytes, {} threads: {:9.5f} s (spread {:.2f}), {:.2f} of a copy's rate",
                         row["work"].get<std::string>(), row["n"].get<std::size_t>(), row["word_bytes"].get<int>(),
                         row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
