#include <fmt/format.h>

#include "recurrence_input.hpp"
#include "verify.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::app {

namespace {

using recurrence::Op;

/// A claimed value; null stands for "no value".
template <class T>
T claimed(Op op, const Json& value) {
  if (value.is_null() && op == Op::min) return infinity<T>;
  if constexpr (std::is_signed_v<T>) {
    if (value.is_null() && op == Op::max) return static_cast<T>(-infinity<T>);
  }
  return number<T>(value);
}

template <class T>
std::vector<T> read_values(Op op, const Json& solution) {
  if (solution.contains("values")) {
    std::vector<T> values;
    for (const Json& value : list_at(solution, "values")) values.push_back(claimed<T>(op, value));
    return values;
  }
  if (!solution.contains("output")) {
    throw MalformedSolution("neither 'values' nor 'output' is there: a run with -o FILE.npy is accepted");
  }
  const io::NpyArray array = io::read_npy(text_at(solution, "output"));
  if (array.shape.size() == 1) return array.values<T>();
  throw MalformedSolution(fmt::format("'output' has {} dimensions, 1 expected", array.shape.size()));
}

template <class T>
Verdict verdict_as(const std::string& instance, const RecurrenceInput& input, const Json& solution,
                   const Options& limits) {
  const recurrence::Problem<T> problem = with_file_context(instance, [&] { return problem_of<T>(input); });
  const recurrence::Solution<T> stated{read_values<T>(input.op, solution)};
  Verdict verdict = recurrence::verify(problem, stated, limits);
  if (verdict && claimed<T>(input.op, value_at(solution, "cost")) != stated.values.back()) {
    return wrong_cost("the cost is not the last value");
  }
  return verdict;
}

}  // namespace

Verdict verify_recurrence(const Files& instance, const Json& solution, const Options& limits) {
  const RecurrenceInput input = read_recurrence(instance[0]);
  if (Violation violation = find_run_violation(solution, input.n)) return infeasible(*violation);
  return with_recurrence_dtype(text_at(solution, "dtype"), [&](auto zero) {
    return verdict_as<decltype(zero)>(instance[0], input, solution, limits);
  });
}

}  // namespace warpfold::app
