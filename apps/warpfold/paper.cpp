#include <fmt/format.h>

#include "command.hpp"
#include "papers/registry.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct PaperOptions {
  std::string id;
  std::string output;
  bool json = false;
  papers::RunOptions run;
};

void list_experiments(bool json) {
  Json all = Json::array();
  for (const papers::Experiment& one : papers::experiments()) {
    all.push_back({{"id", one.id}, {"paper", one.paper}, {"title", one.title}});
    if (!json) fmt::print("{:<32} {}\n", one.id, one.title);
  }
  if (json) print_json({{"command", "paper"}, {"version", version}, {"experiments", all}});
}

void check_ending(const std::string& path) {
  const std::string ending = io::extension(path);
  if (path.empty() || ending == ".md" || ending == ".csv" || ending == ".json" || ending == ".svg") return;
  throw Error(ErrorKind::usage, fmt::format("{}: ending '{}': .md, .csv, .json and .svg are accepted", path, ending));
}

/// The table in the format that the file's ending names.
std::string formatted(const std::string& path, const papers::Experiment& experiment, const papers::Table& table) {
  const std::string ending = io::extension(path);
  if (ending == ".md") return to_markdown(experiment, table);
  if (ending == ".csv") return to_csv(table);
  if (ending == ".json") return to_json(experiment, table).dump(2) + '\n';
  return to_svg(experiment, table);
}

void run_experiment(const PaperOptions& options) {
  const papers::Experiment& experiment = papers::find_experiment(options.id);
  if (options.run.trials < 0) {
    throw Error(ErrorKind::usage, fmt::format("--trials is {}: 0 or more is accepted", options.run.trials));
  }
  check_ending(options.output);
  check_outputs({options.output});
  const papers::Table table = papers::run(experiment, options.run);
  if (!options.output.empty()) io::write_file(options.output, formatted(options.output, experiment, table));
  if (options.json) return print_json(to_json(experiment, table));
  if (options.output.empty()) fmt::print("{}", to_markdown(experiment, table));
}

}  // namespace

void add_paper(Command program) {
  const Command command = program.add_command("paper", "the papers' tables and figures, printed beside measured");
  command.requires_command();
  auto options = std::make_shared<PaperOptions>();
  const Command list = command.add_command("list", "every experiment");
  list.flag("--json", options->json, "print one JSON object");
  list.runs([options] { list_experiments(options->json); });
  const Command run = command.add_command("run", "run one experiment");
  run.example("warpfold paper run memory-machines-2012/table-1");
  run.option("ID", options->id, "as `warpfold paper list` prints it").required();
  run.option("-o,--output", options->output, "write it to FILE.md, .csv, .json or .svg").takes("FILE");
  run.number("--seed", options->run.seed, "for everything random");
  run.number("--trials", options->run.trials, "random instances a point; 0: as many as the paper states");
  run.option("--results", options->run.results, "folder of measured results for experiments that quote them");
  add_limits(run);
  run.flag("--json", options->json, "print one JSON object on standard output, and nothing else there");
  run.runs([options] { run_experiment(*options); });
  add_paper_example(command);
  add_tune(command);
}

}  // namespace warpfold::app
