#include "warpfold/mpi/grid.hpp"

#include "warpfold/interval/prediction.hpp"

namespace warpfold::mpi {

Range part_of(std::size_t count, int parts, int at) {
  const auto of = static_cast<std::size_t>(parts), part = static_cast<std::size_t>(at);
  const auto begin = [&](std::size_t p) { return count / of * p + count % of * p / of; };
  return {begin(part), begin(part + 1)};
}

int owner_of(std::size_t index, std::size_t count, int parts) {
  int at = 0;
  while (part_of(count, parts, at).end <= index) ++at;
  return at;
}

Grid::Grid(MPI_Comm parent)
    : all_(parent),
      row_(all_, all_.rank() / interval::RankGrid(all_.size()).rows),
      column_(all_, all_.rank() % interval::RankGrid(all_.size()).rows) {}

Block Grid::block_of(int rank, std::size_t rows, std::size_t columns) const {
  return {part_of(rows, this->rows(), rank / this->columns()),
          part_of(columns, this->columns(), rank % this->columns())};
}

RowType::RowType(std::size_t bytes, std::size_t stride_bytes) {
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &row);
  MPI_Type_create_resized(row, 0, static_cast<MPI_Aint>(stride_bytes), &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&row);
}

}  // namespace warpfold::mpi
