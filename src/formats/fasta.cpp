#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/sequences.hpp"

namespace warpfold::formats {

namespace {

bool is_symbol(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '*'; }
bool is_quality(char c) { return c >= '!' && c <= '~'; }

std::string shown(char c) { return fmt::format("'{}'", c == '\t' ? "\\t" : io::printable({&c, 1})); }

/// Reads the only record of a FASTA or FASTQ file line by line.
class RecordReader {
 public:
  explicit RecordReader(const SequenceReading& reading) : reading_(reading) {}

  void read(std::string_view line) {
    ++line_;
    const std::string_view text = io::trimmed(line);
    if (is_in_quality()) return add_quality(text);
    if (text.empty() || (text.front() == ';' && !is_fastq_)) return;
    if (header_line_ == 0 || text.front() == '>' || text.front() == '@') return begin(text);
    if (is_fastq_ && text.front() == '+') return end_letters();
    add_letters(text, static_cast<std::size_t>(text.data() - line.data()));
  }

  SymbolSequence finish(const std::string& path) {
    if (header_line_ == 0) io::reject_file(path, "no record: a FASTA or FASTQ file of one record is accepted");
    const auto reject = [&](const std::string& what) {
      throw Error(ErrorKind::input,
                  fmt::format("{}:{}: record '{}' {}", path, header_line_, io::printable(name_), what));
    };
    if (letters_.empty()) reject("has no symbols: at least one is accepted");
    if (is_fastq_ && (!has_plus_ || qualities_ < letters_.size())) {
      reject(fmt::format("has {} symbols and {} quality values: as many are accepted", letters_.size(), qualities_));
    }
    return {.name = std::string(name_), .content = std::move(letters_)};
  }

 private:
  /// A line of qualities may begin like a header, so only their number tells where they end.
  [[nodiscard]] bool is_in_quality() const { return has_plus_ && qualities_ < letters_.size(); }

  void begin(std::string_view text) {
    if (header_line_ > 0) {
      throw Error(ErrorKind::input, fmt::format("'{}' begins a second record after that of line {}: one is accepted",
                                                io::printable(text), header_line_));
    }
    if (text.front() != '>' && text.front() != '@') {
      throw Error(ErrorKind::input, fmt::format("column 1 is {}: a header that begins with > (FASTA) or @ (FASTQ) is "
                                                "accepted",
                                                shown(text.front())));
    }
    is_fastq_ = text.front() == '@';
    header_line_ = line_;
    const std::string_view header = io::trimmed(text.substr(1));
    name_ = header.substr(0, header.find_first_of(" \t"));
  }

  void add_letters(std::string_view text, std::size_t indent) {
    if (has_plus_) {
      throw Error(ErrorKind::input, fmt::format("'{}' follows the last of {} quality values: one record is accepted",
                                                io::printable(text), qualities_));
    }
    const auto wrong = std::ranges::find_if_not(text, is_symbol);
    if (wrong != text.end()) {
      throw Error(ErrorKind::input,
                  fmt::format("column {} is {}: letters and * are accepted{}", indent + (wrong - text.begin()) + 1,
                              shown(*wrong), *wrong == '-' || *wrong == '.' ? ", no gaps" : ""));
    }
    for (const char c : text) {
      letters_ += reading_.keep_case ? c : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
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
    if (qualities_ <= letters_.size()) return;
    throw Error(ErrorKind::input,
                fmt::format("record '{}' has {} symbols and at least {} quality values: as many are accepted",
                            io::printable(name_), letters_.size(), qualities_));
  }

  SequenceReading reading_;
  std::size_t line_ = 0, header_line_ = 0;  ///< 0: no header yet
  bool is_fastq_ = false, has_plus_ = false;
  std::size_t qualities_ = 0;
  std::string name_, letters_;
};

}  // namespace

SymbolSequence parse_fasta(const std::string& path, std::string content, const SequenceReading& reading) {
  RecordReader reader(reading);
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return reader.finish(path);
}

}  // namespace warpfold::formats
