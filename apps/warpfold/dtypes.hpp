#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/number_types.hpp"

/// The number types that --dtype names.
namespace warpfold::app {

/// Raises Error{usage} that names what is accepted, unless `dtype` is one of it.
void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted);

/// Calls `action` with a zero of the type of the list that `dtype` names. Raises Error{usage} for any other name.
template <class Types, class Action>
auto with_dtype_among(Types types, const std::string& dtype, const Action& action) {
  return with_type_named(dtype, types, action, [&] { check_dtype(dtype, names_of(types)); });
}

template <class Action>
auto with_dtype(const std::string& dtype, const Action& action) {
  return with_dtype_among(TableTypes(), dtype, action);
}

}  // namespace warpfold::app
