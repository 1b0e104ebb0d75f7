#pragma once

#include <string>
#include <vector>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/io/numbers.hpp"

/// What the commands `chain` and `tree` read, and `verify` with them.
namespace warpfold::app {

/// The chain of a file of dimensions. Raises Error{input} that names the file.
[[nodiscard]] interval::MatrixChain read_chain(const std::string& path);

struct TreeWeights {
  io::Numbers keys;
  io::Numbers gaps;

  [[nodiscard]] bool whole() const { return keys.whole && gaps.whole; }
};

/// From two files, p and q, or one JSON object with both lists. Raises Error{input}, and Error{usage} where both are
/// standard input.
[[nodiscard]] TreeWeights read_tree_weights(const std::vector<std::string>& paths);

}  // namespace warpfold::app
