#include "backends.hpp"
#include "core/number_types.hpp"
#include "operations.hpp"
#include "warpfold/recurrence/semigroup.hpp"

namespace warpfold::recurrence {

namespace {

template <class T>
std::vector<Run> runs_of(const Problem<T>& problem) {
  return find_runs(problem.offsets(), [&](std::size_t j) {
    return problem.weight(j) == problem.weight(j - 1) && problem.coefficient(j) == problem.coefficient(j - 1);
  });
}

}  // namespace

template <class T>
std::size_t count_runs(const Problem<T>& problem) {
  return runs_of(problem).size();
}

template <class T>
void runs(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table) {
  const std::vector<Run> all = runs_of(problem);
  const double per_value = problem.operations() / static_cast<double>(problem.n() - problem.initial().size() + 1);
  constexpr std::size_t between_checks = 256;
  const auto tick = [&](std::size_t i) {
    if (i % between_checks != 0) return;
    monitor.check();
    monitor.advance(between_checks * per_value);
  };
  with_operation(problem, [&](const auto& operation) {
    using Element = typename std::decay_t<decltype(operation)>::Element;
    fold_runs<Element>(
        all, problem.initial().size(), problem.n(),
        [&operation](Element a, Element b) { return operation.combine(a, b); },
        [&](std::size_t source, const Run& run) {
          return operation.lift(table[source], problem.weight(run.first), problem.coefficient(run.first));
        },
        [&](std::size_t i, Element element) { table[i] = operation.finish(element, i); }, tick);
  });
}

template <class T>
std::size_t early_exit(const Problem<T>& problem, SolveMonitor& monitor, double max_operations, std::span<T> table) {
  const auto offsets = problem.offsets();
  return with_operation(problem, [&](const auto& operation) {
    using Operation = std::decay_t<decltype(operation)>;
    double done = 0;
    std::size_t i = problem.initial().size();
    if constexpr (std::is_same_v<typename Operation::Element, T>) {
      T last = problem.initial()[0];
      for (const T value : problem.initial()) last = operation.combine(last, value);
      for (; i < problem.n() && done <= max_operations; ++i) {
        if (i % 64 == 0) monitor.check();
        T value = table[i - static_cast<std::size_t>(offsets[0])];
        std::size_t j = 1;
        for (; j < offsets.size() && value != last; ++j) {
          value = operation.combine(value, table[i - static_cast<std::size_t>(offsets[j])]);
        }
        table[i] = value;
        done += static_cast<double>(j);
      }
    }
    return i;
  });
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template void runs(const Problem<T>&, SolveMonitor&, std::span<T>); \
  template std::size_t count_runs(const Problem<T>&);                 \
  template std::size_t early_exit(const Problem<T>&, SolveMonitor&, double, std::span<T>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
