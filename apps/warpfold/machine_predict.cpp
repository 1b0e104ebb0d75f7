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

using machine::Measured;
using machine::Pattern;
using machine::TimeModel;
using machine::Twin;

struct PredictArguments {
  std::string name, counters, times;
  bool json = false;
};

/// A pattern or a program: what the machine says, and what the GPU did.
struct Prediction {
  std::string name;  ///< of the program; of a pattern: its index
  machine::Space space;
  std::uint32_t bytes = 4, threads = 32;
  bool is_pattern = false;
  machine::Work work;
  std::optional<double> counted, measured, predicted;
  bool fitted = false;  ///< its time determined the constants
};

/// The constants are fitted on four of the patterns and programs of each memory and number of threads.
bool determines_constants(const Prediction& one) {
  constexpr std::array<const char*, 4> patterns = {"i*1", "i*2", "i*8", "i*32"};
  constexpr std::array<const char*, 4> programs = {"contiguous", "stride", "transpose-diagonal", "sum"};
  const auto& names = one.is_pattern ? patterns : programs;
  return one.bytes == 4 && std::ranges::find(names, one.name) != names.end();
}

std::vector<Prediction> all_predictions() {
  std::vector<Prediction> all;
  for (const Pattern& pattern : machine::patterns()) {
    all.push_back({pattern.index, pattern.space, pattern.bytes, 32, true, machine::work_of(pattern), {}, {}, {}});
  }
  for (const Twin& twin : machine::twins()) {
    all.push_back({twin.title, twin.space, 4, twin.threads, false, machine::work_of(twin), {}, {}, {}});
  }
  return all;
}

void add_counters(std::vector<Prediction>& all, const std::string& path) {
  const auto kernels = machine::read_counters(io::read_file(path), path);
  if (kernels.size() != all.size()) {
    throw Error(ErrorKind::input, fmt::format("{}: has {}: {}, those of `bench_machine probe once`, are accepted", path,
                                              quantity(kernels.size(), "kernel"), all.size()));
  }
  const auto patterns = machine::patterns();
  const auto twins = machine::twins();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].counted = i < patterns.size() ? counted_stages(patterns[i], kernels[i])
                                         : counted_stages(twins[i - patterns.size()], kernels[i]);
  }
}

bool is_of(const Json& row, const Prediction& one) {
  if (row.value("work", "") != (one.is_pattern ? "pattern" : "program")) return false;
  if (row.value("space", "") != to_string(one.space)) return false;
  return one.is_pattern ? row.value("index", "") == one.name && row.value("bytes", 0u) == one.bytes
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

bool share_constants(const Prediction& a, const Prediction& b) {
  return a.space == b.space && a.threads == b.threads && a.is_pattern == b.is_pattern;
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

Json predict_times(std::vector<Prediction>& all) {
  Json constants = Json::array();
  const Prediction* last = nullptr;
  std::optional<TimeModel> model;
  for (Prediction& one : all) {
    if (last == nullptr || !share_constants(*last, one)) {
      model = model_for(all, one);
      if (model) {
        constants.push_back({{"space", to_string(one.space)},
                             {"work", one.is_pattern ? "pattern" : "program"},
                             {"threads", one.threads},
                             {"cycles_per_stage", model->cycles_per_stage},
                             {"cycles_per_step", model->cycles_per_step}});
      }
    }
    if (model) one.predicted = model->cycles(one.work);
    last = &one;
  }
  return constants;
}

bool is_asked(const Prediction& one, const std::string& name) {
  if (name == "all" || name == (one.is_pattern ? "patterns" : "programs")) return true;
  return !one.is_pattern && (one.name == name || one.name.starts_with(name + ","));
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> error_of(const Prediction& one) {
  if (!one.predicted || !one.measured) return std::nullopt;
  return *one.predicted / *one.measured - 1;
}

Json json_of(const Prediction& one) {
  return {{"work", one.is_pattern ? "pattern" : "program"},
          {"name", one.name},
          {"space", to_string(one.space)},
          {"bytes", one.bytes},
          {"threads", one.threads},
          {"stages", one.work.stages},
          {"steps", one.work.steps},
          {"counted_stages", json_or_null(one.counted)},
          {"predicted_cycles", json_or_null(one.predicted)},
          {"measured_cycles", json_or_null(one.measured)},
          {"error", json_or_null(error_of(one))},
          {"fitted", one.fitted}};
}

std::string text_of(const std::optional<double>& number) { return number ? fmt::format("{:.0f}", *number) : "-"; }

void print_predictions(const std::vector<Prediction>& asked, const Json& constants) {
  fmt::print("{:<32}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}  error\n", "program or index", "space", "bytes",
             "threads", "stages", "counted", "steps", "predicted", "measured");
  for (const Prediction& one : asked) {
    const auto error = error_of(one);
    fmt::print("{:<32}{:<8}{:>6}{:>8}{:>10}{:>10}{:>10}{:>12}{:>12}  {}\n", one.name, to_string(one.space), one.bytes,
               one.threads, one.work.stages, text_of(one.counted), one.work.steps, text_of(one.predicted),
               text_of(one.measured),
               error ? fmt::format("{:+.1f} %{}", 100 * *error, one.fitted ? ", fitted" : "") : "-");
  }
  for (const Json& model : constants) {
    fmt::print("{}s in {} memory, {} threads: {:.2f} cycles a stage + {:.1f} a step\n",
               model["work"].get<std::string>(), model["space"].get<std::string>(),
               model["threads"].get<std::uint32_t>(), model["cycles_per_stage"].get<double>(),
               model["cycles_per_step"].get<double>());
  }
}

void predict(const PredictArguments& arguments) {
  std::vector<Prediction> all = all_predictions(), asked;
  const auto is_wanted = [&](const Prediction& one) { return is_asked(one, arguments.name); };
  if (std::ranges::none_of(all, is_wanted)) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' has no kernel: all, patterns, programs or the name of a program that "
                            "`warpfold machine predict programs` shows is accepted",
                            arguments.name));
  }
  if (!arguments.counters.empty()) add_counters(all, arguments.counters);
  if (!arguments.times.empty()) add_times(all, arguments.times);
  const Json constants = predict_times(all);
  std::ranges::copy_if(all, std::back_inserter(asked), is_wanted);
  if (!arguments.json) return print_predictions(asked, constants);
  Json rows = Json::array();
  for (const Prediction& one : asked) rows.push_back(json_of(one));
  print_json({{"command", "machine predict"}, {"version", version}, {"rows", rows}, {"constants", constants}});
}

}  // namespace

void add_predict(Command command) {
  const Command predict_command = command.add_command("predict", "stages and times of programs on a GPU");
  predict_command.examples("warpfold machine predict sum", "warpfold machine predict all --json");
  auto arguments = std::make_shared<PredictArguments>();
  predict_command.option("NAME", arguments->name, "program; or patterns, programs or all").required();
  predict_command.option("--counters", arguments->counters, "counters of bench_machine probe once, by ncu --csv")
      .takes("FILE");
  predict_command.option("--times", arguments->times, "times of bench_machine probe --json").takes("FILE");
  predict_command.in(Group::output).flag("--json", arguments->json, json_help);
  add_limits(predict_command);
  predict_command.runs([arguments] { predict(*arguments); });
}

}  // namespace warpfold::app
