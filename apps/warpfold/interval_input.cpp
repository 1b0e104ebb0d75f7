#include "interval_input.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

interval::MatrixChain read_chain(const std::string& path) {
  io::Numbers numbers = io::read_numbers(path);
  return naming(path, [&] {
    if (!numbers.whole) throw Error(ErrorKind::input, "dimensions are whole numbers of at most 64 bits");
    return interval::MatrixChain(std::move(numbers.wholes));
  });
}

TreeWeights read_tree_weights(const std::vector<std::string>& paths) {
  if (paths.size() == 2 && paths[0] == "-" && paths[1] == "-") {
    throw Error(ErrorKind::usage, "standard input can be read once: one '-' is accepted");
  }
  if (paths.size() == 2) return {io::read_numbers(paths[0]), io::read_numbers(paths[1])};
  auto lists = io::read_json_lists(paths.at(0), {"p", "q"});
  return {std::move(lists[0]), std::move(lists[1])};
}

}  // namespace warpfold::app
