#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/words.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

/// The sizes that a line states: rows and columns of a matrix of lengths, and its number of edges. Vertices are counted
/// from 1. Raises Error{input} for a word that is not a size, and if the file has another number of edges.
class Announced {
 public:
  Announced(std::string_view rows, std::string_view columns, std::uint64_t edges)
      : rows_(size_of(rows)), columns_(size_of(columns)), edges_(edges) {
    if (rows_ > max_vertices) reject_word(rows, "vertices are too many: up to 2^31 are accepted");
    if (columns_ > max_vertices) reject_word(columns, "vertices are too many: up to 2^31 are accepted");
  }

  /// A number of vertices or edges.
  [[nodiscard]] static std::uint64_t size_of(std::string_view word) {
    const std::optional<std::uint64_t> value = digits_value(word);
    if (!value) reject_word(word, "is no size: an integer below 2^64 is accepted");
    return *value;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] GraphEdge edge(std::string_view from, std::string_view to) const {
    return {vertex(from, rows_), vertex(to, columns_)};
  }

  void count_edge() {
    if (met_++ < edges_) return;
    throw Error(ErrorKind::input,
                fmt::format("this is one edge more than the {} announced: as many are accepted", edges_));
  }
  void check_end(const std::string& path) const {
    if (met_ == edges_) return;
    throw Error(ErrorKind::input,
                fmt::format("{}: has {} of the {} edges announced: as many are accepted", path, met_, edges_));
  }

 private:
  [[nodiscard]] static std::uint32_t vertex(std::string_view word, std::uint64_t count) {
    const std::optional<std::uint64_t> index = digits_value(word);
    if (!index || *index < 1 || *index > count) {
      reject_word(word, fmt::format("is no vertex: 1 .. {} is accepted", count));
    }
    return static_cast<std::uint32_t>(*index - 1);
  }

  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t edges_ = 0;
  std::uint64_t met_ = 0;
};

}  // namespace warpfold::formats
