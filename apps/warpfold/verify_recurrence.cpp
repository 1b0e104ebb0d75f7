#include <fmt/format.h>

#include <cmath>

#include "recurrence_input.hpp"
#include "verify.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app {

namespace {

using recurrence::Op;

/// What index i has to be, from the values claimed before it: the recurrence read aloud.
template <class T>
T expected(const recurrence::Problem<T>& problem, const std::vector<T>& values, std::size_t i) {
  const auto offsets = problem.offsets();
  const auto value = [&](std::size_t j) { return values[i - static_cast<std::size_t>(offsets[j])]; };
  if (problem.op() == Op::sum || problem.op() == Op::sum_mod) {
    std::conditional_t<std::is_floating_point_v<T>, long double, __int128> sum = 0;
    for (std::size_t j = 0; j < offsets.size(); ++j) sum += value(j), sum += problem.weight(j);
    if constexpr (std::is_integral_v<T>) {
      if (problem.op() == Op::sum_mod) sum %= problem.modulus();
    }
    return static_cast<T>(sum);
  }
  T result = static_cast<T>(value(0) + problem.weight(0));
  for (std::size_t j = 1; j < offsets.size(); ++j) {
    const T candidate = static_cast<T>(value(j) + problem.weight(j));
    if (problem.op() == Op::min) result = std::min(result, candidate);
    if (problem.op() == Op::max) result = std::max(result, candidate);
    if constexpr (std::is_integral_v<T>) {
      if (problem.op() == Op::bit_xor) result ^= candidate;
      if (problem.op() == Op::bit_or) result |= candidate;
      if (problem.op() == Op::bit_and) result &= candidate;
      if (problem.op() == Op::gcd) result = std::gcd(result, candidate);
    }
  }
  if constexpr (std::is_integral_v<T>) {
    // "No value" plus weights is still "no value".
    const T largest = infinity<T> - problem.bound();
    if (problem.is_weighted() && problem.op() == Op::min && result >= largest) return infinity<T>;
    if (std::is_signed_v<T> && problem.is_weighted() && problem.op() == Op::max && result <= -largest) {
      return static_cast<T>(-infinity<T>);
    }
  }
  return result;
}

template <class T>
bool agrees(Op op, T claimed, T value) {
  if (claimed == value) return true;
  if (!std::is_floating_point_v<T> || op != Op::sum) return false;
  const double tolerance = (std::is_same_v<T, float> ? 1e-4 : 1e-10) * std::abs(static_cast<double>(value));
  return std::abs(static_cast<double>(claimed) - static_cast<double>(value)) <= tolerance;
}

/// A claimed value; null stands for "no value".
template <class T>
T claimed(Op op, const Json& value) {
  if (value.is_null() && op == Op::min) return infinity<T>;
  if constexpr (std::is_signed_v<T>) {
    if (value.is_null() && op == Op::max) return static_cast<T>(-infinity<T>);
  }
  if constexpr (std::is_integral_v<T>) return whole<T>(value);
  return static_cast<T>(value.get<double>());
}

template <class T>
Flaws flaws_as(const std::string& instance, const RecurrenceInput& input, const Json& solution) {
  const recurrence::Problem<T> problem = naming(instance, [&] { return problem_of<T>(input); });
  std::vector<T> values;
  if (solution.contains("values")) {
    for (const Json& value : solution.at("values")) values.push_back(claimed<T>(input.op, value));
  } else if (solution.contains("output")) {
    const io::NpyArray array = io::read_npy(solution.at("output").get<std::string>());
    if (array.shape.size() != 1) return {fmt::format("'output' has {} dimensions, not 1", array.shape.size())};
    values = array.values<T>();
  } else {
    return {"neither 'values' nor 'output' is there: a run with -o FILE.npy is accepted"};
  }
  if (values.size() != problem.n()) return {fmt::format("there are {} values, n is {}", values.size(), problem.n())};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool given = i < problem.initial().size();
    const T value = given ? problem.initial()[i] : expected(problem, values, i);
    if (given ? values[i] != value : !agrees(problem.op(), values[i], value)) {
      return {fmt::format("value {} is {}, it has to be {}", i, values[i], value)};
    }
  }
  if (claimed<T>(input.op, solution.at("cost")) != values.back())
    return {std::nullopt, "the cost is not the last value"};
  return {};
}

}  // namespace

Flaws verify_recurrence(const std::string& instance, const Json& solution, Coverage& coverage) {
  const RecurrenceInput input = read_recurrence(instance);
  if (Flaw flaw = flaw_of_run(solution, input.n)) return {flaw};
  coverage.is_optimal = true;  // every value follows from those before it
  return with_recurrence_dtype(solution.at("dtype").get<std::string>(),
                               [&](auto zero) { return flaws_as<decltype(zero)>(instance, input, solution); });
}

}  // namespace warpfold::app
