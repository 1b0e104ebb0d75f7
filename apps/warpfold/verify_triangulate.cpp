#include <fmt/format.h>

#include <type_traits>

#include "triangulation_input.hpp"
#include "verify.hpp"
#include "warpfold/formats/weights.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/polygon/verify.hpp"

namespace warpfold::app {

namespace {

template <class T>
interval::Solution<T> triangulation_solution(const Json& solution) {
  interval::Solution<T> stated{number_at<T>(solution, "cost"), {}, {}};
  for (const Json& triangle : list_at(solution, "triangles")) {
    const auto [i, k, j] = triple(triangle);
    stated.triangles.push_back({i, k, j});
  }
  for (const Json& chord : list_at(solution, "chords")) {
    const auto ends = integers<std::uint32_t>(chord);
    if (ends.size() != 2) throw MalformedSolution(fmt::format("{} is no list of two indices", json_text(chord)));
    stated.chords.push_back({ends[0], ends[1]});
  }
  return stated;
}

std::optional<std::size_t> optional_index(const Json& solution, const char* key) {
  if (!solution.contains(key)) return std::nullopt;
  return integer<std::size_t>(value_at(solution, key));
}

/// Checks `chords_considered`: the number of an outline's interior chords, or of all chords of a matrix.
Violation find_considered_violation(const Json& solution, std::size_t n, bool all) {
  const auto stated = integer<std::size_t>(value_at(solution, "chords_considered"));
  const std::size_t most = n * (n - 3) / 2;
  if (all ? stated == most : stated <= most) return std::nullopt;
  return fmt::format("'chords_considered' is {}, there are {}", stated, most);
}

/// Vertices are numbered without those that are dropped.
Violation find_dropped_violation(const Json& solution, const polygon::Outline& outline) {
  const std::size_t stated = optional_index(solution, "dropped").value_or(0);
  if (stated == outline.dropped()) return std::nullopt;
  return fmt::format("'dropped' is {}, there are {}", stated, outline.dropped());
}

/// Calls visit with a zero of the solution's type. All integers are read as i64.
template <class Visit>
Verdict with_type_of(const Json& solution, const Visit& visit) {
  const auto dtype = text_at(solution, "dtype");
  return with_dtype(dtype.starts_with('i') ? "i64" : dtype, visit);
}

/// The verdict for a matrix, alone or with an outline.
Verdict verdict_of_matrix(const formats::WeightMatrix& matrix, const polygon::Outline* outline, const Json& solution,
                          const Options& limits) {
  return with_type_of(solution, [&]<class T>(T) {
    if (std::is_integral_v<T> && !matrix.is_integral()) {
      return infeasible("the dtype is an integer type, the weights are not all integers");
    }
    const std::vector<T> weights = matrix.values<T>();
    const auto weight = [&, n = matrix.n()](std::size_t i, std::size_t j) { return weights[i * n + j]; };
    const auto stated = triangulation_solution<T>(solution);
    return outline ? polygon::verify<T>(*outline, weight, stated, limits)
                   : interval::verify<T>(matrix.n(), weight, stated, limits);
  });
}

Verdict verify_matrix(const std::string& instance, const Json& solution, const Options& limits) {
  const formats::WeightMatrix matrix = formats::read_weights(instance);
  if (Violation violation = find_run_violation(solution, matrix.n())) return infeasible(*violation);
  if (matrix.n() < 3) return infeasible("the matrix is of no polygon");
  if (Violation violation = find_considered_violation(solution, matrix.n(), true)) return infeasible(*violation);
  return verdict_of_matrix(matrix, nullptr, solution, limits);
}

}  // namespace

Verdict verify_triangulate(const Files& files, const Json& solution, const Options& limits) {
  const std::string& instance = files[0];
  const auto text = text_at(solution, "weight");
  if (text == "matrix") return verify_matrix(instance, solution, limits);
  const formats::OutlineChoice choice{optional_index(solution, "feature"), optional_index(solution, "part")};
  const polygon::Outline outline = read_checked_outline(instance, choice).outline;
  if (Violation violation = find_run_violation(solution, outline.size())) return infeasible(*violation);
  if (Violation violation = find_considered_violation(solution, outline.size(), false)) return infeasible(*violation);
  if (Violation violation = find_dropped_violation(solution, outline)) return infeasible(*violation);
  const WeightChoice weight = parse_weight(text);
  if (weight.formula) {
    return with_type_of(solution, [&]<class T>(T) {
      return polygon::verify(outline, *weight.formula, triangulation_solution<T>(solution), limits);
    });
  }
  const formats::WeightMatrix matrix = formats::read_weights(weight.file);
  if (matrix.n() == outline.size()) return verdict_of_matrix(matrix, &outline, solution, limits);
  return infeasible(fmt::format("the matrix is of {} vertices, the outline of {}", matrix.n(), outline.size()));
}

}  // namespace warpfold::app
