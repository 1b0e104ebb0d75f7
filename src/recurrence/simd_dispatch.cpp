#include "recurrence/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "recurrence/simd_dispatch.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "recurrence/cpu-inl.h"

#if HWY_ONCE
namespace warpfold::recurrence::cpu {

HWY_EXPORT(sweeps_i32);
HWY_EXPORT(sweeps_i64);
HWY_EXPORT(sweeps_u64);
HWY_EXPORT(sweeps_f32);
HWY_EXPORT(sweeps_f64);
HWY_EXPORT(take_common_bits);
HWY_EXPORT(words_of_vector);

template <>
Sweeps<std::int32_t> sweeps(Join join) {
  return HWY_DYNAMIC_DISPATCH(sweeps_i32)(join);
}
template <>
Sweeps<std::int64_t> sweeps(Join join) {
  return HWY_DYNAMIC_DISPATCH(sweeps_i64)(join);
}
template <>
Sweeps<std::uint64_t> sweeps(Join join) {
  return HWY_DYNAMIC_DISPATCH(sweeps_u64)(join);
}
template <>
Sweeps<float> sweeps(Join join) {
  return HWY_DYNAMIC_DISPATCH(sweeps_f32)(join);
}
template <>
Sweeps<double> sweeps(Join join) {
  return HWY_DYNAMIC_DISPATCH(sweeps_f64)(join);
}

std::size_t take_common(std::uint64_t* set, const std::uint8_t* mask, std::size_t words, std::uint64_t* common,
                        std::uint32_t* where) {
  return HWY_DYNAMIC_DISPATCH(take_common_bits)(set, mask, words, common, where);
}

std::size_t vector_words() { return HWY_DYNAMIC_DISPATCH(words_of_vector)(); }

}  // namespace warpfold::recurrence::cpu
#endif
