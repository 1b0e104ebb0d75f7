// How fast are the distance and the path of time warping, and what part of the arithmetic ceiling is it?
// `long_warpings`: the same of 10^6 points in 64 MB of memory, f32 or `f64`.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "series.hpp"
#include "timing/ceilings.hpp"
#include "warpfold/sequence/time_warping.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::sequence;

struct Warped {
  std::size_t n;
  PointDistance distance;
  std::optional<std::uint64_t> window;
  bool script;
};

constexpr Warped warped_cases[] = {
    {10'000, PointDistance::squared, {}, false},  {10'000, PointDistance::squared, {}, true},
    {10'000, PointDistance::absolute, {}, false}, {10'000, PointDistance::absolute, {}, true},
    {10'000, PointDistance::squared, 500, false}, {10'000, PointDistance::squared, 500, true},
    {1000, PointDistance::squared, {}, false},    {1000, PointDistance::squared, {}, true},
    {50'000, PointDistance::squared, {}, false},  {50'000, PointDistance::squared, {}, true}};

constexpr Warped long_cases[] = {{1'000'000, PointDistance::squared, {}, false},
                                 {1'000'000, PointDistance::squared, {}, true}};

template <class T>
void measure_warping(const Warped& work, int threads) {
  const std::vector<T> values_a = bench::walked_series<T>(work.n, 1), values_b = bench::walked_series<T>(work.n, 2);
  const TimeSeries<T> a(values_a), b(values_b);
  Options options;
  options.threads = threads;
  options.algorithm = "strips";
  const bool is_long = work.n >= 1'000'000;
  if (is_long) options.max_memory = std::size_t{64} << 20;
  const WarpingRequest request{.script = work.script, .distance = work.distance, .window = work.window};
  const double most = timing::ceiling_of_warpings<T>(threads);
  Outcome<Warping<T>> found;
  const double before = bench::processor_seconds();
  const auto timing = bench::measure(
      is_long ? 1 : 9, [&] { found = dtw(a, b, options, request); }, !is_long);
  const double processor = bench::processor_seconds() - before;
  bench::require(!verify(a, b, found.solution, request, work.n <= 10'000).violation, "path");
  const auto n = static_cast<double>(work.n);
  const double cells = work.window ? n * static_cast<double>(2 * *work.window - 1) : n * n;
  auto row = bench::row(work.distance == PointDistance::squared ? "squared" : "absolute",
                        {{"n", work.n},
                         {"dtype", sizeof(T) == 4 ? "f32" : "f64"},
                         {"window", work.window.value_or(0)},
                         {"script", work.script},
                         {"threads", threads},
                         {"peak_bytes", found.report.peak_bytes}},
                        timing, cells, most);
  if (is_long) row["processor_seconds"] = processor;
  bench::keep(std::move(row));
}

std::string warping_line(const bench::Json& row) {
  return fmt::format("{:8} {} n {:7} window {:4} {:6} {:2} threads {:9.3f} ms  spread {:.2f}  {:6.2f} G/s  {:.2f}",
                     row["work"].get<std::string>(), row["dtype"].get<std::string>(), row["n"].get<std::size_t>(),
                     row["window"].get<std::size_t>(), row["script"].get<bool>() ? "script" : "score",
                     row["threads"].get<int>(), 1e3 * row["median_seconds"].get<double>(), row["spread"].get<double>(),
                     1e-9 * row["rate_per_second"].get<double>(), row.value("fraction_of_ceiling", 0.0));
}

const bench::Question warpings_question(
    "warpings",
    [](const bench::Arguments&) {
      for (const int threads : {1, thread_count(0)}) {
        for (const Warped& work : warped_cases)
          measure_warping<float>(work, threads), measure_warping<double>(work, threads);
      }
    },
    warping_line);

const bench::Question long_warpings_question(
    "long_warpings",
    [](const bench::Arguments& arguments) {
      const bool is_wide = bench::is_asked(arguments, "f64");
      for (const Warped& work : long_cases)
        is_wide ? measure_warping<double>(work, thread_count(0)) : measure_warping<float>(work, thread_count(0));
    },
    warping_line);

}  // namespace
