#include "papers/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "papers/xml.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::papers {

namespace {

/// The style of every page. Wide tables scroll within themselves; long lists wrap.
constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --dim: #59616a; --line: #d0d7de; --box: #f3f5f7;
  --link: #0b5cad; --best: #fff0c2; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e6e6e6; --dim: #a5a9ae;
  --line: #3d444d; --box: #20252b; --link: #7ab8f5; --best: #574a1c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line);
  font-size: .85rem; }
nav ul { list-style: none; margin: .2rem 0 .8rem; padding: 0; }
nav li { margin: .15rem 0; }
main { padding: 1rem 2rem 4rem; max-width: 72rem; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
h3 { margin: 2rem 0 .3rem; }
h4 { margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0; }
.dim, figcaption, caption { color: var(--dim); }
.run { margin: .4rem 0; padding: .4rem .6rem; background: var(--box); border-left: 3px solid var(--line); }
code, pre { font: .85em/1.45 ui-monospace, monospace; }
pre { background: var(--box); padding: .6rem; white-space: pre-wrap; }
figure { margin: .8rem 0; }
figure svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .85rem; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--box); }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.best { background: var(--best); font-weight: 600; }
caption { text-align: left; padding: .2rem 0; }
.quotient { color: var(--dim); display: block; font-size: .9em; }
summary { cursor: pointer; color: var(--link); }
@media (max-width: 50rem) { body { display: block; } main { padding: 1rem; }
  nav { position: static; height: auto; max-height: 40vh; border: 0; border-bottom: 1px solid var(--line); } }
@media print { body { display: block; } nav, summary { display: none; } main { max-width: none; padding: 0; }
  .run, figure, tr { break-inside: avoid; } details > * { display: block; } .wide { overflow: visible; } }
)";

/// Converts Markdown's `code` and [link](#within) the page.
std::string inline_html(const std::string& text) {
  static const std::regex code("`([^`]+)`"), link("\\[([^\\]]+)\\]\\((#[^)]+)\\)");
  return std::regex_replace(std::regex_replace(escaped(text), code, "<code>$1</code>"), link, "<a href=\"$2\">$1</a>");
}

/// Also converts *emphasis*. A link to another page becomes its text.
std::string paragraph_html(const std::string& text) {
  static const std::regex emphasis("\\*([^*]+)\\*"), link("\\[([^\\]]+)\\]\\([^)]+\\)");
  return std::regex_replace(std::regex_replace(inline_html(text), link, "$1"), emphasis, "<em>$1</em>");
}

std::string blocks_html(const std::vector<Block>& blocks) {
  std::string out;
  for (const Block& block : blocks) {
    out += block.is_console ? fmt::format("<pre>{}</pre>\n", escaped(block.text))
                            : fmt::format("<p>{}</p>\n", paragraph_html(block.text));
  }
  return out;
}

std::string table_html(const Table& table) {
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns) out += fmt::format("<th>{}</th>", escaped(heading(column)));
  out += "</tr></thead>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t column = 0; column < row.size(); ++column) {
      out += fmt::format("<td{}>{}</td>", row[column].is_number() ? " class=\"number\"" : "",
                         inline_html(text(table.columns[column], row[column])));
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

/// The least number of each group of a grid's rows.
std::map<std::string, double> least_of(const std::vector<PaperGrid::Row>& rows,
                                       const std::vector<Cell>& (*cells_of)(const PaperGrid::Row&, std::size_t),
                                       std::size_t source) {
  std::map<std::string, double> least;
  for (const PaperGrid::Row& row : rows) {
    for (const Cell& cell : cells_of(row, source)) {
      if (!cell.is_number()) continue;
      const auto at = least.try_emplace(row.group, cell.number()).first;
      at->second = std::min(at->second, cell.number());
    }
  }
  return least;
}

const std::vector<Cell>& printed_cells(const PaperGrid::Row& row, std::size_t) { return row.printed; }
const std::vector<Cell>& our_cells(const PaperGrid::Row& row, std::size_t source) { return row.ours[source]; }

/// One table of a grid: the paper's own, or ours with the quotient, published over ours.
std::string grid_table(const PaperGrid& grid, const Column& source,
                       const std::vector<Cell>& (*cells_of)(const PaperGrid::Row&, std::size_t), std::size_t index,
                       bool has_quotient) {
  const auto least = least_of(grid.rows, cells_of, index);
  std::string out = fmt::format("<div class=\"wide\"><table class=\"grid\"><caption>{}</caption>\n<thead><tr><th></th>",
                                escaped(heading(source)));
  for (const std::string& column : grid.columns) out += fmt::format("<th>{}</th>", escaped(column));
  out += "</tr></thead>\n";
  for (const PaperGrid::Row& row : grid.rows) {
    out += fmt::format("<tr><th>{}</th>", escaped(row.heading));
    const auto& cells = cells_of(row, index);
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const Cell& cell = cells[column];
      const bool is_best = grid.marks_least && cell.is_number() && cell.number() == least.at(row.group);
      out += fmt::format("<td class=\"{}{}\">{}", cell.is_number() ? "number" : "", is_best ? " best" : "",
                         inline_html(text(row.has_quotient ? source : counted(""), cell)));
      if (has_quotient && row.has_quotient && cell.is_number() && row.printed[column].is_number() &&
          cell.number() != 0) {
        out += fmt::format("<span class=\"quotient\">{} &times;</span>",
                           text(counted(""), row.printed[column].number() / cell.number()));
      }
      out += "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string grid_html(const PaperGrid& grid) {
  std::string out = grid_table(grid, grid.published, printed_cells, 0, false);
  for (std::size_t source = 0; source < grid.ours.size(); ++source) {
    const bool has_number = std::ranges::any_of(
        grid.rows, [&](const PaperGrid::Row& row) { return std::ranges::any_of(row.ours[source], &Cell::is_number); });
    if (has_number) {
      out += grid_table(grid, grid.ours[source], our_cells, source, true);
    } else {
      out += fmt::format("<p class=\"dim\">{}: {}</p>\n", escaped(heading(grid.ours[source])),
                         escaped(text(grid.ours[source], grid.rows.front().ours[source].front())));
    }
  }
  const char* marked = grid.marks_least ? " Marked: the least of each group of rows." : "";
  return out + fmt::format("<p class=\"dim\">&times;: {}.{}</p>\n", escaped(grid.quotient), marked);
}

/// A long table, or one beside a chart or a grid, is folded.
std::string folded(const PagePart& part) {
  constexpr std::size_t most_rows = 16;
  const std::string table = table_html(part.table);
  const bool is_repeated = !part.svg.empty() || part.table.grid;
  if (!is_repeated && part.table.rows.size() <= most_rows) return table;
  return fmt::format("<details><summary>The table, {} rows</summary>\n{}</details>\n", part.table.rows.size(), table);
}

std::string part_html(const PagePart& part) {
  std::string out =
      fmt::format("<h4 id=\"{}\">{}</h4>\n{}", part.anchor, escaped(part.heading), blocks_html(part.blocks));
  if (!part.svg.empty()) out += fmt::format("<figure>\n{}</figure>\n", part.svg);
  if (part.table.grid) out += grid_html(*part.table.grid);
  if (!part.table.rows.empty()) out += folded(part);
  if (part.table.notes.empty()) return out;
  out += "<ul class=\"dim\">\n";
  for (const std::string& note : part.table.notes) out += fmt::format("<li>{}</li>\n", inline_html(note));
  return out + "</ul>\n";
}

std::string heading_of(const Item& item) { return fmt::format("{}, section {}", item.name, item.section); }

std::string printed_in(const Item& item) { return item.printed.empty() ? "no number" : item.printed; }

/// The section without its subsection: "III-A" and "4.1" are in III and 4.
std::string chapter_of(const Item& item) { return item.section.substr(0, item.section.find_first_of("-.")); }

/// Calls `begin` at each new section and `each` for every item with its number, from 1.
template <class Begin, class Each>
void by_chapter(const PaperPage& page, const Begin& begin, const Each& each) {
  std::string chapter;
  for (std::size_t number = 1; number <= page.items.size(); ++number) {
    const Item& item = page.items[number - 1].item;
    if (chapter_of(item) != chapter) begin(chapter = chapter_of(item));
    each(number, item);
  }
}

std::string contents(const PaperPage& page) {
  std::string out = "<nav>\n<p><a href=\"index.html\">All papers</a></p>\n<strong>Contents</strong>\n";
  bool is_open = false;
  by_chapter(
      page,
      [&](const std::string& chapter) {
        out += fmt::format("{}<p><a href=\"#section-{}\">Section {}</a></p>\n<ul>\n", is_open ? "</ul>\n" : "", chapter,
                           chapter);
        is_open = true;
      },
      [&](std::size_t number, const Item& item) {
        out += fmt::format("<li><a href=\"#item-{}\">{}</a></li>\n", number, escaped(item.name));
      });
  out += "</ul>\n";
  if (!page.figure.empty()) out += "<p><a href=\"#play\">Step through a run</a></p>\n";
  out += "<p><a href=\"#errata\">Errata</a></p>\n<ul>\n";
  for (const PagePart& erratum : page.errata) {
    const std::string title = erratum.heading.substr(0, erratum.heading.rfind(" ("));  // without the paper
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", erratum.anchor, escaped(title));
  }
  return out + "</ul>\n</nav>\n";
}

std::string item_html(const PaperPage& page, std::size_t number, std::set<std::string>& shown) {
  const AnsweredItem& one = page.items[number - 1];
  std::string out = fmt::format("<h3 id=\"item-{}\">{}</h3>\n<p>{}</p>\n<p><strong>Printed:</strong> {}</p>\n", number,
                                escaped(heading_of(one.item)), escaped(one.item.says), escaped(printed_in(one.item)));
  if (!one.item.errata.empty()) {
    out += "<p><strong>Errata:</strong>";
    for (const int erratum : one.item.errata) out += fmt::format(" <a href=\"#erratum-{0}\">{0}</a>", erratum);
    out += "</p>\n";
  }
  for (const Answer& answer : one.answers) {
    out +=
        fmt::format("<div class=\"run\">{}<br>{}</div>\n", inline_html(answer.command), inline_html(answer.came_out));
  }
  for (const std::string& algorithm : algorithms_of(one.item)) {
    if (std::ranges::find(page.played, algorithm) == page.played.end()) continue;
    out += fmt::format("<p><a href=\"#play\" data-play=\"{0}\">Step through a run of {0}</a></p>\n", algorithm);
  }
  std::vector<std::string> ids = one.item.examples;
  ids.insert(ids.end(), one.item.experiments.begin(), one.item.experiments.end());
  for (const PagePart& part : page.parts) {
    if (std::ranges::find(ids, part.anchor) != ids.end() && shown.insert(part.anchor).second) out += part_html(part);
  }
  return out;
}

/// The items that name an erratum.
std::string back_to_items(const PaperPage& page, int erratum) {
  std::string links;
  for (std::size_t number = 1; number <= page.items.size(); ++number) {
    const Item& item = page.items[number - 1].item;
    if (std::ranges::find(item.errata, erratum) == item.errata.end()) continue;
    links += fmt::format("{}<a href=\"#item-{}\">{}</a>", links.empty() ? "" : ", ", number, escaped(item.name));
  }
  return links;
}

std::string errata_html(const PaperPage& page) {
  if (page.errata.empty()) return "";
  std::string out = "<h2 id=\"errata\">Errata</h2>\n<p class=\"dim\">As in docs/explanation/errata.md.</p>\n";
  for (const PagePart& part : page.errata) {
    const int number = std::stoi(part.anchor.substr(part.anchor.find('-') + 1));
    out += fmt::format("<h3 id=\"{}\">{}</h3>\n<p class=\"dim\">Back to {}</p>\n{}", part.anchor, escaped(part.heading),
                       back_to_items(page, number), blocks_html(part.blocks));
  }
  return out;
}

std::string document(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

}  // namespace

std::string html_page(const PaperPage& page) {
  std::string body = contents(page);
  body +=
      fmt::format("<main>\n<h1 id=\"{}\">{}</h1>\n{}", page.id, escaped(page.title), blocks_html(page.introduction));
  std::set<std::string> shown;
  by_chapter(
      page,
      [&](const std::string& chapter) { body += fmt::format("<h2 id=\"section-{0}\">Section {0}</h2>\n", chapter); },
      [&](std::size_t number, const Item&) { body += item_html(page, number, shown); });
  if (!page.figure.empty()) body += "<h2 id=\"play\">Step through a run</h2>\n" + page.figure;
  return document(page.title, body + errata_html(page) + "</main>\n");
}

std::string html_index(const std::vector<PaperPage>& pages) {
  std::string list, nav = "<nav>\n<strong>Papers</strong>\n<ul>\n";
  for (const PaperPage& page : pages) {
    nav += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", page.id, escaped(page.title));
    list += fmt::format(
        "<h2 id=\"{0}\"><a href=\"{0}.html\">{1}</a></h2>\n<p>{2} items, <a href=\"{0}.html#errata\">{3} errata</a>, "
        "<a "
        "href=\"{0}.html#play\">runs to step through</a></p>\n",
        page.id, escaped(page.title), page.items.size(), page.errata.size());
    const char* end = "";
    by_chapter(
        page,
        [&](const std::string& chapter) {
          list +=
              fmt::format("{0}<p><a href=\"{1}.html#section-{2}\">Section {2}</a></p>\n<ul>\n", end, page.id, chapter);
          end = "</ul>\n";
        },
        [&](std::size_t number, const Item& item) {
          list += fmt::format("<li><a href=\"{}.html#item-{}\">{}</a>: {} <span class=\"dim\">({})</span></li>\n",
                              page.id, number, escaped(item.name), escaped(item.says), escaped(printed_in(item)));
        });
    list += end;
  }
  return document(
      "The papers' companion",
      fmt::format("{}</ul>\n<p><a href=\"play.html\">Play: a machine, step by step</a></p>\n</nav>\n<main>\n"
                  "<h1>The papers' companion</h1>\n<p>Every statement of five papers, what the paper prints, "
                  "the command that answers it and what came out, by warpfold {}. In parentheses: what the paper "
                  "prints. <a href=\"play.html\">"
                  "play.html</a> shows a machine's runs step by step.</p>\n{}</main>\n",
                  nav, version, list));
}

}  // namespace warpfold::papers
