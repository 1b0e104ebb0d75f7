#include "sequence_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "algorithms.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "outputs.hpp"
#include "terminal.hpp"
#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/patch.hpp"
#include "warpfold/formats/script_drawing.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

using formats::SequenceFormat;
using formats::SymbolSequence;
using sequence::Edit;
using sequence::Run;
using sequence::Script;

namespace {

SymbolSequence read_word(const std::string& name, const std::string& word, const SequenceInput& input,
                         const SequenceFormat& format) {
  const formats::SequenceReading reading{
      .keep_case = input.keep_case, .ignore_ends = input.ignore_ends, .are_bases = input.iupac && !input.strings};
  return input.strings ? format.parse(name, word, reading) : formats::read_sequence(word, format, reading);
}

/// Headers of FASTA are no symbols, but those of a text.
void note_headers(const std::string& path, const SymbolSequence& sequence) {
  if (sequence.size() == 0 || sequence.text(0) != ">") return;
  add_note(fmt::format(
      "{} begins with '>' and is read as text, so headers are compared too: --as fasta reads its record", path));
}

/// The edit, and where it begins and ends in both sequences.
Json run_json(const Run& run, std::uint64_t& i, std::uint64_t& j) {
  const std::uint64_t begin_a = i, begin_b = j, symbols = run.length * (run.edit == Edit::transposition ? 2 : 1);
  if (run.edit != Edit::insertion) i += symbols;
  if (run.edit != Edit::deletion) j += symbols;
  return {edit_names[static_cast<std::size_t>(run.edit)], begin_a, i, begin_b, j};
}

}  // namespace

void check_is_no_sequence(const std::string& name, std::string_view accepted) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  std::error_code unseen;
  if (!std::ranges::all_of(name, is_letter) || std::filesystem::exists(name, unseen)) return;
  throw Error(ErrorKind::input, fmt::format("{}: there is no file of this name: {}", name, accepted));
}

bool flag_at(const Json& solution, const char* key) {
  if (!solution.contains(key)) return false;
  if (solution.at(key).is_boolean()) return solution.at(key).get<bool>();
  throw MalformedSolution(fmt::format("'{}' is {}: true or false is accepted", key, json_text(solution.at(key))));
}

const SequenceFormat& format_of(const Files& words, const SequenceInput& input) {
  if (!input.as.empty()) return formats::sequence_format(input.as);
  if (input.strings) return formats::sequence_format("text");
  const SequenceFormat& first = formats::sequence_format_of(words[0]);
  const SequenceFormat& second = formats::sequence_format_of(words[1]);
  if (first.name == second.name) return first;
  throw Error(ErrorKind::usage, fmt::format("'{}' is read as {} and '{}' as {}: --as names one for both", words[0],
                                            first.name, words[1], second.name));
}

void check_fits(const SequenceInput& input, const std::string& as) {
  if (input.keep_case && as != "fasta") {
    throw Error(ErrorKind::usage, fmt::format("--case is for --as fasta: {} keep it without", as));
  }
  if (input.ignore_ends && as != "lines") {
    throw Error(
        ErrorKind::usage,
        fmt::format("--ignore-ends is for --as lines, whose line feeds it leaves out: {} is read without it", as));
  }
  if (input.iupac && as != "fasta" && as != "text" && as != "bytes") {
    throw Error(ErrorKind::usage,
                fmt::format("--iupac is for letters: --as fasta, text or bytes is accepted, not {}", as));
  }
}

SequencePair read_sequences(const Files& words, const SequenceInput& input) {
  const SequenceFormat& format = format_of(words, input);
  check_fits(input, format.name);
  SymbolSequence a = read_word("the first string", words[0], input, format);
  SymbolSequence b = read_word("the second string", words[1], input, format);
  if (input.as.empty() && !input.strings && format.name == "text") {
    note_headers(words[0], a);
    note_headers(words[1], b);
  }
  sequence::Coded codes = input.iupac ? formats::coded_bases(a, b) : formats::coded(a, b, input.ignore_case);
  std::string files = input.strings ? "" : fmt::format("{} and {}", words[0], words[1]);
  return {format.name, std::move(a), std::move(b), std::move(codes), std::move(files)};
}

SequencePair read_given_sequences(const Files& words, const SequenceInput& input) {
  for (const std::string& word : words) {
    if (!input.strings) check_is_no_sequence(word, "--strings takes the words themselves");
  }
  return read_sequences(words, input);
}

sequence::Request SequenceOptions::resolved_request() const {
  sequence::Request resolved = request;
  const bool is_json = solve.output.empty() || io::extension(solve.output) == ".json";
  resolved.script = request.script || script || !is_json;
  resolved.ties = ties_named(ties);
  return resolved;
}

void add_sequence_options(Command command, SequenceOptions& options, const std::string& endings, bool has_bound) {
  command.texts("INPUT", options.words, "two files, plain or gzip; - is standard input").required().exactly(2);
  command.flag("--ignore-case", options.input.ignore_case, "letters A to Z that equal a to z");
  if (has_bound) {
    command.number("--max-distance", options.request.max_distance,
                   "largest distance that is computed; a larger one has the status \"more than\"");
  }
  command
      .option("--ties", options.ties,
              "which of several optimal scripts: gaps as far left or right as they go, or the fewest or most columns, "
              "which takes longer")
      .one_of({std::begin(sequence::ties_names), std::end(sequence::ties_names)});
  command.flag("--script", options.script, "the edits too: the keys cigar and script");
  add_solve_options(command, options.solve, endings, "i64");
}

void add_symbol_options(Command command, SequenceInput& input) {
  command
      .option(
          "--as", input.as,
          "what a symbol is; default: by the files' endings, otherwise text, in which line feeds are symbols, also one "
          "at the end")
      .one_of(formats::names_of(formats::sequence_formats()));
  command.flag("--strings", input.strings, "the two words themselves instead of files");
  command.flag("--case", input.keep_case, "FASTA's small letters differ from capitals");
  command.flag("--iupac", input.iupac, "letters of DNA are sets of bases, which match if they have a base in common");
  command.flag("--ignore-ends", input.ignore_ends, "lines without their ends, line feeds and carriage returns");
}

void check_sequence_options(const SequenceOptions& options, const std::vector<std::string>& endings,
                            const std::vector<AlgorithmInfo>& algorithms) {
  if (std::ranges::find(endings, io::extension(options.solve.output)) == endings.end()) {
    require_extension("--output", options.solve.output, ".json", fmt::format(", or in {}", fmt::join(endings, ", ")));
  }
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
  check_algorithm(options.solve, algorithms);
}

sequence::Ties ties_named(const std::string& name) {
  const auto* const known = std::ranges::find(sequence::ties_names, name);
  if (known != std::end(sequence::ties_names)) {
    return static_cast<sequence::Ties>(known - std::begin(sequence::ties_names));
  }
  throw Error(ErrorKind::usage,
              fmt::format("'ties' is '{}': one of {} is accepted", name, fmt::join(sequence::ties_names, ", ")));
}

void add_input_keys(Json& object, const SequencePair& pair, const SequenceInput& input) {
  object["m"] = pair.m();
  object["as"] = pair.as;
  if (input.strings) object["strings"] = true;
  if (input.ignore_case) object["ignore_case"] = true;
  if (input.keep_case) object["case"] = true;
  if (input.ignore_ends) object["ignore_ends"] = true;
  if (input.iupac) object["iupac"] = true;
}

SequenceInput input_of(const Json& solution) {
  return {.as = text_at(solution, "as"),
          .strings = flag_at(solution, "strings"),
          .ignore_case = flag_at(solution, "ignore_case"),
          .keep_case = flag_at(solution, "case"),
          .ignore_ends = flag_at(solution, "ignore_ends"),
          .iupac = flag_at(solution, "iupac")};
}

double identity_of(std::uint64_t matches, std::uint64_t columns) {
  return columns == 0 ? 1.0 : static_cast<double>(matches) / static_cast<double>(columns);
}

std::uint64_t columns_of(const Script& script) { return script.symbols_of_a() + script.count(Edit::insertion); }

void add_script_keys(Json& object, const Script& script, const std::string& ties) {
  object["ties"] = ties;
  object["cigar"] = script.cigar();
  Json list = Json::array();
  std::uint64_t i = script.begin_a, j = script.begin_b;
  for (const Run& run : script.runs()) list.push_back(run_json(run, i, j));
  object["script"] = std::move(list);
}

void write_script(const SequenceOptions& options, const SequencePair& pair, const Script& script) {
  const std::string& path = options.solve.output;
  const std::string ending = io::extension(path);
  if (ending == ".cigar") io::write_file(path, script.cigar() + '\n');
  if (ending == ".txt") io::write_file(path, formats::side_by_side(pair.a, pair.b, script));
  if (ending == ".svg") io::write_file(path, formats::script_drawing(pair.a, pair.b, pair.codes, script));
  if (ending == ".patch") {
    io::write_file(path, formats::unified_diff(pair.a, pair.b, script, options.words[0], options.words[1]));
  }
}

void leave_script_unwritten(const SequenceOptions& options) {
  leave_unwritten(options.solve.output, fmt::format("the distance is more than {}", *options.request.max_distance));
}

std::size_t script_json_bytes(const SequencePair& pair, const sequence::Request& request) {
  if (!request.script) return 0;
  const std::size_t runs = std::min(pair.n(), pair.m()) / 2;
  JsonSize json;
  json.add_list(runs, 8, std::max(pair.n(), pair.m()));  // four places, and a name that takes as much as the others
  json.add_text(6 * runs);                               // the key cigar
  return json.bytes();
}

}  // namespace warpfold::app
