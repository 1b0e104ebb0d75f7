#include <algorithm>

#include "core/number_types.hpp"
#include "minplus/tuning.hpp"
#include "paths/dense/in_core.hpp"
#include "paths/dense/kernels.cuh"
#include "paths/dense/launch.cuh"
#include "paths/tuning.hpp"

namespace warpfold::paths::cuda {

namespace {

using device::LengthsShape;
using device::Lines;
using device::Part;
using device::SuccessorsShape;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::Event;
using warpfold::cuda::Stream;

constexpr std::size_t turns = device::turns;

enum Word : std::size_t { cycle, negative, word_count };

/// The turns of one product with the whole table.
std::size_t turns_at_once(std::size_t side, bool successors) {
  std::size_t count = turns;
  for (const Wide& wide : successors ? wide_successors : wide_lengths) {
    if (side >= wide.from) count = wide.turns;
  }
  return count;
}

/// The turns between two searches of the whole table for successors.
std::size_t searched_at_once(std::size_t side, bool successors) {
  if (!successors) return 0;
  return side <= searched_once_up_to ? side : searched_turns;
}

/// Whether the next turns are taken while a product runs: only with one GPU.
bool looks_ahead(std::size_t side, bool successors, std::size_t stripes) {
  return stripes == 1 && turns_at_once(side, successors) > turns && side <= ahead_up_to;
}

/// The turns whose lines are kept.
std::size_t kept_at_once(std::size_t side, bool successors, std::size_t stripes) {
  return (looks_ahead(side, successors, stripes) ? 2 : 1) * turns_at_once(side, successors);
}

/// Divides the table's rows into stripes of complete units, on at most that many GPUs.
struct Cut {
  std::size_t rows;  ///< of a stripe; the last one may have fewer
  std::size_t stripes;
  std::size_t behind;  ///< rows of room behind each

  Cut(std::size_t vertices, bool successors, std::size_t gpus) {
    const std::size_t side = device::table_side(vertices), units = side / device::table_unit;
    const std::size_t of_each = (units + gpus - 1) / gpus;
    rows = of_each * device::table_unit;
    stripes = (units + of_each - 1) / of_each;
    behind = stripes > 1 ? device::table_side(turns_at_once(side, successors)) : 0;
  }
};

/// Begins one GPU's part of a solve.
struct StripeRun {
  Event started, finished;
  Pace pace;

  StripeRun(std::size_t steps_ahead, const Stream& stream) : pace(steps_ahead, stream) { started.record(stream); }

  /// Waits for the end of the part.
  [[nodiscard]] double seconds(const Stream& stream) const {
    finished.record(stream);
    stream.synchronize();
    return seconds_between(started, finished);
  }
};

}  // namespace

template <class T>
void Rounds<T>::start_turns(const Panels& panels, const Lines& lines, std::size_t first, std::size_t count,
                            const Stream& stream) const {
  const auto& [across, down, rows, across_at] = panels;
  const std::size_t strip = device::table_side(count);
  for (std::size_t turn = 0; turn < count; turn += turns) {
    const Lines round = lines.from(turn);
    if (down.successors) start_search(down.at(0, turn), rows, turns, round.at(0, first + turn), stream);
    start_round({across.at(turn, 0), down.at(0, turn), rows, across_at}, round, first + turn, stream);
    // The rows and columns after the round, in complete blocks.
    const std::size_t columns = down.successors ? SuccessorsShape<T>::block_columns : LengthsShape<T>::block_columns;
    const std::size_t next = turn + turns, whole = next / columns * columns;
    if (next == count) break;
    const std::size_t left = strip - next, above = across_at + next, below = above + left;
    const auto beside = [&](std::size_t row, std::size_t height) {
      return device::Area<T>{down.at(row, whole), height, strip - whole, round.at(row, first + whole)};
    };
    // Where both are of the same table, the rows have the places where they cross.
    const bool apart = across.at(0, first).lengths != down.at(across_at, 0).lengths;
    start_products({{across.at(next, 0), left, lines.n, round.at(above, 0)},
                    beside(0, above),
                    beside(below, rows - below),
                    beside(above, apart ? left : 0)},
                   turns, stream);
  }
}

template <class T>
void Rounds<T>::start_round(const Panels& panels, const Lines& lines, std::size_t first, const Stream& stream) const {
  constexpr int shared_bytes = device::panel_shared_bytes<T>;
  const dim3 blocks(static_cast<unsigned>((lines.n + panels.rows) / device::panel_threads));
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) {
    using Tag = decltype(tag);
    launch(panels.down.successors ? device::take_turns<Tag, true> : device::take_turns<Tag, false>, blocks,
           device::panel_threads, shared_bytes, stream, panels.across, panels.down, lines, first);
  });
}

/// Calls start(arithmetic) of the table.
template <class T>
template <class Start>
void Rounds<T>::with_arithmetic(const Start& start) const {
  if constexpr (std::is_same_v<T, float>) {
    if (nonnegative && semiring.kind == minplus::Semiring::min_plus) return start(device::NonnegativeF32{});
  }
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) { start(device::Arithmetic<decltype(tag)>{}); });
}

template <class T>
void Rounds<T>::start_products(std::initializer_list<device::Area<T>> areas, std::size_t count,
                               const Stream& stream) const {
  if (areas.begin()->part.successors) {
    start_blocks<SuccessorsShape<T>>(areas, count, stream,
                                     [](auto arith) { return device::multiply_successors<decltype(arith)>; });
  } else {
    start_blocks<LengthsShape<T>>(areas, count, stream,
                                  [](auto arith) { return device::multiply_lengths<decltype(arith)>; });
  }
}

/// Starts kernel_of(arithmetic) with the blocks of some areas.
template <class T>
template <class Shape, class KernelOf>
void Rounds<T>::start_blocks(std::initializer_list<device::Area<T>> areas, std::size_t count, const Stream& stream,
                             const KernelOf& kernel_of) const {
  const Lines& lines = areas.begin()->lines;
  device::AreasOfProduct<T> placed{{}, 0, lines.n, lines.cycle, lines.first};
  unsigned blocks = 0;
  for (const device::Area<T>& area : areas) {
    const auto down = static_cast<unsigned>(area.rows / Shape::block_rows);
    const auto across = static_cast<unsigned>(area.columns / Shape::block_columns);
    if (down * across == 0) continue;
    placed.placed[placed.count++] = {area.part, area.lines.rows, area.lines.columns, blocks, across};
    blocks += down * across;
  }
  with_arithmetic([&](auto arith) {
    launch(kernel_of(arith), blocks, Shape::threads, device::product_shared_bytes<T, Shape>, stream, placed,
           static_cast<int>(count));
  });
}

template <class T>
void Rounds<T>::start_search(const Part& part, std::size_t rows, std::size_t columns, const Lines& lines,
                             const Stream& stream) const {
  const dim3 threads(device::search_columns, device::search_rows);
  // The lines of some columns stay in L2 while those of the rows pass.
  for (std::size_t column = 0; column < columns; column += searched_columns) {
    const std::size_t count = std::min(searched_columns, columns - column);
    const dim3 blocks(static_cast<unsigned>(count / threads.x), static_cast<unsigned>(rows / threads.y));
    with_arithmetic([&]<class Arith>(Arith) {
      device::search_notes<Arith><<<blocks, threads, 0, stream.get()>>>(part.at(0, column), lines.at(0, column));
    });
    check_launch("search for successors");
  }
}

template <class T>
void Rounds<T>::start_clearing(const Part& part, std::size_t rows, std::size_t columns, const Stream& stream) const {
  device::clear<T><<<static_cast<unsigned>(rows), row_threads, 0, stream.get()>>>(part, columns, semiring.zero<T>());
  check_launch("clear a part of the table");
}

template <class T>
InCore<T>::InCore(std::size_t vertices, Semiring semiring, bool successors, std::span<const int> others)
    : vertices_(vertices),
      side_(device::table_side(vertices)),
      semiring_(semiring),
      width_(turns_at_once(side_, successors)),
      searched_(searched_at_once(side_, successors)) {
  const Cut cut(vertices, successors, 1 + others.size());
  kept_ = kept_at_once(side_, successors, cut.stripes);
  std::vector<int> devices = {DeviceScope::current()};
  devices.insert(devices.end(), others.begin(), others.end());
  devices.resize(cut.stripes);
  warpfold::cuda::link(devices);
  for (std::size_t at = 0; at < cut.stripes; ++at) {
    const DeviceScope scope(devices[at]);
    const std::size_t first = at * cut.rows;
    stripes_.push_back(stripe_from(first, std::min(cut.rows, side_ - first), cut.behind, successors));
  }
}

template <class T>
typename InCore<T>::Stripe InCore<T>::stripe_from(std::size_t first, std::size_t rows, std::size_t behind,
                                                  bool successors) const {
  const unsigned words[word_count] = {no_vertex, 0};
  const std::size_t entries = (rows + behind) * side_, lines = kept_ * side_, searched = searched_ * side_;
  return {first,
          rows,
          Buffer<T>(entries),
          Buffer<T>(lines),
          Buffer<T>(lines),
          Buffer<T>(searched),
          Buffer<T>(searched),
          Buffer<std::uint32_t>(successors ? entries : 0),
          Buffer<std::uint32_t>(searched),
          Buffer<unsigned>(words),
          {},
          {}};
}

template <class T>
std::size_t InCore<T>::gpus_with_rows(std::size_t vertices, std::size_t gpus) {
  return Cut(vertices, false, gpus).stripes;
}

template <class T>
std::size_t InCore<T>::bytes(std::size_t vertices, bool successors, std::size_t gpus) {
  const Cut cut(vertices, successors, gpus);
  const std::size_t side = device::table_side(vertices), rows = cut.rows + cut.behind;
  const std::size_t lines = kept_at_once(side, successors, cut.stripes), searched = searched_at_once(side, successors);
  return (rows + 2 * lines + 2 * searched) * side * sizeof(T) +
         (successors ? (rows + searched) * side * sizeof(std::uint32_t) : 0) + word_count * sizeof(unsigned);
}

template <class T>
Part<T> InCore<T>::Stripe::table(std::size_t side) const {
  return {lengths.data(), successors.size() > 0 ? successors.data() : nullptr, side};
}

template <class T>
Lines<T> InCore<T>::Stripe::lines(std::size_t side, std::size_t first) const {
  const std::size_t at = first * side % row_lines.size();
  Lines<T> lines{row_lines.data() + at, column_lines.data() + at, nullptr, side, words.data() + cycle};
  if (successors.size() == 0) return lines;
  lines.width = rows_of_vertices.size() / side;
  lines.first = first % lines.width;
  lines.column_successors = column_successors.data() + lines.first * side;
  lines.rows_of_vertices = rows_of_vertices.data();
  lines.columns_of_vertices = columns_of_vertices.data();
  return lines;
}

template <class T>
unsigned InCore<T>::Stripe::word(std::size_t index) const {
  unsigned value = 0;
  check(cudaMemcpyAsync(&value, words.data() + index, sizeof value, cudaMemcpyDeviceToHost, stream.get()),
        "send a word");
  stream.synchronize();
  return value;
}

/// Makes the stripe's GPU current during the call.
template <class T>
template <class Visit>
void InCore<T>::each_stripe(const Visit& visit) const {
  for (const Stripe& stripe : stripes_) {
    const DeviceScope scope(stripe.lengths.device());
    visit(stripe);
  }
}

/// Calls visit(stripe, begin, count) for the stripes that have some of the rows [first, first + rows), with those rows.
template <class T>
template <class Visit>
void InCore<T>::each_stripe_among(std::size_t first, std::size_t rows, const Visit& visit) const {
  each_stripe([&](const Stripe& stripe) {
    const std::size_t begin = std::max(first, stripe.first);
    const std::size_t end = std::min(first + rows, stripe.first + stripe.rows);
    if (begin < end) visit(stripe, begin, end - begin);
  });
}

template <class T>
void InCore<T>::take_edges(const T* edges, std::size_t first, std::size_t rows) {
  // The last row's strip also has the entries beyond the last vertex.
  const std::size_t filled = first + rows == vertices_ ? side_ - first : rows;
  each_stripe_among(first, filled, [&](const Stripe& stripe, std::size_t begin, std::size_t count) {
    minplus::with_choosing_tag<T>(semiring_, [&](auto tag) {
      device::take_edges<decltype(tag)><<<static_cast<unsigned>(count), row_threads, 0, stripe.stream.get()>>>(
          stripe.table(side_).at(begin - stripe.first, 0), side_,
          {edges + (begin - first) * vertices_, begin, vertices_}, stripe.words.data() + negative);
    });
    check_launch("take the edges");
    stripe.stream.synchronize();
  });
}

/// Makes all later work on any GPU wait for all work started so far on all of them.
template <class T>
void InCore<T>::meet() const {
  each_stripe([](const Stripe& stripe) { stripe.reached.record(stripe.stream); });
  for (const Stripe& stripe : stripes_) {
    for (const Stripe& other : stripes_) other.reached.hold_back(stripe.stream.get());
  }
}

/// Copies the rows of `count` turns to all GPUs. They change only after that.
template <class T>
void InCore<T>::send_across(std::size_t first, std::size_t count) const {
  const std::size_t rows = std::min(device::table_side(count), side_ - first);
  const auto copy = [&](auto* to, const auto* from, std::size_t copied, const Stripe& by) {
    check(cudaMemcpyAsync(to, from, copied * side_ * sizeof *to, cudaMemcpyDefault, by.stream.get()), "copy rows");
  };
  meet();
  each_stripe_among(first, rows, [&](const Stripe& owner, std::size_t begin, std::size_t found) {
    for (const Stripe& stripe : stripes_) {
      const Part<T> to = stripe.table(side_).at(stripe.rows + begin - first, 0);
      const Part<T> from = owner.table(side_).at(begin - owner.first, 0);
      copy(to.lengths, from.lengths, found, owner);
      if (to.successors) copy(to.successors, from.successors, found, owner);
    }
  });
  meet();
}

/// The turns that are taken together from `first` on, in complete rounds.
template <class T>
std::size_t InCore<T>::count_from(std::size_t first) const {
  return (std::min(width_, vertices_ - first) + turns - 1) / turns * turns;
}

/// Whether the whole table is searched after these turns.
template <class T>
bool InCore<T>::search_after(std::size_t first) const {
  return searched_ > 0 && (first % searched_ + width_ >= searched_ || first + width_ >= vertices_);
}

/// The panels for the turns from `first` on.
template <class T>
device::Panels<T> InCore<T>::panels(const Stripe& stripe, std::size_t first) const {
  const Part<T> table = stripe.table(side_);
  if (stripes_.size() == 1) return {table.at(first, 0), table.at(0, first), side_, first};
  const std::size_t across_at = stripe.rows;
  return {table.at(across_at, 0), table.at(0, first), stripe.lengths.size() / side_, across_at};
}

template <class T>
double InCore<T>::solve_ahead(SolveMonitor& monitor, const Rounds<T>& rounds) const {
  const Stripe& stripe = stripes_.front();
  const Part<T> table = stripe.table(side_);
  const Stream& products = stripe.stream;
  const Stream ahead = Stream::urgent();
  const Event taken, multiplied;
  StripeRun run(2, products);
  run.started.hold_back(ahead.get());
  const auto start_turns = [&](std::size_t first) {
    rounds.start_turns(panels(stripe, first), stripe.lines(side_, first), first, count_from(first), ahead);
    taken.record(ahead);
  };
  start_turns(0);
  for (std::size_t first = 0; first < vertices_; first += width_) {
    monitor.check();
    run.pace.wait();
    const std::size_t count = count_from(first), next = first + width_, after = std::min(next + width_, side_);
    const Lines<T> of_turns = stripe.lines(side_, first);
    const auto area = [&](std::size_t row, std::size_t column, std::size_t end_row, std::size_t end_column) {
      return device::Area<T>{table.at(row, column), end_row - row, end_column - column, of_turns.at(row, column)};
    };
    taken.hold_back(products.get());
    if (next < vertices_ && !search_after(first)) {
      if (first > 0) multiplied.hold_back(ahead.get());
      rounds.start_products({area(next, 0, after, side_), area(0, next, next, after), area(after, next, side_, after)},
                            count, ahead);
      rounds.start_products({area(0, 0, next, next), area(0, after, next, side_), area(after, 0, side_, next),
                             area(after, after, side_, side_)},
                            count, products);
      multiplied.record(products);
      start_turns(next);
    } else {
      rounds.start_products({area(0, 0, side_, side_)}, count, products);
      if (search_after(first)) rounds.start_search(table, side_, side_, of_turns, products);
      multiplied.record(products);
      multiplied.hold_back(ahead.get());
      if (next < vertices_) start_turns(next);
    }
    run.pace.record();
    monitor.advance(static_cast<double>(vertices_) * static_cast<double>(vertices_) *
                    static_cast<double>(std::min(width_, vertices_ - first)));
  }
  return run.seconds(products);
}

template <class T>
double InCore<T>::solve(SolveMonitor& monitor) {
  constexpr std::size_t block_rows = device::tile_side;
  bool nonnegative = true;
  each_stripe([&](const Stripe& stripe) { nonnegative = nonnegative && stripe.word(negative) == 0; });
  const Rounds<T> rounds{semiring_, nonnegative};
  if (kept_ > width_) return solve_ahead(monitor, rounds);
  const double terms_of_row = static_cast<double>(width_) * static_cast<double>(side_);
  const auto max_rows = static_cast<std::size_t>(minplus::cuda_terms_at_once / terms_of_row) / block_rows;
  const std::size_t all_rows = stripes_.front().rows;
  const std::size_t rows = std::clamp<std::size_t>(max_rows * block_rows, block_rows, all_rows);
  const double steps_ahead = minplus::cuda_terms_at_once / (terms_of_row * static_cast<double>(rows));
  const auto vertices = static_cast<double>(vertices_);

  std::vector<StripeRun> runs;
  each_stripe([&](const Stripe& stripe) {
    runs.emplace_back(static_cast<std::size_t>(std::clamp(steps_ahead, 2.0, 64.0)), stripe.stream);
  });
  for (std::size_t first = 0; first < vertices_; first += width_) {
    const std::size_t taken = std::min(width_, vertices_ - first), count = count_from(first);
    if (stripes_.size() > 1) send_across(first, count);
    each_stripe([&](const Stripe& stripe) {
      rounds.start_turns(panels(stripe, first), stripe.lines(side_, first), first, count, stripe.stream);
    });
    for (std::size_t row = 0; row < all_rows; row += rows) {
      auto run = runs.begin();
      each_stripe([&](const Stripe& stripe) {
        Pace& pace = (run++)->pace;
        if (row >= stripe.rows) return;
        monitor.check();
        pace.wait();
        const Part<T> part = stripe.table(side_).at(row, 0);
        const Lines<T> lines = stripe.lines(side_, first).at(row, 0);
        const std::size_t height = std::min(rows, stripe.rows - row);
        rounds.start_products({{part, height, side_, lines}}, count, stripe.stream);
        if (search_after(first)) rounds.start_search(part, height, side_, lines, stripe.stream);
        pace.record();
      });
    }
    monitor.advance(vertices * vertices * static_cast<double>(taken));
  }
  double seconds = 0;
  for (std::size_t at = 0; at < runs.size(); ++at) seconds = std::max(seconds, runs[at].seconds(stripes_[at].stream));
  return seconds;
}

template <class T>
std::uint32_t InCore<T>::vertex_on_cycle() const {
  return stripes_.front().word(cycle);
}

template <class T>
void InCore<T>::give_lengths(T* lengths, std::size_t first, std::size_t rows) const {
  each_stripe_among(first, rows, [&](const Stripe& stripe, std::size_t begin, std::size_t count) {
    device::give_lengths<T><<<static_cast<unsigned>(count), row_threads, 0, stripe.stream.get()>>>(
        stripe.table(side_).at(begin - stripe.first, 0), {lengths + (begin - first) * vertices_, begin, vertices_},
        minplus::Packing<T, T>(semiring_));
    check_launch("give the lengths");
    stripe.stream.synchronize();
  });
}

template <class T>
void InCore<T>::give_successors(std::uint32_t* successors, std::size_t first, std::size_t rows) const {
  each_stripe_among(first, rows, [&](const Stripe& stripe, std::size_t begin, std::size_t count) {
    device::give_successors<T><<<static_cast<unsigned>(count), row_threads, 0, stripe.stream.get()>>>(
        stripe.table(side_).at(begin - stripe.first, 0), {successors + (begin - first) * vertices_, begin, vertices_},
        minplus::Packing<T, T>(semiring_));
    check_launch("give the successors");
    stripe.stream.synchronize();
  });
}

#define WARPFOLD_INSTANTIATE(T) \
  template struct Rounds<T>;    \
  template class InCore<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
