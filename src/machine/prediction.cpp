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

constexpr std::uint32_t lanes_of_warp = 32;

/// Tells loads from stores, step by step.
class StepCounter : public Observer {
 public:
  void on_dispatch(const TraceDispatch& dispatch) override {
    if (dispatch.step != step_) end_step();
    step_ = dispatch.step;
    stages_ += dispatch.stages;
    loads_ |= std::ranges::any_of(dispatch.accesses, [](const TraceAccess& access) { return !access.write; });
  }

  [[nodiscard]] DetailedWork work() {
    end_step();
    return work_;
  }

 private:
  void end_step() {
    if (stages_ == 0) return;
    (loads_ ? work_.load_stages : work_.store_stages) += stages_;
    ++(loads_ ? work_.loads : work_.stores);
    stages_ = 0;
    loads_ = false;
  }

  DetailedWork work_;
  std::uint32_t step_ = 0, stages_ = 0;
  bool loads_ = false;
};

template <std::size_t count>
using Terms = std::array<double, count>;

/// Solves a positive definite system of linear equations by elimination, without exchanging rows. The last column is
/// the right side. Nothing if the system is nearly singular.
template <std::size_t count>
std::optional<Terms<count>> solve(std::array<Terms<count + 1>, count> system) {
  Terms<count> scale;
  for (std::size_t k = 0; k < count; ++k) scale[k] = system[k][k];  // of the diagonal before the elimination
  for (std::size_t k = 0; k < count; ++k) {
    if (!(system[k][k] > 1e-9 * scale[k])) return std::nullopt;
    for (std::size_t row = 0; row < count; ++row) {
      if (row == k) continue;
      const double factor = system[row][k] / system[k][k];
      for (std::size_t column = k; column <= count; ++column) system[row][column] -= factor * system[k][column];
    }
  }
  Terms<count> result;
  for (std::size_t k = 0; k < count; ++k) result[k] = system[k][count] / system[k][k];
  return result;
}

/// Finds constants whose sum of products with each row is nearly 1, by the normal equations of least squares.
template <std::size_t count>
std::optional<Terms<count>> solve_for_ones(const std::vector<Terms<count>>& rows) {
  std::array<Terms<count + 1>, count> system = {};
  for (const Terms<count>& row : rows) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) system[a][b] += row[a] * row[b];
      system[a][count] += row[a];
    }
  }
  return solve<count>(system);
}

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

std::optional<double> instructions_of(const KernelCounters& kernel, const KernelCounters& frame) {
  const auto all = value_of(kernel, executed_instructions), of_frame = value_of(frame, executed_instructions);
  if (!all || !of_frame) return std::nullopt;
  return *all - *of_frame;
}

/// Wavefronts or sectors of a kernel, without those of its frame.
std::optional<double> stages_in_frame(Space space, std::uint32_t frame, const KernelCounters& counters) {
  const auto loads = value_of(counters, counter(space, "ld")), stores = value_of(counters, counter(space, "st"));
  if (!loads || !stores) return std::nullopt;
  return *loads + *stores - static_cast<double>(frame);
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
  std::vector<Terms<2>> rows;
  for (const auto& [work, cycles] : measured) {
    rows.push_back({static_cast<double>(work.stages) / cycles, static_cast<double>(work.steps) / cycles});
  }
  const auto found = solve_for_ones(rows);
  if (!found) return std::nullopt;
  return TimeModel{(*found)[0], (*found)[1]};
}

std::optional<DetailedWork> detailed_work_of(const Twin& twin, const KernelCounters& kernel,
                                             const KernelCounters& frame) {
  const auto instructions = instructions_of(kernel, frame);
  if (!instructions) return std::nullopt;
  StepCounter steps;
  RunRequest request = request_of(twin);
  request.options.observer = &steps;
  const RunResult result = run(find_algorithm(twin.algorithm), request);
  DetailedWork work = steps.work();
  work.barriers = static_cast<double>(result.report.total.barriers);
  work.instructions = *instructions * (work.loads + work.stores) / static_cast<double>(result.report.total.dispatches);
  return work;
}

std::optional<DetailedWork> detailed_work_of(const Loop& loop, const KernelCounters& kernel,
                                             const KernelCounters& frame) {
  const auto instructions = instructions_of(kernel, frame);
  if (!instructions) return std::nullopt;
  const auto stages = static_cast<double>(predicted_stages(loop));
  DetailedWork work;
  (loop.access == Access::store ? work.store_stages : work.load_stages) = stages;
  (loop.access == Access::store ? work.stores : work.loads) = turns_of_loop * loop.at_once;
  if (loop.has_barrier) work.barriers = turns_of_loop;
  work.instructions = *instructions / (loop.threads / lanes_of_warp);
  return work;
}

double DetailedModel::cycles_of_loads(const DetailedWork& work) const {
  return cycles_per_load_stage * work.load_stages + cycles_per_load * work.loads;
}
double DetailedModel::cycles_of_stores(const DetailedWork& work) const {
  return cycles_per_store_stage * work.store_stages + cycles_per_store * work.stores;
}
double DetailedModel::cycles_of_barriers(const DetailedWork& work) const { return cycles_per_barrier * work.barriers; }
double DetailedModel::cycles_of_instructions(const DetailedWork& work) const {
  return cycles_per_instruction * work.instructions;
}
double DetailedModel::cycles(const DetailedWork& work) const {
  return cycles_of_loads(work) + cycles_of_stores(work) + cycles_of_barriers(work) + cycles_of_instructions(work);
}

std::optional<DetailedModel> fit_detail(const std::vector<MeasuredDetail>& measured) {
  std::vector<Terms<6>> rows;
  for (const auto& [work, cycles] : measured) {
    rows.push_back({work.load_stages / cycles, work.loads / cycles, work.store_stages / cycles, work.stores / cycles,
                    work.barriers / cycles, work.instructions / cycles});
  }
  const auto found = solve_for_ones(rows);
  if (!found) return std::nullopt;
  const auto& [load_stage, load, store_stage, store, barrier, instruction] = *found;
  return DetailedModel{load_stage, load, store_stage, store, barrier, instruction};
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
  names.insert(executed_instructions);
  return {names.begin(), names.end()};
}

std::optional<double> counted_stages(const Twin& twin, const KernelCounters& counters) {
  return stages_in_frame(twin.space, frame_stages(twin), counters);
}

std::optional<double> counted_stages(const Loop& loop, const KernelCounters& counters) {
  return stages_in_frame(loop.space, frame_stages(loop), counters);
}

std::optional<double> counted_stages(const Pattern& pattern, const KernelCounters& counters) {
  return value_of(counters, counter(pattern.space, "ld"));
}

}  // namespace warpfold::machine
