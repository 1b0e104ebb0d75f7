#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/script.hpp"

/// Scripts as text for people and for other programs.
namespace warpfold::formats {

/// Returns a unified diff, which `patch` applies, of two sequences of lines with their ends. The script has matches,
/// deletions and insertions. Each hunk has up to `context` lines that match around its changes. Returns "" if there is
/// no change.
[[nodiscard]] std::string unified_diff(const SymbolSequence& a, const SymbolSequence& b, const sequence::Script& script,
                                       const std::string& name_a, const std::string& name_b, std::size_t context = 3);

/// A patched text, and how many lines the patch deletes and inserts.
struct Patched {
  std::string text;
  std::size_t deletions = 0;
  std::size_t insertions = 0;
};

/// Applies a unified diff of one file to a text. Every hunk has to fit at the line that it states. Raises Error{input}
/// that names the patch's file, the line and what is expected.
[[nodiscard]] Patched apply_patch(const std::string& path, std::string_view patch, std::string_view text);

/// Returns both sequences with the script's gaps, in blocks of `columns` symbols: A, a row of marks, B. The mark is '|'
/// for a match, '.' for a substitution, 'x' for a transposition and a blank beside a gap '-'. Lines, words and integers
/// have a line each instead: A's symbol, the mark, and B's symbol, with tabs between them. Beside a gap the mark is '<'
/// for a symbol of A, '>' for one of B.
[[nodiscard]] std::string side_by_side(const SymbolSequence& a, const SymbolSequence& b, const sequence::Script& script,
                                       std::size_t columns = 60);

}  // namespace warpfold::formats
