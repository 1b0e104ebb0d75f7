#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"
#include "papers/gpu-polygon-triangulation-2013/on_this_machine.hpp"
#include "papers/gpu-polygon-triangulation-2013/other_problems.hpp"
#include "papers/measure.hpp"
#include "papers/papers.hpp"
#include "papers/results.hpp"
#include "papers/umm-dynamic-programming-2013/counts.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

constexpr const char* its_gpu = "GeForce GTX 680";
constexpr const char* its_cpu = "Core i7 870";
constexpr std::size_t largest = 8192;

Results gpu_results(const RunOptions& options) { return {options, "h200", "paper_gpu_polygon_2013"}; }

/// A line of Table 1: an arrangement and a number of blocks, with the published seconds by number of threads.
struct Line {
  const char* name;
  Arrangement arrangement;
  int blocks;
  std::array<double, thread_counts.size()> seconds;
};

/// The minimum time of a column on the naive arrangement, divided by the minimum on the other one.
std::string factor(const Table& table, std::size_t column) {
  Cell naive, other;
  for (const auto& row : table.rows) {
    if (!row[column].is_number()) continue;
    Cell& best = row[0].value == "naive" ? naive : other;
    if (!best.is_number() || row[column].number() < best.number()) best = row[column];
  }
  if (!naive.is_number() || !other.is_number()) return fmt::format("{}: none", heading(table.columns[column]));
  return fmt::format("{}: {} / {} = {:.2f}", heading(table.columns[column]), text(table.columns[column], naive),
                     text(table.columns[column], other), naive.number() / other.number());
}

Table table_1(const RunOptions& options, Method method, const std::vector<Line>& published_lines) {
  const Results results = gpu_results(options);
  GpuPolygon here(options, largest);
  Table table{{key("arrangement"), key("b"), key("t"), in_seconds(published("", its_gpu)),
               in_seconds(recorded("", results.where())), in_seconds(measured("", this_machine()))},
              {}};
  for (const Line& line : published_lines) {
    for (std::size_t column = 0; column < thread_counts.size(); ++column) {
      const int threads = thread_counts[column];
      table.rows.push_back({line.name, line.blocks, threads,
                            verbatim(line.seconds[column], fmt::format("{:.2f} s", line.seconds[column])),
                            results.cell({{"work", "table-1"},
                                          {"n", largest},
                                          {"method", method == Method::thread_based ? "TB" : "BB"},
                                          {"arrangement", line.name},
                                          {"threads", threads},
                                          {"blocks", line.blocks}}),
                            here.seconds({method, line.arrangement, threads, line.blocks})});
    }
  }
  table.notes = {"what the arrangement gains, each at its best b and t: " + factor(table, 3),
                 factor(table, 4),
                 factor(table, 5),
                 results.source(),
                 "recorded cells above half a second are one run, others the median of three",
                 measuring_note(options)};
  table.chart = {2, {0, 1}, {3, 4, 5}};
  table.grid = in_grid(table, {0, 1}, 2, 3, {4, 5});
  table.grid->marks_least = true;
  return table;
}

Table table_1a(const RunOptions& options) {
  return table_1(options, Method::thread_based,
                 {{"naive", Arrangement::naive, 1, {113.14, 116.67, 117.07, 118.39, 130.61, 167.34}},
                  {"sliding", Arrangement::sliding, 1, {16.88, 13.92, 13.96, 13.96, 14.04, 14.31}}});
}

Table table_1b(const RunOptions& options) {
  return table_1(options, Method::block_based,
                 {{"naive", Arrangement::naive, 1, {28.33, 45.27, 68.02, 85.48, 92.13, 102.41}},
                  {"naive", Arrangement::naive, 2, {34.15, 47.79, 71.42, 89.37, 122.08, 179.62}},
                  {"naive", Arrangement::naive, 4, {51.41, 67.17, 77.92, 98.71, 137.35, 242.05}},
                  {"naive", Arrangement::naive, 8, {56.84, 80.97, 83.42, 109.61, 155.55, 278.01}},
                  {"mirroring", Arrangement::mirroring, 1, {10.70, 6.64, 6.98, 5.94, 6.38, 9.92}},
                  {"mirroring", Arrangement::mirroring, 2, {10.89, 6.88, 6.45, 6.17, 8.37, 16.25}},
                  {"mirroring", Arrangement::mirroring, 4, {11.68, 7.59, 6.19, 7.90, 13.07, 27.92}},
                  {"mirroring", Arrangement::mirroring, 8, {12.98, 8.94, 7.38, 12.02, 23.02, 53.52}}});
}

/// A size of Tables 2 and 3 as printed: the first stage of the block-based method, and the times with the printed
/// digits and unit.
struct Size {
  std::size_t n;
  int first_block_stage;
  double cpu, gpu, unit_seconds, speed_up;
};

constexpr std::array sizes{Size{128, 0, 4.42, 0.56, 1e-3, 7.42},           Size{256, 8, 34.92, 1.50, 1e-3, 23.33},
                           Size{512, 20, 279.42, 5.04, 1e-3, 55.49},       Size{1024, 44, 2397.80, 22.00, 1e-3, 108.19},
                           Size{2048, 83, 20206.62, 111.28, 1e-3, 181.58}, Size{4096, 200, 211.61, 0.73, 1, 289.24},
                           Size{8192, 924, 1939.02, 5.57, 1, 348.02}};

/// A time of Table 3 with its printed digits and unit.
Cell printed_time(const Size& size, double time) {
  return verbatim(time * size.unit_seconds, fmt::format("{:.2f} {}", time, size.unit_seconds == 1 ? "s" : "ms"));
}

Cell printed_quotient(double value) { return verbatim(value, fmt::format("{:.2f}", value)); }

/// The parameters of a plan's stages whose names begin with `method`, the most frequent first: "BB(64,1) x 1,882, ..".
std::string tuned(const nlohmann::json& row, const std::string& method, std::size_t most) {
  if (!row.contains("stages")) return not_recorded;
  std::vector<std::pair<int, std::string>> used;
  for (const auto& [stage, count] : row.at("stages").items()) {
    if (stage.starts_with(method)) used.emplace_back(-count.get<int>(), stage.substr(0, stage.find(' ')));
  }
  if (used.empty()) return "none";
  std::ranges::sort(used);
  std::string out;
  for (std::size_t i = 0; i < std::min(most, used.size()); ++i) {
    out += fmt::format("{}{} x {}", i > 0 ? ", " : "", used[i].second, -used[i].first);
  }
  return used.size() > most ? out + ", .." : out;
}

/// A note, from recorded data, why TB has no stage at 4096 and 8192 on the recorded GPU.
std::string vanishing_note(const Results& results) {
  const std::array<Cell, 4> times = {results.cell({{"work", "adaptive"}, {"n", 512}}, "conversion_seconds"),
                                     results.cell({{"work", "adaptive"}, {"n", 2048}}, "conversion_seconds"),
                                     results.cell({{"work", "conversion"}, {"n", largest}}),
                                     results.cell({{"work", "adaptive"}, {"n", 128}})};
  if (!std::ranges::all_of(times, &Cell::is_number)) return "a switch costs a conversion of the n x n array";
  constexpr double stages = 127;  // of a 128-gon
  return fmt::format(
      "why TB vanishes at 4096 and 8192 on the recorded GPU: a switch costs a conversion of the n x n array ({} at "
      "512, "
      "{} at 2048, {} at 8192) and pays only where TB saves more in the stages before it, which BB computes in about "
      "{} "
      "each (n = 128: the time over its stages). On the {} the conversion was 7.8 ms of 5.57 s",
      duration(times[0].number()), duration(times[1].number()), duration(times[2].number()),
      duration(times[3].number() / stages), its_gpu);
}

/// The stages from `first` on and before `end` as Table 2 prints them, with their number: "Stages 0-7".
Cell stage_range(std::size_t first, std::size_t end) {
  if (first == end) return "—";
  return verbatim(static_cast<double>(end - first), fmt::format("Stages {}-{}", first, end - 1));
}

/// Table 2 as printed: the stages of each method. The columns 1 to 3 of the table have the first BB stage.
PaperGrid grid_of_table_2(const Table& table) {
  PaperGrid grid{{"TB", "BB"}, {}, published("", its_gpu)};
  for (const std::size_t source : {2, 3}) {
    grid.ours.push_back(table.columns[source]);
    grid.ours.back().name.clear();
  }
  for (const auto& row : table.rows) {
    const auto methods = [&](const Cell& first) -> std::vector<Cell> {
      if (!first.is_number()) return {first, first};
      const auto switches = first.value.get<std::size_t>(), stages = row[0].value.get<std::size_t>() - 1;
      return {stage_range(0, switches), stage_range(switches, stages)};
    };
    const std::string n = "n = " + text(table.columns[0], row[0]);
    grid.rows.push_back({n, n, methods(row[1]), {methods(row[2]), methods(row[3])}});
  }
  grid.quotient = "number of stages, published over ours";
  return grid;
}

Table table_2(const RunOptions& options) {
  const Results results = gpu_results(options);
  AdaptiveGranularity here(options);
  Table table{{key("n"), published("first BB stage", its_gpu), recorded("first BB stage", results.where()),
               measured("first BB stage", this_machine()), recorded("TB(t) x stages"), recorded("BB(t,b) x stages"),
               key("last stage")},
              {}};
  for (const Size& size : sizes) {
    const nlohmann::json row = results.row({{"work", "adaptive"}, {"n", size.n}});
    table.rows.push_back({size.n, size.first_block_stage,
                          results.cell({{"work", "adaptive"}, {"n", size.n}}, "first_block_stage"),
                          here.first_block_stage(size.n), tuned(row, "TB", 5), tuned(row, "BB", 3), size.n - 2});
  }
  table.notes = {results.source(), "stages before the first BB stage are TB; 0: BB throughout",
                 vanishing_note(results)};
  table.chart = {0, {}, {1, 2, 3}};
  table.grid = grid_of_table_2(table);
  return table;
}

/// A method of Table 3 at one size: the printed and recorded times with their sources, and the time on this machine.
struct Timed {
  const char* method;
  const char* published_on;
  Cell published, recorded;
  const Results& results;
  Cell measured;
};

/// The methods of Table 3 and of this library: their recorded times and their meters.
struct Methods {
  explicit Methods(const RunOptions& options)
      : adaptive(gpu_results(options)),
        tiled_gpu(options, "h200", "cuda_tiled"),
        small_loop(options, "epyc-2core", "paper_cpu_loop"),
        large_loop(options, "epyc-2core", "paper_cpu_loop_large"),
        tiled_cpu(options, "epyc-2core", "interval_fraction_of_ceiling"),
        loop_here(options),
        adaptive_here(options),
        gpu_here(options, "cuda"),
        cpu_here(options, "cpu") {}

  /// The times at a size: the loop first, then adaptive granularity.
  std::vector<Timed> at(const Size& size) {
    const std::size_t n = size.n;
    const Results& loop = n <= 2048 ? small_loop : large_loop;
    return {{"conventional loop, 1 CPU thread", its_cpu, printed_time(size, size.cpu),
             loop.cell({{"work", "conventional loop"}, {"n", n}}), loop, loop_here.seconds(n)},
            {"adaptive granularity, GPU", its_gpu, printed_time(size, size.gpu),
             adaptive.cell({{"work", "adaptive"}, {"n", n}}), adaptive, adaptive_here.seconds(n)},
            {"this library, GPU", "none", "none",
             or_not_recorded(tiled_gpu.cell(
                 {{"work", "triangulation, weights resident"}, {"n", n}, {"dtype", "f32"}, {"nonnegative", false}})),
             tiled_gpu, gpu_here.seconds(n)},
            {"this library, CPU", "none", "none",
             or_not_recorded(tiled_cpu.cell({{"work", "triangulate"}, {"n", n}, {"dtype", "f32"}, {"threads", 2}})),
             tiled_cpu, cpu_here.seconds(n)}};
  }

  Results adaptive, tiled_gpu, small_loop, large_loop, tiled_cpu;
  ConventionalLoop loop_here;
  AdaptiveGranularity adaptive_here;
  Tiles gpu_here, cpu_here;
};

/// Table 3 as printed: a row for the loop, one for adaptive granularity, and the speed-ups.
PaperGrid grid_of_table_3(const Table& table) {
  PaperGrid grid{
      {}, {}, in_seconds(published("", "Core i7 870, GeForce GTX 680")), {table.columns[3], table.columns[7]}};
  for (const char* name : {"CPU", "GPU", "Speed-up"}) grid.rows.push_back({name, name, {}, {{}, {}}});
  grid.rows.back().has_quotient = false;
  for (const auto& row : table.rows) {
    const bool is_loop = row[1].value == "conventional loop, 1 CPU thread",
               is_adaptive = row[1].value == "adaptive granularity, GPU";
    if (!is_loop && !is_adaptive) continue;
    if (is_loop) grid.columns.push_back("n = " + text(table.columns[0], row[0]));
    PaperGrid::Row& times = grid.rows[is_loop ? 0 : 1];
    times.printed.push_back(row[2]);
    times.ours[0].push_back(row[3]);
    times.ours[1].push_back(row[7]);
    if (!is_adaptive) continue;
    grid.rows[2].printed.push_back(row[8]);
    grid.rows[2].ours[0].push_back(row[9]);
    grid.rows[2].ours[1].push_back(row[11]);
  }
  return grid;
}

Table table_3(const RunOptions& options) {
  Methods methods(options);
  Table table{{key("n"), key("method"), in_seconds(published("")), in_seconds(recorded("")), key("published on"),
               key("recorded on"), key("date"), in_seconds(measured("", this_machine())),
               published("speed-up over the loop"), recorded("speed-up over the loop"),
               recorded("speed-up over adaptive granularity"), measured("speed-up over the loop", "")},
              {}};
  for (const Size& size : sizes) {
    const std::vector<Timed> timed = methods.at(size);
    const Timed &loop = timed[0], &adaptive = timed[1];
    for (const Timed& one : timed) {
      const Cell printed = &one == &adaptive ? printed_quotient(size.speed_up) : Cell("none");
      const bool is_recorded = one.recorded.is_number();
      table.rows.push_back(
          {size.n, one.method, one.published, one.recorded, one.published_on,
           is_recorded ? one.results.machine() : not_recorded, is_recorded ? one.results.date() : not_recorded,
           one.measured, printed, quotient(loop.recorded, one.recorded, "none"),
           quotient(adaptive.recorded, one.recorded, "none"), quotient(loop.measured, one.measured, "none")});
    }
  }
  table.notes = {
      "a speed-up is the time of the loop, or of adaptive granularity, over the row's, both of the same n and column",
      "adaptive granularity includes the conversion; the loop is recorded in CPU time beside other work from 4096 on",
      "this library, GPU: recorded with the weights on the device; on this machine from the host's memory and back",
      "this library, CPU: recorded with 2 threads, on this machine with all of them",
      measuring_note(options),
      methods.adaptive.source(),
      methods.tiled_gpu.source(),
      methods.small_loop.source(),
      methods.large_loop.source(),
      methods.tiled_cpu.source()};
  table.chart = {0, {1}, {2, 3, 7}, {{2, 4}, {3, 5}}};
  table.grid = grid_of_table_3(table);
  return table;
}

/// The range of the quotient of two printed times, each of which was rounded to hundredths.
Table speed_ups(const RunOptions&) {
  Table table{
      {key("n"), published("CPU", its_cpu), published("GPU", its_gpu), key("unit"), published("speed-up"),
       counted("CPU / GPU"), counted("least, before rounding"), counted("greatest"), counted("printed rightly")},
      {}};
  constexpr double half = 0.005;
  for (const Size& size : sizes) {
    const double least = (size.cpu - half) / (size.gpu + half), greatest = (size.cpu + half) / (size.gpu - half);
    const auto two_digits = [](double value) { return fmt::format("{:.2f}", value); };
    table.rows.push_back({size.n, printed_quotient(size.cpu), printed_quotient(size.gpu),
                          size.unit_seconds == 1 ? "s" : "ms", printed_quotient(size.speed_up),
                          two_digits(size.cpu / size.gpu), two_digits(least), two_digits(greatest),
                          least - half <= size.speed_up && size.speed_up <= greatest + half ? "yes" : "no"});
  }
  table.notes = {
      "the paper's times are rounded to hundredths of their unit: least and greatest are what the times before "
      "rounding allow"};
  return table;
}

Table conversion(const RunOptions& options) {
  const Results results = gpu_results(options);
  GpuPolygon here(options, largest);
  return {{key("n"), in_seconds(published("", its_gpu)), in_seconds(recorded("", results.where())),
           in_seconds(measured("", this_machine()))},
          {{largest, verbatim(7.80e-3, "7.80 ms"), results.cell({{"work", "conversion"}, {"n", largest}}),
            here.conversion_seconds()}},
          {results.source()}};
}

Table weights(const RunOptions& options) {
  const Results results = gpu_results(options);
  ConventionalLoop loop(options);
  Table table{{key("weights"), published("", its_gpu), in_seconds(recorded("BB(256,1), n = 8192", results.where())),
               recorded("its spread"), in_seconds(measured("conventional loop, n = 512", this_machine()))},
              {}};
  using Weight = float (*)(std::size_t, std::size_t, float);
  const std::vector<std::pair<const char*, Weight>> kinds = {
      {"uniform in [0,1)", [](std::size_t, std::size_t, float drawn) { return drawn; }},
      {"all 0", [](std::size_t, std::size_t, float) { return 0.0F; }},
      {"j - i", [](std::size_t i, std::size_t j, float) { return static_cast<float>(j) - static_cast<float>(i); }},
      {"i - j", [](std::size_t i, std::size_t j, float) { return static_cast<float>(i) - static_cast<float>(j); }},
      {"every second chord forbidden",
       [](std::size_t i, std::size_t j, float) { return (i + j) % 2 == 0 ? 1.0F : infinity<float>; }}};
  for (const auto& [kind, weight] : kinds) {
    table.rows.push_back({kind, "independent of the weights", results.cell({{"work", "weights"}, {"weights", kind}}),
                          results.cell({{"work", "weights"}, {"weights", kind}}, "spread"), loop.seconds(512, weight)});
  }
  table.notes = {results.source(), "recorded on the mirroring arrangement",
                 "its spread: (slowest - fastest) / median of the recorded runs", measuring_note(options)};
  return table;
}

/// Fig. 9: the positions of M(i,j), 0 <= i <= j < n.
Table arrangements(const RunOptions&) {
  constexpr std::size_t n = 5;
  Table table{{key("row")}, std::vector<std::vector<Cell>>(n)};
  for (const char* name : {"sliding", "mirroring"}) {
    for (std::size_t j = 0; j < n; ++j) table.columns.push_back(counted(fmt::format("{}, column {}", name, j)));
  }
  for (std::size_t row = 0; row < n; ++row) {
    table.rows[row].assign(2 * n + 1, "free");
    table.rows[row][0] = row;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const std::string element = fmt::format("M({},{})", i, j);
      table.rows[sliding_row(n, i, j, Form::corrected)][1 + j] = element;
      table.rows[i][1 + n + j] = table.rows[j][1 + n + i] = element;
    }
  }
  table.notes = {
      "sliding, row j - i (printed: i - j + n, which is outside for i = j): diagonal p of the table is row p, "
      "so that threads with neighboring i read neighbors",
      "mirroring: a column of the table is a row, too", "n = 5 is chosen by us"};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  const std::string id = "gpu-polygon-triangulation-2013/";
  return {{id + "table-1a", paper, "An 8192-gon by the thread-based method TB(t)", table_1a},
          {id + "table-1b", paper, "An 8192-gon by the block-based method BB(t, b)", table_1b},
          {id + "table-2", paper, "The stage where the fastest plan switches from TB to BB", table_2},
          {id + "table-3", paper, "Adaptive granularity beside the conventional CPU loop and this library", table_3},
          {id + "table-3-speed-ups", paper, "Table 3's speed-ups, printed and divided", speed_ups},
          {id + "conversion", paper, "Converting the sliding into the mirroring arrangement", conversion},
          {id + "weights", paper, "The time does not depend on the weights", weights},
          {id + "counts", paper, "Chords, triangles and triangulations of an n-gon", umm_2013::polygon_counts},
          {id + "stages", paper, "Elements and terms by stage", stages},
          {id + "other-problems", paper, "Matrix chains, common subsequences and an algebraic dynamic program",
           other_problems},
          {id + "coalescing", paper, "Coalesced and stride reads of the arrangements", coalescing},
          {id + "figure-9", paper, "The sliding and the mirroring arrangement of a 5-gon's table", arrangements},
          {id + "as-printed", paper, "What the printed formulas compute, beside the corrected ones",
           gpu_polygon_2013::table}};
}

}  // namespace warpfold::papers::gpu_polygon_2013
