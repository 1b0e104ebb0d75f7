#include "warpfold/io/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/printable.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::io {

namespace {

constexpr std::string_view separators = " \t\r\n\v\f,;";

void append(const std::string& path, std::size_t line, std::string_view word, Numbers& numbers) {
  const char* last = word.data() + word.size();
  double real = 0;
  const auto [end, error] = std::from_chars(word.data(), last, real);
  if (end != last || error == std::errc::invalid_argument) {
    throw Error(ErrorKind::input, fmt::format("{}:{}: '{}' is no number", path, line, printable(word)));
  }
  if (error == std::errc::result_out_of_range) {
    throw Error(ErrorKind::input, fmt::format("{}:{}: '{}' is out of range", path, line, printable(word)));
  }
  numbers.reals.push_back(real);
  std::int64_t whole = 0;
  const auto parsed = std::from_chars(word.data(), last, whole);
  numbers.whole = numbers.whole && parsed.ptr == last && parsed.ec == std::errc();
  if (numbers.whole) numbers.wholes.push_back(whole);
}

Numbers from_npy(const std::string& path) {
  const NpyArray array = read_npy(path);
  if (array.shape.size() != 1) {
    throw Error(ErrorKind::input,
                fmt::format("{}: has {} dimensions: a list of numbers has 1", path, array.shape.size()));
  }
  Numbers numbers;
  numbers.whole = array.is_integral();
  if (numbers.whole) numbers.wholes = array.values<std::int64_t>();
  numbers.reals = array.values<double>();
  return numbers;
}

/// Whether the entry is a whole number that fits 64 bits.
bool is_whole(const nlohmann::json& entry) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return entry.is_number_unsigned() ? entry.get<std::uint64_t>() <= most : entry.is_number_integer();
}

Numbers from_json(const std::string& path, const nlohmann::json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) {
    throw Error(ErrorKind::input, fmt::format("{}: has no list '{}': a JSON object with it is accepted", path, key));
  }
  Numbers numbers;
  const nlohmann::json& list = object[key];
  for (std::size_t t = 0; t < list.size(); ++t) {
    if (!list[t].is_number()) {
      throw Error(ErrorKind::input, fmt::format("{}: {}[{}] is {}: a number is accepted", path, key, t,
                                                list[t].dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
    }
    numbers.whole = numbers.whole && is_whole(list[t]);
    numbers.reals.push_back(list[t].get<double>());
    if (numbers.whole) numbers.wholes.push_back(list[t].get<std::int64_t>());
  }
  if (!numbers.whole) numbers.wholes.clear();
  return numbers;
}

}  // namespace

Numbers parse_numbers(const std::string& path, std::string_view text) {
  Numbers numbers;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (separators.find(text[at]) != std::string_view::npos) {
      line += text[at++] == '\n';
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n\v\f,;#", at), text.size());
      append(path, line, text.substr(at, end - at), numbers);
      at = end;
    }
  }
  if (!numbers.whole) numbers.wholes.clear();
  return numbers;
}

Numbers read_numbers(const std::string& path) {
  return extension(path) == ".npy" ? from_npy(path) : parse_numbers(path, read_file(path));
}

std::vector<Numbers> parse_json_lists(const std::string& path, std::string_view text,
                                      const std::vector<std::string>& keys) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (object.is_discarded()) throw Error(ErrorKind::input, fmt::format("{}: is no JSON", path));
  std::vector<Numbers> lists;
  for (const std::string& key : keys) lists.push_back(from_json(path, object, key));
  return lists;
}

std::vector<Numbers> read_json_lists(const std::string& path, const std::vector<std::string>& keys) {
  return parse_json_lists(path, read_file(path), keys);
}

}  // namespace warpfold::io
