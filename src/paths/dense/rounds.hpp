#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "run/cuda.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::paths::device {

/// A part of the table on the device, `stride` from one row to the next. Both pointers begin with the part's first
/// entry.
template <class T>
struct Part {
  T* lengths;
  std::uint32_t* successors;  ///< null where they are not wanted
  std::size_t stride;

  [[nodiscard]] Part at(std::size_t row, std::size_t column) const {
    const std::size_t place = row * stride + column;
    return {lengths + place, successors ? successors + place : nullptr, stride};
  }
};

/// The rows of the current turns, and the part of their columns that is on this device.
template <class T>
struct Panels {
  Part<T> across;         ///< begins with the first of the rows
  Part<T> down;           ///< begins with the first of the columns
  std::size_t rows;       ///< the rows of `down`
  std::size_t across_at;  ///< which of them the first of `across` is
};

/// Rows and columns as their turns find them, one line each, `n` from one line to the next.
template <class T>
struct Lines {
  T* rows;
  T* columns;
  std::uint32_t* column_successors;  ///< of the columns' entries; null where they are not wanted
  std::size_t n;
  unsigned* cycle;  ///< the first vertex found to be on a cycle that improves, or no_vertex: then nothing more is done
  /// With successors: all rows and columns since the last search with the entries of a vertex together, `width` from
  /// one vertex to the next. `first` is the place of the first line above among them.
  T* rows_of_vertices = nullptr;
  T* columns_of_vertices = nullptr;
  std::size_t width = 0, first = 0;

  /// The lines for the part of the table that begins with entry (row, column).
  [[nodiscard]] Lines at(std::size_t row, std::size_t column) const {
    Lines part = *this;
    part.rows += column;
    part.columns += row;
    if (!column_successors) return part;
    part.column_successors += row;
    part.rows_of_vertices += column * width;
    part.columns_of_vertices += row * width;
    return part;
  }
  /// The lines from a turn on.
  [[nodiscard]] Lines from(std::size_t turn) const {
    Lines later = *this;
    later.rows += turn * n;
    later.columns += turn * n;
    if (column_successors) later.column_successors += turn * n;
    later.first += turn;
    return later;
  }
};

/// A part of the table that a product updates, of complete blocks, and the lines that belong to it.
template <class T>
struct Area {
  Part<T> part;
  std::size_t rows, columns;
  Lines<T> lines;
};

}  // namespace warpfold::paths::device

namespace warpfold::paths::cuda {

/// Starts the kernels of rounds on a stream.
template <class T>
struct Rounds {
  using Stream = warpfold::cuda::Stream;
  using Part = device::Part<T>;
  using Panels = device::Panels<T>;
  using Lines = device::Lines<T>;

  minplus::Semiring semiring;
  bool nonnegative;  ///< promises that no length is below 0: (min,+) of f32 then takes three instructions for two terms

  /// Applies the turns of vertices first .. first + count - 1, in complete rounds, and writes what they find to
  /// `lines`. Each round's product is applied at once to those of these rows and columns that come later (up to
  /// table_side(count) of them).
  void start_turns(const Panels& panels, const Lines& lines, std::size_t first, std::size_t count,
                   const Stream& stream) const;
  /// Adds the product of that many lines, in complete rounds, to some parts of the table: at most `max_areas`, by one
  /// kernel. With successors it notes the turns that have them.
  void start_products(std::initializer_list<device::Area<T>> areas, std::size_t count, const Stream& stream) const;
  /// Replaces the notes of a part of the table by successors.
  void start_search(const Part& part, std::size_t rows, std::size_t columns, const Lines& lines,
                    const Stream& stream) const;
  /// Fills a part of the table with zero() and no_vertex.
  void start_clearing(const Part& part, std::size_t rows, std::size_t columns, const Stream& stream) const;

 private:
  template <class Start>
  void with_arithmetic(const Start& start) const;
  template <class Shape, class KernelOf>
  void start_blocks(std::initializer_list<device::Area<T>> areas, std::size_t count, const Stream& stream,
                    const KernelOf& kernel_of) const;
  void start_round(const Panels& panels, const Lines& lines, std::size_t first, const Stream& stream) const;
};

}  // namespace warpfold::paths::cuda
