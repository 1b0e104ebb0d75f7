#include "formats/knapsack_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "io/json.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"

namespace warpfold::formats {

namespace {

using io::Json;
using io::reject_file;

/// Reads numbers of one file, and names their places.
class ItemReader {
 public:
  explicit ItemReader(const std::string& path) : path_(path) {}

  [[noreturn]] void reject(const std::string& place, const Json& value, const std::string& accepted) const {
    reject_file(path_, fmt::format("{} is {}: {} is accepted", place, io::printable(io::json_text(value)), accepted));
  }

  [[nodiscard]] io::Decimal number(const std::string& place, const Json& value, bool is_signed = false) const {
    const auto number = io::json_decimal(value);
    if (!number || (number->digits < 0 && !is_signed)) {
      reject(place, value, is_signed ? "a number" : "a number from 0 to 2^63 - 1");
    }
    return *number;
  }

  [[nodiscard]] std::int64_t count(const std::string& place, const Json& value) const {
    const auto number = io::json_decimal(value);
    const auto count = number ? io::in_units(*number, 0) : std::nullopt;
    if (!count || *count < 0) reject(place, value, "an integer from 0 to 2^63 - 1");
    return *count;
  }

  [[nodiscard]] const Json& list(const std::string& place, const Json& value) const {
    if (!value.is_array()) reject(place, value, "a list");
    return value;
  }

  void check_keys(const std::string& place, const Json& object, std::initializer_list<const char*> known) const {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      reject_file(path_, fmt::format("{}key '{}' is unknown: {} is accepted", place, io::printable(key),
                                     listed(std::vector<std::string>(known.begin(), known.end()))));
    }
  }

  /// The value under the first of the keys that is there.
  [[nodiscard]] const Json& at(const std::string& place, const Json& object,
                               std::initializer_list<const char*> keys) const {
    for (const char* key : keys) {
      if (object.contains(key)) return object.at(key);
    }
    reject_file(path_, fmt::format("{}'{}' is missing", place, *keys.begin()));
  }

 private:
  const std::string& path_;
};

using Item = DecimalInstance::Item;

Item item_of_list(const ItemReader& reader, const std::string& place, const Json& list) {
  if (list.size() != 2 && list.size() != 3) reader.reject(place, list, "[value, weight] or [value, weight, copies]");
  return {reader.number(place + "[0]", list[0]), reader.number(place + "[1]", list[1]),
          list.size() == 3 ? reader.count(place + "[2]", list[2]) : 1};
}

Item item_of_object(const ItemReader& reader, const std::string& place, const Json& object) {
  reader.check_keys(place + ": ", object, {"value", "weight", "copies", "profit", "name", "id"});
  return {reader.number(place + ".value", reader.at(place + ": ", object, {"value", "profit"})),
          reader.number(place + ".weight", reader.at(place + ": ", object, {"weight"})),
          object.contains("copies") ? reader.count(place + ".copies", object.at("copies")) : 1};
}

bool has_copies(const Json& item) { return item.is_array() ? item.size() == 3 : item.contains("copies"); }

void add_items(const ItemReader& reader, const Json& list, DecimalInstance& instance) {
  for (const Json& item : list) {
    const std::string place = fmt::format("items[{}]", instance.items.size());
    if (!item.is_array() && !item.is_object()) reader.reject(place, item, "an object with value and weight");
    instance.items.push_back(item.is_array() ? item_of_list(reader, place, item) : item_of_object(reader, place, item));
    instance.has_copies = instance.has_copies || has_copies(item);
  }
}

void check_size(const std::string& path, const char* key, const Json& list, std::size_t items) {
  if (list.size() == items) return;
  reject_file(path, fmt::format("'{}' has {} for {}: one for each is accepted", key,
                                quantity(list.size(), "entry", "entries"), quantity(items, "weight")));
}

void add_lists(const std::string& path, const ItemReader& reader, const Json& object, DecimalInstance& instance) {
  const Json& weights = reader.list("'weights'", reader.at("", object, {"weights"}));
  const Json& values = reader.list("'values'", reader.at("", object, {"values", "profits"}));
  check_size(path, "values", values, weights.size());
  instance.has_copies = object.contains("copies");
  const Json& copies = instance.has_copies ? reader.list("'copies'", object.at("copies")) : weights;
  check_size(path, "copies", copies, weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    instance.items.push_back({reader.number(fmt::format("values[{}]", i), values[i]),
                              reader.number(fmt::format("weights[{}]", i), weights[i]),
                              instance.has_copies ? reader.count(fmt::format("copies[{}]", i), copies[i]) : 1});
  }
}

DecimalInstance knapsack_of(const std::string& path, const Json& json) {
  const ItemReader reader(path);
  DecimalInstance instance;
  if (json.is_array()) {
    add_items(reader, json, instance);
    return instance;
  }
  reader.check_keys("", json, {"capacity", "values", "profits", "weights", "copies", "items", "name"});
  if (json.contains("capacity")) instance.capacity = reader.number("'capacity'", json.at("capacity"));
  if (json.contains("name") && json.at("name").is_string()) instance.name = json.at("name").get<std::string>();
  if (!json.contains("items")) {
    add_lists(path, reader, json, instance);
    return instance;
  }
  for (const char* key : {"values", "profits", "weights", "copies"}) {
    if (json.contains(key)) reject_file(path, fmt::format("has 'items' and '{}': one of both is accepted", key));
  }
  add_items(reader, reader.list("'items'", json.at("items")), instance);
  return instance;
}

void add_numbers(const ItemReader& reader, const Json& list, DecimalInstance& instance) {
  for (const Json& entry : list) {
    const io::Decimal number = reader.number(fmt::format("numbers[{}]", instance.items.size()), entry, true);
    instance.items.push_back({number, number});
  }
}

bool is_list_of_numbers(const Json& json) {
  return json.is_array() && std::none_of(json.begin(), json.end(),
                                         [](const Json& entry) { return entry.is_array() || entry.is_object(); });
}

}  // namespace

bool is_json(std::string_view content) {
  const std::string_view text = io::trimmed(io::without_mark(content));
  return text.starts_with('{') || text.starts_with('[');
}

DecimalInstance json_knapsack(const std::string& path, std::string_view content) {
  return knapsack_of(path, io::parse_json(path, content, {.keeps_decimals = true}));
}

DecimalInstance json_subset_sum(const std::string& path, std::string_view content) {
  const Json json = io::parse_json(path, content, {.keeps_decimals = true});
  const ItemReader reader(path);
  DecimalInstance instance;
  if (is_list_of_numbers(json)) {
    add_numbers(reader, json, instance);
    return instance;
  }
  if (json.is_array() || (!json.contains("numbers") && !json.contains("target"))) return knapsack_of(path, json);
  reader.check_keys("", json, {"target", "numbers"});
  if (json.contains("target")) instance.capacity = reader.number("'target'", json.at("target"), true);
  add_numbers(reader, reader.list("'numbers'", reader.at("", json, {"numbers"})), instance);
  return instance;
}

}  // namespace warpfold::formats
