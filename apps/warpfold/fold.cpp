#include "warpfold/rna/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <utility>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "fold_ensemble.hpp"
#include "fold_input.hpp"
#include "fold_suboptimal.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "sequence_input.hpp"
#include "solve_options.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/pair_energies.hpp"
#include "warpfold/formats/probing.hpp"
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
  [[nodiscard]] bool wants_json() const { return solve.json || io::extension(solve.output) == ".json"; }
};

/// What is known of the records of a block.
struct Folded {
  FoldBlock block = {};
  std::vector<Folding> foldings = {};
  std::vector<rna::Ensemble> ensembles = {};  ///< none unless they are asked for
  std::vector<rna::AccurateStructure> accurate = {};
  std::vector<rna::Suboptimal> suboptimal = {};  ///< none unless they are asked for
};

/// The records of the file, or the one of --sequence.
formats::RnaBlocks records_of(const FoldOptions& options) {
  if (options.sequence.empty()) {
    check_is_no_sequence(options.input, "--sequence takes a sequence itself");
    return formats::rna_blocks(options.input,
                               options.keep_going ? formats::FaultyRecords::keep : formats::FaultyRecords::reject);
  }
  std::vector<RnaRecord> record = io::with_file_context("--sequence", [&] {
    return std::vector<RnaRecord>{{"", rna::Sequence(options.sequence)}};
  });
  return [record](const formats::BlockLimits&) mutable { return std::exchange(record, {}); };
}

/// The bases of the sequences that are folded at a time. They and their results take some 64 MB.
std::size_t bases_of_block(const FoldOptions& options) {
  constexpr std::size_t bytes = std::size_t{1} << 26, least = std::size_t{1} << 16;
  std::size_t bytes_of_base = 4;
  if (options.wants_ensemble()) bytes_of_base += 128 + 8 * options.ensemble.max_window + options.ensemble.samples;
  if (options.suboptimal.are_given()) bytes_of_base += std::min(options.suboptimal.request().limit, bytes);
  return std::max(least, bytes / bytes_of_base);
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
  for (std::size_t t = 0; t < folded.block.records.size(); ++t) {
    const RnaRecord& record = folded.block.records[t];
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

/// What an estimate needs of all sequences.
struct Extent {
  std::size_t records = 0, bases = 0;
  double work = 0;
  rna::Sequence longest{""};

  static double work_of(const rna::Sequence& sequence) {
    const auto n = static_cast<double>(sequence.size());
    return n * n * (n + 4800);
  }
  void add(const FoldBlock& block) {
    for (const RnaRecord& record : block.records) {
      if (record.sequence.size() > longest.size()) longest = record.sequence;
      work += work_of(record.sequence);
    }
    records += block.records.size();
    bases += total_bases(block.records);
  }
};

/// The estimate of the longest sequence, with the time of all.
void estimate(const FoldOptions& options, FoldInput& input, FoldBlock block, const rna::Parameters& parameters,
              const Stopwatch& total) {
  Extent all;
  for (; !block.records.empty(); block = input.next(bases_of_block(options))) all.add(block);
  const Spent before = spent(total);
  Estimate expected = rna::estimate_fold(all.longest, parameters, options.solve.resolve(), options.request);
  if (options.wants_ensemble()) {
    expected = one_after_the_other(expected, rna::estimate_ensemble(all.longest, parameters, options.solve.resolve(),
                                                                    options.request, options.ensemble));
  }
  if (options.suboptimal.are_given()) {
    expected = one_after_the_other(expected, estimate_lists(options, all.longest, all.records, parameters));
  }
  const double others = std::max(0.0, all.work / std::max(1.0, Extent::work_of(all.longest)) - 1) * expected.seconds;
  expected.seconds += others;
  if (expected.worst_case) expected.worst_case->seconds += others;
  JsonSize json;
  json.add_text(2 * all.bases + 100 * all.records);
  print_estimate(options.solve, before,
                 {.command = "fold", .n = all.bases, .solve = expected, .after_bytes = json.bytes()});
}

Json record_json(const FoldOptions& options, const Folded& folded, std::size_t t) {
  const RnaRecord& record = folded.block.records[t];
  if (is_dropped(record)) return {{"name", record.name}, {"error", record.error}};
  Json object = {{"name", record.name},
                 {"n", record.sequence.size()},
                 {"structure", folded.foldings[t].structure},
                 {"energy", folded.foldings[t].energy}};
  if (!folded.block.constraints.empty()) object["constraint"] = folded.block.constraints[t];
  if (!options.request.stack_energies.empty()) object["stack_energies"] = options.request.stack_energies;
  for (const auto& [i, j, added] : options.request.pair_energies) {
    object["pair_energies"].push_back({i + 1, j + 1, added});
  }
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
void read_shape(FoldOptions& options, const rna::Sequence& sequence) {
  if (options.shape.empty()) return;
  formats::Probing probing;
  if (options.shape_slope) probing.slope = *options.shape_slope;
  if (options.shape_intercept) probing.intercept = *options.shape_intercept;
  options.request.stack_energies = formats::read_stack_energies(options.shape, sequence, probing);
}

/// The energies of pairs of the only sequence.
void read_own_pairs(FoldOptions& options, const rna::Sequence& sequence) {
  if (options.pair_energies.empty()) return;
  options.request.pair_energies = formats::read_pair_energies(options.pair_energies, sequence.size());
}

/// The options of a solve of a block. A record that fails is dropped, or ends the solve by an error with its name.
Options limits_of(const FoldOptions& options, FoldBlock& block) {
  Options limits = options.solve.resolve();
  limits.failed = [&block, keeps_going = options.keep_going](std::size_t t, const Error& error) {
    if (!keeps_going) throw Error(error.kind(), fmt::format("{}: {}", label(block, t), error.what()));
    drop(block.records[t], error.what());
  };
  return limits;
}

rna::FoldRequest request_of_only(const FoldOptions& options, const FoldBlock& block) {
  rna::FoldRequest request = options.request;
  if (!block.constraints.empty()) request.constraint = block.constraints[0];
  return request;
}

Outcome<std::vector<Folding>> fold_all(const std::vector<rna::Sequence>& sequences, const rna::Parameters& parameters,
                                       const FoldOptions& options, const FoldBlock& block, const Options& limits) {
  if (!block.is_only) return rna::fold_each(sequences, parameters, limits, options.request, block.constraints);
  auto one = rna::fold(sequences[0], parameters, limits, request_of_only(options, block));
  return {{std::move(one.solution)}, std::move(one.report)};
}

Outcome<std::vector<rna::Ensemble>> ensembles_of_all(const std::vector<rna::Sequence>& sequences,
                                                     const rna::Parameters& parameters, const FoldOptions& options,
                                                     const FoldBlock& block, const Options& limits) {
  if (!block.is_only) {
    return rna::ensemble_each(sequences, parameters, limits, options.request, options.ensemble, block.constraints);
  }
  auto one = rna::ensemble(sequences[0], parameters, limits, request_of_only(options, block), options.ensemble);
  return {{std::move(one.solution)}, std::move(one.report)};
}

/// The structures near the least energy of all sequences, by the only algorithm there is. Adds what ran to the report.
std::vector<rna::Suboptimal> suboptimal_of_all(const std::vector<rna::Sequence>& sequences,
                                               const rna::Parameters& parameters, const FoldOptions& options,
                                               const FoldBlock& block, Options limits, Report& report) {
  limits.device = {Device::Kind::cpu};
  limits.algorithm.clear();
  const rna::SuboptimalRequest wanted = options.suboptimal.request();
  Outcome<std::vector<rna::Suboptimal>> found;
  if (block.is_only) {
    auto one = rna::suboptimal(sequences[0], parameters, limits, request_of_only(options, block), wanted);
    found = {{std::move(one.solution)}, std::move(one.report)};
  } else {
    found = rna::suboptimal_each(sequences, parameters, limits, options.request, wanted, block.constraints);
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

/// Raises Error{usage} for several sequences with an option that takes one.
void check_takes_several(const FoldOptions& options, FoldInput& input) {
  const auto reject = [&](const char* option, const std::string& file, const std::string& accepted) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is '{}' for {} sequences: {}", option, file, input.count_records(), accepted));
  };
  const auto has_one = [](const std::string& ending, const char* others) {
    return fmt::format("{} has one, {} accepted", ending, others);
  };
  const std::string output = io::extension(options.solve.output), table = io::extension(options.probabilities);
  if (output == ".bpseq" || output == ".svg") {
    reject("--output", options.solve.output, has_one(output, ".db and .ct are"));
  }
  if (!options.shape.empty()) reject("--shape", options.shape, "one is accepted");
  if (!options.pair_energies.empty()) reject("--pair-energies", options.pair_energies, "one is accepted");
  if (!table.empty() && table != ".tsv") {
    reject("--probabilities", options.probabilities, has_one(table, "a table in .tsv is"));
  }
}

/// What a file that is not JSON has of a block.
std::string structure_file(const Folded& folded, const std::string& ending) {
  const std::vector<RnaRecord>& records = folded.block.records;
  if (ending == ".db") return dot_brackets(folded);
  if (ending == ".bpseq") return formats::bpseq_text(records[0], folded.foldings[0]);
  if (ending == ".svg") return formats::structure_drawing(records[0], folded.foldings[0]);
  std::string text;
  for (std::size_t t = 0; t < records.size(); ++t) {
    if (!is_dropped(records[t])) text += formats::ct_text(records[t], folded.foldings[t]);
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

/// Folds a block, and adds all else that is asked for. A checkpoint is of the ensemble if one is asked for: its tables
/// take several times as long as the folding's.
Report solve(const FoldOptions& options, const rna::Parameters& parameters, Folded& folded,
             Checkpointer* checkpointer) {
  Options limits = limits_of(options, folded.block);
  limits.checkpointer = options.wants_ensemble() ? nullptr : checkpointer;
  const std::vector<rna::Sequence> sequences = sequences_of(folded.block.records);
  auto [foldings, report] = fold_all(sequences, parameters, options, folded.block, limits);
  folded.foldings = std::move(foldings);
  limits.checkpointer = nullptr;
  if (options.wants_ensemble()) {
    limits.checkpointer = checkpointer;
    auto [ensembles, all] = ensembles_of_all(sequences, parameters, options, folded.block, limits);
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
    folded.suboptimal = suboptimal_of_all(sequences, parameters, options, folded.block, limits, report);
  }
  return report;
}

/// What the end of a run tells of all blocks.
struct Totals {
  Report report = {};
  std::size_t records = 0, bases = 0, dropped = 0;
  std::int64_t energy = 0;
  std::string first_dropped = {};
  Json list = Json::array();  ///< the records, if they are printed as JSON

  void add(const FoldOptions& options, const Folded& folded, Report ran) {
    const FoldBlock& block = folded.block;
    for (std::size_t t = 0; t < block.records.size(); ++t) {
      if (is_dropped(block.records[t]) && dropped++ == 0) {
        first_dropped = fmt::format("{}: {}", label(block, t), block.records[t].error);
      }
      energy += folded.foldings[t].energy;
      if (options.wants_json()) list.push_back(record_json(options, folded, t));
    }
    records += block.records.size();
    bases += total_bases(block.records);
    add_part(ran, report);  // the device of the first block is the report's
    report = std::move(ran);
  }

  /// Raises Error{input} if records were dropped.
  void check_none_is_dropped() const {
    if (dropped == 0) return;
    flush_output();
    throw Error(ErrorKind::input, fmt::format("{} of {} sequences failed{}. The first is {}", dropped, records,
                                              dropped < records ? ", the others are folded" : "", first_dropped));
  }
};

/// The files that have something of each block.
struct FoldFiles {
  std::ostream& structures;
  std::ostream& probabilities;
  std::ostream& accessibility;
};

void write_block(const FoldOptions& options, const Folded& folded, const FoldFiles& files) {
  const std::string ending = io::extension(options.solve.output);
  if (!options.probabilities.empty()) {
    write_probabilities(files.probabilities, io::extension(options.probabilities), folded.block, folded.ensembles);
  }
  if (!options.accessibility.empty()) {
    write_accessibility(files.accessibility, folded.block, folded.ensembles, options.ensemble.max_window);
  }
  if (is_structure_file(ending)) files.structures << structure_file(folded, ending);
  if (!options.solve.json && !options.solve.quiet) write_output(dot_brackets(folded));
}

/// Calls action(stream) while the file is written. Without a path nothing is written.
void with_file(const std::string& path, const std::function<void(std::ostream&)>& action) {
  if (!path.empty()) return io::write_file(path, action);
  std::ostream nowhere(nullptr);
  action(nowhere);
}

void with_files(const FoldOptions& options, const std::function<void(const FoldFiles&)>& action) {
  const bool is_of_structures = is_structure_file(io::extension(options.solve.output));
  with_file(is_of_structures ? options.solve.output : "", [&](std::ostream& structures) {
    with_file(options.probabilities, [&](std::ostream& probabilities) {
      with_file(options.accessibility, [&](std::ostream& accessibility) {
        action({structures, probabilities, accessibility});
      });
    });
  });
}

void run(FoldOptions& options) {
  const Stopwatch total;
  check(options);
  const rna::Parameters parameters = formats::energy_parameters(options.parameters);
  FoldInput input(records_of(options), options.constraints, options.keep_going);
  double read_seconds = total.seconds();
  const auto next_block = [&] {
    const Stopwatch reading;
    FoldBlock block = input.next(bases_of_block(options));
    read_seconds += reading.seconds();
    return block;
  };
  Folded folded{next_block()};
  if (!folded.block.is_only) check_takes_several(options, input);
  read_shape(options, folded.block.records[0].sequence);
  read_own_pairs(options, folded.block.records[0].sequence);
  if (options.solve.estimate) return estimate(options, input, std::move(folded.block), parameters, total);
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  Totals totals;
  with_files(options, [&](const FoldFiles& files) {
    while (!folded.block.records.empty()) {
      Report ran = solve(options, parameters, folded, checkpointer ? &*checkpointer : nullptr);
      totals.add(options, folded, std::move(ran));
      write_block(options, folded, files);
      folded = {};  // before another block is read
      folded.block = next_block();
    }
  });
  Summary summary{.command = "fold", .n = totals.bases, .cost = totals.energy, .dtype = "i32"};
  summary.of(totals.report, read_seconds, total);
  if (totals.dropped > 0) summary.status = "incomplete";
  Json object = common_keys(summary);
  add_request(object, options, parameters);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  object["records"] = std::move(totals.list);
  finish(options.solve, std::move(object), [&] { add_note(fmt::format("energies: {}", parameters.name)); });
  totals.check_none_is_dropped();
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
