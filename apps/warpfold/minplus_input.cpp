#include "minplus_input.hpp"

#include <algorithm>

#include "core/quantity.hpp"

namespace warpfold::app {

namespace {

/// The dimensions of an array, from the last: columns, rows, and matrices of a batch.
struct Extents {
  std::size_t rows;
  std::size_t columns;
  std::size_t count;

  bool is_vector;

  /// A vector is a row if it is the left factor, and a column if it is the right one.
  explicit Extents(const io::NpyArray& array, bool is_left = true) : is_vector(array.shape.size() == 1) {
    std::vector<std::size_t> shape = array.shape;
    if (is_vector) shape.insert(is_left ? shape.begin() : shape.end(), 1);
    if (shape.size() != 2 && shape.size() != 3) {
      throw Error(ErrorKind::input, fmt::format("{}: has {}: a vector has 1, a matrix 2, a batch of them 3", array.path,
                                                quantity(shape.size(), "dimension")));
    }
    rows = shape[shape.size() - 2];
    columns = shape.back();
    count = shape.size() == 3 ? shape[0] : 1;
  }
};

}  // namespace

std::size_t ProductShape::entries() const {
  constexpr std::size_t most = std::size_t{1} << 56;  // for entries of at most 16 bytes
  if (m == 0 || n == 0 || batch == 0) return 0;
  if (m > most / n || batch > most / (m * n)) {
    throw Error(ErrorKind::memory_limit, fmt::format("the product is {}{} x {}: more than memory can hold",
                                                     is_batch ? fmt::format("a batch of {}, each ", batch) : "", m, n));
  }
  return batch * m * n;
}

std::vector<std::size_t> ProductShape::extents() const {
  std::vector<std::size_t> extents;
  if (is_batch) extents.push_back(batch);
  if (!a_is_vector) extents.push_back(m);
  if (!b_is_vector) extents.push_back(n);
  return extents;
}

ProductShape shape_of_product(const io::NpyArray& a, const io::NpyArray& b) {
  const Extents left(a);
  const Extents right(b, false);
  if (left.columns != right.rows) {
    throw Error(ErrorKind::input,
                fmt::format("{}: has {} where {} has {}: as many are accepted", b.path, quantity(right.rows, "row"),
                            a.path == b.path ? "it" : a.path, quantity(left.columns, "column")));
  }
  if (left.count != right.count && left.count != 1 && right.count != 1) {
    throw Error(ErrorKind::input, fmt::format("{}: is a batch of {} where {} is one of {}: as many are accepted, or 1",
                                              b.path, right.count, a.path, left.count));
  }
  const std::size_t batch = left.count == 1 ? right.count : left.count;
  return {left.rows,
          left.columns,
          right.columns,
          batch,
          left.count,
          right.count,
          a.shape.size() == 3 || b.shape.size() == 3,
          left.is_vector,
          right.is_vector};
}

ProductShape shape_of_power(const io::NpyArray& a) {
  const Extents extents(a);
  if (a.shape.size() == 1) throw Error(ErrorKind::input, a.path + ": is a vector: a square matrix is accepted");
  if (a.shape.size() != 2 || extents.rows != extents.columns) {
    throw Error(ErrorKind::input,
                fmt::format("{}: is {}: a square matrix is accepted", a.path,
                            a.shape.size() == 3 ? "a batch" : fmt::format("{} x {}", extents.rows, extents.columns)));
  }
  return {extents.rows, extents.rows, extents.rows};
}

}  // namespace warpfold::app
