#include <fmt/format.h>

#include <array>

#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"
#include "papers/gpu-polygon-triangulation-2013/plan.hpp"
#include "papers/papers.hpp"
#include "papers/results.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

using Cell = nlohmann::json;

Results gpu_results(const RunOptions& options) { return {options, "h200", "paper_gpu_polygon_2013"}; }

const std::string published_note = "published: GeForce GTX 680, 2013";

/// A line of Table 1: an arrangement and a number of blocks, and the published seconds by number of threads.
struct Line {
  const char* arrangement;
  int blocks;
  std::array<double, thread_counts.size()> seconds;
};

template <std::size_t lines>
Table table_1(const RunOptions& options, const char* method, const std::array<Line, lines>& published) {
  const Results results = gpu_results(options);
  Table table{{"arrangement", "b", "t", "published [s]", "here [s]"}, {}, {}};
  for (const Line& line : published) {
    for (std::size_t column = 0; column < thread_counts.size(); ++column) {
      table.rows.push_back({line.arrangement, line.blocks, thread_counts[column], line.seconds[column],
                            results.cell({{"work", "table-1"},
                                          {"n", 8192},
                                          {"method", method},
                                          {"arrangement", line.arrangement},
                                          {"threads", thread_counts[column]},
                                          {"blocks", line.blocks}})});
    }
  }
  table.notes = {published_note, results.source(), "cells above half a second are one run, others the median of three"};
  return table;
}

Table table_1a(const RunOptions& options) {
  return table_1(options, "TB",
                 std::array{Line{"naive", 1, {113.14, 116.67, 117.07, 118.39, 130.61, 167.34}},
                            Line{"sliding", 1, {16.88, 13.92, 13.96, 13.96, 14.04, 14.31}}});
}

Table table_1b(const RunOptions& options) {
  return table_1(options, "BB",
                 std::array{Line{"naive", 1, {28.33, 45.27, 68.02, 85.48, 92.13, 102.41}},
                            Line{"naive", 2, {34.15, 47.79, 71.42, 89.37, 122.08, 179.62}},
                            Line{"naive", 4, {51.41, 67.17, 77.92, 98.71, 137.35, 242.05}},
                            Line{"naive", 8, {56.84, 80.97, 83.42, 109.61, 155.55, 278.01}},
                            Line{"mirroring", 1, {10.70, 6.64, 6.98, 5.94, 6.38, 9.92}},
                            Line{"mirroring", 2, {10.89, 6.88, 6.45, 6.17, 8.37, 16.25}},
                            Line{"mirroring", 4, {11.68, 7.59, 6.19, 7.90, 13.07, 27.92}},
                            Line{"mirroring", 8, {12.98, 8.94, 7.38, 12.02, 23.02, 53.52}}});
}

/// Tables 2 and 3 as printed: the first stage of the block-based method, and milliseconds.
struct Size {
  int n;
  int first_block_stage;
  double cpu_ms;
  double gpu_ms;
  double speed_up;
};

constexpr std::array sizes{Size{128, 0, 4.42, 0.56, 7.42},
                           Size{256, 8, 34.92, 1.50, 23.33},
                           Size{512, 20, 279.42, 5.04, 55.49},
                           Size{1024, 44, 2397.80, 22.00, 108.19},
                           Size{2048, 83, 20206.62, 111.28, 181.58},
                           Size{4096, 200, 211.61e3, 0.73e3, 289.24},
                           Size{8192, 924, 1939.02e3, 5.57e3, 348.02}};

Table table_2(const RunOptions& options) {
  const Results results = gpu_results(options);
  Table table{{"n", "first BB stage, published", "first BB stage, here", "last stage"}, {}, {}, true};
  for (const Size& size : sizes) {
    table.rows.push_back({size.n, size.first_block_stage,
                          results.cell({{"work", "adaptive"}, {"n", size.n}}, "first_block_stage"), size.n - 2});
  }
  table.notes = {published_note, results.source(), "stages before the first BB stage are TB; 0: BB throughout"};
  return table;
}

Table table_3(const RunOptions& options) {
  const Results gpu = gpu_results(options);
  const Results small(options, "epyc-2core", "paper_cpu_loop");
  const Results large(options, "epyc-2core", "paper_cpu_loop_large");
  Table table{{"n", "CPU published [ms]", "GPU published [ms]", "speed-up published", "CPU here [ms]", "GPU here [ms]",
               "speed-up here"},
              {},
              {},
              true};
  for (const Size& size : sizes) {
    const Results& cpu = size.n <= 2048 ? small : large;
    const Cell cpu_ms = cpu.cell({{"work", "conventional loop"}, {"n", size.n}}, "median_seconds", 1e3);
    const Cell gpu_ms = gpu.cell({{"work", "adaptive"}, {"n", size.n}}, "median_seconds", 1e3);
    const Cell speed_up =
        cpu_ms.is_number() && gpu_ms.is_number() ? Cell(cpu_ms.get<double>() / gpu_ms.get<double>()) : Cell();
    table.rows.push_back({size.n, size.cpu_ms, size.gpu_ms, size.speed_up, cpu_ms, gpu_ms, speed_up});
  }
  table.notes = {
      published_note + " and Core i7 870", gpu.source(), small.source(), large.source(),
      "GPU: adaptive granularity, the conversion included; CPU: the conventional loop, one thread, from n = 4096 on "
      "in CPU time beside other work"};
  return table;
}

Table conversion(const RunOptions& options) {
  const Results results = gpu_results(options);
  return {{"n", "published [ms]", "here [ms]"},
          {{8192, 7.80, results.cell({{"work", "conversion"}, {"n", 8192}}, "median_seconds", 1e3)}},
          {published_note, results.source()}};
}

Table weights(const RunOptions& options) {
  const Results results = gpu_results(options);
  Table table{{"weights", "published", "here [ms]", "spread"}, {}, {}};
  for (const char* kind : {"uniform in [0,1)", "all 0", "j - i", "i - j", "every second chord forbidden"}) {
    table.rows.push_back({kind, "independent of the weights",
                          results.cell({{"work", "weights"}, {"weights", kind}}, "median_seconds", 1e3),
                          results.cell({{"work", "weights"}, {"weights", kind}}, "spread")});
  }
  table.notes = {results.source(), "n = 8192, BB(256,1) on the mirroring arrangement"};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  const std::string id = "gpu-polygon-triangulation-2013/";
  return {{id + "table-1a", paper, "Seconds for an 8192-gon, thread-based method TB(t)", table_1a},
          {id + "table-1b", paper, "Seconds for an 8192-gon, block-based method BB(t, b)", table_1b},
          {id + "table-2", paper, "The stage where the fastest plan switches from TB to BB", table_2},
          {id + "table-3", paper, "Adaptive granularity beside the conventional CPU loop", table_3},
          {id + "conversion", paper, "Converting the sliding into the mirroring arrangement", conversion},
          {id + "weights", paper, "The time does not depend on the weights", weights},
          {id + "as-printed", paper, "What the printed formulas compute, beside the corrected ones",
           gpu_polygon_2013::table}};
}

}  // namespace warpfold::papers::gpu_polygon_2013
