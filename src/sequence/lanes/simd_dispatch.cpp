#include "sequence/lanes/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/lanes/simd_dispatch.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "sequence/lanes/kernel-inl.h"

#if HWY_ONCE
namespace warpfold::sequence::lanes {

HWY_EXPORT(functions_for);
HWY_EXPORT(transpose_function);
HWY_EXPORT(split_function);
HWY_EXPORT(has_all_function);

Functions functions(Measure measure, std::size_t planes) {
  return HWY_DYNAMIC_DISPATCH(functions_for)(measure, planes);
}
Transpose transpose() { return HWY_DYNAMIC_DISPATCH(transpose_function)(); }
Split split() { return HWY_DYNAMIC_DISPATCH(split_function)(); }
HasAll has_all() { return HWY_DYNAMIC_DISPATCH(has_all_function)(); }

}  // namespace warpfold::sequence::lanes
#endif
