#include "warpfold/formats/sequences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>

#include "formats/bases.hpp"
#include "formats/points.hpp"
#include "formats/sequence_blocks.hpp"
#include "formats/utf8.hpp"
#include "formats/words.hpp"
#include "io/content.hpp"
#include "io/lines.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

using Unit = SymbolSequence::Unit;

namespace {

/// A character that takes one column: a picture of a control character, a dot for a byte that is no ASCII.
void append_visible(std::string& text, std::uint32_t point, bool is_byte) {
  constexpr std::uint32_t pictures = 0x2400, deleted = 0x2421;
  if (point < 0x20) return append_point(text, pictures + point);
  if (point == 0x7F) return append_point(text, deleted);
  append_point(text, is_byte && point > 0x7F ? '.' : point);
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// A byte of a file. Lines and columns count from 1.
struct Place {
  std::size_t line, column, offset;
};

[[noreturn]] void reject_byte(const std::string& path, const Place& place, char byte, const char* violation) {
  throw Error(ErrorKind::input,
              fmt::format("{}:{}: column {}, byte 0x{:02x} at offset {}, {}: UTF-8 is accepted, --as bytes takes any "
                          "bytes",
                          path, place.line, place.column, static_cast<unsigned char>(byte), place.offset, violation));
}

Place place_of(std::string_view content, std::size_t offset) {
  const std::string_view before = content.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 if there is no line before
  return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')), offset - line_begin + 1, offset};
}

/// Appends the code points of a text. Calls reject(position, violation) for a byte that begins none.
template <class Reject>
void append_points(std::vector<std::uint32_t>& points, std::string_view text, const Reject& reject) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_point(text.substr(at));
    if (point.violation) reject(at, point.violation);
    points.push_back(point.value);
    at += point.bytes;
  }
}

std::vector<std::uint32_t> points_of(const std::string& path, std::string_view content) {
  std::vector<std::uint32_t> points;
  points.reserve(content.size());
  const std::string_view text = io::without_mark(content);
  append_points(points, text, [&](std::size_t at, const char* violation) {
    const std::size_t offset = content.size() - text.size() + at;
    reject_byte(path, place_of(content, offset), content[offset], violation);
  });
  return points;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_blank(char c) { return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos; }

sequence::Coded coded_points(const SymbolSequence& a, const SymbolSequence& b, bool ignore_case) {
  std::vector<std::uint32_t> points[] = {points_of(a), points_of(b)};
  for (auto& side : points) {
    if (ignore_case) std::ranges::transform(side, side.begin(), capital);
  }
  return {std::span<const std::uint32_t>(points[0]), std::span<const std::uint32_t>(points[1])};
}

std::vector<std::uint32_t> bases_of(const std::string& name, const SymbolSequence& sequence) {
  std::vector<std::uint32_t> sets = points_of(sequence);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::uint32_t set = bases_of_letter(sets[i]);
    if (set == 0) {
      throw Error(ErrorKind::input,
                  fmt::format("symbol {} of {} is '{}': {}", i + 1, name, sequence.text(i), accepted_bases));
    }
    sets[i] = set;
  }
  return sets;
}

/// Returns the symbols of a file, after a check of their letters if the reading asks for it. A line feed is no letter,
/// so the first line has all of them.
SymbolSequence checked(const std::string& path, SymbolSequence sequence, const SequenceReading& reading) {
  if (reading.are_bases)
    static_cast<void>(io::with_file_context(path + ":1", [&] { return bases_of("the line", sequence); }));
  return sequence;
}

/// Numbers pieces in the order in which they first occur. The sequences must outlive it.
class PieceNumbers {
 public:
  explicit PieceNumbers(bool ignore_case) : ignore_case_(ignore_case) {}

  std::vector<std::uint32_t> of(const SymbolSequence& sequence) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) numbers.push_back(of(sequence.piece(i)));
    return numbers;
  }

 private:
  std::uint32_t of(std::string_view piece) {
    const std::string_view key = ignore_case_ ? lower_.emplace_back(io::lower(piece)) : piece;
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  bool ignore_case_;
  std::deque<std::string> lower_ = {};  ///< the pieces with small letters
  std::unordered_map<std::string_view, std::uint32_t> numbers_ = {};
};

sequence::Coded coded_pieces(const SymbolSequence& a, const SymbolSequence& b, bool ignore_case) {
  PieceNumbers numbers(ignore_case);
  const std::vector<std::uint32_t> of_a = numbers.of(a), of_b = numbers.of(b);
  return {std::span<const std::uint32_t>(of_a), std::span<const std::uint32_t>(of_b)};
}

void append_integer(SymbolSequence& sequence, const io::Number& number, std::string_view word) {
  if (!number.is_integral || number.exact >= io::infinite_integer || number.exact <= -io::infinite_integer) {
    throw Error(ErrorKind::input, fmt::format("'{}' is no integer: integers are accepted", io::printable(word)));
  }
  const std::string digits = fmt::format("{}", number.exact);
  sequence.pieces.push_back({sequence.content.size(), digits.size()});
  sequence.content += digits;
}

SymbolSequence integers_of_array(const std::string& path, std::string content) {
  SymbolSequence sequence{.unit = Unit::piece};
  const io::Numbers numbers = io::read_numbers(path, std::move(content));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    io::with_file_context(fmt::format("{}: entry {}", path, i),
                          [&] { append_integer(sequence, numbers.number(i), numbers.text(i)); });
  }
  return sequence;
}

/// Reads lines as sequences.
class LineListReader {
 public:
  LineListReader(io::LineReader lines, bool is_text) : lines_(std::move(lines)), is_text_(is_text) {}

  SequenceList next(const BlockLimits& limits) {
    SequenceList list{.first = lines_.number()};
    std::string_view line;
    while (!limits.are_reached(list.size(), list.total_symbols()) && lines_.next(line)) add(list, line);
    return list;
  }

 private:
  void add(SequenceList& list, std::string_view line) const {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t begin = list.total_symbols();
    if (list.points.empty() && (!is_text_ || is_ascii(line))) {
      list.content += line;
    } else {
      add_points(list, line);
    }
    list.pieces.push_back({begin, list.total_symbols() - begin});
  }
  /// From the first line on that is not ASCII, a block has code points.
  void add_points(SequenceList& list, std::string_view line) const {
    for (const char c : std::exchange(list.content, {})) list.points.push_back(static_cast<unsigned char>(c));
    append_points(list.points, line, [&](std::size_t at, const char* violation) {
      const std::size_t offset = lines_.offset() + at, line_begin = lines_.number() == 1 ? 0 : lines_.offset();
      reject_byte(lines_.path(), {lines_.number(), offset - line_begin + 1, offset}, line[at], violation);
    });
  }

  io::LineReader lines_;
  bool is_text_;
};

/// Makes ASCII letters capitals.
void capitalize(SequenceList& list) {
  for (char& c : list.content) c = static_cast<char>(capital(static_cast<unsigned char>(c)));
  std::ranges::transform(list.points, list.points.begin(), capital);
}

void check_has_several(const SequenceFormat& format) {
  if (format.name == "fasta" || format.name == "text" || format.name == "bytes") return;
  throw Error(
      ErrorKind::usage,
      fmt::format("--as {} reads one sequence of a file: for several sequences text, bytes or fasta is accepted",
                  format.name));
}

}  // namespace

std::size_t SymbolSequence::size() const {
  if (unit == Unit::byte) return content.size();
  return unit == Unit::point ? points.size() : pieces.size();
}

std::string SymbolSequence::text(std::size_t i) const {
  std::string visible;
  if (unit == Unit::byte) append_visible(visible, static_cast<unsigned char>(content[i]), true);
  if (unit == Unit::point) append_visible(visible, points[i], false);
  if (unit == Unit::piece) {
    for (std::string_view rest = without_end(piece(i)); !rest.empty();) {
      const CodePoint point = first_point(rest);
      append_visible(visible, point.violation ? 0xFF : point.value, point.violation != nullptr);
      rest.remove_prefix(point.bytes);
    }
  }
  return visible;
}

std::uint32_t bases_of_letter(std::uint32_t letter) {
  constexpr std::string_view letters = "-ACMGRSVTWYHKDBN";
  const std::uint32_t base = capital(letter) == 'U' ? 'T' : capital(letter);
  const std::size_t found = base < 0x80 ? letters.find(static_cast<char>(base)) : std::string_view::npos;
  return found == std::string_view::npos ? 0 : static_cast<std::uint32_t>(found);
}

SymbolSequence parse_bytes(const std::string& path, std::string content, const SequenceReading& reading) {
  return checked(path, {.content = std::move(content)}, reading);
}

SymbolSequence parse_text(const std::string& path, std::string content, const SequenceReading& reading) {
  io::check_is_text(path, content);
  if (!is_ascii(content)) return checked(path, {.unit = Unit::point, .points = points_of(path, content)}, reading);
  return checked(path, {.content = std::move(content)}, reading);
}

SymbolSequence parse_lines(const std::string&, std::string content, const SequenceReading& reading) {
  SymbolSequence sequence{.unit = Unit::piece, .content = std::move(content)};
  const std::string_view text = sequence.content;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    sequence.pieces.push_back({begin, reading.ignore_ends ? without_end(line).size() : line.size()});
    begin = end;
  }
  return sequence;
}

SymbolSequence parse_words(const std::string& path, std::string content, const SequenceReading&) {
  io::check_is_text(path, content);
  SymbolSequence sequence{.unit = Unit::piece, .content = std::move(content)};
  const std::string_view text = io::without_mark(sequence.content);
  const std::size_t mark = sequence.content.size() - text.size();
  for (std::size_t begin = 0; begin < text.size();) {
    const auto* const end = std::find_if(text.begin() + begin, text.end(), is_blank);
    const std::size_t size = static_cast<std::size_t>(end - text.begin()) - begin;
    if (size > 0) sequence.pieces.push_back({mark + begin, size});
    begin += size + 1;
  }
  return sequence;
}

SymbolSequence parse_integers(const std::string& path, std::string content, const SequenceReading&) {
  if (content.starts_with("\x93NUMPY") || io::extension(path) == ".npy") {
    return integers_of_array(path, std::move(content));
  }
  SymbolSequence sequence{.unit = Unit::piece};
  io::each_line(path, content, [&](std::string_view line) {
    io::each_word(line, [&](std::string_view word) { append_integer(sequence, integer_of_word(word), word); });
  });
  return sequence;
}

std::span<const SequenceFormat> sequence_formats() {
  static const SequenceFormat all[] = {
      {"text", {".txt"}, any_other, parse_text},
      {"bytes", {".bin"}, nullptr, parse_bytes},
      {"lines", {}, nullptr, parse_lines},
      {"words", {}, nullptr, parse_words},
      {"fasta", {".fasta", ".fa", ".fna", ".ffn", ".faa", ".frn", ".fas", ".fastq", ".fq"}, nullptr, parse_fasta},
      {"numbers", {".npy"}, nullptr, parse_integers},
  };
  return all;
}

const SequenceFormat& sequence_format(const std::string& name) {
  const auto all = sequence_formats();
  const auto found = std::ranges::find(all, name, &SequenceFormat::name);
  if (found != all.end()) return *found;
  throw Error(ErrorKind::usage, fmt::format("--as is '{}': {} are accepted", name, fmt::join(names_of(all), ", ")));
}

const SequenceFormat& sequence_format_of(const std::string& path) {
  const SequenceFormat* found = find_by_ending(sequence_formats(), "file" + io::unpacked_extension(path));
  return found ? *found : sequence_format("text");
}

SymbolSequence read_sequence(const std::string& path, const SequenceFormat& format, const SequenceReading& reading) {
  return format.parse(path, io::read_file(path), reading);
}

SequenceBlocks line_blocks(io::LineReader lines, bool is_text) {
  const auto reader = std::make_shared<LineListReader>(std::move(lines), is_text);
  return [reader](const BlockLimits& limits) { return reader->next(limits); };
}

SequenceBlocks sequence_blocks(const std::string& path, const SequenceFormat& format, const SequenceReading& reading,
                               bool ignore_case) {
  check_has_several(format);
  const bool is_text = format.name == "text";
  const SequenceBlocks blocks =
      format.name == "fasta"
          ? fasta_blocks(io::LineReader(path, io::content_of(path)), reading)
          : line_blocks(io::LineReader(path, io::content_of(path), line_list_rules(is_text)), is_text);
  if (!ignore_case) return blocks;
  return [blocks](const BlockLimits& limits) {
    SequenceList list = blocks(limits);
    capitalize(list);
    return list;
  };
}

SequenceList read_sequence_list(const std::string& path, const SequenceFormat& format, const SequenceReading& reading,
                                bool ignore_case) {
  return sequence_blocks(path, format, reading, ignore_case)({});
}

sequence::Coded coded_bases(const SymbolSequence& a, const SymbolSequence& b) {
  return sequence::Coded::of_sets(bases_of("the first sequence", a), bases_of("the second sequence", b));
}

sequence::Coded coded(const SymbolSequence& a, const SymbolSequence& b, bool ignore_case) {
  if (a.unit == Unit::piece) return coded_pieces(a, b, ignore_case);
  if (a.unit == Unit::point || b.unit == Unit::point) return coded_points(a, b, ignore_case);
  if (ignore_case) return {io::lower(a.content), io::lower(b.content)};
  return {std::string_view(a.content), std::string_view(b.content)};
}

}  // namespace warpfold::formats
