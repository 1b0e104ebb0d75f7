#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/file.hpp"

/// What the tables of formats share. Each kind of data has one table with a row for every format of its files:
/// `outline_formats`, `graph_formats`, `knapsack_formats`, `weight_formats` and `triangulation_formats`. A row has some
/// of
///
///     name         "GeoJSON"
///     endings      of its files: ".geojson", ".json"
///     recognises   whether a file whose ending no row has begins like this format; null: its ending alone tells
///     parse        reads the content of a file
///     write        writes a file
///
/// Reading, writing, help and messages come from the table.
namespace warpfold::formats {

/// The endings of all rows.
template <class Format>
[[nodiscard]] std::vector<std::string> endings_of(std::span<const Format> table) {
  std::vector<std::string> all;
  for (const Format& format : table) all.insert(all.end(), format.endings.begin(), format.endings.end());
  return all;
}

/// The names of all rows.
template <class Format>
[[nodiscard]] std::vector<std::string> names_of(std::span<const Format> table) {
  std::vector<std::string> all;
  for (const Format& format : table) all.push_back(format.name);
  return all;
}

/// The row that has the path's ending, or null.
template <class Format>
[[nodiscard]] const Format* find_by_ending(std::span<const Format> table, const std::string& path) {
  const std::string ending = io::extension(path);
  const auto found = std::find_if(table.begin(), table.end(), [&](const Format& format) {
    return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
  });
  return found == table.end() ? nullptr : &*found;
}

/// `recognises` of the row for files that no other row recognises. Each table that is read has one.
[[nodiscard]] bool any_other(std::string_view content);

/// The row that recognises the content, the first of several.
template <class Format>
[[nodiscard]] const Format& find_by_content(std::span<const Format> table, std::string_view content) {
  const auto recognises = [&](const Format& format) {
    return format.recognises && format.recognises != any_other && format.recognises(content);
  };
  const auto found = std::find_if(table.begin(), table.end(), recognises);
  if (found != table.end()) return *found;
  return *std::find_if(table.begin(), table.end(), [](const Format& format) { return format.recognises == any_other; });
}

/// Raises Error{input} for a file that is no text, in UTF-8, and says what it is.
void check_is_text(const std::string& path, std::string_view content);

/// The row for a file: by its ending where a row has that ("a.csv.gz" has .csv's), else by its content. Raises
/// Error{input} for what no row reads.
template <class Format>
[[nodiscard]] const Format& find_format(std::span<const Format> table, const std::string& path,
                                        std::string_view content) {
  const Format* by_ending = find_by_ending(table, "file" + io::unpacked_extension(path));
  const Format& format = by_ending ? *by_ending : find_by_content(table, content);
  if (!format.recognises || !format.recognises(content) || format.recognises == any_other) check_is_text(path, content);
  return format;
}

}  // namespace warpfold::formats
