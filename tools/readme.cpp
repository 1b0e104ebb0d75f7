// Fills the generated parts of a Markdown file, so that no figure and no snippet in it is typed.
//
//   readme FILE.md [--check]
//
// A part begins with one of these lines and ends with the next `<!-- end -->`:
//   <!-- code: examples/name.cpp -->        the file's text from the line `// --- snippet` on, as a code block
//   <!-- table: results/machine/name.json [KEY=VALUE...] -->   its rows, or those that have all these values. VALUE may
//                                                              be A|B; a space in it is written as +
//   <!-- columns: results/machine/name.json KEY[:HEADING]... [KEY=VALUE...] -->   what such rows have of these keys;
//                                                              at least one of them has each key. KEY/FLAG is the key
//                                                              relative to the row that has FLAG false and otherwise
//                                                              the same parameters. Several files, separated by
//                                                              commas, fill one table; `machine` is the file's
//   <!-- sums: results/machine/name.json KEY... [KEY=VALUE...] -->      in one line, how many they are, and these
//                                                                       keys' sums
//
// Results are in the form of bench/result.hpp. With --check nothing is written, and a difference is an error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpfold/io/file.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::string code_block(const std::string& path) {
  const std::string text = warpfold::io::read_file(path);
  const std::string mark = "// --- snippet\n";
  const auto at = text.find(mark);
  const std::string snippet = at == std::string::npos ? text : text.substr(at + mark.size());
  return fmt::format("```cpp\n{}```\n", snippet);
}

std::string duration(double seconds) {
  if (seconds == 0) return "0 s";
  if (std::abs(seconds) < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (std::abs(seconds) < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return seconds < 999.5 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string rate(double per_second) {
  if (per_second >= 1e12) return fmt::format("{:.3g} T/s", per_second * 1e-12);
  if (per_second >= 1e9) return fmt::format("{:.3g} G/s", per_second * 1e-9);
  return fmt::format("{:.3g} M/s", per_second * 1e-6);
}

std::string text_of(const Json& value) {
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    const bool is_thousands = std::abs(number) >= 999.5 && std::abs(number) < 1e6;
    return is_thousands ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The row's parameters: the keys between "work" and the timings.
std::string parameters(const Json& row) {
  std::string text;
  for (const auto& [key, value] : row.items()) {
    if (key == "work" || key == "device" || key == "algorithm") continue;
    if (key == "median_seconds") break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, text_of(value));
  }
  return text;
}

/// Whether the value is one of "A|B|C".
bool is_one_of(const std::string& value, const std::string& alternatives) {
  return ("|" + alternatives + "|").find("|" + value + "|") != std::string::npos;
}

bool wanted(const Json& row, const std::vector<std::string>& conditions) {
  for (const std::string& condition : conditions) {
    const auto equals = condition.find('=');
    const auto entry = row.find(condition.substr(0, equals));
    if (entry == row.end()) return false;
    std::string value = text_of(*entry);
    std::replace(value.begin(), value.end(), ' ', '+');
    if (!is_one_of(value, condition.substr(equals + 1))) return false;
  }
  return true;
}

std::string origin(const std::string& path, const Json& file) {
  return fmt::format("`{}`, {}, commit {}", path, file.at("date").get<std::string>().substr(0, 10),
                     file.at("commit").get<std::string>().substr(0, 10));
}

std::string table(const std::string& path, const std::vector<std::string>& conditions) {
  const Json file = Json::parse(warpfold::io::read_file(path));
  std::string text = "| work | | median | rate | of the ceiling |\n|---|---|---:|---:|---:|\n";
  std::size_t rows = 0;
  for (const Json& row : file.at("rows")) {
    if (!wanted(row, conditions)) continue;
    const std::string fraction =
        row.contains("fraction_of_ceiling") ? fmt::format("{:.2f}", row["fraction_of_ceiling"].get<double>()) : "";
    text += fmt::format("| {} | {} | {} | {} | {} |\n", text_of(row.at("work")), parameters(row),
                        duration(row.at("median_seconds")), rate(row.at("rate_per_second")), fraction);
    ++rows;
  }
  if (rows == 0) throw std::runtime_error(path + " has no row of that name");
  return text + "\n" + origin(path, file) + "\n";
}

std::string with_unit(const std::string& key, const Json& value) {
  if (value.is_null()) return "";
  if (key.ends_with("_seconds")) return duration(value.get<double>());
  if (key == "rate_per_second" || key == "ceiling_per_second") return rate(value.get<double>());
  if (key == "code_bytes" || key == "wheel_bytes" || key == "unpacked_bytes")
    return fmt::format("{:.1f} MB", value.get<double>() * 1e-6);
  return text_of(value);
}

/// What a marker requests: keys, and conditions on the rows.
struct Wanted {
  std::vector<std::string> keys, conditions;

  explicit Wanted(const std::vector<std::string>& words) {
    for (const std::string& word : words) (word.find('=') == std::string::npos ? keys : conditions).push_back(word);
  }
};

std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

/// A column: the key of its values, the flag of the rows that they are relative to, if any, and its heading (default:
/// the words of the key).
struct Column {
  std::string key, flag, heading;

  explicit Column(const std::string& word) : key(word.substr(0, word.find(':'))), heading(words_of(key)) {
    if (key.size() < word.size()) heading = words_of(word.substr(key.size() + 1));
    const auto slash = key.find('/');
    if (slash == std::string::npos) return;
    flag = key.substr(slash + 1);
    key.resize(slash);
  }
};

/// Whether both rows have the same work and parameters, apart from the flag, which `other` has false.
bool differs_in_flag(const Json& row, const Json& other, const std::string& flag) {
  for (const auto& [key, value] : row.items()) {
    if (key == "median_seconds") break;
    if (other.value(key, Json()) != (key == flag ? Json(false) : value)) return false;
  }
  return true;
}

std::string relative(const Column& column, const Json& row, const Json& rows) {
  if (row.value(column.flag, Json()) != Json(true)) return "";
  for (const Json& other : rows) {
    if (differs_in_flag(row, other, column.flag))
      return fmt::format("{:.3g}", row.at(column.key).get<double>() / other.at(column.key).get<double>());
  }
  throw std::runtime_error("no row has " + column.flag + " false beside " + row.dump());
}

std::string value_of(const Column& column, const Json& row, const Json& rows) {
  return column.flag.empty() ? with_unit(column.key, row.value(column.key, Json())) : relative(column, row, rows);
}

std::vector<std::string> asked_keys(const std::vector<Column>& shown) {
  std::vector<std::string> keys;
  for (const Column& column : shown) keys.push_back(column.key);
  return keys;
}

/// The lines of the file's rows. Takes the keys that they have from `missing`.
std::string lines_of(const Json& file, const std::vector<Column>& shown, const std::vector<std::string>& conditions,
                     std::vector<std::string>& missing) {
  std::string text;
  for (Json row : file.at("rows")) {
    if (!wanted(row, conditions)) continue;
    if (!row.contains("machine")) row["machine"] = file.at("machine");
    std::erase_if(missing, [&](const std::string& key) { return row.contains(key); });
    text += "|";
    for (const Column& column : shown) text += fmt::format(" {} |", value_of(column, row, file.at("rows")));
    text += "\n";
  }
  return text;
}

std::string columns(const std::string& paths, const Wanted& asked) {
  const std::vector<Column> shown(asked.keys.begin(), asked.keys.end());
  std::string text = "|", line = "|", origins;
  for (const Column& column : shown) {
    text += fmt::format(" {} |", column.heading);
    line += "---|";
  }
  text += "\n" + line + "\n";
  std::vector<std::string> missing = asked_keys(shown);
  std::istringstream split(paths);
  for (std::string path; std::getline(split, path, ',');) {
    const Json file = Json::parse(warpfold::io::read_file(path));
    const std::string lines = lines_of(file, shown, asked.conditions, missing);
    if (lines.empty()) throw std::runtime_error(path + " has no row of that kind");
    text += lines;
    origins += (origins.empty() ? "" : "; ") + origin(path, file);
  }
  if (!missing.empty()) throw std::runtime_error(paths + " has no row with the key " + missing.front());
  return text + "\n" + origins + "\n";
}

/// The sums in one line. Rows that are themselves sums are left out.
std::string sums(const std::string& path, const Wanted& asked) {
  const Json file = Json::parse(warpfold::io::read_file(path));
  std::vector<Json> rows;
  for (const Json& row : file.at("rows")) {
    if (row.begin().value() != "all" && wanted(row, asked.conditions)) rows.push_back(row);
  }
  std::string text = fmt::format("{} rows", rows.size());
  for (const std::string& key : asked.keys) {
    double sum = 0;
    for (const Json& row : rows) sum += row.at(key).is_null() ? 0 : row.at(key).get<double>();
    text += fmt::format(", {} {:.0f}", words_of(key), sum);
  }
  return text + ": " + origin(path, file) + "\n";
}

/// The generated text after a marker line; nothing if the line is not a marker.
std::string generated(const std::string& line) {
  std::istringstream words(line);
  std::string open, kind, path, word;
  words >> open >> kind >> path;
  if (open != "<!--") return "";
  std::vector<std::string> asked;
  while (words >> word && word != "-->") asked.push_back(word);
  if (kind == "code:") return code_block(path);
  if (kind == "table:") return table(path, asked);
  if (kind == "columns:") return columns(path, Wanted(asked));
  return kind == "sums:" ? sums(path, Wanted(asked)) : "";
}

std::string fill(const std::string& path) {
  std::istringstream lines(warpfold::io::read_file(path));
  std::string filled, line;
  while (std::getline(lines, line)) {
    filled += line + "\n";
    const std::string part = generated(line);
    if (part.empty()) continue;
    filled += part;
    while (std::getline(lines, line) && line != "<!-- end -->") {
    }
    if (line != "<!-- end -->") throw std::runtime_error(path + ": a generated part has no <!-- end -->");
    filled += line + "\n";
  }
  return filled;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    fmt::print(stderr, "usage: readme FILE.md [--check]\n");
    return 2;
  }
  try {
    const std::string filled = fill(arguments[0]);
    const bool same = filled == warpfold::io::read_file(arguments[0]);
    if (arguments.size() == 1 && !same) warpfold::io::write_file(arguments[0], filled);
    if (arguments.size() > 1 && !same) throw std::runtime_error(arguments[0] + " is out of date: run ./dev readme");
  } catch (const std::exception& error) {
    fmt::print(stderr, "readme: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
