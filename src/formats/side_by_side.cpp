#include <fmt/format.h>

#include <algorithm>

#include "warpfold/formats/patch.hpp"

namespace warpfold::formats {

using sequence::Edit;
using sequence::Run;
using sequence::Script;

namespace {

char mark_of(Edit edit) {
  if (edit == Edit::match) return '|';
  if (edit == Edit::substitution) return '.';
  return edit == Edit::deletion || edit == Edit::insertion ? ' ' : 'x';
}

/// Calls visit(edit, i, j) for every column. A transposition has two columns.
template <class Visit>
void each_column(const Script& script, const Visit& visit) {
  std::size_t i = script.begin_a, j = script.begin_b;
  for (const Run& run : script.runs()) {
    const std::uint64_t columns = run.length * (run.edit == Edit::transposition ? 2 : 1);
    for (std::uint64_t column = 0; column < columns; ++column) {
      visit(run.edit, i, j);
      i += run.edit == Edit::insertion ? 0 : 1;
      j += run.edit == Edit::deletion ? 0 : 1;
    }
  }
}

/// Collects columns and writes a block of three rows when it is full.
class Blocks {
 public:
  Blocks(const SymbolSequence& a, const SymbolSequence& b, const Script& script, std::size_t columns)
      : a_(a),
        b_(b),
        columns_(columns),
        begin_a_(script.begin_a),
        end_a_(script.begin_a),
        begin_b_(script.begin_b),
        end_b_(script.begin_b) {}

  void add(Edit edit, std::size_t i, std::size_t j) {
    rows_[0] += edit == Edit::insertion ? "-" : a_.text(i);
    rows_[1] += mark_of(edit);
    rows_[2] += edit == Edit::deletion ? "-" : b_.text(j);
    end_a_ += edit == Edit::insertion ? 0 : 1;
    end_b_ += edit == Edit::deletion ? 0 : 1;
    if (rows_[1].size() == columns_) write();
  }

  std::string finish() {
    if (!rows_[1].empty()) write();
    return std::move(text_);
  }

 private:
  /// Each row has the number of symbols before it and up to its end.
  void write() {
    if (!text_.empty()) text_ += '\n';
    text_ += fmt::format("{:>10} {} {}\n{:>10} {}\n{:>10} {} {}\n", begin_a_, rows_[0], end_a_, "", rows_[1], begin_b_,
                         rows_[2], end_b_);
    for (std::string& row : rows_) row.clear();
    begin_a_ = end_a_;
    begin_b_ = end_b_;
  }

  const SymbolSequence& a_;
  const SymbolSequence& b_;
  std::size_t columns_;
  std::size_t begin_a_, end_a_, begin_b_, end_b_;
  std::string rows_[3];
  std::string text_;
};

}  // namespace

std::string side_by_side(const SymbolSequence& a, const SymbolSequence& b, const Script& script, std::size_t columns) {
  if (a.unit != SymbolSequence::Unit::piece) {
    Blocks blocks(a, b, script, columns);
    each_column(script, [&](Edit edit, std::size_t i, std::size_t j) { blocks.add(edit, i, j); });
    return blocks.finish();
  }
  std::string text;
  each_column(script, [&](Edit edit, std::size_t i, std::size_t j) {
    const bool has_a = edit != Edit::insertion, has_b = edit != Edit::deletion;
    const char mark = !has_b ? '<' : !has_a ? '>' : mark_of(edit);
    text += fmt::format("{}\t{}\t{}\n", has_a ? a.text(i) : "", mark, has_b ? b.text(j) : "");
  });
  return text;
}

}  // namespace warpfold::formats
