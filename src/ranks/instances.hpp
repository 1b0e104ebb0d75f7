// The types that ranks solve. ranks.cpp and mpi_stub.cpp include it at their end, so it has no include guard.
#include "core/number_types.hpp"
#include "ranks/ranks.hpp"

namespace warpfold {

#define WARPFOLD_INSTANTIATE(T)                                                                                        \
  template Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const;       \
  template Outcome<interval::ChainSolution> Ranks::solve_by_dp<T>(const interval::MatrixChain&, const Options&) const; \
  template Outcome<paths::AllPairs<T>> Ranks::all_pairs(MatrixView<const T>, const Options&, const paths::Request&)    \
      const;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE
#define WARPFOLD_INSTANTIATE(T)                                                                                      \
  template Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, MatrixView<const T>, MatrixView<const T>, \
                                                        const Options&, bool) const;
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold
