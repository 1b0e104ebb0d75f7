#include "papers/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "papers/examples.hpp"
#include "papers/items.hpp"
#include "papers/measure.hpp"
#include "papers/site.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/machine/play.hpp"

namespace warpfold::papers {

namespace {

/// The command of an item, with the page's seed if it names no other.
std::string seeded(const std::string& line, const RunOptions& options) {
  if (options.seed == RunOptions().seed || line.find(" --seed ") != std::string::npos) return line;
  return fmt::format("{} --seed {}", line, options.seed);
}

std::vector<Block> introduction() {
  return {
      {fmt::format("Item by item: what the paper prints, the command that answers it and what came out, by "
                   "warpfold {} on this machine ({}). Time units are counted on a simulated machine, the same "
                   "everywhere. Times of other machines are quoted with machine, date and commit.",
                   version, this_machine())},
      {"*Formula* is the exact time of the program that ran, in closed form. *Bound* is the paper's expression for "
       "it with every constant 1, or where it has none that of the accesses or memory steps: a program that keeps "
       "O(..) may take a constant times as long. *Lower bound* is what no program can go below. Where the paper's "
       "proof assumes threads that keep O(1) words, the bound of such threads is given, too. `warpfold machine run` "
       "prints each in letters."}};
}

std::vector<Answer> answers_of(const Item& item, const RunOptions& options, const RunLine& run_line) {
  std::vector<Answer> answers;
  for (const std::string& run : item.runs) {
    const std::string line = seeded(run, options);
    answers.push_back({fmt::format("`warpfold {}`", line), run_line(line)});
  }
  for (const std::string& id : item.examples) {
    answers.push_back(
        {fmt::format("`warpfold paper example {}`", id), fmt::format("[{}](#{})", find_example(id).title, id)});
  }
  for (const std::string& id : item.experiments) {
    const Experiment& experiment = find_experiment(id);
    answers.push_back(
        {fmt::format("`{}`", command_of(experiment, options)), fmt::format("[{}](#{})", experiment.title, id)});
  }
  if (answers.empty()) answers.push_back({"none: " + item.nothing_to_run, "nothing is computed"});
  return answers;
}

std::string picture_of(std::string id) {
  std::ranges::replace(id, '/', '-');
  return id + ".svg";
}

PagePart part_of(const Example& example) {
  PagePart part{example.id, example.title, {{fmt::format("`warpfold paper example {}`", example.id)}}};
  part.picture = picture_of(example.id);
  part.svg = to_svg(example.title, example.draw());
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

std::vector<PagePart> errata_of(const PaperItems& paper) {
  std::set<int> numbers;
  for (const Item& item : paper.items) numbers.insert(item.errata.begin(), item.errata.end());
  std::vector<PagePart> parts;
  for (const Erratum& erratum : all_errata()) {
    if (!numbers.contains(erratum.number)) continue;
    parts.push_back({fmt::format("erratum-{}", erratum.number),
                     fmt::format("Erratum {}. {}", erratum.number, erratum.title), erratum.blocks});
  }
  return parts;
}

PaperPage page_of(const PaperItems& paper, const RunOptions& options, const RunLine& run_line,
                  const machine::Play& play) {
  PaperPage page{.id = paper.id, .title = paper.paper, .introduction = introduction(), .errata = errata_of(paper)};
  for (const Item& item : paper.items) {
    page.items.push_back({item, answers_of(item, options, run_line)});
    for (const std::string& algorithm : algorithms_of(item)) {
      const auto among = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, algorithm) != names.end();
      };
      if (among(machine::Play::algorithms()) && !among(page.played)) page.played.push_back(algorithm);
    }
  }
  page.figure = play.figure(page.played);
  for (const Example& example : examples()) {
    if (example.id.starts_with(paper.id + "/")) page.parts.push_back(part_of(example));
  }
  for (const Experiment& experiment : experiments()) {
    if (experiment.id.starts_with(paper.id + "/")) page.parts.push_back(part_of(experiment, options));
  }
  return page;
}

/// A row for every answer. The first of an item has the cells that they share.
Table overview(const PaperPage& page) {
  Table table{{key("item"), key("section"), key("what it says"), key("command"), key("printed"), key("came out"),
               key("errata")},
              {}};
  for (const auto& [item, answers] : page.items) {
    std::string errata;
    for (const int number : item.errata) {
      errata += fmt::format("{}[{}](#erratum-{})", errata.empty() ? "" : ", ", number, number);
    }
    bool is_first = true;
    for (const Answer& answer : answers) {
      const auto once = [&](const std::string& text) { return is_first ? text : std::string(); };
      table.rows.push_back({once(item.name), once(item.section), once(item.says), answer.command,
                            once(item.printed.empty() ? "no number" : item.printed), answer.came_out,
                            once(errata.empty() ? "none" : errata)});
      is_first = false;
    }
  }
  return table;
}

std::string markdown(const std::vector<Block>& blocks) {
  std::string out;
  for (const Block& block : blocks) {
    out += block.is_console ? fmt::format("\n```console\n{}\n```\n", block.text) : fmt::format("\n{}\n", block.text);
  }
  return out;
}

std::string markdown(const PagePart& part) {
  std::string out = fmt::format("\n## <a id=\"{}\"></a>{}\n", part.anchor, part.heading) + markdown(part.blocks);
  if (!part.table.rows.empty()) out += '\n' + markdown_table(part.table);
  if (!part.picture.empty()) out += fmt::format("\n![{}]({})\n", part.heading, part.picture);
  if (!part.table.notes.empty()) out += '\n';
  for (const std::string& note : part.table.notes) out += fmt::format("* {}\n", note);
  return out;
}

std::string markdown(const PaperPage& page) {
  std::string out =
      fmt::format("# {}\n", page.title) + markdown(page.introduction) + '\n' + markdown_table(overview(page));
  for (const PagePart& part : page.parts) out += markdown(part);
  for (const PagePart& part : page.errata) out += markdown(part);
  return out;
}

}  // namespace

std::vector<PageFile> companion(const RunOptions& options, const RunLine& run_line) {
  std::vector<PageFile> files;
  std::vector<PaperPage> pages;
  const machine::Play play;
  for (const PaperItems& paper : all_items()) pages.push_back(page_of(paper, options, run_line, play));
  for (const PaperPage& page : pages) {
    files.push_back({page.id + ".md", markdown(page)});
    files.push_back({page.id + ".html", html_page(page)});
    for (const PagePart& part : page.parts) {
      if (!part.picture.empty()) files.push_back({part.picture, part.svg});
    }
  }
  files.push_back({"index.html", html_index(pages)});
  files.push_back({"play.html", play.page()});
  return files;
}

}  // namespace warpfold::papers
