#include "interval_input.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

/// One list of a JSON object.
io::Numbers json_numbers(const std::string& path, const nlohmann::json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: has no list '{}': an object with the lists p and q is accepted", path, key));
  }
  io::Numbers numbers;
  for (std::size_t t = 0; t < object[key].size(); ++t) {
    const auto& entry = object[key][t];
    if (!entry.is_number()) {
      throw Error(ErrorKind::input, fmt::format("{}: {}[{}] is {}: a number is accepted", path, key, t, entry.dump()));
    }
    numbers.whole = numbers.whole && entry.is_number_integer();
    numbers.reals.push_back(entry.get<double>());
    if (numbers.whole) numbers.wholes.push_back(entry.get<std::int64_t>());
  }
  return numbers;
}

}  // namespace

std::vector<std::int64_t> read_dimensions(const std::string& path) {
  io::Numbers numbers = io::read_numbers(path);
  if (numbers.whole) return std::move(numbers.wholes);
  throw Error(ErrorKind::input, fmt::format("{}: dimensions are whole numbers of at most 64 bits", path));
}

TreeWeights read_tree_weights(const std::string& path) {
  try {
    const auto object = nlohmann::json::parse(io::read_file(path));
    return {json_numbers(path, object, "p"), json_numbers(path, object, "q")};
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::input, fmt::format("{}: is no JSON: {}", path, error.what()));
  }
}

}  // namespace warpfold::app
