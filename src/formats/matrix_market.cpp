#include "formats/matrix_market.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "formats/announced.hpp"
#include "formats/words.hpp"
#include "io/text.hpp"

namespace warpfold::formats {

namespace {

struct MarketKind {
  bool is_array = false;
  bool is_integer = false;
  bool is_pattern = false;
  bool is_symmetric = false;  ///< or skew-symmetric
  bool is_skew = false;
};

std::string one_of(std::initializer_list<const char*> accepted, std::string_view word) {
  const std::string found = io::lower(word);
  if (std::find(accepted.begin(), accepted.end(), found) == accepted.end()) {
    reject_word(word, fmt::format("is not accepted here: {} is", fmt::join(accepted, " or ")));
  }
  return found;
}

MarketKind kind_of(std::string_view line) {
  Words words;
  split_at_blanks(line, words);
  if (words.size() != 5 || !is_matrix_market(words[0])) {
    reject_word(line, "does not begin a matrix: '%%MatrixMarket matrix coordinate real general' is accepted");
  }
  one_of({"matrix"}, words[1]);
  const bool is_array = one_of({"coordinate", "array"}, words[2]) == "array";
  const std::string field = one_of({"real", "double", "integer", "pattern"}, words[3]);
  const std::string symmetry = one_of({"general", "symmetric", "skew-symmetric"}, words[4]);
  const MarketKind kind{.is_array = is_array,
                        .is_integer = field == "integer",
                        .is_pattern = field == "pattern",
                        .is_symmetric = symmetry != "general",
                        .is_skew = symmetry == "skew-symmetric"};
  if (kind.is_pattern && (is_array || kind.is_skew)) {
    reject_word(line, "is no matrix: a pattern is a coordinate matrix, general or symmetric");
  }
  return kind;
}

/// The number of entries of an array in the file.
std::uint64_t array_entries(const MarketKind& kind, std::uint64_t rows, std::uint64_t columns) {
  if (rows > max_vertices || columns > max_vertices || !kind.is_symmetric) return rows * columns;
  return kind.is_skew ? rows * (rows - std::min<std::uint64_t>(rows, 1)) / 2 : rows * (rows + 1) / 2;
}

/// Whether the size of an array has the number of its entries as well, as LAGraph writes it.
bool counts_array(const MarketKind& kind, const Words& words) {
  if (!kind.is_array || words.size() != 3) return false;
  const std::uint64_t rows = Announced::size_of(words[0]), columns = Announced::size_of(words[1]);
  return rows <= max_vertices && columns <= max_vertices && Announced::size_of(words[2]) == rows * columns;
}

Announced size_of(const MarketKind& kind, std::string_view line, const Words& words) {
  if (words.size() != (kind.is_array ? 2 : 3) && !counts_array(kind, words)) {
    reject_word(line, fmt::format("is no size: 'ROWS COLUMNS{}' is accepted", kind.is_array ? "" : " ENTRIES"));
  }
  if (kind.is_symmetric && words[0] != words[1]) {
    reject_word(line, "is no size of a symmetric matrix: as many rows as columns are accepted");
  }
  const std::uint64_t rows = Announced::size_of(words[0]), columns = Announced::size_of(words[1]);
  return {words[0], words[1], kind.is_array ? array_entries(kind, rows, columns) : Announced::size_of(words[2])};
}

/// Reads a number. Fortran writes exponents with a D.
io::Number number_of(const MarketKind& kind, std::string_view word) {
  std::string text(word);
  if (!text.empty() && (text[0] == '.' || text[0] == '-' || text[0] == '+' || std::isdigit(text[0]))) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  }
  const io::Number number = io::parse_real(text);
  if (kind.is_integer && !number.is_integral && !number.is_rounded)
    reject_word(word, "is no integer: an integer matrix has those alone");
  if (std::isnan(number.real) || (!kind.is_array && std::isinf(number.real))) {
    reject_word(word, "is no length: a finite number is accepted, and no line where there is no edge");
  }
  return number;
}

io::Number negated(const io::Number& number) {
  io::Number other = number;
  other.exact = -number.exact;
  other.real = -number.real;
  return other;
}

/// Reads the lines after the size.
class Entries {
 public:
  Entries(const MarketKind& kind, const Announced& size, MarketMatrix& matrix)
      : kind_(kind), size_(size), matrix_(matrix), next_{kind.is_skew ? 1U : 0U, 0} {}

  void read(std::string_view line) {
    split_at_blanks(line, words_, kind_.is_array ? std::numeric_limits<std::size_t>::max() : max_words);
    if (words_.empty() || words_[0].starts_with('%')) return;
    if (!kind_.is_array) return read_coordinate(line);
    for (const std::string_view word : words_) {
      size_.count_edge();
      add(next_, number_of(kind_, word));
      step();
    }
  }

  void check_end(const std::string& path) const { size_.check_end(path); }

 private:
  void read_coordinate(std::string_view line) {
    size_.count_edge();
    if (words_.size() != (kind_.is_pattern ? 2 : 3)) {
      reject_word(line,
                  fmt::format("is no entry: '{}' is accepted", kind_.is_pattern ? "ROW COLUMN" : "ROW COLUMN LENGTH"));
    }
    const GraphEdge place = size_.edge(words_[0], words_[1]);
    if (kind_.is_skew && place.from == place.to) {
      reject_word(line, "is on the diagonal, which a skew-symmetric matrix has not: entries off it are accepted");
    }
    add(place, kind_.is_pattern ? io::Number{true, 1, 1} : number_of(kind_, words_[2]));
  }

  void add(GraphEdge place, const io::Number& value) {
    matrix_.places.push_back(place);
    matrix_.values.add(value);
    if (!kind_.is_symmetric || place.from == place.to) return;
    matrix_.places.push_back({place.to, place.from});
    matrix_.values.add(kind_.is_skew ? negated(value) : value);
  }

  /// Moves to the next place of an array: down its columns, in a symmetric one from the diagonal on.
  void step() {
    if (++next_.from < size_.rows()) return;
    ++next_.to;
    next_.from = !kind_.is_symmetric ? 0 : next_.to + (kind_.is_skew ? 1 : 0);
  }

  const MarketKind& kind_;
  Announced size_;
  MarketMatrix& matrix_;
  GraphEdge next_;
  Words words_;
};

}  // namespace

bool is_matrix_market(std::string_view content) {
  const std::string begin = io::lower(content.substr(0, 14));  // the length of "%%MatrixMarket"
  return begin == "%%matrixmarket" || begin.starts_with("%matrixmarket");
}

MarketMatrix parse_market_matrix(const std::string& path, std::string_view content) {
  MarketMatrix matrix;
  std::optional<MarketKind> kind;
  std::optional<Entries> entries;
  Words words;
  io::each_line(path, content, [&](std::string_view line) {
    if (!kind) return void(kind = kind_of(line));
    if (entries) return entries->read(line);
    split_at_blanks(line, words);
    if (words.empty() || words[0].starts_with('%')) return;
    const Announced size = size_of(*kind, line, words);
    matrix.rows = size.rows();
    matrix.columns = size.columns();
    entries.emplace(*kind, size, matrix);
  });
  if (!entries) {
    throw Error(ErrorKind::input, path + ": has no size: '%%MatrixMarket ..', then 'ROWS COLUMNS ENTRIES' is accepted");
  }
  entries->check_end(path);
  matrix.is_array = kind->is_array;
  return matrix;
}

}  // namespace warpfold::formats
