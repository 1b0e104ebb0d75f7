#include "warpfold/formats/knapsack_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "formats/knapsack_items.hpp"
#include "formats/knapsack_lists.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

using Capacity = std::optional<std::string>;  // of a file that states none

const KnapsackFormat& format_of_name(const std::string& name) {
  for (const KnapsackFormat& format : knapsack_formats()) {
    if (format.name == name) return format;
  }
  throw Error(ErrorKind::usage,
              fmt::format("format '{}' is unknown: {} is accepted", name, listed(names_of(knapsack_formats()))));
}

const KnapsackFormat& format_of_content(const std::string& path, std::string_view content) {
  for (const KnapsackFormat& format : knapsack_formats()) {
    if (format.recognizes(content)) return format;
  }
  InstanceLines lines(path, content);
  const InstanceLine line = lines.peek();
  lines.fail(
      line.number,
      fmt::format("'{}' begins no format of instances: {} is accepted (standard: a line `n capacity`, then lines "
                  "`value weight`; csv: a line `value,weight` above the items)",
                  io::printable(line.words[0]), listed(names_of(knapsack_formats()))));
}

/// Whether the number of items stands above items that have two columns.
bool counts_items(const FirstLines& first) { return first[0].size() == 1 && first[1].size() == 2; }

/// Whether a file has nothing but items, or them and their number.
bool has_items_alone(const std::string& path, std::string_view content) {
  const FirstLines first = first_lines(content);
  if (!begins_with_number(first[0]) || (first[0].size() != 2 && !counts_items(first))) return false;
  InstanceLines lines(path, content);
  skip_names_of_sizes(lines);
  return announces_lines(lines) == counts_items(first);
}

DecimalInstance items_alone(const std::string& path, std::string_view content) {
  InstanceLines lines(path, content);
  skip_names_of_sizes(lines);
  if (counts_items(first_lines(content))) lines.take("");
  DecimalInstance instance;
  take_items(lines, instance, std::nullopt);
  return instance;
}

/// Whether a file without a capacity would be read with one.
bool lacks_capacity(const std::string& path, std::string_view content) try {
  if (!has_items_alone(path, content)) return false;
  static_cast<void>(items_alone(path, content));
  return true;
} catch (const Error&) {
  return false;
}

std::vector<KnapsackInstance> parse_detected(const std::string& path, std::string_view content,
                                             const Capacity& capacity) {
  try {
    return format_of_content(path, content).parse(path, content, capacity);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || capacity || !lacks_capacity(path, content)) throw;
    throw Error(ErrorKind::input, std::string(error.what()) + "; a file of items alone needs --capacity");
  }
}

}  // namespace

std::vector<KnapsackInstance> parse_knapsack(const std::string& path, std::string_view content,
                                             const std::string& format, const Capacity& capacity) {
  if (!format.empty()) return format_of_name(format).parse(path, content, capacity);
  io::check_is_text(path, content);
  if (capacity && has_items_alone(path, content)) return {scaled(path, items_alone(path, content), capacity)};
  return parse_detected(path, content, capacity);
}

std::vector<KnapsackInstance> read_knapsack(const std::vector<std::string>& paths, const std::string& format,
                                            const Capacity& capacity) {
  if (paths.size() == 1) return parse_knapsack(paths[0], io::read_file(paths[0]), format, capacity);
  if (!format.empty()) throw Error(ErrorKind::usage, "--format is of one file: lists of numbers have none");
  const bool has_capacity = paths.size() == 3;
  if (!has_capacity && !capacity) {
    throw Error(ErrorKind::usage, fmt::format("{} are the weights and the values: --capacity is needed beside them, or "
                                              "a file of the capacity before them",
                                              quantity(paths.size(), "file")));
  }
  std::vector<std::vector<io::Decimal>> lists;
  for (const std::string& path : paths) lists.push_back(parse_number_list(path, io::read_file(path), "number"));
  DecimalInstance instance;
  if (has_capacity) instance.capacity = only_number(paths[0], lists[0], "capacity");
  const std::size_t weights = has_capacity ? 1 : 0;
  instance.items = items_of(paths[weights], lists[weights], paths[weights + 1], lists[weights + 1]);
  return {scaled(fmt::format("{}", fmt::join(paths, ", ")), std::move(instance), capacity)};
}

std::string format_knapsack(const KnapsackInstance& instance, const std::string& format) {
  return format_of_name(format).write(instance);
}

}  // namespace warpfold::formats
