// In a build without MPI.
#include <cstdint>

#include "ranks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

class Ranks::Job {};

Ranks::Ranks() { throw Error(ErrorKind::usage, "this build has no MPI: ./dev build --mpi makes one that has"); }
Ranks::~Ranks() = default;

int Ranks::count() const { return 1; }
bool Ranks::is_first() const { return true; }
void Ranks::together(const std::function<void()>& action) const { action(); }

template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const {
  return {};
}
template <class T>
Outcome<interval::Solution<T>> Ranks::solve(const polygon::Outline&, polygon::Weight, const Options&) const {
  return {};
}

#define WARPFOLD_INSTANTIATE(T)                                                                                     \
  template Outcome<interval::Solution<T>> Ranks::solve(const interval::Triangulation<T>&, const Options&) const;    \
  template Outcome<interval::Solution<T>> Ranks::solve<T>(const polygon::Outline&, polygon::Weight, const Options&) \
      const;
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::app
