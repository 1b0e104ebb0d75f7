#pragma once

#include <string>
#include <vector>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/io/numbers.hpp"

/// What the commands `chain` and `tree` read, and `verify` with them.
namespace warpfold::app {

/// A file of dimensions. Raises Error{input}.
[[nodiscard]] std::vector<std::int64_t> read_dimensions(const std::string& path);

struct TreeWeights {
  io::Numbers keys;
  io::Numbers gaps;

  [[nodiscard]] bool whole() const { return keys.whole && gaps.whole; }
};

/// A JSON object with the lists p and q. Raises Error{input}.
[[nodiscard]] TreeWeights read_tree_weights(const std::string& path);

}  // namespace warpfold::app
