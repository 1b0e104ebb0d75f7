#pragma once

#include <cstddef>
#include <cstdint>

/// The vector loops of cpu-inl.h for the best instruction set of this processor. Fetch them once per solve.
namespace warpfold::knapsack::cpu {

template <class T>
struct Kernels {
  void (*raise_down)(T* to, const T* from, std::size_t count, T value);
  void (*raise_down_marked)(T* to, const T* from, std::size_t count, T value, std::uint64_t* raised);
  void (*raise_up)(T* to, const T* from, std::size_t count, T value);
};

template <class T>
[[nodiscard]] Kernels<T> kernels();

using OrShifted = void (*)(std::uint64_t* sums, std::size_t first, std::size_t last, std::uint64_t shift);
[[nodiscard]] OrShifted or_shifted();

}  // namespace warpfold::knapsack::cpu
