#include "paths/dense/out_of_core.hpp"

#include <algorithm>
#include <span>

#include "core/number_types.hpp"
#include "minplus/tuning.hpp"
#include "paths/backends.hpp"
#include "paths/dense/shapes.hpp"

namespace warpfold::paths::cuda {

namespace {

using warpfold::cuda::check;
constexpr std::size_t turns = device::turns;

/// The number of rows that pass through the device at a time. A solve can be stopped after each such step.
std::size_t rows_at_once(std::size_t side, std::size_t width) {
  const double terms_of_row = static_cast<double>(side) * static_cast<double>(width);
  const auto rows = static_cast<std::size_t>(minplus::cuda_terms_at_once / terms_of_row);
  return device::table_side(std::clamp<std::size_t>(rows, device::table_unit, std::max(width / 4, device::table_unit)));
}

}  // namespace

template <class T>
Streamed<T>::Streamed(MatrixView<T> lengths, MatrixView<std::uint32_t> successors, const Rounds<T>& rounds,
                      std::size_t width)
    : vertices_(lengths.rows),
      side_(device::table_side(vertices_)),
      width_(width),
      lengths_(lengths),
      successors_(successors),
      pinned_lengths_(lengths.data, lengths.rows * lengths.columns * sizeof(T)),
      pinned_successors_(successors.data, successors.rows * successors.columns * sizeof(std::uint32_t)),
      rounds_(rounds),
      across_(width, side_, successors.rows > 0),
      down_(side_, width, successors.rows > 0),
      rows_(width * side_),
      columns_(width * side_),
      rows_of_vertices_(successors.rows > 0 ? width * side_ : 0),
      columns_of_vertices_(rows_of_vertices_.size()),
      column_successors_(successors.rows > 0 ? width * side_ : 0),
      cycle_(std::span(&no_vertex, 1)),
      rooms_{{{rows_at_once(side_, width), side_, successors.rows > 0},
              {rows_at_once(side_, width), side_, successors.rows > 0},
              {rows_at_once(side_, width), side_, successors.rows > 0}}} {
  // Entries around the table take part in products too, but nobody reads their results.
  for (const Room& room : rooms_) rounds_.start_clearing(room.part(), rows_at_once(side_, width), side_, streams_[0]);
  streams_[0].synchronize();
}

template <class T>
std::size_t Streamed<T>::bytes(std::size_t vertices, bool successors, std::size_t width) {
  const std::size_t side = device::table_side(vertices), through = 3 * rows_at_once(side, width);
  return side * (((successors ? 6 : 4) * width + through) * sizeof(T) +
                 (successors ? (3 * width + through) * sizeof(std::uint32_t) : 0));
}

template <class T>
void Streamed<T>::solve(SolveMonitor& monitor) {
  const auto vertices = static_cast<double>(vertices_);
  for (std::size_t first = 0; first < vertices_; first += width_) {
    const std::size_t taken = std::min(width_, vertices_ - first), count = (taken + turns - 1) / turns * turns;
    take_turns(first, count);
    if (vertex_on_cycle() != no_vertex) return;
    multiply(count, monitor);
    monitor.advance(vertices * vertices * static_cast<double>(taken));
  }
}

template <class T>
device::Lines<T> Streamed<T>::lines() const {
  device::Lines<T> lines{rows_.data(), columns_.data(), nullptr, side_, cycle_.data()};
  if (column_successors_.size() == 0) return lines;
  lines.column_successors = column_successors_.data();
  lines.rows_of_vertices = rows_of_vertices_.data();
  lines.columns_of_vertices = columns_of_vertices_.data();
  lines.width = width_;
  return lines;
}

template <class T>
void Streamed<T>::take_turns(std::size_t first, std::size_t count) const {
  const Stream& stream = streams_[0];
  const std::size_t strip = device::table_side(count);
  rounds_.start_clearing(across_.part(), strip, side_, stream);
  rounds_.start_clearing(down_.part(), side_, strip, stream);
  copy(Way::there, across_, first, 0, strip, side_, stream);
  copy(Way::there, down_, 0, first, side_, strip, stream);
  rounds_.start_turns({across_.part(), down_.part(), side_, first}, lines(), first, count, stream);
  stream.synchronize();
}

template <class T>
void Streamed<T>::multiply(std::size_t count, const SolveMonitor& monitor) const {
  const std::size_t rows = rows_at_once(side_, width_);
  for (std::size_t row = 0, step = 0; row < vertices_; row += rows, ++step) {
    const Room& room = rooms_[step % rooms_.size()];
    const Stream& stream = streams_[step % streams_.size()];
    monitor.check();
    stream.synchronize();
    const std::size_t height = std::min(rows, side_ - row);
    copy(Way::there, room, row, 0, height, side_, stream);
    const device::Part<T> part = room.part();
    const device::Lines<T> lines = this->lines().at(row, 0);
    rounds_.start_products({{part, height, side_, lines}}, count, stream);
    if (part.successors) rounds_.start_search(part, height, side_, lines, stream);
    copy(Way::back, room, row, 0, height, side_, stream);
  }
  for (const Stream& stream : streams_) stream.synchronize();
}

template <class T>
void Streamed<T>::copy(Way way, const Room& room, std::size_t row, std::size_t column, std::size_t rows,
                       std::size_t columns, const Stream& stream) const {
  copy(way, room.lengths.data(), room.stride, lengths_, row, column, rows, columns, stream);
  if (successors_.rows > 0) {
    copy(way, room.indices.data(), room.stride, successors_, row, column, rows, columns, stream);
  }
}

template <class T>
template <class U>
void Streamed<T>::copy(Way way, U* on_device, std::size_t stride, const MatrixView<U>& on_host, std::size_t row,
                       std::size_t column, std::size_t rows, std::size_t columns, const Stream& stream) const {
  U* host = on_host.row(row) + column;
  const std::size_t bytes = std::min(columns, vertices_ - column) * sizeof(U), count = std::min(rows, vertices_ - row);
  const std::size_t device_pitch = stride * sizeof(U), host_pitch = on_host.stride * sizeof(U);
  const cudaError_t status = way == Way::there ? cudaMemcpy2DAsync(on_device, device_pitch, host, host_pitch, bytes,
                                                                   count, cudaMemcpyHostToDevice, stream.get())
                                               : cudaMemcpy2DAsync(host, host_pitch, on_device, device_pitch, bytes,
                                                                   count, cudaMemcpyDeviceToHost, stream.get());
  check(status, "copy to or from the host");
}

template <class T>
std::uint32_t Streamed<T>::vertex_on_cycle() const {
  std::uint32_t vertex = no_vertex;
  check(cudaMemcpyAsync(&vertex, cycle_.data(), sizeof vertex, cudaMemcpyDeviceToHost, streams_[0].get()),
        "send a word");
  streams_[0].synchronize();
  return vertex;
}

#define WARPFOLD_INSTANTIATE(T) template class Streamed<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
