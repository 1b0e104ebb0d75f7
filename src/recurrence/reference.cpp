#include "backends.hpp"
#include "core/number_types.hpp"
#include "operations.hpp"

namespace warpfold::recurrence {

template <class T>
void reference(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table) {
  const auto offsets = problem.offsets();
  with_operation(problem, [&](const auto& operation) {
    for (std::size_t i = problem.initial().size(); i < problem.n(); ++i) {
      const auto candidate = [&](std::size_t j) {
        return operation.lift(table[i - static_cast<std::size_t>(offsets[j])], problem.weight(j),
                              problem.coefficient(j));
      };
      auto element = candidate(0);
      for (std::size_t j = 1; j < offsets.size(); ++j) element = operation.combine(element, candidate(j));
      table[i] = operation.finish(element, i);
      if (i % 64 == 0) monitor.check();
    }
  });
}

#define WARPFOLD_INSTANTIATE(T) template void reference(const Problem<T>&, SolveMonitor&, std::span<T>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
