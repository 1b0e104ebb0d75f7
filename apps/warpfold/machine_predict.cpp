#include "machine_predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "core/quantity.hpp"
#include "limits.hpp"
#include "machine/prediction.hpp"
#include "machine/twins.hpp"
#include "machine_probe.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

using machine::Experiment;
using machine::Measured;
using machine::Pattern;
using machine::TimeModel;
using machine::Twin;

struct PredictArguments {
  std::string name, counters, times, trace;
  bool json = false;
};

enum class Kind : std::uint8_t { pattern, experiment, program };

const char* to_string(Kind kind) {
  if (kind == Kind::program) return "program";
  return kind == Kind::pattern ? "pattern" : "experiment";
}

/// A pattern, an experiment or a program: what the machine says, and what the GPU did.
struct Prediction {
  Kind kind;
  std::string name;  ///< of a pattern: its index
  machine::Space space;
  std::uint32_t bytes = 4, threads = 32;
  machine::Work work;
  std::string counter = {}, reason = {};              ///< of an experiment
  std::uint64_t predicted_count = 0;                  ///< of the counter; otherwise the stages
  std::optional<double> counted = {}, measured = {};  ///< of the GPU
  std::optional<double> predicted_cycles = {};
  bool fitted = false;  ///< its time determined the constants
};

/// The constants are fitted on four of the patterns and programs of each memory and number of threads.
bool determines_constants(const Prediction& one) {
  constexpr std::array<const char*, 4> patterns = {"i*1", "i*2", "i*8", "i*32"};
  constexpr std::array<const char*, 4> programs = {"contiguous", "stride", "transpose-diagonal", "sum"};
  if (one.kind == Kind::experiment || one.bytes != 4) return false;
  const auto& names = one.kind == Kind::pattern ? patterns : programs;
  return std::ranges::find(names, one.name) != names.end();
}

/// In the order of the probe's kernels.
std::vector<Prediction> all_predictions() {
  std::vector<Prediction> all;
  for (const Pattern& pattern : machine::patterns()) {
    all.push_back({Kind::pattern, pattern.index, pattern.space, pattern.bytes, 32, machine::work_of(pattern)});
  }
  for (const Experiment& experiment : machine::experiments()) {
    const Pattern& pattern = experiment.pattern;
    all.push_back({Kind::experiment, experiment.title, pattern.space, pattern.bytes, 32, machine::work_of(pattern),
                   experiment.counter, experiment.reason, experiment.predicted});
  }
  for (const Twin& twin : machine::twins()) {
    all.push_back({Kind::program, twin.title, twin.space, 4, twin.threads, machine::work_of(twin)});
  }
  for (Prediction& one : all) {
    if (one.kind != Kind::experiment) one.predicted_count = one.work.stages;
  }
  return all;
}

void add_counters(std::vector<Prediction>& all, const std::string& path) {
  const auto kernels = machine::read_counters(io::read_file(path), path);
  if (kernels.size() != all.size()) {
    throw Error(ErrorKind::input, fmt::format("{}: has {}: {}, those of `bench_machine probe once`, are accepted", path,
                                              quantity(kernels.size(), "kernel"), all.size()));
  }
  auto kernel = kernels.begin();
  auto one = all.begin();
  for (const Pattern& pattern : machine::patterns()) (one++)->counted = counted_stages(pattern, *kernel++);
  for (const Experiment& experiment : machine::experiments()) {
    const auto found = kernel->find(experiment.counter);
    if (found != kernel->end()) one->counted = found->second;
    ++one, ++kernel;
  }
  for (const Twin& twin : machine::twins()) (one++)->counted = counted_stages(twin, *kernel++);
}

/// Predicts the patterns from their addresses in a trace, where launch k is pattern k.
void add_trace(std::vector<Prediction>& all, const std::string& path) {
  const machine::KernelTrace trace = trace_of(path);
  const std::size_t patterns = machine::patterns().size();
  for (const machine::TracedInstruction& instruction : trace.instructions()) {
    if (instruction.launch >= patterns || instruction.requests != 1) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: launch {} has {}: a trace of `bench_machine probe trace` is accepted", path,
                              instruction.launch, quantity(instruction.requests, "access", "accesses")));
    }
    Prediction& one = all[instruction.launch];
    one.work.stages = machine::accesses_of_pattern * instruction.stages;
    one.predicted_count = one.work.stages;
  }
}

bool is_of(const Json& row, const Prediction& one) {
  if (row.value("work", "") != to_string(one.kind)) return false;
  if (row.value("space", "") != to_string(one.space)) return false;
  if (one.kind == Kind::experiment) return row.value("title", "") == one.name;
  return one.kind == Kind::pattern ? row.value("index", "") == one.name && row.value("bytes", 0u) == one.bytes
                                   : row.value("program", "") == one.name && row.value("threads", 0u) == one.threads;
}

void add_times(std::vector<Prediction>& all, const std::string& path) {
  const Json rows = probe_rows(path);
  for (Prediction& one : all) {
    const auto row = std::ranges::find_if(rows, [&](const Json& each) { return each.is_object() && is_of(each, one); });
    if (row == rows.end()) continue;
    const auto cycles = row->find("cycles");
    if (cycles == row->end() || !cycles->is_number() || !(cycles->get<double>() > 0)) {
      throw Error(ErrorKind::input, fmt::format("{}: 'cycles' of {} is no number above 0", path, one.name));
    }
    one.measured = cycles->get<double>();
  }
}

/// Experiments have the constants of the patterns.
bool share_constants(const Prediction& a, const Prediction& b) {
  return a.space == b.space && a.threads == b.threads && (a.kind == Kind::program) == (b.kind == Kind::program);
}

/// The constants of the patterns and programs that are alike to one.
std::optional<TimeModel> model_for(std::vector<Prediction>& all, const Prediction& one) {
  std::vector<Measured> measured;
  for (Prediction& other : all) {
    if (!other.measured || !share_constants(one, other) || !determines_constants(other)) continue;
    other.fitted = true;
    measured.push_back({other.work, *other.measured});
  }
  return machine::fit(measured);
}

Json json_of(const Prediction& one, const TimeModel& model) {
  return {{"space", to_string(one.space)},
          {"work", to_string(one.kind)},
          {"threads", one.threads},
          {"cycles_per_stage", model.cycles_per_stage},
          {"cycles_per_step", model.cycles_per_step}};
}

/// Programs of one memory and number of threads may stand apart in the list.
void add_once(Json& constants, Json row) {
  if (std::ranges::find(constants, row) == constants.end()) constants.push_back(std::move(row));
}

/// Returns the constants, each with what it is for.
Json predict_times(std::vector<Prediction>& all) {
  Json constants = Json::array();
  const Prediction* last = nullptr;
  std::optional<TimeModel> model;
  for (Prediction& one : all) {
    if (last == nullptr || !share_constants(*last, one)) {
      model = model_for(all, one);
      if (model && one.kind != Kind::experiment) add_once(constants, json_of(one, *model));
    }
    if (model) one.predicted_cycles = model->cycles(one.work);
    last = &one;
  }
  return constants;
}

bool is_asked(const Prediction& one, const std::string& name) {
  if (name == "all" || name == std::string(to_string(one.kind)) + "s") return true;
  return one.kind == Kind::program && (one.name == name || one.name.starts_with(name + ","));
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// In steps of 0.0001.
std::optional<double> error_of(const Prediction& one) {
  if (!one.predicted_cycles || !one.measured) return std::nullopt;
  return std::round(10000 * (*one.predicted_cycles / *one.measured - 1)) / 10000;
}

Json json_of(const Prediction& one) {
  Json row = {{"work", to_string(one.kind)},
              {"name", one.name},
              {"space", to_string(one.space)},
              {"bytes", one.bytes},
              {"threads", one.threads}};
  if (one.kind == Kind::experiment) {
    row["counter"] = one.counter;
    row["reason"] = one.reason;
  }
  row["stages"] = one.work.stages;
  row["steps"] = one.work.steps;
  row["predicted_count"] = one.predicted_count;
  row["counted"] = json_or_null(one.counted);
  row["predicted_cycles"] = json_or_null(one.predicted_cycles);
  row["measured_cycles"] = json_or_null(one.measured);
  row["error"] = json_or_null(error_of(one));
  row["fitted"] = one.fitted;
  return row;
}

std::string text_of(const std::optional<double>& number) { return number ? fmt::format("{:.0f}", *number) : "-"; }

void print_prediction(const Prediction& one) {
  const auto error = error_of(one);
  fmt::print("{:<40}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}  {}\n", one.name, to_string(one.space), one.bytes,
             one.threads, one.predicted_count, text_of(one.counted), one.work.steps, text_of(one.predicted_cycles),
             text_of(one.measured),
             error ? fmt::format("{:+.1f} %{}", 100 * *error, one.fitted ? ", fitted" : "") : "-");
}

void print_predictions(const std::vector<Prediction>& asked, const Json& constants) {
  fmt::print("{:<40}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}  error\n", "program, index or experiment", "space",
             "bytes", "threads", "stages", "counted", "steps", "predicted", "measured");
  for (const Prediction& one : asked) print_prediction(one);
  for (const Prediction& one : asked) {
    if (one.kind == Kind::experiment) fmt::print("{}: {} is counted. {}\n", one.name, one.counter, one.reason);
  }
  for (const Json& model : constants) {
    fmt::print("{}s in {} memory, {} threads: {:.2f} cycles a stage + {:.1f} a step\n",
               model["work"].get<std::string>(), model["space"].get<std::string>(),
               model["threads"].get<std::uint32_t>(), model["cycles_per_stage"].get<double>(),
               model["cycles_per_step"].get<double>());
  }
  if (std::ranges::none_of(asked, [](const Prediction& one) { return one.counted.has_value(); })) {
    fmt::print("nothing is counted: --counters takes the CSV of ncu\n");
  }
}

/// The errors of times that determined no constants, from the smallest to the largest.
std::vector<double> sizes_of_errors(const std::vector<const Prediction*>& group) {
  std::vector<double> sizes;
  for (const Prediction* one : group) {
    const auto error = error_of(*one);
    if (error && !one->fitted) sizes.push_back(std::abs(*error));
  }
  std::ranges::sort(sizes);
  return sizes;
}

Json summary_of(const std::vector<const Prediction*>& group) {
  const auto is_equal = [](const Prediction* one) { return one->counted == static_cast<double>(one->predicted_count); };
  const std::vector<double> errors = sizes_of_errors(group);
  return {{"work", to_string(group[0]->kind)},
          {"space", to_string(group[0]->space)},
          {"rows", group.size()},
          {"counted", std::ranges::count_if(group, [](const Prediction* one) { return one->counted.has_value(); })},
          {"equal", std::ranges::count_if(group, is_equal)},
          {"median_error", errors.empty() ? Json() : Json(errors[errors.size() / 2])},
          {"largest_error", errors.empty() ? Json() : Json(errors.back())}};
}

/// How many of the patterns and programs of each memory are predicted, and how well.
Json summary_of(const std::vector<Prediction>& all) {
  Json rows = Json::array();
  for (const Kind kind : {Kind::pattern, Kind::program}) {
    for (const machine::Space space : {machine::Space::shared, machine::Space::global}) {
      std::vector<const Prediction*> group;
      for (const Prediction& one : all) {
        if (one.kind == kind && one.space == space) group.push_back(&one);
      }
      rows.push_back(summary_of(group));
    }
  }
  return rows;
}

void print_summary(const Json& rows) {
  fmt::print("{:<10}{:<8}{:>6}{:>9}{:>7}{:>15}{:>15}\n", "work", "space", "rows", "counted", "equal", "median error",
             "largest error");
  const auto percent = [](const Json& error) {
    return error.is_null() ? std::string("-") : fmt::format("{:.1f} %", 100 * error.get<double>());
  };
  for (const Json& row : rows) {
    fmt::print("{:<10}{:<8}{:>6}{:>9}{:>7}{:>15}{:>15}\n", row["work"].get<std::string>(),
               row["space"].get<std::string>(), row["rows"].get<int>(), row["counted"].get<int>(),
               row["equal"].get<int>(), percent(row["median_error"]), percent(row["largest_error"]));
  }
}

/// Prints JSON with the machine, date and commit of the times, if they have them.
void print_rows(const PredictArguments& arguments, const Json& rows, const Json& constants) {
  Json result = {{"command", "machine predict"}, {"version", version}};
  if (!arguments.times.empty()) result.update(probe_origin(arguments.times));
  result["rows"] = rows;
  result["constants"] = constants;
  print_json(result);
}

void predict(const PredictArguments& arguments) {
  std::vector<Prediction> all = all_predictions(), asked;
  const bool only_summary = arguments.name == "summary";
  const auto is_wanted = [&](const Prediction& one) { return is_asked(one, only_summary ? "all" : arguments.name); };
  if (std::ranges::none_of(all, is_wanted)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' has no kernel: all, patterns, experiments, programs, summary or the name of a program "
                    "that `warpfold machine predict programs` shows is accepted",
                    arguments.name));
  }
  if (!arguments.trace.empty()) add_trace(all, arguments.trace);
  if (!arguments.counters.empty()) add_counters(all, arguments.counters);
  if (!arguments.times.empty()) add_times(all, arguments.times);
  const Json constants = predict_times(all);
  std::ranges::copy_if(all, std::back_inserter(asked), is_wanted);
  Json rows = only_summary ? summary_of(all) : Json::array();
  if (!arguments.json) return only_summary ? print_summary(rows) : print_predictions(asked, constants);
  for (const Prediction& one : asked) {
    if (!only_summary) rows.push_back(json_of(one));
  }
  print_rows(arguments, rows, constants);
}

}  // namespace

void add_predict(Command command) {
  const Command predict_command = command.add_command("predict", "stages and times of programs on a GPU");
  predict_command.examples("warpfold machine predict sum", "warpfold machine predict all --json");
  auto arguments = std::make_shared<PredictArguments>();
  predict_command.option("NAME", arguments->name, "program; or patterns, experiments, programs, all or summary")
      .required();
  predict_command.option("--counters", arguments->counters, "what ncu --csv counts of bench_machine probe once")
      .takes("FILE");
  predict_command.option("--times", arguments->times, "times of bench_machine probe --json").takes("FILE");
  predict_command.option("--trace", arguments->trace, "addresses of bench_machine probe trace; default: computed")
      .takes("FILE");
  predict_command.in(Group::output).flag("--json", arguments->json, json_help);
  add_limits(predict_command);
  predict_command.runs([arguments] { predict(*arguments); });
}

}  // namespace warpfold::app
