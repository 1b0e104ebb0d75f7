#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/file.hpp"

/// Helpers for the tables of file formats. Each kind of data has one table with one row per format: `outline_formats`,
/// `graph_formats`, `knapsack_formats`, `matrix_formats`, `sequence_formats`, `weight_formats` and
/// `triangulation_formats`. A row has some of these members:
///
///     name         the format's name: "GeoJSON"
///     endings      the file endings of the format: ".geojson", ".json"
///     recognizes   whether a file's content looks like this format; null: the ending alone identifies it
///     parse        reads the content of a file
///     write        writes a file
///
/// Reading, writing, help and messages all use the table.
namespace warpfold::formats {

/// Returns the endings of all rows, in the order of the table.
template <class Format>
[[nodiscard]] std::vector<std::string> endings_of(std::span<const Format> table) {
  std::vector<std::string> all;
  for (const Format& format : table) all.insert(all.end(), format.endings.begin(), format.endings.end());
  return all;
}

/// Returns the names of all rows, in the order of the table.
template <class Format>
[[nodiscard]] std::vector<std::string> names_of(std::span<const Format> table) {
  std::vector<std::string> all;
  for (const Format& format : table) all.push_back(format.name);
  return all;
}

/// Returns the first row that lists the ending of the path, or null.
template <class Format>
[[nodiscard]] const Format* find_by_ending(std::span<const Format> table, const std::string& path) {
  const std::string ending = io::extension(path);
  const auto found = std::find_if(table.begin(), table.end(), [&](const Format& format) {
    return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
  });
  return found == table.end() ? nullptr : &*found;
}

/// The `recognizes` of the row that takes every file that no other row recognizes. Each table for reading has one such
/// row.
[[nodiscard]] bool any_other(std::string_view content);

/// Returns the first row that recognizes the content, else the row of `any_other`.
template <class Format>
[[nodiscard]] const Format& find_by_content(std::span<const Format> table, std::string_view content) {
  const auto recognizes = [&](const Format& format) {
    return format.recognizes && format.recognizes != any_other && format.recognizes(content);
  };
  const auto found = std::find_if(table.begin(), table.end(), recognizes);
  if (found != table.end()) return *found;
  return *std::find_if(table.begin(), table.end(), [](const Format& format) { return format.recognizes == any_other; });
}

/// Raises Error{input} for a file that is not UTF-8 text, and says what it is.
void check_is_text(const std::string& path, std::string_view content);

/// Returns the row for a file: by its ending where a row lists that ending ("a.csv.gz" has .csv's), else by its
/// content. Raises Error{input} for a file that no row reads.
template <class Format>
[[nodiscard]] const Format& find_format(std::span<const Format> table, const std::string& path,
                                        std::string_view content) {
  const Format* by_ending = find_by_ending(table, "file" + io::unpacked_extension(path));
  const Format& format = by_ending ? *by_ending : find_by_content(table, content);
  if (!format.recognizes || !format.recognizes(content) || format.recognizes == any_other) check_is_text(path, content);
  return format;
}

}  // namespace warpfold::formats
