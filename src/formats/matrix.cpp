#include "warpfold/formats/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/quantity.hpp"
#include "formats/matrix_market.hpp"
#include "formats/words.hpp"
#include "io/npy_entries.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

using Cells = std::vector<std::string>;

bool is_separator(char c) { return c == ',' || c == ';'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The line with decimal points instead of decimal commas, in a file whose separator is the semicolon.
std::string with_points(std::string_view line) {
  std::string text(line);
  if (line.find(';') == line.npos) return text;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == ',' && is_digit(text[at - 1]) && is_digit(text[at + 1])) text[at] = '.';
  }
  return text;
}

/// The words of a field, or one name in quotes.
void add_cells(std::string_view field, Words& words, Cells& cells) {
  field = io::trimmed(field);
  const bool is_quoted = field.size() >= 2 && field.front() == '"' && field.find('"', 1) == field.size() - 1;
  if (is_quoted || field.empty())
    return void(cells.emplace_back(is_quoted ? field.substr(1, field.size() - 2) : field));
  split_at_blanks(field, words, field.size());
  cells.insert(cells.end(), words.begin(), words.end());
}

/// Splits a line at commas and semicolons, and the fields at blanks. Returns nothing if a field is empty.
Cells cells_of(std::string_view given) {
  const std::string text = with_points(given);
  Cells cells;
  Words words;
  for (std::string_view line = text;;) {
    const std::size_t end = std::min<std::size_t>(line.find_first_of(",;"), line.size());
    add_cells(line.substr(0, end), words, cells);
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

std::string_view without_comment(std::string_view line) { return io::trimmed(line.substr(0, line.find('#'))); }

bool is_number(const std::string& cell) {
  try {
    static_cast<void>(io::parse_real(cell));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether the cells are 0, 1, 2, .. or 1, 2, 3, ..
bool are_counted(std::span<const std::string> cells) {
  for (const std::size_t first : {0, 1}) {
    std::size_t k = 0;
    while (k < cells.size() && cells[k] == std::to_string(k + first)) ++k;
    if (k == cells.size()) return true;
  }
  return false;
}

bool are_words(std::span<const std::string> cells) {
  return !cells.empty() && std::none_of(cells.begin(), cells.end(), is_number) &&
         std::none_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); });
}

/// The parts of a text that are not entries.
struct Frame {
  bool has_header = false;
  bool has_index = false;           ///< the first column has names
  bool has_last_separator = false;  ///< every line ends with a separator
};

/// What tells it.
struct Outer {
  std::size_t lines = 0;
  Cells first, second;  ///< the first two lines
  Cells index;          ///< the first cell of every line
  bool has_last_separator = true;
};

Outer outer_of(const std::string& path, std::string_view text) {
  Outer outer;
  io::each_line(path, text, [&](std::string_view line) {
    line = without_comment(line);
    if (line.empty()) return;
    if (outer.lines < 2) (outer.lines == 0 ? outer.first : outer.second) = cells_of(line);
    const std::string_view beginning = line.substr(0, line.find_first_of(",; \t"));
    outer.index.push_back(cells_of(beginning).front());
    outer.has_last_separator = outer.has_last_separator && is_separator(line.back());
    ++outer.lines;
  });
  return outer;
}

/// Whether the first line and the first column are names and their common corner is empty. A symmetric matrix with an
/// empty diagonal looks the same, except for its second row.
bool has_names_around(const Outer& outer) {
  if (outer.first.size() < 2 || !outer.first[0].empty() || outer.index.size() < 2 || outer.second.size() < 2)
    return false;
  const std::span above = std::span(outer.first).subspan(1), beside = std::span(outer.index).subspan(1);
  if (are_words(above)) return true;
  return are_counted(above) && are_counted(beside) && !outer.second[1].empty();
}

Frame frame_of(const Outer& outer, bool is_square) {
  Frame frame{.has_last_separator = outer.lines > 0 && outer.has_last_separator};
  const std::size_t columns = outer.first.size() - (frame.has_last_separator ? 1 : 0);
  const std::span first = std::span(outer.first).first(outer.lines > 0 ? columns : 0);
  const bool has_corner_left_out = outer.second.size() == outer.first.size() + 1 && are_words(first);
  frame.has_index = has_names_around(outer) || has_corner_left_out;
  const bool is_counted_above = is_square && outer.lines == columns + 1 && columns > 1 && are_counted(first);
  frame.has_header = frame.has_index || is_counted_above || (outer.lines > 1 && are_words(first));
  return frame;
}

/// The rows of a text, read according to its first row and its frame.
class Rows {
 public:
  Rows(const Frame& frame, const IsNeeded& is_needed, TextMatrix& matrix)
      : frame_(frame), is_needed_(is_needed), matrix_(matrix), is_header_next_(frame.has_header) {}

  void read(std::string_view line) {
    line = without_comment(line);
    if (line.empty() || std::exchange(is_header_next_, false)) return;
    Cells cells = cells_of(line);
    if (frame_.has_index) cells.erase(cells.begin());
    const bool is_one_more = matrix_.rows > 0 && cells.size() == matrix_.columns + 1 && cells.back().empty();
    if (frame_.has_last_separator || is_one_more) cells.pop_back();
    if (matrix_.rows == 0) matrix_.columns = cells.size();
    if (cells.size() != matrix_.columns) {
      throw Error(ErrorKind::input, fmt::format("row {} has {}, the first one {}: as many are accepted", matrix_.rows,
                                                quantity(cells.size(), "entry", "entries"), matrix_.columns));
    }
    for (std::size_t j = 0; j < cells.size(); ++j) add(cells[j], j);
    ++matrix_.rows;
  }

 private:
  void add(const std::string& cell, std::size_t j) {
    const bool is_needed = !is_needed_ || is_needed_(matrix_.columns, matrix_.rows, j);
    if (cell.empty() && is_needed) {
      throw Error(ErrorKind::input, fmt::format("entry ({}, {}) is empty: a number is accepted", matrix_.rows, j));
    }
    const io::Number number = cell.empty() ? io::Number{} : io::parse_real(cell);
    matrix_.numbers.add(is_needed ? number : io::Number{});
  }

  const Frame& frame_;
  const IsNeeded& is_needed_;
  TextMatrix& matrix_;
  bool is_header_next_;
};

/// The entries in T, in the form of a .npy file's.
template <class T>
io::NpyArray array_of(const std::string& path, const char* dtype, const TextMatrix& matrix) {
  io::NpyArray array{.path = path, .dtype = dtype, .shape = {matrix.rows, matrix.columns}, .content = {}};
  array.content.resize(matrix.numbers.size() * sizeof(T));
  for (std::size_t k = 0; k < matrix.numbers.size(); ++k) {
    T value;
    if constexpr (std::is_floating_point_v<T>) {
      value = matrix.numbers.real(k);
    } else {
      const double real = matrix.numbers.real(k);
      value = std::isinf(real) ? (real > 0 ? infinity<T> : static_cast<T>(-infinity<T>))
                               : static_cast<T>(matrix.numbers.integers[k]);
    }
    value = io::little_endian(value);
    std::memcpy(array.content.data() + k * sizeof(T), &value, sizeof(T));
  }
  return array;
}

bool is_below_infinity(const io::Numbers& numbers) {
  constexpr io::Integer largest = infinity<std::int64_t>;
  return numbers.is_integral && std::all_of(numbers.integers.begin(), numbers.integers.end(), [](io::Integer x) {
           return (x < largest && x > -largest) || x == io::infinite_integer || x == -io::infinite_integer;
         });
}

io::NpyArray array_of(const std::string& path, const TextMatrix& matrix) {
  if (matrix.rows == 0) throw Error(ErrorKind::input, path + ": has no row: one or more is accepted");
  if (is_below_infinity(matrix.numbers)) return array_of<std::int64_t>(path, "i64", matrix);
  io::NpyArray array = array_of<double>(path, "f64", matrix);
  array.is_rounded = !matrix.numbers.doubles_hold;
  return array;
}

}  // namespace

TextMatrix parse_text_matrix(const std::string& path, std::string_view text, const IsNeeded& is_needed) {
  const Frame frame = frame_of(outer_of(path, text), static_cast<bool>(is_needed));
  TextMatrix matrix;
  Rows rows(frame, is_needed, matrix);
  io::each_line(path, text, [&](std::string_view line) { rows.read(line); });
  return matrix;
}

TextMatrix parse_market_array(const std::string& path, std::string_view content) {
  const MarketMatrix stated = parse_market_matrix(path, content);
  if (!stated.is_array) {
    throw Error(ErrorKind::input, path + ": is a coordinate matrix, which leaves entries out: an array is accepted");
  }
  const std::size_t entries = stated.places.size();
  std::vector<std::size_t> from(stated.rows * stated.columns, entries);  // the diagonal of a skew-symmetric one is 0
  for (std::size_t k = 0; k < entries; ++k) from[stated.places[k].from * stated.columns + stated.places[k].to] = k;
  TextMatrix matrix{.rows = stated.rows, .columns = stated.columns, .numbers = {}};
  for (const std::size_t k : from) matrix.numbers.add(k == entries ? io::Number{} : stated.values.number(k));
  matrix.numbers.doubles_hold = stated.values.doubles_hold;
  return matrix;
}

std::span<const MatrixFormat> matrix_formats() {
  static const MatrixFormat all[] = {
      {"NumPy", {".npy", ".npz"}, io::is_npy, io::parse_npy},
      {"Matrix Market",
       {".mtx"},
       is_matrix_market,
       [](const std::string& path, std::string content) { return array_of(path, parse_market_array(path, content)); }},
      {"text",
       {".csv", ".txt"},
       any_other,
       [](const std::string& path, std::string content) { return array_of(path, parse_text_matrix(path, content)); }},
  };
  return all;
}

io::NpyArray parse_matrix(const std::string& path, std::string content) {
  const MatrixFormat& format = find_format(matrix_formats(), path, content);
  return format.parse(path, std::move(content));
}

io::NpyArray read_matrix(const std::string& path) { return parse_matrix(path, io::read_file(path)); }

}  // namespace warpfold::formats
