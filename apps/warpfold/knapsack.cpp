#include <fmt/format.h>

#include <fstream>
#include <limits>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "knapsack_input.hpp"
#include "outputs.hpp"
#include "papers/papers.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::app {

using io::with_file_context;

std::vector<AlgorithmInfo> knapsack_algorithms() {
  return with_papers(knapsack::algorithms(), papers::packing_backends());
}

namespace {

constexpr std::int64_t printable_capacity = 1000;

struct KnapsackOptions {
  SolveOptions solve;
  std::vector<std::string> input;
  std::optional<std::string> capacity;
  std::string format;
  std::string kind;
  std::optional<std::int64_t> instance;
  bool every_capacity = false;
  bool value_only = false;
  std::string generate;
  knapsack::Generator generator;

  [[nodiscard]] std::string place() const { return names_of_files(input); }
};

/// Only the algorithms that fill tables have a choice of number type.
void check_dtype(const KnapsackOptions& options) {
  if (options.solve.dtype.empty()) return;
  app::check_dtype(options.solve.dtype, {"i32", "i64"});
  const std::string& algorithm = options.solve.algorithm;
  const bool on_gpu = parse_device(options.solve.device).kind == Device::Kind::cuda;
  const bool by_table = options.every_capacity || (algorithm.empty() ? on_gpu : algorithm != "core");
  if (options.solve.dtype == "i64" || (by_table && algorithm != "reference")) return;
  throw Error(ErrorKind::usage,
              "--dtype i32 is accepted with -a table or --every-capacity: other algorithms count in i64");
}

/// The problem of an instance. Messages name the file.
knapsack::Problem named_problem(const KnapsackOptions& options, const formats::KnapsackInstance& instance) {
  parse_kind(options.kind);  // an error in it does not name the file
  return with_file_context(options.place(), [&] { return problem_of(instance, options.kind); });
}

/// The keys of one instance.
Json solution_json(const formats::KnapsackInstance& instance, const knapsack::Problem& problem,
                   const knapsack::Solution& solution, bool items) {
  Json object = {{"value", amount_json(solution.value, instance.value_places)}};
  if (items) {
    object["weight"] = amount_json(solution.weight, instance.weight_places);
    object["items"] = Json::array();
    Json copies = Json::array();
    for (std::size_t i = 0; i < solution.copies.size(); ++i) {
      if (solution.copies[i] == 0) continue;
      object["items"].push_back(i);
      copies.push_back(solution.copies[i]);
    }
    if (problem.kind() != knapsack::Kind::zero_one) object["copies"] = std::move(copies);
  }
  object["capacity"] = amount_json(problem.capacity(), instance.weight_places);
  object["kind"] = kind_name(problem.kind());
  object["reason"] = solution.reason;
  return object;
}

/// If the file states a best value, it must be equal to ours, because both are exact.
void compare_with_file(const std::string& path, const formats::KnapsackInstance& instance, std::int64_t value) {
  if (!instance.best || *instance.best == value) return;
  throw Error(ErrorKind::input, fmt::format("{}: instance '{}' claims z = {}, the best value is {}", path,
                                            instance.name, amount_text(*instance.best, instance.value_places),
                                            amount_text(value, instance.value_places)));
}

/// Solves one instance of a file. Prints its result for people at once, and returns its keys.
Json solve_instance(const KnapsackOptions& options, const formats::KnapsackInstance& instance, const Options& limits,
                    Summary& summary) {
  const knapsack::Request request{!options.value_only, options.solve.dtype};
  const knapsack::Problem problem = named_problem(options, instance);
  const auto [solution, report] = knapsack::solve(problem, limits, request, papers::packing_backends());
  compare_with_file(options.place(), instance, solution.value);
  const double solve_seconds = summary.report.solve_seconds + report.solve_seconds;
  const std::size_t peak_bytes = std::max(summary.report.peak_bytes, report.peak_bytes);
  summary.report = report;
  summary.report.solve_seconds = solve_seconds;
  summary.report.peak_bytes = peak_bytes;
  summary.n += problem.items().size();
  summary.dtype = solution.dtype;
  summary.cost = amount_json(solution.value, instance.value_places);
  Json object = solution_json(instance, problem, solution, request.items);
  if (!options.solve.quiet && !options.solve.json) {
    fmt::print("{}{}, capacity {}: value {}", instance.name.empty() ? "" : instance.name + ": ",
               quantity(problem.items().size(), "item"), amount_text(problem.capacity(), instance.weight_places),
               amount_text(solution.value, instance.value_places));
    if (request.items) {
      fmt::print(", weight {}, {} packed", amount_text(solution.weight, instance.weight_places),
                 quantity(object["items"].size(), "item"));
    }
    fmt::print(" ({}, {:.3g} s: {})\n", report.algorithm, report.solve_seconds, solution.reason);
  }
  return object;
}

void solve_instances(const KnapsackOptions& options, const std::vector<formats::KnapsackInstance>& instances,
                     const Options& limits, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  Summary summary{.command = "knapsack"};
  Json list = Json::array();
  for (const formats::KnapsackInstance& instance : instances) {
    Json object = solve_instance(options, instance, limits, summary);
    if (instances.size() > 1) {
      object["name"] = instance.name;
      object["algorithm"] = summary.report.algorithm;
    }
    list.push_back(std::move(object));
  }
  summary.of(Report(summary.report), read_seconds, total);
  if (instances.size() > 1) summary.cost = nullptr;
  Json object = common_keys(summary);
  if (instances.size() > 1) {
    object["instances"] = std::move(list);
  } else {
    object.update(list[0]);
    if (options.instance) object["instance"] = *options.instance;
  }
  finish(options.solve, std::move(object), [] {});
}

/// Integers, or floats where values have fractions.
void write_best_values(const std::string& path, const std::vector<std::int64_t>& values, int places) {
  if (places == 0) return io::write_npy<std::int64_t>(path, values, {values.size()});
  std::vector<double> amounts;
  for (const std::int64_t value : values) amounts.push_back(std::stod(amount_text(value, places)));
  io::write_npy<double>(path, amounts, {amounts.size()});
}

void solve_every_capacity(const KnapsackOptions& options, const formats::KnapsackInstance& instance,
                          const Options& limits, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  const knapsack::Problem problem = named_problem(options, instance);
  if (options.solve.output.empty() && (!options.solve.json || problem.capacity() > printable_capacity)) {
    throw Error(ErrorKind::usage, fmt::format("--every-capacity finds {}: -o FILE.npy is needed, or --json up to "
                                              "capacity {}",
                                              quantity(problem.capacity() + 1, "value"), printable_capacity));
  }
  Summary summary{.command = "knapsack", .n = problem.items().size()};
  const auto [table, report] =
      knapsack::every_capacity(problem, limits, {false, options.solve.dtype}, papers::capacity_backends());
  const std::vector<std::int64_t>& values = table.values;
  const auto amount = [&](std::int64_t value) { return amount_json(value, instance.value_places); };
  if (!options.solve.output.empty()) write_best_values(options.solve.output, values, instance.value_places);
  summary.cost = amount(values.back());
  summary.dtype = "i64";
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  object["value"] = amount(values.back());
  object["capacity"] = amount_json(problem.capacity(), instance.weight_places);
  object["kind"] = kind_name(problem.kind());
  if (problem.capacity() <= printable_capacity) {
    object["values"] = Json::array();
    for (const std::int64_t value : values) object["values"].push_back(amount(value));
  }
  finish(options.solve, std::move(object), [&] {
    fmt::print("capacities 0 .. {} ({}, {:.3g} s), the last: value {}\n",
               amount_text(problem.capacity(), instance.weight_places), summary.report.algorithm,
               summary.report.solve_seconds, amount_text(values.back(), instance.value_places));
  });
}

void print_estimate(const KnapsackOptions& options, const formats::KnapsackInstance& instance, const Options& limits,
                    const Stopwatch& total) {
  const knapsack::Problem problem = named_problem(options, instance);
  const Spent before = spent(total);
  const std::size_t n = problem.items().size();
  const knapsack::Request request{!options.value_only && !options.every_capacity, options.solve.dtype};
  Expected expected{.command = "knapsack", .n = n};
  if (options.every_capacity) {
    expected.solve = knapsack::estimate_every_capacity(problem, limits, request, papers::capacity_backends());
    const std::size_t values = static_cast<std::size_t>(problem.capacity()) + 1;
    expected.file_bytes = options.solve.output.empty() ? 0 : values * sizeof(std::int64_t);
  } else {
    expected.solve = knapsack::estimate(problem, limits, request, papers::packing_backends());
    JsonSize json;
    if (request.items) json.add_list(n, 0, n);
    expected.after_bytes = n * sizeof(std::int64_t) + json.bytes();
  }
  print_estimate(options.solve, before, expected);
}

Json generated_json(const KnapsackOptions& options, const knapsack::Generator& generator,
                    const knapsack::Problem& problem) {
  Json object = {{"command", "knapsack"},          {"status", "generated"},    {"n", problem.items().size()},
                 {"class", generator.name},        {"range", generator.range}, {"seed", generator.seed},
                 {"capacity", problem.capacity()}, {"version", version}};
  if (!options.solve.output.empty()) {
    object["output"] = options.solve.output;
    return object;
  }
  for (const knapsack::Item& item : problem.items()) {
    object["values"].push_back(item.value);
    object["weights"].push_back(item.weight);
  }
  return object;
}

/// Writes an instance instead of solving one. The pisinger format includes the solution.
void generate(const KnapsackOptions& options, const Options& limits) {
  knapsack::Generator generator = options.generator;
  generator.name = options.generate;
  generator.seed = options.solve.seed;
  const knapsack::Problem problem = knapsack::generate(generator);
  formats::KnapsackInstance instance;
  instance.name = fmt::format("{}_{}_{}_{}", generator.name, generator.n, generator.range, generator.series);
  instance.capacity = problem.capacity();
  for (const knapsack::Item& item : problem.items()) instance.items.push_back({item.value, item.weight, 1});
  const std::string format = options.format.empty() ? "standard" : options.format;
  if (format == "pisinger") {
    const knapsack::Solution solution = knapsack::solve(problem, limits, {}, papers::packing_backends()).solution;
    instance.best = solution.value;
    instance.best_packing.emplace(solution.copies.begin(), solution.copies.end());
  }
  const bool to_file = !options.solve.output.empty() && options.solve.output != "-";
  if (to_file) io::write_file(options.solve.output, formats::format_knapsack(instance, format));
  if (options.solve.json) return print_json(generated_json(options, generator, problem));
  if (!to_file) fmt::print("{}", formats::format_knapsack(instance, format));
}

void run(const KnapsackOptions& options) {
  const Stopwatch total;
  check_dtype(options);
  check_algorithm(options.solve, knapsack_algorithms());
  if (!options.generate.empty()) {
    if (options.solve.estimate) throw Error(ErrorKind::usage, "--generate solves nothing: no --estimate is accepted");
    return generate(options, options.solve.resolve());
  }
  if (options.input.empty()) throw Error(ErrorKind::usage, "an instance file is needed, or --generate CLASS");
  require_extension("--output", options.solve.output, options.every_capacity ? ".npy" : ".json",
                    options.every_capacity ? "" : " (with --every-capacity in .npy)");
  if (options.capacity && options.capacity->starts_with('-')) {
    throw Error(ErrorKind::usage, fmt::format("--capacity is {}: 0 or more is accepted", *options.capacity));
  }
  std::vector<formats::KnapsackInstance> instances = read_instances(options.input, options.format, options.capacity);
  if (options.instance) {
    instances = {chosen_instance(options.place(), instances, *options.instance)};
  } else if (instances.size() > 1 && (options.every_capacity || options.solve.estimate)) {
    throw Error(ErrorKind::usage, fmt::format("{}: {} instances in one file: --instance 0 .. {} is needed here",
                                              options.place(), instances.size(), instances.size() - 1));
  }
  const Options limits = options.solve.resolve();  // after reading the file, whose memory counts
  if (options.solve.estimate) return print_estimate(options, instances[0], limits, total);
  if (options.every_capacity) return solve_every_capacity(options, instances[0], limits, total);
  solve_instances(options, instances, limits, total);
}

}  // namespace

void add_knapsack(Command command) {
  command.examples("warpfold knapsack items.txt --json",
                   "warpfold knapsack --generate circle --items 100 -o circle.txt");
  auto options = std::make_shared<KnapsackOptions>();
  const Argument input =
      command
          .option("INPUT", options->input,
                  "instance file: a line `n capacity`, then a line `value weight` or `value weight copies` for each "
                  "item; CSV with a line of names, `value,weight`; JSON, {\"capacity\": 50, \"values\": [60, 100], "
                  "\"weights\": [10, 20]}; pisinger, kplib or jooken. All instances of a pisinger file are solved. Two "
                  "files: weights and values; three: capacity, weights and values")
          .expected(0, 3);
  const Argument capacity =
      command.option("--capacity", options->capacity, "capacity, for a file that states none").takes("NUMBER");
  command.option("--format", options->format, "file format; default: detected").takes(knapsack_format_names());
  const Argument kind =
      command
          .option("--kind", options->kind, "kind of items; default: bounded where a third column has copies, else 0-1")
          .takes("0-1|bounded|unbounded");
  const Argument instance =
      command.number("--instance", options->instance, "index of one instance of the file, from 0; default: all");
  const Command output = command.in(Group::output);
  const Argument every = output.flag("--every-capacity", options->every_capacity,
                                     "best value for every capacity from 0 to the instance's, into FILE.npy");
  const Argument value =
      output.flag("--value-only", options->value_only, "best value without its items").excludes(every);
  const Argument generate = command.option("--generate", options->generate, "class of an instance to write, unsolved")
                                .takes(fmt::format("{}", fmt::join(knapsack::generator_classes(), "|")));
  for (const Argument& solving : {input, capacity, kind, instance, every, value}) generate.excludes(solving);
  knapsack::Generator& generator = options->generator;
  command.number("--items", generator.n, "number of items to generate", 1, 100'000'000).needs(generate);
  command.number("--range", generator.range, "largest coefficient to generate").needs(generate);
  command.number("--series", generator.series, "number I of the instance in its series").needs(generate);
  command
      .number("--series-length", generator.series_length,
              "length L of the series; the capacity is I / (L + 1) of all weight")
      .needs(generate);
  command.number("--seed", options->solve.seed, "seed of the generated instance").needs(generate);
  add_solve_options(command, options->solve, ".json, with --every-capacity .npy", "i32|i64");
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
