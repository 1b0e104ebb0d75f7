#pragma once

#include <string>
#include <vector>

#include "papers/items.hpp"
#include "papers/table.hpp"

/// The companion as a small site: a page for each paper, with the paper's items in its order, and a page that lists
/// them.
namespace warpfold::papers {

/// A command of an item and its result, in Markdown's `code` and [link](#within) form.
struct Answer {
  std::string command, came_out;
};

/// A statement of a paper with its commands and their results.
struct AnsweredItem {
  Item item;
  std::vector<Answer> answers;
};

/// An example, an experiment or an erratum.
struct PagePart {
  std::string anchor;  ///< the target of links within the page
  std::string heading;
  std::vector<Block> blocks;
  Table table = {};          ///< without rows it has only notes
  std::string picture = {};  ///< the name of its file; empty if there is no picture
  std::string svg = {};
};

/// The page of a paper.
struct PaperPage {
  std::string id, title;
  std::vector<Block> introduction;
  std::vector<AnsweredItem> items = {};
  std::vector<PagePart> parts = {};  ///< the examples, then the experiments
  std::vector<PagePart> errata;
  std::vector<std::string> played = {};  ///< the algorithms of the items' runs that the figure has
  std::string figure = {};               ///< to step through runs, machine/play.hpp; empty if there is no run
};

/// A paper's page as HTML that needs no other file: contents at the side, each item with its pictures and tables, the
/// paper's tables in their own grid with our values and the quotient, a figure to step through runs, the complete
/// errata. It follows the reader's light or dark color scheme, and prints without the contents.
[[nodiscard]] std::string html_page(const PaperPage& page);

/// index.html: the papers, each with its items by section, what they say and what is printed.
[[nodiscard]] std::string html_index(const std::vector<PaperPage>& pages);

}  // namespace warpfold::papers
