#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "recurrence/cpu.cpp"
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "hwy/foreach_target.h"
// The vector code comes once for every target, so it stays below the line above.
#include "recurrence/cpu-inl.h"

#if HWY_ONCE
namespace warpfold::recurrence {

HWY_EXPORT(blocks_i32);
HWY_EXPORT(blocks_i64);
HWY_EXPORT(blocks_u64);
HWY_EXPORT(blocks_f32);
HWY_EXPORT(blocks_f64);
HWY_EXPORT(take_common);
HWY_EXPORT(vector_words);

template <>
void blocks(const Problem<std::int32_t>& problem, Team& team, std::size_t from, Watch& watch,
            std::span<std::int32_t> table) {
  HWY_DYNAMIC_DISPATCH(blocks_i32)(problem, team, from, watch, table);
}
template <>
void blocks(const Problem<std::int64_t>& problem, Team& team, std::size_t from, Watch& watch,
            std::span<std::int64_t> table) {
  HWY_DYNAMIC_DISPATCH(blocks_i64)(problem, team, from, watch, table);
}
template <>
void blocks(const Problem<std::uint64_t>& problem, Team& team, std::size_t from, Watch& watch,
            std::span<std::uint64_t> table) {
  HWY_DYNAMIC_DISPATCH(blocks_u64)(problem, team, from, watch, table);
}
template <>
void blocks(const Problem<float>& problem, Team& team, std::size_t from, Watch& watch, std::span<float> table) {
  HWY_DYNAMIC_DISPATCH(blocks_f32)(problem, team, from, watch, table);
}
template <>
void blocks(const Problem<double>& problem, Team& team, std::size_t from, Watch& watch, std::span<double> table) {
  HWY_DYNAMIC_DISPATCH(blocks_f64)(problem, team, from, watch, table);
}

std::size_t take_common(std::uint64_t* set, const std::uint8_t* mask, std::size_t words, std::uint64_t* common,
                        std::uint32_t* where) {
  return HWY_DYNAMIC_DISPATCH(take_common)(set, mask, words, common, where);
}

std::size_t vector_words() { return HWY_DYNAMIC_DISPATCH(vector_words)(); }

}  // namespace warpfold::recurrence
#endif  // HWY_ONCE
