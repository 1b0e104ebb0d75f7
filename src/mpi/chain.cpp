#include "warpfold/mpi/chain.hpp"

#include <utility>

#include "core/number_types.hpp"
#include "interval/chain/chain_dp.hpp"
#include "warpfold/mpi/recurrence.hpp"

namespace warpfold::mpi {

template <class T>
Outcome<interval::ChainSolution> solve_by_dp(const interval::MatrixChain& chain, MPI_Comm comm,
                                             const Options& options) {
  const Options own = without_those_of({interval::dp_info}, options);  // the recurrence has its own algorithms
  auto [found, report] = solve_recurrence(interval::recurrence_of<T>(chain), chain.size() + 1, comm, own);
  report.algorithm = interval::dp_info.name;
  return {interval::solution_of<T>(chain, std::move(found.splits)), std::move(report)};
}

#define WARPFOLD_INSTANTIATE(T) \
  template Outcome<interval::ChainSolution> solve_by_dp<T>(const interval::MatrixChain&, MPI_Comm, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::mpi
