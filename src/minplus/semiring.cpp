#include "warpfold/minplus/semiring.hpp"

#include <fmt/format.h>

#include <array>

#include "warpfold/core/error.hpp"

namespace warpfold::minplus {

namespace {

/// In the order of Semiring::Kind.
constexpr std::array names = {"min-plus", "max-plus", "min-max", "max-min", "or-and", "plus-times"};

}  // namespace

Semiring parse_semiring(const std::string& name) {
  if (name == "count") return Semiring::plus_times;
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    if (name == names[kind]) return static_cast<Semiring::Kind>(kind);
  }
  throw Error(ErrorKind::usage, fmt::format("semiring '{}' is unknown: {} is accepted", name, fmt::join(names, ", ")));
}

std::string to_string(Semiring semiring) {
  return semiring.kind < names.size() ? names[semiring.kind] : fmt::format("semiring {}", int{semiring.kind});
}

}  // namespace warpfold::minplus
