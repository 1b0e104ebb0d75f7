#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/semiring.hpp"

namespace warpfold::minplus {

/// A semiring that is chosen at run time, one of those in core/semiring.hpp. `plus` selects one of two terms or adds
/// them. `times` combines the two entries of a term. An entry of zero() means "no value": no term with it counts.
///
/// Kind min_plus is the tag MinPlus, and so on. docs/guides/minplus.md lists all semirings with their types and uses.
struct Semiring : SemiringKinds {
  constexpr Semiring(Kind of_kind = min_plus, std::uint64_t of_modulus = 0) : kind(of_kind), modulus(of_modulus) {}

  Kind kind;
  std::uint64_t modulus;  ///< for plus_times with u64 only: 0 for exact results, or a modulus of 2 .. 2^32 - 1

  /// Whether plus is the minimum. Otherwise it is the maximum, or addition.
  [[nodiscard]] constexpr bool is_min() const;
  /// Whether times is addition.
  [[nodiscard]] constexpr bool adds() const;
  /// Whether times is multiplication.
  [[nodiscard]] constexpr bool multiplies() const;
  /// Whether plus selects one of its terms. Only then are there an argmin and a closure.
  [[nodiscard]] constexpr bool is_selective() const;
  /// Whether plus selects among numbers from 0 ("no value") to 1 (the best).
  [[nodiscard]] constexpr bool is_of_unit_interval() const;

  template <class T>
  [[nodiscard]] constexpr bool accepts() const;
  /// The identities of plus and times. For or_and they exist for wider T too.
  template <class T>
  [[nodiscard]] constexpr T zero() const;
  template <class T>
  [[nodiscard]] constexpr T one() const;

  bool operator==(const Semiring&) const = default;
};

namespace detail {

/// The facts that a tag states, as values.
struct SemiringFacts {
  std::string_view name;
  bool is_selective = false, is_min = false, adds = false, multiplies = false, is_of_unit_interval = false;
};

template <class Tag, class Traits = SemiringTraits<Tag>>
constexpr SemiringFacts facts_of() {
  return {Tag::name,    Traits::is_selective, Traits::is_min,
          Traits::adds, Traits::multiplies,   Traits::is_selective && !Traits::has_infinite_zero};
}

template <class... Listed>
constexpr auto facts_of(TagList<Listed...> /*tags*/) {
  std::array<SemiringFacts, sizeof...(Listed)> facts;
  ((facts[Listed::kind] = facts_of<Listed>()), ...);
  return facts;
}

/// Facts by kind. The type double has every semiring except or-and.
inline constexpr auto semiring_facts = facts_of(warpfold::detail::joined(Tags<double>(), Tags<std::uint8_t>()));

constexpr SemiringFacts facts_of(Semiring::Kind kind) {
  return kind < semiring_facts.size() ? semiring_facts[kind] : SemiringFacts();
}

template <class... Listed>
constexpr bool has_kind(Semiring::Kind kind, TagList<Listed...> /*tags*/) {
  return ((kind == Listed::kind) || ...);
}

/// Returns visit(tag) for the tag of that kind, else for the last tag.
template <class Visit, class First, class... Others>
constexpr auto visit_tag(Semiring::Kind kind, TagList<First, Others...> /*tags*/, const Visit& visit) {
  if constexpr (sizeof...(Others) > 0) {
    if (kind != First::kind) return visit_tag(kind, TagList<Others...>(), visit);
  }
  return visit(First());
}

/// Or-and of numbers is max-min. For u8, whose only tag is or-and, the kind does not matter.
constexpr Semiring::Kind kind_among_numbers(Semiring semiring) {
  return semiring.kind == Semiring::or_and ? Semiring::max_min : semiring.kind;
}

}  // namespace detail

/// Returns visit(tag) for the tag of a selective semiring that accepts T. MaxMin<T> also serves or_and on 0 and 1.
template <class T, class Visit>
constexpr auto with_choosing_tag(Semiring semiring, const Visit& visit) {
  return detail::visit_tag(detail::kind_among_numbers(semiring), ChoosingTags<T>(), visit);
}

/// Returns visit(tag) for the tag of any semiring that accepts T.
template <class T, class Visit>
constexpr auto with_tag(Semiring semiring, const Visit& visit) {
  return detail::visit_tag(detail::kind_among_numbers(semiring), Tags<T>(), visit);
}

constexpr bool Semiring::is_min() const { return detail::facts_of(kind).is_min; }
constexpr bool Semiring::adds() const { return detail::facts_of(kind).adds; }
constexpr bool Semiring::multiplies() const { return detail::facts_of(kind).multiplies; }
constexpr bool Semiring::is_selective() const { return detail::facts_of(kind).is_selective; }
constexpr bool Semiring::is_of_unit_interval() const { return detail::facts_of(kind).is_of_unit_interval; }

template <class T>
constexpr bool Semiring::accepts() const {
  return detail::has_kind(kind, Tags<T>());
}
template <class T>
constexpr T Semiring::zero() const {
  if (kind == or_and) return T{0};
  return with_tag<T>(*this, [](auto tag) { return static_cast<T>(tag.zero()); });
}
template <class T>
constexpr T Semiring::one() const {
  if (kind == or_and) return T{1};
  return with_tag<T>(*this, [](auto tag) { return static_cast<T>(tag.one()); });
}

/// Returns the names of all semirings, or of the selective ones: "min-plus", "max-plus", ..
[[nodiscard]] inline std::vector<std::string_view> semiring_names(bool choosing_only = false) {
  std::vector<std::string_view> names;
  for (const auto& facts : detail::semiring_facts) {
    if (facts.is_selective || !choosing_only) names.push_back(facts.name);
  }
  return names;
}
/// Returns the semiring of a name. "count" also means plus-times. Raises Error{usage} for anything else.
[[nodiscard]] Semiring parse_semiring(const std::string& name);
/// Returns the name that `parse_semiring` accepts.
[[nodiscard]] std::string to_string(Semiring semiring);

/// Returns the types that a semiring accepts, by their names on the command line, such as "i32".
[[nodiscard]] std::vector<std::string_view> types_of(Semiring semiring);

}  // namespace warpfold::minplus
