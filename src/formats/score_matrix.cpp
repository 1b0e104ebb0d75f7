#include "warpfold/formats/score_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/quantity.hpp"
#include "formats/points.hpp"
#include "formats/score_matrix_texts.hpp"
#include "formats/utf8.hpp"
#include "formats/words.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

/// The words between blanks. '#' may be a symbol after the first word.
Words words_of(std::string_view line) {
  Words words;
  for (std::string_view rest = io::trimmed(line); !rest.empty(); rest = io::trimmed(rest)) {
    const std::size_t size = std::min(rest.find_first_of(" \t\r"), rest.size());
    words.push_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return words;
}

std::uint32_t symbol_of(std::string_view word) {
  const CodePoint point = first_point(word);
  if (!point.violation && point.bytes == word.size()) return point.value;
  throw Error(ErrorKind::input, fmt::format("'{}' is no symbol: a single character is accepted", io::printable(word)));
}

std::int64_t score_of(std::string_view word) {
  constexpr std::int64_t largest = std::int64_t{1} << 60;
  const io::Number number = integer_of_word(word);
  if (number.is_integral && number.exact >= -largest && number.exact <= largest) {
    return static_cast<std::int64_t>(number.exact);
  }
  throw Error(ErrorKind::input,
              fmt::format("score '{}': integers from -2^60 to 2^60 are accepted", io::printable(word)));
}

std::vector<std::uint32_t> capitals_of(const SymbolSequence& sequence, bool ignore_case) {
  std::vector<std::uint32_t> symbols = points_of(sequence);
  if (ignore_case) std::ranges::transform(symbols, symbols.begin(), capital);
  return symbols;
}

/// Reads a matrix line by line. The columns give the order of the symbols.
class MatrixReader {
 public:
  void read(std::string_view line) {
    const Words words = words_of(line);
    if (words.empty() || words[0].front() == '#') return;
    if (symbols_.empty()) return add_symbols(words);
    add_row(words);
  }

  sequence::ScoreMatrix finish(const std::string& path) {
    if (symbols_.empty()) io::reject_file(path, "no matrix: a line of symbols, then a line for each is accepted");
    if (rows_ < symbols_.size()) {
      io::reject_file(path, fmt::format("the matrix has {} and {}: a square matrix is accepted",
                                        quantity(symbols_.size(), "column"), quantity(rows_, "row")));
    }
    return {std::move(symbols_), std::move(scores_)};
  }

 private:
  void add_symbols(const Words& words) {
    for (const std::string_view word : words) {
      const std::uint32_t symbol = symbol_of(word);
      if (std::ranges::find(symbols_, symbol) != symbols_.end()) {
        throw Error(ErrorKind::input, fmt::format("'{}' is a second column of this symbol: one is accepted", word));
      }
      symbols_.push_back(symbol);
    }
    scores_.resize(symbols_.size() * symbols_.size());
    has_row_.resize(symbols_.size());
  }

  void add_row(const Words& words) {
    const auto found = std::ranges::find(symbols_, symbol_of(words[0]));
    if (found == symbols_.end()) {
      throw Error(
          ErrorKind::input,
          fmt::format("'{}' begins a row, but no column: a square matrix of the same symbols is accepted", words[0]));
    }
    const auto row = static_cast<std::size_t>(found - symbols_.begin());
    if (has_row_[row]) {
      throw Error(ErrorKind::input, fmt::format("'{}' begins a second row of this symbol: one is accepted", words[0]));
    }
    if (words.size() != symbols_.size() + 1) {
      throw Error(ErrorKind::input,
                  fmt::format("{} for {}: one for each column is accepted", quantity(words.size() - 1, "score"),
                              quantity(symbols_.size(), "column")));
    }
    for (std::size_t column = 0; column < symbols_.size(); ++column) {
      scores_[row * symbols_.size() + column] = score_of(words[column + 1]);
    }
    has_row_[row] = true;
    ++rows_;
  }

  std::vector<std::uint32_t> symbols_;
  std::vector<std::int64_t> scores_;
  std::vector<bool> has_row_;
  std::size_t rows_ = 0;
};

}  // namespace

std::vector<std::string> score_matrix_names() {
  std::vector<std::string> names;
  for (const ScoreMatrixText& matrix : score_matrix_texts()) names.emplace_back(matrix.name);
  return names;
}

sequence::ScoreMatrix read_score_matrix(const std::string& name_or_path) {
  const auto all = score_matrix_texts();
  const auto found = std::ranges::find(all, name_or_path, &ScoreMatrixText::name);
  if (found != all.end()) return parse_score_matrix(name_or_path, found->text);
  std::error_code unseen;
  if (io::extension(name_or_path).empty() && name_or_path != "-" && !std::filesystem::exists(name_or_path, unseen)) {
    throw Error(ErrorKind::input, fmt::format("'{}' is neither a known matrix nor a file: {} or a file is accepted",
                                              io::printable(name_or_path), fmt::join(score_matrix_names(), ", ")));
  }
  return parse_score_matrix(name_or_path, io::read_file(name_or_path));
}

sequence::ScoreMatrix parse_score_matrix(const std::string& path, std::string_view content) {
  MatrixReader reader;
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return reader.finish(path);
}

sequence::ScoredPair scored(const SymbolSequence& a, const SymbolSequence& b, const sequence::ScoreMatrix& matrix,
                            bool ignore_case) {
  return {capitals_of(a, ignore_case), capitals_of(b, ignore_case), matrix};
}

}  // namespace warpfold::formats
