#pragma once

#include "interval/backends.hpp"

/// Calls of the backends with options, and with or without a report.
namespace warpfold::interval {

namespace reference {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  Context context(options, report);
  return solve(problem, context);
}
}  // namespace reference

namespace cpu {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  Context context(options, report);
  return solve(problem, context);
}
}  // namespace cpu

namespace cuda {
template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  Context context(options, report);
  return solve(problem, context);
}
}  // namespace cuda

}  // namespace warpfold::interval
