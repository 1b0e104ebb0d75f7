#include "paths/bitset/bits.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/bitset/bits.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "paths/bitset/bits-inl.h"

#if HWY_ONCE
namespace warpfold::paths {

namespace {

HWY_EXPORT(take_up);

}  // namespace

void take_up_rows(const std::uint64_t* others, const std::uint64_t* chosen, std::size_t count, std::uint64_t* rows) {
  HWY_DYNAMIC_DISPATCH(take_up)(others, chosen, count, rows);
}

}  // namespace warpfold::paths
#endif
