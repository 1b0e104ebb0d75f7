#include <algorithm>

#include "core/number_types.hpp"
#include "minplus/tuning.hpp"
#include "paths/dense/in_core.hpp"
#include "paths/dense/kernels.cuh"
#include "paths/dense/launch.cuh"
#include "paths/tuning.hpp"

namespace warpfold::paths::cuda {

namespace {

using device::Lines;
using device::Part;
using device::ProductShape;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::Event;
using warpfold::cuda::Stream;

constexpr std::size_t turns = device::turns;

enum Word : std::size_t { cycle, negative, word_count };

/// The turns of one product with the whole table.
std::size_t turns_at_once(std::size_t side, bool successors) {
  const Wide& wide = successors ? wide_successors : wide_lengths;
  return side < wide.from ? turns : wide.turns;
}

/// Whether the entries of each vertex are gathered for the search of successors. Few turns are not worth it.
bool gathers(std::size_t width, bool successors) { return successors && width > turns; }

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
    start_round({across.at(turn, 0), down.at(0, turn), rows, across_at}, round, first + turn, stream);
    // The rows and columns after the round, in complete blocks.
    const std::size_t next = turn + turns, whole = next / ProductShape<T>::columns * ProductShape<T>::columns;
    if (next == count) break;
    start_products(across.at(next, 0), strip - next, lines.n, round.at(across_at + next, 0), turns, stream);
    start_products(down.at(0, whole), rows, strip - whole, round.at(0, first + whole), turns, stream);
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

template <class T>
void Rounds<T>::start_products(const Part& part, std::size_t rows, std::size_t columns, const Lines& lines,
                               std::size_t count, const Stream& stream) const {
  using Shape = ProductShape<T>;
  const dim3 blocks(static_cast<unsigned>(columns / Shape::columns), static_cast<unsigned>(rows / Shape::rows));
  const bool successors = part.successors != nullptr;
  const auto start = [&]<class Arith>(Arith) {
    launch(successors ? device::multiply_successors<Arith> : device::multiply_lengths<Arith>, blocks, Shape::threads,
           Shape::shared_bytes, stream, part, lines, static_cast<int>(count));
  };
  if constexpr (std::is_same_v<T, float>) {
    if (nonnegative && semiring.kind == minplus::Semiring::min_plus) return start(device::NonnegativeF32{});
  }
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) { start(device::Arithmetic<decltype(tag)>{}); });
}

template <class T>
void Rounds<T>::start_gathering(const Lines& lines, std::size_t count, const Stream& stream) const {
  constexpr unsigned side = 32;
  const dim3 blocks(static_cast<unsigned>(lines.n / side), static_cast<unsigned>(count / side), 2);
  device::gather_vertices<T><<<blocks, dim3(side, 8), 0, stream.get()>>>(lines);
  check_launch("gather the entries of vertices");
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
      width_(turns_at_once(side_, successors)) {
  const Cut cut(vertices, successors, 1 + others.size());
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
  const std::size_t entries = (rows + behind) * side_, lines = width_ * side_;
  const std::size_t gathered = gathers(width_, successors) ? lines : 0;
  return {first,
          rows,
          Buffer<T>(entries),
          Buffer<T>(lines),
          Buffer<T>(lines),
          Buffer<T>(gathered),
          Buffer<T>(gathered),
          Buffer<std::uint32_t>(successors ? entries : 0),
          Buffer<std::uint32_t>(successors ? lines : 0),
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
  const std::size_t side = device::table_side(vertices), width = turns_at_once(side, successors);
  const std::size_t rows = cut.rows + cut.behind;
  const std::size_t lines = (gathers(width, successors) ? 4 : 2) * width;
  return (rows + lines) * side * sizeof(T) + (successors ? (rows + width) * side * sizeof(std::uint32_t) : 0) +
         word_count * sizeof(unsigned);
}

template <class T>
Part<T> InCore<T>::Stripe::table(std::size_t side) const {
  return {lengths.data(), successors.size() > 0 ? successors.data() : nullptr, side};
}

template <class T>
Lines<T> InCore<T>::Stripe::lines(std::size_t side) const {
  Lines<T> lines{row_lines.data(), column_lines.data(), successors.size() > 0 ? column_successors.data() : nullptr,
                 side, words.data() + cycle};
  if (rows_of_vertices.size() > 0) {
    lines.rows_of_vertices = rows_of_vertices.data();
    lines.columns_of_vertices = columns_of_vertices.data();
    lines.width = rows_of_vertices.size() / side;
  }
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

/// The panels for the turns from `first` on.
template <class T>
device::Panels<T> InCore<T>::panels(const Stripe& stripe, std::size_t first) const {
  const Part<T> table = stripe.table(side_);
  if (stripes_.size() == 1) return {table.at(first, 0), table.at(0, first), side_, first};
  const std::size_t across_at = stripe.rows;
  return {table.at(across_at, 0), table.at(0, first), stripe.lengths.size() / side_, across_at};
}

template <class T>
double InCore<T>::solve(SolveMonitor& monitor) {
  using Shape = ProductShape<T>;
  bool nonnegative = true;
  each_stripe([&](const Stripe& stripe) { nonnegative = nonnegative && stripe.word(negative) == 0; });
  const Rounds<T> rounds{semiring_, nonnegative};
  const double terms_of_row = static_cast<double>(width_) * static_cast<double>(side_);
  const auto max_rows = static_cast<std::size_t>(minplus::cuda_terms_at_once / terms_of_row) / Shape::rows;
  const std::size_t all_rows = stripes_.front().rows;
  const std::size_t rows = std::clamp<std::size_t>(max_rows * Shape::rows, Shape::rows, all_rows);
  const double steps_ahead = minplus::cuda_terms_at_once / (terms_of_row * static_cast<double>(rows));
  const auto vertices = static_cast<double>(vertices_);

  std::vector<StripeRun> runs;
  each_stripe([&](const Stripe& stripe) {
    runs.emplace_back(static_cast<std::size_t>(std::clamp(steps_ahead, 2.0, 64.0)), stripe.stream);
  });
  for (std::size_t first = 0; first < vertices_; first += width_) {
    const std::size_t taken = std::min(width_, vertices_ - first), count = (taken + turns - 1) / turns * turns;
    if (stripes_.size() > 1) send_across(first, count);
    each_stripe([&](const Stripe& stripe) {
      const Lines<T> lines = stripe.lines(side_);
      rounds.start_turns(panels(stripe, first), lines, first, count, stripe.stream);
      if (lines.rows_of_vertices) rounds.start_gathering(lines, count, stripe.stream);
    });
    for (std::size_t row = 0; row < all_rows; row += rows) {
      auto run = runs.begin();
      each_stripe([&](const Stripe& stripe) {
        Pace& pace = (run++)->pace;
        if (row >= stripe.rows) return;
        monitor.check();
        pace.wait();
        rounds.start_products(stripe.table(side_).at(row, 0), std::min(rows, stripe.rows - row), side_,
                              stripe.lines(side_).at(row, 0), count, stripe.stream);
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
