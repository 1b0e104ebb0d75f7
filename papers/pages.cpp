#include "papers/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "papers/examples.hpp"
#include "papers/items.hpp"
#include "papers/measure.hpp"
#include "papers/xml.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::papers {

namespace {

/// A part of a page. The parts are shown in order.
struct PagePart {
  std::string anchor;  ///< the target of links within the page
  std::string heading;
  std::vector<Block> blocks;
  Table table = {};          ///< without rows it has only notes
  std::string picture = {};  ///< the name of its file; empty if there is no picture
  std::string svg = {};
};

/// The command of an item, with the page's seed if it names no other.
std::string seeded(const std::string& line, const RunOptions& options) {
  if (options.seed == RunOptions().seed || line.find(" --seed ") != std::string::npos) return line;
  return fmt::format("{} --seed {}", line, options.seed);
}

PagePart overview(const PaperItems& paper, const RunOptions& options, const RunLine& run_line) {
  PagePart part{
      paper.id,
      paper.paper,
      {{fmt::format("Item by item: what the paper prints, the command that answers it and what came out, by "
                    "warpfold {} on this machine ({}). Time units are counted on a simulated machine, the same "
                    "everywhere. Times of other machines are quoted with machine, date and commit.",
                    version, this_machine())},
       {"*Formula* is the exact time of the program that ran, in closed form. *Bound* is the paper's expression for it "
        "with every constant 1, or where it has none that of the accesses or memory steps: a program that keeps O(..) "
        "may take a constant times as long. *Lower bound* is what no program can go below. `warpfold machine run` "
        "prints "
        "each in letters."}},
      {{key("item"), key("section"), key("what it says"), key("command"), key("printed"), key("came out"),
        key("errata")},
       {}}};
  for (const Item& item : paper.items) {
    std::string errata;
    for (const int number : item.errata) {
      errata += fmt::format("{}[{}](#erratum-{})", errata.empty() ? "" : ", ", number, number);
    }
    const std::string printed = item.printed.empty() ? "no number" : item.printed;
    bool is_first = true;  // it has the shared cells; later rows have only their own
    const auto add = [&](const std::string& command, const std::string& came_out) {
      const auto once = [&](const std::string& text) { return is_first ? text : std::string(); };
      part.table.rows.push_back({once(item.name), once(item.section), once(item.says), command, once(printed), came_out,
                                 once(errata.empty() ? "none" : errata)});
      is_first = false;
    };
    for (const std::string& run : item.runs) {
      const std::string line = seeded(run, options);
      add(fmt::format("`warpfold {}`", line), run_line(line));
    }
    for (const std::string& id : item.examples) {
      add(fmt::format("`warpfold paper example {}`", id), fmt::format("[{}](#{})", find_example(id).title, id));
    }
    for (const std::string& id : item.experiments) {
      const Experiment& experiment = find_experiment(id);
      add(fmt::format("`{}`", command_of(experiment, options)), fmt::format("[{}](#{})", experiment.title, id));
    }
    if (is_first) add("none: " + item.nothing_to_run, "nothing is computed");
  }
  return part;
}

std::string picture_of(std::string id) {
  std::ranges::replace(id, '/', '-');
  return id + ".svg";
}

PagePart part_of(const Example& example) {
  PagePart part{example.id, example.title, {{fmt::format("`warpfold paper example {}`", example.id)}}};
  const Drawing drawing = example.draw();
  part.picture = picture_of(example.id);
  part.svg = to_svg(example.title, drawing);
  if (!example.ours.empty()) part.table.notes.push_back("chosen by us: " + example.ours);
  return part;
}

PagePart part_of(const Experiment& experiment, const RunOptions& options) {
  PagePart part{experiment.id,
                experiment.title,
                {{fmt::format("`{}`", command_of(experiment, options))}},
                run(experiment, options)};
  if (!part.table.chart) return part;
  part.picture = picture_of(experiment.id);
  part.svg = to_svg(experiment, part.table);
  return part;
}

std::vector<PagePart> parts_of(const PaperItems& paper, const RunOptions& options, const RunLine& run_line) {
  std::vector<PagePart> parts{overview(paper, options, run_line)};
  for (const Example& example : examples()) {
    if (example.id.starts_with(paper.id + "/")) parts.push_back(part_of(example));
  }
  for (const Experiment& experiment : experiments()) {
    if (experiment.id.starts_with(paper.id + "/")) parts.push_back(part_of(experiment, options));
  }
  std::set<int> errata;
  for (const Item& item : paper.items) errata.insert(item.errata.begin(), item.errata.end());
  for (const Erratum& erratum : all_errata()) {
    if (!errata.contains(erratum.number)) continue;
    parts.push_back({fmt::format("erratum-{}", erratum.number),
                     fmt::format("Erratum {}. {}", erratum.number, erratum.title), erratum.blocks});
  }
  return parts;
}

std::string markdown(const std::vector<PagePart>& parts) {
  std::string page;
  for (const PagePart& part : parts) {
    page += page.empty() ? fmt::format("# {}\n", part.heading)
                         : fmt::format("\n## <a id=\"{}\"></a>{}\n", part.anchor, part.heading);
    for (const Block& block : part.blocks) {
      page += block.is_console ? fmt::format("\n```console\n{}\n```\n", block.text) : fmt::format("\n{}\n", block.text);
    }
    if (!part.table.rows.empty()) page += '\n' + markdown_table(part.table);
    if (!part.picture.empty()) page += fmt::format("\n![{}]({})\n", part.heading, part.picture);
    if (!part.table.notes.empty()) page += '\n';
    for (const std::string& note : part.table.notes) page += fmt::format("* {}\n", note);
  }
  return page;
}

/// Converts Markdown's `code` and [link](#within) the page.
std::string cell_html(const std::string& text) {
  static const std::regex code("`([^`]+)`"), link("\\[([^\\]]+)\\]\\((#[^)]+)\\)");
  return std::regex_replace(std::regex_replace(escaped(text), code, "<code>$1</code>"), link, "<a href=\"$2\">$1</a>");
}

/// Also converts *emphasis*. A link to another page becomes its text.
std::string paragraph_html(const std::string& text) {
  static const std::regex emphasis("\\*([^*]+)\\*"), link("\\[([^\\]]+)\\]\\([^)]+\\)");
  return std::regex_replace(std::regex_replace(cell_html(text), link, "$1"), emphasis, "<em>$1</em>");
}

std::string html_table(const Table& table) {
  std::string out = "<table>\n<tr>";
  for (const Column& column : table.columns) out += fmt::format("<th>{}</th>", escaped(heading(column)));
  out += "</tr>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t column = 0; column < row.size(); ++column) {
      out += fmt::format("<td{}>{}</td>", row[column].is_number() ? " class=\"number\"" : "",
                         cell_html(text(table.columns[column], row[column])));
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string html(const std::vector<PagePart>& parts) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n"
      "body {{ font-family: sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }}\n"
      "table {{ border-collapse: collapse; font-size: 85%; }}\n"
      "th, td {{ border: 1px solid #ccc; padding: 0.25em 0.5em; text-align: left; vertical-align: top; }}\n"
      "th {{ background: #eee; }}\n.number {{ text-align: right; white-space: nowrap; }}\n"
      "pre {{ background: #f5f5f5; padding: 0.5em; overflow-x: auto; }}\n</style>\n</head>\n<body>\n",
      escaped(parts.front().heading));
  for (const PagePart& part : parts) {
    const char* level = &part == &parts.front() ? "h1" : "h2";
    page += fmt::format("<{0} id=\"{1}\">{2}</{0}>\n", level, part.anchor, escaped(part.heading));
    for (const Block& block : part.blocks) {
      page += block.is_console ? fmt::format("<pre>{}</pre>\n", escaped(block.text))
                               : fmt::format("<p>{}</p>\n", paragraph_html(block.text));
    }
    if (!part.table.rows.empty()) page += html_table(part.table);
    page += part.svg;
    if (!part.table.notes.empty()) page += "<ul>\n";
    for (const std::string& note : part.table.notes) page += fmt::format("<li>{}</li>\n", escaped(note));
    if (!part.table.notes.empty()) page += "</ul>\n";
  }
  return page + "</body>\n</html>\n";
}

}  // namespace

std::vector<PageFile> companion(const RunOptions& options, const RunLine& run_line) {
  std::vector<PageFile> files;
  for (const PaperItems& paper : all_items()) {
    const std::vector<PagePart> parts = parts_of(paper, options, run_line);
    files.push_back({paper.id + ".md", markdown(parts)});
    files.push_back({paper.id + ".html", html(parts)});
    for (const PagePart& part : parts) {
      if (!part.picture.empty()) files.push_back({part.picture, part.svg});
    }
  }
  return files;
}

}  // namespace warpfold::papers
