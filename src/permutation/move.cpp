#include "warpfold/permutation/move.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "permutation/cuda_move.hpp"
#include "permutation/parts.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::permutation {

namespace {

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

/// Measures a move and a copy of n words.
template <class T, class Move>
void measure(Moved& moved, std::span<const T> from, std::span<T> to, int threads, const Move& move) {
  moved.copy_seconds = seconds_of([&] {
    for_parts(from.size(), threads, [&](std::size_t begin, std::size_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
  });
  moved.move_seconds = seconds_of(move);
}

/// Moves by the permutation itself.
template <class T>
Moved scatter(std::span<const std::uint32_t> permutation, std::span<const T> from, std::span<T> to, int threads) {
  constexpr std::size_t line = 64;
  Moved moved{"scatter", permutation.size() * (sizeof(T) + sizeof(std::uint32_t) + line)};
  measure(moved, from, to, threads, [&] {
    for_parts(permutation.size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[permutation[i]] = from[i];
    });
  });
  return moved;
}

/// Calls visit(from, to) with the words as spans of their type.
template <class Visit>
Moved with_spans(std::size_t n, std::size_t word_bytes, const std::byte* from, std::byte* to, const Visit& visit) {
  return with_word(word_bytes, [&]<class T>(T) {
    return visit(std::span<const T>(reinterpret_cast<const T*>(from), n), std::span<T>(reinterpret_cast<T*>(to), n));
  });
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
  if (options.algorithm.empty() || options.algorithm == "scatter") {
    return with_spans(permutation.size(), word_bytes, from, to,
                      [&]<class T>(std::span<const T> source, std::span<T> target) {
                        return scatter<T>(permutation, source, target, options.threads);
                      });
  }
  const auto start = std::chrono::steady_clock::now();
  const StoredPlan plan = plan_to_store(permutation, options.algorithm, options.threads);
  const double seconds = seconds_since(start);
  Moved moved = move_words(plan, word_bytes, from, to, options);
  moved.plan_seconds = seconds;
  return moved;
}

StoredPlan stored_plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const Options& options) {
  check_word_bytes(word_bytes);
  if (options.device.kind != Device::Kind::cuda) return plan_to_store(permutation, options.algorithm, options.threads);
  check_permutation(permutation);
  check_algorithm(options.algorithm, Device::Kind::cuda);
  return cuda::stored_plan(permutation, word_bytes, options);
}

Moved move_words(const StoredPlan& plan, std::size_t word_bytes, const std::byte* from, std::byte* to,
                 const Options& options) {
  check_word_bytes(word_bytes);
  if (options.device.kind == Device::Kind::cuda) return cuda::move_words(plan, word_bytes, from, to, options);
  Moved moved{plan.algorithm(), plan.bytes_moved(word_bytes)};
  std::vector<std::byte> spare(plan.spare_bytes(word_bytes));
  return with_spans(plan.size(), word_bytes, from, to, [&]<class T>(std::span<const T> source, std::span<T> target) {
    measure(moved, source, target, options.threads,
            [&] { plan.move(word_bytes, from, to, spare, 1, options.threads); });
    return moved;
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
