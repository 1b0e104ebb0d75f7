// What ranks solve, with MPI and without: the last line of ranks.cpp and of ranks_stub.cpp, for which it has no guard.
#include <cstdint>

#include "ranks.hpp"

namespace warpfold::app {

#define WARPFOLD_INSTANTIATE_PRODUCT(T)                                                                \
  template Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, const MatrixView<const T>&, \
                                                        const MatrixView<const T>&, const Options&, bool) const;
#define WARPFOLD_INSTANTIATE(T)                                                                                        \
  template Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const;       \
  template Outcome<interval::ChainSolution> Ranks::solve_by_dp<T>(const interval::MatrixChain&, const Options&) const; \
  template Outcome<paths::AllPairs<T>> Ranks::all_pairs(const Matrix<T>&, const Options&, const paths::Request&)       \
      const;                                                                                                           \
  WARPFOLD_INSTANTIATE_PRODUCT(T)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
WARPFOLD_INSTANTIATE_PRODUCT(std::uint8_t)
WARPFOLD_INSTANTIATE_PRODUCT(std::int16_t)
WARPFOLD_INSTANTIATE_PRODUCT(std::uint64_t)
#undef WARPFOLD_INSTANTIATE
#undef WARPFOLD_INSTANTIATE_PRODUCT

}  // namespace warpfold::app
