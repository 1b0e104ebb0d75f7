#include "knapsack/items.hpp"

#include <algorithm>
#include <numeric>

#include "core/number_types.hpp"
#include "knapsack/parts.hpp"
#include "knapsack/tuning.hpp"

namespace warpfold::knapsack {

namespace {

constexpr std::int64_t cells_between_checks = 1 << 22;

double cells_of(std::size_t rows, std::int64_t capacity) {
  return static_cast<double>(rows) * static_cast<double>(capacity);
}

int threads_for(std::size_t rows, std::int64_t capacity, int threads) {
  return cells_of(rows, capacity) < tuning::parallel_cells ? 1 : threads;
}

/// Whether parts have fewer cells than halves.
bool are_light(std::int64_t total_weight, std::int64_t capacity) {
  return total_weight / tuning::light_weight <= capacity;
}

/// What parts take at most besides the rows and one table: 8.2 tables in all were the most of light pieces, in two
/// levels of parts. With less memory they keep fewer starts.
constexpr std::size_t bytes_of_parts(std::size_t table_bytes) { return table_bytes * 29 / 4; }

}  // namespace

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
  return padded_cells(capacity) * sizeof(T) +
         cpu::halo_bytes<T>(heaviest, capacity, threads_for(pieces.size(), capacity, threads));
}

template <class T>
std::size_t TableSolver<T>::packing_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads,
                                          std::size_t left) {
  const std::size_t table = padded_cells(capacity) * sizeof(T), all_rows = row_bytes(pieces, capacity, threads);
  std::size_t rows = all_rows, decision_bytes = pieces.size() * (padded_cells(capacity) / 8);
  if (decision_bytes <= tuning::decision_bytes) return rows + decision_bytes;
  std::int64_t total = 0;
  for (const Piece& piece : pieces) total += piece.weight <= capacity ? piece.weight : 0;
  const std::size_t of_parts = all_rows + bytes_of_parts(table);
  if (are_light(total, capacity) && of_parts <= left) return of_parts;
  for (; decision_bytes > tuning::decision_bytes; decision_bytes /= 4) rows /= 2;  // half of the pieces and capacity
  return std::max(all_rows + table, rows + decision_bytes);
}

template <class T>
std::int64_t TableSolver<T>::value(std::int64_t capacity) {
  const Budget::Reservation taken = context_.budget.reserve(padded_cells(capacity), sizeof(T));
  const Cells<T> best = allocate_cells<T>(padded_cells(capacity));
  run({rows_of(sorted_, capacity), capacity, capacity}, best.get(), {}, gpu_rows_);
  return best[static_cast<std::size_t>(capacity)];
}

template <class T>
Cells<T> TableSolver<T>::every_capacity(std::int64_t capacity) {
  const Budget::Reservation taken = context_.budget.reserve(padded_cells(capacity), sizeof(T));
  Cells<T> best = allocate_cells<T>(padded_cells(capacity));
  run({rows_of(sorted_, capacity), capacity}, best.get(), {}, gpu_rows_);
  return best;
}

template <class T>
std::vector<char> TableSolver<T>::packing(std::int64_t capacity) {
  std::vector<char> taken(pieces_.size(), 0);
  const std::vector<Row<T>> rows = rows_of(sorted_, capacity);
  std::int64_t total = 0;
  for (const Row<T>& row : rows) total += row.weight;
  const std::size_t cells = padded_cells(capacity), table = cells * sizeof(T);
  const std::size_t all_rows = row_bytes(pieces_, capacity, thread_count(context_.options.threads));
  const bool by_parts = total > capacity && are_light(total, capacity) &&
                        rows.size() * (cells / 8) > tuning::decision_bytes &&
                        all_rows + bytes_of_parts(table) <= context_.budget.left();
  if (by_parts) {
    pack_parts(sorted_, capacity, tuning::part_decision_bytes, taken);
  } else {
    pack(sorted_, capacity, taken);
  }
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
  const std::size_t left = context_.budget.left(), free_bytes = left - std::min(left, cells * sizeof(T));
  if (decision_bytes <= std::min(tuning::decision_bytes, free_bytes)) {
    return pack_parts(list, capacity, tuning::decision_bytes, taken);
  }
  List halves[2];
  for (std::size_t i = 0; i < list.size(); ++i) halves[i % 2].push_back(list[i]);
  std::int64_t first_capacity = 0;
  {
    const Budget::Reservation both = context_.budget.reserve(2 * cells, sizeof(T));
    const Cells<T> first = allocate_cells<T>(cells);
    const Cells<T> second = allocate_cells<T>(cells);
    run({rows_of(halves[0], capacity), capacity}, first.get(), {}, gpu_rows_);
    run({rows_of(halves[1], capacity), capacity}, second.get(), {}, gpu_rows_);
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
void TableSolver<T>::pack_parts(const List& list, std::int64_t capacity, std::size_t max_marked,
                                std::vector<char>& taken) {
  const std::vector<Row<T>> rows = rows_of(list, capacity);
  const int threads = threads_for(rows.size(), capacity, thread_count(context_.options.threads));
  const auto run_rows = [this](const Table<T>& table, T* best, const Decisions& decisions) {
    const bool is_large = cells_of(table.rows.size(), table.capacity) >= tuning::part_gpu_cells;
    run(table, best, decisions, is_large ? gpu_rows_ : nullptr);
  };
  const std::vector<char> packed =
      PartsPacker<T>(rows, max_marked, threads, context_.budget, run_rows).packing(capacity);
  for (std::size_t i = 0; i < packed.size(); ++i) taken[list[i]] = packed[i];
}

template <class T>
std::vector<Row<T>> TableSolver<T>::rows_of(const List& list, std::int64_t capacity) const {
  std::vector<Row<T>> rows;
  for (const std::uint32_t i : list) {
    if (pieces_[i].weight > capacity) break;
    rows.push_back({pieces_[i].weight, static_cast<T>(pieces_[i].value)});
  }
  return rows;
}

template <class T>
void TableSolver<T>::run(Table<T> table, T* best, const Decisions& decisions, cuda::RowsFunction<T> gpu_rows) {
  if (gpu_rows && !decisions.words) return gpu_rows(table, best, context_, monitor_);
  table.threads = threads_for(table.rows.size(), table.capacity, thread_count(context_.options.threads));
  const std::int64_t heaviest = table.rows.empty() ? 0 : table.rows.back().weight;
  const Budget::Reservation halos =
      context_.budget.reserve(cpu::halo_bytes<T>(heaviest, table.capacity, table.threads));
  const int ran = cpu::zero_one_rows<T>(table, best, decisions, monitor_);
  context_.report.threads = std::max(context_.report.threads, ran);
}

#define WARPFOLD_INSTANTIATE(T) template class TableSolver<T>;
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack
