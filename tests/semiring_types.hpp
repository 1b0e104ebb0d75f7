#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "warpfold/core/semiring.hpp"

/// Tests of every semiring on the library's lists.
namespace warpfold::test {

template <class... Semirings>
testing::Types<Semirings...> as_types(TagList<Semirings...>);

/// The semirings of float that choose, and others: what a typed test runs over.
template <class... Others>
using FloatSemiringsAnd = decltype(as_types(detail::joined(ChoosingTags<float>(), TagList<Others...>())));

/// The same numbers where the semiring takes them; else, below `most`, moved to 0 .. 1.
template <class S, class T = typename S::Value>
std::vector<T> values_for(std::vector<T> values, int most) {
  if constexpr (std::is_floating_point_v<T> && SemiringTraits<S>::is_selective &&
                !SemiringTraits<S>::has_infinite_zero) {
    for (T& value : values) value = std::abs(value) / static_cast<T>(most);
  }
  return values;
}

}  // namespace warpfold::test
