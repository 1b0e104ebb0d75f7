#include "warpfold/machine/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "limits.hpp"
#include "machine.hpp"
#include "machine_predict.hpp"
#include "machine_probe.hpp"
#include "memory.hpp"
#include "number_lists.hpp"
#include "outputs.hpp"
#include "papers/table.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/stream.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"
#include "warpfold/machine/kernel_trace.hpp"
#include "warpfold/machine/trace_file.hpp"

namespace warpfold::app {

namespace {

using namespace machine;

/// The options that describe a machine, as they were typed.
struct MachineOptions {
  std::string kind, mapping = "none";
  std::uint32_t width = 32, latency = 100, multiprocessors = 1, shared_latency = 1;
  std::uint64_t mapping_seed = 1;
  std::optional<std::uint32_t> warp;

  /// Whether an option changes the machine.
  [[nodiscard]] bool is_given() const {
    const MachineOptions none;
    return warp || kind != none.kind || mapping != none.mapping || width != none.width || latency != none.latency;
  }

  [[nodiscard]] Machine resolve(Kind otherwise) const {
    Machine result{kind.empty() ? otherwise : machine::parse_kind(kind),
                   width,
                   latency,
                   multiprocessors,
                   shared_latency,
                   Mapping::none,
                   mapping_seed,
                   warp.value_or(0)};
    if (warp == 0u) throw Error(ErrorKind::usage, "warp is 0: 1 or more is accepted");
    if (result.kind == Kind::pram) result.width = 1;
    if (result.kind == Kind::pram || result.kind == Kind::bpram) result.latency = 1;
    if (mapping == "random-shift") {
      if (result.kind != Kind::dmm && result.kind != Kind::hmm) {
        throw Error(ErrorKind::usage,
                    fmt::format("mapping is random-shift on the {}: it moves addresses between the banks of the dmm "
                                "and of the hmm's shared memories",
                                to_string(result.kind)));
      }
      result.mapping = Mapping::random_shift;
    } else if (mapping != "none") {
      throw Error(ErrorKind::usage, fmt::format("mapping '{}' is unknown: none or random-shift is accepted", mapping));
    }
    return result;
  }
};

void add_machine_options(Command command, MachineOptions& options) {
  command.option("--machine", options.kind, "machine; default: umm, where the algorithm runs on it")
      .takes("pram|bpram|dmm|umm|hmm");
  command.number("--width", options.width, "number of memory banks, or of words of an address group");
  command.number("--warp", options.warp, "number of threads of a warp; default: the width");
  command.number("--latency", options.latency, "time units of an access");
  command.option("--mapping", options.mapping, "mapping of addresses to the banks of the dmm")
      .takes("none|random-shift");
  command.number("--mapping-seed", options.mapping_seed, "seed of random-shift");
}

constexpr std::uint64_t usual_size = 256;

struct RunArguments {
  std::string algorithm, timing = "lockstep", operation, trace;
  MachineOptions machine;
  std::uint32_t threads = 1024;
  std::optional<std::uint64_t> n;
  std::uint64_t seed = 1;
  bool as_printed = false, exclusive = false, json = false;
  std::map<std::string, std::optional<std::uint64_t>> parameters;
  std::map<std::string, std::optional<std::string>> lists;
};

struct CostArguments {
  MachineOptions machine;
  std::string index, trace, gpu, output;
  std::optional<std::uint32_t> threads, bytes;
  bool json = false;
};

std::string described(const List& list) { return fmt::format("a list of {}: {}", list.entries, list.description); }

void list(bool json) {
  Json names = Json::array();
  for (const Algorithm& algorithm : algorithms()) {
    Json machines = Json::array(), parameters = Json::object(), lists = Json::object();
    std::string machine_names;
    for (const Kind kind : algorithm.machines) {
      machines.push_back(to_string(kind));
      machine_names += fmt::format(" {}", to_string(kind));
    }
    for (const Parameter& parameter : algorithm.parameters) {
      parameters[std::string(parameter.name)] = parameter.description;
    }
    for (const List& list : algorithm.lists) lists[std::string(list.name)] = described(list);
    if (!json) {
      fmt::print("{}\n    {}\n    source: {}; machines:{}{}\n", algorithm.name, algorithm.description, algorithm.source,
                 machine_names, algorithm.has_printed_form ? "; --as-printed" : "");
      for (const Parameter& parameter : algorithm.parameters) {
        fmt::print("    --{}: {}\n", parameter.name, parameter.description);
      }
      for (const List& list : algorithm.lists) fmt::print("    --{}: {}\n", list.name, described(list));
      if (!algorithm.operations.empty()) fmt::print("    --op: {}\n", fmt::join(algorithm.operations, ", "));
    }
    names.push_back({{"name", algorithm.name},
                     {"description", algorithm.description},
                     {"source", algorithm.source},
                     {"machines", machines},
                     {"as_printed", algorithm.has_printed_form},
                     {"parameters", parameters},
                     {"lists", lists},
                     {"operations", algorithm.operations}});
  }
  if (json) print_json({{"command", "machine list"}, {"version", version}, {"algorithms", names}});
}

RunRequest request_of(const RunArguments& arguments, const Algorithm& algorithm) {
  RunRequest request;
  const bool on_umm = std::ranges::find(algorithm.machines, Kind::umm) != algorithm.machines.end();
  request.machine = arguments.machine.resolve(on_umm ? Kind::umm : algorithm.machines.front());
  request.threads = arguments.threads;
  request.options.timing = parse_timing(arguments.timing);
  request.options.exclusive = arguments.exclusive;
  request.options.max_memory = process_budget().left();
  request.as_printed = arguments.as_printed;
  request.seed = arguments.seed;
  for (const auto& [name, value] : arguments.parameters) {
    if (value) request.parameters[name] = *value;
  }
  for (const auto& [name, text] : arguments.lists) {
    if (text) request.lists[name] = numbers_as<std::int64_t>("--" + name, list_of_numbers("--" + name, *text), false);
  }
  request.operation = arguments.operation;
  request.n = arguments.n ? *arguments.n : size_of(algorithm, request.lists).value_or(usual_size);
  return request;
}

/// Lists of more than a million entries become null, because the seed gives them again.
Json json_of(const Lists& lists) {
  constexpr std::size_t most = 1'000'000;
  Json object = Json::object();
  for (const auto& [name, list] : lists) object[name] = list.size() <= most ? Json(list) : Json();
  return object;
}

Json json_of(const Counters& counters, std::uint32_t width) {
  return {{"time_units", counters.time_units.count},
          {"accesses", counters.accesses()},
          {"reads", counters.reads},
          {"writes", counters.writes},
          {"dispatches", counters.dispatches},
          {"total_stages", counters.stages},
          {"utilization", counters.utilization(width)},
          {"simultaneous_writes", counters.simultaneous_writes},
          {"histogram", counters.histogram}};
}

Json json_of(const RunReport& report) {
  Json phases = Json::array();
  for (const PhaseReport& phase : report.phases) {
    Json one = {{"name", phase.name}}, sequences = Json::array();
    one.update(json_of(phase.counters, report.machine.width));
    for (const SequenceReport& sequence : phase.sequences) {
      sequences.push_back({{"name", sequence.name},
                           {"access", sequence.writes ? "write" : "read"},
                           {"sequences", sequence.sequences},
                           {"length", sequence.length},
                           {"longest", sequence.longest},
                           {"fragmentation", sequence.fragmentation},
                           {"most_fragmented", sequence.most_fragmented},
                           {"total_stages", sequence.stages},
                           {"time_units", sequence.time_units.count}});
    }
    one["sequences"] = sequences;
    phases.push_back(one);
  }
  return phases;
}

/// The threads of a warp; null on machines without warps.
Json json_of_warp(const Machine& machine) {
  if (machine.kind == Kind::pram || machine.kind == Kind::bpram) return {};
  return machine.warp_size();
}

Json json_of(const RunRequest& request, const Algorithm& algorithm, const RunResult& result) {
  const Machine& machine = request.machine;
  Json object = {{"command", "machine run"},         {"version", version},
                 {"algorithm", algorithm.name},      {"source", algorithm.source},
                 {"as_printed", request.as_printed}, {"machine", to_string(machine.kind)},
                 {"width", machine.width},           {"warp", json_of_warp(machine)},
                 {"latency", machine.latency}};
  if (machine.kind == Kind::hmm) {
    object["multiprocessors"] = machine.multiprocessors;
    object["shared_latency"] = machine.shared_latency;
  }
  object.update(Json{{"threads", request.threads},
                     {"n", request.n},
                     {"seed", request.seed},
                     {"timing", to_string(request.options.timing)}});
  object.update(json_of(result.report.total, machine.width));
  object["formula"] = result.formula ? Json(*result.formula) : Json();
  object["formula_text"] = result.formula_text;
  object["bound"] = result.bound ? Json(*result.bound) : Json();
  object["bound_text"] = result.bound_text;
  object["lower_bound"] = result.lower_bound;
  object["peak_bytes"] = peak_bytes();
  object["lower_bound_text"] = result.lower_bound_text;
  object["few_words_lower_bound"] = result.few_words_lower_bound ? Json(*result.few_words_lower_bound) : Json();
  object["few_words_lower_bound_text"] = result.few_words_lower_bound_text;
  object["correct"] = result.correct;
  for (const auto& [name, count] : result.counts) object["counts"][name] = count;
  object["inputs"] = json_of(result.inputs);
  object["outputs"] = json_of(result.outputs);
  object["phases"] = json_of(result.report);
  return object;
}

/// A list as it is typed. Of a long list only the beginning and the end.
std::string shown(const std::vector<std::int64_t>& list, const std::string& origin) {
  constexpr std::ptrdiff_t most = 40, last = 8;
  if (std::ssize(list) <= most) return fmt::format("{}", fmt::join(list, ","));
  return fmt::format("{},..,{}  {} in all{}; --json prints them",
                     fmt::join(list.begin(), list.begin() + most - last, ","),
                     fmt::join(list.end() - last, list.end(), ","), list.size(), origin);
}

void print_text(const RunRequest& request, const Algorithm& algorithm, const RunResult& result) {
  const Counters& total = result.report.total;
  const auto line = [](const char* name, const std::string& value, const std::string& note) {
    fmt::print("{:<14}{:>16}  {}\n", name, value, note);
  };
  fmt::print("{}{} on {}, {}, n = {}, {}\n", algorithm.name, request.as_printed ? " as printed" : "",
             to_string(request.machine), quantity(request.threads, "thread"), request.n,
             to_string(request.options.timing));
  line("time units", std::to_string(total.time_units.count), "measured");
  if (result.formula) line("formula", std::to_string(*result.formula), result.formula_text);
  if (result.bound) line("bound", fmt::format("{:.1f}", *result.bound), result.bound_text);
  line("lower bound", std::to_string(result.lower_bound), result.lower_bound_text);
  if (result.few_words_lower_bound) {
    line("few words", std::to_string(*result.few_words_lower_bound),
         "lower bound of threads that keep O(1) words: " + result.few_words_lower_bound_text);
  }
  line("correct", result.correct ? "yes" : "no", "against the plain result");
  line("accesses", std::to_string(total.accesses()),
       fmt::format("in {} of {}, utilization {:.3f}", quantity(total.dispatches, "dispatch", "dispatches"),
                   quantity(total.stages, "stage"), total.utilization(request.machine.width)));
  if (total.simultaneous_writes > 0) {
    line("lost writes", std::to_string(total.simultaneous_writes), "a lower thread wrote the address in the same step");
  }
  for (const auto& [name, count] : result.counts)
    line(name.c_str(), std::to_string(count), "counted as the paper does");
  for (const auto& [name, list] : result.inputs) {
    const bool drawn = request.list(name) == nullptr;
    fmt::print("--{}={}\n", name, shown(list, drawn ? fmt::format(", drawn by --seed {}", request.seed) : ""));
  }
  for (const auto& [name, list] : result.outputs) fmt::print("{} = {}\n", name, shown(list, ""));
  fmt::print("\n{:<24}{:>14}{:>14}{:>12}{:>12}{:>8}  most stages\n", "phase", "time units", "accesses", "dispatches",
             "stages", "util.");
  for (const PhaseReport& phase : result.report.phases) {
    const Counters& counters = phase.counters;
    fmt::print("{:<24}{:>14}{:>14}{:>12}{:>12}{:>8.3f}  {}\n", phase.name, counters.time_units.count,
               counters.accesses(), counters.dispatches, counters.stages, counters.utilization(request.machine.width),
               counters.histogram.size() - 1);
    for (const SequenceReport& sequence : phase.sequences) {
      fmt::print("  {:<22}{:>14}{:>14}  fragmentation {}, {}\n",
                 sequence.name + (sequence.writes ? " written" : " read"), sequence.time_units.count, sequence.length,
                 sequence.fragmentation, quantity(sequence.sequences, "sequence"));
    }
  }
}

struct TraceFormat {
  std::vector<std::string> endings;
  std::string (*text)(const Recorder& trace, const std::string& title);
};

std::span<const TraceFormat> trace_formats() {
  static const TraceFormat all[] = {
      {{".html"}, trace_html},
      {{".json"}, trace_json},
      {{".csv"}, [](const Recorder& trace, const std::string&) { return trace_csv(trace); }},
  };
  return all;
}

const TraceFormat& trace_format(const std::string& path) {
  if (const auto* format = formats::find_by_ending(trace_formats(), path)) return *format;
  throw Error(ErrorKind::usage, fmt::format("trace '{}' has an unknown ending: {} are accepted", path,
                                            listed(formats::endings_of(trace_formats()), "and")));
}

std::string trace_title(const RunRequest& request, const Algorithm& algorithm) {
  return fmt::format("{} on {}, {}, n = {}, {}", algorithm.name, to_string(request.machine),
                     quantity(request.threads, "thread"), request.n, to_string(request.options.timing));
}

/// The result of a run for the papers' companion: "8,384 time units". If all input is given, also the outputs.
std::string sentence_of(const RunResult& result, bool is_given) {
  const auto written = [](auto number) { return papers::text(papers::counted(""), number); };
  const std::uint64_t units = result.report.total.time_units.count;
  std::string text = written(units) + (units == 1 ? " time unit" : " time units");
  if (result.formula) text += ", formula " + written(*result.formula);
  if (result.bound) text += ", bound " + written(*result.bound);
  text += ", lower bound " + written(result.lower_bound);
  if (result.few_words_lower_bound) {
    text += fmt::format(", for threads that keep O(1) words {}", written(*result.few_words_lower_bound));
  }
  text += fmt::format("; the result is {}", result.correct ? "right" : "WRONG");
  for (const auto& [name, count] : result.counts) text += fmt::format("; {} {}", name, written(count));
  if (!is_given) return text;
  for (const auto& [name, list] : result.outputs) text += fmt::format("; {} = {}", name, shown(list, ""));
  return text;
}

void run_algorithm(const RunArguments& arguments) {
  const Algorithm& algorithm = find_algorithm(arguments.algorithm);
  RunRequest request = request_of(arguments, algorithm);
  Recorder trace(request.machine);
  const TraceFormat* format = arguments.trace.empty() ? nullptr : &trace_format(arguments.trace);
  if (format) request.options.observer = &trace;
  check_outputs({arguments.trace});
  const RunResult result = machine::run(algorithm, request);
  if (format) io::write_file(arguments.trace, format->text(trace, trace_title(request, algorithm)));
  if (arguments.json) return print_json(json_of(request, algorithm, result));
  print_text(request, algorithm, result);
}

std::vector<WarpAccess> accesses_of(const CostArguments& arguments, const Machine& machine) {
  if (arguments.index.empty()) {
    if (arguments.threads) throw Error(ErrorKind::usage, "threads is given without --index: both or none are accepted");
    return read_accesses(io::read_file("-"), "standard input");
  }
  const std::uint32_t threads = arguments.threads.value_or(machine.warp_size());
  validate(machine, threads);
  return indexed_accesses(Expression(arguments.index), threads, machine.width, machine.warp_size());
}

Json json_of(const TracedInstruction& one) {
  return {{"launch", one.launch},
          {"opcode", one.opcode},
          {"space", to_string(one.kind.space)},
          {"bytes", one.kind.bytes},
          {"requests", one.requests},
          {"stages", one.stages},
          {"fewest_stages", one.fewest_stages},
          {"worst",
           {{"stages", one.worst_stages}, {"line", one.worst_line}, {"cta", one.worst.cta}, {"warp", one.worst.warp}}}};
}

void print_trace_text(const KernelTrace& trace) {
  constexpr std::size_t most = 20;
  const auto instructions = trace.instructions();
  fmt::print("{:>8} {:<20} {:<7}{:>6}{:>12}{:>14}{:>14}{:>7}  worst line\n", "launch", "opcode", "space", "bytes",
             "requests", "stages", "fewest", "worst");
  for (std::size_t i = 0; i < std::min(most, instructions.size()); ++i) {
    const TracedInstruction& one = instructions[i];
    fmt::print("{:>8} {:<20} {:<7}{:>6}{:>12}{:>14}{:>14}{:>7}  {}\n", one.launch, one.opcode,
               to_string(one.kind.space), one.kind.bytes, one.requests, one.stages, one.fewest_stages, one.worst_stages,
               one.worst_line);
  }
  if (instructions.size() > most) fmt::print("{} in all; --json prints them\n", instructions.size());
  for (const auto& [opcode, requests] : trace.unknown_opcodes()) {
    fmt::print("{} is left out: {} of an opcode whose memory is unknown\n", opcode,
               quantity(requests, "access", "accesses"));
  }
  fmt::print("{} skipped\n", quantity(trace.other_lines(), "other line"));
}

void print_trace(const CostArguments& arguments) {
  constexpr std::size_t max_pictures = 20;
  if (!arguments.index.empty() || arguments.threads || arguments.bytes || !arguments.gpu.empty() ||
      arguments.machine.is_given()) {
    throw Error(ErrorKind::usage, "--trace says which addresses, bytes and memories: no option for them is accepted");
  }
  require_extension("--output", arguments.output, ".svg");
  check_outputs({arguments.output});
  const KernelTrace trace = trace_of(arguments.trace);
  auto instructions = trace.instructions();
  if (arguments.json) {
    Json list = Json::array();
    for (const TracedInstruction& one : instructions) list.push_back(json_of(one));
    print_json({{"command", "machine cost"},
                {"version", version},
                {"trace", arguments.trace},
                {"instructions", list},
                {"unknown_opcodes", trace.unknown_opcodes()},
                {"other_lines", trace.other_lines()}});
  } else {
    print_trace_text(trace);
  }
  instructions.resize(std::min(instructions.size(), max_pictures));
  if (!arguments.output.empty()) io::write_file(arguments.output, trace_svg(instructions));
}

/// The memory of a GPU that the machine models.
machine::Space space_of(const Machine& machine) {
  for (const auto space : {machine::Space::shared, machine::Space::global}) {
    const Machine model = machine_of(space);
    if (machine.kind == model.kind && machine.width == model.width && machine.warp_size() == model.warp) return space;
  }
  throw Error(ErrorKind::usage, fmt::format("the {} is no memory of a GPU: --machine dmm --width 32 or --machine umm "
                                            "--warp 32 --width 8 is accepted with --gpu",
                                            to_string(machine)));
}

std::optional<double> nanoseconds_of(const CostArguments& arguments, const Machine& machine, std::uint32_t bytes,
                                     const StepCost& cost) {
  if (arguments.gpu.empty()) return std::nullopt;
  std::uint64_t stages = 0;
  for (const WarpCost& warp : cost.warps) stages += warp.stages;
  return nanoseconds_on(arguments.gpu, space_of(machine), bytes, stages);
}

void print_cost(const CostArguments& arguments) {
  if (!arguments.trace.empty()) return print_trace(arguments);
  const Machine machine = arguments.machine.resolve(Kind::umm);
  validate(machine, machine.warp_size());
  require_extension("--output", arguments.output, ".svg");
  check_outputs({arguments.output});
  const std::uint32_t bytes = arguments.bytes.value_or(4);
  const StepCost cost = step_cost(machine, accesses_of(arguments, machine), bytes);
  if (!arguments.output.empty()) io::write_file(arguments.output, cost_svg(machine, cost));
  const std::optional<double> nanoseconds = nanoseconds_of(arguments, machine, bytes, cost);
  Json stages = Json::array(), conflicts = Json::array();
  std::uint64_t total = 0;
  for (const WarpCost& warp : cost.warps) {
    stages.push_back(warp.stages);
    conflicts.push_back(warp.stages > 0 ? warp.stages - 1 : 0);
    total += warp.stages;
  }
  if (arguments.json) {
    Json object = {{"command", "machine cost"},
                   {"version", version},
                   {"machine", to_string(machine.kind)},
                   {"width", machine.width},
                   {"warp", machine.warp_size()},
                   {"latency", machine.latency},
                   {"bytes", bytes},
                   {"stages", stages},
                   {"conflicts", conflicts},
                   {"time_units", cost.time_units.count}};
    if (nanoseconds) object["nanoseconds"] = *nanoseconds;
    return print_json(object);
  }
  fmt::print("{}{}: {}, {} + {} - 1 = {}\n", cost_text(machine, cost), to_string(machine),
             quantity(cost.warps.size(), "warp"), quantity(total, "stage"), machine.latency,
             quantity(cost.time_units.count, "time unit"));
  if (nanoseconds) fmt::print("{:.1f} ns on {}\n", *nanoseconds, arguments.gpu);
}

/// The meanings of an option, with their algorithms.
using Meanings = std::map<std::string, std::vector<std::string_view>>;

std::string text_of(const Meanings& meanings) {
  std::vector<std::string> texts;
  for (const auto& [meaning, names] : meanings) texts.push_back(fmt::format("{}: {}", fmt::join(names, ", "), meaning));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// `then` gets the parsed arguments.
void add_run(Command command, const std::function<void(const RunArguments&)>& then) {
  const Command run = command.add_command("run", "an algorithm's run, and its time units");
  run.examples("warpfold machine run contiguous -n 4096 --machine umm --width 32 --latency 400",
               "warpfold machine run sum -n 1024 --machine dmm --trace trace.html");
  auto arguments = std::make_shared<RunArguments>();
  run.option("ALGORITHM", arguments->algorithm, "algorithm, as `warpfold machine list` names it").required();
  const Command solving = run.in(Group::solving);
  add_machine_options(solving, arguments->machine);
  solving.number("--multiprocessors", arguments->machine.multiprocessors, "number of the hmm's multiprocessors");
  solving.number("--shared-latency", arguments->machine.shared_latency,
                 "time units of an access to the hmm's shared memories");
  solving.number("--threads", arguments->threads, "number of threads in all");
  run.number("-n", arguments->n, fmt::format("size of the problem; default: that of the lists, or {}", usual_size));
  solving.option("--timing", arguments->timing, "how steps follow each other").takes("lockstep|pipelined");
  run.number("--seed", arguments->seed, "seed of the lists that are drawn");
  add_limits(run);
  solving.flag("--as-printed", arguments->as_printed, "the paper's form, where it differs from the right one");
  solving.flag("--exclusive", arguments->exclusive, "an error where two threads write an address at once");
  const Command output = run.in(Group::output);
  output.option("--trace", arguments->trace, "file for every access: .html (a page that shows it), .json or .csv")
      .takes("FILE");
  output.flag("--json", arguments->json, json_help);
  std::map<std::string, Meanings> parameters, lists;
  std::set<std::string_view> operations;
  for (const Algorithm& algorithm : algorithms()) {
    for (const Parameter& parameter : algorithm.parameters) {
      parameters[std::string(parameter.name)][std::string(parameter.description)].push_back(algorithm.name);
    }
    for (const List& list : algorithm.lists) {
      lists[std::string(list.name)][described(list)].push_back(algorithm.name);
    }
    operations.insert(algorithm.operations.begin(), algorithm.operations.end());
  }
  for (const auto& [name, meanings] : parameters) {
    run.number("--" + name, arguments->parameters[name], text_of(meanings));
  }
  for (const auto& [name, meanings] : lists) {
    run.option("--" + name, arguments->lists[name], text_of(meanings)).takes("LIST|FILE");
  }
  run.option("--op", arguments->operation,
             "operation that joins the terms of an sdp algorithm, or the words of sum; default: the sum, modulo 2^64")
      .takes(fmt::format("{}", fmt::join(operations, "|")));
  run.runs([arguments, then] { then(*arguments); });
}

void add_cost(Command command) {
  const Command cost = command.add_command("cost", "stages of one step, from the addresses of its threads");
  cost.examples("echo 'R 0 32 64 96' | warpfold machine cost --machine dmm",
                "warpfold machine cost --index 'i*33 % 1024' -o cost.svg");
  auto arguments = std::make_shared<CostArguments>();
  cost.option("--index", arguments->index,
              "formula of thread i's address, such as 'i*33 % 1024'; default: standard input, a warp's access a line: "
              "R 0 32 64 ..")
      .takes("FORMULA");
  cost.option("--trace", arguments->trace,
              "accesses of a kernel, as NVBit's tool mem_trace prints them; - is standard input")
      .takes("FILE");
  cost.option("--gpu", arguments->gpu, "GPU whose recorded times give nanoseconds, such as h100").takes("NAME");
  cost.number("--threads", arguments->threads, "number of threads of --index; default: one warp");
  cost.number("--bytes", arguments->bytes, "bytes of an access by the rule of GPUs: 1, 2, 4, 8 or 16; default: 4");
  add_machine_options(cost.in(Group::solving), arguments->machine);
  const Command output = cost.in(Group::output);
  output.option("-o,--output", arguments->output, ".svg file for a picture").takes("FILE");
  output.flag("--json", arguments->json, json_help);
  add_limits(cost);
  cost.runs([arguments] { print_cost(*arguments); });
}

}  // namespace

void add_machine(Command command) {
  command.requires_command();
  const Command list_command = command.add_command("list", "algorithms, each with a sentence and its source");
  list_command.examples("warpfold machine list", "warpfold machine list --json");
  auto json = std::make_shared<bool>(false);
  list_command.in(Group::output).flag("--json", *json, json_help);
  list_command.runs([json] { list(*json); });
  add_run(command, run_algorithm);
  add_cost(command);
  add_predict(command);
  add_machine_play(command);
}

std::string machine_run_sentence(const std::string& line) {
  std::string sentence;
  const Program program("warpfold", "");
  add_run(program.command().add_command("machine", ""), [&](const RunArguments& arguments) {
    const Algorithm& algorithm = find_algorithm(arguments.algorithm);
    const RunRequest request = request_of(arguments, algorithm);
    const bool is_given = request.lists.size() == algorithm.lists.size();
    sentence = sentence_of(machine::run(algorithm, request), is_given);
  });
  std::istringstream words(line);
  program.run({std::istream_iterator<std::string>(words), {}});
  return sentence;
}

}  // namespace warpfold::app
