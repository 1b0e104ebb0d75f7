#pragma once

#include <string>

#include "warpfold/core/error.hpp"

namespace warpfold::mpi {

/// What `solve` raises, as every rank says it.
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
