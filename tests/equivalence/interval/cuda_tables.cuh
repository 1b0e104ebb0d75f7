#pragma once

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "several_gpus.hpp"
#include "warpfold/interval/recurrence.cuh"
#include "warpfold/run/devices.hpp"

/// Compares a GPU's table with the CPU's, value by value.
namespace warpfold::interval {

/// Weights of the intervals with ties, some of them forbidden.
template <class S>
struct Weighted {
  using Semiring = S;
  using T = typename S::Value;
  std::span<const T> list;
  std::size_t n;

  constexpr T leaf(std::size_t i) const { return list[i]; }
  constexpr T weight(std::size_t i, std::size_t j) const {
    const T weight = list[i * n + j];
    return weight == T{7} ? S::zero() : weight;
  }
};

class CudaRecurrence : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  }
};

inline constexpr std::size_t sizes[] = {2, 3, 4, 15, 16, 17, 18, 33, 63, 64, 65, 66, 127, 128, 129, 130, 200};

/// `Make` gives the recurrence for n points from a list of numbers, on the host or on the device.
template <class T, class Make>
void expect_the_cpus_table(const std::vector<T>& list, std::size_t n, Make&& make,
                           const std::vector<Device>& devices = {parse_device("cuda")}) {
  const cuda::Array<T> on_device(list);
  Report report;
  Context context({}, report);
  const auto expected = detail::fill_table(make(std::span<const T>(list), n), n, context);
  using S = typename decltype(make(on_device.span(), n))::Semiring;
  if (SemiringTraits<S>::has_infinite_zero && S::is_zero(expected.value())) {
    EXPECT_THROW(static_cast<void>(cuda::solve_recurrence(make(on_device.span(), n), n)), Error) << n << " points";
    return;
  }
  for (const Device& device : devices) {
    const auto solved = cuda::solve_recurrence(make(on_device.span(), n), n, test::on(device));
    const auto got = solved.solution.to_host();
    EXPECT_EQ(solved.report.device, to_string(device));
    EXPECT_EQ(solved.solution.value(), expected.value());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) {
        ASSERT_EQ(got.value(i, j), expected.value(i, j))
            << n << " points, (" << i << "," << j << ") on " << to_string(device);
      }
    }
  }
}

template <class T>
std::vector<T> random_list(std::size_t count, int largest) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<T> values(count);
  for (T& value : values) {
    value = static_cast<T>(random() % static_cast<unsigned>(largest));
    if (std::is_signed_v<T>) value = static_cast<T>(value - largest / 3);
  }
  return values;
}

}  // namespace warpfold::interval
