#include <algorithm>
#include <vector>

#include "minplus/tuning.hpp"
#include "paths/kernels.cuh"
#include "paths/resident.hpp"

namespace warpfold::paths::cuda {

namespace {

using device::ProductShape;
using device::Tables;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::Event;

constexpr unsigned row_threads = 256;  ///< of a block that fills or reads a row
constexpr std::size_t turns = device::turns;

enum Word : std::size_t { cycle, negative, word_count };

std::size_t side_of(std::size_t vertices) {
  return (vertices + device::table_unit - 1) / device::table_unit * device::table_unit;
}

/// Starts a kernel with more shared memory than it has by itself.
template <class Kernel, class... Arguments>
void launch(Kernel kernel, dim3 blocks, int threads, int shared_bytes, const warpfold::cuda::Stream& stream,
            const Arguments&... arguments) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "reserve shared memory");
  kernel<<<blocks, static_cast<unsigned>(threads), static_cast<std::size_t>(shared_bytes), stream.get()>>>(
      arguments...);
  check_launch("start the paths");
}

/// Of what was started on a stream, only so much is not finished: a solve can be stopped.
class Pace {
 public:
  Pace(std::size_t ahead, const warpfold::cuda::Stream& stream) : events_(ahead), stream_(stream) {}

  /// Before each step.
  void wait() { events_[step_ % events_.size()].wait(); }
  /// After it.
  void record() { events_[step_++ % events_.size()].record(stream_); }

 private:
  std::vector<Event> events_;
  const warpfold::cuda::Stream& stream_;
  std::size_t step_ = 0;
};

}  // namespace

template <class T>
Resident<T>::Resident(std::size_t vertices, Semiring semiring, bool successors)
    : vertices_(vertices),
      side_(side_of(vertices)),
      semiring_(semiring),
      lengths_(side_ * side_),
      rows_(turns * side_),
      columns_(turns * side_),
      successors_(successors ? side_ * side_ : 0),
      column_successors_(successors ? turns * side_ : 0),
      words_(word_count) {
  const unsigned first_words[word_count] = {no_vertex, 0};
  check(cudaMemcpy(words_.data(), first_words, sizeof first_words, cudaMemcpyHostToDevice), "receive two words");
  check(cudaStreamSynchronize(nullptr), "receive two words");
}

template <class T>
std::size_t Resident<T>::bytes(std::size_t vertices, bool successors) {
  const std::size_t side = side_of(vertices);
  return (side + 2 * turns) * side * sizeof(T) + (successors ? (side + turns) * side * sizeof(std::uint32_t) : 0) +
         word_count * sizeof(unsigned);
}

template <class T>
device::Tables<T> Resident<T>::tables() const {
  return {lengths_.data(),
          wants_successors() ? successors_.data() : nullptr,
          rows_.data(),
          columns_.data(),
          column_successors_.data(),
          words_.data() + cycle,
          side_};
}

template <class T>
void Resident<T>::take_edges(const T* edges, std::size_t first, std::size_t rows) {
  // The last row brings those that stand for no vertex.
  const std::size_t filled = first + rows == vertices_ ? side_ - first : rows;
  minplus::with_choosing_tag<T>(semiring_, [&](auto tag) {
    device::take_edges<decltype(tag)><<<static_cast<unsigned>(filled), row_threads, 0, stream_.get()>>>(
        tables(), {edges, first, rows, vertices_}, words_.data() + negative);
  });
  check_launch("take the edges");
  stream_.synchronize();
}

template <class T>
double Resident<T>::solve(Watch& watch) {
  using Shape = ProductShape<T>;
  const bool nonnegative = word(negative) == 0;
  const double terms_of_row = static_cast<double>(turns) * static_cast<double>(side_);
  const auto most_rows = static_cast<std::size_t>(minplus::cuda_terms_at_once / terms_of_row) / Shape::rows;
  const std::size_t rows = std::clamp<std::size_t>(most_rows * Shape::rows, Shape::rows, side_);
  const double steps_ahead = minplus::cuda_terms_at_once / (terms_of_row * static_cast<double>(rows));
  const auto vertices = static_cast<double>(vertices_);
  const std::size_t rounds = (vertices_ + turns - 1) / turns;

  const Event started, finished;
  started.record(stream_);
  Pace pace(static_cast<std::size_t>(std::clamp(steps_ahead, 2.0, 64.0)), stream_);
  for (std::size_t first = 0; first < vertices_; first += turns) {
    start_turns(first);
    for (std::size_t row = 0; row < side_; row += rows) {
      watch.check();
      pace.wait();
      start_products(row, std::min(rows, side_ - row), nonnegative);
      pace.record();
    }
    watch.advance(vertices * vertices * vertices / static_cast<double>(rounds));
  }
  finished.record(stream_);
  stream_.synchronize();
  return seconds_between(started, finished);
}

template <class T>
void Resident<T>::start_turns(std::size_t first_vertex) const {
  constexpr int shared_bytes = device::panel_shared_bytes<T>;
  const dim3 blocks(static_cast<unsigned>(side_ / device::panel_threads), 2);
  minplus::with_choosing_tag<T>(semiring_, [&](auto tag) {
    using Tag = decltype(tag);
    launch(wants_successors() ? device::take_turns<Tag, true> : device::take_turns<Tag, false>, blocks,
           device::panel_threads, shared_bytes, stream_, tables(), first_vertex);
  });
}

template <class T>
void Resident<T>::start_products(std::size_t first_row, std::size_t rows, bool nonnegative) const {
  using Shape = ProductShape<T>;
  const dim3 blocks(static_cast<unsigned>(side_ / Shape::columns), static_cast<unsigned>(rows / Shape::rows));
  const auto start = [&]<class Arith>(Arith) {
    launch(wants_successors() ? device::multiply_successors<Arith> : device::multiply_lengths<Arith>, blocks,
           Shape::threads, Shape::shared_bytes(wants_successors()), stream_, tables(), first_row);
  };
  if constexpr (std::is_same_v<T, float>) {
    if (nonnegative && semiring_.kind == Semiring::min_plus) return start(device::NonnegativeF32{});
  }
  minplus::with_choosing_tag<T>(semiring_, [&](auto tag) { start(device::Arithmetic<decltype(tag)>{}); });
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
      tables(), {lengths, first, rows, vertices_}, minplus::Packing<T, T>(semiring_));
  check_launch("give the lengths");
  stream_.synchronize();
}

template <class T>
void Resident<T>::give_successors(std::uint32_t* successors, std::size_t first, std::size_t rows) const {
  device::give_successors<T><<<static_cast<unsigned>(rows), row_threads, 0, stream_.get()>>>(
      tables(), {successors, first, rows, vertices_}, minplus::Packing<T, T>(semiring_));
  check_launch("give the successors");
  stream_.synchronize();
}

template class Resident<std::int32_t>;
template class Resident<std::int64_t>;
template class Resident<float>;
template class Resident<double>;

}  // namespace warpfold::paths::cuda
