#include "triangulation_input.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

WeightChoice parse_weight(const std::string& text) {
  if (text == "length") return {polygon::Weight::length, ""};
  if (text == "squared") return {polygon::Weight::squared, ""};
  const std::string ending = io::extension(text);
  if (ending == ".npy" || ending == ".csv" || ending == ".txt") return {std::nullopt, text};
  throw Error(ErrorKind::usage,
              fmt::format("weight '{}' is unknown: length, squared, or a .npy or .csv file is accepted", text));
}

CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice) {
  const std::string content = io::read_file(path);
  std::vector<Point> vertices = formats::parse_outline(path, content, choice);
  return {naming(path, [&] { return polygon::Outline(std::move(vertices)); }), formats::outline_format(path, content)};
}

}  // namespace warpfold::app
