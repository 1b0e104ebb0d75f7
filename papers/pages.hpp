#pragma once

#include <functional>
#include <string>
#include <vector>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// A file to be written: its name and what is in it.
struct PageFile {
  std::string name;
  std::string content;
};

/// Runs a command line of items.json and says in a line what came out.
using RunLine = std::function<std::string(const std::string& line)>;

/// The companion of the papers: a page for each, PAPER.md with its pictures PAPER-FIGURE.svg, and PAPER.html with the
/// same pictures inside, which needs no network. A page has the items, each with its command, what is printed, what is
/// measured and the errata; then the worked examples, the experiments with their tables, and the errata in full. Raises
/// what `all_items` and the experiments raise.
[[nodiscard]] std::vector<PageFile> companion(const RunOptions& options, const RunLine& run_line);

}  // namespace warpfold::papers
