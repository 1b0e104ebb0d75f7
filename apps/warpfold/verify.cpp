#include "verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/listed.hpp"
#include "io/printable.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

constexpr const char* of_another_kind = "a key's value is of another kind than the command prints";

struct VerifyOptions {
  Files files;  ///< the files of the instance, then the solution
  bool json = false;
  bool optimal = false;
  int threads = 0;
  std::optional<double> time_limit_seconds;
  std::optional<std::string> max_memory;

  [[nodiscard]] Files instance() const { return {files.begin(), files.end() - 1}; }
  [[nodiscard]] const std::string& solution() const { return files.back(); }
};

/// The names of the commands whose entries satisfy `has`.
template <class Has>
std::vector<std::string> names_where(const Has& has) {
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands()) {
    if (has(entry)) names.push_back(entry.name);
  }
  return names;
}

/// How many files an instance has.
std::string files_text(const CommandEntry& entry) {
  return entry.max_files == 1 ? "one file" : fmt::format("up to {} files", entry.max_files);
}

/// The command that printed the solution.
const CommandEntry& command_of(const VerifyOptions& options, const Json& solution) {
  const bool named = solution.is_object() && solution.contains("command") && solution["command"].is_string();
  const std::string name = named ? solution["command"].get<std::string>() : "";
  if (!named && solution.is_object() && solution.contains("command")) {
    throw Error(ErrorKind::input, fmt::format("{}: 'command' is {}: a text is accepted", options.solution(),
                                              io::printable(json_text(solution["command"]))));
  }
  for (const CommandEntry& entry : commands()) {
    if (!entry.verify || entry.name != name) continue;
    if (options.instance().size() <= entry.max_files) return entry;
    throw Error(ErrorKind::usage, fmt::format("{} files: an instance of {}, {}, and its solution are accepted",
                                              options.files.size(), name, files_text(entry)));
  }
  const auto names = names_where([](const CommandEntry& entry) { return entry.verify != nullptr; });
  throw Error(ErrorKind::input, fmt::format("{}: 'command' is '{}': a solution of {} is accepted", options.solution(),
                                            io::printable(name), fmt::join(names, ", ")));
}

Verdict verdict_of(const CommandEntry& command, const VerifyOptions& options, const Json& solution,
                   const Options& limits) {
  try {
    return command.verify(options.instance(), solution, limits);
  } catch (const Json::out_of_range&) {  // an index of a list
    return infeasible("an entry is missing: what the command prints with --json is accepted");
  } catch (const Json::exception&) {
    return infeasible(of_another_kind);
  } catch (const MalformedSolution& error) {
    return infeasible(error.what());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;  // the solution names an algorithm that does not exist
    return infeasible(error.what());
  }
}

/// Whether the solution is optimal: true, false or "not checked", and why.
struct Optimality {
  Json found = "not checked";
  std::string reason = "";
};

Optimality optimality_of(const CommandEntry& command, const VerifyOptions& options, const Json& solution,
                         const Verdict& verdict, const Options& limits) {
  if (!command.optimum) {
    if (verdict.is_optimal) return {true};
    return {"not checked", verdict.is_complete() ? "too much would have to be computed anew" : verdict.unchecked};
  }
  try {
    const Json cost = command.optimum(options.instance(), solution, limits);
    if (is_same_cost(value_at(solution, "cost"), cost, text_at(solution, "dtype"))) return {true};
    return {false,
            fmt::format("the cost is {}, an optimum's {}", json_text(value_at(solution, "cost")), json_text(cost))};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return {"not checked", error.what()};
  }
}

Json json_of(const Verdict& verdict, const Optimality& optimality) {
  Json object = {{"command", "verify"},
                 {"valid", !verdict.violation},
                 {"feasible", verdict.is_feasible},
                 {"cost_right", !verdict.violation},
                 {"optimal", optimality.found},
                 {"peak_bytes", peak_bytes()},
                 {"version", version}};
  if (verdict.violation) object["violation"] = *verdict.violation;
  if (verdict && !verdict.is_complete()) object["unchecked"] = verdict.unchecked;
  if (verdict && !optimality.reason.empty()) object["reason"] = optimality.reason;
  if (verdict.rows > 0) object["rows_checked"] = verdict.rows_checked;
  return object;
}

void print_verdict(const VerifyOptions& options, const Verdict& verdict, const Optimality& optimality) {
  if (options.json) return print_json(json_of(verdict, optimality));
  if (!verdict || optimality.found == false || (options.optimal && optimality.found != true)) return;
  fmt::print("valid{}{}\n", optimality.found == true ? ", optimal" : "",
             verdict.is_complete() ? "" : fmt::format(" (unchecked: {})", verdict.unchecked));
}

Options limits_of(const VerifyOptions& options) {
  if (options.max_memory) limit_memory(parse_size("--max-memory", *options.max_memory));
  SolveOptions solve;
  solve.threads = options.threads;
  solve.quiet = true;
  Options limits = solve.resolve();
  // time to print the verdict after a solver has stopped at the deadline
  constexpr auto for_the_verdict = std::chrono::milliseconds(500);
  if (options.time_limit_seconds) limits.deadline = begin_time_limit(*options.time_limit_seconds, for_the_verdict);
  return limits;
}

/// Prints the verdict, and raises an error if it is not what was asked for.
void end_with(const VerifyOptions& options, const Verdict& verdict, const Optimality& optimality) {
  print_verdict(options, verdict, optimality);
  if (!verdict) throw Error(ErrorKind::input, fmt::format("{}: {}", options.solution(), *verdict.violation));
  if (optimality.found == false) {
    throw Error(ErrorKind::input, fmt::format("{}: is not optimal: {}", options.solution(), optimality.reason));
  }
  if (options.optimal && optimality.found != true) {
    throw Error(ErrorKind::time_limit, fmt::format("{}: is valid, but it was not checked whether it is optimal: {}",
                                                   options.solution(), optimality.reason));
  }
}

void run_on_patch(const VerifyOptions& options, const Options& limits) {
  const Verdict verdict = verify_patch(options.instance(), options.solution(), limits);
  Optimality optimality;
  if (options.optimal && verdict) {
    optimality = {verdict.is_optimal, verdict.is_optimal ? "" : "another patch deletes and inserts fewer lines"};
  }
  end_with(options, verdict, optimality);
}

void run_on_structures(const VerifyOptions& options, const Options& limits) {
  const Verdict verdict = verify_structures(options.instance(), options.solution(), options.optimal, limits);
  Optimality optimality;
  if (options.optimal && verdict) {
    optimality = {verdict.is_optimal,
                  verdict.is_optimal ? "" : "another structure has less energy, without constraints at 37 degrees"};
  }
  end_with(options, verdict, optimality);
}

/// Parses a solution. The message of a file that is no JSON by its name says what the last file should be.
Json parsed(const std::string& path, const std::string& text) try {
  return io::parse_json(path, text);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::input || io::unpacked_extension(path) == ".json") throw;
  throw Error(ErrorKind::input, fmt::format("{}; the last file is the solution: .json, .patch, or of RNA .db, .ct or "
                                            ".bpseq is accepted",
                                            error.what()));
}

void run(const VerifyOptions& options) {
  const Options limits = limits_of(options);
  if (is_rna_structure_file(options.solution())) return run_on_structures(options, limits);
  if (io::extension(options.solution()) == ".patch") return run_on_patch(options, limits);
  const std::string text = io::read_file(options.solution());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(ErrorKind::input, fmt::format("{}: the solution is empty: what a command printed with --json, or wrote "
                                              "as .json, is accepted",
                                              options.solution()));
  }
  Json solution = parsed(options.solution(), text);
  const CommandEntry& command = command_of(options, solution);
  if (command.has_decimals) solution = io::parse_json(options.solution(), text, {.keeps_decimals = true});
  const Verdict verdict = verdict_of(command, options, solution, limits);
  Optimality optimality;
  if (options.optimal && verdict) optimality = optimality_of(command, options, solution, verdict, limits);
  end_with(options, verdict, optimality);
}

/// Whether a value has the type that the key has in every solution.
bool is_number(const Json& value) {
  if (value.is_number()) return value >= 0;
  const auto decimal = io::json_decimal(value);
  return decimal && decimal->digits >= 0;
}

Violation find_seconds_violation(const Json& seconds) {
  for (const char* key : {"read", "prepare", "solve", "traceback", "total"}) {
    if (!seconds.is_object() || !seconds.contains(key) || !is_number(seconds.at(key))) {
      return fmt::format("'seconds' has no number of 0 or more as '{}'", key);
    }
  }
  return std::nullopt;
}

}  // namespace

void add_verify(Command command) {
  command.examples("warpfold verify outline.geojson solution.json",
                   "warpfold verify outline.geojson solution.json --optimal --json");
  auto options = std::make_shared<VerifyOptions>();
  const auto of_two = names_where([](const CommandEntry& entry) { return entry.max_files == 2; });
  const auto of_three = names_where([](const CommandEntry& entry) { return entry.max_files == 3; });
  command
      .option(
          "FILES", options->files,
          fmt::format("instance (one file, for {} up to two, for {} up to three), then the solution as JSON, which the "
                      "command printed or wrote, or as .patch; of RNA sequences also structures as .db, .ct or .bpseq, "
                      "with a file of energies before the solution or none",
                      listed(of_two, "and"), listed(of_three, "and")))
      .required()
      .expected(2, 4);
  command.in(Group::output).flag("--json", options->json, json_help);
  const Command solving = command.in(Group::solving);
  solving.flag("--optimal", options->optimal, "a second solve by another algorithm, which tells whether it is optimal");
  solving.number("--threads", options->threads, threads_help, 0);
  add_limit_options(command.in(Group::limits), options->time_limit_seconds, options->max_memory);
  command.runs([options] { run(*options); });
}

Violation find_run_violation(const Json& solution, std::size_t n, const char* solved) {
  const Json exact = solution.value("exact", Json(true));
  if (!exact.is_boolean()) return fmt::format("'exact' is {}: true or false is accepted", json_text(exact));
  const char* status = exact == true ? solved : "rounded";
  if (value_at(solution, "status") != status) {
    return fmt::format("'status' is {}: \"{}\" is accepted", json_text(value_at(solution, "status")), status);
  }
  if (io::integer_digits(value_at(solution, "n")) != std::to_string(n)) {
    return fmt::format("'n' is {}, the instance has {}", json_text(value_at(solution, "n")), n);
  }
  for (const char* key : {"dtype", "device", "algorithm", "version"}) {
    static_cast<void>(text_at(solution, key));
  }
  for (const auto& [key, least] : {std::pair{"threads", 1}, {"peak_bytes", 0}}) {
    const Json& count = value_at(solution, key);
    if (io::integer_digits(count) && count >= least) continue;
    return fmt::format("'{}' is {}: an integer from {} on is accepted", key, json_text(count), least);
  }
  return find_seconds_violation(value_at(solution, "seconds"));
}

const Json& value_at(const Json& object, const char* key) {
  if (!object.is_object()) throw MalformedSolution(of_another_kind);
  const auto found = object.find(key);
  if (found != object.end()) return *found;
  throw MalformedSolution(fmt::format("key '{}' is missing: what the command prints with --json is accepted", key));
}

const Json& list_at(const Json& solution, const char* key) {
  const Json& value = value_at(solution, key);
  if (value.is_array()) return value;
  throw MalformedSolution(fmt::format("'{}' is {}: a list is accepted", key, json_text(value).substr(0, 60)));
}

std::string text_at(const Json& solution, const char* key) {
  const Json& value = value_at(solution, key);
  if (value.is_string()) return value.get<std::string>();
  throw MalformedSolution(fmt::format("'{}' is {}: a text is accepted", key, json_text(value).substr(0, 60)));
}

bool truth_at(const Json& solution, const char* key, bool otherwise) {
  if (!solution.contains(key)) return otherwise;
  const Json& value = value_at(solution, key);
  if (value.is_boolean()) return value.get<bool>();
  throw MalformedSolution(fmt::format("'{}' is {}: true or false is accepted", key, json_text(value).substr(0, 60)));
}

std::optional<io::Number> stated_no_edge(const Json& solution) try {
  if (!solution.contains("no_edge")) return std::nullopt;
  return parse_no_edge(text_at(solution, "no_edge"));
} catch (const Error& error) {
  throw MalformedSolution(fmt::format("'no_edge': {}", error.what()));
}

std::int64_t units(const Json& value, int places) {
  if (places == 0) return integer<std::int64_t>(value);
  const auto number = io::json_decimal(value);
  const auto units = number ? io::in_units(*number, places) : std::nullopt;
  if (units) return *units;
  throw MalformedSolution(
      fmt::format("{} is no number of up to {} decimal places", json_text(value).substr(0, 60), places));
}

std::string integer_text(const Json& value) {
  if (auto digits = io::integer_digits(value)) return *std::move(digits);
  throw MalformedSolution(fmt::format("{} is no integer", json_text(value).substr(0, 60)));
}

std::array<std::uint32_t, 3> triple(const Json& value) {
  const std::vector<std::uint32_t> list = integers<std::uint32_t>(value);
  if (list.size() != 3) throw MalformedSolution(fmt::format("{} is no list of three indices", json_text(value)));
  return {list[0], list[1], list[2]};
}

bool is_same_cost(const Json& stated, const Json& cost, const std::string& dtype) {
  if (const auto digits = io::integer_digits(cost); digits && io::integer_digits(stated)) {
    return digits == io::integer_digits(stated);
  }
  if (stated.is_null() || cost.is_null()) return stated == cost;
  if (dtype == "i64" || dtype == "i32") return io::json_decimal(stated) == io::json_decimal(cost);
  if (!stated.is_number() || !cost.is_number()) return stated == cost;
  const double unit = dtype == "f32" ? 1e-4 : 1e-9;
  const auto a = stated.get<double>(), b = cost.get<double>();
  return std::abs(a - b) <= unit * std::max({1e-300, std::abs(a), std::abs(b)});
}

}  // namespace warpfold::app
