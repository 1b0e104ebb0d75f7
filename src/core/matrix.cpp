#include "warpfold/core/matrix.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/quantity.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold {

void reject_entries(std::size_t rows, std::size_t columns) {
  throw Error(ErrorKind::memory_limit, fmt::format("a matrix of {} x {}: more than memory can hold", rows, columns));
}

void check_values(std::size_t rows, std::size_t columns, std::size_t values) {
  if (entry_count(rows, columns, 1) == values) return;
  throw Error(ErrorKind::usage, fmt::format("a matrix of {} x {} of {}: as many as it has entries are accepted", rows,
                                            columns, quantity(values, "value")));
}

std::size_t entry_count(std::size_t rows, std::size_t columns, std::size_t entry_bytes) {
  const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / entry_bytes;
  if (columns == 0 || rows <= most / columns) return rows * columns;
  reject_entries(rows, columns);
}

void check_view(std::string_view name, const void* data, std::size_t rows, std::size_t columns, std::size_t stride,
                std::size_t entry_bytes) {
  if (rows == 0 || columns == 0) return;  // nothing is read
  if (data == nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is {} x {} at null: a matrix in memory is accepted", name, rows, columns));
  }
  if (rows > 1 && stride < columns) {
    throw Error(ErrorKind::usage, fmt::format("{} has {} columns and a stride of {}: {} or more is accepted", name,
                                              columns, stride, columns));
  }
  const std::size_t most = std::numeric_limits<std::size_t>::max() / entry_bytes;
  if (columns > most || (rows > 1 && rows - 1 > (most - columns) / stride)) {
    throw Error(ErrorKind::usage, fmt::format("{} is {} x {} with a stride of {}: more than memory can hold", name,
                                              rows, columns, stride));
  }
}

}  // namespace warpfold
