#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::fuzz {

/// Whatever the bytes are, reading ends in an Error{input} or in a graph whose edges have finite lengths and vertices
/// that are found by their names.
template <class Parse>
int read_graph(const std::uint8_t* data, std::size_t size, Parse parse) {
  try {
    const formats::Graph graph = parse("fuzz", std::string_view(reinterpret_cast<const char*>(data), size));
    if (graph.lengths.size() != graph.edges.size()) __builtin_trap();
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto [from, to] = graph.edges[k];
      if (std::max(from, to) >= graph.vertices || !std::isfinite(graph.lengths.real(k))) __builtin_trap();
      if (graph.find(graph.name(from)) != from || graph.find(graph.name(to)) != to) __builtin_trap();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
  }
  return 0;
}

}  // namespace warpfold::fuzz
