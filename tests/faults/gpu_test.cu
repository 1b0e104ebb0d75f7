#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "run/cuda.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/devices.hpp"

/// Solves on a GPU whose context is lost before or during the solve, and solves for which any one allocation fails.
/// They must raise the right error, or return the CPU's result if the choice is free, and keep no memory.
///
/// A lost context stays lost until the process ends, so every test runs in a process of its own. CMake redirects the
/// allocating functions to the functions here (-Wl,--wrap).

namespace {

/// The number of allocations that still succeed.
std::atomic<int> allocations_left{1 << 30};

}  // namespace

extern "C" {
cudaError_t __real_cudaMalloc(void** data, size_t bytes);
cudaError_t __real_cudaHostAlloc(void** data, size_t bytes, unsigned flags);

cudaError_t __wrap_cudaMalloc(void** data, size_t bytes) {
  return allocations_left-- > 0 ? __real_cudaMalloc(data, bytes) : cudaErrorMemoryAllocation;
}
cudaError_t __wrap_cudaHostAlloc(void** data, size_t bytes, unsigned flags) {
  return allocations_left-- > 0 ? __real_cudaHostAlloc(data, bytes, flags) : cudaErrorMemoryAllocation;
}
}

namespace warpfold {
namespace {

struct Answer {
  std::string bits;
  std::string device;
};

/// One solve of each family, of a size for which the GPU gains.
struct Solve {
  const char* name;
  std::function<Answer(const Options&)> solve;

  [[nodiscard]] Answer on(Device::Kind kind) const {
    Options options;
    options.device.kind = kind;
    return solve(options);
  }
};

template <class Values>
std::string bits_of(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(*values.data())};
}

template <class T>
Matrix<T> drawn(std::size_t rows, std::size_t columns, unsigned most) {
  std::mt19937 random(17);
  Matrix<T> matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) matrix(i, j) = static_cast<T>(random() % most);
  }
  return matrix;
}

template <class T>
std::string bits_of_solution(const interval::Solution<T>& solution) {
  return bits_of(std::vector<T>{solution.cost}) + bits_of(solution.triangles);
}

Answer triangulation(const Options& options) {
  static const Matrix<float> weights = drawn<float>(2100, 2100, 1000);
  const auto [solution, report] = interval::solve(interval::Triangulation<float>(weights.view()), options);
  return {bits_of_solution(solution), report.device};
}

Answer triangulations(const Options& options) {
  static const Matrix<double> weights = drawn<double>(600, 600, 1000);
  const std::vector<interval::Triangulation<double>> problems(4, interval::Triangulation<double>(weights.view()));
  const auto [solutions, report] = interval::solve_batch(std::span(problems), options);
  std::string bits;
  for (const auto& solution : solutions) bits += bits_of_solution(solution);
  return {bits, report.device};
}

Answer chain(const Options& options) {
  std::mt19937 random(18);
  std::vector<std::int64_t> dimensions(2100);
  for (std::int64_t& dimension : dimensions) dimension = 1 + random() % 50;
  const auto [solution, report] =
      interval::solve_by_dp<std::int64_t>(interval::MatrixChain(std::move(dimensions)), options);
  return {bits_of(std::vector{static_cast<std::int64_t>(solution.cost)}) + bits_of(solution.splits), report.device};
}

Answer product(const Options& options) {
  static const Matrix<float> factor = drawn<float>(2100, 2100, 1000);
  const auto [solution, report] = minplus::multiply(minplus::Semiring::min_plus, factor, factor, options, true);
  return {bits_of(solution.values.values()) + bits_of(solution.argmin.values()), report.device};
}

Answer paths_of_all_pairs(const Options& options) {
  static const Matrix<float> edges = drawn<float>(1100, 1100, 1000);
  const auto [solution, report] = paths::all_pairs(edges, options);
  return {bits_of(solution.lengths.values()) + bits_of(solution.successors.values()), report.device};
}

Answer reach(const Options& options) {
  static const Matrix<std::uint8_t> edges = drawn<std::uint8_t>(1100, 1100, 2);
  const auto [solution, report] = paths::all_pairs(edges, options, {paths::Semiring::or_and, false});
  return {bits_of(solution.lengths.values()), report.device};
}

Answer recurrence_of_weights(const Options& options) {
  std::mt19937 random(19);
  recurrence::Statement<std::int32_t> statement{recurrence::Op::min, {}, {}, 60000, {}, 0};
  for (std::int64_t offset = 1; offset <= 3000; ++offset) {
    statement.offsets.push_back(offset);
    statement.weights.push_back(static_cast<std::int32_t>(random() % 2000));
    statement.initial.push_back(static_cast<std::int32_t>(random() % 2000));
  }
  const auto [solution, report] = recurrence::solve(recurrence::Problem<std::int32_t>(std::move(statement)), options);
  return {bits_of(solution.values), report.device};
}

Answer knapsack_capacities(const Options& options) {
  const auto [solution, report] =
      knapsack::every_capacity(knapsack::generate({"weakly-correlated", 400, 3000, 40, 100, 6}), options);
  return {bits_of(solution.values), report.device};
}

const std::vector<Solve>& solves() {
  static const std::vector<Solve> all = {{"a triangulation", triangulation},
                                         {"a batch of triangulations", triangulations},
                                         {"a chain", chain},
                                         {"a product", product},
                                         {"all pairs", paths_of_all_pairs},
                                         {"reach", reach},
                                         {"a recurrence", recurrence_of_weights},
                                         {"a knapsack", knapsack_capacities}};
  return all;
}

template <class Call>
ErrorKind kind_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error was raised";
  return ErrorKind::internal;
}

/// Runs `work` in a separate process and returns its result. This process never uses the GPU.
bool is_true_alone(const std::function<bool()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(200);
    std::exit(work() ? 0 : 1);  // what ends with the process may end without a context
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void alone(const std::function<void()>& test) {
  EXPECT_TRUE(is_true_alone([&] {
    test();
    return !testing::Test::HasFailure();
  })) << "failed in a process of its own: see above";
}

class GpuFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_true_alone([] { return !gpus().empty(); })) {
      GTEST_SKIP() << "no GPU here: the device test was skipped";
    }
  }
};
using LostContext = GpuFaults;
using ShortDeviceMemory = GpuFaults;

/// Destroys the context after a while, by a trap or by a write to an invalid address.
__global__ void end_the_context(bool by_a_write, long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) __nanosleep(1000);
  if (!by_a_write) __trap();
  *reinterpret_cast<volatile int*>(64) = 1;
}

std::vector<std::string> expected_bits() {
  std::vector<std::string> bits;
  for (const Solve& solve : solves()) bits.push_back(solve.on(Device::Kind::cpu).bits);
  return bits;
}

void expect_that_only_the_cpu_solves(const std::vector<std::string>& expected) {
  for (std::size_t at = 0; at < solves().size(); ++at) {
    const Solve& solve = solves()[at];
    SCOPED_TRACE(solve.name);
    EXPECT_EQ(kind_of([&] { static_cast<void>(solve.on(Device::Kind::cuda)); }), ErrorKind::device);
    for (const Device::Kind kind : {Device::Kind::cpu, Device::Kind::automatic}) {
      const Answer answer = solve.on(kind);
      EXPECT_EQ(answer.device, "cpu");
      EXPECT_TRUE(answer.bits == expected[at]) << "other bits";
    }
  }
}

TEST_F(LostContext, BeforeASolveIsADeviceErrorAndTheCpuSolves) {
  for (const bool by_a_write : {false, true}) {
    alone([=] {
      const std::vector<std::string> expected = expected_bits();
      for (const Solve& solve : solves()) {
        EXPECT_EQ(solve.on(Device::Kind::cuda).device, "cuda:0") << solve.name;  // so that some memory is idle
      }
      end_the_context<<<1, 1>>>(by_a_write, 0);
      EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
      expect_that_only_the_cpu_solves(expected);
    });
  }
}

TEST_F(LostContext, BesideASolveIsADeviceErrorAndTheCpuSolves) {
  for (std::size_t at = 0; at < solves().size(); ++at) {
    alone([=] {
      const Solve& solve = solves()[at];
      SCOPED_TRACE(solve.name);
      const std::string expected = solve.on(Device::Kind::cpu).bits;
      EXPECT_TRUE(solve.on(Device::Kind::cuda).bits == expected) << "other bits";
      const cuda::Stream beside;
      end_the_context<<<1, 1, 0, beside.get()>>>(at % 2 == 0, 100'000'000);  // some 50 ms
      const auto solve_until_it_fails = [&] {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
          EXPECT_TRUE(solve.on(Device::Kind::cuda).bits == expected) << "other bits";
        }
      };
      EXPECT_EQ(kind_of(solve_until_it_fails), ErrorKind::device);
      EXPECT_TRUE(solve.on(Device::Kind::cpu).bits == expected) << "other bits";
      EXPECT_TRUE(solve.on(Device::Kind::automatic).bits == expected) << "other bits";
    });
  }
}

std::size_t free_bytes() {
  release_memory();
  std::size_t free = 0, all = 0;
  cuda::check(cudaMemGetInfo(&free, &all), "tell its memory");
  return free;
}

/// Only the first `allocations` succeed.
template <class Call>
auto with_few(int allocations, const Call& call) {
  release_memory();
  allocations_left = allocations;
  struct Enough {
    ~Enough() { allocations_left = 1 << 30; }
  } afterwards;
  return call();
}

TEST_F(ShortDeviceMemory, AtAnyAllocationIsAnErrorThatKeepsNothingAndTheNextSolveIsRight) {
  alone([] {
    for (const Solve& solve : solves()) {
      SCOPED_TRACE(solve.name);
      const std::string expected = solve.on(Device::Kind::cpu).bits;
      EXPECT_TRUE(solve.on(Device::Kind::cuda).bits == expected) << "other bits";
      const std::size_t before = free_bytes();
      int allowed = 0;
      for (bool suffices = false; !suffices && !testing::Test::HasFailure(); ++allowed) {
        SCOPED_TRACE(testing::Message() << "with " << allowed << " allocations");
        const Answer chosen = with_few(allowed, [&] { return solve.on(Device::Kind::automatic); });
        EXPECT_TRUE(chosen.bits == expected) << "other bits";
        suffices = with_few(allowed, [&] {
          try {
            return solve.on(Device::Kind::cuda).bits == expected;
          } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << error.what();
            return false;
          }
        });
        EXPECT_TRUE(solve.on(Device::Kind::cuda).bits == expected) << "other bits";
        EXPECT_LT(allowed, 100) << "it never suffices";
      }
      EXPECT_GT(allowed, 1) << "no allocation was met";
      EXPECT_GE(free_bytes() + (std::size_t{4} << 20), before) << "memory was kept";
    }
  });
}

}  // namespace
}  // namespace warpfold
