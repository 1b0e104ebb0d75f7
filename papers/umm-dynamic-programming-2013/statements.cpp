#include "papers/statements.hpp"

#include <set>

#include "papers/gpu-polygon-triangulation-2013/other_problems.hpp"
#include "papers/papers.hpp"
#include "papers/umm-dynamic-programming-2013/counts.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

using machine::umm;

/// Sequences of 4096 words: aligned with the address groups or not, with gaps between warps, within warps, after every
/// second word and after every word. In the last but one every pair of words is in two groups.
std::vector<std::map<std::string, std::uint64_t>> patterns(std::uint64_t w) {
  std::vector<std::map<std::string, std::uint64_t>> all;
  for (const std::uint64_t start : {std::uint64_t{0}, w / 2}) {
    for (const std::uint64_t f : {0u, 1u, 63u, 1000u}) all.push_back({{"fragmentation", f}, {"start", start}});
  }
  all.push_back({{"fragmentation", 2047}, {"start", w - 1}, {"jump", 2 * w - 2}});
  all.push_back({{"fragmentation", 4095}, {"start", 0}});
  return all;
}

/// Theorem 1, for fewer threads than words and for more.
std::vector<Point> sequences() {
  std::vector<Point> points;
  for (const std::uint32_t w : {4u, 32u}) {
    for (const std::uint32_t l : {1u, 100u}) {
      for (const std::uint32_t p : {256u, 8192u}) {
        for (const auto& pattern : patterns(w)) points.push_back({"sequential", umm(w, l), p, 4096, pattern});
      }
    }
  }
  return points;
}

double sequence_time(const Point& point) {
  const Sizes s = sizes_of(point);
  return s.n / s.w + s.n * s.l / s.p + s.l + static_cast<double>(point.parameters.at("fragmentation"));
}

/// The three cases of section V: w <= n, w >= n^2, and n < w < n^2.
std::vector<Point> triangulations(const std::vector<const char*>& algorithms) {
  std::vector<Point> points;
  for (const char* algorithm : algorithms) {
    for (const std::uint32_t w : {4u, 32u, 64u, 256u, 1024u, 4096u}) {
      for (const std::uint32_t n : {16u, 32u, 64u}) {
        for (const std::uint32_t l : {1u, 100u}) {
          for (const std::uint32_t p : std::set<std::uint32_t>{w, 4096u})
            points.push_back({algorithm, umm(w, l), p, n});
        }
      }
    }
  }
  return points;
}

double triangulation_time(const Point& point) {
  const Sizes s = sizes_of(point);
  const double cube = s.n * s.n * s.n;
  return cube / s.w + cube * s.l / s.p + s.n * s.l;
}

/// Section VI asks for o(n^3/w): the time as a share of n^3/w, when the width, the multiprocessors and n grow together.
Table hybrid(const RunOptions& options) {
  Table table{
      {key("w = d = tile"), key("n"), counted("n^3/w"), counted("time units, umm-opt on the UMM"),
       counted("over n^3/w, umm-opt on the UMM"), counted("time units, tiled-umm-opt on the HMM"),
       counted("over n^3/w, tiled-umm-opt on the HMM"), counted("lower bound on the HMM, threads of O(1) words")},
      {},
      {},
      Chart{0, {}, {4, 6}}};
  for (const std::uint32_t w : {2u, 4u, 8u, 16u}) {
    const std::uint64_t n = 16 * w;
    machine::RunRequest request{.machine = umm(w, 1), .threads = w * w * w, .n = n, .seed = options.seed};
    const auto flat = machine::run(machine::find_algorithm("umm-opt"), request);
    request.machine = machine::hmm(w, w, 1, 1);
    const auto tiled = machine::run(machine::find_algorithm("tiled-umm-opt"), request);
    const double cubes = static_cast<double>(n * n * n) / w;
    const auto over = [&](const machine::RunResult& run) {
      return static_cast<double>(run.report.total.time_units.count) / cubes;
    };
    table.rows.push_back({w, n, cubes, flat.report.total.time_units.count, over(flat),
                          tiled.report.total.time_units.count, over(tiled), tiled.few_words_lower_bound.value()});
  }
  table.notes = {
      "d multiprocessors of w^2 threads each, l = 1 in all memories, n = 16 w: both quotients would stay the "
      "same where the time is a constant times n^3/w",
      "the products take n^3/(3 w) ((1 + 1/w)/d + 1/w): shared memories serve d w words a time unit, and a "
      "tile is read from global memory w times less often"};
  return table;
}

}  // namespace

std::vector<Experiment> statements() {
  const std::string id = "umm-dynamic-programming-2013/";
  using enum Statement::Bound;
  return {
      experiment_of({id + "theorem-1", paper, "A sequential access of length n with fragmentation f",
                     "n/w + n l/p + l + f", sequence_time, above, 2, sequences(), "that of the proof"}),
      experiment_of({id + "theorem-2", paper, "Algorithm UMM-OPT in all three cases of the width",
                     "n^3/w + n^3 l/p + n l", triangulation_time, above, 16, triangulations({"umm-opt"})}),
      experiment_of({id + "theorem-3", paper, "No dynamic program is faster whose threads keep O(1) words",
                     "n^3/w + n^3 l/p + n l", triangulation_time, below, 0.5, triangulations({"dp-opt", "umm-opt"})}),
      {id + "counts", paper, "Chords, triangles and triangulations of an n-gon", polygon_counts},
      {id + "stages", paper, "Elements and terms by stage", gpu_polygon_2013::stages},
      {id + "gpu-latency", paper, "The latency of a GPU's memories",
       [](const RunOptions& options) {
         return memory_machines_2012::gpu_latency(options, "very small", "several hundred");
       }},
      {id + "hmm", paper, "Less than n^3/w on the HMM", hybrid}};
}

}  // namespace warpfold::papers::umm_2013
