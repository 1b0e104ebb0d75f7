#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/semiring.hpp"

namespace warpfold::minplus {

/// Which of core/semiring.hpp's semirings a product is over, chosen at run time: `plus` takes one of two terms or adds
/// them up, `times` joins the two entries of a term. An entry of zero() is "no value": no term with it counts.
///
/// Kind min_plus is the tag MinPlus, and so on. docs/guides/minplus.md lists them with their types and what they
/// answer.
struct Semiring : SemiringKinds {
  constexpr Semiring(Kind of_kind = min_plus, std::uint64_t of_modulus = 0) : kind(of_kind), modulus(of_modulus) {}

  Kind kind;
  std::uint64_t modulus;  ///< plus_times with u64 alone: 0 for exact numbers, else all are taken modulo 2 .. 2^32 - 1

  /// Whether plus takes the lesser (or the greater, or the sum).
  [[nodiscard]] constexpr bool is_min() const;
  /// Whether times adds.
  [[nodiscard]] constexpr bool adds() const;
  /// Whether times multiplies.
  [[nodiscard]] constexpr bool multiplies() const;
  /// Whether plus takes one of its terms, so that there is an argmin, and closures.
  [[nodiscard]] constexpr bool is_selective() const;
  /// Whether it chooses among numbers from 0, which is "no value", to 1, which is the best.
  [[nodiscard]] constexpr bool is_of_unit_interval() const;

  template <class T>
  [[nodiscard]] constexpr bool accepts() const;
  /// The tag's; of or_and for a wider T too.
  template <class T>
  [[nodiscard]] constexpr T zero() const;
  template <class T>
  [[nodiscard]] constexpr T one() const;

  bool operator==(const Semiring&) const = default;
};

namespace detail {

/// What a tag says, for all kinds.
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

/// By kind. Double has every semiring but or-and.
inline constexpr auto semiring_facts = facts_of(warpfold::detail::joined(Tags<double>(), Tags<std::uint8_t>()));

constexpr SemiringFacts facts_of(Semiring::Kind kind) {
  return kind < semiring_facts.size() ? semiring_facts[kind] : SemiringFacts();
}

template <class... Listed>
constexpr bool has_kind(Semiring::Kind kind, TagList<Listed...> /*tags*/) {
  return ((kind == Listed::kind) || ...);
}

/// visit(tag) for the tag of that kind, else for the last one.
template <class Visit, class First, class... Others>
constexpr auto visit_tag(Semiring::Kind kind, TagList<First, Others...> /*tags*/, const Visit& visit) {
  if constexpr (sizeof...(Others) > 0) {
    if (kind != First::kind) return visit_tag(kind, TagList<Others...>(), visit);
  }
  return visit(First());
}

/// Or-and of numbers is max-min; of u8, whose only tag it is, the kind does not matter.
constexpr Semiring::Kind kind_among_numbers(Semiring semiring) {
  return semiring.kind == Semiring::or_and ? Semiring::max_min : semiring.kind;
}

}  // namespace detail

/// Returns visit(tag) for the tag of a semiring that chooses and accepts T. MaxMin<T> serves for or_and on 0 and 1 too.
template <class T, class Visit>
constexpr auto with_choosing_tag(Semiring semiring, const Visit& visit) {
  return detail::visit_tag(detail::kind_among_numbers(semiring), ChoosingTags<T>(), visit);
}

/// The same of any semiring.
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

/// The names of all semirings, or of those that choose: "min-plus", "max-plus", ..
[[nodiscard]] inline std::vector<std::string_view> semiring_names(bool choosing_only = false) {
  std::vector<std::string_view> names;
  for (const auto& facts : detail::semiring_facts) {
    if (facts.is_selective || !choosing_only) names.push_back(facts.name);
  }
  return names;
}
/// The semiring of a name; "count" is plus-times, too. Raises Error{usage} for anything else.
[[nodiscard]] Semiring parse_semiring(const std::string& name);
/// The name that `parse_semiring` reads.
[[nodiscard]] std::string to_string(Semiring semiring);

/// The types that a semiring takes, as the command line calls them (core/arithmetic.hpp).
[[nodiscard]] std::vector<std::string_view> types_of(Semiring semiring);

}  // namespace warpfold::minplus
