#include "warpfold/formats/rna_sequences.hpp"

#include <fmt/format.h>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

/// Whether a line is a structure in dots and brackets, alone or with an energy behind it.
bool is_structure(std::string_view line) {
  return line.substr(0, line.find(' ')).find_first_not_of("().") == line.npos;
}

class Reader {
 public:
  Reader(const std::string& path, FaultyRecords faulty) : path_(path), keeps_faulty_(faulty == FaultyRecords::keep) {}

  void read(std::string_view line) {
    ++line_;
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

  std::vector<RnaRecord> finish() {
    end_record();
    if (records_.empty()) io::reject_file(path_, "no sequence: a FASTA file, or a sequence on each line, is accepted");
    return std::move(records_);
  }

 private:
  void begin(std::string_view header) {
    end_record();
    has_header_ = true;
    header_line_ = line_;
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
    records_.push_back({name_, rna::Sequence(fault_.empty() ? letters_ : ""), fault_});
    letters_.clear();
    fault_.clear();
  }
  /// Raises the error, or keeps the first one of a record.
  void fault(const Error& error) {
    if (!keeps_faulty_) throw Error(error);
    if (fault_.empty()) fault_ = fmt::format("{}:{}: {}", path_, line_, error.what());
  }

  const std::string& path_;
  bool keeps_faulty_;
  std::vector<RnaRecord> records_;
  std::size_t line_ = 0, header_line_ = 0;
  bool has_header_ = false;
  std::string name_, letters_, fault_;
};

}  // namespace

std::vector<RnaRecord> parse_rna_sequences(const std::string& path, std::string_view content, FaultyRecords faulty) {
  Reader reader(path, faulty);
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return io::with_file_context(path, [&] { return reader.finish(); });
}

std::vector<RnaRecord> read_rna_sequences(const std::string& path, FaultyRecords faulty) {
  return parse_rna_sequences(path, io::read_file(path), faulty);
}

}  // namespace warpfold::formats
