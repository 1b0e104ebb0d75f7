#include "warpfold/sequence/align.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>

#include "align_input.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "number_lists.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "sequence_batches.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/alignment.hpp"
#include "warpfold/formats/score_matrix.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/run/batch.hpp"

namespace warpfold::app {

using sequence::Alignment;
using sequence::AlignmentRequest;

namespace {

struct AlignOptions : SequenceOptions {
  Scoring scoring;
  std::string gap, free_ends;
};

Scoring typed_scoring(const AlignOptions& options) {
  Scoring scoring = options.scoring;
  if (!options.gap.empty()) scoring.gap = option_integers<std::int64_t>("--gap", options.gap);
  for (std::string_view rest = options.free_ends; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    scoring.free_ends.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return scoring;
}

/// With a script wherever the alignment's beginning is not known beforehand.
AlignmentRequest request_of(const AlignOptions& options, const Scoring& scoring) {
  AlignmentRequest request{.ties = ties_named(options.ties), .gaps = gap_costs(scoring), .ends = free_ends_of(scoring)};
  request.script = options.resolved_request().script || request.ends != sequence::global_ends;
  return request;
}

/// A blank or a line feed would end a field or a line of the output.
void check_letters(const AlignOptions& options, const formats::SymbolSequence& sequence, const char* name) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const std::string letter = sequence.text(i);
    if (letter.size() == 1 && letter > " " && letter <= "~" && letter != ">") continue;
    throw Error(ErrorKind::input,
                fmt::format("--output is '{}': symbol {} of the {} sequence is '{}': letters, digits and "
                            "signs of ASCII but '>' are accepted there",
                            options.solve.output, i + 1, name, letter));
  }
}

void check_output(const AlignOptions& options, const SequencePair& pair) {
  const std::string ending = io::extension(options.solve.output);
  if (ending != ".fasta" && ending != ".sam" && ending != ".paf") return;
  if (pair.a.unit == formats::SymbolSequence::Unit::piece) {
    throw Error(ErrorKind::usage,
                fmt::format("--output is '{}': it has letters, --as text, bytes or fasta is accepted, not "
                            "{}",
                            options.solve.output, pair.as));
  }
  if (pair.as == "fasta" || ending == ".paf") return;
  check_letters(options, pair.a, "first");
  check_letters(options, pair.b, "second");
}

/// The record's name, or the file's without its endings.
std::string name_of(const AlignOptions& options, const formats::SymbolSequence& sequence, std::size_t side) {
  if (!sequence.name.empty()) return sequence.name;
  const std::string name = std::filesystem::path(options.words[side]).filename().string();
  const std::string stem = name.substr(0, name.find('.'));
  const bool is_word = !stem.empty() && stem.find_first_of(" \t\n\r") == std::string::npos;
  return options.input.strings || stem == "-" || !is_word ? side == 0 ? "a" : "b" : stem;
}

void write_alignment(const AlignOptions& options, const SequencePair& pair, const Alignment& found) {
  const formats::AlignedPair aligned{pair.a, pair.b, name_of(options, pair.a, 0), name_of(options, pair.b, 1), found};
  const std::string& path = options.solve.output;
  const std::string ending = io::extension(path);
  if (ending == ".fasta") io::write_file(path, formats::gapped_fasta(aligned));
  if (ending == ".sam") io::write_file(path, formats::sam(aligned));
  if (ending == ".paf") io::write_file(path, formats::paf(aligned));
  write_script(options, pair, found.script);
}

void print_alignment(const AlignOptions& options, const SequencePair& pair, const Alignment& found) {
  fmt::print("score {} of {}:{} with {}:{} of {} and {}\n", found.score, found.script.begin_a, found.end_a,
             found.script.begin_b, found.end_b, pair.n(), quantity(pair.m(), "symbol"));
  if (options.script) fmt::print("{}\n", found.script.cigar());
}

void estimate(const AlignOptions& options, const SequencePair& pair, const sequence::ScoredPair& scored,
              const AlignmentRequest& request, const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  print_estimate(options.solve, before,
                 {.command = "align",
                  .n = pair.n(),
                  .solve = sequence::estimate_align(scored, limits, request),
                  .after_bytes = script_json_bytes(pair, {.script = request.script})});
}

void add_alignment_keys(Json& object, const AlignOptions& options, const Alignment& found) {
  object["score"] = found.score;
  object["begin"] = {found.script.begin_a, found.script.begin_b};
  object["end"] = {found.end_a, found.end_b};
  if (!options.script) return;
  const std::uint64_t matches = found.script.count(sequence::Edit::match);
  object["matches"] = matches;
  object["identity"] = identity_of(matches, columns_of(found.script));
  add_script_keys(object, found.script, options.ties);
}

// Many pairs.

/// The symbols of a view that is wide.
std::span<const std::uint32_t> wide_symbols(const sequence::SymbolView& view) {
  return view.with_symbols([](const auto& list) -> std::span<const std::uint32_t> {
    if constexpr (sizeof(list[0]) == sizeof(std::uint32_t)) return list;
    return {};
  });
}

/// The score, where the parts of A and B begin and end, and with --script a CIGAR.
std::string batch_columns(const Alignment& found, bool with_script) {
  return fmt::format("{}\t{}\t{}\t{}\t{}{}", found.score, found.script.begin_a, found.end_a, found.script.begin_b,
                     found.end_b, with_script ? '\t' + found.script.cigar() : "");
}

/// Aligns many pairs, each by one thread.
void run_batch_of_alignments(const AlignOptions& options, const Scoring& scoring, const AlignmentRequest& request) {
  std::optional<sequence::ScoreMatrix> matrix;
  if (!scoring.matrix.empty()) matrix = formats::read_score_matrix(scoring.matrix);
  const auto align_one = [&](const sequence::SymbolView& x, const sequence::SymbolView& y, const Options& limits) {
    const std::span a = wide_symbols(x), b = wide_symbols(y);
    const auto scored =
        matrix ? sequence::ScoredPair(a, b, *matrix) : sequence::ScoredPair({a, b}, scoring.match, scoring.mismatch);
    return sequence::align(scored, limits, request).solution;
  };
  const auto of_pairs = [&](SequenceViews a, SequenceViews b, const PairLabel& label) {
    std::vector<std::string> columns(a.size());
    Options limits = options.solve.resolve();
    limits.failed = [&](std::size_t at, const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", label(at), error.what()));
    };
    const auto solve = [&](std::size_t at, const Options& each) {
      columns[at] = batch_columns(align_one(a[at], b[at], each), options.script);
      return 1.0;
    };
    static_cast<void>(warpfold::detail::solve_each(a.size(), static_cast<double>(a.size()), limits, solve));
    return columns;
  };
  run_batch(options, {.of_pairs = of_pairs, .is_wide = true});
}

void run(const AlignOptions& options) {
  const Stopwatch total;
  check_sequence_options(options, {".cigar", ".txt", ".svg", ".fasta", ".sam", ".paf"}, sequence::align_algorithms());
  const Scoring scoring = typed_scoring(options);
  const AlignmentRequest request = request_of(options, scoring);
  if (wants_batch(options)) return run_batch_of_alignments(options, scoring, request);
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const SequencePair pair = read_given_sequences(options.words, options.input);
  check_output(options, pair);
  const sequence::ScoredPair scored = scored_pair(pair, options.input, scoring);
  const double read_seconds = total.seconds();
  Options limits = options.solve.resolve();
  if (checkpointer) limits.checkpointer = &*checkpointer;
  if (options.solve.estimate) return estimate(options, pair, scored, request, limits, total);
  const auto [found, report] = sequence::align(scored, limits, request);
  write_alignment(options, pair, found);
  Summary summary{.command = "align", .n = pair.n(), .dtype = "i64"};
  summary.cost = found.score;
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  add_input_keys(object, pair, options.input);
  add_scoring_keys(object, scoring);
  add_alignment_keys(object, options, found);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  finish(options.solve, std::move(object), [&, &solution = found] { print_alignment(options, pair, solution); });
}

}  // namespace

void add_align(Command command) {
  command.examples("warpfold align a.fa b.fa --matrix BLOSUM62 --gap 11,1 --script",
                   "warpfold align --strings GATTACA TTAC --mode infix --json");
  auto options = std::make_shared<AlignOptions>();
  add_symbol_options(command, options->input);
  const Argument mode =
      command.option("--mode", options->scoring.mode, "which ends are free").one_of(alignment_modes());
  command
      .option("--free-ends", options->free_ends,
              "free ends one by one, of begin-a, end-a, begin-b and end-b, separated by commas")
      .excludes(mode);
  const Argument matrix = command.option(
      "--matrix", options->scoring.matrix,
      fmt::format("score matrix: {}, or a file in NCBI's form", fmt::join(formats::score_matrix_names(), ", ")));
  command.number("--match", options->scoring.match, "score of equal symbols without a matrix").excludes(matrix);
  command.number("--mismatch", options->scoring.mismatch, "score of different symbols without a matrix; default: -1")
      .excludes(matrix);
  command
      .option("--gap", options->gap,
              "costs of a gap: a gap of length L costs OPEN + L EXTEND; one number alone is EXTEND; a second pair "
              "takes effect where it is less; default: 0,1, with a matrix 11,1")
      .takes("OPEN,EXTEND");
  add_batch_options(command, *options, false);
  add_sequence_options(command, *options, ".json|.cigar|.txt|.svg|.fasta|.sam|.paf; of many pairs .tsv", false);
  add_checkpoint_options(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
