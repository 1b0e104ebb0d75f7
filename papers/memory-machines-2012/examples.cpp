#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "papers/papers.hpp"
#include "papers/traced.hpp"

namespace warpfold::papers::memory_machines_2012 {

namespace {

using machine::Recorder;
using List = std::vector<std::int64_t>;

constexpr std::size_t side = 4;  // the side of every array that is drawn, and the width

/// The words 0 .. 15, so that each word is its own original place.
machine::RunRequest on_words(const machine::Machine& machine, std::uint32_t threads) {
  machine::RunRequest request{.machine = machine, .threads = threads};
  request.lists["words"].resize(side * side);
  std::iota(request.lists["words"].begin(), request.lists["words"].end(), 0);
  return request;
}

/// The place of a word as "(i,j)".
std::string coordinates(std::int64_t place) { return fmt::format("({},{})", place / 4, place % 4); }

/// A square grid with a cell for each place.
template <class CellOf>
Grid square(const std::string& title, const CellOf& cell_of) {
  Grid grid{title, {"0", "1", "2", "3"}, {}};
  for (std::size_t row = 0; row < side; ++row) {
    grid.rows.push_back({std::to_string(row), {}});
    for (std::size_t column = 0; column < side; ++column) {
      grid.rows.back().cells.push_back(cell_of(row * side + column));
    }
  }
  return grid;
}

Grid words(const std::string& title, const List& array) {
  return square(title, [&](std::size_t place) { return GridCell{coordinates(array[place]), Tone::none}; });
}

Drawing figure_1() {
  Drawing drawing;
  for (const machine::Machine& machine : {machine::dmm(4, 1), machine::umm(4, 1)}) {
    machine::RunRequest request{.machine = machine, .threads = 8, .n = 8};
    const TracedRun run = traced("contiguous", request);
    drawing.push_back({run.command, {}, {}, {architecture(run)}});
  }
  return drawing;
}

Drawing figure_3() {
  const TracedRun on_dmm = traced("contiguous", on_words(machine::dmm(4, 1), 4)),
                  on_umm = traced("contiguous", on_words(machine::umm(4, 1), 4));
  return {{on_dmm.command, {memory_grid(on_dmm, "Banks, a color each: a column")}, {}},
          {on_umm.command, {memory_grid(on_umm, "Address groups, a color each: a row")}, {}}};
}

Drawing figure_2() {
  Drawing drawing;
  for (const char* access : {"contiguous", "stride"}) {
    const TracedRun run = traced(access, on_words(machine::umm(4, 1), 4));
    drawing.push_back({run.command, {access_grid(run, fmt::format("The {} access, p = 4, n = 16", access), "PE")}, {}});
  }
  return drawing;
}

Drawing figure_4() {
  Drawing drawing;
  for (const machine::Machine& machine : {machine::dmm(4, 3), machine::umm(4, 3)}) {
    machine::RunRequest request{.machine = machine, .threads = 8};
    request.lists["addresses"] = {0, 1, 5, 10, 8, 9, 14, 15};
    const TracedRun run = traced("sequential", request);
    const auto& total = run.result.report.total;
    drawing.push_back(
        {run.command,
         {stage_grid(run, fmt::format("The stages that enter the pipeline of the {}", to_string(machine)))},
         {fmt::format("{} stages + 3 - 1 = {} time units", total.stages, total.time_units.count)}});
  }
  return drawing;
}

/// The thread that reads or writes each word of an array in a phase.
Grid threads_at(const TracedRun& run, const std::string& phase, const Recorder::Array& array, bool write) {
  std::array<GridCell, side * side> cells;
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    if (run.trace.phases()[dispatch.phase].name != phase) continue;
    for (const Recorder::Access& access : dispatch.accesses) {
      if (access.write != write) continue;
      cells[access.address - array.base] = {fmt::format("PE({})", access.thread), color(dispatch.warp)};
    }
  }
  return square(fmt::format("The threads that {} {}, a color for each warp", write ? "write" : "read", array.name),
                [&](std::size_t place) { return cells[place]; });
}

Drawing figure_5() {
  const TracedRun run = traced("transpose-diagonal", on_words(machine::dmm(4, 1), 16));
  const std::string phase = "diagonal copy b to a";
  const auto& arrays = run.trace.arrays();
  return {{run.command,
           {threads_at(run, phase, arrays[1], false), threads_at(run, phase, arrays[0], true),
            words("a before", run.result.inputs.at("words")), words("a after", run.result.outputs.at("a"))},
           {}}};
}

/// l_i[t], word t of thread i's local memory, has the word that the thread reads at time t.
Drawing figure_6() {
  const TracedRun run = traced("transpose-rotating", on_words(machine::umm(4, 1), 4));
  Grid local{"The local memories l_0 .. l_3, a column each", {"l_0", "l_1", "l_2", "l_3"}, {}};
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    if (dispatch.accesses.front().write) break;
    local.rows.push_back({std::to_string(local.rows.size()), {}});
    for (const Recorder::Access& access : dispatch.accesses) {
      local.rows.back().cells.push_back({coordinates(static_cast<std::int64_t>(access.value)), Tone::none});
    }
  }
  return {{run.command,
           {words("a before", run.result.inputs.at("words")), local, words("a after", run.result.outputs.at("a"))},
           {}}};
}

/// The array before the first phase and after each phase.
std::vector<List> states(const TracedRun& run) {
  std::vector<List> all = {run.result.inputs.at("words")};
  std::uint32_t phase = 0;
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    if (dispatch.phase != phase) all.push_back(all.back());
    phase = dispatch.phase;
    for (auto access = dispatch.accesses.rbegin(); access != dispatch.accesses.rend(); ++access) {
      if (access->write) all.back()[access->address] = static_cast<std::int64_t>(access->value);
    }
  }
  return all;
}

/// The destinations of the words in Fig. 8.
const List permutation_of_16 = {12, 13, 8, 9, 1, 0, 3, 7, 2, 6, 5, 14, 4, 15, 11, 10};

/// Their colors in Fig. 8: the columns to which Step 1 moves them.
const List coloring_of_16 = {1, 2, 0, 3, 0, 1, 3, 2, 2, 0, 1, 3, 3, 0, 1, 2};

/// The banks of the sources above, those of the destinations below.
Graph banks_of_both_sides() {
  Graph graph{"The graph: sources above, destinations below, a color and a dash for each round", {}, {}};
  for (const bool below : {false, true}) {
    for (std::size_t bank = 0; bank < side; ++bank) {
      graph.nodes.push_back({fmt::format("{}{}", below ? "V" : "U", bank), 60 + 130 * static_cast<double>(bank),
                             below ? 210.0 : 20.0, Tone::given});
    }
  }
  return graph;
}

/// Adds an edge of a round. Edges between the same nodes bend apart.
void join(Graph& graph, std::size_t from, std::size_t to, std::size_t round) {
  const auto parallel =
      std::ranges::count_if(graph.edges, [&](const GraphEdge& edge) { return edge.from == from && edge.to == to; });
  const double bend = parallel == 0 ? 0 : parallel % 2 == 1 ? 14.0 : -14.0;
  const double at = 0.2 + 0.1 * static_cast<double>(round);
  graph.edges.push_back({from, to, fmt::format("c{}", round), color(round), bend, false, at});
}

/// The graph of a permutation on the DMM, with an edge for each word from its source's bank to its destination's. The
/// colors of the edges are the rounds.
Drawing figure_7() {
  machine::RunRequest request = on_words(machine::dmm(4, 1), 4);
  request.lists["permutation"] = permutation_of_16;
  const TracedRun run = traced("permute-dmm", request);
  const Recorder::Array& b = run.trace.arrays()[1];
  std::array<GridCell, side * side> edges;
  Graph graph = banks_of_both_sides();
  Grid rounds{"The rounds, a color each: the words that move, by the bank of their source",
              {"B[0]", "B[1]", "B[2]", "B[3]"},
              {}};
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    const std::string& phase = run.trace.phases()[dispatch.phase].name;
    if (phase != "permute b to a" || dispatch.accesses.front().write) continue;
    const std::string name = fmt::format("c{}", rounds.rows.size());
    GridRow row{name, std::vector<GridCell>(side)};
    for (const Recorder::Access& access : dispatch.accesses) {
      const std::size_t source = access.address - b.base;
      const auto destination = static_cast<std::size_t>(permutation_of_16[source]);
      row.cells[source % side] = {fmt::format("a[{}] to a[{}]", source, destination), color(rounds.rows.size())};
      std::string& edge = edges[source % side * side + destination % side].text;
      edge += (edge.empty() ? "" : " ") + name;
    }
    for (const Recorder::Access& access : dispatch.accesses) {
      const std::size_t source = access.address - b.base;
      const auto destination = static_cast<std::size_t>(permutation_of_16[source]);
      join(graph, source % side, side + destination % side, rounds.rows.size());
    }
    rounds.rows.push_back(row);
  }
  return {{run.command,
           {square("The graph: edges from the source's bank (row) to the destination's (column), by their colors",
                   [&](std::size_t place) { return edges[place]; }),
            rounds},
           {"degree 4, 4 colors: each once in every row and in every column of the graph",
            fmt::format("{} time units", run.result.report.total.time_units.count)},
           {graph}}};
}

/// Every word as its destination. Its color in the run is the column to which Step 1 moves it.
Part permutation_part(bool as_printed) {
  machine::RunRequest request = on_words(machine::umm(4, 1), 16);
  request.as_printed = as_printed;
  request.lists["permutation"] = permutation_of_16;
  if (!as_printed) request.lists["coloring"] = coloring_of_16;
  const TracedRun run = traced("permute-umm", request);
  const List& destination = run.result.inputs.at("permutation");
  const std::vector<List> arrays = states(run);
  std::array<Tone, side * side> colors{};
  for (std::size_t place = 0; place < colors.size(); ++place) {
    colors[static_cast<std::size_t>(arrays[1][place])] = color(place % side);
  }
  Part part{run.command, {}, {}};
  for (std::size_t step = 0; step < arrays.size(); ++step) {
    const auto cell = [&](std::size_t place) {
      const auto word = static_cast<std::size_t>(arrays[step][place]);
      return GridCell{coordinates(destination[word]), colors[word]};
    };
    part.grids.push_back(square(step == 0 ? "Destinations" : fmt::format("After Step {}", step), cell));
  }
  part.notes = {fmt::format("{} at its destination; {} writes are lost",
                            run.result.correct ? "every word is" : "not every word is",
                            run.result.report.total.simultaneous_writes)};
  return part;
}

/// Which words have which color: "c0 (3,0) (0,1) ..".
std::string legend_of(const Part& part) {
  std::string legend;
  for (std::size_t column = 0; column < side; ++column) {
    legend += fmt::format("{}c{}", column == 0 ? "" : ", ", column);
    for (const GridRow& row : part.grids[1].rows) legend += ' ' + row.cells[column].text;
  }
  return legend;
}

Drawing figure_8() {
  Drawing drawing = {permutation_part(false), permutation_part(true)};
  drawing.front().notes.push_back(
      fmt::format("the colors of the destinations: {}; the color is the column to which Step 1 moves a word",
                  legend_of(drawing.front())));
  drawing.front().notes.push_back("the coloring is the printed one");
  drawing.back().notes.push_back(
      "as printed the graph joins source columns to destination rows: two words of a row can have one color");
  return drawing;
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "memory-machines-2012/";
  return {{id + "figure-1", paper, "The DMM and the UMM with 8 threads, w = 4", "l = 1", figure_1},
          {id + "figure-2", paper, "The contiguous and the stride access, p = 4, n = 16", "", figure_2},
          {id + "figure-3", paper, "Banks and address groups, w = 4", "16 words", figure_3},
          {id + "figure-4", paper, "Two warps on the DMM and on the UMM, w = 4, l = 3", "", figure_4},
          {id + "figure-5", paper, "Transposing on the DMM along diagonals, n = p = 16, w = 4", "l = 1", figure_5},
          {id + "figure-6", paper, "Transposing on the UMM through local memories, n = 16, w = 4", "l = 1", figure_6},
          {id + "figure-7", paper, "A regular bipartite graph of degree 4 in 4 colors: a permutation on the DMM, w = 4",
           "the permutation, that of Fig. 8", figure_7},
          {id + "figure-8", paper, "A permutation on the UMM, n = 16, w = 4: right, and as printed", "p = 16, l = 1",
           figure_8}};
}

}  // namespace warpfold::papers::memory_machines_2012
