#include "formats/knapsack_write.hpp"

#include <fmt/format.h>

#include "io/decimal.hpp"
#include "io/json.hpp"

namespace warpfold::formats {

namespace {

std::string value_text(const KnapsackInstance& instance, std::int64_t value) {
  return io::decimal_text(io::from_units(value, instance.value_places));
}
std::string weight_text(const KnapsackInstance& instance, std::int64_t weight) {
  return io::decimal_text(io::from_units(weight, instance.weight_places));
}
std::string capacity_text(const KnapsackInstance& instance) { return weight_text(instance, instance.capacity); }

/// One line per item: value, weight and, if the instance has them, copies.
std::string item_lines(const KnapsackInstance& instance, char separator = ' ') {
  std::string text;
  for (const KnapsackInstance::Item& item : instance.items) {
    text += fmt::format("{}{}{}", value_text(instance, item.value), separator, weight_text(instance, item.weight));
    text += instance.has_copies ? fmt::format("{}{}\n", separator, item.copies) : "\n";
  }
  return text;
}

}  // namespace

std::string write_standard(const KnapsackInstance& instance) {
  return fmt::format("{} {}\n", instance.items.size(), capacity_text(instance)) + item_lines(instance);
}

std::string write_kplib(const KnapsackInstance& instance) {
  return fmt::format("{}\n{}\n\n", instance.items.size(), capacity_text(instance)) + item_lines(instance);
}

std::string write_jooken(const KnapsackInstance& instance) {
  std::string text = fmt::format("{}\n", instance.items.size());
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    text += fmt::format("{} {} {}\n", i + 1, value_text(instance, instance.items[i].value),
                        weight_text(instance, instance.items[i].weight));
  }
  return text + fmt::format("{}\n", capacity_text(instance));
}

std::string write_pisinger(const KnapsackInstance& instance) {
  std::string text =
      fmt::format("{}\nn {}\nc {}\nz {}\ntime 0.00\n", instance.name.empty() ? "instance" : instance.name,
                  instance.items.size(), capacity_text(instance), value_text(instance, instance.best.value_or(0)));
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const bool chosen = instance.best_packing && (*instance.best_packing)[i];
    text += fmt::format("{},{},{},{}\n", i + 1, value_text(instance, instance.items[i].value),
                        weight_text(instance, instance.items[i].weight), chosen ? 1 : 0);
  }
  return text + "-----\n";
}

std::string write_csv(const KnapsackInstance& instance) {
  return fmt::format("capacity,{}\nvalue,weight{}\n", capacity_text(instance), instance.has_copies ? ",copies" : "") +
         item_lines(instance, ',');
}

std::string write_json(const KnapsackInstance& instance) {
  io::Json object = {{"capacity", io::exact_number(io::from_units(instance.capacity, instance.weight_places))}};
  for (const char* key : {"values", "weights"}) object[key] = io::Json::array();
  for (const KnapsackInstance::Item& item : instance.items) {
    object["values"].push_back(io::exact_number(io::from_units(item.value, instance.value_places)));
    object["weights"].push_back(io::exact_number(io::from_units(item.weight, instance.weight_places)));
    if (instance.has_copies) object["copies"].push_back(item.copies);
  }
  return io::json_text(object) + "\n";
}

}  // namespace warpfold::formats
