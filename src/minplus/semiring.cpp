#include "warpfold/minplus/semiring.hpp"

#include <fmt/format.h>

#include "core/listed.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {

namespace {

/// Appends the names of those types that a semiring takes.
template <class... Types>
std::vector<std::string_view> types_among(Semiring semiring) {
  std::vector<std::string_view> names;
  ((semiring.accepts<Types>() ? names.push_back(dtype_name<Types>()) : void()), ...);
  return names;
}

}  // namespace

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
  return types_among<std::uint8_t, std::uint64_t, std::int16_t, std::int32_t, std::int64_t, float, double>(semiring);
}

}  // namespace warpfold::minplus
