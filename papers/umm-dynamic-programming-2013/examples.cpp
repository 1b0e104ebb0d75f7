#include <fmt/format.h>

#include <array>
#include <map>
#include <set>

#include "papers/papers.hpp"
#include "papers/polygon.hpp"
#include "papers/traced.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

/// A sequence of addresses, one per thread.
TracedRun sequence(const std::vector<std::int64_t>& addresses, std::uint32_t latency) {
  machine::RunRequest request{.machine = machine::umm(4, latency),
                              .threads = static_cast<std::uint32_t>(addresses.size())};
  request.lists["addresses"] = addresses;
  return traced("sequential", request);
}

/// The words between the addresses of neighboring threads, marked as a gap.
void mark_gaps(const TracedRun& run, Grid& grid) {
  const auto& accesses = run.trace.dispatches();
  std::vector<std::uint64_t> addresses;
  for (const auto& dispatch : accesses) {
    for (const auto& access : dispatch.accesses) addresses.push_back(access.address);
  }
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    for (std::uint64_t word = addresses[i - 1] + 1; word < addresses[i]; ++word) {
      grid.rows.front().cells[word] = {"gap", Tone::color_1};
    }
  }
}

/// We chose the addresses, with gaps where the text has them.
Drawing figure_3() {
  const TracedRun run = sequence({2, 3, 4, 5, 8, 9, 10, 14, 15, 16, 17, 18}, 5);
  const auto& access = run.result.report.phases.front().sequences.front();
  Grid grid = access_grid(run, "Twelve threads, an address each; gaps behind threads 3 and 6", "T");
  mark_gaps(run, grid);
  return {{run.command, {grid}, {fmt::format("length {}, fragmentation {}", access.length, access.fragmentation)}}};
}

/// We chose the addresses: three groups for the first warp, one for the second.
Drawing figure_5() {
  const TracedRun run = sequence({0, 1, 6, 11, 12, 13, 14, 15}, 5);
  const auto& total = run.result.report.total;
  return {{run.command,
           {stage_grid(run, "The stages that enter the pipeline, an address group each"),
            register_grid(run, "The pipeline registers over time")},
           {fmt::format("{} stages + 5 - 1 = {} time units", total.stages, total.time_units.count)}}};
}

/// A part for each machine, whose 20 threads read 20 words.
template <class Show>
Drawing on_both_machines(std::uint32_t threads, const Show& show) {
  Drawing drawing;
  for (const machine::Machine& machine : {machine::dmm(4, 1), machine::umm(4, 1)}) {
    machine::RunRequest request{.machine = machine, .threads = threads, .n = threads};
    const TracedRun run = traced("contiguous", request);
    Part part{run.command, {}, {}};
    show(run, part);
    drawing.push_back(part);
  }
  return drawing;
}

Drawing figure_1() {
  return on_both_machines(20, [](const TracedRun& run, Part& part) {
    part.graphs = {architecture(run)};
    part.notes = {fmt::format("{} warps of {} threads", run.result.report.total.dispatches, run.trace.machine().width)};
  });
}

Drawing figure_2() {
  return on_both_machines(16, [](const TracedRun& run, Part& part) {
    const bool is_dmm = run.trace.machine().kind == machine::Kind::dmm;
    part.grids = {memory_grid(
        run, is_dmm ? "The banks of the DMM, a color each" : "The address groups of the UMM, a color each")};
    part.notes = {is_dmm ? "one address of each bank in a time unit" : "one address group in a time unit"};
  });
}

/// The triangle of M(i,j), 1 <= i <= j < n.
template <class CellOf>
Grid table_of_polygon(const std::string& title, const CellOf& cell_of) {
  return triangle(title, polygon_corners - 1,
                  [&](std::uint64_t i, std::uint64_t j) { return cell_of(i * polygon_corners + j); });
}

/// Calls `visit` with the number of the stage, the name of its loop and each access of the loop.
template <class Visit>
void for_each_access(const TracedRun& run, const Visit& visit) {
  std::uint32_t phase = 0, stage = 0;
  for (const machine::Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    for (; phase <= dispatch.phase; ++phase) stage += run.trace.phases()[phase].name == "loop C";
    for (const auto& access : dispatch.accesses) {
      visit(stage, run.trace.phases()[dispatch.phase].name, dispatch.step, access);
    }
  }
}

/// DP-OPT: the stage that computes each element, and the final M.
Drawing figure_8() {
  const TracedRun run = on_polygon("dp-opt");
  std::map<std::uint64_t, std::uint32_t> stages;
  std::map<std::uint64_t, std::int64_t> values;
  for_each_access(run, [&](std::uint32_t stage, const std::string&, std::uint32_t, const auto& access) {
    if (!access.write) return;
    stages[access.address] = stage;
    values[access.address] = static_cast<std::int64_t>(access.value);
  });
  const auto stage_cell = [&](std::uint64_t at) {
    return GridCell{std::to_string(stages.at(at)), stages.at(at) == 0 ? Tone::given : color(stages.at(at))};
  };
  const auto value_cell = [&](std::uint64_t at) { return GridCell{std::to_string(values.at(at)), Tone::final}; };
  return {{run.command,
           {table_of_polygon("The stage that computes M(i,j)", stage_cell),
            table_of_polygon("M after the last stage", value_cell)},
           {fmt::format("the least weight is M(1,7) = {}", values.at(polygon_corners + polygon_corners - 1))}}};
}

/// UMM-OPT: the loops that write each element, stage by stage.
Drawing figure_10() {
  const TracedRun run = on_polygon("umm-opt");
  std::vector<std::map<std::uint64_t, std::set<char>>> loops(polygon_corners - 1);
  for_each_access(run, [&](std::uint32_t stage, const std::string& loop, std::uint32_t, const auto& access) {
    if (access.write && (loop == "loop D" || loop == "loop E")) loops[stage][access.address].insert(loop.back());
  });
  Part part{
      run.command, {}, {"stage r updates the diagonals r .. min(n - 2, 2 r - 1), and diagonal r is final after it"}};
  std::set<std::uint64_t> begun;
  for (std::uint32_t r = 1; r < loops.size(); ++r) {
    for (const auto& [at, letters] : loops[r]) begun.insert(at);
    part.grids.push_back(
        table_of_polygon(fmt::format("Stage {}: the loops that update M(i,j)", r), [&](std::uint64_t at) {
          const auto found = loops[r].find(at);
          const std::string text =
              found == loops[r].end() ? "" : std::string(found->second.begin(), found->second.end());
          const std::uint64_t diagonal = at % polygon_corners - at / polygon_corners;
          if (diagonal == 0) return GridCell{"0", Tone::given};
          return GridCell{text, diagonal <= r ? Tone::final : begun.contains(at) ? Tone::partial : Tone::none};
        }));
  }
  return {part};
}

/// Figs. 11 and 12: what Loop D, or Loop E, reads (X and Y) and writes (W) in stage 3. Each of its threads reads its
/// element, X and Y, and writes.
Drawing operands_in_stage_3(const std::string& loop) {
  constexpr std::uint32_t r = 3;
  const TracedRun run = on_polygon("umm-opt");
  const std::uint64_t b = run.trace.arrays()[1].base;
  std::map<std::uint64_t, std::set<char>> accesses;
  std::set<std::uint32_t> steps;
  for_each_access(run, [&](std::uint32_t stage, const std::string& name, std::uint32_t step, const auto& access) {
    if (stage != r || name != loop) return;
    steps.insert(step);
    constexpr std::array letters = {'W', 'X', 'Y', 'W'};
    const std::uint64_t i = access.address - b;  // b[i] holds M(i,i+r-1)
    const bool is_in_b = access.address >= b && i < polygon_corners;
    accesses[is_in_b ? i * polygon_corners + i + r - 1 : access.address].insert(
        letters[(steps.size() - 1) % letters.size()]);
  });
  const auto cell = [&](std::uint64_t at) {
    const auto found = accesses.find(at);
    if (found == accesses.end()) return GridCell{".", Tone::none};
    return GridCell{{found->second.begin(), found->second.end()}, color(found->second.contains('W') ? 0 : 1)};
  };
  return {
      {run.command,
       {table_of_polygon("Stage 3: W = min(W, X + Y)", cell)},
       {loop == "loop D" ? "X is on diagonal 2, Y and W lie along rows" : "Y is on diagonal 2, read from its copy b"}}};
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "umm-dynamic-programming-2013/",
                    weights_are_ours = "the weights, of which the paper's are a picture";
  return {
      {id + "figure-1", paper, "The DMM and the UMM with 20 threads, w = 4", "l = 1", figure_1},
      {id + "figure-2", paper, "The banks of the DMM and the address groups of the UMM, w = 4", "16 words", figure_2},
      {id + "figure-3", paper, "A sequential access of length 12 and fragmentation 2", "the addresses, w = 4, l = 5",
       figure_3},
      {id + "figure-4", paper, "A triangulation of an 8-gon with the least weight", weights_are_ours,
       [] { return Drawing{triangulation_part()}; }},
      {id + "figure-5", paper, "Two warps in the pipeline of the UMM, w = 4, l = 5", "the addresses", figure_5},
      {id + "figure-6", paper, "The parse tree of the triangulation", weights_are_ours,
       [] { return Drawing{parse_tree_part()}; }},
      {id + "figure-7", paper, "An 8-gon cut by a chord, and the triangle on the chord", "i = 2, k = 4, j = 6",
       [] { return Drawing{cut_part()}; }},
      {id + "figure-8", paper, "The stages of Algorithm DP-OPT for an 8-gon", weights_are_ours, figure_8},
      {id + "figure-9", paper, "The operands of one element in Algorithm DP-OPT", weights_are_ours,
       [] { return Drawing{operands_part()}; }},
      {id + "figure-10", paper, "The stages of Algorithm UMM-OPT for an 8-gon", weights_are_ours, figure_10},
      {id + "figure-11", paper, "Case 1 of Algorithm UMM-OPT, Loop D, for an 8-gon", weights_are_ours,
       [] { return operands_in_stage_3("loop D"); }},
      {id + "figure-12", paper, "Case 2 of Algorithm UMM-OPT, Loop E, for an 8-gon", weights_are_ours,
       [] { return operands_in_stage_3("loop E"); }}};
}

}  // namespace warpfold::papers::umm_2013
