#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "formats/bases.hpp"
#include "formats/points.hpp"
#include "formats/sequence_blocks.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/sequences.hpp"

namespace warpfold::formats {

namespace {

char capital_of(char c) { return static_cast<char>(capital(static_cast<unsigned char>(c))); }
bool is_symbol(char c) { return (capital_of(c) >= 'A' && capital_of(c) <= 'Z') || c == '*'; }
bool is_quality(char c) { return c >= '!' && c <= '~'; }

std::string shown(char c) { return fmt::format("'{}'", c == '\t' ? "\\t" : io::printable({&c, 1})); }

/// Reads the records of a FASTA or FASTQ file line by line.
class RecordReader {
 public:
  RecordReader(io::LineReader lines, const SequenceReading& reading, bool accepts_many)
      : lines_(std::move(lines)), reading_(reading), accepts_many_(accepts_many) {}

  SequenceList next(const BlockLimits& limits) {
    while (!is_ended_ && !limits.are_reached(complete_records(), complete_symbols())) {
      if (!lines_.visit_next([this](std::string_view line) { read(line); })) finish();
    }
    return take_complete();
  }

 private:
  void read(std::string_view line) {
    const std::string_view text = io::trimmed(line);
    if (is_in_quality()) return add_quality(text);
    if (text.empty() || (text.front() == ';' && !is_fastq_)) return;
    if (header_line_ == 0 || text.front() == '>' || text.front() == '@') return begin(text);
    if (is_fastq_ && text.front() == '+') return end_letters();
    add_letters(text, static_cast<std::size_t>(text.data() - line.data()));
  }

  void finish() {
    if (header_line_ == 0) {
      io::reject_file(lines_.path(), accepts_many_ ? "no record: a FASTA or FASTQ file is accepted"
                                                   : "no record: a FASTA or FASTQ file of one record is accepted");
    }
    io::with_file_context(lines_.path(), [&] { end_record(); });
    is_ended_ = true;
  }

  /// Whether the last record is not complete.
  [[nodiscard]] bool has_open_record() const { return header_line_ > 0 && !is_ended_; }
  [[nodiscard]] std::size_t complete_records() const { return list_.size() - (has_open_record() ? 1 : 0); }
  [[nodiscard]] std::size_t complete_symbols() const {
    return list_.content.size() - (has_open_record() ? symbols() : 0);
  }

  SequenceList take_complete() {
    SequenceList complete = std::exchange(list_, {});
    if (!has_open_record()) return complete;
    const std::size_t begin = complete.pieces.back().begin;
    list_ = {.content = complete.content.substr(begin), .pieces = {{0, 0}}, .names = {complete.names.back()}};
    complete.content.resize(begin);
    complete.pieces.pop_back();
    complete.names.pop_back();
    return complete;
  }

  /// A line of qualities may begin like a header, so only their number tells where they end.
  [[nodiscard]] bool is_in_quality() const { return has_plus_ && qualities_ < symbols(); }

  void end_record() {
    const auto reject = [&](const std::string& what) {
      throw Error(ErrorKind::input,
                  fmt::format("record '{}' of line {} {}", io::printable(list_.names.back()), header_line_, what));
    };
    if (symbols() == 0) reject("has no symbols: at least one is accepted");
    if (is_fastq_ && (!has_plus_ || qualities_ < symbols())) {
      reject(fmt::format("has {} symbols and {} quality values: as many are accepted", symbols(), qualities_));
    }
    list_.pieces.back().size = symbols();
  }
  /// The symbols of the present record.
  [[nodiscard]] std::size_t symbols() const {
    return list_.pieces.empty() ? 0 : list_.content.size() - list_.pieces.back().begin;
  }

  void begin(std::string_view text) {
    if (header_line_ > 0 && accepts_many_ && (text.front() == '@') == is_fastq_) {
      end_record();
    } else if (header_line_ > 0) {
      throw Error(ErrorKind::input, fmt::format("'{}' begins a second record after that of line {}: {}",
                                                io::printable(text), header_line_,
                                                accepts_many_ ? "records of one kind are accepted"
                                                              : "one is accepted, more with --pairs or --all"));
    }
    if (text.front() != '>' && text.front() != '@') {
      throw Error(ErrorKind::input, fmt::format("column 1 is {}: a header that begins with > (FASTA) or @ (FASTQ) is "
                                                "accepted",
                                                shown(text.front())));
    }
    is_fastq_ = text.front() == '@';
    header_line_ = lines_.number();
    const std::string_view header = io::trimmed(text.substr(1));
    list_.names.emplace_back(header.substr(0, header.find_first_of(" \t")));
    list_.pieces.push_back({list_.content.size(), 0});
    has_plus_ = false;
    qualities_ = 0;
  }

  void add_letters(std::string_view text, std::size_t indent) {
    if (has_plus_) {
      throw Error(ErrorKind::input, fmt::format("'{}' follows the last of {} quality values: one record is accepted",
                                                io::printable(text), qualities_));
    }
    const auto wrong = std::ranges::find_if_not(text, [&](char c) { return is_accepted(c); });
    if (wrong != text.end()) {
      throw Error(ErrorKind::input,
                  fmt::format("column {} is {}: {}{}", indent + (wrong - text.begin()) + 1, shown(*wrong),
                              reading_.are_bases ? accepted_bases : "letters and * are accepted",
                              *wrong == '-' || *wrong == '.' ? ", no gaps" : ""));
    }
    const auto end = static_cast<std::ptrdiff_t>(list_.content.size());
    list_.content += text;
    if (!reading_.keep_case) std::transform(text.begin(), text.end(), list_.content.begin() + end, capital_of);
  }

  [[nodiscard]] bool is_accepted(char c) const {
    return reading_.are_bases ? bases_of_letter(static_cast<unsigned char>(c)) != 0 : is_symbol(c);
  }

  void end_letters() {
    if (has_plus_) throw Error(ErrorKind::input, "a second + follows the quality values: one record is accepted");
    has_plus_ = true;
  }

  void add_quality(std::string_view text) {
    const auto wrong = std::ranges::find_if_not(text, is_quality);
    if (wrong != text.end()) {
      throw Error(ErrorKind::input,
                  fmt::format("quality value {} is {}: '!' to '~' are accepted",
                              qualities_ + static_cast<std::size_t>(wrong - text.begin()) + 1, shown(*wrong)));
    }
    qualities_ += text.size();
    if (qualities_ <= symbols()) return;
    throw Error(ErrorKind::input,
                fmt::format("record '{}' has {} symbols and at least {} quality values: as many are accepted",
                            io::printable(list_.names.back()), symbols(), qualities_));
  }

  io::LineReader lines_;
  SequenceReading reading_;
  bool accepts_many_;
  std::size_t header_line_ = 0;  ///< 0: no header yet
  bool is_fastq_ = false, has_plus_ = false, is_ended_ = false;
  std::size_t qualities_ = 0;
  SequenceList list_ = {};  ///< the records that were not given yet
};

}  // namespace

SequenceBlocks fasta_blocks(io::LineReader lines, const SequenceReading& reading, bool accepts_many) {
  const auto reader = std::make_shared<RecordReader>(std::move(lines), reading, accepts_many);
  return [reader](const BlockLimits& limits) { return reader->next(limits); };
}

SymbolSequence parse_fasta(const std::string& path, std::string content, const SequenceReading& reading) {
  const SequenceBlocks blocks = fasta_blocks(io::LineReader(path, std::move(content)), reading, false);
  SequenceList record = blocks({});
  return {.name = std::move(record.names.front()), .content = std::move(record.content)};
}

SequenceList parse_fasta_records(const std::string& path, std::string content, const SequenceReading& reading) {
  return fasta_blocks(io::LineReader(path, std::move(content)), reading)({});
}

}  // namespace warpfold::formats
