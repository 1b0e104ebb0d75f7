#include <algorithm>

#include "core/capability.hpp"
#include "paths/bitset/bits.cuh"
#include "paths/dense/launch.cuh"
#include "paths/tuning.hpp"

namespace warpfold::paths::cuda {

namespace {

using warpfold::cuda::check_launch;
using warpfold::cuda::Event;

static_assert(sizeof(device::PivotBits) <= warpfold::cuda::min_shared_bytes_of_block);

std::size_t side_for(std::size_t vertices) {
  return (vertices + device::band_bits - 1) / device::band_bits * device::band_bits;
}

}  // namespace

InCore<std::uint8_t>::InCore(std::size_t vertices, Semiring /*or_and*/, bool /*successors*/)
    : vertices_(vertices),
      side_(side_for(vertices)),
      words_(side_ * side_ / 32),
      pivot_rows_(device::pivots * side_ / 32),
      pivot_columns_(side_ * device::pivot_words) {}

std::size_t InCore<std::uint8_t>::bytes(std::size_t vertices, bool /*successors*/) {
  const std::size_t side = side_for(vertices);
  return (side + 2 * device::pivots) * side / 8;
}

void InCore<std::uint8_t>::take_edges(const std::uint8_t* edges, std::size_t first, std::size_t rows) {
  // The last row's strip also has the entries beyond the last vertex.
  const std::size_t filled = first + rows == vertices_ ? side_ - first : rows;
  device::pack_edges<<<static_cast<unsigned>(filled), row_threads, 0, stream_.get()>>>(table(), edges, first,
                                                                                       vertices_);
  check_launch("take the edges");
  stream_.synchronize();
}

double InCore<std::uint8_t>::solve(SolveMonitor& monitor) {
  const auto bands = static_cast<unsigned>(side_ / device::band_bits);
  const dim3 blocks(bands, static_cast<unsigned>(side_ / device::rows_a_bits_block));
  const device::PivotLines lines{pivot_rows_.data(), pivot_columns_.data()};
  const auto vertices = static_cast<double>(vertices_);

  const Event started, finished;
  started.record(stream_);
  Pace pace(bit_rounds_ahead, stream_);
  for (std::size_t first = 0; first < vertices_; first += device::pivots) {
    monitor.check();
    pace.wait();
    launch(device::take_pivots, bands, device::bits_threads, sizeof(device::PivotBits), stream_, table(), lines, first);
    launch(device::take_up, blocks, device::bits_threads, sizeof(device::BandUnions), stream_, table(), lines);
    pace.record();
    monitor.advance(vertices * vertices *
                    static_cast<double>(std::min<std::size_t>(device::pivots, vertices_ - first)));
  }
  finished.record(stream_);
  stream_.synchronize();
  return seconds_between(started, finished);
}

void InCore<std::uint8_t>::give_lengths(std::uint8_t* lengths, std::size_t first, std::size_t rows) const {
  device::unpack_bits<<<static_cast<unsigned>(rows), row_threads, 0, stream_.get()>>>(table(), lengths, first,
                                                                                      vertices_);
  check_launch("give the lengths");
  stream_.synchronize();
}

}  // namespace warpfold::paths::cuda
