#include "knapsack/parts.hpp"

#include <algorithm>
#include <utility>

#include "core/number_types.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::knapsack {

template <class T>
typename PartsPacker<T>::Block PartsPacker<T>::take_block(std::size_t bytes) {
  const auto fits = [&](const Block& block) { return block.memory.bytes() >= bytes; };
  const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
  if (found != spare_.end()) {
    Block block = std::move(*found);
    spare_.erase(found);
    return block;
  }
  if (bytes > budget_.left()) spare_.clear();
  Block block{budget_.reserve(bytes), {}};
  block.bytes = allocate_cells<std::byte>(bytes);
  return block;
}

template <class T>
void PartsPacker<T>::give_back(Block block) {
  const auto larger = [&](const Block& other) { return other.memory.bytes() > block.memory.bytes(); };
  spare_.insert(std::find_if(spare_.begin(), spare_.end(), larger), std::move(block));
}

template <class T>
std::int64_t PartsPacker<T>::pack(const Start& start, std::size_t last, std::int64_t capacity) {
  for (;;) {
    last = std::min(last, rows_up_to(capacity));
    if (last <= start.rows) return capacity;
    const std::int64_t weight = weight_of(start.rows, last);
    capacity = std::min(capacity, start.weight + weight);
    Start state = copy(start, capacity - weight, capacity);
    const std::size_t cells = padded_cells(capacity - state.base), count = last - start.rows;
    const std::size_t left = bytes_left(last, capacity - state.base), tables = left / (cells * sizeof(T));
    const std::size_t marked = std::clamp<std::size_t>(std::min(max_marked_, left) / (cells / 8), 1, count);
    if (marked == count) return mark(std::move(state), last, capacity);
    const std::size_t kept = std::min({tuning::kept_starts, count - 1, tables - std::min<std::size_t>(tables, 1)});
    if (kept > 0) return pack_parts(start, std::move(state), last, capacity, kept);
    // Without memory for another part's start, only the last rows are packed.
    advance(state, last - marked, capacity, capacity - weight_of(last - marked, last));
    capacity = mark(std::move(state), last, capacity);
    last -= marked;
  }
}

template <class T>
std::int64_t PartsPacker<T>::pack_parts(const Start& start, Start state, std::size_t last, std::int64_t capacity,
                                        std::size_t kept) {
  std::vector<Start> starts;
  for (std::size_t part = 1; part <= kept; ++part) {
    const std::size_t to = start.rows + (last - start.rows) * part / (kept + 1);
    const std::int64_t lowest = capacity - weight_of(to, last);
    advance(state, to, capacity, lowest);
    starts.push_back(copy(state, lowest, std::min(capacity, state.weight)));
  }
  give_back(std::move(state.block));
  for (; !starts.empty(); starts.pop_back()) {
    capacity = pack(starts.back(), last, capacity);
    last = starts.back().rows;
    give_back(std::move(starts.back().block));
  }
  return pack(start, last, capacity);
}

template <class T>
std::int64_t PartsPacker<T>::mark(Start state, std::size_t last, std::int64_t capacity) {
  const std::size_t first = state.rows, cells = padded_cells(capacity - state.base);
  Block words = take_block((last - first) * (cells / 8));
  const Decisions decisions{words.template as<std::uint64_t>(), cells / 64};
  std::fill_n(decisions.words, (last - first) * decisions.words_per_row, 0);
  advance(state, last, capacity, capacity, decisions);
  std::int64_t weight = state.weight;
  for (std::size_t i = last; i-- > first;) {
    capacity = std::min(capacity, weight);  // beyond the weight so far every cell is the same, and has no decisions
    weight -= rows_[i].weight;
    taken_[i] = decisions.raised(i - first, capacity - state.base);
    if (taken_[i]) capacity -= rows_[i].weight;
  }
  give_back(std::move(words));
  give_back(std::move(state.block));
  return capacity;
}

template <class T>
typename PartsPacker<T>::Start PartsPacker<T>::copy(const Start& start, std::int64_t lowest, std::int64_t capacity) {
  Start copy{start.rows, start.weight, start.value, round_down(std::max<std::int64_t>(lowest, 0))};
  copy.block = take_block(padded_cells(capacity - copy.base) * sizeof(T));
  const std::int64_t stored = std::min(capacity + 1, start.weight) - copy.base;
  const T* const from = start.cells() + (copy.base - start.base);
  const int threads = stored < tuning::min_cells_to_copy ? 1 : threads_;
  parallel(threads, [&](int thread) {
    const std::int64_t first = stored * thread / threads, end = stored * (thread + 1) / threads;
    std::copy(from + first, from + end, copy.cells() + first);
  });
  std::fill(copy.cells() + stored, copy.cells() + round_up(stored), start.value);
  return copy;
}

template <class T>
void PartsPacker<T>::advance(Start& state, std::size_t last, std::int64_t capacity, std::int64_t lowest,
                             const Decisions& decisions) {
  const std::span<const Row<T>> rows = rows_.subspan(state.rows, last - state.rows);
  run_({.rows = rows,
        .capacity = capacity - state.base,
        .lowest = std::max<std::int64_t>(lowest - state.base, 0),
        .weight_before = state.weight - state.base,
        .value_before = state.value},
       state.cells(), decisions);
  state.rows = last;
  for (const Row<T>& row : rows) {
    state.weight += row.weight;
    state.value = static_cast<T>(state.value + row.value);
  }
}

template <class T>
std::size_t PartsPacker<T>::bytes_left(std::size_t last, std::int64_t capacity) const {
  std::size_t left = budget_.left();
  for (const Block& block : spare_) left += block.memory.bytes();
  return left - std::min(left, cpu::halo_bytes<T>(rows_[last - 1].weight, capacity, threads_));
}

template <class T>
std::size_t PartsPacker<T>::rows_up_to(std::int64_t weight) const {
  const auto end =
      std::partition_point(rows_.begin(), rows_.end(), [&](const Row<T>& row) { return row.weight <= weight; });
  return static_cast<std::size_t>(end - rows_.begin());
}

template <class T>
std::int64_t PartsPacker<T>::weight_of(std::size_t first, std::size_t last) const {
  std::int64_t weight = 0;
  for (const Row<T>& row : rows_.subspan(first, last - first)) weight += row.weight;
  return weight;
}

#define WARPFOLD_INSTANTIATE(T) template class PartsPacker<T>;
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack
