#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/symbols.hpp"

/// Readers of sequences for edit distances and longest common subsequences.
namespace warpfold::formats {

/// A sequence of symbols, as a file or an argument has it.
struct SymbolSequence {
  /// What a symbol is: a byte of `content`, an entry of `points`, or a piece of `content`.
  enum class Unit : std::uint8_t { byte, point, piece };
  /// A part of `content`.
  struct Piece {
    std::size_t begin, size;
  };

  Unit unit = Unit::byte;
  std::string name = {};                   ///< the first word of a FASTA or FASTQ header
  std::string content = {};                ///< of points: empty
  std::vector<std::uint32_t> points = {};  ///< Unicode code points
  std::vector<Piece> pieces = {};          ///< lines, words, or the digits of integers

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::string_view piece(std::size_t i) const { return view(pieces[i]); }
  /// Symbol i in UTF-8, for people: without a line's end, control characters and bytes that are no ASCII replaced.
  [[nodiscard]] std::string text(std::size_t i) const;

 private:
  [[nodiscard]] std::string_view view(const Piece& piece) const {
    return std::string_view(content).substr(piece.begin, piece.size);
  }
};

/// How a file is read.
struct SequenceReading {
  bool keep_case = false;    ///< FASTA and FASTQ: small letters differ from capitals
  bool ignore_ends = false;  ///< lines: without their line feed, and a carriage return before it
  bool are_bases = false;    ///< bytes, text and FASTA: other symbols than those of `coded_bases` are rejected
};

/// A row of the table of formats (format.hpp).
struct SequenceFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  SymbolSequence (*parse)(const std::string& path, std::string content, const SequenceReading& reading);
};

/// Returns every way to read a file, in the order in which help lists them:
///
/// * "bytes": each byte is a symbol.
/// * "text": each Unicode code point of UTF-8 is a symbol. A byte order mark at the beginning is ignored. Raises
///   Error{input} with line, column and offset for a byte that is no UTF-8: invalid, overlong, or of a surrogate.
/// * "lines": each line is a symbol, with its end.
/// * "words": each word between white space is a symbol.
/// * "fasta": each letter of the only record of a FASTA or FASTQ file is a symbol. Letters and '*' are accepted. Blank
///   lines, blanks at the ends of lines, and lines of FASTA that begin with ';' are ignored.
/// * "numbers": each integer of a text or a .npy file is a symbol. Its leading zeros are ignored.
[[nodiscard]] std::span<const SequenceFormat> sequence_formats();

/// Returns the format of that name. Raises Error{usage} that lists all names for any other.
[[nodiscard]] const SequenceFormat& sequence_format(const std::string& name);
/// Returns the format of the path's ending, "text" for any other ending.
[[nodiscard]] const SequenceFormat& sequence_format_of(const std::string& path);

/// Reads a file, plain or gzip; "-" is standard input.
[[nodiscard]] SymbolSequence read_sequence(const std::string& path, const SequenceFormat& format,
                                           const SequenceReading& reading = {});

/// Many sequences of one file.
struct SequenceList {
  std::string content = {};                ///< the symbols of all, unless they are `points`
  std::vector<std::uint32_t> points = {};  ///< Unicode code points
  std::vector<SymbolSequence::Piece> pieces = {};
  std::vector<std::string> names = {};  ///< the first words of the headers; of lines none
  std::size_t first = 0;                ///< of lines: the number of those of the file before the first one

  [[nodiscard]] std::size_t size() const { return pieces.size(); }
  [[nodiscard]] std::size_t total_symbols() const { return points.empty() ? content.size() : points.size(); }
  [[nodiscard]] sequence::SymbolView symbols(std::size_t i) const {
    const auto [begin, size] = pieces[i];
    if (points.empty()) return std::string_view(content).substr(begin, size);
    return std::span(points).subspan(begin, size);
  }
  /// The name, or the number of the line.
  [[nodiscard]] std::string name(std::size_t i) const {
    return names.empty() ? std::to_string(first + i + 1) : names[i];
  }
};

/// Reads many sequences: each record of "fasta", or each line, without its end, of "text" or "bytes". With
/// `ignore_case`, ASCII letters become capitals. Raises Error{usage} for any other format, and what the
/// readers of one sequence raise.
[[nodiscard]] SequenceList read_sequence_list(const std::string& path, const SequenceFormat& format,
                                              const SequenceReading& reading = {}, bool ignore_case = false);
/// Reads from the content of a file. `path` is for messages.
[[nodiscard]] SequenceList parse_fasta_records(const std::string& path, std::string content,
                                               const SequenceReading& reading);

/// Codes two sequences of one format. With `ignore_case`, ASCII letters are equal to their capitals.
[[nodiscard]] sequence::Coded coded(const SymbolSequence& a, const SymbolSequence& b, bool ignore_case = false);

/// Codes two sequences of letters of DNA as sets of bases: A, C, G, T, U as T, and the ambiguity letters of IUPAC, such
/// as R for A or G, and N for any base. Small letters are equal to their capitals. Raises Error{input} with the place
/// of any other symbol.
[[nodiscard]] sequence::Coded coded_bases(const SymbolSequence& a, const SymbolSequence& b);

/// Reads each byte as a symbol.
[[nodiscard]] SymbolSequence parse_bytes(const std::string& path, std::string content, const SequenceReading& reading);
/// Reads each code point of UTF-8 as a symbol.
[[nodiscard]] SymbolSequence parse_text(const std::string& path, std::string content, const SequenceReading& reading);
/// Reads each line as a symbol.
[[nodiscard]] SymbolSequence parse_lines(const std::string& path, std::string content, const SequenceReading& reading);
/// Reads each word between white space as a symbol.
[[nodiscard]] SymbolSequence parse_words(const std::string& path, std::string content, const SequenceReading& reading);
/// Reads each letter of the only record as a symbol.
[[nodiscard]] SymbolSequence parse_fasta(const std::string& path, std::string content, const SequenceReading& reading);
/// Reads each integer as a symbol.
[[nodiscard]] SymbolSequence parse_integers(const std::string& path, std::string content,
                                            const SequenceReading& reading);

}  // namespace warpfold::formats
