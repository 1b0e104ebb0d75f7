#include "machine/algorithms/sdp_common.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// The parameter as an offset or a number of them.
std::uint32_t small_parameter(const RunRequest& request, const char* name, std::uint64_t otherwise) {
  const std::uint64_t value = request.parameter(name, otherwise);
  accept_parameter(value >= 1 && value <= 1u << 24, name, value, "1 to 2^24");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

SdpProblem sdp_problem(const RunRequest& request) {
  std::mt19937_64 random(request.seed);
  const std::uint32_t terms = small_parameter(request, "terms", 4);
  const std::uint32_t smallest = small_parameter(request, "smallest", 1);
  const std::uint32_t largest = small_parameter(request, "largest", smallest + 2 * terms - 1);
  SdpProblem problem{request.n, random_offsets(terms, smallest, largest, random), {}};
  if (problem.n <= problem.first()) {
    throw Error(ErrorKind::usage,
                fmt::format("n is {}: more than the largest offset, {}, is accepted", problem.n, problem.first()));
  }
  problem.table.resize(problem.n);
  for (std::uint64_t i = 0; i < problem.first(); ++i) problem.table[i] = random() % 1000;
  return problem;
}

std::vector<Word> sdp_solution(const SdpProblem& problem) {
  std::vector<Word> table = problem.table;
  for (std::uint64_t i = problem.first(); i < problem.n; ++i) {
    for (const std::uint32_t offset : problem.offsets) table[i] += table[i - offset];
  }
  return table;
}

SdpViews sdp_views(Simulation& simulation, const SdpProblem& problem) {
  const auto st = simulation.array("ST", problem.table);
  return {simulation.named(st, "ST[i - a_j]"), simulation.named(st, "ST[i]")};
}

Program add_term(SdpViews st, std::uint64_t i, std::uint32_t offset, bool first) {
  const Word term = co_await st.operand.read(i - offset);
  Word sum = 0;
  if (first) {
    co_await skip();
  } else {
    sum = co_await st.own.read(i);
  }
  co_await st.own.write(i, sum + term);
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
    result.bound = steps * (static_cast<double>(active) / machine.width + latency);
    result.bound_text = "memory steps (t/w + l), t = active threads";
  }
  result.counts["memory_steps"] = memory_steps;
  return result;
}

std::vector<Parameter> sdp_parameters() {
  return {{"terms", "k, the number of offsets; 4"},
          {"smallest", "the least offset that may be drawn; 1"},
          {"largest", "the greatest offset that may be drawn; smallest + 2 k - 1"}};
}

}  // namespace warpfold::machine
