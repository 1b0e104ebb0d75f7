#include "papers/traced.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/quantity.hpp"

namespace warpfold::papers {

namespace {

using machine::Kind;
using machine::Recorder;

std::string command_of(const machine::Algorithm& algorithm, const machine::RunRequest& request) {
  const machine::Machine& machine = request.machine;
  std::string text = fmt::format("warpfold machine run {}", algorithm.name);
  if (request.as_printed) text += " --as-printed";
  text += fmt::format(" --machine {}", to_string(machine.kind));
  if (machine.kind != Kind::pram) text += fmt::format(" --width {} --latency {}", machine.width, machine.latency);
  text += fmt::format(" --threads {}", request.threads);
  if (!size_of(algorithm, request.lists)) text += fmt::format(" -n {}", request.n);
  for (const auto& [name, value] : request.parameters) text += fmt::format(" --{} {}", name, value);
  if (!request.operation.empty()) text += fmt::format(" --op {}", request.operation);
  for (const auto& [name, list] : request.lists) text += fmt::format(" --{}={}", name, fmt::join(list, ","));
  return text;
}

/// The headings of columns for elements or addresses `first`, `first` + 1, ..
std::vector<std::string> numbered(std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) names.push_back(std::to_string(first + i));
  return names;
}

/// The table during a run.
struct Progress {
  std::vector<std::uint64_t> missing;  ///< the missing terms of each element
  std::vector<std::int64_t> values;    ///< the values of elements that have one

  Progress(const TracedRun& run, const Table1d& table)
      : missing(run.trace.arrays().front().size), values(run.result.outputs.at("ST")) {
    for (std::uint64_t e = 0; e < missing.size(); ++e) missing[e] = table.terms(e);
  }

  [[nodiscard]] Tone tone(const Table1d& table, std::uint64_t element) const {
    const std::uint64_t terms = table.terms(element);
    if (terms == 0) return Tone::given;
    if (missing[element] == 0) return Tone::final;
    return missing[element] == terms ? Tone::none : Tone::partial;
  }

  void apply(const Step& step) {
    std::set<std::uint64_t> written;
    for (const Visit& write : step.writes) {  // the lowest thread's write remains
      if (!written.insert(write.element).second) continue;
      missing[write.element] -= missing[write.element] > 0 ? 1 : 0;
      values[write.element] = write.value;
    }
  }
};

GridRow who_row(const Step& step, const Table1d& table, const Progress& before, const Progress& after) {
  const std::size_t count = before.missing.size();
  std::vector<std::vector<std::uint32_t>> writers(count), readers(count);
  for (const Visit& visit : step.writes) writers[visit.element].push_back(visit.thread + table.first_thread);
  for (const Visit& visit : step.operands) readers[visit.element].push_back(visit.thread + table.first_thread);
  GridRow row;
  for (std::size_t e = 0; e < count; ++e) {
    const bool early = !readers[e].empty() && before.missing[e] > 0;
    std::string text = fmt::format("{}", fmt::join(writers[e], ","));
    if (!writers[e].empty() && after.missing[e] == 0) text += '*';
    if (!readers[e].empty()) text += fmt::format("({}{})", fmt::join(readers[e], ","), early ? "!" : "");
    row.cells.push_back({text, early ? Tone::early : after.tone(table, e)});
  }
  return row;
}

GridRow value_row(const Table1d& table, const Progress& now, const std::vector<std::int64_t>& right) {
  GridRow row;
  for (std::size_t e = 0; e < now.missing.size(); ++e) {
    Tone tone = now.tone(table, e);
    if (tone == Tone::final && now.values[e] != right[e]) tone = Tone::wrong;
    std::string text;
    if (tone != Tone::none) text = std::to_string(now.values[e]);
    if (tone == Tone::partial) text += '?';
    if (tone == Tone::wrong) text += '!';
    row.cells.push_back({text, tone});
  }
  return row;
}

}  // namespace

TracedRun traced(std::string_view name, machine::RunRequest request) {
  const machine::Algorithm& algorithm = machine::find_algorithm(name);
  if (request.n == 0) request.n = size_of(algorithm, request.lists).value_or(0);
  Recorder trace(request.machine);
  request.options.observer = &trace;
  machine::RunResult result = machine::run(algorithm, request);
  return {command_of(algorithm, request), std::move(result), std::move(trace)};
}

std::vector<Step> steps_of(const TracedRun& run) {
  std::vector<Step> steps;
  std::vector<Visit> reads;
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    Step step;
    for (const Recorder::Access& access : dispatch.accesses) {
      (access.write ? step.writes : reads)
          .push_back({access.thread, access.address, static_cast<std::int64_t>(access.value)});
    }
    if (step.writes.empty()) continue;
    std::set<std::pair<std::uint32_t, std::uint64_t>> own;
    for (const Visit& write : step.writes) own.insert({write.thread, write.element});
    for (const Visit& read : reads) {
      if (!own.contains({read.thread, read.element})) step.operands.push_back(read);
    }
    reads.clear();
    steps.push_back(std::move(step));
  }
  return steps;
}

Part step_part(const TracedRun& run, const Table1d& table) {
  return step_part(run, table, run.result.outputs.at("ST"));
}

Part step_part(const TracedRun& run, const Table1d& table, const std::vector<std::int64_t>& right) {
  Progress now(run, table);
  const auto columns = numbered(table.first_element, now.missing.size());
  Grid who{"Who works where: 2 adds a term to this element, 2* its last one; (2) reads it, (2!) before it is final",
           columns,
           {}};
  Grid values{"ST after each step: 5? lacks terms, 5! is final and wrong", columns, {value_row(table, now, right)}};
  values.rows.front().label = "start";
  for (const Step& step : steps_of(run)) {
    const Progress before = now;
    now.apply(step);
    who.rows.push_back(who_row(step, table, before, now));
    values.rows.push_back(value_row(table, now, right));
    who.rows.back().label = values.rows.back().label = fmt::format("step {}", who.rows.size());
  }
  const std::size_t early = early_reads(run, table).size();
  return {run.command,
          {who, values},
          {fmt::format("{}; {} too early; the table is {}", quantity(who.rows.size(), "step"), quantity(early, "read"),
                       run.result.correct ? "right" : "wrong")}};
}

machine::RunRequest sdp_request(const std::vector<std::int64_t>& offsets, std::uint64_t n, std::uint32_t threads) {
  machine::RunRequest request{.machine = machine::pram(), .threads = threads, .n = n};
  request.lists["offsets"] = offsets;
  request.lists["initial"].resize(static_cast<std::size_t>(offsets.front()));
  std::iota(request.lists["initial"].begin(), request.lists["initial"].end(), 1);
  return request;
}

Table1d sdp_table(const std::vector<std::int64_t>& offsets) {
  return {[given = static_cast<std::uint64_t>(offsets.front()), terms = offsets.size()](std::uint64_t element) {
    return element < given ? 0 : terms;
  }};
}

std::vector<EarlyRead> early_reads(const TracedRun& run, const Table1d& table) {
  std::vector<EarlyRead> early;
  Progress now(run, table);
  std::size_t number = 0;
  for (const Step& step : steps_of(run)) {
    ++number;
    for (const Visit& read : step.operands) {
      if (now.missing[read.element] > 0) early.push_back({number, read});
    }
    now.apply(step);
  }
  return early;
}

Graph architecture(const TracedRun& run) {
  const machine::Machine& machine = run.trace.machine();
  const std::uint32_t width = machine.width, warps = run.result.report.threads / width;
  const double bank = 120, warp = 165;
  const double all = std::max(bank * width, warp * warps);
  Graph graph{fmt::format("The {} with {} threads", to_string(machine), run.result.report.threads), {}, {}};
  const auto center = [&](double spacing, std::uint32_t count, std::uint32_t at) {
    return 40 + all / 2 + spacing * (at - (count - 1) / 2.0);
  };
  const std::size_t unit = 0;
  graph.nodes.push_back({"memory management unit", center(0, 1, 0), 80, Tone::given, true});
  for (std::uint32_t at = 0; at < warps; ++at) {
    graph.nodes.push_back({fmt::format("W({}): T({}) .. T({})", at, at * width, (at + 1) * width - 1),
                           center(warp, warps, at), 16, color(at), true});
    graph.edges.push_back({graph.nodes.size() - 1, unit});
  }
  const Recorder::Dispatch& first = run.trace.dispatches().front();
  const bool is_dmm = machine.kind == Kind::dmm;
  std::size_t line = unit;
  if (!is_dmm) {
    graph.nodes.push_back({"one address line", center(0, 1, 0), 140, Tone::none, true});
    line = graph.nodes.size() - 1;
    graph.edges.push_back({unit, line, fmt::format("A[{}]", first.accesses.front().place)});
  }
  for (std::uint32_t at = 0; at < width; ++at) {
    graph.nodes.push_back({fmt::format("MB B[{}]", at), center(bank, width, at), 210, Tone::none, true});
    const auto request = std::ranges::find(first.accesses, at, [&](const auto& one) { return one.address % width; });
    const bool has_request = is_dmm && request != first.accesses.end();
    graph.edges.push_back(
        {line, graph.nodes.size() - 1, has_request ? fmt::format("m[{}]", request->address) : std::string()});
  }
  return graph;
}

Grid memory_grid(const TracedRun& run, const std::string& title) {
  const machine::Machine& machine = run.trace.machine();
  const std::uint32_t width = machine.width;
  Grid grid{title, {}, {}};
  for (std::uint32_t bank = 0; bank < width; ++bank) grid.columns.push_back(fmt::format("B[{}]", bank));
  for (std::uint32_t address = 0; address < run.trace.arrays().front().size; ++address) {
    const std::uint32_t group = address / width;
    if (address % width == 0) grid.rows.push_back({fmt::format("A[{}]", group), std::vector<GridCell>(width)});
    grid.rows.back().cells[address % width] = {fmt::format("m[{}]", address),
                                               color(machine.kind == Kind::dmm ? address % width : group)};
  }
  return grid;
}

Grid register_grid(const TracedRun& run, const std::string& title) {
  const machine::Machine& machine = run.trace.machine();
  Grid grid{title, {}, {}};
  for (std::uint32_t register_ = 1; register_ <= machine.latency; ++register_) {
    grid.rows.push_back({fmt::format("register {}", register_), {}});
  }
  for (std::uint64_t time = 0; time < run.trace.end().count; ++time) grid.columns.push_back(fmt::format("{}", time));
  for (GridRow& row : grid.rows) row.cells.resize(grid.columns.size());
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    for (const Recorder::Access& access : dispatch.accesses) {
      const std::string place = machine.kind == Kind::umm ? fmt::format(" A[{}]", access.place) : "";
      for (std::size_t at = 0; at < grid.rows.size(); ++at) {
        grid.rows[at].cells[dispatch.start.count + access.stage + at] = {fmt::format("W({}){}", dispatch.warp, place),
                                                                         color(dispatch.warp)};
      }
    }
  }
  return grid;
}

Grid access_grid(const TracedRun& run, const std::string& title, const char* thread) {
  const Recorder::Array& array = run.trace.arrays().front();
  std::map<std::uint32_t, GridRow> rows;
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    GridRow& row = rows.try_emplace(dispatch.step, GridRow{fmt::format("t = {}", dispatch.step), {}}).first->second;
    row.cells.resize(array.size);
    for (const Recorder::Access& access : dispatch.accesses) {
      row.cells[access.address - array.base] = {fmt::format("{}({})", thread, access.thread), Tone::color_0};
    }
  }
  Grid grid{title, numbered(0, array.size), {}};
  for (const auto& [step, row] : rows) grid.rows.push_back(row);
  return grid;
}

Grid stage_grid(const TracedRun& run, const std::string& title) {
  const machine::Machine& machine = run.trace.machine();
  Grid grid{title, {}, {}};
  for (std::uint32_t column = 0; column < machine.width; ++column) {
    grid.columns.push_back(machine.kind == Kind::dmm ? fmt::format("B[{}]", column)
                                                     : fmt::format("group + {}", column));
  }
  for (const Recorder::Dispatch& dispatch : run.trace.dispatches()) {
    const std::size_t first = grid.rows.size();
    const Tone tone = color(dispatch.warp);
    for (std::uint32_t stage = 0; stage < dispatch.stages; ++stage) {
      grid.rows.push_back({fmt::format("time {} W({})", dispatch.start.count + stage, dispatch.warp), {}});
      grid.rows.back().cells.resize(machine.width);
    }
    for (const Recorder::Access& access : dispatch.accesses) {
      if (machine.kind == Kind::umm) {
        grid.rows[first + access.stage].label = fmt::format(
            "time {} W({}), address group A[{}]", dispatch.start.count + access.stage, dispatch.warp, access.place);
      }
      grid.rows[first + access.stage].cells[access.address % machine.width] = {fmt::format("m[{}]", access.address),
                                                                               tone};
    }
  }
  return grid;
}

}  // namespace warpfold::papers
