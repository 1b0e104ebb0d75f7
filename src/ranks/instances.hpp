// The types that ranks solve. ranks.cpp and mpi_stub.cpp include it at their end, so it has no include guard.
#include <cstdint>

#include "ranks/ranks.hpp"

namespace warpfold {

#define WARPFOLD_INSTANTIATE_PRODUCT(T)                                                                              \
  template Outcome<minplus::Product<T>> Ranks::multiply(minplus::Semiring, MatrixView<const T>, MatrixView<const T>, \
                                                        const Options&, bool) const;
#define WARPFOLD_INSTANTIATE(T)                                                                                        \
  template Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const;       \
  template Outcome<interval::ChainSolution> Ranks::solve_by_dp<T>(const interval::MatrixChain&, const Options&) const; \
  template Outcome<paths::AllPairs<T>> Ranks::all_pairs(MatrixView<const T>, const Options&, const paths::Request&)    \
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

}  // namespace warpfold
