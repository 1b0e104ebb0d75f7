#include "paths_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "number_lists.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::app {

namespace {

io::NpyArray read_square(const std::string& path) {
  io::NpyArray array = io::read_npy(path);
  if (array.shape.size() == 2 && array.shape[0] == array.shape[1]) return array;
  throw Error(ErrorKind::input,
              fmt::format("{}: the array is {}: a square matrix is accepted", path, fmt::join(array.shape, " x ")));
}

std::variant<io::NpyArray, formats::Graph> read_graph(const std::string& path) {
  if (io::extension(path) == ".npy") return read_square(path);
  return formats::read_graph(path);
}

/// Whether no path's length passes what i32 adds up.
bool fits_i32(double largest, std::size_t vertices) {
  const auto hops = static_cast<double>(std::max<std::size_t>(vertices, 2) - 1);
  return largest * hops <= minplus::largest_factor<std::int32_t>;
}

}  // namespace

GraphInput::GraphInput(const std::string& path) : path_(path), content_(read_graph(path)) {}

std::size_t GraphInput::vertices() const {
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) return graph->vertices;
  return std::get<io::NpyArray>(content_).shape[0];
}

std::string GraphInput::name(std::size_t vertex) const {
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->name(vertex) : std::to_string(vertex);
}

std::size_t GraphInput::vertex(const std::string& option, const std::string& name) const {
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) {
    if (const auto found = graph->find(name)) return *found;
    throw Error(ErrorKind::usage, fmt::format("{} is '{}': no vertex of {} has this name", option, name, path_));
  }
  const auto number = parse_option<std::size_t>(option, name);
  if (number < vertices()) return number;
  throw Error(ErrorKind::usage,
              fmt::format("{} is {}: a vertex from 0 to {} is accepted", option, name, vertices() - 1));
}

bool GraphInput::is_whole() const {
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->lengths.whole : std::get<io::NpyArray>(content_).is_integral();
}

std::string GraphInput::dtype() const {
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) {
    if (!is_whole()) return "f64";
    return fits_i32(largest_magnitude(graph->lengths), vertices()) ? "i32" : "i64";
  }
  const auto& array = std::get<io::NpyArray>(content_);
  if (!is_whole()) return array.dtype == "f32" ? "f32" : "f64";
  double largest = 0;
  for (const std::int64_t x : array.weights<std::int64_t>()) {
    const bool is_infinity = x == infinity<std::int64_t> || x == -infinity<std::int64_t>;
    if (!is_infinity) largest = std::max(largest, std::abs(static_cast<double>(x)));
  }
  return fits_i32(largest, vertices()) ? "i32" : "i64";
}

template <class T>
Matrix<T> GraphInput::edges(minplus::Semiring semiring) const {
  const std::size_t n = vertices();
  Matrix<T> edges(n, n, semiring.zero<T>());
  const auto* graph = std::get_if<formats::Graph>(&content_);
  if (!graph) {
    const std::vector<T> lengths = std::get<io::NpyArray>(content_).weights<T>();
    std::copy(lengths.begin(), lengths.end(), edges.view().data);
    return edges;
  }
  const std::vector<T> lengths = numbers_as<T>(path_, graph->lengths, false);
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    if (lengths[e] >= infinity<T> || lengths[e] <= -infinity<T>) {
      throw Error(ErrorKind::overflow,
                  fmt::format("{}: the edge from {} to {} has length {}: {} holds less than {}", path_,
                              graph->name(graph->edges[e].from), graph->name(graph->edges[e].to), lengths[e],
                              dtype_name<T>(), infinity<T>));
    }
    T& edge = edges(graph->edges[e].from, graph->edges[e].to);
    edge = minplus::with_choosing_tag<T>(semiring, [&](auto tag) { return tag.plus(edge, lengths[e]); });
  }
  return edges;
}

template Matrix<std::int32_t> GraphInput::edges(minplus::Semiring) const;
template Matrix<std::int64_t> GraphInput::edges(minplus::Semiring) const;
template Matrix<float> GraphInput::edges(minplus::Semiring) const;
template Matrix<double> GraphInput::edges(minplus::Semiring) const;

}  // namespace warpfold::app
