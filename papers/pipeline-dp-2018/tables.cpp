#include <fmt/format.h>

#include <array>
#include <random>

#include "papers/papers.hpp"
#include "papers/pipeline-dp-2018/mcm.hpp"
#include "papers/pipeline-dp-2018/on_this_gpu.hpp"
#include "papers/pipeline-dp-2018/sequential.hpp"
#include "papers/results.hpp"
#include "warpfold/interval/matrix_chain.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace {

const Options no_limits;

struct Row {
  const char* range;
  double sequential_ms, naive_parallel_ms, pipeline_ms;
};

constexpr std::array rows{Row{"2^14 <= n <= 2^15, 2^12 <= k <= 2^13", 274, 64, 78},
                          Row{"2^16 <= n <= 2^17, 2^14 <= k <= 2^15", 4288, 368, 386},
                          Row{"2^18 <= n <= 2^19, 2^16 <= k <= 2^17", 68453, 3018, 2408}};

/// A time of Table I in the printed unit.
Cell printed_ms(double ms) { return verbatim(ms * 1e-3, text(published(""), static_cast<std::int64_t>(ms)) + " ms"); }

/// The algorithms of Table I on this machine, one problem per row.
class Table1Here {
 public:
  explicit Table1Here(const RunOptions& options)
      : sequential_(options), solver_(options), gpu_{OnThisGpu(options), OnThisGpu(options), OnThisGpu(options)} {}

  void draw_row(std::size_t number) {
    std::mt19937_64 random(number);
    drawn_ = draw(12 + 2 * static_cast<int>(number), random);
  }
  Cell sequential() {
    return sequential_.seconds(drawn_.operations(), [&] { return timed([&] { fill_sequentially(drawn_); }); });
  }
  Cell on_gpu(Method method) { return gpu_[static_cast<std::size_t>(method)].seconds(problem(), {.method = method}); }
  Cell solver() {
    return solver_.seconds(drawn_.operations(), [&] {
      const auto stated = problem();
      return timed([&] { (void)recurrence::solve(stated); });
    });
  }

 private:
  [[nodiscard]] Problem<std::int32_t> problem() const {
    recurrence::Statement<std::int32_t> statement;
    statement.offsets.assign(drawn_.offsets.begin(), drawn_.offsets.end());
    statement.initial.assign(drawn_.table.begin(), drawn_.table.begin() + drawn_.offsets[0]);
    statement.n = drawn_.table.size();
    return Problem<std::int32_t>(std::move(statement));
  }

  Draw drawn_;
  Meter sequential_, solver_;
  std::array<OnThisGpu, 3> gpu_;
};

Table table_1(const RunOptions& options) {
  const Results gpu_results(options, "h200", "paper_pipelines"), cpu(options, "epyc-2core", "paper_sequential");
  Table1Here here(options);
  Table table{{key("range"), key("algorithm"), in_seconds(published("", "GTX TITAN Black")),
               in_seconds(recorded("a CPU or grid barriers")), in_seconds(recorded("launches")), key("recorded on"),
               recorded("runs"), in_seconds(measured("", this_machine()))},
              {}};
  for (std::size_t number = 1; number <= rows.size(); ++number) {
    const Row& row = rows[number - 1];
    here.draw_row(number);
    const auto sequential = [&](const char* of) { return cpu.cell({{"row", number}, {"method", "sequential"}}, of); };
    table.rows.push_back({row.range, "SEQUENTIAL", printed_ms(row.sequential_ms), sequential("mean_seconds"),
                          "none: a CPU", cpu.where(), sequential("repeats"), here.sequential()});
    const auto add = [&](const char* name, const char* recorded_as, Method method, const Cell& published_cell) {
      const auto cell = [&](const char* barrier, const char* of) {
        return gpu_results.cell({{"work", "table-1"}, {"row", number}, {"method", recorded_as}, {"barrier", barrier}},
                                of);
      };
      table.rows.push_back({row.range, name, published_cell, cell("grid", "mean_seconds"),
                            cell("launch", "mean_seconds"), gpu_results.where(), cell("grid", "repeats"),
                            here.on_gpu(method)});
    };
    add("NAIVE-PARALLEL", "tournament", Method::tournament, printed_ms(row.naive_parallel_ms));
    add("PIPELINE", "pipeline", Method::pipeline, printed_ms(row.pipeline_ms));
    add("2-by-2 pipeline, reconstructed", "2-by-2", Method::m_by_m, "not printed");
    const auto blocks = [&](const char* of) {  // by "blocks", under its name in the recorded results
      return gpu_results.cell({{"work", "table-1"}, {"row", number}, {"method", "cuda-blocks"}}, of);
    };
    table.rows.push_back({row.range, "this library's solver, with transfers", "none", blocks("mean_seconds"), "none",
                          gpu_results.where(), blocks("repeats"), here.solver()});
  }
  table.notes = {
      "published and recorded are means; the paper's are of 100 runs a cell, its SEQUENTIAL machine is not printed",
      "n and k are drawn uniformly from their ranges, the offsets uniformly without repetition from 1 .. 2k: "
      "the paper says neither",
      "the tournament takes two barriers an element, a pipeline one a step",
      measuring_note(options),
      gpu_results.source(),
      cpu.source()};
  table.grid = in_grid(table, {0}, 1, 2, {3, 4, 7});
  table.grid->marks_least = true;
  return table;
}

/// A form of the matrix-chain pipeline, with the barrier between its steps.
struct McmVariant {
  const char *form, *barrier;
  McmForm runs;
  McmBarrier by;
};
constexpr std::array mcm_variants = {McmVariant{"printed", "grid", McmForm::printed, McmBarrier::grid},
                                     McmVariant{"printed", "launch", McmForm::printed, McmBarrier::launch},
                                     McmVariant{"corrected", "grid", McmForm::corrected, McmBarrier::grid},
                                     McmVariant{"corrected", "launch", McmForm::corrected, McmBarrier::launch},
                                     McmVariant{"corrected", "grid, a stage", McmForm::corrected, McmBarrier::stage}};

Table matrix_chain(const RunOptions& options) {
  const Results results(options, "h200", "paper_mcm");
  Table table{
      {key("n"), key("form"), key("barrier"), published(""), recorded("steps"), recorded("barriers"),
       in_seconds(recorded("", results.where())), recorded("wrong elements"), in_seconds(measured("", this_machine()))},
      {}};
  Meter solver(options);
  std::map<std::string, Meter> pipelines;
  for (const std::size_t n : {128U, 256U, 512U, 1024U, 2048U}) {
    const std::vector<std::int64_t> dimensions = random_dimensions(n);
    const double operations = static_cast<double>(n) * static_cast<double>(n * n - 1) / 6;
    for (const McmVariant& variant : mcm_variants) {
      const auto cell = [&](const char* of) {
        return results.cell({{"n", n}, {"form", variant.form}, {"barrier", variant.barrier}}, of);
      };
      Meter& meter = pipelines.try_emplace(std::string(variant.form) + variant.barrier, options).first->second;
      table.rows.push_back({n, variant.form, variant.barrier, "not printed", cell("steps"), cell("barriers"),
                            cell("median_seconds"), cell("wrong_elements"),
                            !has_gpu() ? Cell(no_gpu) : meter.seconds(operations, [&] {
                              SolveMonitor monitor(no_limits, 1);
                              return solve_mcm(dimensions, variant.runs, variant.by, 0, monitor).seconds;
                            })});
    }
    table.rows.push_back({n, "this library's chain", "1 CPU thread", "none", "none", "none", not_recorded, "none",
                          solver.seconds(static_cast<double>(n), [&] {
                            const interval::MatrixChain chain(dimensions);
                            return timed([&] { (void)solve(chain); });
                          })});
  }
  table.notes = {"printed: Fig. 8 with the guard it means; it reads operands that are not final from n = 4 on",
                 "some of those are written in the step that reads them: the two race, and how many elements come out "
                 "wrong differs from run to run and between grid barriers and launches",
                 "corrected: a term is added once both operands are final, in n(n-1)/2 steps of n - 1 threads; a "
                 "barrier after each stage is enough, since a row's elements belong to one thread",
                 measuring_note(options), results.source()};
  table.chart = {0, {1, 2}, {6, 8}};
  return table;
}

/// The assumption of the paper's worst case: threads that read one element wait for each other.
Table distance(const RunOptions& options) {
  const Results results(options, "h200", "paper_pipelines_distance");
  Table table{
      {key("k"), key("offsets"), key("method"), published(""), in_seconds(recorded("grid barriers", results.where())),
       in_seconds(recorded("launches", results.where())), in_seconds(measured("", this_machine()))},
      {}};
  std::map<std::string, OnThisGpu> here;
  for (const std::int64_t k : {32, 1024, 16384}) {
    for (const std::int64_t range : {k, 4 * k, 16 * k}) {
      std::mt19937_64 random(static_cast<std::uint64_t>(k + range / k));
      const auto problem = random_problem(recurrence::Op::min, k, 1, range, 1U << 15, 0, random);
      for (const auto& [name, method] : {std::pair{"pipeline", Method::pipeline}, {"2-by-2", Method::m_by_m}}) {
        const auto cell = [&](const char* barrier) {
          return results.cell(
              {{"work", "distance"}, {"k", k}, {"range", range}, {"method", name}, {"barrier", barrier}});
        };
        OnThisGpu& gpu = here.try_emplace(name, options).first->second;
        table.rows.push_back({k, range == k ? "consecutive" : fmt::format("from 1 .. {}", range), name, "not printed",
                              cell("grid"), cell("launch"), gpu.seconds(problem, {.method = method})});
      }
    }
  }
  table.notes = {
      "32768 elements; k offsets drawn from 1 .. k, where all of a step's threads read one element, and from "
      "1 .. 4 k and 1 .. 16 k",
      measuring_note(options), results.source()};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  const std::string id = "pipeline-dp-2018/";
  return {{id + "table-1", paper, "Sequential, naive parallel and pipeline implementations of S-DP", table_1},
          {id + "figure-8", paper, "The matrix-chain pipeline, printed and corrected", matrix_chain},
          {id + "gpu-distance", paper, "Consecutive and scattered offsets on a GPU, pipeline and 2-by-2", distance}};
}

}  // namespace warpfold::papers::pipeline_2018
