#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "solve_options.hpp"
#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/edit_distance.hpp"

/// The input and output of `lcs`, `edit-distance`, `diff` and `align`, for the commands and for `verify`.
namespace warpfold::app {

/// How two sequences are read.
struct SequenceInput {
  std::string as = "";  ///< the name of a format; empty: by the files' endings
  bool strings = false;
  bool ignore_case = false;
  bool keep_case = false;
  bool ignore_ends = false;
  bool iupac = false;  ///< letters of DNA are sets of bases
};

/// The format that the options name, or that of both files' endings.
[[nodiscard]] const formats::SequenceFormat& format_of(const Files& words, const SequenceInput& input);
/// Raises Error{usage} for options that belong to another format.
void check_fits(const SequenceInput& input, const std::string& as);

/// Two sequences as they were read, and as codes.
struct SequencePair {
  std::string as;  ///< the name of the format
  formats::SymbolSequence a, b;
  sequence::Coded codes;
  std::string files = {};  ///< for messages; empty: they were no files

  [[nodiscard]] std::size_t n() const { return codes.n(); }
  [[nodiscard]] std::size_t m() const { return codes.m(); }
};

/// Rejects a word of letters that names no file, with a message that says how a sequence itself is given. Does nothing
/// for other names. Raises Error{input}.
void check_is_no_sequence(const std::string& name, std::string_view accepted);

/// Reads two files, or with `strings` the two words themselves. Raises Error{usage} for an unknown format, for files of
/// two formats, and for options that do not fit the format.
[[nodiscard]] SequencePair read_sequences(const Files& words, const SequenceInput& input);

/// The same for a command that has --strings, which the error of a word that is no file names.
[[nodiscard]] SequencePair read_given_sequences(const Files& words, const SequenceInput& input);

/// The typed options that the commands share.
struct SequenceOptions {
  SolveOptions solve;
  SequenceInput input;
  std::vector<std::string> words;
  sequence::Request request;
  std::string ties = "left";
  bool script = false;
  bool pairs = false;                       ///< many sequences of each file: those at the same place
  bool all = false;                         ///< every one with every one
  std::optional<std::size_t> nearest = {};  ///< every one with those that are nearest to it

  /// The request, with a script if --script or the output file needs one.
  [[nodiscard]] sequence::Request resolved_request() const;
};

/// Adds the two words and the options that all commands share. `endings` are those of --output. `has_bound`: whether
/// --max-distance is among them.
void add_sequence_options(Command command, SequenceOptions& options, const std::string& endings, bool has_bound = true);
/// Adds --as, --strings, --case, --ignore-ends and --iupac.
void add_symbol_options(Command command, SequenceInput& input);

/// Checks what can be checked before anything is read: the ending of --output, --dtype and the algorithm.
void check_sequence_options(const SequenceOptions& options, const std::vector<std::string>& endings,
                            const std::vector<AlgorithmInfo>& algorithms);

/// The key "ties" as it is typed and printed. Raises Error{usage} for any other text than a rule's name.
[[nodiscard]] sequence::Ties ties_named(const std::string& name);

/// The names of edits in the key "script", in the order of `sequence::Edit`.
inline constexpr std::array edit_names = {"match",         "substitution",        "deletion",         "insertion",
                                          "transposition", "transposition begin", "transposition end"};

/// The keys that say what was read. `input_of` reads them again.
void add_input_keys(Json& object, const SequencePair& pair, const SequenceInput& input);
[[nodiscard]] SequenceInput input_of(const Json& solution);
/// A key that is true, or is missing where it is false. Raises MalformedSolution for other values.
[[nodiscard]] bool flag_at(const Json& solution, const char* key);

/// The matching symbols among all columns of the two gapped rows; 1 for two empty sequences.
[[nodiscard]] double identity_of(std::uint64_t matches, std::uint64_t columns);
/// The columns of the two gapped rows.
[[nodiscard]] std::uint64_t columns_of(const sequence::Script& script);

/// The keys "ties", "cigar" and "script".
void add_script_keys(Json& object, const sequence::Script& script, const std::string& ties);

/// Writes --output if it is no .json file: .cigar, .txt, .svg, or .patch.
void write_script(const SequenceOptions& options, const SequencePair& pair, const sequence::Script& script);
/// Leaves such a file unwritten, because the distance is more than the bound.
void leave_script_unwritten(const SequenceOptions& options);

/// The bytes of the keys of a script, as JSON and as text.
[[nodiscard]] std::size_t script_json_bytes(const SequencePair& pair, const sequence::Request& request);

}  // namespace warpfold::app
