#include "warpfold/permutation/cuda.hpp"

namespace warpfold::permutation::cuda {

std::string_view name_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::rotation:
      return "rotation";
    case Algorithm::axes:
      return "axes";
    case Algorithm::two_passes:
      return "two-passes";
    case Algorithm::gather:
      return "gather";
    case Algorithm::scatter:
      return "scatter";
    default:
      return "fastest";
  }
}

}  // namespace warpfold::permutation::cuda
