#include "warpfold/rna/fold.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

using formats::RnaRecord;
using rna::Folding;

namespace {

struct FoldOptions {
  SolveOptions solve;
  std::string input, sequence, parameters = "rules-1998";
  rna::FoldRequest request;
};

std::vector<RnaRecord> read_records(const FoldOptions& options) {
  if (options.sequence.empty()) return formats::read_rna_sequences(options.input);
  return io::with_file_context("--sequence", [&] {
    return std::vector<RnaRecord>{{"", rna::Sequence(options.sequence)}};
  });
}

std::size_t total_bases(const std::vector<RnaRecord>& records) {
  std::size_t total = 0;
  for (const RnaRecord& record : records) total += record.sequence.size();
  return total;
}

/// The records as text that RNAfold's readers read: header, sequence, structure with its energy in kcal/mol.
std::string dot_brackets(const std::vector<RnaRecord>& records, const std::vector<Folding>& foldings) {
  std::string text;
  for (std::size_t t = 0; t < records.size(); ++t) {
    if (!records[t].name.empty()) text += fmt::format(">{}\n", records[t].name);
    text += fmt::format("{}\n{} ({:6.2f})\n", records[t].sequence.letters(), foldings[t].structure,
                        static_cast<double>(foldings[t].energy) / 100);
  }
  return text;
}

/// The estimate of the longest sequence, with the time of all.
void estimate(const FoldOptions& options, const std::vector<RnaRecord>& records, const rna::Parameters& parameters,
              const Stopwatch& total) {
  const Spent before = spent(total);
  const auto longest =
      std::ranges::max_element(records, {}, [](const RnaRecord& record) { return record.sequence.size(); });
  const auto work = [](std::size_t n) {
    return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n + 750);
  };
  double all = 0;
  for (const RnaRecord& record : records) all += work(record.sequence.size());
  Estimate expected = rna::estimate_fold(longest->sequence, parameters, options.solve.resolve(), options.request);
  expected.seconds *= std::max(1.0, all / std::max(1.0, work(longest->sequence.size())));
  JsonSize json;
  json.add_text(2 * total_bases(records) + 100 * records.size());
  print_estimate(options.solve, before,
                 {.command = "fold", .n = total_bases(records), .solve = expected, .after_bytes = json.bytes()});
}

Json record_json(const RnaRecord& record, const Folding& folding) {
  return {{"name", record.name},
          {"n", record.sequence.size()},
          {"structure", folding.structure},
          {"energy", folding.energy}};
}

Outcome<std::vector<Folding>> fold_all(const std::vector<RnaRecord>& records, const rna::Parameters& parameters,
                                       const FoldOptions& options) {
  if (records.size() == 1) {
    auto one = rna::fold(records[0].sequence, parameters, options.solve.resolve(), options.request);
    return {{std::move(one.solution)}, std::move(one.report)};
  }
  std::vector<rna::Sequence> sequences;
  for (const RnaRecord& record : records) sequences.push_back(record.sequence);
  return rna::fold_each(sequences, parameters, options.solve.resolve(), options.request);
}

void run(const FoldOptions& options) {
  const Stopwatch total;
  const std::string output_ending = io::extension(options.solve.output);
  if (output_ending != ".db") require_extension("--output", options.solve.output, ".json", ", or in .db");
  check_algorithm(options.solve, rna::fold_algorithms());
  if (options.input.empty() == options.sequence.empty()) {
    throw Error(ErrorKind::usage, "a file or --sequence names what to fold: one of both is accepted");
  }
  const rna::Parameters parameters = formats::energy_parameters(options.parameters);
  const std::vector<RnaRecord> records = read_records(options);
  const double read_seconds = total.seconds();
  if (options.solve.estimate) return estimate(options, records, parameters, total);
  const auto [foldings, report] = fold_all(records, parameters, options);
  std::int64_t energy = 0;
  for (const Folding& folding : foldings) energy += folding.energy;
  Summary summary{.command = "fold", .n = total_bases(records), .cost = energy, .dtype = "i32"};
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  object["parameters"] = parameters.name;
  object["temperature"] = options.request.temperature;
  object["dangles"] = options.request.dangles;
  if (options.request.max_span > 0) object["max_span"] = options.request.max_span;
  object["records"] = Json::array();
  for (std::size_t t = 0; t < records.size(); ++t) object["records"].push_back(record_json(records[t], foldings[t]));
  const std::string text = dot_brackets(records, foldings);
  if (output_ending == ".db") io::write_file(options.solve.output, text);
  finish(options.solve, std::move(object), [&] { fmt::print("{}", text); });
}

}  // namespace

void add_fold(Command command) {
  command.examples("warpfold fold sequences.fa -o folded.db", "warpfold fold --sequence GGGGAAAACCCC --json");
  auto options = std::make_shared<FoldOptions>();
  const Argument file =
      command.option("INPUT", options->input, "FASTA file, or text with a sequence on each line; - is standard input");
  command.option("--sequence", options->sequence, "sequence of A, C, G, U, T and N, instead of a file").excludes(file);
  command.option("--parameters", options->parameters,
                 "energies: rules-1998, or a file in the form 'RNAfold parameter file v2.0'");
  command.number("--temperature", options->request.temperature, "temperature in degrees Celsius");
  command.number("--dangles", options->request.dangles, "2: bases beside a pair add their energy, 0: they add nothing",
                 0, 2);
  command.number("--max-span", options->request.max_span,
                 "most bases from one end of a pair to the other; default: any number");
  add_solve_options(command, options->solve, ".json|.db", "i32", {.gpu = false});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
