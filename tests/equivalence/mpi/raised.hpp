#pragma once

#include <string>

#include "warpfold/core/error.hpp"

namespace warpfold::mpi {

/// The error of `solve`, which must be the same in every rank.
template <class Solve>
std::string raised(const Solve& solve) {
  try {
    solve();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace warpfold::mpi
