#include <algorithm>

#include "minplus/tuning.hpp"
#include "paths/kernels.cuh"
#include "paths/launch.cuh"
#include "paths/resident.hpp"
#include "paths/tuning.hpp"

namespace warpfold::paths::cuda {

namespace {

using device::Lines;
using device::Part;
using device::ProductShape;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::Event;

constexpr std::size_t turns = device::turns;

enum Word : std::size_t { cycle, negative, word_count };

/// Turns of one product with everything.
std::size_t turns_at_once(std::size_t side, bool successors) {
  const Wide& wide = successors ? wide_successors : wide_lengths;
  return side < wide.from ? turns : wide.turns;
}

}  // namespace

template <class T>
void Rounds<T>::start_turns(const Part& across, const Part& down, const Lines& lines, std::size_t first,
                            std::size_t count, const Stream& stream) const {
  const std::size_t strip = device::whole_units(count);
  for (std::size_t turn = 0; turn < count; turn += turns) {
    const Lines round = lines.from(turn);
    start_round(across.at(turn, 0), down.at(0, turn), round, first + turn, stream);
    // Of the rows and columns, those behind the round: whole blocks of columns.
    const std::size_t next = turn + turns, whole = next / ProductShape<T>::columns * ProductShape<T>::columns;
    if (next == count) break;
    start_products(across.at(next, 0), strip - next, lines.n, round.at(first + next, 0), turns, stream);
    start_products(down.at(0, whole), lines.n, strip - whole, round.at(0, first + whole), turns, stream);
  }
}

template <class T>
void Rounds<T>::start_round(const Part& across, const Part& down, const Lines& lines, std::size_t first,
                            const Stream& stream) const {
  constexpr int shared_bytes = device::panel_shared_bytes<T>;
  const dim3 blocks(static_cast<unsigned>(lines.n / device::panel_threads), 2);
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) {
    using Tag = decltype(tag);
    launch(down.successors ? device::take_turns<Tag, true> : device::take_turns<Tag, false>, blocks,
           device::panel_threads, shared_bytes, stream, across, down, lines, first);
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
           Shape::shared_bytes(successors), stream, part, lines, static_cast<int>(count));
  };
  if constexpr (std::is_same_v<T, float>) {
    if (nonnegative && semiring.kind == minplus::Semiring::min_plus) return start(device::NonnegativeF32{});
  }
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) { start(device::Arithmetic<decltype(tag)>{}); });
}

template <class T>
void Rounds<T>::start_clearing(const Part& part, std::size_t rows, std::size_t columns, const Stream& stream) const {
  device::clear<T><<<static_cast<unsigned>(rows), row_threads, 0, stream.get()>>>(part, columns, semiring.zero<T>());
  check_launch("clear a part of the table");
}

template <class T>
Resident<T>::Resident(std::size_t vertices, Semiring semiring, bool successors)
    : vertices_(vertices),
      side_(device::whole_units(vertices)),
      semiring_(semiring),
      width_(turns_at_once(side_, successors)),
      lengths_(side_ * side_),
      rows_(width_ * side_),
      columns_(width_ * side_),
      successors_(successors ? side_ * side_ : 0),
      column_successors_(successors ? width_ * side_ : 0),
      words_(word_count) {
  const unsigned first_words[word_count] = {no_vertex, 0};
  check(cudaMemcpy(words_.data(), first_words, sizeof first_words, cudaMemcpyHostToDevice), "receive two words");
  check(cudaStreamSynchronize(nullptr), "receive two words");
}

template <class T>
std::size_t Resident<T>::bytes(std::size_t vertices, bool successors) {
  const std::size_t side = device::whole_units(vertices), width = turns_at_once(side, successors);
  return (side + 2 * width) * side * sizeof(T) + (successors ? (side + width) * side * sizeof(std::uint32_t) : 0) +
         word_count * sizeof(unsigned);
}

template <class T>
Part<T> Resident<T>::table() const {
  return {lengths_.data(), wants_successors() ? successors_.data() : nullptr, side_};
}

template <class T>
Lines<T> Resident<T>::lines() const {
  return {rows_.data(), columns_.data(), wants_successors() ? column_successors_.data() : nullptr, side_,
          words_.data() + cycle};
}

template <class T>
void Resident<T>::take_edges(const T* edges, std::size_t first, std::size_t rows) {
  // The last row brings those that stand for no vertex.
  const std::size_t filled = first + rows == vertices_ ? side_ - first : rows;
  minplus::with_choosing_tag<T>(semiring_, [&](auto tag) {
    device::take_edges<decltype(tag)><<<static_cast<unsigned>(filled), row_threads, 0, stream_.get()>>>(
        table(), side_, {edges, first, vertices_}, words_.data() + negative);
  });
  check_launch("take the edges");
  stream_.synchronize();
}

template <class T>
double Resident<T>::solve(Watch& watch) {
  using Shape = ProductShape<T>;
  const Rounds<T> rounds{semiring_, word(negative) == 0};
  const double terms_of_row = static_cast<double>(width_) * static_cast<double>(side_);
  const auto most_rows = static_cast<std::size_t>(minplus::cuda_terms_at_once / terms_of_row) / Shape::rows;
  const std::size_t rows = std::clamp<std::size_t>(most_rows * Shape::rows, Shape::rows, side_);
  const double steps_ahead = minplus::cuda_terms_at_once / (terms_of_row * static_cast<double>(rows));
  const auto vertices = static_cast<double>(vertices_);

  const Event started, finished;
  started.record(stream_);
  Pace pace(static_cast<std::size_t>(std::clamp(steps_ahead, 2.0, 64.0)), stream_);
  for (std::size_t first = 0; first < vertices_; first += width_) {
    const std::size_t taken = std::min(width_, vertices_ - first), count = (taken + turns - 1) / turns * turns;
    rounds.start_turns(table().at(first, 0), table().at(0, first), lines(), first, count, stream_);
    for (std::size_t row = 0; row < side_; row += rows) {
      watch.check();
      pace.wait();
      rounds.start_products(table().at(row, 0), std::min(rows, side_ - row), side_, lines().at(row, 0), count, stream_);
      pace.record();
    }
    watch.advance(vertices * vertices * static_cast<double>(taken));
  }
  finished.record(stream_);
  stream_.synchronize();
  return seconds_between(started, finished);
}

template <class T>
unsigned Resident<T>::word(std::size_t index) const {
  unsigned value = 0;
  check(cudaMemcpyAsync(&value, words_.data() + index, sizeof value, cudaMemcpyDeviceToHost, stream_.get()),
        "send a word");
  stream_.synchronize();
  return value;
}

template <class T>
std::uint32_t Resident<T>::vertex_on_cycle() const {
  return word(cycle);
}

template <class T>
void Resident<T>::give_lengths(T* lengths, std::size_t first, std::size_t rows) const {
  device::give_lengths<T><<<static_cast<unsigned>(rows), row_threads, 0, stream_.get()>>>(
      table(), {lengths, first, vertices_}, minplus::Packing<T, T>(semiring_));
  check_launch("give the lengths");
  stream_.synchronize();
}

template <class T>
void Resident<T>::give_successors(std::uint32_t* successors, std::size_t first, std::size_t rows) const {
  device::give_successors<T><<<static_cast<unsigned>(rows), row_threads, 0, stream_.get()>>>(
      table(), {successors, first, vertices_}, minplus::Packing<T, T>(semiring_));
  check_launch("give the successors");
  stream_.synchronize();
}

#define WARPFOLD_INSTANTIATE(T) \
  template struct Rounds<T>;    \
  template class Resident<T>;
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
