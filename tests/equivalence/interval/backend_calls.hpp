#pragma once

#include "interval/backends.hpp"

/// The backends as the tests call them: with options, and a report that they read or not.
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
