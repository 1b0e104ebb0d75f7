#include <fmt/format.h>

#include "dtw_input.hpp"
#include "verify_sequence.hpp"

namespace warpfold::app {

namespace {

bool exceeds(const Json& solution) { return solution.contains("more_than"); }

/// Checks the keys that all solutions share, and those that the instance determines.
Violation find_series_violation(const Json& solution, const SeriesPair& pair) {
  const char* status = exceeds(solution) ? "more than" : "optimal";
  if (Violation violation = find_run_violation(solution, points_of(pair.a), status)) return violation;
  if (integer<std::uint64_t>(value_at(solution, "m")) != points_of(pair.b)) {
    return fmt::format("'m' is {}, the instance has {}", json_text(solution["m"]), points_of(pair.b));
  }
  if (integer<std::uint64_t>(value_at(solution, "dimensions")) != dimensions_of(pair.b)) {
    return fmt::format("'dimensions' is {}, the instance has {}", json_text(solution["dimensions"]),
                       dimensions_of(pair.b));
  }
  if (value_at(solution, "cost") != value_at(solution, "distance")) return "'cost' and 'distance' differ";
  if (exceeds(solution) != solution["cost"].is_null()) {
    return fmt::format("'cost' is {}: null goes with 'more_than' alone", json_text(solution["cost"]));
  }
  return std::nullopt;
}

sequence::WarpingRequest warping_request(const Json& solution) {
  sequence::WarpingRequest request;
  request.script = solution.contains("script");
  request.distance = point_distance_named(text_at(solution, "point_distance"));
  if (solution.contains("window")) request.window = integer<std::uint64_t>(solution["window"]);
  if (exceeds(solution)) request.max_distance = number_at<double>(solution, "more_than");
  return request;
}

template <class T>
sequence::Warping<T> stated_warping(const Json& solution) {
  sequence::Warping<T> stated;
  if (!exceeds(solution)) stated.distance = number_at<sequence::WarpingCost<T>>(solution, "distance");
  if (solution.contains("script")) stated.script = stated_script(solution);
  return stated;
}

/// Checks what is derived from the script.
Violation find_steps_violation(const Json& solution, const sequence::Script& script) {
  if (Violation violation = find_derived_violation(solution, script)) return violation;
  if (text_at(solution, "ties") != "left") return "'ties' is not left";
  const auto steps = integer<std::uint64_t>(value_at(solution, "steps"));
  if (steps == columns_of(script)) return std::nullopt;
  return fmt::format("'steps' is {}, the path has {}", steps, columns_of(script));
}

}  // namespace

Verdict verify_dtw(const Files& instance, const Json& solution, const Options& limits) {
  const SeriesPair pair = read_series(instance);
  if (Violation violation = find_series_violation(solution, pair)) return infeasible(*violation);
  return with_dtype_among(WarpingTypes(), text_at(solution, "dtype"), [&]<class T>(T) -> Verdict {
    const LoadedSeries<T> a(pair.a), b(pair.b);
    const auto request = warping_request(solution);
    const auto stated = stated_warping<T>(solution);
    if (request.script) {
      if (Violation violation = find_steps_violation(solution, stated.script)) return infeasible(*violation);
    }
    return sequence::verify(a.series, b.series, stated, request, !request.script, limits);
  });
}

Json dtw_optimum(const Files& instance, const Json& solution, Options limits) {
  const SeriesPair pair = read_series(instance);
  return with_dtype_among(WarpingTypes(), text_at(solution, "dtype"), [&]<class T>(T) {
    const LoadedSeries<T> a(pair.a), b(pair.b);
    const auto request = warping_request(solution);
    const auto optimum = sequence::verified_dtw(a.series, b.series, request, limits);
    const bool is_passed = request.max_distance && static_cast<double>(optimum) > *request.max_distance;
    return is_passed ? Json(nullptr) : Json(optimum);
  });
}

}  // namespace warpfold::app
