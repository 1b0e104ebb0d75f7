#include "warpfold/permutation/move.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "permutation/cuda_move.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/two_passes.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::permutation {

namespace {

constexpr std::size_t words_at_once = 1 << 16;

void check_algorithm(const std::string& name, Device::Kind kind) {
  const std::vector<std::string> accepted = move_algorithms(kind);
  if (name.empty() || std::find(accepted.begin(), accepted.end(), name) != accepted.end()) return;
  throw Error(ErrorKind::usage, fmt::format("algorithm is {}: {} are accepted", name, fmt::join(accepted, ", ")));
}

/// Seconds of the second of two calls, which does not touch new memory.
template <class Run>
double seconds_of(const Run& run) {
  run();
  const auto start = std::chrono::steady_clock::now();
  run();
  return seconds_since(start);
}

/// Calls body(begin, end) for parts of 0 .. n-1.
template <class Body>
void for_parts(std::size_t n, int threads, const Body& body) {
  Team(thread_count(threads)).parallel_for((n + words_at_once - 1) / words_at_once, [&](std::size_t part, int) {
    body(part * words_at_once, std::min(n, (part + 1) * words_at_once));
  });
}

template <class T>
Moved move_typed(std::span<const std::uint32_t> permutation, std::span<const T> from, std::span<T> to,
                 const std::string& algorithm, int threads) {
  constexpr std::size_t line = 64;
  const std::size_t n = permutation.size();
  Moved moved{algorithm.empty() ? move_algorithms(Device::Kind::cpu).front() : algorithm};
  moved.copy_seconds = seconds_of([&] {
    for_parts(n, threads, [&](std::size_t begin, std::size_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
  });
  const auto start = std::chrono::steady_clock::now();
  if (moved.algorithm == "two-passes") {
    const TwoPassPlan plan(permutation, 0, threads);
    moved.plan_seconds = seconds_since(start);
    std::vector<T> middle(n);
    moved.move_seconds = seconds_of([&] { plan.move<T>(from, to, middle, threads); });
    moved.bytes_moved = 4 * n * sizeof(T) + plan.bytes();
  } else if (moved.algorithm == "three-steps") {
    const ThreeStepPlan plan = plan_three_steps(permutation);
    moved.plan_seconds = seconds_since(start);
    std::vector<T> spare(spare_words(plan));
    moved.move_seconds = seconds_of([&] { move<T>(plan, from, to, spare, threads); });
    moved.bytes_moved = 6 * n * (sizeof(T) + 1);
  } else {
    moved.move_seconds = seconds_of([&] {
      for_parts(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) to[permutation[i]] = from[i];
      });
    });
    moved.bytes_moved = n * (sizeof(T) + sizeof(std::uint32_t) + line);
  }
  return moved;
}

}  // namespace

std::vector<std::string> move_algorithms(Device::Kind kind) {
  if (kind == Device::Kind::cuda) return {"two-passes", "gather", "scatter", "axes", "rotation"};
  return {"scatter", "two-passes", "three-steps"};
}

Moved move_words(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const std::byte* from,
                 std::byte* to, const Options& options) {
  check_word_bytes(word_bytes);
  check_permutation(permutation);
  const bool on_gpu = options.device.kind == Device::Kind::cuda;
  check_algorithm(options.algorithm, on_gpu ? Device::Kind::cuda : Device::Kind::cpu);
  if (on_gpu) return cuda::move_words(permutation, word_bytes, from, to, options);
  return with_word(word_bytes, [&]<class T>(T) {
    const std::size_t n = permutation.size();
    return move_typed<T>(permutation, {reinterpret_cast<const T*>(from), n}, {reinterpret_cast<T*>(to), n},
                         options.algorithm, options.threads);
  });
}

std::size_t group_stages(std::span<const std::uint32_t> places, std::uint32_t lanes, std::uint32_t group) {
  if (lanes == 0 || group == 0) {
    throw Error(ErrorKind::usage, fmt::format("{} lanes and groups of {}: 1 or more are accepted", lanes, group));
  }
  std::size_t stages = 0;
  std::vector<std::uint32_t> groups;
  for (std::size_t begin = 0; begin < places.size(); begin += lanes) {
    groups.clear();
    for (const std::uint32_t place : places.subspan(begin, std::min<std::size_t>(lanes, places.size() - begin))) {
      groups.push_back(place / group);
    }
    std::sort(groups.begin(), groups.end());
    stages += static_cast<std::size_t>(std::unique(groups.begin(), groups.end()) - groups.begin());
  }
  return stages;
}

}  // namespace warpfold::permutation
