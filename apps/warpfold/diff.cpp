#include <fmt/format.h>

#include "arguments.hpp"
#include "lcs_result.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "sequence_input.hpp"
#include "terminal.hpp"
#include "warpfold/formats/patch.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::app {

namespace {

struct DiffOptions : SequenceOptions {
  std::size_t context = 3;
};

std::string patch_of(const DiffOptions& options, const SequencePair& pair, const sequence::Script& script) {
  return formats::unified_diff(pair.a, pair.b, script, options.words[0], options.words[1], options.context);
}

/// Whether the file of --output is a patch.
bool writes_patch(const DiffOptions& options) {
  const std::string ending = io::extension(options.solve.output);
  return ending == ".patch" || ending == ".diff";
}

std::string beyond_the_bound(const DiffOptions& options) {
  return fmt::format("the deleted and inserted lines are more than {}", *options.request.max_distance);
}

/// Writes the patch or the script to the file of --output, if that is not .json.
void write_file(const DiffOptions& options, const SequencePair& pair, const sequence::Subsequence& found) {
  if (!found.length) return leave_unwritten(options.solve.output, beyond_the_bound(options));
  if (!writes_patch(options)) return write_script(options, pair, found.script);
  io::write_file(options.solve.output, patch_of(options, pair, found.script));
}

/// Prints the patch, or says that the files differ by more than the bound.
void print_patch(const DiffOptions& options, const SequencePair& pair, const sequence::Subsequence& found) {
  if (found.length) return write_output(patch_of(options, pair, found.script));
  add_note("no patch: " + beyond_the_bound(options));
}

void run(const DiffOptions& options) {
  const Stopwatch total;
  check_sequence_options(options, {".patch", ".diff", ".cigar", ".txt", ".svg"}, sequence::lcs_algorithms());
  const SequencePair pair = read_sequences(options.words, options.input);
  const double read_seconds = total.seconds();
  if (options.solve.estimate) return estimate_subsequence("diff", options, pair, options.solve.resolve(), total);
  const auto [found, report] = sequence::lcs(pair.codes, options.solve.resolve(), options.resolved_request());
  write_file(options, pair, found);
  Json object = subsequence_json("diff", options, pair, found, report, read_seconds, total);
  finish(options.solve, std::move(object), [&, &solution = found] {
    if (!writes_patch(options)) print_patch(options, pair, solution);
  });
}

}  // namespace

void add_diff(Command command) {
  command.examples("warpfold diff old.txt new.txt -o change.patch", "warpfold diff old.txt new.txt --json --script");
  auto options = std::make_shared<DiffOptions>();
  options->input.as = "lines";
  options->request.script = true;
  command.number("--context", options->context, "lines around each change", 0);
  add_sequence_options(command, *options, ".json|.patch|.diff|.cigar|.txt|.svg");
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
