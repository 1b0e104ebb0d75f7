#include "machine/formulas.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace warpfold::machine::formulas {

namespace {

/// The time that the latency adds if `count` items are taken p at a time, with `accesses` accesses per item.
std::uint64_t waits(const Machine& machine, std::uint64_t p, std::uint64_t count, std::uint64_t accesses) {
  return ceil_div(count, p) * accesses * (machine.latency - 1);
}

double latency_of(const Machine& machine) { return has_latency(machine) ? machine.latency : 1; }

Machine shared_memory(const Machine& machine) {
  Machine shared = dmm(machine.width, machine.shared_latency);
  shared.warp = machine.warp;
  return shared;
}

/// The number of threads of a multiprocessor.
std::uint32_t block_threads(const Machine& machine, std::uint32_t p) { return p / machine.multiprocessors; }

/// The time of a block total: each thread of a multiprocessor writes its value, the values are added by halving, and
/// all threads read the total.
std::uint64_t block_total(const Machine& machine, std::uint32_t p) {
  const std::uint32_t q = block_threads(machine, p);
  const Machine shared = shared_memory(machine);
  return contiguous(shared, q, q) + sum(shared, q, q) + broadcast(shared, q, q);
}

/// q/w + l' log2 q.
double block_total_bound(const Machine& machine, std::uint32_t p) {
  const double q = block_threads(machine, p);
  return q / words_of_stage(machine) + machine.shared_latency * std::log2(std::max(q, 2.0));
}

}  // namespace

std::uint64_t accesses_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t accesses) {
  if (accesses == 0) return 0;
  const std::uint64_t turns = ceil_div(accesses, p);
  if (machine.kind == Kind::pram) return turns;
  if (machine.kind == Kind::bpram) return std::max(turns, ceil_div(accesses, machine.width));
  return std::max(ceil_div(accesses, words_of_stage(machine)) + machine.latency - 1, turns * machine.latency);
}

double optimal(const Machine& machine, std::uint32_t p, double n) {
  if (machine.kind == Kind::pram) return n / p;
  return n / words_of_stage(machine) + n * latency_of(machine) / p;
}

std::uint64_t contiguous(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t w = words_of_stage(machine);
  if (machine.kind == Kind::pram) return ceil_div(n, p);
  if (machine.kind == Kind::bpram) return n / p * ceil_div(p, w) + ceil_div(n % p, w);
  return ceil_div(n, w) + waits(machine, p, n, 1);
}

std::uint64_t broadcast(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  if (!has_latency(machine)) return contiguous(machine, p, n);
  return ceil_div(n, machine.warp_size()) + waits(machine, p, n, 1);
}

std::uint64_t stride(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t w = machine.width, s = n / p;
  if (!has_latency(machine)) return contiguous(machine, p, n);
  if (machine.warp_size() < w) {
    std::uint64_t time = 0;
    for (std::uint64_t t = 0; t < s; ++t) time += progression(machine, p, t, s, p);
    return time;
  }
  const std::uint64_t stages_of_w_threads = machine.kind == Kind::dmm ? std::gcd(s, w) : std::min(s, w);
  return (stages_of_w_threads * (p / w) + machine.latency - 1) * s;
}

double stride_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n), w = machine.width, s = words / p, latency = words * machine.latency / p;
  const double warps = words / machine.warp_size();
  const auto g = static_cast<double>(std::gcd(n / p, std::uint64_t{machine.width}));
  if (machine.kind == Kind::dmm) return std::max(words * g / w, warps) + latency;
  if (has_groups(machine)) return std::min(words, std::max(words / w * s, warps)) + latency;
  return optimal(machine, p, words);
}

std::uint64_t progression_stages(const Machine& machine, std::uint64_t start, std::uint64_t step, std::uint64_t count) {
  if (machine.kind == Kind::pram) return 1;
  const std::uint64_t w = machine.width, warp = machine.warp_size();
  if (machine.kind == Kind::bpram) return ceil_div(count, w);
  std::uint64_t stages = 0;
  for (std::uint64_t done = 0; done < count; done += warp) {
    const std::uint64_t m = std::min(warp, count - done), first = start + done * step, last = first + (m - 1) * step;
    if (machine.kind == Kind::dmm) {
      stages += ceil_div(m * std::gcd(step, w), w);
    } else {
      stages += step >= w ? m : last / w - first / w + 1;
    }
  }
  return stages;
}

std::uint64_t progression(const Machine& machine, std::uint32_t p, std::uint64_t start, std::uint64_t step,
                          std::uint64_t count) {
  if (!has_latency(machine)) return contiguous(machine, p, count);
  return progression_stages(machine, start, step, count) + waits(machine, p, count, 1);
}

std::uint64_t groups(std::span<Interval> intervals, std::uint64_t w) {
  std::ranges::sort(intervals, {}, &Interval::first);
  std::uint64_t count = 0, next = 0;  // the first group not yet counted
  for (const Interval& interval : intervals) {
    const std::uint64_t first = std::max(interval.first / w, next), end = interval.last / w + 1;
    if (end <= first) continue;
    count += end - first;
    next = end;
  }
  return count;
}

std::uint64_t sequential(const Machine& machine, std::uint32_t p, std::span<const AccessRun> runs) {
  std::uint64_t length = 0, stages = 0, room = machine.warp_size();
  std::vector<Interval> of_the_warp;
  const auto end_warp = [&] {
    stages += groups(of_the_warp, machine.width);
    of_the_warp.clear();
    room = machine.warp_size();
  };
  for (const AccessRun& run : runs) {
    length += run.length;
    for (std::uint64_t done = 0; done < run.length;) {
      const std::uint64_t take = std::min(room, run.length - done), first = run.first + (run.still ? 0 : done);
      of_the_warp.push_back({first, run.still ? first : first + take - 1});
      done += take;
      room -= take;
      if (room == 0) end_warp();
    }
  }
  end_warp();
  return has_latency(machine) ? stages + waits(machine, p, length, 1) : contiguous(machine, p, length);
}

std::uint64_t sequential_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t f) {
  return 2 * ceil_div(n, words_of_stage(machine)) + 2 * f + ceil_div(n, p) * (machine.latency - 1);
}

std::uint64_t transpose_straightforward(const Machine& machine, std::uint32_t p, std::uint64_t side, bool as_printed) {
  const std::uint64_t n = side * side, w = machine.width, warp = machine.warp_size();
  if (as_printed) return 2 * contiguous(machine, p, n) + 2 * (n + waits(machine, p, n, 1));
  const std::uint64_t exchanges = side * (side - 1) / 2;
  std::uint64_t of_rows = 0, steps = 0;  // stages of an access along a row; steps with at least one exchange
  for (std::uint64_t q = 0; q < n; q += p) {
    bool any = false;
    for (std::uint64_t first = q; first < std::min<std::uint64_t>(q + p, n); first += warp) {
      const std::uint64_t end = first % side + warp, begin = std::max(first % side, first / side + 1);  // j < k < end
      if (begin >= end) continue;
      of_rows += ceil_div(end - begin, w);
      any = true;
    }
    steps += any;
  }
  return 2 * of_rows + 2 * exchanges + 4 * steps * (machine.latency - 1);
}

double transpose_bound(const Machine& machine, std::uint32_t p, std::uint64_t side, bool as_printed) {
  const double n = static_cast<double>(side) * static_cast<double>(side), w = machine.width;
  const double warps = n / machine.warp_size();
  if (machine.kind == Kind::dmm) {
    const auto g = static_cast<double>(std::gcd(side, std::uint64_t{machine.width}));
    return std::max(n / w * g, warps) + n * machine.latency / p;
  }
  const double s = as_printed ? n / p : static_cast<double>(side);
  return std::min(n, std::max(n / w * s, warps)) + n * machine.latency / p;
}

std::uint64_t transpose_diagonal(const Machine& machine, std::uint32_t p, std::uint64_t side) {
  const std::uint64_t n = side * side;
  const std::uint64_t copy = 2 * contiguous(machine, p, n);
  return has_groups(machine) ? copy + 2 * (n + waits(machine, p, n, 1)) : 2 * copy;
}

std::uint64_t transpose_rotating(const Machine& machine, std::uint32_t p, std::uint64_t side, std::uint64_t matrices) {
  const std::uint64_t w = machine.width, m = side / w, warps = p / w;
  const std::uint64_t blocks = matrices * m * m, swaps = matrices * w * (m * (m - 1) / 2);
  return 2 * w * blocks + waits(machine, warps, blocks, 2 * w) + 4 * swaps + waits(machine, warps, swaps, 4);
}

std::uint64_t permute_umm(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  std::uint64_t time = 0, passes = 1, size = n;
  for (; size > machine.width; passes *= 3) {
    const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(size))));
    time += 2 * passes * transpose_rotating(machine, p, side, n / size);
    size = side;
  }
  return time + passes * 2 * contiguous(machine, p, n);
}

std::uint64_t sum(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  std::uint64_t time = 0;
  while (n > 1) {
    const std::uint64_t half = ceil_div(n, 2);
    time += 2 * contiguous(machine, p, n - half) + progression(machine, p, half, 1, n - half);
    n = half;
  }
  return time;
}

std::uint64_t prefix_sums(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  if (n < 2) return 0;
  const std::uint64_t half = n / 2, evens = (n - 1) / 2;
  const std::uint64_t up =
      progression(machine, p, 0, 2, half) + progression(machine, p, 1, 2, half) + contiguous(machine, p, half);
  const std::uint64_t down = contiguous(machine, p, half) + progression(machine, p, 1, 2, half) +
                             contiguous(machine, p, evens) + 2 * progression(machine, p, 2, 2, evens);
  return up + prefix_sums(machine, p, half) + down;
}

double tree_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n);
  return optimal(machine, p, words) + latency_of(machine) * std::log2(std::max(words, 1.0));
}

std::uint64_t dp_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, bool as_printed) {
  const std::uint64_t step = n + 1;  // from M(i, j) to M(i+1, j+1)
  std::vector<AccessRun> rows;
  for (std::uint64_t i = 1; i + 1 < n; ++i) rows.push_back({i * n + i + 1, n - 1 - i});
  std::uint64_t time = sequential(machine, p, rows);
  time += progression(machine, p, n + 1, step, n - 1);
  if (as_printed) time += progression(machine, p, n + 2, step, n - 2);
  for (std::uint64_t r = as_printed ? 2 : 1; r + 2 <= n; ++r) {
    const std::uint64_t count = n - r - 1;
    const std::uint64_t own = progression(machine, p, n + 1 + r, step, count);
    for (std::uint64_t k = 0; k < r; ++k) {
      time += 2 * own + progression(machine, p, n + 1 + k, step, count) +
              progression(machine, p, (k + 2) * n + 1 + r, step, count);
    }
    time += 2 * own + progression(machine, p, 1 + r, step, count);
  }
  return time;
}

std::uint64_t opt_by_threads(const Machine& machine, std::uint32_t p, std::uint64_t n, bool sliding) {
  const auto place = [&](std::uint64_t i, std::uint64_t j) { return (sliding ? j - i : i) * n + j; };
  const std::uint64_t step = sliding ? 1 : n + 1;  // from M(i, j) to M(i+1, j+1)
  std::uint64_t time = progression(machine, p, place(1, 1), step, n - 1);
  for (std::uint64_t r = 1; r + 2 <= n; ++r) {
    const std::uint64_t count = n - r - 1;
    for (std::uint64_t k = 1; k <= r; ++k) {
      time += progression(machine, p, place(1, k), step, count);
      time += progression(machine, p, place(k + 1, 1 + r), step, count);
    }
    time += progression(machine, p, 1 + r, n + 1, count) + progression(machine, p, place(1, 1 + r), step, count);
  }
  return time;
}

Trapezoid::Place Trapezoid::at(std::uint64_t index) const {
  const std::uint64_t rectangle = full * length;
  if (index < rectangle) {
    const auto row = static_cast<std::uint32_t>(index) / static_cast<std::uint32_t>(length);
    return {row, index - row * length};
  }
  // Counted from the end, the triangle's rows have 1, 2, 3 .. elements.
  const std::uint64_t from_end = size() - 1 - index;
  const auto row = static_cast<std::uint64_t>((std::sqrt(static_cast<double>(8 * from_end + 1)) - 1) / 2);
  return {full + tail - 1 - row, row - (from_end - row * (row + 1) / 2)};
}

Trapezoid umm_opt_rows(std::uint64_t n, std::uint64_t r) {
  const std::uint64_t full = n > 2 * r ? n - 2 * r : 0;
  return {full, r, n - r - 1 - full};
}

std::uint64_t umm_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, bool as_printed) {
  std::vector<AccessRun> runs;
  const auto rows = [&](const Trapezoid& trapezoid, auto first_of_row, bool still = false) {
    runs.clear();
    for (std::uint64_t row = 0; row < trapezoid.rows(); ++row) {
      runs.push_back({first_of_row(row + 1), trapezoid.length_of(row), still});
    }
    return sequential(machine, p, runs);
  };
  const std::uint64_t step = n + 1;
  std::uint64_t time = rows({0, 0, n - 2}, [&](std::uint64_t i) { return i * n + i + 1; });
  time += progression(machine, p, n + 1, step, n - 1);
  for (std::uint64_t r = 1; r + 2 <= n; ++r) {
    const std::uint64_t copied = as_printed ? n - r - 1 : n - r;
    time += progression(machine, p, n + r, step, copied) + progression(machine, p, 1, 1, copied);
    const Trapezoid stage = umm_opt_rows(n, r);
    const std::uint64_t updated = rows(stage, [&](std::uint64_t i) { return i * n + i + r; });
    time += 4 * updated;
    time += rows(
        stage, [&](std::uint64_t i) { return i * n + i + r - 1; }, true);
    time += rows(stage, [&](std::uint64_t i) { return (i + r) * n + i + r; });
    time += rows(stage, [&](std::uint64_t i) { return i * n + i; });
    time += rows(stage, [&](std::uint64_t i) { return i + 1; });
    time += 2 * progression(machine, p, n + 1 + r, step, n - r - 1) + progression(machine, p, 1 + r, step, n - r - 1);
  }
  return time;
}

double opt_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const auto size = static_cast<double>(n);
  return optimal(machine, p, size * size * size) + size * latency_of(machine);
}

std::uint64_t opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t chords = n * (n - 3) / 2, latency = has_latency(machine) ? machine.latency : 1;
  const std::uint64_t bandwidth = machine.kind == Kind::pram ? 0 : ceil_div(chords, words_of_stage(machine));
  return std::max({bandwidth, ceil_div(chords, p) * latency, latency});
}

std::uint64_t opt_one_thread(const Machine& machine, std::uint64_t n) {
  return (n * (n - 3) / 2 + 1) * (has_latency(machine) ? machine.latency : 1);
}

std::uint64_t few_words_opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  if (n < 3) return 0;
  const std::uint64_t splits = n * (n - 1) * (n - 2) / 6, latency = has_latency(machine) ? machine.latency : 1;
  const std::uint64_t bandwidth = machine.kind == Kind::pram ? 0 : ceil_div(splits, machine.warp_size());
  return std::max({bandwidth, ceil_div(splits, p) * latency, (n - 2) * latency});
}

std::uint64_t tiled_umm_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t side) {
  const std::uint64_t d = machine.multiprocessors, q = p / d, w = words_of_stage(machine), words = side * side;
  const std::uint64_t tiles = ceil_div(n, side), turns = ceil_div(words, q);
  const std::uint64_t wait = machine.latency - 1, shared_wait = machine.shared_latency - 1;
  const std::uint64_t shared_access = words / w + turns * shared_wait;  // of every word of a tile once
  const auto of_a_diagonal = [&](std::uint64_t elements, std::uint64_t accesses) {
    return accesses * (ceil_div(elements, w) + ceil_div(elements, q) * shared_wait);
  };
  // In a product a warp reads one word of each of its rows of `left`, and all words of its columns of `right`.
  const std::uint64_t warp = machine.warp_size(), shared_wait_of_words = turns * shared_wait;
  const std::uint64_t of_left = words / std::min(warp, side) + shared_wait_of_words;
  const std::uint64_t of_right =
      ceil_div(words, warp) * ceil_div(std::min(warp, side), machine.width) + shared_wait_of_words;
  std::uint64_t close_on = 0, close_off = 0;
  for (std::uint64_t s = 2; s < side; ++s) close_on += of_a_diagonal(side - s, 2 * (s - 1) + 2);
  for (std::uint64_t s = 0; s + 1 < 2 * side; ++s)
    close_off += of_a_diagonal(std::min(s + 1, 2 * side - 1 - s), 2 * s + 3);
  std::uint64_t time = 0;
  for (std::uint64_t r = 0; r < tiles; ++r) {
    for (std::uint64_t first = 0; first < tiles - r; first += d) {
      const std::uint64_t active = std::min(d, tiles - r - first);
      const std::uint64_t move = active * words / w + turns * wait + shared_access;
      const std::uint64_t products = r > 1 ? r - 1 : 0, moves = 2 * products + (r == 0 ? 2 : 4);
      time += moves * move + products * side * (of_left + of_right) + shared_access + (r == 0 ? close_on : close_off);
    }
  }
  return time;
}

double tiled_umm_opt_leading(const Machine& machine, std::uint64_t n, std::uint64_t side) {
  const double size = static_cast<double>(n), rows = 1.0 / static_cast<double>(side);
  return size * size * size / (3.0 * words_of_stage(machine)) * ((1 + rows) / machine.multiprocessors + rows);
}

std::uint64_t few_words_hmm_opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  if (n < 3) return 0;
  const std::uint64_t splits = n * (n - 1) * (n - 2) / 6, latency = std::min(machine.latency, machine.shared_latency);
  const std::uint64_t words = (std::uint64_t{machine.multiprocessors} + 1) * machine.warp_size();
  return std::max({ceil_div(splits, words), ceil_div(splits, p) * latency, (n - 2) * latency});
}

std::uint64_t sum_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t d = machine.multiprocessors;
  const auto part = [&](std::uint32_t threads, std::uint64_t words, std::uint64_t written) {
    return contiguous(machine, threads, words) + block_total(machine, p) + written + machine.latency - 1;
  };
  return part(p, n, d) + part(block_threads(machine, p), d, 1);
}

double sum_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  return optimal(machine, p, static_cast<double>(n)) + machine.latency + machine.multiprocessors +
         block_total_bound(machine, p);
}

std::uint64_t prefix_sums_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t d = machine.multiprocessors, wait = machine.latency - 1;
  const std::uint32_t q = block_threads(machine, p);
  const std::uint64_t chunks = ceil_div(ceil_div(n, q), d),
                      of_words = ceil_div(n, words_of_stage(machine)) + chunks * wait;
  std::uint64_t carries = ceil_div(d - 1, q) * wait;
  for (std::uint64_t m = 0; m < d; ++m) carries += ceil_div(m, words_of_stage(machine));
  const Machine shared = shared_memory(machine);
  const std::uint64_t of_chunk = 2 * contiguous(shared, q, q) + broadcast(shared, q, q) + prefix_sums(shared, q, q);
  return 3 * of_words + 2 * block_total(machine, p) + d + wait + carries + chunks * of_chunk;
}

double prefix_sums_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n), d = machine.multiprocessors;
  return optimal(machine, p, words) + machine.latency + d + d * d / words_of_stage(machine) +
         (words / p + 1) * block_total_bound(machine, p);
}

std::uint64_t transpose_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side, std::uint64_t padding) {
  const std::uint64_t w = machine.width, n = side * side;
  const std::uint64_t rounds = ceil_div(n / (w * w), machine.multiprocessors);
  const std::uint64_t turns = ceil_div(w * w, block_threads(machine, p));
  const std::uint64_t of_stage = words_of_stage(machine), warp = machine.warp_size(), g = std::gcd(padding, w);
  std::uint64_t columns = 0;  // stages of reading a tile along its columns
  if (warp < w) columns = w * w / warp * ceil_div(warp * g, w);
  for (std::uint64_t column = 0; warp >= w && column < w; column += warp / w) {
    columns += g * ceil_div(std::min(warp / w, w - column), g);
  }
  const std::uint64_t shared = w * w / of_stage + columns + 2 * turns * (machine.shared_latency - 1);
  return 2 * n / of_stage + rounds * (2 * turns * (machine.latency - 1) + shared);
}

std::uint64_t rows_at_once(const Machine& machine, std::uint32_t p, std::uint64_t side) {
  std::uint64_t rows = std::min(block_threads(machine, p) / side, side / machine.multiprocessors);
  while (rows > 1 && side % rows != 0) --rows;
  return std::max<std::uint64_t>(rows, 1);
}

std::uint64_t permute_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side) {
  const std::uint64_t w = words_of_stage(machine), rows_of_block = rows_at_once(machine, p, side);
  const std::uint64_t rounds = ceil_div(side / rows_of_block, machine.multiprocessors);
  const std::uint64_t turns = ceil_div(rows_of_block * side, block_threads(machine, p));
  const std::uint64_t shared = 4 * (rows_of_block * side / w + turns * (machine.shared_latency - 1));
  const std::uint64_t rows = 2 * side * side / w + rounds * (2 * turns * (machine.latency - 1) + shared);
  return 3 * rows + 2 * transpose_hmm(machine, p, side, 1);
}

std::uint64_t matrix_product(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  return (n + 1) * contiguous(machine, p, n * n) + n * broadcast(machine, p, n * n);
}

std::uint64_t matrix_product_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t w = machine.width, across = n / w, rounds = ceil_div(across * across, machine.multiprocessors);
  const std::uint64_t turns = ceil_div(w * w, block_threads(machine, p));
  const std::uint64_t global = n * n / words_of_stage(machine) + rounds * turns * (machine.latency - 1);
  const std::uint64_t wait = turns * (machine.shared_latency - 1);
  const std::uint64_t words = w * w / words_of_stage(machine) + wait;      // a tile's words, each once
  const std::uint64_t rows = ceil_div(w * w, machine.warp_size()) + wait;  // each warp reads one row of a tile
  return (2 * across + 1) * global + rounds * across * ((w + 2) * words + w * rows);
}

double matrix_product_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double size = static_cast<double>(n), terms = size * size * size, w = words_of_stage(machine);
  return terms / w * (1 / w + 1.0 / machine.multiprocessors) +
         terms / p * (machine.latency / w + machine.shared_latency);
}

std::uint64_t bitonic_sort(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const auto merges = static_cast<std::uint64_t>(std::bit_width(n) - 1);
  const bool conflicts = has_latency(machine) && n > machine.width && machine.warp_size() >= machine.width;
  std::uint64_t time = 0;
  for (std::uint64_t m = 1; m <= merges; ++m) {
    time += m * 4 * contiguous(machine, p, n / 2);
    if (!conflicts) continue;
    const std::uint64_t close = std::min(m, static_cast<std::uint64_t>(std::bit_width(machine.width) - 1));
    time += close * 4 * (n / 2 / machine.width);
  }
  return time;
}

double bitonic_sort_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n), log = std::log2(words);
  return (optimal(machine, p, words) + latency_of(machine)) * log * log;
}

double list_ranking_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n);
  const double jumps = has_latency(machine) ? words + words * machine.latency / p : optimal(machine, p, words);
  return (jumps + latency_of(machine)) * std::log2(std::max(words, 2.0));
}

double search_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t degree,
                    std::uint64_t levels) {
  const double vertices = static_cast<double>(n), k = static_cast<double>(degree), d = static_cast<double>(levels);
  const double latency = d * k * (vertices / p + 1) * latency_of(machine);
  if (machine.kind == Kind::pram) return latency;
  return d * (vertices + p) / words_of_stage(machine) + latency + k * vertices;
}

std::uint64_t fft(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const auto rounds = static_cast<std::uint64_t>(std::countr_zero(n));
  return 2 * contiguous(machine, p, n) + rounds * 4 * contiguous(machine, p, n / 2);
}

double fft_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n), rounds = std::log2(std::max(words, 2.0));
  return (optimal(machine, p, words) + latency_of(machine)) * rounds + (has_latency(machine) ? words : 0);
}

std::uint64_t prefix_sums_blocks(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  return 3 * stride(machine, p, n) + 2 * contiguous(machine, p, p) + prefix_sums(machine, p, p);
}

double prefix_sums_blocks_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double blocks =
      has_latency(machine) ? stride_bound(machine, p, n) : optimal(machine, p, static_cast<double>(n));
  return blocks + latency_of(machine) * std::log2(std::max<double>(p, 2));
}

std::uint64_t convolution(const Machine& machine, std::uint32_t p, std::uint64_t outputs, std::uint64_t taps) {
  std::uint64_t time = taps * broadcast(machine, p, outputs) + contiguous(machine, p, outputs);
  for (std::uint64_t j = 0; j < taps; ++j) time += progression(machine, p, j, 1, outputs);
  return time;
}

double expected_largest_bin(std::uint32_t w) {
  // P(every bin holds at most m) = w! [x^w] (sum over k <= m of x^k / k!)^w / w^w. It is computed by repeated
  // multiplication of the polynomial. A scale of e^-1, the Poisson weights, keeps every coefficient a probability.
  std::vector<double> poisson(w + 1);
  for (std::uint32_t k = 0; k <= w; ++k) poisson[k] = std::exp(-1.0 - std::lgamma(k + 1.0));
  const double exactly_w = std::exp(w * std::log(static_cast<double>(w)) - w - std::lgamma(w + 1.0));
  double expected = 0;
  for (std::uint32_t m = 0; m < w; ++m) {  // E = sum over m of P(largest > m)
    std::vector<double> sum(w + 1);
    sum[0] = 1;
    for (std::uint32_t bin = 0; bin < w; ++bin) {
      for (std::uint32_t total = w + 1; total-- > 0;) {
        double probability = 0;
        for (std::uint32_t k = 0; k <= std::min(m, total); ++k) probability += sum[total - k] * poisson[k];
        sum[total] = probability;
      }
    }
    expected += 1 - sum[w] / exactly_w;
  }
  return expected;
}

}  // namespace warpfold::machine::formulas
