#include "interval_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "io/printable.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app {

namespace {

/// Rows and columns of a shape, which are integers. Returns 0 and 0 if the word is not a shape.
std::pair<std::int64_t, std::int64_t> shape_of(std::string_view word) {
  const std::size_t cross = std::min(word.find_first_of("xX*"), word.size());
  std::int64_t rows = 0, columns = 0;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, rows);
  if (error != std::errc() || end != word.data() + cross || cross == word.size()) return {};
  const auto [behind, failure] = std::from_chars(end + 1, last, columns);
  return failure == std::errc() && behind == last ? std::pair(rows, columns)
                                                  : std::pair(std::int64_t{}, std::int64_t{});
}

std::vector<std::string> words_of(const std::string& path, std::string_view text) {
  std::vector<std::string> words;
  io::each_line(path, text, [&](std::string_view line) {
    io::each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  });
  return words;
}

}  // namespace

bool is_shape(std::string_view word) { return shape_of(word).first > 0 && shape_of(word).second > 0; }

std::vector<std::int64_t> dimensions_of_shapes(const std::vector<std::string>& words) {
  std::vector<std::int64_t> dimensions;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto [rows, columns] = shape_of(words[i]);
    if (!is_shape(words[i])) {
      throw Error(ErrorKind::input, fmt::format("matrix {} is '{}': ROWSxCOLUMNS, from 1 to 2^63 - 1 each, is accepted",
                                                i, io::printable(words[i])));
    }
    if (i > 0 && rows != dimensions.back()) {
      throw Error(ErrorKind::input, fmt::format("matrix {} is {}: {} rows are accepted, as {} has columns", i, words[i],
                                                dimensions.back(), words[i - 1]));
    }
    if (i == 0) dimensions.push_back(rows);
    dimensions.push_back(columns);
  }
  return dimensions;
}

interval::MatrixChain read_chain(const std::string& path) {
  std::string content = io::read_file(path);
  if (!io::is_npy(content)) {
    const std::vector<std::string> words = words_of(path, content);
    if (!words.empty() && is_shape(words.front())) {
      return io::with_file_context(path, [&] { return interval::MatrixChain(dimensions_of_shapes(words)); });
    }
  }
  const io::Numbers numbers = io::read_numbers(path, std::move(content));
  return io::with_file_context(
      path, [&] { return interval::MatrixChain(numbers_as<std::int64_t>("dimensions", numbers, false)); });
}

TreeWeights read_tree_weights(const std::vector<std::string>& paths) {
  if (paths.size() == 2) return {io::read_numbers(paths[0]), io::read_numbers(paths[1])};
  std::string content = io::read_file(paths.at(0));
  const std::size_t start = io::without_mark(content).find_first_not_of(" \t\r\n");
  if (start == std::string::npos || io::without_mark(content)[start] != '{') {
    TreeWeights weights{io::read_numbers(paths[0], std::move(content)), {}};
    weights.gaps.integers.assign(weights.keys.size() + 1, 0);
    return weights;
  }
  auto lists = io::parse_json_lists(paths[0], content, {"p", "q"});
  return {std::move(lists[0]), std::move(lists[1])};
}

}  // namespace warpfold::app
