#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "cuda_tables.cuh"
#include "delay.cuh"

namespace warpfold::interval {

namespace {

/// Makes threads wait at random before they finish an entry, so that tiles become final in other orders.
struct Delayed : Weighted<MinPlus<std::int32_t>> {
  __host__ __device__ std::int32_t weight(std::size_t i, std::size_t j) const {
#ifdef __CUDA_ARCH__
    test::delay_one_of(64);
#endif
    return Weighted::weight(i, j);
  }
};

TEST_F(CudaRecurrence, GivesOneTableInTenThousandSolvesWithDelaysAtEveryFlag) {
  constexpr std::size_t n = 300;
  const auto list = random_list<std::int32_t>(n * n, 30);
  const cuda::Array<std::int32_t> on_device(list);
  Report report;
  Context context({}, report);
  const auto expected = detail::fill_table(Delayed{{list, n}}, n, context);
  std::vector<Device> devices = test::several_gpus();  // each copy of the table has its own flags
  devices.push_back(parse_device("cuda"));
  for (std::size_t solve = 0; solve < 10'000; ++solve) {
    const Options options = test::on(devices[solve % devices.size()]);
    const auto got = cuda::solve_recurrence(Delayed{{on_device.span(), n}}, n, options).solution.to_host();
    std::size_t different = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) different += got.value(i, j) != expected.value(i, j);
    }
    ASSERT_EQ(different, 0) << "solve " << solve;
  }
}

/// A user-defined semiring: the minimum cost, and of equal costs the fewest parts.
struct CostThenParts {
  struct Value {
    std::int32_t cost, parts;
    bool operator==(const Value&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Value& v) { return out << v.cost << "/" << v.parts; }
  };
  static constexpr Value zero() { return {1 << 30, 0}; }
  static constexpr Value one() { return {0, 0}; }
  static constexpr Value plus(Value a, Value b) {
    return b.cost < a.cost || (b.cost == a.cost && b.parts < a.parts) ? b : a;
  }
  static constexpr Value times(Value a, Value b) {
    return a.cost == 1 << 30 || b.cost == 1 << 30 ? zero() : Value{a.cost + b.cost, a.parts + b.parts};
  }
  static constexpr bool is_zero(Value a) { return a.cost == 1 << 30; }
};
struct FewestParts {
  using Semiring = CostThenParts;
  std::span<const std::int32_t> list;
  constexpr CostThenParts::Value leaf(std::size_t i) const { return {list[i], 1}; }
  constexpr CostThenParts::Value close(std::size_t i, std::size_t j, CostThenParts::Value best) const {
    return {best.cost + list[(i * 7 + j * 3) % list.size()], best.parts + (i % 3 == 0)};
  }
};

TEST_F(CudaRecurrence, PairsAreASemiringLikeAnyOther) {
  for (const std::size_t n : sizes) {
    expect_the_cpus_table(random_list<std::int32_t>(n + 5, 6), n,
                          [](std::span<const std::int32_t> list, std::size_t) { return FewestParts{list}; });
  }
}

/// A semiring whose product does not commute: the first and the last of some letters.
struct FirstAndLast {
  using Value = std::uint32_t;  // 0: nothing; 1: empty; else first * 256 + last
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return a < b ? b : a; }
  static constexpr Value times(Value a, Value b) {
    if (a == 0 || b == 0) return 0;
    if (a == 1 || b == 1) return a == 1 ? b : a;
    return (a & 0xff00) | (b & 0xff);
  }
  static constexpr bool is_zero(Value a) { return a == 0; }
};
struct Ends {
  using Semiring = FirstAndLast;
  constexpr std::uint32_t leaf(std::size_t i) const {
    return static_cast<std::uint32_t>((i * 31 % 97 + 1) * 256 + i * 17 % 89 + 2);
  }
  constexpr std::uint32_t close(std::size_t i, std::size_t j, std::uint32_t best) const {
    return (i + j) % 11 == 0 ? 0 : best;
  }
};

TEST_F(CudaRecurrence, FactorsStayInTheirOrder) {
  for (const std::size_t n : sizes) {
    expect_the_cpus_table(std::vector<int>(1), n, [](std::span<const int>, std::size_t) { return Ends(); });
  }
}

template <class T>
struct Pairs {
  using Semiring = MaxPlus<T>;
  std::span<const int> bases;
  constexpr T leaf(std::size_t i) const { return static_cast<T>(bases[i] % 2); }
  constexpr T close(std::size_t i, std::size_t j, T best, T inner) const {
    return bases[i] + bases[j - 1] == 1 ? std::max<T>(best, inner + 1) : best;
  }
};
struct Reachable {
  using Semiring = OrAnd;
  constexpr std::uint8_t leaf(std::size_t i) const { return i % 5 != 0; }
  constexpr std::uint8_t close(std::size_t i, std::size_t j, std::uint8_t best, std::uint8_t inner) const {
    return best | (inner & ((i + 2 * j) % 3 == 0));
  }
};

TEST_F(CudaRecurrence, InnerValuesCrossSubBlocksAndTiles) {
  for (const std::size_t n : sizes) {
    const auto bases = random_list<int>(n, 4);
    expect_the_cpus_table(bases, n, [](std::span<const int> list, std::size_t) { return Pairs<std::int32_t>{list}; });
    expect_the_cpus_table(bases, n, [](std::span<const int> list, std::size_t) { return Pairs<double>{list}; });
    expect_the_cpus_table(bases, n, [](std::span<const int>, std::size_t) { return Reachable(); });
  }
}

template <class T>
std::vector<T> on_host(const T* values, std::size_t count) {
  std::vector<T> host(count);
  warpfold::cuda::check(cudaMemcpy(host.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost), "send a table");
  return host;
}
/// The table that small tables are not filled by: with several blocks of one team on a multiprocessor.
template <class R>
auto filled_by_single_teams(const R& recurrence, std::size_t n) {
  using Rules = device::RecurrenceRules<R, false>;
  using Stored = typename Rules::Value;
  const warpfold::cuda::Buffer<Stored> table(table_size(n, device::tile_side));
  const warpfold::cuda::Buffer<unsigned long long> misfit(1);
  device::Workspace<Stored> workspace(tiles::one_table(n), table.data());
  workspace.clear(nullptr);
  const Rules rules{recurrence, {}, static_cast<unsigned>(n), misfit.data(), workspace.stop()};
  device::launch_kernel<Rules, device::by_capability>(
      workspace, [&](unsigned) { return rules; }, nullptr);
  return on_host(table.data(), table.size());
}
template <class R>
void expect_the_same_of_single_teams(const R& recurrence, std::size_t n) {
  const auto solved = cuda::solve_recurrence(recurrence, n, test::on(parse_device("cuda")));
  const auto expected = on_host(solved.solution.data(), table_size(n, device::tile_side));
  const auto got = filled_by_single_teams(recurrence, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const std::size_t at = entry_offset(i, j, device::tile_side);
      ASSERT_EQ(std::memcmp(&got[at], &expected[at], sizeof got[at]), 0) << n << " points, (" << i << "," << j << ")";
    }
  }
}

TEST_F(CudaRecurrence, BlocksOfOneTeamFillTheTableOfBlocksOfSeveral) {
  for (const std::size_t n : {64, 65, 128, 200, 450}) {
    const cuda::Array<int> bases(random_list<int>(n, 4));
    expect_the_same_of_single_teams(Pairs<std::int32_t>{bases.span()}, n);
    expect_the_same_of_single_teams(Pairs<double>{bases.span()}, n);
    const cuda::Array<float> weights(random_list<float>(n * n, 30));
    expect_the_same_of_single_teams(Weighted<MinPlus<float>>{weights.span(), n}, n);
    const cuda::Array<std::int32_t> costs(random_list<std::int32_t>(n + 5, 6));
    expect_the_same_of_single_teams(FewestParts{costs.span()}, n);
  }
}

template <class T, bool is_fused = false>
struct Chain {
  using Semiring = MinPlus<T>;
  const T* p;
  constexpr T leaf(std::size_t) const { return 0; }
  constexpr T weight(std::size_t, std::size_t) const { return 0; }
  constexpr ProductSplit<T> product_split() const { return {p, p, p, is_fused}; }
};
/// A product and an inner value, with the largest sum.
struct Folded {
  using Semiring = MaxPlus<std::int64_t>;
  const std::int64_t* p;
  constexpr std::int64_t leaf(std::size_t) const { return 1; }
  constexpr std::int64_t close(std::size_t i, std::size_t j, std::int64_t best, std::int64_t inner) const {
    return std::max(best, inner + static_cast<std::int64_t>(i * j % 1000));
  }
  constexpr ProductSplit<std::int64_t> product_split() const { return {p, p, p}; }
};

TEST_F(CudaRecurrence, ProductSplitsGiveTheCpusTableInEveryType) {
  for (const std::size_t n : sizes) {
    const auto check = [&]<class T>(std::vector<T> p, auto make) {
      for (T& value : p) value = std::abs(value) + 1;
      expect_the_cpus_table(p, n, make);
    };
    check(random_list<std::int32_t>(n, 30), [](auto p, std::size_t) { return Chain<std::int32_t>{p.data()}; });
    check(random_list<std::int64_t>(n, 30), [](auto p, std::size_t) { return Chain<std::int64_t>{p.data()}; });
    check(random_list<float>(n, 20), [](auto p, std::size_t) { return Chain<float, true>{p.data()}; });
    check(random_list<double>(n, 30), [](auto p, std::size_t) { return Chain<double, true>{p.data()}; });
    check(random_list<std::int64_t>(n, 30), [](auto p, std::size_t) { return Folded{p.data()}; });
    std::vector<float> fractions = random_list<float>(n, 30);
    for (float& p : fractions) p = p / 7 + 0.1F;
    check(fractions, [](auto p, std::size_t) { return Chain<float>{p.data()}; });
  }
}

struct FreeSplit {
  using Semiring = MinPlus<double>;
  std::span<const double> list;
  constexpr double leaf(std::size_t i) const { return static_cast<double>(i % 3); }
  constexpr double close(std::size_t, std::size_t, double best) const { return best; }
  constexpr double split(std::size_t i, std::size_t k, std::size_t j) const {
    return list[i] * list[j] + list[k] + static_cast<double>((k - i) * (j - k) % 7);
  }
};

TEST_F(CudaRecurrence, AnySplitIsCalledForThreePointsInOrder) {
  for (const std::size_t n : sizes) {
    expect_the_cpus_table(random_list<double>(n, 30), n,
                          [](std::span<const double> list, std::size_t) { return FreeSplit{list}; });
  }
}

template <class Solve>
std::string message_of(Solve&& solve) {
  try {
    static_cast<void>(solve());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct Large {
  using Semiring = MinPlus<std::int32_t>;
  constexpr std::int32_t leaf(std::size_t) const { return 100'000'000; }
  constexpr std::int32_t close(std::size_t, std::size_t, std::int32_t best) const { return best; }
};
struct LargeWeight {
  using Semiring = MinPlus<std::int32_t>;
  constexpr std::int32_t leaf(std::size_t) const { return 0; }
  constexpr std::int32_t weight(std::size_t i, std::size_t j) const { return i == 70 && j == 150 ? 200'000'000 : 1; }
};
struct NoNumber {
  using Semiring = MinMax<float>;
  constexpr float leaf(std::size_t) const { return 0; }
  constexpr float weight(std::size_t i, std::size_t j) const {
    return i == 70 && j == 150 ? std::numeric_limits<float>::quiet_NaN() : 1.0F;
  }
};

struct LargeSplit {
  using Semiring = MinPlus<std::int32_t>;
  constexpr std::int32_t leaf(std::size_t) const { return 0; }
  constexpr std::int32_t close(std::size_t, std::size_t, std::int32_t best) const { return best; }
  constexpr std::int32_t split(std::size_t i, std::size_t k, std::size_t j) const {
    return i == 70 && k == 90 && j == 150 ? 1 << 29 : 0;
  }
};
/// Everything that is not cheap is forbidden, so the whole has no value.
struct Forbidden {
  using Semiring = MaxPlus<std::int64_t>;
  constexpr std::int64_t leaf(std::size_t) const { return 0; }
  constexpr std::int64_t weight(std::size_t i, std::size_t j) const { return j - i > 100 ? Semiring::zero() : -1; }
};

TEST_F(CudaRecurrence, WhatHasNoValueIsInfeasible) {
  EXPECT_EQ(message_of([] { return cuda::solve_recurrence(Forbidden(), 300); }),
            "the recurrence forbids every way to (0,299)");
}

TEST_F(CudaRecurrence, ProductsThatOverflowBeforeLeftIsThereAreRefused) {
  const std::vector<std::int32_t> p(300, 1 << 20);
  EXPECT_EQ(message_of([&] { return cuda::solve_recurrence(Chain<std::int32_t>{p.data()}, 300); }),
            "middle * right of the product split reaches 1099511627776: up to 2147483647 is accepted");
}

TEST_F(CudaRecurrence, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(message_of([] { return cuda::solve_recurrence(LargeSplit(), 300); }),
            "split(70,90,150) is 536870912: -134217727 to 134217727 are accepted, and 1073741823 for no value; "
            "std::int64_t holds more");
  EXPECT_EQ(message_of([] { return cuda::solve_recurrence(Large(), 300); }),
            "value(0,2) is 200000000: -134217727 to 134217727 are accepted, and 1073741823 for no value; std::int64_t "
            "holds more");
  EXPECT_EQ(message_of([] { return cuda::solve_recurrence(LargeWeight(), 300); }),
            "weight(70,150) is 200000000: -134217727 to 134217727 are accepted, and 1073741823 for no value; "
            "std::int64_t holds more");
  EXPECT_EQ(message_of([] { return cuda::solve_recurrence(NoNumber(), 300); }),
            "weight(70,150) is nan: a number or an infinity is accepted");
  EXPECT_EQ(cuda::solve_recurrence(Large(), 2).solution.value(), 100'000'000);
  const std::vector<std::int32_t> p = {2000, 2000, 2000};
  EXPECT_NE(message_of([&] { return cuda::solve_recurrence(Chain<std::int32_t>{p.data()}, 3); }).find("product split"),
            std::string::npos);
}

class SeveralGpusRecurrences : public CudaRecurrence {};

TEST_F(SeveralGpusRecurrences, GiveTheCpusTable) {
  for (const std::size_t n : {2, 64, 65, 129, 300, 700}) {
    const auto check = [&]<class T>(const std::vector<T>& list, auto make) {
      expect_the_cpus_table(list, n, make, test::several_gpus());
    };
    check(random_list<float>(n * n, 30), [](auto list, std::size_t points) {
      return Weighted<MinPlus<float>>{list, points};
    });
    check(random_list<int>(n, 4), [](auto bases, std::size_t) { return Pairs<std::int32_t>{bases}; });
    check(random_list<double>(n, 30), [](auto list, std::size_t) { return FreeSplit{list}; });
    std::vector<std::int32_t> p = random_list<std::int32_t>(n, 30);
    for (std::int32_t& value : p) value = std::abs(value) + 1;
    check(p, [](auto list, std::size_t) { return Chain<std::int32_t>{list.data()}; });
    check(std::vector<double>(p.begin(), p.end()),
          [](auto list, std::size_t) { return Chain<double, true>{list.data()}; });
    std::vector<float> fractions(p.begin(), p.end());
    for (float& value : fractions) value = value / 7 + 0.1F;
    check(fractions, [](auto list, std::size_t) { return Chain<float>{list.data()}; });
  }
}

TEST_F(SeveralGpusRecurrences, NameWhatDoesNotFit) {
  for (const Device& device : test::several_gpus()) {
    EXPECT_EQ(message_of([&] { return cuda::solve_recurrence(LargeWeight(), 300, test::on(device)); }),
              "weight(70,150) is 200000000: -134217727 to 134217727 are accepted, and 1073741823 for no value; "
              "std::int64_t holds more");
    EXPECT_EQ(message_of([&] { return cuda::solve_recurrence(Forbidden(), 300, test::on(device)); }),
              "the recurrence forbids every way to (0,299)");
  }
}

/// The system may start the thread that asks after the solve has ended, which it does rarely.
TEST_F(CudaRecurrence, IsCancelledAtWhateverEarlyMomentItIsAskedToStop) {
  std::mt19937 random(1);
  int cancelled = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    std::stop_source stop;
    Options options;
    options.stop = stop.get_token();
    std::thread asks([&stop, microseconds = random() % 300] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      stop.request_stop();
    });
    try {
      static_cast<void>(cuda::solve_recurrence(Reachable(), 8192, options));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << repeat;
      ++cancelled;
    }
    asks.join();
  }
  EXPECT_GE(cancelled, 990);
}

TEST_F(CudaRecurrence, ATableOnTheDeviceIsHeldAgainstTheDevicesMemoryAlone) {
  Options options;
  options.max_memory = 1000;
  const auto solved = cuda::solve_recurrence(Reachable(), 1000, options);
  EXPECT_GE(solved.report.peak_device_bytes, cuda::DeviceTable<std::uint8_t>::bytes(1000));
  EXPECT_LE(solved.report.peak_bytes, options.max_memory);
}

TEST_F(CudaRecurrence, AnEstimateHasTheBytesThatASolveTakesOfTheGpu) {
  for (const std::size_t points : {2, 64, 1000}) {
    const Estimate expected = cuda::estimate_recurrence(Reachable(), points);
    const auto solved = cuda::solve_recurrence(Reachable(), points);
    EXPECT_EQ(expected.algorithm, solved.report.algorithm);
    EXPECT_EQ(expected.device_bytes, solved.report.peak_device_bytes);
    EXPECT_GT(expected.seconds, 0);
  }
}

TEST_F(CudaRecurrence, WrongCallsAreRefused) {
  const auto kind_of = [](std::size_t points, const Options& options) {
    try {
      static_cast<void>(cuda::solve_recurrence(Reachable(), points, options));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of(1, {}), ErrorKind::input);
  EXPECT_EQ(kind_of(tiles::max_points + 1, {}), ErrorKind::input);
  Options options;
  options.device = {Device::Kind::cuda, 99};
  EXPECT_EQ(kind_of(300, options), ErrorKind::device);
  options = {};
  options.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(kind_of(300, options), ErrorKind::time_limit);
  options = {};
  options.max_device_memory = 1000;
  EXPECT_EQ(kind_of(300, options), ErrorKind::memory_limit);
  EXPECT_EQ(warpfold::cuda::DeviceScope::current(), 0);
}

}  // namespace
}  // namespace warpfold::interval
