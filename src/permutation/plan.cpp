#include "warpfold/permutation/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/quantity.hpp"
#include "permutation/tuning.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/coloring.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::permutation {

namespace {

/// The permutation, padded with words that stay in place up to `size` of them.
std::vector<std::uint32_t> padded(std::span<const std::uint32_t> permutation, std::size_t size) {
  std::vector<std::uint32_t> out(permutation.begin(), permutation.end());
  for (std::size_t i = out.size(); i < size; ++i) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

void check_width(std::uint32_t width) {
  if (width > 0 && width <= max_banks) return;
  throw Error(ErrorKind::usage, fmt::format("width is {}: 1 .. {} banks are accepted", width, max_banks));
}

void check_entries(const char* name, const std::vector<std::uint16_t>& entries, std::size_t places, std::size_t below) {
  if (entries.size() != places) {
    throw Error(ErrorKind::usage, fmt::format("the plan's {} has {}: {} are accepted", name,
                                              quantity(entries.size(), "entry", "entries"), places));
  }
  const std::size_t most = std::accumulate(entries.begin(), entries.end(), std::uint16_t{0},
                                           [](std::uint16_t a, std::uint16_t b) { return std::max(a, b); });
  if (most < below || places == 0) return;
  throw Error(ErrorKind::usage, fmt::format("the plan's {} has {}: 0 .. {} are accepted", name, most, below - 1));
}

/// Checks the plan's numbers. The moves use them without checks.
void check_plan(const ThreeStepPlan& plan) {
  const auto& [n, rows, columns, first, second, third] = plan;
  if (n == 0 ? rows * columns != 0 : columns == 0 || rows != n / columns + (n % columns != 0)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the plan has {} rows of {} columns: as many as {} words fill are accepted", rows, columns, n));
  }
  check_entries("first", first, rows * columns, columns);
  check_entries("second", second, rows * columns, rows);
  check_entries("third", third, rows * columns, columns);
}

template <class T>
void check_entries_once(std::span<const T> permutation) {
  const std::size_t n = permutation.size();
  if (n > std::size_t{1} << 31) {
    throw Error(ErrorKind::memory_limit, fmt::format("the permutation has {} entries: up to 2^31 are accepted", n));
  }
  std::vector<bool> there(n);
  for (std::size_t i = 0; i < n; ++i) {
    const T entry = permutation[i];
    if (std::cmp_less(entry, 0) || std::cmp_greater_equal(entry, n)) {
      throw Error(ErrorKind::input, fmt::format("permutation[{}] is {}: 0 .. {} are accepted", i, entry, n - 1));
    }
    if (there[static_cast<std::size_t>(entry)]) {
      throw Error(ErrorKind::input,
                  fmt::format("permutation[{}] is {}, as an earlier entry is: each of 0 .. {} once is accepted", i,
                              entry, n - 1));
    }
    there[static_cast<std::size_t>(entry)] = true;
  }
}

}  // namespace

void check_permutation(std::span<const std::uint32_t> permutation) { check_entries_once(permutation); }

std::vector<std::uint32_t> permutation_of(std::span<const std::int64_t> entries) {
  check_entries_once(entries);
  return {entries.begin(), entries.end()};
}

BankSchedule conflict_free_schedule(std::span<const std::uint32_t> permutation, std::uint32_t width,
                                    std::uint64_t seed) {
  check_width(width);
  check_permutation(permutation);
  const std::size_t n = permutation.size();
  const std::vector<std::uint32_t> target = padded(permutation, round_up(n, width));
  std::vector<std::uint32_t> left(target.size());
  std::vector<std::uint32_t> right(target.size());
  for (std::uint32_t i = 0; i < target.size(); ++i) {
    left[i] = i % width;
    right[i] = target[i] % width;
  }
  const std::vector<std::uint32_t> round = color_edges(left, right, width, seed);
  BankSchedule schedule{width, std::vector<std::uint32_t>(target.size(), idle)};
  for (std::uint32_t i = 0; i < n; ++i) schedule.sources[std::size_t{round[i]} * width + i % width] = i;
  return schedule;
}

std::size_t write_stages(std::span<const std::uint32_t> permutation, std::span<const std::uint32_t> sources,
                         std::uint32_t width) {
  check_width(width);
  for (std::size_t place = 0; place < sources.size(); ++place) {
    if (sources[place] == idle || sources[place] < permutation.size()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("sources[{}] is {}: entries of a permutation of {}, or idle, are accepted", place,
                            sources[place], permutation.size()));
  }
  std::vector<std::size_t> in_bank(width);
  std::size_t stages = 0;
  for (std::size_t begin = 0; begin < sources.size(); begin += width) {
    std::fill(in_bank.begin(), in_bank.end(), 0);
    for (const std::uint32_t source : sources.subspan(begin, std::min<std::size_t>(width, sources.size() - begin))) {
      if (source != idle) ++in_bank[permutation[source] % width];
    }
    stages += *std::max_element(in_bank.begin(), in_bank.end());
  }
  return stages;
}

ThreeStepPlan plan_three_steps(std::span<const std::uint32_t> permutation, std::uint64_t seed) {
  check_permutation(permutation);
  ThreeStepPlan plan;
  plan.n = permutation.size();
  if (plan.n == 0) return plan;
  plan.columns = plan_columns(plan.n);
  plan.rows = (plan.n + plan.columns - 1) / plan.columns;
  const std::size_t places = plan.rows * plan.columns;
  const auto columns = static_cast<std::uint32_t>(plan.columns);

  const std::vector<std::uint32_t> target = padded(permutation, places);
  std::vector<std::uint32_t> column(places);
  {
    std::vector<std::uint32_t> left(places);
    std::vector<std::uint32_t> right(places);
    for (std::uint32_t i = 0; i < places; ++i) {
      left[i] = i / columns;
      right[i] = target[i] / columns;
    }
    column = color_edges(left, right, static_cast<std::uint32_t>(plan.rows), seed);
  }
  plan.first.resize(places);
  plan.second.resize(places);
  plan.third.resize(places);
  for (std::uint32_t i = 0; i < places; ++i) {
    const std::size_t source_row = i / columns;
    const std::size_t target_row = target[i] / columns;
    plan.first[source_row * columns + column[i]] = static_cast<std::uint16_t>(i % columns);
    plan.second[target_row * columns + column[i]] = static_cast<std::uint16_t>(source_row);
    plan.third[target[i]] = static_cast<std::uint16_t>(column[i]);
  }
  return plan;
}

template <class T>
void move(const ThreeStepPlan& plan, std::span<const T> from, std::span<T> to, std::span<T> spare, int threads) {
  check_plan(plan);
  const std::size_t pitch = plan.columns + row_gap;
  if (from.size() != plan.n || to.size() != plan.n || spare.size() < spare_words(plan)) {
    throw Error(ErrorKind::usage,
                fmt::format("arrays of {}, {} and {} words: {}, {} and at least {} are accepted by this plan",
                            from.size(), to.size(), spare.size(), plan.n, plan.n, spare_words(plan)));
  }
  const std::size_t columns = plan.columns;
  T* const one = spare.data();
  T* const two = one + plan.rows * pitch;
  constexpr std::size_t block = column_block_bytes / sizeof(T);
  const std::size_t blocks = (columns + block - 1) / block;

  Team team(thread_count(threads));
  team.parallel_for(plan.rows, [&](std::size_t r, int) {
    const std::uint16_t* column = &plan.first[r * columns];
    const T* source = &from[r * columns];
    T* target = one + r * pitch;
    const std::size_t words = std::min(columns, plan.n - r * columns);  // fewer in the last row only
    for (std::size_t c = 0; c < columns; ++c) target[c] = column[c] < words ? source[column[c]] : T{};
  });
  team.parallel_for(blocks, [&](std::size_t b, int) {
    const std::size_t begin = b * block;
    const std::size_t end = std::min(begin + block, columns);
    for (std::size_t r = 0; r < plan.rows; ++r) {
      const std::uint16_t* source_row = &plan.second[r * columns];
      T* target = two + r * pitch;
      for (std::size_t c = begin; c < end; ++c) target[c] = one[source_row[c] * pitch + c];
    }
  });
  team.parallel_for(plan.rows, [&](std::size_t r, int) {
    const std::uint16_t* column = &plan.third[r * columns];
    const T* source = two + r * pitch;
    T* target = &to[r * columns];
    const std::size_t words = std::min(columns, plan.n - r * columns);
    for (std::size_t c = 0; c < words; ++c) target[c] = source[column[c]];
  });
}

std::size_t spare_words(const ThreeStepPlan& plan) { return 2 * plan.rows * (plan.columns + row_gap); }

#define WARPFOLD_INSTANTIATE(T) \
  template void move(const ThreeStepPlan&, std::span<const T>, std::span<T>, std::span<T>, int);
WARPFOLD_FOR_EACH_WORD_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::permutation
