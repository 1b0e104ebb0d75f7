#include "backends.hpp"
#include "core/number_types.hpp"
#include "operations.hpp"

namespace warpfold::recurrence {

template <class T>
void reference(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table) {
  const auto offsets = problem.offsets();
  with_operation(problem, [&](const auto& operation) {
    for (std::size_t i = problem.initial().size(); i < problem.n(); ++i) {
      auto element = operation.lift(table[i - static_cast<std::size_t>(offsets[0])], problem.weight(0));
      for (std::size_t j = 1; j < offsets.size(); ++j) {
        const T value = table[i - static_cast<std::size_t>(offsets[j])];
        element = operation.combine(element, operation.lift(value, problem.weight(j)));
      }
      table[i] = operation.finish(element, i);
      if (i % 64 == 0) monitor.check();
    }
  });
}

#define WARPFOLD_INSTANTIATE(T) template void reference(const Problem<T>&, SolveMonitor&, std::span<T>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
