#include "machine/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

std::uint64_t time_with_latency(const Twin& twin, std::uint32_t latency) {
  RunRequest request = request_of(twin);
  request.machine.latency = latency;
  return run(find_algorithm(twin.algorithm), request).report.total.time_units.count;
}

constexpr const char* executed_instructions = "smsp__inst_executed.sum";
constexpr const char* executed_branches = "smsp__inst_executed_pipe_cbu.sum";

/// Splits a line of CSV. Quotes around a cell are removed.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

struct Columns {
  std::size_t id, name, value;
};

std::optional<Columns> columns_of(const std::vector<std::string>& head) {
  const auto place = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  };
  const Columns columns{place("ID"), place("Metric Name"), place("Metric Value")};
  if (std::max({columns.id, columns.name, columns.value}) >= head.size()) return std::nullopt;
  return columns;
}

/// Parses a number such as "1,024".
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double number = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || last != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string counter(Space space, const char* operation) {
  return space == Space::shared ? fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", operation)
                                : fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation);
}

std::optional<double> value_of(const KernelCounters& counters, const std::string& name) {
  const auto found = counters.find(name);
  return found == counters.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Work work_of(const Twin& twin) {
  const std::uint64_t stages = time_with_latency(twin, 1);  // the time is stages + steps (latency - 1)
  return {stages, time_with_latency(twin, 2) - stages};
}

Work work_of(const Pattern& pattern) {
  return {std::uint64_t{accesses_of_pattern} * predicted_stages(pattern), accesses_of_pattern};
}

double TimeModel::cycles(const Work& work) const {
  return cycles_per_stage * static_cast<double>(work.stages) + cycles_per_step * static_cast<double>(work.steps);
}

std::optional<TimeModel> fit(const std::vector<Measured>& measured) {
  double ss = 0, st = 0, tt = 0, s1 = 0, t1 = 0;  // sums of products of stages, steps and 1, all divided by the cycles
  for (const Measured& one : measured) {
    const double s = static_cast<double>(one.work.stages) / one.cycles;
    const double t = static_cast<double>(one.work.steps) / one.cycles;
    ss += s * s;
    st += s * t;
    tt += t * t;
    s1 += s;
    t1 += t;
  }
  const double determinant = ss * tt - st * st;
  if (!(determinant > 1e-9 * ss * tt)) return std::nullopt;
  return TimeModel{(s1 * tt - t1 * st) / determinant, (t1 * ss - s1 * st) / determinant};
}

std::vector<KernelCounters> read_counters(std::string_view text, const std::string& name) {
  std::optional<Columns> columns;
  std::vector<KernelCounters> kernels;
  std::string last_id;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto cells = cells_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!columns) {
      columns = columns_of(cells);
      continue;
    }
    if (cells.size() <= std::max({columns->id, columns->name, columns->value})) continue;  // ncu's own messages
    const std::string& id = cells[columns->id];
    if (kernels.empty() || id != last_id) kernels.emplace_back();
    last_id = id;
    const auto value = number_of(cells[columns->value]);
    if (!value) {
      throw Error(ErrorKind::input, fmt::format("{}:{}: the metric's value is '{}': a number is accepted", name, number,
                                                cells[columns->value].substr(0, 40)));
    }
    kernels.back()[cells[columns->name]] = *value;
  }
  if (columns) return kernels;
  throw Error(
      ErrorKind::input,
      fmt::format("{}: has no columns ID, Metric Name and Metric Value: what `ncu --csv` prints is accepted", name));
}

std::vector<std::string> counters_of_probe() {
  std::set<std::string> names;
  for (const Space space : {Space::shared, Space::global}) {
    for (const char* operation : {"ld", "st"}) names.insert(counter(space, operation));
  }
  for (const Experiment& experiment : experiments()) names.insert(experiment.counter);
  names.insert({executed_instructions, executed_branches});
  return {names.begin(), names.end()};
}

std::optional<double> counted_stages(const Twin& twin, const KernelCounters& counters) {
  const auto loads = value_of(counters, counter(twin.space, "ld")),
             stores = value_of(counters, counter(twin.space, "st"));
  if (!loads || !stores) return std::nullopt;
  return *loads + *stores - static_cast<double>(frame_stages(twin));
}

std::optional<double> counted_stages(const Pattern& pattern, const KernelCounters& counters) {
  return value_of(counters, counter(pattern.space, "ld"));
}

}  // namespace warpfold::machine
