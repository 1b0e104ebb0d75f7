#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "machine/formulas.hpp"

/// The times of the programs for two sequences.
namespace warpfold::machine::formulas {

namespace {

/// Of one or more accesses: the stages, and the steps with a request, each of which waits for the latency.
struct Steps {
  std::uint64_t stages = 0, steps = 0;

  Steps& operator+=(const Steps& other) {
    stages += other.stages;
    steps += other.steps;
    return *this;
  }
  [[nodiscard]] std::uint64_t time(std::uint64_t latency) const { return stages + steps * (latency - 1); }
};

std::uint64_t time_of_access(const Machine& machine) { return has_latency(machine) ? machine.latency : 1; }

/// Stages of a warp that accesses `count` words, `step` words apart from `start` on.
std::uint64_t stages_of_warp(const Machine& machine, std::uint64_t start, std::int64_t step, std::uint64_t count) {
  const std::uint64_t w = machine.width, distance = static_cast<std::uint64_t>(std::abs(step));
  if (distance == 0) return 1;
  if (machine.kind == Kind::dmm) return ceil_div(count * std::gcd(distance, w), w);
  if (distance >= w) return count;
  const std::uint64_t reach = distance * (count - 1), least = step < 0 ? start - reach : start;
  return (least + reach) / w - least / w + 1;
}

/// An access of items first .. first + count - 1 to words `step` apart from `start` on. p threads take all items in
/// turn, from item 0 on.
Steps access(const Machine& machine, std::uint64_t p, std::uint64_t start, std::int64_t step, std::uint64_t count,
             std::uint64_t first = 0) {
  Steps steps;
  const std::uint64_t end = first + count, unit = has_latency(machine) ? machine.warp_size() : p;
  for (std::uint64_t turn = first / p; turn * p < end && count > 0; ++turn) {
    ++steps.steps;
    const std::uint64_t turn_end = std::min(end, (turn + 1) * p);
    for (std::uint64_t item = std::max(first, turn * p); item < turn_end;) {
      const std::uint64_t of_warp = std::min(turn_end, (item / unit + 1) * unit) - item;
      const std::uint64_t from = start + static_cast<std::uint64_t>(step * static_cast<std::int64_t>(item - first));
      if (machine.kind == Kind::pram) {
        ++steps.stages;
      } else if (machine.kind == Kind::bpram) {
        steps.stages += ceil_div(of_warp, machine.width);
      } else {
        steps.stages += stages_of_warp(machine, from, step, of_warp);
      }
      item += of_warp;
    }
  }
  return steps;
}

Machine shared_memory_of(const Machine& machine) {
  Machine shared = dmm(machine.width, machine.shared_latency);
  shared.warp = machine.warp;
  return shared;
}

}  // namespace

std::uint64_t pair_sequential(const Machine& machine, std::uint64_t n, std::uint64_t m) {
  return (n + (3 * n - 1) * m) * time_of_access(machine);
}

std::uint64_t pair_rows(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m) {
  Steps all;
  for (std::uint64_t i = 0; i < n; ++i) {
    all += access(machine, p, i, 0, m);
    all += access(machine, p, 0, 1, m);
    if (i > 0) all += access(machine, p, (i - 1) * m, 1, m - 1, 1);
    if (i > 0) all += access(machine, p, (i - 1) * m, 1, m);
    all += access(machine, p, m == 1 ? i : 0, 1, m);
    for (std::uint64_t reach = 1; reach < m; reach *= 2) {
      all += access(machine, p, 0, 1, m);
      all += access(machine, p, 0, 1, m - reach, reach);
      all += access(machine, p, 2 * reach >= m ? i * m : 0, 1, m);
    }
  }
  return all.time(time_of_access(machine));
}

namespace {

struct ReadAndWritten {
  Steps read, written;
};

ReadAndWritten pair_accesses(const Machine& machine, std::uint32_t p, const PairLayout& layout) {
  const bool slides = layout.arrangement == PairArrangement::sliding;
  const bool mirrors = layout.arrangement == PairArrangement::mirroring;
  const std::int64_t step = slides ? 1 : static_cast<std::int64_t>(layout.pitch()) - 1;
  const std::int64_t mirror_step = 1 - static_cast<std::int64_t>(layout.n + layout.padding);
  ReadAndWritten all;
  for (std::uint64_t r = 0; r + 1 < layout.n + layout.m; ++r) {
    const std::uint64_t i = r < layout.m ? 0 : r + 1 - layout.m, last = std::min(r, layout.n - 1), j = r - i;
    const std::uint64_t count = last - i + 1, before = i == 0 ? 1 : 0, behind = last == r ? 1 : 0;
    all.read += access(machine, p, i, 1, count);
    all.read += access(machine, p, j, -1, count);
    if (count > before + behind) {
      const std::uint64_t inner = count - before - behind;
      all.read += access(machine, p, layout.place(i + before - 1, j - before - 1), step, inner, before);
    }
    if (count > before)
      all.read += access(machine, p, layout.place(i + before - 1, j - before), step, count - before, before);
    if (count > behind) {
      all.read += mirrors ? access(machine, p, layout.mirror_place(i, j - 1), mirror_step, count - behind)
                          : access(machine, p, layout.place(i, j - 1), step, count - behind);
    }
    all.written += access(machine, p, layout.place(i, j), step, count);
    if (mirrors) all.written += access(machine, p, layout.mirror_place(i, j), mirror_step, count);
  }
  return all;
}

}  // namespace

std::uint64_t pair_diagonals(const Machine& machine, std::uint32_t p, const PairLayout& layout) {
  Steps all;
  const ReadAndWritten accesses = pair_accesses(machine, p, layout);
  all += accesses.read;
  all += accesses.written;
  return all.time(time_of_access(machine));
}

PairStages pair_diagonals_stages(const Machine& machine, std::uint32_t p, const PairLayout& layout) {
  const ReadAndWritten accesses = pair_accesses(machine, p, layout);
  return {accesses.read.stages, accesses.written.stages};
}

std::uint64_t pair_tiles(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m,
                         std::uint64_t side) {
  const std::uint64_t d = machine.multiprocessors, q = p / d, rows = n / side, columns = m / side;
  const Machine shared = shared_memory_of(machine);
  const auto pitch = static_cast<std::int64_t>(side) + 2;
  // Read: two parts of the sequences, and the borders above and to the left; written: the borders below and to the
  // right.
  Steps of_global = access(machine, q, 0, 1, side + 1), of_shared = access(shared, q, 0, pitch, side + 1);
  for (int part = 0; part < 4; ++part) of_global += access(machine, q, 0, 1, side);
  of_global += access(machine, q, 1, 1, side);
  for (int part = 0; part < 4; ++part) of_shared += access(shared, q, 0, 1, side);
  of_shared += access(shared, q, 0, pitch, side);
  for (std::uint64_t s = 0; s + 1 < 2 * side; ++s) {
    const std::uint64_t cells = std::min(s + 1, 2 * side - 1 - s);
    for (int sequence = 0; sequence < 2; ++sequence) of_shared += access(shared, q, 0, 1, cells);
    for (int cell = 0; cell < 4; ++cell) of_shared += access(shared, q, 0, pitch - 1, cells);
  }
  std::uint64_t time = 0;
  for (std::uint64_t r = 0; r + 1 < rows + columns; ++r) {
    const std::uint64_t tiles = std::min({r + 1, rows, columns, rows + columns - 1 - r});
    for (std::uint64_t first = 0; first < tiles; first += d) {
      const Steps moved{std::min(d, tiles - first) * of_global.stages, of_global.steps};
      time += moved.time(machine.latency) + of_shared.time(machine.shared_latency);
    }
  }
  return time;
}

std::uint64_t pair_slices(const Machine& machine, std::uint32_t p, const PairSlices& slices) {
  const std::uint64_t words = slices.words(), steps = slices.steps(), planes = slices.planes, signs = slices.signs;
  Steps all;
  for (std::uint64_t row = 0; row < slices.n; row += words) {
    all += access(machine, p, row, 1, std::min(words, slices.n - row));
  }
  for (std::uint64_t plane = 0; plane < planes; ++plane) all += access(machine, p, plane * words, 1, words);
  if (signs == 2) all += access(machine, p, 0, 1, words);
  for (std::uint64_t first = 0; first < steps; first += words) {
    const std::uint64_t count = std::min(words, steps - first);
    if (first < slices.m) all += access(machine, p, first, 1, std::min(count, slices.m - first));
    for (std::uint64_t plane = 0; plane < planes; ++plane) {
      if (first > 0) all += access(machine, p, plane * steps + first - words, 1, count);
      all += access(machine, p, plane * steps + first, 1, count);
    }
  }
  for (std::uint64_t t = 0; t + 1 < steps + words; ++t) {
    const std::uint64_t first = t < steps ? 0 : t + 1 - steps, count = std::min(words - 1, t) - first + 1;
    const std::uint64_t alone = first == 0 ? 1 : 0, buffer = (t + 1) % 2 * signs;
    for (std::uint64_t plane = 0; plane < planes; ++plane) {
      all += access(machine, p, plane * steps + t - first, -1, count);
      all += access(machine, p, plane * words + first, 1, count);
    }
    for (std::uint64_t sign = 0; sign < signs; ++sign) {
      if (first == 0 && t >= words) all += access(machine, p, 0, 1, 1);
      if (count > alone) {
        all += access(machine, p, (buffer + sign) * words + first + alone - 1, 1, count - alone, alone);
      }
      all += access(machine, p, sign * words + first, 1, count);
      all += access(machine, p, sign * words + first, 1, count);
      all += access(machine, p, (t % 2 * signs + sign) * words + first, 1, count);
    }
  }
  return all.time(time_of_access(machine));
}

double pair_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m, std::uint64_t bits) {
  const double rows = static_cast<double>(n), columns = static_cast<double>(m);
  return optimal(machine, p, rows * columns / static_cast<double>(bits)) +
         (rows + columns) * static_cast<double>(time_of_access(machine));
}

double pair_rows_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m) {
  const double rows = static_cast<double>(n), columns = static_cast<double>(m);
  const double rounds = std::log2(std::max(columns, 2.0));
  return (optimal(machine, p, rows * columns) + rows * static_cast<double>(time_of_access(machine))) * rounds;
}

double pair_tiles_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m, std::uint64_t side) {
  const double cells = static_cast<double>(n) * static_cast<double>(m), b = static_cast<double>(side);
  const double w = words_of_stage(machine), latency = machine.latency, shared_latency = machine.shared_latency;
  return cells * (1.0 / machine.multiprocessors + 1 / b) / w + cells * shared_latency / p +
         static_cast<double>(n + m) * (b / w + shared_latency + latency / b);
}

std::uint64_t few_words_pair_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m) {
  const std::uint64_t cells = n * m, latency = time_of_access(machine);
  const std::uint64_t bandwidth = machine.kind == Kind::pram ? 0 : ceil_div(cells, words_of_stage(machine));
  return std::max({bandwidth, ceil_div(cells, p) * latency, (n + m - 1) * latency});
}

std::uint64_t few_words_hmm_pair_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n,
                                             std::uint64_t m) {
  const std::uint64_t cells = n * m, latency = std::min(machine.latency, machine.shared_latency);
  const std::uint64_t bandwidth = ceil_div(cells, (machine.multiprocessors + 1) * words_of_stage(machine));
  return std::max({bandwidth, ceil_div(cells, p) * latency, (n + m - 1) * latency});
}

}  // namespace warpfold::machine::formulas
