#include "formats/edge_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

/// The usual names of columns, without capitals, blanks, dashes and underscores.
constexpr std::string_view names_of_from[] = {
    "from",   "source",   "src",      "start",      "origin",    "u",        "node1",      "vertex1",      "id1",
    "fromid", "sourceid", "fromnode", "sourcenode", "startnode", "initnode", "fromnodeid", "sourcenodeid", "nodefrom"};
constexpr std::string_view names_of_to[] = {
    "to",       "target", "dst",        "end",     "destination", "v",        "node2",        "vertex2", "id2", "toid",
    "targetid", "tonode", "targetnode", "endnode", "termnode",    "tonodeid", "targetnodeid", "nodeto",  "dest"};
constexpr std::string_view names_of_length[] = {"length", "weight", "distance", "cost",       "time",    "dist",
                                                "len",    "w",      "value",    "traveltime", "duration"};

constexpr std::string_view names_of_type[] = {"type"};

std::string plain(std::string_view name) {
  std::string letters = io::lower(name);
  std::erase_if(letters, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  return letters;
}

/// The columns whose name is one of these.
std::vector<std::size_t> columns_named(const Row& header, std::span<const std::string_view> names) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < header.size(); ++at) {
    if (std::find(names.begin(), names.end(), plain(header[at])) != names.end()) found.push_back(at);
  }
  return found;
}

std::optional<std::size_t> column_named(const Row& header, std::span<const std::string_view> names) {
  const auto found = columns_named(header, names);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

}  // namespace

bool names_ends(const Row& header) {
  return column_named(header, names_of_from) == 0U && column_named(header, names_of_to) == 1U;
}

bool names_length(const Row& header) { return !columns_named(header, names_of_length).empty(); }

EdgeColumns columns_of(const std::string& path, const Row& header) {
  const std::size_t width = header.size();
  const std::size_t index = header.front().empty() ? 1 : 0;  // a column without a name, as pandas writes it
  EdgeColumns columns{.from = index, .to = index + 1, .length = index + 2, .max_words = width};
  const auto from = column_named(header, names_of_from);
  const auto to = column_named(header, names_of_to);
  const bool is_named = from && to;
  if (is_named)
    columns = {.from = *from, .to = *to, .length = {}, .type = column_named(header, names_of_type), .max_words = width};
  const auto lengths = columns_named(header, names_of_length);
  if (lengths.size() == 1) {
    columns.length = lengths.front();
  } else if (lengths.size() > 1 || (width > index + 3 && !columns.type)) {
    throw Error(ErrorKind::input,
                fmt::format("{}: has the columns {}: --columns FROM,TO,LENGTH, or FROM,TO, is accepted", path,
                            fmt::join(header, ", ")));
  } else if (is_named && width == index + 3 && !columns.type) {
    columns.length = width * (width - 1) / 2 - *from - *to;  // the third column
  }
  return columns;
}

}  // namespace warpfold::formats
