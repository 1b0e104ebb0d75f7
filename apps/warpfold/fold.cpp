#include "warpfold/rna/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "fold_ensemble.hpp"
#include "fold_suboptimal.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "rna/constraint.hpp"
#include "sequence_input.hpp"
#include "solve_options.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/pair_energies.hpp"
#include "warpfold/formats/probing.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/formats/rna_structures.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::app {

using formats::RnaRecord;
using rna::Folding;

namespace {

struct FoldOptions {
  SolveOptions solve;
  std::string input, sequence, parameters = "rules-1998", constraints, shape, pair_energies;
  std::optional<double> shape_slope, shape_intercept;
  rna::FoldRequest request;
  bool partition = false, no_lone_pairs = false, keep_going = false;
  std::string probabilities, accessibility;
  std::optional<double> mea, threshold;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> max_window;
  rna::EnsembleRequest ensemble;
  SuboptimalOptions suboptimal;

  [[nodiscard]] bool wants_ensemble() const {
    return partition || !probabilities.empty() || !accessibility.empty() || mea || ensemble.samples > 0;
  }
};

/// What is known of each record.
struct Folded {
  std::vector<RnaRecord> records;
  std::vector<std::string> constraints;        ///< none, or one for each record
  std::vector<rna::Energy> stack_energies;     ///< of the only record, if there are any
  std::vector<rna::PairEnergy> pair_energies;  ///< the same
  std::vector<Folding> foldings;
  std::vector<rna::Ensemble> ensembles;  ///< none unless they are asked for
  std::vector<rna::AccurateStructure> accurate;
  std::vector<rna::Suboptimal> suboptimal;  ///< none unless they are asked for
};

/// Whether a record has an error instead of results.
bool is_dropped(const RnaRecord& record) { return !record.error.empty(); }

std::vector<RnaRecord> read_records(const FoldOptions& options) {
  if (options.sequence.empty()) {
    check_is_no_sequence(options.input, "--sequence takes a sequence itself");
    return formats::read_rna_sequences(
        options.input, options.keep_going ? formats::FaultyRecords::keep : formats::FaultyRecords::reject);
  }
  return io::with_file_context("--sequence", [&] {
    return std::vector<RnaRecord>{{"", rna::Sequence(options.sequence)}};
  });
}

std::size_t total_bases(const std::vector<RnaRecord>& records) {
  std::size_t total = 0;
  for (const RnaRecord& record : records) total += record.sequence.size();
  return total;
}

/// The options of what only the CPU computes.
Options on_cpu(const SolveOptions& options) {
  Options limits = options.resolve();
  limits.device = {Device::Kind::cpu};
  return limits;
}

/// The records as text that RNAfold's readers read: header, sequence, structure with its energy in kcal/mol. Then the
/// centroid with the energy of the ensemble, and the samples.
std::string dot_brackets(const Folded& folded) {
  std::string text;
  for (std::size_t t = 0; t < folded.records.size(); ++t) {
    const RnaRecord& record = folded.records[t];
    if (is_dropped(record)) continue;
    if (!record.name.empty()) text += fmt::format(">{}\n", record.name);
    text += fmt::format("{}\n{} ({:6.2f})\n", record.sequence.letters(), folded.foldings[t].structure,
                        static_cast<double>(folded.foldings[t].energy) / 100);
    if (!folded.ensembles.empty()) text += ensemble_text(folded.ensembles[t]);
    if (!folded.accurate.empty()) {
      text += fmt::format("{} {{MEA={:.2f}}}\n", folded.accurate[t].structure, folded.accurate[t].accuracy);
    }
    if (!folded.suboptimal.empty()) text += suboptimal_text(folded.suboptimal[t]);
  }
  return text;
}

/// The lists of all sequences, as one of the longest sequence.
Estimate estimate_lists(const FoldOptions& options, const rna::Sequence& longest, std::size_t records,
                        const rna::Parameters& parameters) {
  rna::SuboptimalRequest wanted = options.suboptimal.request();
  wanted.limit = std::min(wanted.limit, std::numeric_limits<std::size_t>::max() / records) * records;
  return rna::estimate_suboptimal(longest, parameters, on_cpu(options.solve), options.request, wanted);
}

/// The estimate of the longest sequence, with the time of all.
void estimate(const FoldOptions& options, const std::vector<RnaRecord>& records, const rna::Parameters& parameters,
              const Stopwatch& total) {
  const Spent before = spent(total);
  const rna::Sequence& longest =
      std::ranges::max_element(records, {}, [](const RnaRecord& record) { return record.sequence.size(); })->sequence;
  const auto work = [](std::size_t n) {
    return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n + 4800);
  };
  double all = 0;
  for (const RnaRecord& record : records) all += work(record.sequence.size());
  Estimate expected = rna::estimate_fold(longest, parameters, options.solve.resolve(), options.request);
  if (options.wants_ensemble()) {
    expected = one_after_the_other(expected, rna::estimate_ensemble(longest, parameters, options.solve.resolve(),
                                                                    options.request, options.ensemble));
  }
  if (options.suboptimal.are_given()) {
    expected = one_after_the_other(expected, estimate_lists(options, longest, records.size(), parameters));
  }
  const double others = std::max(0.0, all / std::max(1.0, work(longest.size())) - 1) * expected.seconds;
  expected.seconds += others;
  if (expected.worst_case) expected.worst_case->seconds += others;
  JsonSize json;
  json.add_text(2 * total_bases(records) + 100 * records.size());
  print_estimate(options.solve, before,
                 {.command = "fold", .n = total_bases(records), .solve = expected, .after_bytes = json.bytes()});
}

/// Gives up a record, for the first reason that there is.
void drop(RnaRecord& record, const std::string& reason) {
  if (!is_dropped(record)) record.error = reason;
  record.sequence = rna::Sequence("");
}

/// The lines of a file of constraints, without headers and empty lines. Each is checked against its sequence.
std::vector<std::string> read_constraints(const std::string& path, std::vector<RnaRecord>& records, bool keep_going) {
  std::size_t number = 0;
  const auto check_constraint = [&](RnaRecord& record, std::string_view line) {
    if (is_dropped(record)) return;
    try {
      rna::Constraint(record.sequence, line);
    } catch (const Error& error) {
      if (!keep_going) throw;
      drop(record, fmt::format("{}:{}: {}", path, number, error.what()));
    }
  };
  std::vector<std::string> constraints;
  if (path.empty()) return constraints;
  io::each_line(path, io::read_file(path), [&](std::string_view line) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_header =
        line.size() > 1 && line[0] == '>' && line.find_first_not_of(".x|<>()") != std::string_view::npos;
    if (line.empty() || is_header) return;
    constraints.emplace_back(line);
    if (constraints.size() <= records.size()) check_constraint(records[constraints.size() - 1], line);
  });
  if (constraints.size() == records.size()) return constraints;
  throw Error(ErrorKind::input,
              fmt::format("{}: has {} for {}: a line for each is accepted", path,
                          quantity(constraints.size(), "constraint"), quantity(records.size(), "sequence")));
}

Json record_json(const Folded& folded, std::size_t t) {
  if (is_dropped(folded.records[t])) return {{"name", folded.records[t].name}, {"error", folded.records[t].error}};
  Json object = {{"name", folded.records[t].name},
                 {"n", folded.records[t].sequence.size()},
                 {"structure", folded.foldings[t].structure},
                 {"energy", folded.foldings[t].energy}};
  if (!folded.constraints.empty()) object["constraint"] = folded.constraints[t];
  if (!folded.stack_energies.empty()) object["stack_energies"] = folded.stack_energies;
  for (const auto& [i, j, added] : folded.pair_energies) object["pair_energies"].push_back({i + 1, j + 1, added});
  if (!folded.ensembles.empty()) add_ensemble(object, folded.ensembles[t]);
  if (!folded.accurate.empty()) {
    object["mea"] = folded.accurate[t].structure;
    object["accuracy"] = folded.accurate[t].accuracy;
  }
  if (!folded.suboptimal.empty()) add_suboptimal(object, folded.suboptimal[t]);
  return object;
}

std::vector<rna::Sequence> sequences_of(const std::vector<RnaRecord>& records) {
  std::vector<rna::Sequence> sequences;
  for (const RnaRecord& record : records) sequences.push_back(record.sequence);
  return sequences;
}

/// The stack energies of the only sequence, from its reactivities.
void read_shape(FoldOptions& options, const std::vector<RnaRecord>& records) {
  if (options.shape.empty()) return;
  if (records.size() != 1) {
    throw Error(ErrorKind::usage,
                fmt::format("--shape is '{}' for {} sequences: one is accepted", options.shape, records.size()));
  }
  formats::Probing probing;
  if (options.shape_slope) probing.slope = *options.shape_slope;
  if (options.shape_intercept) probing.intercept = *options.shape_intercept;
  options.request.stack_energies = formats::read_stack_energies(options.shape, records[0].sequence, probing);
}

/// The energies of pairs of the only sequence.
void read_own_pairs(FoldOptions& options, const std::vector<RnaRecord>& records) {
  if (options.pair_energies.empty()) return;
  if (records.size() != 1) {
    throw Error(ErrorKind::usage, fmt::format("--pair-energies is '{}' for {} sequences: one is accepted",
                                              options.pair_energies, records.size()));
  }
  options.request.pair_energies = formats::read_pair_energies(options.pair_energies, records[0].sequence.size());
}

/// What a message calls a record.
std::string label(const std::vector<RnaRecord>& records, std::size_t t) {
  return records[t].name.empty() ? fmt::format("sequence {}", t + 1)
                                 : fmt::format("record '{}'", io::printable(records[t].name));
}

/// The options of a solve of all records. A record that fails is dropped, or ends the solve by an error with its name.
Options limits_of(const FoldOptions& options, std::vector<RnaRecord>& records) {
  Options limits = options.solve.resolve();
  limits.failed = [&records, keeps_going = options.keep_going](std::size_t t, const Error& error) {
    if (!keeps_going) throw Error(error.kind(), fmt::format("{}: {}", label(records, t), error.what()));
    drop(records[t], error.what());
  };
  return limits;
}

/// Raises Error{input} if records were dropped.
void check_none_is_dropped(const std::vector<RnaRecord>& records) {
  const auto first = std::ranges::find_if(records, is_dropped);
  if (first == records.end()) return;
  flush_output();
  const auto dropped = static_cast<std::size_t>(std::ranges::count_if(records, is_dropped));
  throw Error(ErrorKind::input,
              fmt::format("{} of {} sequences failed{}. The first is {}: {}", dropped, records.size(),
                          dropped < records.size() ? ", the others are folded" : "",
                          label(records, static_cast<std::size_t>(first - records.begin())), first->error));
}

rna::FoldRequest first_request(const FoldOptions& options, const std::vector<std::string>& constraints) {
  rna::FoldRequest request = options.request;
  if (!constraints.empty()) request.constraint = constraints[0];
  return request;
}

Outcome<std::vector<Folding>> fold_all(const std::vector<rna::Sequence>& sequences, const rna::Parameters& parameters,
                                       const FoldOptions& options, const std::vector<std::string>& constraints,
                                       const Options& limits) {
  if (sequences.size() != 1) return rna::fold_each(sequences, parameters, limits, options.request, constraints);
  auto one = rna::fold(sequences[0], parameters, limits, first_request(options, constraints));
  return {{std::move(one.solution)}, std::move(one.report)};
}

Outcome<std::vector<rna::Ensemble>> ensembles_of_all(const std::vector<rna::Sequence>& sequences,
                                                     const rna::Parameters& parameters, const FoldOptions& options,
                                                     const std::vector<std::string>& constraints,
                                                     const Options& limits) {
  if (sequences.size() != 1) {
    return rna::ensemble_each(sequences, parameters, limits, options.request, options.ensemble, constraints);
  }
  auto one = rna::ensemble(sequences[0], parameters, limits, first_request(options, constraints), options.ensemble);
  return {{std::move(one.solution)}, std::move(one.report)};
}

/// The structures near the least energy of all sequences, by the only algorithm there is. Adds what ran to the report.
std::vector<rna::Suboptimal> suboptimal_of_all(const std::vector<rna::Sequence>& sequences,
                                               const rna::Parameters& parameters, const FoldOptions& options,
                                               const std::vector<std::string>& constraints, Options limits,
                                               Report& report) {
  limits.device = {Device::Kind::cpu};
  limits.algorithm.clear();
  const rna::SuboptimalRequest wanted = options.suboptimal.request();
  Outcome<std::vector<rna::Suboptimal>> found;
  if (sequences.size() == 1) {
    auto one = rna::suboptimal(sequences[0], parameters, limits, first_request(options, constraints), wanted);
    found = {{std::move(one.solution)}, std::move(one.report)};
  } else {
    found = rna::suboptimal_each(sequences, parameters, limits, options.request, wanted, constraints);
  }
  add_part(report, found.report);
  for (const rna::Suboptimal& one : found.solution) {
    if (one.is_complete || options.suboptimal.best) continue;
    add_note(fmt::format("{} structures are listed; --best lists more", one.structures.size()));
    break;
  }
  return std::move(found.solution);
}

/// The keys that say how the sequences were folded.
void add_request(Json& object, const FoldOptions& options, const rna::Parameters& parameters) {
  object["parameters"] = parameters.name;
  object["temperature"] = options.request.temperature;
  object["dangles"] = options.request.dangles;
  if (options.request.max_span > 0) object["max_span"] = options.request.max_span;
  if (!options.request.lone_pairs) object["lone_pairs"] = false;
  if (options.request.circular) object["circular"] = true;
  if (options.ensemble.samples > 0) object["seed"] = options.ensemble.seed;
  if (options.mea) object["gamma"] = *options.mea;
  add_suboptimal_request(object, options.suboptimal);
  if (!options.probabilities.empty() || options.mea) object["threshold"] = options.ensemble.threshold;
  if (!options.probabilities.empty()) object["probabilities"] = options.probabilities;
  if (options.accessibility.empty()) return;
  object["accessibility"] = options.accessibility;
  object["max_window"] = options.ensemble.max_window;
}

bool is_structure_file(const std::string& ending) {
  return ending == ".db" || ending == ".ct" || ending == ".bpseq" || ending == ".svg";
}

/// Raises Error{usage} for several sequences in a file that has one.
void check_number(const FoldOptions& options, std::size_t records) {
  const std::string ending = io::extension(options.solve.output);
  if (records == 1 || (ending != ".bpseq" && ending != ".svg")) return;
  throw Error(ErrorKind::usage, fmt::format("--output is '{}' for {} sequences: {} has one, .db and .ct are accepted",
                                            options.solve.output, records, ending));
}

/// The content of an output file that is not JSON.
std::string structure_file(const Folded& folded, const std::string& ending) {
  if (ending == ".db") return dot_brackets(folded);
  if (ending == ".bpseq") return formats::bpseq_text(folded.records[0], folded.foldings[0]);
  if (ending == ".svg") return formats::structure_drawing(folded.records[0], folded.foldings[0]);
  std::string text;
  for (std::size_t t = 0; t < folded.records.size(); ++t) {
    if (!is_dropped(folded.records[t])) text += formats::ct_text(folded.records[t], folded.foldings[t]);
  }
  return text;
}

/// Raises Error{usage} for an option that has no effect without another one.
void reject_options_without_effect(const FoldOptions& options) {
  reject_without_effect("--threshold", options.threshold.has_value(), !options.probabilities.empty() || options.mea,
                        "--probabilities or --mea");
  reject_without_effect("--max-window", options.max_window.has_value(), !options.accessibility.empty(),
                        "--accessibility");
  reject_without_effect("--seed", options.seed.has_value(), options.ensemble.samples > 0, "--samples");
  reject_without_effect("--shape-slope", options.shape_slope.has_value(), !options.shape.empty(), "--shape");
  reject_without_effect("--shape-intercept", options.shape_intercept.has_value(), !options.shape.empty(), "--shape");
}

/// Raises Error{usage} for an output that lacks what an option asks for: it has the structure of least energy alone.
void check_output_has(const FoldOptions& options, const std::string& ending) {
  if (!is_structure_file(ending) || ending == ".db") return;
  const char* const asked = options.mea                    ? "--mea"
                            : options.ensemble.samples > 0 ? "--samples"
                            : options.partition            ? "--partition"
                            : options.suboptimal.best      ? "--best"
                            : options.suboptimal.within    ? "--suboptimal"
                                                           : nullptr;
  if (!asked) return;
  throw Error(ErrorKind::usage, fmt::format("--output is '{}', which has the structure of least energy alone: with {}, "
                                            ".json or .db is accepted",
                                            options.solve.output, asked));
}

/// The checks of the library, with the names of options.
void check_model(const rna::FoldRequest& request) {
  if (!(request.temperature > rna::absolute_zero && request.temperature <= rna::highest_temperature)) {
    throw Error(ErrorKind::usage, fmt::format("--temperature is {}: a number above {} and up to {} is accepted",
                                              request.temperature, rna::absolute_zero, rna::highest_temperature));
  }
  if (request.dangles == 1) throw Error(ErrorKind::usage, "--dangles is '1': 0 or 2 is accepted");
  const char* const linear = request.max_span > 0 ? "--max-span" : request.lone_pairs ? nullptr : "--no-lone-pairs";
  if (!request.circular || !linear) return;
  throw Error(ErrorKind::usage, fmt::format("{} and --circular: one of both is accepted", linear));
}

void check(const FoldOptions& options) {
  reject_options_without_effect(options);
  const std::string output_ending = io::extension(options.solve.output);
  if (!is_structure_file(output_ending)) {
    require_extension("--output", options.solve.output, ".json", ", or in .db, .ct, .bpseq or .svg");
  }
  check_output_has(options, output_ending);
  const std::string ending = io::extension(options.probabilities);
  if (ending != ".svg" && ending != ".npz") {
    require_extension("--probabilities", options.probabilities, ".tsv", ", or in .npz or .svg");
  }
  if (!options.accessibility.empty()) require_extension("--accessibility", options.accessibility, ".tsv");
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i32"});
  check_algorithm(options.solve, rna::fold_algorithms());
  check_model(options.request);
  if (!(options.ensemble.threshold >= 0 && options.ensemble.threshold <= 1)) {
    throw Error(ErrorKind::usage, fmt::format("--threshold is {}: 0 to 1 is accepted", options.ensemble.threshold));
  }
  if (options.mea && !(*options.mea > 0 && *options.mea <= rna::max_gamma)) {
    throw Error(ErrorKind::usage,
                fmt::format("--mea is {}: a number above 0, up to {}, is accepted", *options.mea, rna::max_gamma));
  }
  if (options.input.empty() == options.sequence.empty()) {
    throw Error(ErrorKind::usage, "a file or --sequence names what to fold: one of both is accepted");
  }
  static_cast<void>(options.suboptimal.request());
  check_outputs({options.solve.output, options.probabilities, options.accessibility});
}

/// The sequences, and what the request has of them.
Folded read(FoldOptions& options) {
  Folded folded{read_records(options), {}, {}, {}, {}, {}, {}, {}};
  check_number(options, folded.records.size());
  read_shape(options, folded.records);
  folded.stack_energies = options.request.stack_energies;
  read_own_pairs(options, folded.records);
  folded.pair_energies = options.request.pair_energies;
  folded.constraints = read_constraints(options.constraints, folded.records, options.keep_going);
  return folded;
}

/// Folds the sequences, and adds all else that is asked for. A checkpoint is of the ensemble if one is asked for: its
/// tables take several times as long as the folding's.
Report solve(const FoldOptions& options, const rna::Parameters& parameters, Folded& folded,
             Checkpointer* checkpointer) {
  Options limits = limits_of(options, folded.records);
  limits.checkpointer = options.wants_ensemble() ? nullptr : checkpointer;
  const std::vector<rna::Sequence> sequences = sequences_of(folded.records);
  auto [foldings, report] = fold_all(sequences, parameters, options, folded.constraints, limits);
  folded.foldings = std::move(foldings);
  limits.checkpointer = nullptr;
  if (options.wants_ensemble()) {
    limits.checkpointer = checkpointer;
    auto [ensembles, all] = ensembles_of_all(sequences, parameters, options, folded.constraints, limits);
    folded.ensembles = std::move(ensembles);
    add_part(all, report);  // the device that folded is the report's
    report = all;
    limits.checkpointer = nullptr;
  }
  Options of_accurate = on_cpu(options.solve);
  of_accurate.algorithm.clear();
  for (std::size_t t = 0; options.mea && t < folded.ensembles.size(); ++t) {
    folded.accurate.push_back(rna::most_accurate(folded.ensembles[t], *options.mea, of_accurate));
  }
  if (options.suboptimal.are_given()) {
    folded.suboptimal = suboptimal_of_all(sequences, parameters, options, folded.constraints, limits, report);
  }
  return report;
}

void run(FoldOptions& options) {
  const Stopwatch total;
  check(options);
  const rna::Parameters parameters = formats::energy_parameters(options.parameters);
  Folded folded = read(options);
  const double read_seconds = total.seconds();
  if (options.solve.estimate) return estimate(options, folded.records, parameters, total);
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const Report report = solve(options, parameters, folded, checkpointer ? &*checkpointer : nullptr);
  std::int64_t energy = 0;
  for (const Folding& folding : folded.foldings) energy += folding.energy;
  Summary summary{.command = "fold", .n = total_bases(folded.records), .cost = energy, .dtype = "i32"};
  summary.of(report, read_seconds, total);
  if (std::ranges::any_of(folded.records, is_dropped)) summary.status = "incomplete";
  Json object = common_keys(summary);
  add_request(object, options, parameters);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  object["records"] = Json::array();
  for (std::size_t t = 0; t < folded.records.size(); ++t) object["records"].push_back(record_json(folded, t));
  if (!options.probabilities.empty()) write_probabilities(options.probabilities, folded.records, folded.ensembles);
  if (!options.accessibility.empty()) {
    write_accessibility(options.accessibility, folded.records, folded.ensembles, options.ensemble.max_window);
  }
  const std::string text = dot_brackets(folded);
  const std::string ending = io::extension(options.solve.output);
  if (is_structure_file(ending)) io::write_file(options.solve.output, structure_file(folded, ending));
  finish(options.solve, std::move(object), [&] {
    fmt::print("{}", text);
    add_note(fmt::format("energies: {}", parameters.name));
  });
  check_none_is_dropped(folded.records);
}

}  // namespace

void add_fold(Command command) {
  command.examples("warpfold fold sequences.fa -o folded.db", "warpfold fold --sequence GGGGAAAACCCC --json");
  auto options = std::make_shared<FoldOptions>();
  const Argument file =
      command.option("INPUT", options->input, "FASTA file, or text with a sequence on each line; - is standard input");
  command.option("--sequence", options->sequence, "sequence of A, C, G, U, T and N, instead of a file").excludes(file);
  command.option(
      "--parameters", options->parameters,
      "energies: rules-1998, a file in the form 'RNAfold parameter file v2.0', or turner2004 and other sets of an "
      "installed ViennaRNA");
  command.number("--temperature", options->request.temperature, "temperature in degrees Celsius");
  command.number("--dangles", options->request.dangles, "2: bases beside a pair add their energy, 0: they add nothing",
                 0, 2);
  command.number("--max-span", options->request.max_span,
                 "most bases from one end of a pair to the other; default: any number", 1);
  command.flag("--no-lone-pairs", options->no_lone_pairs,
               "every pair is directly around another one or directly inside one");
  command.flag("--circular", options->request.circular, "circular sequences: the last base is beside the first one");
  command.option("--constraints", options->constraints,
                 "file with a line for each sequence: . any base, x unpaired, | paired, < paired with a later base, > "
                 "with an earlier one, ( ) paired with each other");
  command.option("--shape", options->shape,
                 "file of reactivities from probing, of one sequence: on each line a position and its reactivity");
  command.number("--shape-slope", options->shape_slope,
                 "a base of a stack adds this times ln(reactivity + 1) in kcal/mol; default 1.8");
  command.number("--shape-intercept", options->shape_intercept, "and this; default -0.6");
  command.option("--pair-energies", options->pair_energies,
                 "file of energies that pairs add, of one sequence: on each line two positions and kcal/mol");
  command.flag(
      "--keep-going", options->keep_going,
      "a sequence that fails does not end the run: its error comes in its place in the JSON, and the exit code "
      "is 3 after all others are written");
  command.flag("--partition", options->partition, "the energy of the ensemble of all structures, and its centroid");
  command.option(
      "--probabilities", options->probabilities,
      "file of the pairs' probabilities: .tsv, a line for each pair; of one sequence also .npz, a sparse matrix "
      "for SciPy, or .svg, a dot plot");
  command.number("--threshold", options->threshold, "least probability of a pair that is listed; default 1e-5");
  command.option("--accessibility", options->accessibility,
                 ".tsv file of the probabilities that windows are unpaired: a line for each base, with a column for "
                 "each number of bases up to it");
  command.number("--max-window", options->max_window, "most bases of such a window; default 31", 1);
  command.number("--mea", options->mea,
                 "structure of maximum expected accuracy: this number, gamma, times 2 is the weight of a pair");
  command.number("--samples", options->ensemble.samples, "number of structures to draw from the ensemble");
  command.number("--seed", options->seed, "seed of the samples; default 0");
  add_suboptimal_options(command, options->suboptimal);
  add_solve_options(command, options->solve, ".json|.db|.ct|.bpseq|.svg", "i32");
  add_checkpoint_options(command, options->solve);
  command.runs([options] {
    options->request.lone_pairs = !options->no_lone_pairs;
    if (options->threshold) options->ensemble.threshold = *options->threshold;
    if (options->seed) options->ensemble.seed = *options->seed;
    if (!options->accessibility.empty()) options->ensemble.max_window = options->max_window.value_or(31);
    run(*options);
  });
}

}  // namespace warpfold::app
