#pragma once

#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/text.hpp"
#include "number_lists.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/io/numbers.hpp"

/// The input of `chain` and `tree`, for the commands and for `verify`.
namespace warpfold::app {

/// Whether a word is the shape of a matrix, "30x35".
[[nodiscard]] bool is_shape(std::string_view word);

/// The dimensions of a chain of matrices with these shapes. Raises Error{input} for a word that is not a shape, and for
/// neighboring matrices that do not fit together.
[[nodiscard]] std::vector<std::int64_t> dimensions_of_shapes(const std::vector<std::string>& words);

/// Reads a chain from a file of dimensions or shapes. Raises Error{input} that names the file.
[[nodiscard]] interval::MatrixChain read_chain(const std::string& path);

struct TreeWeights {
  io::Numbers keys;
  io::Numbers gaps;

  [[nodiscard]] bool is_integral() const { return keys.is_integral && gaps.is_integral; }
  [[nodiscard]] bool doubles_hold() const { return keys.doubles_hold && gaps.doubles_hold; }
};

/// Reads p and q from two files, or from one JSON object with both lists. A single file of numbers has the weights of
/// the keys, and those of the gaps are 0. Raises Error{input}, and Error{usage} if both are standard input.
[[nodiscard]] TreeWeights read_tree_weights(const std::vector<std::string>& paths);

/// The tree of these weights. Messages name both files, if there are two: only the text after the name says whether p
/// or q is wrong.
template <class T>
[[nodiscard]] interval::SearchTree<T> tree_of(const std::vector<std::string>& paths, const TreeWeights& weights) {
  return io::with_file_context(fmt::format("{}", fmt::join(paths, ", ")), [&] {
    return interval::SearchTree<T>(numbers_as<T>("p", weights.keys, false), numbers_as<T>("q", weights.gaps, false));
  });
}

}  // namespace warpfold::app
