#include "interval_input.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"

namespace warpfold::app {

std::vector<std::int64_t> read_dimensions(const std::string& path) {
  io::Numbers numbers = io::read_numbers(path);
  if (numbers.whole) return std::move(numbers.wholes);
  throw Error(ErrorKind::input, fmt::format("{}: dimensions are whole numbers of at most 64 bits", path));
}

TreeWeights read_tree_weights(const std::vector<std::string>& paths) {
  if (paths.size() == 2) return {io::read_numbers(paths[0]), io::read_numbers(paths[1])};
  auto lists = io::read_json_lists(paths.at(0), {"p", "q"});
  return {std::move(lists[0]), std::move(lists[1])};
}

}  // namespace warpfold::app
