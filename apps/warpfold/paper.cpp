#include "paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "core/listed.hpp"
#include "limits.hpp"
#include "machine.hpp"
#include "outputs.hpp"
#include "papers/data.hpp"
#include "papers/items.hpp"
#include "papers/pages.hpp"
#include "papers/registry.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct PaperOptions {
  std::string id;
  std::string output;
  bool json = false;
  bool measure = false;
  papers::RunOptions run{.results = papers::recorded_results()};
};

void list_experiments(bool json) {
  Json all = Json::array();
  for (const papers::Experiment& one : papers::experiments()) {
    all.push_back({{"id", one.id}, {"paper", one.paper}, {"title", one.title}});
    if (!json) fmt::print("{:<44} {}\n", one.id, one.title);
  }
  if (json) print_json({{"command", "paper"}, {"version", version}, {"experiments", all}});
}

/// Lists the statements of a paper in its order, each with the commands that answer it.
void list_items(const std::string& id, bool json) {
  const papers::PaperItems paper = papers::items_of(id);
  Json items = Json::array();
  for (const papers::Item& item : paper.items) {
    items.push_back({{"item", item.name},
                     {"section", item.section},
                     {"says", item.says},
                     {"printed", item.printed},
                     {"commands", papers::commands_of(item)},
                     {"nothing_to_run", item.nothing_to_run},
                     {"errata", item.errata}});
  }
  if (json) {
    return print_json(
        {{"command", "paper"}, {"version", version}, {"id", paper.id}, {"paper", paper.paper}, {"items", items}});
  }
  fmt::print("{}\n", paper.paper);
  for (const papers::Item& item : paper.items) {
    fmt::print("\n{}, {}: {}\n", item.section, item.name, item.says);
    if (!item.printed.empty()) fmt::print("    printed: {}\n", item.printed);
    for (const std::string& command : papers::commands_of(item)) fmt::print("    warpfold {}\n", command);
    if (!item.nothing_to_run.empty()) fmt::print("    nothing to run: {}\n", item.nothing_to_run);
    if (!item.errata.empty()) fmt::print("    errata: {}\n", fmt::join(item.errata, ", "));
  }
}

using papers::Table;

struct TableFormat {
  std::vector<std::string> endings;
  std::string (*text)(const papers::Experiment& experiment, const Table& table, const papers::RunOptions& run);
};

std::span<const TableFormat> table_formats() {
  using Run = papers::RunOptions;
  static const TableFormat all[] = {
      {{".md"}, papers::to_markdown},
      {{".csv"}, [](const papers::Experiment&, const Table& table, const Run&) { return to_csv(table); }},
      {{".json"},
       [](const papers::Experiment& one, const Table& table, const Run&) {
         return to_json(one, table).dump(2) + '\n';
       }},
      {{".svg"}, [](const papers::Experiment& one, const Table& table, const Run&) { return to_svg(one, table); }},
  };
  return all;
}

const TableFormat& table_format(const std::string& path) {
  if (const auto* format = formats::find_by_ending(table_formats(), path)) return *format;
  throw Error(ErrorKind::usage, fmt::format("{}: ending '{}': {} are accepted", path, io::extension(path),
                                            listed(formats::endings_of(table_formats()), "and")));
}

/// Writes a page for each paper into a folder. Computes everything before it writes.
void write_companion(const PaperOptions& options) {
  namespace fs = std::filesystem;
  if (options.json) throw Error(ErrorKind::usage, "--json is given with all: an experiment's id is accepted");
  if (options.output.empty()) throw Error(ErrorKind::usage, "all writes several files: -o DIR is accepted");
  std::error_code error;
  fs::create_directories(options.output, error);
  if (error) throw Error(ErrorKind::input, fmt::format("{}: no folder: {}", options.output, error.message()));
  const auto path_of = [&](const std::string& name) { return (fs::path(options.output) / name).string(); };
  io::check_writable(path_of("page.md"));  // every page goes to this folder
  for (const papers::PageFile& file : papers::companion(options.run, machine_run_sentence)) {
    io::write_file(path_of(file.name), file.content);
  }
}

void run_experiment(const PaperOptions& options) {
  const papers::Experiment& experiment = papers::find_experiment(options.id);
  const TableFormat* format = options.output.empty() ? nullptr : &table_format(options.output);
  check_outputs({options.output});
  const papers::Table table = papers::run(experiment, options.run);
  if (format) io::write_file(options.output, format->text(experiment, table, options.run));
  if (options.json) return print_json(to_json(experiment, table));
  if (options.output.empty()) fmt::print("{}", to_markdown(experiment, table, options.run));
}

void run(PaperOptions options) {
  if (options.run.trials < 0) {
    throw Error(ErrorKind::usage, fmt::format("--trials is {}: 0 or more is accepted", options.run.trials));
  }
  if (options.measure) options.run.row_seconds = std::numeric_limits<double>::infinity();
  options.id == "all" ? write_companion(options) : run_experiment(options);
}

}  // namespace

void add_paper(Command command) {
  command.requires_command();
  auto options = std::make_shared<PaperOptions>();
  const Command list = command.add_command("list", "experiments, or what a paper states and what answers it");
  list.examples("warpfold paper list", "warpfold paper list pipeline-dp-2018");
  list.option("PAPER", options->id, "name of a paper, with which its experiments' names begin; default: all papers");
  list.in(Group::output).flag("--json", options->json, json_help);
  list.runs(
      [options] { options->id.empty() ? list_experiments(options->json) : list_items(options->id, options->json); });
  const Command run_one = command.add_command("run", "one experiment, or all of them as a page for each paper");
  run_one.examples("warpfold paper run memory-machines-2012/table-1",
                   "warpfold paper run memory-machines-2012/table-1 -o table-1.csv");
  run_one.option("ID", options->id, "experiment, as `warpfold paper list` names it, or all").required();
  run_one.option("--results", options->run.results, "folder of recorded results; default: those installed")
      .takes("FOLDER");
  const Command solving = run_one.in(Group::solving);
  solving.flag("--measure", options->measure,
               "measurements on this machine, however long; default: those that take up to 5 seconds a row");
  solving.number("--seed", options->run.seed, seed_help);
  solving.number("--trials", options->run.trials, "random instances a point; default: as many as the paper states");
  const Command output = run_one.in(Group::output);
  output.option("-o,--output", options->output, "file for the table: .md, .csv, .json or .svg; of all: a folder")
      .takes("FILE|FOLDER");
  output.flag("--json", options->json, json_help);
  add_limits(run_one);
  run_one.runs([options] { run(*options); });
  add_paper_example(command);
  add_tune(command);
}

}  // namespace warpfold::app
