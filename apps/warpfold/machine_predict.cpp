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
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

using machine::DetailedModel;
using machine::DetailedWork;
using machine::Experiment;
using machine::Frame;
using machine::KernelCounters;
using machine::Loop;
using machine::Measured;
using machine::MeasuredDetail;
using machine::Pattern;
using machine::TimeModel;
using machine::Twin;

struct PredictArguments {
  std::string name, counters, times, trace;
  bool json = false;
};

enum class Kind : std::uint8_t { pattern, experiment, program, loop };

const char* to_string(Kind kind) {
  constexpr const char* names[] = {"pattern", "experiment", "program", "loop"};
  return names[static_cast<int>(kind)];
}

/// A pattern, an experiment, a program or a loop: what the machine says, and what the GPU did.
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
  bool fitted = false;  ///< its time determined constants
  std::optional<DetailedWork> detail = {};
  std::optional<DetailedModel> detailed = {};  ///< the constants for its detail

  [[nodiscard]] std::optional<double> detailed_cycles() const {
    return detail && detailed ? std::optional(detailed->cycles(*detail)) : std::nullopt;
  }
};

/// The constants are fitted on four of the patterns and programs of each memory and number of threads.
bool determines_constants(const Prediction& one) {
  constexpr std::array<const char*, 4> patterns = {"i*1", "i*2", "i*8", "i*32"};
  constexpr std::array<const char*, 4> programs = {"contiguous", "stride", "transpose-diagonal", "sum"};
  if (one.kind == Kind::experiment || one.kind == Kind::loop || one.bytes != 4) return false;
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
  for (const Loop& loop : machine::loops()) {
    const std::uint64_t steps = std::uint64_t{machine::turns_of_loop} * loop.at_once;
    all.push_back({Kind::loop, loop.title, loop.space, 4, loop.threads, {predicted_stages(loop), steps}});
  }
  for (Prediction& one : all) {
    if (one.kind != Kind::experiment) one.predicted_count = one.work.stages;
  }
  return all;
}

/// Whether ncu was not allowed to count. Then its output has no counters.
bool lacks_permission(const std::string& text) { return text.find("ERR_NVGPUCTRPERM") != std::string::npos; }

void add_counters(std::vector<Prediction>& all, const std::string& path) {
  const std::string text = io::read_file(path);
  if (lacks_permission(text)) {
    return add_note(fmt::format("{}: ncu had no permission to count, so nothing is counted", path));
  }
  const auto kernels = machine::read_counters(text, path);
  const std::vector<Frame> frames = machine::frames();
  if (kernels.size() != all.size() + frames.size()) {
    throw Error(ErrorKind::input, fmt::format("{}: has {}: {}, those of `bench_machine probe once`, are accepted", path,
                                              quantity(kernels.size(), "kernel"), all.size() + frames.size()));
  }
  const auto frame = [&](const Frame& of) -> const KernelCounters& {
    return kernels[all.size() + static_cast<std::size_t>(std::ranges::find(frames, of) - frames.begin())];
  };
  auto kernel = kernels.begin();
  auto one = all.begin();
  for (const Pattern& pattern : machine::patterns()) (one++)->counted = counted_stages(pattern, *kernel++);
  for (const Experiment& experiment : machine::experiments()) {
    const auto found = kernel->find(experiment.counter);
    if (found != kernel->end()) one->counted = found->second;
    ++one, ++kernel;
  }
  const auto count = [&](const auto& work) {
    one->counted = counted_stages(work, *kernel);
    one->detail = detailed_work_of(work, *kernel, frame(frame_of(work)));
    ++one, ++kernel;
  };
  for (const Twin& twin : machine::twins()) count(twin);
  for (const Loop& loop : machine::loops()) count(loop);
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
  if (one.kind == Kind::loop) return row.value("title", "") == one.name && row.value("threads", 0u) == one.threads;
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
  return a.space == b.space && a.threads == b.threads && a.kind != Kind::loop && b.kind != Kind::loop &&
         (a.kind == Kind::program) == (b.kind == Kind::program);
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

/// Whether the loop determines constants of programs: all but those whose loads overlap.
bool determines_detail(const Prediction& one) {
  return one.kind == Kind::loop && one.detail && one.measured && !one.name.ends_with("at once");
}

/// The constants of the loops with the same memory and number of threads.
std::optional<DetailedModel> detailed_model_for(std::vector<Prediction>& all, const Prediction& one) {
  std::vector<MeasuredDetail> measured;
  for (Prediction& other : all) {
    if (!determines_detail(other) || other.space != one.space || other.threads != one.threads) continue;
    other.fitted = true;
    measured.push_back({*other.detail, *other.measured});
  }
  return machine::fit_detail(measured);
}

Json json_of(const Prediction& one, const DetailedModel& model) {
  return {{"space", to_string(one.space)},
          {"work", to_string(one.kind)},
          {"threads", one.threads},
          {"cycles_per_load_stage", model.cycles_per_load_stage},
          {"cycles_per_load", model.cycles_per_load},
          {"cycles_per_store_stage", model.cycles_per_store_stage},
          {"cycles_per_store", model.cycles_per_store},
          {"cycles_per_barrier", model.cycles_per_barrier},
          {"cycles_per_instruction", model.cycles_per_instruction}};
}

/// Predicts programs and loops by the constants of the loops, which it adds to `constants`.
void predict_in_detail(std::vector<Prediction>& all, Json& constants) {
  for (Prediction& one : all) {
    if (!one.detail) continue;
    one.detailed = detailed_model_for(all, one);
    if (one.detailed && one.kind == Kind::loop) add_once(constants, json_of(one, *one.detailed));
  }
}

/// Returns the constants, each with what it is for.
Json predict_times(std::vector<Prediction>& all) {
  Json constants = Json::array();
  const Prediction* last = nullptr;
  std::optional<TimeModel> model;
  for (Prediction& one : all) {
    if (one.kind == Kind::loop) break;  // has no constants of its own
    if (last == nullptr || !share_constants(*last, one)) {
      model = model_for(all, one);
      if (model && one.kind != Kind::experiment) add_once(constants, json_of(one, *model));
    }
    if (model) one.predicted_cycles = model->cycles(one.work);
    last = &one;
  }
  predict_in_detail(all, constants);
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
std::optional<double> error_of(const std::optional<double>& predicted, const std::optional<double>& measured) {
  if (!predicted || !measured) return std::nullopt;
  return std::round(10000 * (*predicted / *measured - 1)) / 10000;
}
std::optional<double> error_of(const Prediction& one) { return error_of(one.predicted_cycles, one.measured); }
std::optional<double> detailed_error_of(const Prediction& one) { return error_of(one.detailed_cycles(), one.measured); }

/// What the detail adds to a row.
void add_detail(Json& row, const Prediction& one) {
  if (!one.detail || !one.detailed) return;
  row["barriers"] = one.detail->barriers;
  row["instructions"] = std::round(one.detail->instructions);
  row["load_cycles"] = std::round(one.detailed->cycles_of_loads(*one.detail));
  row["store_cycles"] = std::round(one.detailed->cycles_of_stores(*one.detail));
  row["barrier_cycles"] = std::round(one.detailed->cycles_of_barriers(*one.detail));
  row["instruction_cycles"] = std::round(one.detailed->cycles_of_instructions(*one.detail));
  row["detailed_cycles"] = std::round(*one.detailed_cycles());
  row["detailed_error"] = json_or_null(detailed_error_of(one));
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
  add_detail(row, one);
  return row;
}

std::string text_of(const std::optional<double>& number) { return number ? fmt::format("{:.0f}", *number) : "-"; }
std::string percent_of(const std::optional<double>& error) {
  return error ? fmt::format("{:+.1f} %", 100 * *error) : "-";
}

void print_prediction(const Prediction& one) {
  fmt::print("{:<40}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}{:>11}{:>12}{:>11}{}\n", one.name,
             to_string(one.space), one.bytes, one.threads, one.predicted_count, text_of(one.counted), one.work.steps,
             text_of(one.predicted_cycles), text_of(one.measured), percent_of(error_of(one)),
             text_of(one.detailed_cycles()), percent_of(detailed_error_of(one)), one.fitted ? "  fitted" : "");
}

void print_constants(const Json& model) {
  const auto cycles = [&](const char* of) { return model[std::string("cycles_per_") + of].get<double>(); };
  fmt::print("{}s in {} memory, {} threads: ", model["work"].get<std::string>(), model["space"].get<std::string>(),
             model["threads"].get<std::uint32_t>());
  if (model["work"] != "loop")
    return fmt::print("{:.2f} cycles a stage + {:.1f} a step\n", cycles("stage"), cycles("step"));
  fmt::print(
      "{:.2f} cycles a stage of loads + {:.1f} a load + {:.2f} a stage of stores + {:.1f} a store + {:.1f} a "
      "barrier + {:.2f} an instruction\n",
      cycles("load_stage"), cycles("load"), cycles("store_stage"), cycles("store"), cycles("barrier"),
      cycles("instruction"));
}

void print_predictions(const std::vector<Prediction>& asked, const Json& constants) {
  fmt::print("{:<40}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}{:>11}{:>12}{:>11}\n",
             "program, index, experiment or loop", "space", "bytes", "threads", "stages", "counted", "steps",
             "predicted", "measured", "error", "in detail", "error");
  for (const Prediction& one : asked) print_prediction(one);
  for (const Prediction& one : asked) {
    if (one.kind == Kind::experiment) fmt::print("{}: {} is counted. {}\n", one.name, one.counter, one.reason);
  }
  for (const Json& model : constants) print_constants(model);
  if (std::ranges::none_of(asked, [](const Prediction& one) { return one.counted.has_value(); })) {
    fmt::print("nothing is counted: --counters takes the CSV of ncu\n");
  }
}

/// Adds the median and the largest of errors to a row.
void add_errors(Json& row, const std::string& prefix, std::vector<double> errors) {
  std::ranges::sort(errors);
  row[prefix + "median_error"] = errors.empty() ? Json() : Json(errors[errors.size() / 2]);
  row[prefix + "largest_error"] = errors.empty() ? Json() : Json(errors.back());
}

/// The errors of times that determined no constants.
std::vector<double> sizes_of_errors(const std::vector<const Prediction*>& group) {
  std::vector<double> sizes;
  for (const Prediction* one : group) {
    const auto error = error_of(*one);
    if (error && !one->fitted) sizes.push_back(std::abs(*error));
  }
  return sizes;
}

/// The errors in detail, where the loops determine the constants: all of the programs, and what the loops leave over.
std::vector<double> sizes_of_detailed_errors(const std::vector<const Prediction*>& group) {
  std::vector<double> sizes;
  for (const Prediction* one : group) {
    const auto error = detailed_error_of(*one);
    if (error && (one->kind == Kind::program || one->fitted)) sizes.push_back(std::abs(*error));
  }
  return sizes;
}

Json summary_of(const std::vector<const Prediction*>& group) {
  const auto is_equal = [](const Prediction* one) { return one->counted == static_cast<double>(one->predicted_count); };
  Json row = {{"work", to_string(group[0]->kind)},
              {"space", to_string(group[0]->space)},
              {"rows", group.size()},
              {"counted", std::ranges::count_if(group, [](const Prediction* one) { return one->counted.has_value(); })},
              {"equal", std::ranges::count_if(group, is_equal)}};
  add_errors(row, "", sizes_of_errors(group));
  add_errors(row, "detailed_", sizes_of_detailed_errors(group));
  return row;
}

/// How many of the patterns, programs and loops of each memory are predicted, and how well.
Json summary_of(const std::vector<Prediction>& all) {
  Json rows = Json::array();
  for (const Kind kind : {Kind::pattern, Kind::program, Kind::loop}) {
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
  fmt::print("{:<10}{:<8}{:>6}{:>9}{:>7}{:>15}{:>15}{:>20}{:>20}\n", "work", "space", "rows", "counted", "equal",
             "median error", "largest error", "median in detail", "largest in detail");
  const auto percent = [](const Json& error) {
    return error.is_null() ? std::string("-") : fmt::format("{:.1f} %", 100 * error.get<double>());
  };
  for (const Json& row : rows) {
    fmt::print("{:<10}{:<8}{:>6}{:>9}{:>7}{:>15}{:>15}{:>20}{:>20}\n", row["work"].get<std::string>(),
               row["space"].get<std::string>(), row["rows"].get<int>(), row["counted"].get<int>(),
               row["equal"].get<int>(), percent(row["median_error"]), percent(row["largest_error"]),
               percent(row["detailed_median_error"]), percent(row["detailed_largest_error"]));
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
        fmt::format("'{}' has no kernel: all, patterns, experiments, programs, loops, summary or the name of a program "
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
  predict_command.option("NAME", arguments->name, "program; or patterns, experiments, programs, loops, all or summary")
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
