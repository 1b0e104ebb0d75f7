#include <fmt/format.h>

#include "limits.hpp"
#include "outputs.hpp"
#include "paper.hpp"
#include "papers/examples.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct ExampleOptions {
  std::string id = "list";
  std::string output;
  bool json = false;
};

void list_examples(bool json) {
  Json all = Json::array();
  for (const papers::Example& one : papers::examples()) {
    all.push_back({{"id", one.id}, {"paper", one.paper}, {"title", one.title}});
    if (!json) fmt::print("{:<40} {}\n", one.id, one.title);
  }
  if (json) print_json({{"command", "paper example"}, {"version", version}, {"examples", all}});
}

void show_example(const ExampleOptions& options) {
  if (options.id == "list") {
    if (!options.output.empty()) {
      throw Error(ErrorKind::usage, "--output is given with the list: it is accepted with an example");
    }
    return list_examples(options.json);
  }
  require_extension("--output", options.output, ".svg");
  const papers::Example& example = papers::find_example(options.id);
  check_outputs({options.output});
  const papers::Drawing drawing = example.draw();
  const std::string title = fmt::format("{}: {}{}", example.id, example.title,
                                        example.ours.empty() ? "" : fmt::format(" (chosen by us: {})", example.ours));
  if (!options.output.empty()) io::write_file(options.output, to_svg(title, drawing));
  if (options.json) {
    return print_json({{"command", "paper example"},
                       {"version", version},
                       {"id", example.id},
                       {"paper", example.paper},
                       {"title", example.title},
                       {"chosen_by_us", example.ours},
                       {"parts", to_json(drawing)}});
  }
  if (options.output.empty()) fmt::print("{}\n{}\n\n{}", title, example.paper, to_text(drawing));
}

}  // namespace

void add_paper_example(Command papers) {
  const Command command =
      papers.add_command("example", "a worked example of a paper, drawn from a run, or a list of them");
  command.examples("warpfold paper example p-fold-pipeline-2023/figure-11",
                   "warpfold paper example p-fold-pipeline-2023/figure-11 -o figure-11.svg");
  auto options = std::make_shared<ExampleOptions>();
  command.option("ID", options->id, "example, as the list names it");
  const Command output = command.in(Group::output);
  output.option("-o,--output", options->output, ".svg file for a picture").takes("FILE");
  output.flag("--json", options->json, json_help);
  add_limits(command);
  command.runs([options] { show_example(*options); });
}

}  // namespace warpfold::app
