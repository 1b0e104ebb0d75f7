#include "knapsack/items.hpp"

#include <algorithm>
#include <numeric>

#include "core/number_types.hpp"
#include "knapsack/tuning.hpp"

namespace warpfold::knapsack {

namespace {
constexpr std::int64_t cells_between_checks = 1 << 22;
}

template <class T>
TableSolver<T>::TableSolver(std::span<const Piece> pieces, Context& context, SolveMonitor& monitor,
                            cuda::RowsFunction<T> gpu_rows)
    : pieces_(pieces), context_(context), monitor_(monitor), gpu_rows_(gpu_rows), sorted_(pieces.size()) {
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return pieces[a].weight < pieces[b].weight; });
}

template <class T>
std::size_t TableSolver<T>::row_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads) {
  std::int64_t heaviest = 0;
  for (const Piece& piece : pieces) {
    if (piece.weight <= capacity) heaviest = std::max(heaviest, piece.weight);
  }
  const double cells = static_cast<double>(pieces.size()) * static_cast<double>(capacity);
  return padded_cells(capacity) * sizeof(T) +
         cpu::halo_bytes<T>(heaviest, capacity, cells < tuning::parallel_cells ? 1 : threads);
}

template <class T>
std::size_t TableSolver<T>::packing_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads) {
  std::size_t rows = row_bytes(pieces, capacity, threads);
  std::size_t decision_bytes = pieces.size() * (padded_cells(capacity) / 8);
  if (decision_bytes <= tuning::decision_bytes) return rows + decision_bytes;
  const std::size_t of_two_tables = rows + padded_cells(capacity) * sizeof(T);
  for (; decision_bytes > tuning::decision_bytes; decision_bytes /= 4) rows /= 2;  // half of the pieces and capacity
  return std::max(of_two_tables, rows + decision_bytes);
}

template <class T>
std::int64_t TableSolver<T>::value(std::int64_t capacity) {
  const Budget::Reservation taken = context_.budget.reserve(padded_cells(capacity), sizeof(T));
  const Cells<T> best = allocate_cells<T>(padded_cells(capacity));
  run(sorted_, capacity, true, best.get(), {});
  return best[static_cast<std::size_t>(capacity)];
}

template <class T>
Cells<T> TableSolver<T>::every_capacity(std::int64_t capacity) {
  const Budget::Reservation taken = context_.budget.reserve(padded_cells(capacity), sizeof(T));
  Cells<T> best = allocate_cells<T>(padded_cells(capacity));
  run(sorted_, capacity, false, best.get(), {});
  return best;
}

template <class T>
std::vector<char> TableSolver<T>::packing(std::int64_t capacity) {
  std::vector<char> taken(pieces_.size(), 0);
  pack(sorted_, capacity, taken);
  return taken;
}

template <class T>
void TableSolver<T>::pack(List list, std::int64_t capacity, std::vector<char>& taken) {
  std::erase_if(list, [&](std::uint32_t i) { return pieces_[i].weight > capacity; });
  std::int64_t total = 0;
  for (const std::uint32_t i : list) total += pieces_[i].weight;
  if (total <= capacity) {
    for (const std::uint32_t i : list) taken[i] = 1;
    return;
  }
  if (list.size() == 2) {  // two pieces that do not fit together
    taken[pieces_[list[1]].value > pieces_[list[0]].value ? list[1] : list[0]] = 1;
    return;
  }
  const std::size_t cells = padded_cells(capacity);
  const std::size_t decision_bytes = list.size() * (cells / 8);
  const std::size_t free_bytes = context_.budget.left() - std::min(context_.budget.left(), cells * sizeof(T));
  if (decision_bytes <= std::min(tuning::decision_bytes, free_bytes)) {
    return pack_by_decisions(list, capacity, taken);
  }
  List halves[2];
  for (std::size_t i = 0; i < list.size(); ++i) halves[i % 2].push_back(list[i]);
  std::int64_t first_capacity = 0;
  {
    const Budget::Reservation both = context_.budget.reserve(2 * cells, sizeof(T));
    const Cells<T> first = allocate_cells<T>(cells);
    const Cells<T> second = allocate_cells<T>(cells);
    run(halves[0], capacity, false, first.get(), {});
    run(halves[1], capacity, false, second.get(), {});
    T most = -1;
    for (std::int64_t c = 0; c <= capacity; ++c) {
      if (c % cells_between_checks == 0) monitor_.check();
      const T value = static_cast<T>(first[c] + second[capacity - c]);
      if (value <= most) continue;
      most = value;
      first_capacity = c;
    }
  }
  pack(std::move(halves[0]), first_capacity, taken);
  pack(std::move(halves[1]), capacity - first_capacity, taken);
}

template <class T>
void TableSolver<T>::pack_by_decisions(const List& list, std::int64_t capacity, std::vector<char>& taken) {
  const std::size_t cells = padded_cells(capacity);
  const Budget::Reservation memory = context_.budget.reserve(cells * sizeof(T) + list.size() * (cells / 8));
  const Cells<T> best = allocate_cells<T>(cells);
  std::vector<std::uint64_t> words(list.size() * (cells / 64), 0);
  const Decisions decisions{words.data(), cells / 64};
  run(list, capacity, true, best.get(), decisions);
  std::int64_t weight = 0;
  for (const std::uint32_t i : list) weight += pieces_[i].weight;
  std::int64_t c = capacity;
  for (std::size_t row = list.size(); row-- > 0;) {
    c = std::min(c, weight);  // beyond the sum of the weights so far every cell is the same, and has no decisions
    const Piece& piece = pieces_[list[row]];
    weight -= piece.weight;
    if (!decisions.raised(row, c)) continue;
    taken[list[row]] = 1;
    c -= piece.weight;
  }
}

template <class T>
void TableSolver<T>::run(const List& list, std::int64_t capacity, bool one_capacity, T* best,
                         const Decisions& decisions) {
  std::vector<Row<T>> rows;
  for (const std::uint32_t i : list) {
    if (pieces_[i].weight > capacity) break;
    rows.push_back({pieces_[i].weight, static_cast<T>(pieces_[i].value)});
  }
  const double cells = static_cast<double>(rows.size()) * static_cast<double>(capacity);
  if (gpu_rows_ && !decisions.words) return gpu_rows_({rows, capacity, one_capacity, 1}, best, context_, monitor_);
  const int threads = cells < tuning::parallel_cells ? 1 : thread_count(context_.options.threads);
  const std::int64_t heaviest = rows.empty() ? 0 : rows.back().weight;
  const Budget::Reservation halos = context_.budget.reserve(cpu::halo_bytes<T>(heaviest, capacity, threads));
  const int ran = cpu::zero_one_rows<T>({rows, capacity, one_capacity, threads}, best, decisions, monitor_);
  context_.report.threads = std::max(context_.report.threads, ran);
}

#define WARPFOLD_INSTANTIATE(T) template class TableSolver<T>;
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack
