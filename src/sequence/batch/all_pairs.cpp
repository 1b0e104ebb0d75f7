#include "sequence/batch/all_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::batch {

namespace {

/// A distance above the bound.
std::uint32_t beyond(std::uint32_t bound) { return std::max(bound + 1, bound); }

}  // namespace

double cells_of_all(List a, List b) {
  double n = 0, m = 0;
  for (const SymbolView& symbols : a) n += static_cast<double>(symbols.size());
  for (const SymbolView& symbols : b) m += static_cast<double>(symbols.size());
  return n * m;
}

AllPairs::AllPairs(List rows, List columns, const BatchRequest& request, Batch& batch)
    : rows_(rows), columns_(columns), request_(request), batch_(batch), bytes_(bytes_for_lanes(rows, columns, batch)) {
  Positions all(columns.size());
  std::iota(all.begin(), all.end(), 0u);
  std::ranges::stable_sort(all, {}, [&](auto at) { return columns_[at].size(); });
  order_ = std::move(all);
  groups_ = (columns.size() + pairs_ - 1) / pairs_;
  n_ = longest_within(rows), m_ = longest_within(columns);
  of_a_thread_ = bytes_ ? lanes::Group::bytes(n_, m_) : 0;
  const auto wanted = static_cast<std::size_t>(batch.threads(8 * rows.size(), of_a_thread_)) * tuning::items_a_thread;
  rows_together_ =
      std::max(tuning::min_rows, rows.size() / std::max<std::size_t>(1, wanted / std::max<std::size_t>(groups_, 1)));
  if (batch.is_on_gpu()) {
    find_fitting();
  } else if (bytes_) {
    planes_ = planes();
  }
}

int AllPairs::threads() {
  if (batch_.is_on_gpu()) {
    return batch_.threads_for_gpu(blocks().size() + rows_.size(),
                                  cuda::device_bytes_of_worker(tuning::gpu_chunk_symbols));
  }
  return batch_.threads(items(), of_a_thread_);
}

void AllPairs::run(int threads, const Visitor& visitor) {
  if (batch_.is_on_gpu()) return run_on_gpu(threads, visitor);
  const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads), of_a_thread_);
  Groups all(request_.measure, n_, m_, threads, batch_.monitor());
  batch_.run(items(), threads, [&](std::size_t item, int member, const Options& each) {
    return solve(item % groups_, item / groups_ * rows_together_, member, each, visitor, all);
  });
}

std::size_t AllPairs::items() const { return groups_ * ((rows_.size() + rows_together_ - 1) / rows_together_); }

bool AllPairs::fits(std::size_t size) const {
  const std::size_t most = batch_.is_on_gpu() ? tuning::gpu_max_lane : tuning::max_lane;
  return size > 0 && (batch_.forces("lanes") || size <= most);
}

void AllPairs::find_fitting() {
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (fits(rows_[row].size())) fitting_rows_.push_back(row);
  }
  for (const auto column : order_) {
    (fits(columns_[column].size()) ? fitting_columns_ : other_columns_).push_back(column);
  }
}

std::vector<AllPairs::Block> AllPairs::blocks() const {
  const std::size_t pairs = std::max<std::size_t>(1, tuning::gpu_chunk_symbols / chunk_symbols(n_, m_));
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(pairs)));
  const auto parts = [&](std::span<const std::uint32_t> all) {
    std::vector<std::span<const std::uint32_t>> some;
    for (; !all.empty(); all = all.subspan(some.back().size())) some.push_back(all.first(std::min(side, all.size())));
    return some;
  };
  std::vector<Block> all;
  for (const auto rows : parts(fitting_rows_)) {
    for (const auto columns : parts(fitting_columns_)) all.push_back({rows, columns});
  }
  return all;
}

void AllPairs::run_on_gpu(int threads, const Visitor& visitor) {
  const auto memory =
      batch_.budget().reserve(static_cast<std::size_t>(threads), cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
  const std::vector<Block> all = blocks();
  GpuWorkers workers(batch_.gpu(), request_.measure, threads);
  batch_.run(all.size() + rows_.size(), threads, [&](std::size_t item, int member, const Options& each) {
    if (item < all.size()) return solve_block(all[item], member, workers.of(member), visitor);
    return solve_rest(item - all.size(), member, each, visitor);
  });
}

double AllPairs::solve_block(const Block& block, int member, cuda::PairWorker& worker, const Visitor& visitor) {
  std::vector<SymbolView> a, b;
  std::vector<cuda::PairPlace> places;
  for (const auto row : block.rows) a.push_back(bytes_->a()[row]);
  for (const auto column : block.columns) b.push_back(bytes_->b()[column]);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    for (std::uint32_t j = 0; j < b.size(); ++j) places.push_back({i, j});
  }
  std::vector<std::uint32_t> distances(places.size());
  worker.solve(a, b, places, bound_of(block, member, visitor), distances.data());
  for (std::size_t at = 0; at < places.size(); ++at) {
    visitor.take(member, block.rows[places[at].a], block.columns[places[at].b], distances[at]);
  }
  batch_.ran("lanes");
  return cells_of_all(a, b);
}

/// The largest bound of the rows.
std::optional<std::uint32_t> AllPairs::bound_of(const Block& block, int member, const Visitor& visitor) {
  std::optional<std::uint32_t> largest = 0;
  for (const auto row : block.rows) {
    const auto bound = visitor.bound(member, row, block.columns);
    if (!bound) return {};
    largest = std::max(*largest, *bound);
  }
  return largest;
}

double AllPairs::solve_rest(std::size_t row, int member, const Options& each, const Visitor& visitor) {
  const auto& columns = fits(rows_[row].size()) ? other_columns_ : order_;
  if (columns.empty()) return 0;
  solve_singly(row, columns, visitor.bound(member, row, columns), member, each, visitor);
  double symbols = 0;
  for (const auto column : columns) symbols += static_cast<double>(columns_[column].size());
  return symbols * static_cast<double>(rows_[row].size());
}

std::size_t AllPairs::longest_within(List list) const {
  std::size_t most = 1;
  for (const SymbolView& symbols : list) most = std::max(most, fits(symbols.size()) ? symbols.size() : 1);
  return most;
}

lanes::Planes AllPairs::planes() const {
  lanes::Alphabet alphabet;
  for (const List list : {bytes_->a(), bytes_->b()}) {
    for (const SymbolView& symbols : list) alphabet.add({symbols.bytes(), symbols.size()});
  }
  return alphabet.planes();
}

double AllPairs::solve(std::size_t group, std::size_t first_row, int member, const Options& each,
                       const Visitor& visitor, Groups& all) {
  const auto columns =
      std::span<const std::uint32_t>(order_).subspan(group * pairs_, std::min(pairs_, order_.size() - group * pairs_));
  const std::size_t shortest = columns_[columns.front()].size(), longest = columns_[columns.back()].size();
  const bool has_lanes = bytes_ && fits(shortest) && fits(longest);
  bool is_set = false;
  double entries = 0;
  std::vector<std::uint32_t> distances(pairs_);
  for (std::size_t row = first_row; row < std::min(first_row + rows_together_, rows_.size()); ++row) {
    const std::size_t n = rows_[row].size();
    const auto bound = visitor.bound(member, row, columns);
    entries += static_cast<double>(n * longest * columns.size());
    batch_.monitor().check();
    if (bound && (shortest > n + *bound || n > longest + *bound)) {
      for (const auto column : columns) visitor.take(member, row, column, beyond(*bound));
    } else if (has_lanes && fits(n) && are_worth(n, longest, columns.size(), bound)) {
      if (!is_set) set(all.of(member), columns);
      is_set = true;
      all.of(member).solve(bytes_->a()[row], bound, distances.data());
      for (std::size_t q = 0; q < columns.size(); ++q) visitor.take(member, row, columns[q], distances[q]);
      batch_.ran("lanes");
    } else {
      solve_singly(row, columns, bound, member, each, visitor);
    }
  }
  return entries;
}

bool AllPairs::are_worth(std::size_t n, std::size_t m, std::size_t pairs, std::optional<std::uint32_t> bound) const {
  return batch_.forces("lanes") || seconds_of_lanes(n, m, planes_.count, request_, bound) <
                                       static_cast<double>(pairs) * seconds_of_words(n, m, request_.measure);
}

void AllPairs::set(lanes::Group& group, std::span<const std::uint32_t> columns) const {
  std::vector<SymbolView> b;
  for (const auto column : columns) b.push_back(bytes_->b()[column]);
  group.set_b(b, planes_);
}

void AllPairs::solve_singly(std::size_t row, std::span<const std::uint32_t> columns, std::optional<std::uint32_t> bound,
                            int member, const Options& each, const Visitor& visitor) {
  const BatchRequest limited{request_.measure, bound};
  std::optional<Pattern> pattern;
  const std::size_t most_entries = 1 + rows_[row].size() * columns_[columns.back()].size();
  PeriodicCheck check(batch_.monitor(), 1 + tuning::batch_check_entries / most_entries);
  for (const auto column : columns) {
    const SymbolView& a = rows_[row];
    const SymbolView& b = columns_[column];
    check.tick();
    const bool is_short = a.size() <= tuning::max_pattern && !is_known(a.size(), b.size(), limited);
    if (is_short && !pattern) pattern.emplace(a, request_.measure);
    visitor.take(member, row, column,
                 is_short ? limited.limited(pattern->distance(b)) : distance_of_pair(a, b, limited, each));
  }
  batch_.ran("words");
}

}  // namespace warpfold::sequence::batch
