#pragma once

#include <cstddef>
#include <vector>

#include "warpfold/core/matrix.hpp"
#include "warpfold/mpi/ranks.hpp"

/// The distribution of a matrix over the ranks of a communicator.
namespace warpfold::mpi {

/// The indices from `first` to before `end`.
struct Range {
  std::size_t first = 0, end = 0;

  [[nodiscard]] std::size_t size() const { return end - first; }
  bool operator==(const Range&) const = default;
};

/// The range of part `at`, when `parts` parts share `count` indices in order. Part sizes differ by at most one.
[[nodiscard]] Range part_of(std::size_t count, int parts, int at);
/// The part that owns this index.
[[nodiscard]] int owner_of(std::size_t index, std::size_t count, int parts);

/// A rectangle of a matrix.
struct Block {
  Range rows, columns;

  template <class T>
  [[nodiscard]] MatrixView<T> of(const MatrixView<T>& whole) const {
    if (rows.size() == 0 || columns.size() == 0) return {whole.data, rows.size(), columns.size(), columns.size()};
    return {whole.row(rows.first) + columns.first, rows.size(), columns.size(), whole.stride};
  }
};

/// The ranks of a communicator in a grid as square as their number allows, row after row. A prime number of ranks makes
/// one column, so that blocks are contiguous full rows. Every rank has one block of each matrix: the rows of its row of
/// ranks, and the columns of its column of ranks.
class Grid {
 public:
  /// Every rank of `parent` must call it.
  explicit Grid(MPI_Comm parent);

  [[nodiscard]] int rows() const { return column_.size(); }
  [[nodiscard]] int columns() const { return row_.size(); }
  [[nodiscard]] const Communicator& all() const { return all_; }
  [[nodiscard]] const Communicator& row() const { return row_; }  ///< this rank's row; its number there is its column
  /// This rank's column; its number there is its row.
  [[nodiscard]] const Communicator& column() const { return column_; }

  /// The block of a rank, or of this rank, in a matrix of that size.
  [[nodiscard]] Block block_of(int rank, std::size_t rows, std::size_t columns) const;
  [[nodiscard]] Block block(std::size_t rows, std::size_t columns) const {
    return block_of(all_.rank(), rows, columns);
  }

 private:
  Communicator all_, row_, column_;
};

/// The MPI data type of a matrix's rows.
class RowType {
 public:
  template <class T>
  explicit RowType(const MatrixView<T>& matrix) : RowType(matrix.columns * sizeof(T), matrix.stride * sizeof(T)) {}
  ~RowType() { MPI_Type_free(&type_); }  // MPI completes pending messages of the type first
  RowType(const RowType&) = delete;
  RowType& operator=(const RowType&) = delete;

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  RowType(std::size_t bytes, std::size_t stride_bytes);

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Sends every rank's block of a matrix to all others, all blocks at one time. `block_of(rank)` gives the block of a
/// rank.
template <class T, class BlockOf>
void share_blocks(const Communicator& ranks, const MatrixView<T>& whole, const BlockOf& block_of) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(ranks.size()));
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const MatrixView<T> block = block_of(rank).of(whole);
    MPI_Ibcast(block.data, static_cast<int>(block.rows), RowType(block).get(), rank, ranks.get(),
               &requests[static_cast<std::size_t>(rank)]);
  }
  MPI_Waitall(ranks.size(), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace warpfold::mpi
