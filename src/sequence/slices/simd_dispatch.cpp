#include "sequence/slices/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/slices/simd_dispatch.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "sequence/slices/kernel-inl.h"

#if HWY_ONCE
namespace warpfold::sequence::slices {

HWY_EXPORT(kernel_for);
HWY_EXPORT(lanes_of_vector);

Advance kernel(Measure measure, std::size_t planes, bool keeps_steps) {
  return HWY_DYNAMIC_DISPATCH(kernel_for)(measure, planes, keeps_steps);
}

std::size_t lanes() { return HWY_DYNAMIC_DISPATCH(lanes_of_vector)(); }

}  // namespace warpfold::sequence::slices
#endif
