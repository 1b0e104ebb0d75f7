#include "sequence/align/strips/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/align/strips/simd_dispatch.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "sequence/align/strips/kernel-inl.h"
#include "sequence/align/strips/narrow-inl.h"

#if HWY_ONCE
namespace warpfold::sequence::alignment::strips {

HWY_EXPORT(kernel_of_8_bits);
HWY_EXPORT(kernel_of_16_bits);
HWY_EXPORT(kernel_of_32_bits);
HWY_EXPORT(lanes_of_16_bits);
HWY_EXPORT(lanes_of_32_bits);
HWY_EXPORT(ceiling_loop_of_8_bits);
HWY_EXPORT(ceiling_loop_of_16_bits);

template <>
Advance<std::uint16_t> kernel<std::uint16_t>(bool is_local, bool compares) {
  return HWY_DYNAMIC_DISPATCH(kernel_of_16_bits)(is_local, compares);
}
template <>
Advance<std::uint32_t> kernel<std::uint32_t>(bool is_local, bool compares) {
  return HWY_DYNAMIC_DISPATCH(kernel_of_32_bits)(is_local, compares);
}

Advance<std::uint16_t> narrow_kernel(bool compares) { return HWY_DYNAMIC_DISPATCH(kernel_of_8_bits)(compares); }

template <>
std::size_t lanes<std::uint16_t>() {
  return HWY_DYNAMIC_DISPATCH(lanes_of_16_bits)();
}
template <>
std::size_t lanes<std::uint32_t>() {
  return HWY_DYNAMIC_DISPATCH(lanes_of_32_bits)();
}

CeilingLoop run_ceiling_loop(std::size_t bits, std::size_t rounds) {
  if (bits == 8) return HWY_DYNAMIC_DISPATCH(ceiling_loop_of_8_bits)(rounds);
  return HWY_DYNAMIC_DISPATCH(ceiling_loop_of_16_bits)(rounds);
}

}  // namespace warpfold::sequence::alignment::strips
#endif
