#include "formats/knapsack_lists.hpp"

#include <fmt/format.h>

#include "core/quantity.hpp"
#include "formats/knapsack_lines.hpp"
#include "io/npy_entries.hpp"
#include "io/text.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::formats {

namespace {

std::vector<io::Decimal> numbers_of_npy(const std::string& path, std::string content, bool is_signed) {
  const io::Numbers list = io::read_numbers(path, std::move(content));
  std::vector<io::Decimal> numbers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::optional<io::Decimal> number = io::parse_decimal(list.text(i));
    if (!number || (number->digits < 0 && !is_signed)) {
      io::reject_file(path, fmt::format("entry {} is {}: a number{} is accepted", i, list.text(i),
                                        is_signed ? "" : " of 0 or more"));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<io::Decimal> parse_number_list(const std::string& path, std::string content, const char* what,
                                           bool is_signed) {
  if (io::is_npy(content)) return numbers_of_npy(path, std::move(content), is_signed);
  io::check_is_text(path, content);
  InstanceLines lines(path, content);
  if (!lines.done() && is_line_of_names(lines.peek().words)) lines.take("");
  std::vector<io::Decimal> numbers;
  while (!lines.done()) {
    const InstanceLine line = lines.take("");
    for (std::size_t column = 0; column < line.words.size(); ++column) {
      numbers.push_back(lines.number(line, column, what, is_signed));
    }
  }
  return numbers;
}

io::Decimal only_number(const std::string& path, const std::vector<io::Decimal>& numbers, const char* what) {
  if (numbers.size() == 1) return numbers.front();
  io::reject_file(path, fmt::format("has {}: one, the {}, is accepted", quantity(numbers.size(), "number"), what));
}

std::vector<DecimalInstance::Item> items_of(const std::string& weights_path, const std::vector<io::Decimal>& weights,
                                            const std::string& values_path, const std::vector<io::Decimal>& values) {
  if (weights.size() != values.size()) {
    io::reject_file(values_path,
                    fmt::format("has {} for the {} of {}: as many are accepted", quantity(values.size(), "value"),
                                quantity(weights.size(), "weight"), weights_path));
  }
  std::vector<DecimalInstance::Item> items;
  for (std::size_t i = 0; i < weights.size(); ++i) items.push_back({values[i], weights[i]});
  return items;
}

}  // namespace warpfold::formats
