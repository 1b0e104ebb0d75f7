#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paths/dense/rounds.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::paths::cuda {

using minplus::Semiring;

/// All lengths, and successors if requested, on one or more GPUs from the edges to the result. Each GPU has a stripe of
/// the table's rows. With several GPUs, copies of the rows of the current turns go to all of them. Each applies these
/// turns to the columns of its own rows. T is int32_t, int64_t, float or double; bits: in_core_bits.hpp.
template <class T>
class InCore {
 public:
  /// Uses the current device and, as far as there are rows for them, the others. Raises Error{device} if two of them
  /// cannot access each other's memory.
  InCore(std::size_t vertices, Semiring semiring, bool successors, std::span<const int> others = {});

  /// The number of GPUs that get rows, in complete blocks.
  [[nodiscard]] static std::size_t gpus_with_rows(std::size_t vertices, std::size_t gpus);
  /// The bytes on each of that many GPUs.
  [[nodiscard]] static std::size_t bytes(std::size_t vertices, bool successors, std::size_t gpus = 1);

  /// Takes the edges of rows [first, first + rows), dense on the first device. All rows must come before `solve`, in
  /// any order.
  void take_edges(const T* edges, std::size_t first, std::size_t rows);

  /// Applies all turns and waits. Returns the seconds of the slowest GPU. Raises what the monitor raises.
  double solve(SolveMonitor& monitor);

  /// The first vertex found on a cycle that improves without end, or no_vertex.
  [[nodiscard]] std::uint32_t vertex_on_cycle() const;

  /// Writes rows of the result, dense on the first device. They are complete on return.
  void give_lengths(T* lengths, std::size_t first, std::size_t rows) const;
  void give_successors(std::uint32_t* successors, std::size_t first, std::size_t rows) const;

 private:
  template <class U>
  using Buffer = warpfold::cuda::Buffer<U>;

  /// One GPU's rows of the table. With several GPUs, room for the rows of the current turns follows.
  struct Stripe {
    std::size_t first, rows;
    Buffer<T> lengths, row_lines, column_lines, rows_of_vertices, columns_of_vertices;
    Buffer<std::uint32_t> successors, column_successors;
    Buffer<unsigned> words;  ///< the vertex on a cycle, and whether a length is below 0
    warpfold::cuda::Event reached;
    warpfold::cuda::Stream stream;

    [[nodiscard]] device::Part<T> table(std::size_t side) const;
    [[nodiscard]] device::Lines<T> lines(std::size_t side, std::size_t first) const;
    [[nodiscard]] unsigned word(std::size_t index) const;
  };

  [[nodiscard]] Stripe stripe_from(std::size_t first, std::size_t rows, std::size_t behind, bool successors) const;
  template <class Visit>
  void each_stripe(const Visit& visit) const;
  template <class Visit>
  void each_stripe_among(std::size_t first, std::size_t rows, const Visit& visit) const;
  void meet() const;
  void send_across(std::size_t first, std::size_t count) const;
  [[nodiscard]] device::Panels<T> panels(const Stripe& stripe, std::size_t first) const;

  [[nodiscard]] std::size_t count_from(std::size_t first) const;
  [[nodiscard]] bool search_after(std::size_t first) const;
  double solve_ahead(SolveMonitor& monitor, const Rounds<T>& rounds) const;

  std::size_t vertices_, side_;
  Semiring semiring_;
  std::size_t width_;     ///< turns of one product
  std::size_t kept_;      ///< turns whose lines are kept, twice as many where the next turns are taken ahead
  std::size_t searched_;  ///< turns between two searches for successors; 0 without
  std::vector<Stripe> stripes_;
};

}  // namespace warpfold::paths::cuda
