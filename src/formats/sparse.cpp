#include "formats/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/quantity.hpp"
#include "io/npy_entries.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "io/unpack.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/io/npz.hpp"

namespace warpfold::formats {

namespace {

using Indices = std::vector<std::uint64_t>;

/// The arrays of a sparse matrix.
class SparseArrays {
 public:
  SparseArrays(const std::string& path, std::string_view content) : path_(path), archive_(path, content) {
    if (!archive_.is_sparse())
      io::reject_file(path, "is no sparse matrix of SciPy's: an archive of save_npz is accepted");
  }

  /// The array's name, "csr". NumPy stores it as one text with 1 or 4 bytes for each character.
  [[nodiscard]] std::string format() const {
    const std::string file = archive_.content("format");
    std::string name;
    for (const char c : std::string_view(file).substr(std::min(file.size(), file.rfind('\n') + 1))) {
      if (c != '\0') name += c;
    }
    return name;
  }
  [[nodiscard]] io::NpyArray array(const char* name) const {
    io::NpyArray array = io::parse_npy(path_, archive_.content(name));
    if (array.shape.size() == 1) return array;
    io::reject_file(path_,
                    fmt::format("array '{}' has {}: one is accepted", name, quantity(array.shape.size(), "dimension")));
  }
  [[nodiscard]] Indices indices(const char* name) const { return array(name).values<std::uint64_t>(); }

  /// The number of vertices.
  [[nodiscard]] std::size_t side() const {
    const Indices shape = indices("shape");
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    if (shape.size() == 2 && shape[0] == shape[1] && shape[0] <= most) return shape[0];
    io::reject_file(path_, fmt::format("the sparse matrix is {}: as many rows as columns, up to 2^31, are accepted",
                                       shape.size() == 2 ? fmt::format("{} x {}", shape[0], shape[1]) : "no matrix"));
  }

 private:
  const std::string& path_;
  io::Npz archive_;
};

/// The row of each entry, from the positions where rows begin.
Indices expanded(const std::string& path, const Indices& begins, std::size_t rows, std::size_t entries) {
  const bool fits = begins.size() == rows + 1 && begins.front() == 0 && begins.back() == entries;
  if (!fits || !std::is_sorted(begins.begin(), begins.end())) {
    io::reject_file(path, fmt::format("'indptr' does not say where {} of {} begin: {} ascending indices are accepted",
                                      quantity(rows, "row"), quantity(entries, "entry", "entries"), rows + 1));
  }
  Indices row_of(entries);
  for (std::size_t i = 0; i < rows; ++i) std::fill(row_of.begin() + begins[i], row_of.begin() + begins[i + 1], i);
  return row_of;
}

/// The rows and columns of all entries.
std::pair<Indices, Indices> places_of(const std::string& path, const SparseArrays& arrays, std::size_t side,
                                      std::size_t entries) {
  const std::string format = arrays.format();
  if (format == "coo") return {arrays.indices("row"), arrays.indices("col")};
  if (format != "csr" && format != "csc") {
    io::reject_file(
        path, fmt::format("the sparse matrix is of format '{}': csr, csc and coo are accepted", io::printable(format)));
  }
  Indices of_row = expanded(path, arrays.indices("indptr"), side, entries), of_index = arrays.indices("indices");
  if (format == "csc") std::swap(of_row, of_index);
  return {std::move(of_row), std::move(of_index)};
}

/// The largest number of the type. Nothing unless it is an integer type of 2 bytes or more.
std::optional<io::Integer> largest_of(const io::NpyArray& data) {
  std::optional<io::Integer> largest;
  if (data.dtype == "i16") largest = std::numeric_limits<std::int16_t>::max();
  if (data.dtype == "u16") largest = std::numeric_limits<std::uint16_t>::max();
  if (data.dtype == "i32") largest = std::numeric_limits<std::int32_t>::max();
  if (data.dtype == "u32") largest = std::numeric_limits<std::uint32_t>::max();
  if (data.dtype == "i64") largest = std::numeric_limits<std::int64_t>::max();
  if (data.dtype == "u64") largest = std::numeric_limits<std::uint64_t>::max();
  return largest;
}

/// The entries as they are written. Integers stay integers.
io::Numbers numbers_of(const io::NpyArray& data) {
  io::Numbers numbers;
  io::each_entry(data, [&](std::size_t, auto value) {
    constexpr bool is_real = std::is_floating_point_v<decltype(value)>;
    numbers.add({!is_real, is_real ? io::Integer{0} : static_cast<io::Integer>(value), static_cast<double>(value)});
  });
  return numbers;
}

io::Number sum_of(const io::Number& a, const io::Number& b) {
  const io::Integer exact = a.exact + b.exact;
  return {a.is_integral, exact, a.is_integral ? static_cast<double>(exact) : a.real + b.real};
}

/// Adds the edges in the order of rows and columns. Entries of the same place are added up. In a Boolean matrix the
/// true entries are edges of length 1.
void add_edges(const io::Numbers& lengths, std::vector<GraphEdge> edges, bool is_truth, Graph& graph) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t k) { return std::uint64_t{edges[k].from} << 32 | edges[k].to; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = order[i];
    io::Number length = lengths.number(first);
    while (++i < order.size() && edges[order[i]] == edges[first]) length = sum_of(length, lengths.number(order[i]));
    if (is_truth && length.exact == 0) continue;
    graph.edges.push_back(edges[first]);
    graph.lengths.add(is_truth ? io::Number{true, 1, 1} : length);
  }
}

void check_finite(const std::string& path, const io::Numbers& lengths) {
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (std::isfinite(lengths.real(k))) continue;
    io::reject_file(
        path,
        fmt::format("data[{}] is {}, which is no length: a finite number is accepted, and no entry where there is "
                    "no edge",
                    k, lengths.real(k)));
  }
}

}  // namespace

bool is_sparse_npz(std::string_view content) { return io::is_zip(content); }

Graph parse_sparse_npz(const std::string& path, std::string_view content) {
  const SparseArrays arrays(path, content);
  Graph graph;
  graph.vertices = arrays.side();
  const io::NpyArray data = arrays.array("data");
  const io::Numbers lengths = numbers_of(data);
  check_finite(path, lengths);
  const auto [rows, columns] = places_of(path, arrays, graph.vertices, data.size());
  if (rows.size() != data.size() || columns.size() != data.size()) {
    io::reject_file(path, fmt::format("the sparse matrix has {}, {} and {}: as many are accepted",
                                      quantity(data.size(), "entry", "entries"), quantity(rows.size(), "row"),
                                      quantity(columns.size(), "column")));
  }
  std::vector<GraphEdge> edges(data.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (std::max(rows[k], columns[k]) >= graph.vertices) {
      io::reject_file(path, fmt::format("entry {} is at ({}, {}): indices below {} are accepted", k, rows[k],
                                        columns[k], graph.vertices));
    }
    edges[k] = {static_cast<std::uint32_t>(rows[k]), static_cast<std::uint32_t>(columns[k])};
  }
  add_edges(lengths, std::move(edges), data.dtype == "bool", graph);
  graph.type_largest = largest_of(data);
  return graph;
}

}  // namespace warpfold::formats
