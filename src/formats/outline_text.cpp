#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "formats/outline_parts.hpp"
#include "formats/separated.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

using Names = std::array<std::string_view, 7>;

/// Names of the columns of x and of y that belong together, in small letters.
struct AxisNames {
  Names x, y;
  bool is_map = false;
};
constexpr AxisNames axis_names[] = {{{"x", "xcoord", "coordx"}, {"y", "ycoord", "coordy"}},
                                    {{"easting", "eastings", "east", "e"}, {"northing", "northings", "north", "n"}},
                                    {{"longitude", "lon", "long", "lng"}, {"latitude", "lat"}, true}};
constexpr Names ignored_names = {"z", "m", "elevation", "elev", "altitude", "alt", "height"};

/// The columns of a line. Without a width a line may have more.
struct VertexColumns {
  std::size_t x = 0, y = 1;
  std::optional<std::size_t> width;
};

bool is_among(std::string_view word, const Names& names) {
  return !word.empty() && std::find(names.begin(), names.end(), word) != names.end();
}

/// Whether one of a name's words, which blanks, underscores and the like separate, is among the names.
bool has_word_among(const std::string& name, const Names& names) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = name.begin(); at != name.end();) {
    const auto end = std::find_if_not(at, name.end(), is_part);
    if (is_among({at, end}, names)) return true;
    at = end == name.end() ? end : end + 1;
  }
  return false;
}

/// The column that has one of the names, or else the only one that has one of them among its words.
std::optional<std::size_t> column_named(const Words& header, const Names& names) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < header.size(); ++k) {
    const std::string name = io::lower(header[k]);
    if (is_among(name, names)) return k;
    if (has_word_among(name, names)) found.push_back(k);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// A line without comments, and without brackets and separators around a vertex.
std::string_view bare_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t first = std::min(line.find_first_not_of(" \t\r\v\f[("), line.size());
  const std::size_t last = line.find_last_not_of(" \t\r\v\f]),;");
  return last == line.npos || last < first ? std::string_view() : line.substr(first, last + 1 - first);
}

/// Whether tabs separate. If they are beside commas, these separate.
bool has_tabs_apart(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos) return false;
  const std::string_view before = io::trimmed(line.substr(0, tab)), after = io::trimmed(line.substr(tab));
  return !before.ends_with(',') && !after.starts_with(',');
}

Separator separator_of(std::string_view line) {
  if (line.find(';') != line.npos) return Separator::semicolon;
  if (has_tabs_apart(line)) return Separator::tab;
  return line.find(',') == line.npos ? Separator::blank : Separator::comma;
}

/// The words of one line.
class VertexWords {
 public:
  void split(std::string_view line) {
    separator_ = separator_of(line);
    const auto splitter = std::find_if(splitters_.begin(), splitters_.end(),
                                       [&](const Splitter& one) { return one.separator() == separator_; });
    words_ = &splitter->split(line);
  }

  [[nodiscard]] const Words& words() const { return *words_; }
  [[nodiscard]] std::size_t size() const { return words_->size(); }

  /// Where no commas separate, one may be a decimal one.
  [[nodiscard]] io::Number number(std::size_t column) const {
    const std::string_view word = words()[column];
    if (separator_ == Separator::comma || word.find(',') == word.npos) return io::parse_real(word);
    std::string text(word);
    text[text.find(',')] = '.';
    return io::parse_real(text);
  }
  [[nodiscard]] bool is_number(std::size_t column) const try {
    static_cast<void>(number(column));
    return true;
  } catch (const Error&) {
    return false;
  }
  [[nodiscard]] bool has_no_number() const {
    for (std::size_t k = 0; k < size(); ++k) {
      if (is_number(k)) return false;
    }
    return true;
  }

 private:
  std::vector<Splitter> splitters_{std::begin(separators), std::end(separators)};
  Separator separator_ = Separator::blank;
  const Words* words_ = nullptr;
};

/// Whether the first words of the lines are 0, 1, 2, .. or 1, 2, 3, ..
bool counts_lines(std::string_view content) {
  VertexWords words;
  std::optional<std::uint64_t> next;
  const char end = io::end_of_line(content);
  for (content = io::without_mark(content); !content.empty();) {
    const std::string_view line = bare_line(io::take_line(content, end));
    if (line.empty() || line.starts_with('>')) continue;
    words.split(line);
    const auto count = words.size() == 0 ? std::nullopt : digits_value(words.words().front());
    if (!count || *count != next.value_or(std::min<std::uint64_t>(*count, 1))) return false;
    next = *count + 1;
  }
  return true;
}

[[noreturn]] void reject_vertex(std::string_view line) {
  throw Error(ErrorKind::input,
              fmt::format("'{}' is no vertex: 'x y' or 'x,y' is accepted", io::printable(io::trimmed(line))));
}

/// Reads vertices line by line. The first line decides which columns they are in.
class TextOutline {
 public:
  explicit TextOutline(std::string_view content) : content_(content) {}

  /// A line in brackets may have several vertices.
  void read(std::string_view line) {
    const std::string_view opened = io::trimmed(line);
    if (opened.starts_with("[[["))
      throw Error(ErrorKind::input, "there are lists of vertices in a list: one is accepted");
    if (!opened.starts_with('[') && !opened.starts_with('(')) return read_line(line);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of("])"), line.size());
      read_line(line.substr(0, end));
      line.remove_prefix(end);
      line.remove_prefix(std::min(line.find_first_not_of("]), ;"), line.size()));
    }
  }

  [[nodiscard]] OutlineFile take() { return std::move(outline_); }

 private:
  void read_line(std::string_view given) {
    const std::string_view line = bare_line(given);
    if (line.empty()) return;
    if (line.starts_with('>')) return begin_segment();
    words_.split(line);
    if (!columns_ && words_.size() > 1 && words_.has_no_number()) return read_header(words_.words());
    if (!columns_) columns_ = columns_without_header(given);
    if (outline_.vertices.empty()) skip_unnamed_column();
    read_vertex(given);
  }

  /// A line of > and a name precedes a segment in GMT's files.
  void begin_segment() {
    if (outline_.vertices.empty()) return;
    throw Error(ErrorKind::input, "another segment begins: a file of one outline is accepted");
  }

  void read_header(const Words& header) {
    for (const AxisNames& names : axis_names) {
      const auto x = column_named(header, names.x), y = column_named(header, names.y);
      if (!x || !y || x == y) continue;
      columns_ = VertexColumns{*x, *y, {}};
      header_width_ = header.size();
      outline_.is_map = names.is_map;
      const auto ignored = column_named(header, ignored_names);
      if (ignored) note_ignored(outline_, fmt::format("column '{}' is", io::printable(header[*ignored])));
      return;
    }
    throw Error(ErrorKind::input,
                fmt::format("the columns '{}' have no x and y: names x,y, lon,lat or easting,northing are accepted",
                            io::printable(fmt::format("{}", fmt::join(header, ",")))));
  }

  /// A header that has one name less than the lines have words names no column of counts.
  void skip_unnamed_column() {
    if (!header_width_ || words_.size() != *header_width_ + 1) return;
    ++columns_->x;
    ++columns_->y;
  }

  VertexColumns columns_without_header(std::string_view line) {
    const std::size_t width = words_.size();
    if (width == 2) return {0, 1, width};
    const bool has_names = width > 0 && !words_.is_number(0);
    const bool has_ids = (width == 3 || width == 4) && (has_names || counts_lines(content_));
    if (width != 3 && !has_ids) reject_vertex(line);
    if (has_ids && !has_names) outline_.notes.push_back("the first column counts the vertices, and is ignored");
    if (width == (has_ids ? 4 : 3)) note_ignored(outline_, "Z is");
    return has_ids ? VertexColumns{1, 2, width} : VertexColumns{0, 1, width};
  }

  void read_vertex(std::string_view line) {
    const std::size_t width = words_.size();
    if (columns_->width.value_or(width) != width || width <= std::max(columns_->x, columns_->y)) reject_vertex(line);
    const double x = coordinate(words_.number(columns_->x), outline_);
    outline_.vertices.push_back({x, coordinate(words_.number(columns_->y), outline_)});
  }

  std::string_view content_;
  VertexWords words_;
  std::optional<VertexColumns> columns_;
  std::optional<std::size_t> header_width_;
  OutlineFile outline_;
};

/// A value of a row.
struct RowValue {
  std::string_view text;
  bool is_last = false;
};

/// The end of a value in quotes, behind them.
std::size_t quoted_end(std::string_view text) {
  std::size_t end = text.find('"', 1);
  while (end != text.npos && text.substr(end + 1).starts_with('"')) end = text.find('"', end + 2);
  return end == text.npos ? text.size() : end + 1;
}

/// The end of a geometry, behind its last parenthesis; 0 if it has none.
std::size_t geometry_end(std::string_view text) {
  int depth = 0;
  const std::size_t first = text.substr(0, 80).find('(');
  for (std::size_t at = first; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return first == text.npos ? 0 : text.size();
}

/// Removes a row's first value, and the separator behind it, from a text.
RowValue take_value(std::string_view& rest) {
  std::size_t at = std::min(rest.find_first_not_of(' '), rest.size());
  std::string_view begin = rest.substr(at);
  if (begin.starts_with('"')) {
    at += quoted_end(begin);
  } else if (begins_geometry(begin.substr(0, 80))) {
    at += geometry_end(begin);
  }
  const std::size_t end = std::min(rest.find_first_of(",;\t\r\n", at), rest.size());
  const RowValue value{rest.substr(0, end), end == rest.size() || rest[end] == '\n' || rest[end] == '\r'};
  rest.remove_prefix(end);
  rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
  return value;
}

bool has_geometry_column(std::string_view content) { return !geometry_column(content.substr(0, 4000)).empty(); }

bool is_xml(std::string_view content) { return io::trimmed(io::without_mark(content)).starts_with('<'); }

}  // namespace

std::vector<GeometryText> geometry_column(std::string_view content) {
  std::vector<GeometryText> geometries;
  content = io::without_mark(content);
  std::size_t line = 1;
  for (bool found = false; !content.empty();) {
    const RowValue value = take_value(content);
    if (!found && begins_geometry(value.text)) {
      geometries.push_back({value.text, line});
      found = true;
    }
    line += static_cast<std::size_t>(std::count(value.text.begin(), value.text.end(), '\n')) + (value.is_last ? 1 : 0);
    if (value.is_last) found = false;
  }
  return geometries;
}

OutlineFile parse_text_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  if (is_xml(content)) io::reject_file(path, "is XML, such as KML or GML: GeoJSON, WKT and text are accepted");
  if (has_geometry_column(content)) return parse_geometries(path, geometry_column(content), choice);
  reject_choice(path, "text", choice);
  TextOutline outline(content);
  io::each_line(path, content, [&](std::string_view line) { outline.read(line); });
  return outline.take();
}

}  // namespace warpfold::formats
