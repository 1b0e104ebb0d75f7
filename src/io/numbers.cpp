#include "warpfold/io/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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
    throw Error(ErrorKind::input, fmt::format("{}:{}: '{}' is no number", path, line, word));
  }
  if (error == std::errc::result_out_of_range) {
    throw Error(ErrorKind::input, fmt::format("{}:{}: '{}' is out of range", path, line, word));
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

}  // namespace warpfold::io
