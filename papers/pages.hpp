#pragma once

#include <functional>
#include <string>
#include <vector>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// A file to write: its name and its content.
struct PageFile {
  std::string name;
  std::string content;
};

/// Runs a command line of items.json and returns its result in one line.
using RunLine = std::function<std::string(const std::string& line)>;

/// The companion of the papers. For each paper there is PAPER.md with its pictures PAPER-FIGURE.svg, and PAPER.html,
/// which contains the same pictures and needs no network. index.html lists the papers, and play.html shows a machine's
/// runs step by step. A page has the items, each with its command, the printed and the measured result, its errata, its
/// worked examples and its experiments. Then come the complete errata. Raises what `all_items` and the experiments
/// raise.
[[nodiscard]] std::vector<PageFile> companion(const RunOptions& options, const RunLine& run_line);

}  // namespace warpfold::papers
