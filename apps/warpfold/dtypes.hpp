#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/number_types.hpp"

/// The number types of --dtype.
namespace warpfold::app {

/// Raises Error{usage} that lists the accepted types, unless `dtype` is one of them.
void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted);

/// Calls `action` with a zero of the type that `dtype` names, one of `Types`. Raises Error{usage} for any other name.
template <class Types, class Action>
auto with_dtype_among(Types types, const std::string& dtype, const Action& action) {
  return with_type_named(dtype, types, action, [&] { check_dtype(dtype, names_of(types)); });
}

template <class Action>
auto with_dtype(const std::string& dtype, const Action& action) {
  return with_dtype_among(TableTypes(), dtype, action);
}

}  // namespace warpfold::app
