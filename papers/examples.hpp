#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/drawing.hpp"

/// The worked examples of the papers, drawn from runs of the machine's algorithms.
namespace warpfold::papers {

struct Example {
  std::string id;     ///< "PAPER/figure-3", as typed after `warpfold paper example`
  std::string paper;  ///< authors, title and year
  std::string title;  ///< what the figure shows
  std::string ours;   ///< values that we chose because the paper's text does not print them; empty: none
  std::function<Drawing()> draw;
};

/// Every example, in the papers' order.
[[nodiscard]] const std::vector<Example>& examples();

/// Raises Error{usage} with the accepted names for an unknown `id`.
[[nodiscard]] const Example& find_example(std::string_view id);

}  // namespace warpfold::papers
