#include "warpfold/minplus/semiring.hpp"

#include <fmt/format.h>

#include "core/listed.hpp"
#include "core/number_types.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {

Semiring parse_semiring(const std::string& name) {
  if (name == "count") return Semiring::plus_times;
  for (std::size_t kind = 0; kind < detail::semiring_facts.size(); ++kind) {
    if (name == detail::semiring_facts[kind].name) return static_cast<Semiring::Kind>(kind);
  }
  throw Error(ErrorKind::usage,
              fmt::format("semiring '{}' is unknown: {} is accepted", name, listed(semiring_names())));
}

std::string to_string(Semiring semiring) {
  const std::string_view name = detail::facts_of(semiring.kind).name;
  return name.empty() ? fmt::format("semiring {}", static_cast<int>(semiring.kind)) : std::string(name);
}

std::vector<std::string_view> types_of(Semiring semiring) {
  return names_of(SemiringTypes(), [&]<class T>(T) { return semiring.accepts<T>(); });
}

}  // namespace warpfold::minplus
