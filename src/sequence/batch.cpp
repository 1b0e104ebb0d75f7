#include "warpfold/sequence/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "sequence/backends.hpp"
#include "sequence/gpu/pairs.hpp"
#include "sequence/lanes/bytes.hpp"
#include "sequence/lanes/group.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence {

namespace {

using List = std::span<const SymbolView>;
using Positions = std::vector<std::uint32_t>;

// What is accepted.

std::uint64_t longest(List list) {
  std::size_t size = 0;
  for (const SymbolView& symbols : list) size = std::max(size, symbols.size());
  return size;
}

void check(List a, List b) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 31;
  if (longest(a) + longest(b) >= limit) {
    throw Error(ErrorKind::input,
                fmt::format("the longest sequences have {} and {} symbols: fewer than 2^31 together are "
                            "accepted",
                            longest(a), longest(b)));
  }
}

void check_pairs(List a, List b) {
  if (a.size() == b.size()) return;
  throw Error(ErrorKind::input, fmt::format("there are {} and {} sequences: as many are accepted", a.size(), b.size()));
}

// One pair.

Coded coded(const SymbolView& a, const SymbolView& b) {
  const auto wide = [](const SymbolView& sequence) {
    return sequence.with_symbols(
        [](const auto& symbols) { return std::vector<std::uint32_t>(symbols.begin(), symbols.end()); });
  };
  if (a.width() != b.width()) {
    const auto first = wide(a), second = wide(b);
    return {std::span<const std::uint32_t>(first), std::span<const std::uint32_t>(second)};
  }
  return a.with_symbols([&]<class T>(std::span<const T> symbols) {
    return b.with_symbols([&]<class U>(std::span<const U> others) -> Coded {
      if constexpr (std::is_same_v<T, U>) return {symbols, others};
      return {std::string_view(), std::string_view()};
    });
  });
}

double cells_of(const SymbolView& a, const SymbolView& b) {
  return static_cast<double>(a.size()) * static_cast<double>(b.size());
}

std::uint64_t least_distance(std::size_t n, std::size_t m) { return std::max(n, m) - std::min(n, m); }

bool is_known(std::size_t n, std::size_t m, const BatchRequest& request) {
  return n == 0 || m == 0 || (request.max_distance && least_distance(n, m) > *request.max_distance);
}

/// By the lengths if they tell it, by words, or if both are long as `edit_distance` does.
std::uint32_t distance_of_pair(const SymbolView& a, const SymbolView& b, const BatchRequest& request,
                               const Options& options) {
  if (is_known(a.size(), b.size(), request)) return request.limited(least_distance(a.size(), b.size()));
  const bool is_short = std::min(a.size(), b.size()) <= tuning::max_pattern;
  if (is_short || !options.algorithm.empty()) {
    const bool a_is_shorter = a.size() < b.size();
    return request.limited(Pattern(a_is_shorter ? a : b, request.measure).distance(a_is_shorter ? b : a));
  }
  const Coded pair = coded(a, b);
  const Request one{.max_distance = request.max_distance};
  if (request.measure == Measure::edit) {
    const auto found = edit_distance(pair, options, one).solution.distance;
    return request.limited(found ? static_cast<std::uint64_t>(*found) : max_length);
  }
  const auto found = lcs(pair, options, one).solution.length;
  return request.limited(found ? a.size() + b.size() - 2 * static_cast<std::uint64_t>(*found) : max_length);
}

// Groups.

double seconds_of_words(std::size_t n, std::size_t m, Measure measure) {
  const double words = static_cast<double>((std::min(n, m) + 63) / 64 * std::max(n, m));
  return tuning::pattern_seconds +
         words * (measure == Measure::edit ? tuning::edit_word_seconds : tuning::lcs_word_seconds);
}

double seconds_of_lanes(std::size_t rows, std::size_t columns, std::size_t planes, const BatchRequest& request,
                        std::optional<std::uint32_t> bound) {
  const std::size_t band = bound ? std::min<std::size_t>(rows, std::size_t{*bound} + lanes::columns_together) : rows;
  const double operations = 2 * static_cast<double>(planes) + (request.measure == Measure::edit ? 7 : 3);
  return tuning::vector_operation_seconds * operations * static_cast<double>(band * columns);
}

/// Positions in the order of a key below `keys`, equal ones as they were.
template <class Key>
Positions sorted_by(const Positions& positions, std::size_t keys, const Key& key) {
  std::vector<std::size_t> next(keys + 1);
  for (const auto at : positions) ++next[key(at) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  Positions sorted(positions.size());
  for (const auto at : positions) sorted[next[key(at)]++] = at;
  return sorted;
}

/// Some of the sequences, which are on their way to the cache.
std::vector<SymbolView> fetched(List list, std::span<const std::uint32_t> positions) {
  constexpr std::size_t line = 64;
  std::vector<SymbolView> some;
  some.reserve(positions.size());
  for (const auto at : positions) {
    some.push_back(list[at]);
    for (std::size_t i = 0; i < list[at].size(); i += line) __builtin_prefetch(list[at].bytes() + i);
  }
  return some;
}

/// The threads of a batch, and what they share.
class Batch {
 public:
  /// `operations`: entries of all tables.
  Batch(Context& context, double operations, bool on_gpu)
      : context_(context), monitor_(context.options, operations), on_gpu_(on_gpu) {}

  [[nodiscard]] Budget& budget() { return context_.budget; }
  [[nodiscard]] bool forces(const char* algorithm) const { return context_.options.algorithm == algorithm; }
  [[nodiscard]] bool is_on_gpu() const { return on_gpu_; }
  [[nodiscard]] int gpu() const { return context_.options.device.index; }
  /// The most threads that have memory. At least one.
  [[nodiscard]] int threads(std::size_t items, std::size_t bytes_of_a_thread) {
    const std::size_t affordable = budget().left() / std::max<std::size_t>(bytes_of_a_thread, 1);
    const auto wanted = static_cast<std::size_t>(thread_count(context_.options.threads));
    return static_cast<int>(std::max<std::size_t>(1, std::min({items, wanted, affordable})));
  }

  /// Calls body(item, member, options of a solve inside it) for all items. It returns the entries that it computed.
  void run(std::size_t items, int threads, const std::function<double(std::size_t, int, const Options&)>& body) {
    const auto start = std::chrono::steady_clock::now();
    Options each = detail::options_of_each(context_.options, budget());
    if (on_gpu_) each.device = context_.options.device;
    Team team(threads);
    context_.report.threads = team.size();
    std::atomic<double> done = 0;
    team.parallel_for(items, [&](std::size_t item, int member) {
      monitor_.check();
      done += body(item, member, each);
      if (member == 0) monitor_.advance(done.exchange(0));
    });
    context_.report.solve_seconds += seconds_since(start);
  }
  /// As many threads as work for a GPU, each of which has its own part of the memory.
  [[nodiscard]] int threads_for_gpu(std::size_t items) {
    const std::size_t symbols = tuning::gpu_chunk_symbols;
    const int most = threads(std::min(items, tuning::gpu_batch_threads), cuda::host_bytes_of_worker(symbols));
    context_.take_device_memory(static_cast<std::size_t>(most) * cuda::device_bytes_of_worker(symbols));
    return most;
  }

  void ran(const char* algorithm) { (std::string_view(algorithm) == "lanes" ? ran_lanes_ : ran_words_) = true; }
  void finish() {
    monitor_.advance(std::numeric_limits<double>::infinity());
    const bool has_lanes = ran_lanes_ || (on_gpu_ && !ran_words_);
    context_.report.algorithm = has_lanes && ran_words_ ? "several" : has_lanes ? "lanes" : "words";
  }

 private:
  Context& context_;
  SolveMonitor monitor_;
  bool on_gpu_;
  std::atomic<bool> ran_lanes_ = false, ran_words_ = false;
};

/// Whether the symbols and the options allow a bit of a vector for each pair.
std::optional<lanes::Bytes> bytes_for_lanes(List a, List b, Batch& batch) {
  if (batch.forces("words")) return {};
  auto bytes = lanes::Bytes::of(a, b, batch.budget());
  if (bytes) return bytes;
  if (batch.is_on_gpu()) {
    throw Error(ErrorKind::device, "a GPU solves batches of at most 256 symbols: device auto or cpu is accepted");
  }
  if (!batch.forces("lanes")) return {};
  throw Error(ErrorKind::usage, "'lanes' solves batches of at most 256 symbols: words is accepted");
}

/// The memory of each member of a team for pairs on a GPU. It is made when it is needed.
class GpuWorkers {
 public:
  GpuWorkers(int device, Measure measure, int members) : device_(device), measure_(measure), of_(members) {}
  cuda::PairWorker& of(int member) {
    auto& worker = of_[static_cast<std::size_t>(member)];
    if (!worker) worker.emplace(device_, measure_);
    return *worker;
  }

 private:
  int device_;
  Measure measure_;
  std::vector<std::optional<cuda::PairWorker>> of_;
};

/// What a pair takes of a chunk.
std::size_t chunk_symbols(std::size_t n, std::size_t m) { return n + m + tuning::gpu_pair_symbols; }

/// One group and one alphabet for each member of a team. Groups are made when they are needed.
class Groups {
 public:
  Groups(Measure measure, std::size_t n, std::size_t m, int members)
      : measure_(measure), n_(n), m_(m), of_(members), alphabets_(members) {}
  lanes::Group& of(int member) {
    auto& group = of_[static_cast<std::size_t>(member)];
    if (!group) group = std::make_unique<lanes::Group>(measure_, n_, m_);
    return *group;
  }
  /// The symbols that the member has met.
  lanes::Alphabet& alphabet_of(int member) { return alphabets_[static_cast<std::size_t>(member)]; }

 private:
  Measure measure_;
  std::size_t n_, m_;
  std::vector<std::unique_ptr<lanes::Group>> of_;
  std::vector<lanes::Alphabet> alphabets_;
};

// Pair by pair.

class Pairs {
 public:
  Pairs(List a, List b, const BatchRequest& request, Batch& batch)
      : a_(a), b_(b), request_(request), batch_(batch), found_(a.size()) {}

  [[nodiscard]] std::vector<std::uint32_t> solve() {
    const auto taken = batch_.budget().reserve(a_.size(), 4 * sizeof(std::uint32_t));
    const auto bytes = bytes_for_lanes(a_, b_, batch_);
    const Positions open = open_pairs(bytes.has_value());
    if (batch_.is_on_gpu()) return solve_on_gpu(*bytes, open);
    const std::size_t groups = (open.size() + pairs_ - 1) / pairs_;
    std::size_t n = 1, m = 1;
    for (const auto at : open) n = std::max(n, a_[at].size()), m = std::max(m, b_[at].size());
    const std::size_t of_a_thread = open.empty() ? 0 : lanes::Group::bytes(n, m);
    const std::size_t items = single_.size() + groups;
    const int threads = batch_.threads(items, of_a_thread);
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads), of_a_thread);
    Groups all(request_.measure, n, m, threads);
    batch_.run(items, threads, [&](std::size_t item, int member, const Options& each) {
      if (item < single_.size()) return solve_single(single_[item], each);
      const std::size_t first = (item - single_.size()) * pairs_;
      return solve_group(*bytes, std::span(open).subspan(first, std::min(pairs_, open.size() - first)), each, member,
                         all);
    });
    return std::move(found_);
  }

 private:
  /// Pairs that are neighbors in the lists, so that symbols in one array are copied as they are.
  [[nodiscard]] std::vector<std::uint32_t> solve_on_gpu(const lanes::Bytes& bytes, const Positions& open) {
    const auto chunks = chunks_of(open);
    const std::size_t items = single_.size() + chunks.size();
    const int threads = batch_.threads_for_gpu(items);
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads),
                                                cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
    GpuWorkers workers(batch_.gpu(), request_.measure, threads);
    batch_.run(items, threads, [&](std::size_t item, int member, const Options& each) {
      if (item < single_.size()) return solve_single(single_[item], each);
      return solve_chunk(bytes, chunks[item - single_.size()], workers.of(member));
    });
    return std::move(found_);
  }

  [[nodiscard]] std::vector<std::span<const std::uint32_t>> chunks_of(std::span<const std::uint32_t> open) const {
    std::vector<std::span<const std::uint32_t>> chunks;
    for (std::size_t count, symbols; !open.empty(); open = open.subspan(count)) {
      for (count = symbols = 0; count < open.size() && symbols < tuning::gpu_chunk_symbols; ++count) {
        symbols += chunk_symbols(a_[open[count]].size(), b_[open[count]].size());
      }
      chunks.push_back(open.first(count));
    }
    return chunks;
  }

  double solve_chunk(const lanes::Bytes& bytes, std::span<const std::uint32_t> pairs, cuda::PairWorker& worker) {
    std::vector<SymbolView> a, b;
    std::vector<cuda::PairPlace> places;
    double entries = 0;
    for (const auto at : pairs) {
      const auto place = static_cast<std::uint32_t>(places.size());
      a.push_back(bytes.a()[at]), b.push_back(bytes.b()[at]), places.push_back({place, place});
      entries += cells(at);
    }
    std::vector<std::uint32_t> distances(pairs.size());
    worker.solve(a, b, places, distances.data());
    for (std::size_t q = 0; q < pairs.size(); ++q) found_[pairs[q]] = request_.limited(distances[q]);
    batch_.ran("lanes");
    return entries;
  }

  [[nodiscard]] bool fits(std::size_t at) const {
    const std::size_t most = batch_.is_on_gpu() ? tuning::gpu_max_lane : tuning::max_lane;
    return batch_.forces("lanes") || std::max(a_[at].size(), b_[at].size()) <= most;
  }
  [[nodiscard]] double cells(std::size_t at) const { return cells_of(a_[at], b_[at]); }

  /// The pairs for groups, in the order of their lengths. The others are `single_`, longest first.
  Positions open_pairs(bool has_lanes) {
    Positions open;
    std::size_t most = 0;
    for (std::uint32_t at = 0; at < a_.size(); ++at) {
      if (is_known(a_[at].size(), b_[at].size(), request_)) {
        found_[at] = request_.limited(least_distance(a_[at].size(), b_[at].size()));
      } else if (has_lanes && fits(at)) {
        open.push_back(at), most = std::max({most, a_[at].size(), b_[at].size()});
      } else {
        single_.push_back(at);
      }
    }
    std::ranges::stable_sort(single_, [&](auto first, auto second) { return cells(first) > cells(second); });
    if (batch_.is_on_gpu()) return open;
    open = sorted_by(open, most + 1, [&](auto at) { return b_[at].size(); });
    return sorted_by(open, most + 1, [&](auto at) { return a_[at].size(); });
  }

  double solve_single(std::uint32_t at, const Options& each) {
    found_[at] = distance_of_pair(a_[at], b_[at], request_, each);
    batch_.ran("words");
    return cells(at);
  }

  double solve_group(const lanes::Bytes& bytes, std::span<const std::uint32_t> pairs, const Options& each, int member,
                     Groups& all) {
    const auto a = fetched(bytes.a(), pairs), b = fetched(bytes.b(), pairs);
    lanes::Alphabet& alphabet = all.alphabet_of(member);
    double seconds = 0, entries = 0;
    std::size_t columns = 0;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
      alphabet.add({a[q].bytes(), a[q].size()});
      alphabet.add({b[q].bytes(), b[q].size()});
      columns = std::max(columns, b[q].size());
      seconds += seconds_of_words(a[q].size(), b[q].size(), request_.measure);
      entries += cells_of(a[q], b[q]);
    }
    const lanes::Planes planes = alphabet.planes();
    const double by_lanes = seconds_of_lanes(a.back().size(), columns, planes.count, request_, request_.max_distance);
    if (by_lanes > seconds && !batch_.forces("lanes")) {
      for (const auto at : pairs) solve_single(at, each);
      return entries;
    }
    lanes::Group& group = all.of(member);
    group.set_b(b, planes);
    std::vector<std::uint32_t> distances(pairs_);
    group.solve(a, request_.max_distance, distances.data());
    for (std::size_t q = 0; q < pairs.size(); ++q) found_[pairs[q]] = request_.limited(distances[q]);
    batch_.ran("lanes");
    return entries;
  }

  List a_, b_;
  BatchRequest request_;
  Batch& batch_;
  std::vector<std::uint32_t> found_;
  Positions single_;
  const std::size_t pairs_ = lanes::pairs_of_vector();
};

// All pairs.

double pairs_of_all(List a, List b) { return static_cast<double>(a.size()) * static_cast<double>(b.size()); }

double cells_of_all(List a, List b) {
  double n = 0, m = 0;
  for (const SymbolView& symbols : a) n += static_cast<double>(symbols.size());
  for (const SymbolView& symbols : b) m += static_cast<double>(symbols.size());
  return n * m;
}

/// What all pairs have to say to each other.
struct Visitor {
  /// The largest distance that matters between a row and any of some columns.
  std::function<std::optional<std::uint32_t>(int member, std::size_t row, std::span<const std::uint32_t> columns)>
      bound;
  std::function<void(int member, std::size_t row, std::size_t column, std::uint32_t distance)> take;
};

/// Compares every row with every column. Columns of similar lengths share vectors.
class AllPairs {
 public:
  AllPairs(List rows, List columns, const BatchRequest& request, Batch& batch)
      : rows_(rows),
        columns_(columns),
        request_(request),
        batch_(batch),
        bytes_(bytes_for_lanes(rows, columns, batch)) {
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

  [[nodiscard]] int threads() {
    if (batch_.is_on_gpu()) return batch_.threads_for_gpu(blocks().size() + rows_.size());
    return batch_.threads(items(), of_a_thread_);
  }

  void run(int threads, const Visitor& visitor) {
    if (batch_.is_on_gpu()) return run_on_gpu(threads, visitor);
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads), of_a_thread_);
    Groups all(request_.measure, n_, m_, threads);
    batch_.run(items(), threads, [&](std::size_t item, int member, const Options& each) {
      return solve(item % groups_, item / groups_ * rows_together_, member, each, visitor, all);
    });
  }

 private:
  [[nodiscard]] std::size_t items() const { return groups_ * ((rows_.size() + rows_together_ - 1) / rows_together_); }
  [[nodiscard]] bool fits(std::size_t size) const {
    const std::size_t most = batch_.is_on_gpu() ? tuning::gpu_max_lane : tuning::max_lane;
    return size > 0 && (batch_.forces("lanes") || size <= most);
  }

  void find_fitting() {
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      if (fits(rows_[row].size())) fitting_rows_.push_back(row);
    }
    for (const auto column : order_) {
      (fits(columns_[column].size()) ? fitting_columns_ : other_columns_).push_back(column);
    }
  }

  /// Some rows and some columns, by their positions.
  struct Block {
    std::span<const std::uint32_t> rows, columns;
  };

  /// Blocks of the rows and columns that fit, each a chunk of pairs.
  [[nodiscard]] std::vector<Block> blocks() const {
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

  void run_on_gpu(int threads, const Visitor& visitor) {
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads),
                                                cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
    const std::vector<Block> all = blocks();
    GpuWorkers workers(batch_.gpu(), request_.measure, threads);
    batch_.run(all.size() + rows_.size(), threads, [&](std::size_t item, int member, const Options& each) {
      if (item < all.size()) return solve_block(all[item], member, workers.of(member), visitor);
      return solve_rest(item - all.size(), member, each, visitor);
    });
  }

  double solve_block(const Block& block, int member, cuda::PairWorker& worker, const Visitor& visitor) {
    std::vector<SymbolView> a, b;
    std::vector<cuda::PairPlace> places;
    for (const auto row : block.rows) a.push_back(bytes_->a()[row]);
    for (const auto column : block.columns) b.push_back(bytes_->b()[column]);
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = 0; j < b.size(); ++j) places.push_back({i, j});
    }
    std::vector<std::uint32_t> distances(places.size());
    worker.solve(a, b, places, distances.data());
    for (std::size_t at = 0; at < places.size(); ++at) {
      visitor.take(member, block.rows[places[at].a], block.columns[places[at].b], distances[at]);
    }
    batch_.ran("lanes");
    return cells_of_all(a, b);
  }

  /// The pairs of a row that are in no block.
  double solve_rest(std::size_t row, int member, const Options& each, const Visitor& visitor) {
    const auto& columns = fits(rows_[row].size()) ? other_columns_ : order_;
    if (columns.empty()) return 0;
    solve_singly(row, columns, visitor.bound(member, row, columns), member, each, visitor);
    double symbols = 0;
    for (const auto column : columns) symbols += static_cast<double>(columns_[column].size());
    return symbols * static_cast<double>(rows_[row].size());
  }
  [[nodiscard]] std::size_t longest_within(List list) const {
    std::size_t most = 1;
    for (const SymbolView& symbols : list) most = std::max(most, fits(symbols.size()) ? symbols.size() : 1);
    return most;
  }
  [[nodiscard]] lanes::Planes planes() const {
    lanes::Alphabet alphabet;
    for (const List list : {bytes_->a(), bytes_->b()}) {
      for (const SymbolView& symbols : list) alphabet.add({symbols.bytes(), symbols.size()});
    }
    return alphabet.planes();
  }

  /// Some rows and the columns of a group.
  double solve(std::size_t group, std::size_t first_row, int member, const Options& each, const Visitor& visitor,
               Groups& all) {
    const auto columns = std::span<const std::uint32_t>(order_).subspan(
        group * pairs_, std::min(pairs_, order_.size() - group * pairs_));
    const std::size_t shortest = columns_[columns.front()].size(), longest = columns_[columns.back()].size();
    const bool has_lanes = bytes_ && fits(shortest) && fits(longest);
    bool is_set = false;
    double entries = 0;
    std::vector<std::uint32_t> distances(pairs_);
    for (std::size_t row = first_row; row < std::min(first_row + rows_together_, rows_.size()); ++row) {
      const std::size_t n = rows_[row].size();
      const auto bound = visitor.bound(member, row, columns);
      entries += static_cast<double>(n * longest * columns.size());
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

  /// A distance above the bound.
  static std::uint32_t beyond(std::uint32_t bound) { return std::max(bound + 1, bound); }

  [[nodiscard]] bool are_worth(std::size_t n, std::size_t m, std::size_t pairs,
                               std::optional<std::uint32_t> bound) const {
    return batch_.forces("lanes") || seconds_of_lanes(n, m, planes_.count, request_, bound) <
                                         static_cast<double>(pairs) * seconds_of_words(n, m, request_.measure);
  }

  void set(lanes::Group& group, std::span<const std::uint32_t> columns) const {
    std::vector<SymbolView> b;
    for (const auto column : columns) b.push_back(bytes_->b()[column]);
    group.set_b(b, planes_);
  }

  void solve_singly(std::size_t row, std::span<const std::uint32_t> columns, std::optional<std::uint32_t> bound,
                    int member, const Options& each, const Visitor& visitor) {
    const BatchRequest limited{request_.measure, bound};
    std::optional<Pattern> pattern;
    for (const auto column : columns) {
      const SymbolView& a = rows_[row];
      const SymbolView& b = columns_[column];
      const bool is_short = a.size() <= tuning::max_pattern && !is_known(a.size(), b.size(), limited);
      if (is_short && !pattern) pattern.emplace(a, request_.measure);
      visitor.take(member, row, column,
                   is_short ? limited.limited(pattern->distance(b)) : distance_of_pair(a, b, limited, each));
    }
    batch_.ran("words");
  }

  List rows_, columns_;
  BatchRequest request_;
  Batch& batch_;
  std::optional<lanes::Bytes> bytes_;
  Positions order_, fitting_rows_, fitting_columns_, other_columns_;
  std::size_t groups_ = 0, n_ = 0, m_ = 0, of_a_thread_ = 0, rows_together_ = 1;
  lanes::Planes planes_;
  const std::size_t pairs_ = lanes::pairs_of_vector();
};

double cells_of_pairs(List a, List b) {
  double cells = 0;
  for (std::size_t at = 0; at < a.size(); ++at) cells += cells_of(a[at], b[at]);
  return cells;
}

/// The k nearest so far, with the furthest in front.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}
  void add(const Neighbor& neighbor) {
    if (heap_.size() == k_) {
      if (heap_.empty() || heap_.front() < neighbor) return;
      std::ranges::pop_heap(heap_);
      heap_.pop_back();
    }
    heap_.push_back(neighbor);
    std::ranges::push_heap(heap_);
  }
  /// The largest distance that may still be added.
  [[nodiscard]] std::optional<std::uint32_t> bound() const {
    if (k_ == 0) return 0;
    return heap_.size() == k_ ? std::optional(heap_.front().distance) : std::nullopt;
  }
  [[nodiscard]] std::vector<Neighbor>& heap() { return heap_; }

 private:
  std::size_t k_;
  std::vector<Neighbor> heap_;
};

/// The least of both bounds; nothing: none.
std::optional<std::uint32_t> tighter(std::optional<std::uint32_t> one, std::optional<std::uint32_t> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

/// The nearest of every A[i], as each member has found them.
class NearestOfAll {
 public:
  NearestOfAll(std::size_t a, std::size_t k, std::optional<std::uint32_t> max_distance, int members)
      : max_distance_(max_distance), of_(static_cast<std::size_t>(members), std::vector<Nearest>(a, Nearest(k))) {}

  void add(int member, std::size_t i, const Neighbor& neighbor) {
    if (max_distance_ && neighbor.distance > *max_distance_) return;
    of_[static_cast<std::size_t>(member)][i].add(neighbor);
  }
  [[nodiscard]] std::optional<std::uint32_t> bound(int member, std::size_t i) const {
    return tighter(max_distance_, of_[static_cast<std::size_t>(member)][i].bound());
  }
  /// The bound of some.
  [[nodiscard]] std::optional<std::uint32_t> bound(int member, std::span<const std::uint32_t> some) const {
    std::uint32_t most = 0;
    for (const auto i : some) {
      const auto of_one = bound(member, i);
      if (!of_one) return {};
      most = std::max(most, *of_one);
    }
    return most;
  }
  [[nodiscard]] std::vector<std::vector<Neighbor>> merged() {
    std::vector<std::vector<Neighbor>> found;
    for (std::size_t i = 0; i < of_[0].size(); ++i) {
      for (std::size_t member = 1; member < of_.size(); ++member) {
        for (const Neighbor& neighbor : of_[member][i].heap()) of_[0][i].add(neighbor);
      }
      std::ranges::sort(of_[0][i].heap());
      found.push_back(std::move(of_[0][i].heap()));
    }
    return found;
  }

 private:
  std::optional<std::uint32_t> max_distance_;
  std::vector<std::vector<Nearest>> of_;
};

// The choice of a device.

struct BatchSize {
  double pairs, entries, symbols;
};
/// What solves a batch. It may run twice: on a GPU that fails, and then on the CPU.
struct BatchWork {
  double entries;
  std::function<void(Batch&)> run;
};
struct Nothing {};
using BatchBackend = Backend<BatchSize, BatchWork, Nothing>;

template <bool on_gpu>
Nothing run_batch(const BatchWork& work, Context& context) {
  Batch batch(context, work.entries, on_gpu);
  work.run(batch);
  batch.finish();
  return {};
}

double seconds_on_cpu(const BatchSize& size, const Options& options) {
  const double work = tuning::lane_entry_seconds * size.entries + tuning::lane_symbol_seconds * size.symbols;
  return work / thread_count(options.threads);
}
double seconds_on_gpu(const BatchSize& size, const Options&) {
  return tuning::gpu_start_seconds + tuning::gpu_batch_symbol_seconds * size.symbols +
         tuning::gpu_batch_entry_seconds * size.entries + tuning::gpu_batch_pair_seconds * size.pairs;
}

const std::vector<BatchBackend>& backends() {
  static const std::vector<BatchBackend> list = [] {
    std::vector<BatchBackend> all = {
        {.info = {"lanes", "cpu", "a bit of a vector for each pair, up to 256 symbols",
                  "n m (2 p + 7) / L vector operations a pair"},
         .cost = seconds_on_cpu,
         .run = run_batch<false>},
        {.info = {"words", "cpu", "one pair after another: 64 rows in a word with an adder", "n m / 64 words a pair"},
         .run = run_batch<false>,
         .explicit_only = true}};
    if (has_cuda()) {
      all.push_back({.info = {"lanes", "cuda", "a bit of a word for each pair, up to 256 symbols",
                              "n m (p + 5) / 32 operations of three inputs a pair"},
                     .cost = seconds_on_gpu,
                     .run = run_batch<true>});
    }
    return all;
  }();
  return list;
}

double symbols_of(List list) {
  double symbols = 0;
  for (const SymbolView& sequence : list) symbols += static_cast<double>(sequence.size());
  return symbols;
}

Report solve(List a, List b, double pairs, double entries, const Options& options, std::function<void(Batch&)> run) {
  const BatchSize size{pairs, entries, symbols_of(a) + symbols_of(b)};
  return solve_by(std::span(backends()), size, BatchWork{entries, std::move(run)}, options).report;
}

}  // namespace

std::vector<AlgorithmInfo> batch_algorithms() { return infos(backends()); }

Outcome<std::vector<std::uint32_t>> distances(List a, List b, const Options& options, const BatchRequest& request) {
  check(a, b);
  check_pairs(a, b);
  std::vector<std::uint32_t> found;
  Report report = solve(a, b, static_cast<double>(a.size()), cells_of_pairs(a, b), options,
                        [&](Batch& batch) { found = Pairs(a, b, request, batch).solve(); });
  return {std::move(found), std::move(report)};
}

Outcome<std::vector<std::uint32_t>> cdist(List a, List b, const Options& options, const BatchRequest& request) {
  check(a, b);
  std::vector<std::uint32_t> found;
  const bool is_swapped = a.size() > b.size();
  const auto bound = [&](int, std::size_t, std::span<const std::uint32_t>) { return request.max_distance; };
  const auto take = [&](int, std::size_t row, std::size_t column, std::uint32_t distance) {
    found[is_swapped ? column * b.size() + row : row * b.size() + column] = request.limited(distance);
  };
  Report report = solve(a, b, pairs_of_all(a, b), cells_of_all(a, b), options, [&](Batch& batch) {
    const auto taken = batch.budget().reserve(a.size() * sizeof(std::uint32_t), b.size());
    found.resize(a.size() * b.size());
    AllPairs all(is_swapped ? b : a, is_swapped ? a : b, request, batch);
    all.run(all.threads(), {bound, take});
  });
  return {std::move(found), std::move(report)};
}

Outcome<std::vector<std::vector<Neighbor>>> nearest(List a, List b, std::size_t k, const Options& options,
                                                    const BatchRequest& request) {
  check(a, b);
  const std::size_t kept = std::min(k, b.size());
  const bool is_swapped = a.size() > b.size();
  std::vector<std::vector<Neighbor>> neighbors;
  Report report = solve(a, b, pairs_of_all(a, b), cells_of_all(a, b), options, [&](Batch& batch) {
    AllPairs all(is_swapped ? b : a, is_swapped ? a : b, request, batch);
    const int threads = all.threads();
    const auto taken =
        batch.budget().reserve(a.size() * static_cast<std::size_t>(threads), sizeof(Nearest) + kept * sizeof(Neighbor));
    NearestOfAll found(a.size(), kept, request.max_distance, threads);
    const auto bound = [&](int member, std::size_t row, std::span<const std::uint32_t> columns) {
      return is_swapped ? found.bound(member, columns) : found.bound(member, row);
    };
    all.run(threads, {bound, [&](int member, std::size_t row, std::size_t column, std::uint32_t distance) {
                        if (is_swapped)
                          found.add(member, column, {distance, row});
                        else
                          found.add(member, row, {distance, column});
                      }});
    neighbors = found.merged();
  });
  return {std::move(neighbors), std::move(report)};
}

namespace {

/// The pairs that may be within the bound. Short ones are compared first, many at a time.
std::vector<std::size_t> pairs_within(List a, List b, const Options& options, const BatchRequest& request,
                                      Report& report) {
  std::vector<std::size_t> within, compared;
  std::vector<SymbolView> compared_a, compared_b;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (!request.max_distance || std::max(a[at].size(), b[at].size()) > tuning::max_lane) {
      within.push_back(at);
      continue;
    }
    compared.push_back(at);
    compared_a.push_back(a[at]);
    compared_b.push_back(b[at]);
  }
  if (compared.empty()) return within;
  Options first = options;
  first.device = {Device::Kind::cpu};
  first.algorithm.clear();
  first.progress = {};
  const auto [found, ran] = distances(compared_a, compared_b, first, request);
  add_part(report, ran);
  for (std::size_t at = 0; at < compared.size(); ++at) {
    if (found[at] <= *request.max_distance) within.push_back(compared[at]);
  }
  return within;
}

}  // namespace

Outcome<std::vector<std::optional<Script>>> scripts(List a, List b, const Options& options, const BatchRequest& request,
                                                    Ties ties) {
  check_pairs(a, b);
  const Request one{.script = true, .ties = ties, .max_distance = request.max_distance};
  std::vector<std::optional<Script>> found(a.size());
  Report report;
  const std::vector<std::size_t> within = pairs_within(a, b, options, request, report);
  const auto solve_one = [&](std::size_t place, const Options& each) {
    const std::size_t at = within[place];
    const Coded pair = coded(a[at], b[at]);
    if (request.measure == Measure::edit) {
      auto solution = edit_distance(pair, each, one).solution;
      if (solution.distance) found[at] = std::move(solution.script);
    } else {
      auto solution = lcs(pair, each, one).solution;
      if (solution.length) found[at] = std::move(solution.script);
    }
    return static_cast<double>(pair.n()) * static_cast<double>(pair.m());
  };
  double cells = 0;
  for (const std::size_t at : within) cells += cells_of(a[at], b[at]);
  add_part(report, detail::solve_each(within.size(), cells, options, solve_one));
  return {std::move(found), std::move(report)};
}

}  // namespace warpfold::sequence
