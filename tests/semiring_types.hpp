#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "warpfold/core/semiring.hpp"

/// Tests that run over all semirings of the library's lists.
namespace warpfold::test {

template <class... Semirings>
testing::Types<Semirings...> as_types(TagList<Semirings...>);

/// The selective semirings of float, and others: the types of a typed test.
template <class... Others>
using FloatSemiringsAnd = decltype(as_types(detail::joined(ChoosingTags<float>(), TagList<Others...>())));

/// The same numbers if the semiring accepts them; otherwise numbers below `most` mapped to 0 .. 1.
template <class S, class T = typename S::Value>
std::vector<T> values_for(std::vector<T> values, int most) {
  if constexpr (std::is_floating_point_v<T> && SemiringTraits<S>::is_selective &&
                !SemiringTraits<S>::has_infinite_zero) {
    for (T& value : values) value = std::abs(value) / static_cast<T>(most);
  }
  return values;
}

}  // namespace warpfold::test
