#include "warpfold/formats/rna_sequences.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "formats/rna_blocks.hpp"
#include "io/content.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

/// Whether a line is a structure in dots and brackets, alone or with an energy behind it.
bool is_structure(std::string_view line) {
  return line.substr(0, line.find(' ')).find_first_not_of("().") == line.npos;
}

class Reader {
 public:
  Reader(io::LineReader lines, FaultyRecords faulty)
      : lines_(std::move(lines)), keeps_faulty_(faulty == FaultyRecords::keep) {}

  std::vector<RnaRecord> next(const BlockLimits& limits) {
    while (!is_ended_ && !limits.are_reached(records_.size(), bases_)) {
      if (!lines_.visit_next([this](std::string_view line) { read(line); })) finish();
    }
    bases_ = 0;
    return std::exchange(records_, {});
  }

 private:
  void read(std::string_view line) {
    const std::string_view text = io::trimmed(line);
    if (text.empty() || text.starts_with(';')) return;
    if (text.starts_with('>')) return begin(text.substr(1));
    try {
      if (is_structure(text)) {
        throw Error(ErrorKind::input, "a structure, as RNAfold prints it: sequences alone are accepted");
      }
      add(rna::Sequence(text).letters());
    } catch (const Error& error) {
      fault(error);
      add("");
    }
  }

  void finish() {
    is_ended_ = true;
    io::with_file_context(lines_.path(), [this] { end_record(); });
    if (!has_record_) {
      io::reject_file(lines_.path(), "no sequence: a FASTA file, or a sequence on each line, is accepted");
    }
  }

  void begin(std::string_view header) {
    end_record();
    has_header_ = true;
    header_line_ = lines_.number();
    const std::string_view text = io::trimmed(header);
    name_ = text.substr(0, text.find_first_of(" \t"));
  }
  void add(const std::string& letters) {
    letters_ += letters;
    if (!has_header_) push_record();
  }
  void end_record() {
    if (!has_header_) return;
    if (letters_.empty() && fault_.empty()) {
      fault({ErrorKind::input, fmt::format("record '{}' of line {} has no bases: at least one is accepted",
                                           io::printable(name_), header_line_)});
    }
    push_record();
  }
  void push_record() {
    has_record_ = true;
    records_.push_back({name_, rna::Sequence(fault_.empty() ? letters_ : ""), fault_});
    bases_ += records_.back().sequence.size();
    letters_.clear();
    fault_.clear();
  }
  /// Raises the error, or keeps the first one of a record.
  void fault(const Error& error) {
    if (!keeps_faulty_) throw Error(error);
    if (fault_.empty()) fault_ = fmt::format("{}:{}: {}", lines_.path(), lines_.number(), error.what());
  }

  io::LineReader lines_;
  bool keeps_faulty_;
  std::vector<RnaRecord> records_ = {};  ///< those that were not given yet
  std::size_t bases_ = 0;                ///< of `records_`
  std::size_t header_line_ = 0;
  bool has_header_ = false, has_record_ = false, is_ended_ = false;
  std::string name_ = {}, letters_ = {}, fault_ = {};
};

}  // namespace

RnaBlocks rna_blocks(io::LineReader lines, FaultyRecords faulty) {
  const auto reader = std::make_shared<Reader>(std::move(lines), faulty);
  return [reader](const BlockLimits& limits) { return reader->next(limits); };
}

RnaBlocks rna_blocks(const std::string& path, FaultyRecords faulty) {
  return rna_blocks(io::LineReader(path, io::content_of(path)), faulty);
}

std::vector<RnaRecord> parse_rna_sequences(const std::string& path, std::string_view content, FaultyRecords faulty) {
  return rna_blocks(io::LineReader(path, std::string(content)), faulty)({});
}

std::vector<RnaRecord> read_rna_sequences(const std::string& path, FaultyRecords faulty) {
  return rna_blocks(path, faulty)({});
}

}  // namespace warpfold::formats
