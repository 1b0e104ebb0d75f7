#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "warpfold/core/arithmetic.hpp"

/// The number types of the library. Explicit instantiations and choices by name come from these lists.
///
/// `WARPFOLD_FOR_EACH_..._TYPE(M)` calls the macro M(T) for each type T of a list.
#define WARPFOLD_FOR_EACH_INTEGER_TYPE(M) M(std::int32_t) M(std::int64_t)
/// Interval problems, and paths whose lengths are numbers.
#define WARPFOLD_FOR_EACH_TABLE_TYPE(M) WARPFOLD_FOR_EACH_INTEGER_TYPE(M) M(float) M(double)
#define WARPFOLD_FOR_EACH_RECURRENCE_TYPE(M) WARPFOLD_FOR_EACH_INTEGER_TYPE(M) M(std::uint64_t) M(float) M(double)
/// Paths, or-and's among them.
#define WARPFOLD_FOR_EACH_PATH_TYPE(M) M(std::uint8_t) WARPFOLD_FOR_EACH_TABLE_TYPE(M)
/// The semirings that choose: `ChoosingTags<T>` is not empty.
#define WARPFOLD_FOR_EACH_CHOOSING_TYPE(M) M(std::uint8_t) M(std::int16_t) WARPFOLD_FOR_EACH_TABLE_TYPE(M)
/// All semirings: `Tags<T>` is not empty.
#define WARPFOLD_FOR_EACH_SEMIRING_TYPE(M) \
  M(std::uint8_t) M(std::uint64_t) M(std::int16_t) WARPFOLD_FOR_EACH_TABLE_TYPE(M)

namespace warpfold {

template <class... Types>
struct TypeList {};

namespace detail {
template <class Ignored, class... Types>
using TypesAfter = TypeList<Types...>;
}  // namespace detail

#define WARPFOLD_AND_TYPE(T) , T
using IntegerTypes = detail::TypesAfter<void WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_AND_TYPE)>;
using TableTypes = detail::TypesAfter<void WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_AND_TYPE)>;
using RecurrenceTypes = detail::TypesAfter<void WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_AND_TYPE)>;
using SemiringTypes = detail::TypesAfter<void WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_AND_TYPE)>;
#undef WARPFOLD_AND_TYPE

/// The names of those types that accepts(T{}) accepts.
template <class... Types, class Accepts>
[[nodiscard]] std::vector<std::string_view> names_of(TypeList<Types...> /*types*/, const Accepts& accepts) {
  std::vector<std::string_view> names;
  ((accepts(Types{}) ? names.push_back(dtype_name<Types>()) : void()), ...);
  return names;
}
template <class... Types>
[[nodiscard]] std::vector<std::string_view> names_of(TypeList<Types...> /*types*/) {
  return {dtype_name<Types>()...};
}

/// Returns visit(T{}) for the type of this name. Where there is none it calls reject(), which raises.
template <class First, class... Others, class Visit, class Reject>
auto with_type_named(std::string_view name, TypeList<First, Others...> /*types*/, const Visit& visit,
                     const Reject& reject) {
  if (name == dtype_name<First>()) return visit(First{});
  if constexpr (sizeof...(Others) > 0) return with_type_named(name, TypeList<Others...>(), visit, reject);
  reject();
  return visit(First{});
}

/// The name of the first type for which accepts(T{}) is true, or of the last type.
template <class First, class... Others, class Accepts>
[[nodiscard]] std::string_view first_type(TypeList<First, Others...> /*types*/, const Accepts& accepts) {
  if constexpr (sizeof...(Others) > 0) {
    if (!accepts(First{})) return first_type(TypeList<Others...>(), accepts);
  }
  return dtype_name<First>();
}

}  // namespace warpfold
