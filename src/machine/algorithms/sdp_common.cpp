#include "machine/algorithms/sdp_common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

constexpr std::uint32_t largest_offset = 1u << 24;

struct Operation {
  std::string_view name;
  Value (*combine)(Value, Value);
};

constexpr Operation operations[] = {
    {"sum", [](Value a, Value b) { return static_cast<Value>(static_cast<Word>(a) + static_cast<Word>(b)); }},
    {"min", [](Value a, Value b) { return std::min(a, b); }},
    {"max", [](Value a, Value b) { return std::max(a, b); }},
    {"xor", [](Value a, Value b) { return a ^ b; }},
};

Value (*find_operation(const std::string& name))(Value, Value) {
  const auto* found = std::ranges::find(operations, name, &Operation::name);
  return (found == std::end(operations) ? operations : found)->combine;
}

/// The table, filled by the definition.
std::vector<Value> sdp_solution(const SdpProblem& problem) {
  std::vector<Value> table = problem.table;
  for (std::uint64_t i = problem.first(); i < problem.n; ++i) {
    table[i] = table[i - problem.first()];
    for (std::uint64_t j = 1; j < problem.terms(); ++j) {
      table[i] = problem.combine(table[i], table[i - problem.offsets[j]]);
    }
  }
  return table;
}

/// Returns the parameter as an offset or a number of offsets.
std::uint32_t small_parameter(const RunRequest& request, const char* name, std::uint64_t otherwise) {
  const std::uint64_t value = request.parameter(name, otherwise);
  accept_parameter(value >= 1 && value <= largest_offset, name, value, "1 to 2^24");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

SdpProblem sdp_problem(const RunRequest& request) {
  std::mt19937_64 random(request.seed);
  SdpProblem problem{request.n, {}, {}, find_operation(request.operation)};
  if (const auto* offsets = request.list("offsets")) {
    problem.offsets.assign(offsets->begin(), offsets->end());
    check_offsets(problem.offsets);
  } else {
    const std::uint32_t terms = small_parameter(request, "terms", 4);
    const std::uint32_t smallest = small_parameter(request, "smallest", 1);
    const std::uint32_t largest = small_parameter(request, "largest", smallest + 2 * terms - 1);
    problem.offsets = random_offsets(terms, smallest, largest, random);
  }
  if (problem.n <= problem.first()) {
    throw Error(ErrorKind::usage,
                fmt::format("n is {}: more than the largest offset, {}, is accepted", problem.n, problem.first()));
  }
  check_data(request, problem.n);
  problem.table.resize(problem.n);
  if (const auto* initial = request.list("initial")) {
    if (initial->size() != problem.first()) {
      throw Error(ErrorKind::usage, fmt::format("initial has {} entries: {}, the largest offset, are accepted",
                                                initial->size(), problem.first()));
    }
    std::ranges::copy(*initial, problem.table.begin());
  } else {
    for (std::uint64_t i = 0; i < problem.first(); ++i) problem.table[i] = static_cast<Value>(random() % 1000);
  }
  return problem;
}

SdpViews sdp_views(Simulation& simulation, const SdpProblem& problem) {
  const auto st = simulation.array("ST", problem.table);
  return {simulation.named(st, "ST[i - a_j]"), simulation.named(st, "ST[i]")};
}

void Readers::read(std::uint64_t element) {
  elements_.push_back(element);
  most_ = std::max(most_, ++readers_[element]);
}

void Readers::end_step() {
  for (const std::uint64_t element : elements_) readers_[element] = 0;
  elements_.clear();
}

std::uint32_t collisions_of_run(const SdpProblem& problem, std::uint64_t fold, std::uint64_t last) {
  Readers readers(problem.n);
  for (std::uint64_t head = problem.first() + fold - 1; head <= last; head += fold) {
    for (std::uint64_t j = 0; j < fold * problem.terms(); ++j) {
      if (is_active(problem, head, j)) readers.read(head - j - problem.offsets[j / fold]);
    }
    readers.end_step();
  }
  return readers.most();
}

std::uint64_t full_steps(const SdpProblem& problem, std::uint64_t fold, std::uint64_t last) {
  std::uint64_t steps = 0;
  for (std::uint64_t head = problem.first() + fold - 1; head <= last; head += fold) {
    steps += is_active(problem, head, 0) && is_active(problem, head, fold * problem.terms() - 1) ? 1 : 0;
  }
  return steps;
}

Program add_term(SdpViews st, const SdpProblem* problem, std::uint64_t i, std::uint64_t j) {
  Value value = co_await st.operand.read(i - problem->offsets[j]);
  if (j == 0) {
    co_await skip();
  } else {
    value = problem->combine(co_await st.own.read(i), value);
  }
  co_await st.own.write(i, value);
}

void accept_parameter(bool accepted, const char* name, std::uint64_t value, const char* what) {
  if (!accepted) throw Error(ErrorKind::usage, fmt::format("{} is {}: {} is accepted", name, value, what));
}

void need_threads(const RunRequest& request, std::uint64_t needed, const char* what) {
  if (request.threads >= needed) return;
  throw Error(ErrorKind::usage,
              fmt::format("threads is {}: at least {}, {}, is accepted", request.threads, needed, what));
}

RunResult sdp_result(const RunRequest& request, const Simulation& simulation, bool correct, std::uint64_t words,
                     std::uint64_t memory_steps, std::uint64_t active) {
  RunResult result = result_of(request, simulation, correct, words);
  const Machine& machine = request.machine;
  const auto steps = static_cast<double>(memory_steps);
  if (machine.kind == Kind::pram) {
    result.formula = memory_steps;
    result.formula_text = "memory steps";
    result.bound = steps;
    result.bound_text = "memory steps";
  } else {
    const double latency = machine.kind == Kind::bpram ? 1 : machine.latency;
    result.bound = steps * (static_cast<double>(active) / formulas::words_of_stage(machine) + latency);
    result.bound_text = "memory steps (t/w + l), t = active threads";
  }
  result.counts["memory_steps"] = memory_steps;
  return result;
}

RunResult sdp_result(const RunRequest& request, Simulation& simulation, const SdpProblem& problem, Array<Value> st,
                     std::uint64_t memory_steps, std::uint64_t active) {
  const auto table = simulation.values(st);
  RunResult result =
      sdp_result(request, simulation, table == sdp_solution(problem), problem.new_words(), memory_steps, active);
  result.inputs["offsets"].assign(problem.offsets.begin(), problem.offsets.end());
  result.inputs["initial"].assign(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(problem.first()));
  result.outputs["ST"] = table;
  return result;
}

Algorithm sdp_algorithm(std::string_view name, std::string_view description, std::string_view source,
                        RunResult (*run)(const RunRequest&), bool has_printed_form, const std::vector<Parameter>& own) {
  Algorithm result{name, description, source, run, flat_machines(), has_printed_form};
  result.parameters = {{"terms", "k, the number of offsets (default 4)"},
                       {"smallest", "smallest offset to draw (default 1)"},
                       {"largest", "largest offset to draw; default: smallest + 2 k - 1"}};
  result.parameters.insert(result.parameters.end(), own.begin(), own.end());
  using Limits = std::numeric_limits<Value>;
  result.lists = {
      {"offsets", "a_0, a_1, .., falling", 1, largest_offset, "k", nullptr, {"terms", "smallest", "largest"}},
      {"initial", "ST[0] .. ST[a_0 - 1]", Limits::min(), Limits::max(), "a_0"}};
  for (const Operation& operation : operations) result.operations.push_back(operation.name);
  return result;
}

}  // namespace warpfold::machine
