#include "interval_input.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

interval::MatrixChain read_chain(const std::string& path) {
  const io::Numbers numbers = io::read_numbers(path);
  return io::with_file_context(
      path, [&] { return interval::MatrixChain(numbers_as<std::int64_t>("dimensions", numbers, false)); });
}

TreeWeights read_tree_weights(const std::vector<std::string>& paths) {
  if (paths.size() == 2) return {io::read_numbers(paths[0]), io::read_numbers(paths[1])};
  const std::string content = io::read_file(paths.at(0));
  const std::size_t start = io::without_mark(content).find_first_not_of(" \t\r\n");
  if (start == std::string::npos || io::without_mark(content)[start] != '{') {
    throw Error(ErrorKind::input, fmt::format("{}: is no JSON object with both weights: a second file, with the gaps' "
                                              "weights q, is accepted behind it",
                                              paths[0]));
  }
  auto lists = io::parse_json_lists(paths[0], content, {"p", "q"});
  return {std::move(lists[0]), std::move(lists[1])};
}

}  // namespace warpfold::app
