#include "formats/knapsack_scale.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

/// The unit of numbers, 10^-places.
struct Unit {
  const std::string& path;
  int places = 0;

  void hold(const io::Decimal& number) { places = std::max(places, number.places); }

  [[nodiscard]] std::int64_t units(const io::Decimal& number, const char* what, const std::string& place) const {
    if (const auto value = io::in_units(number, places)) return *value;
    const std::string unit = places == 0 ? "" : fmt::format(" times 10^-{}, the unit of these numbers,", places);
    throw Error(ErrorKind::input, fmt::format("{}{}: the {} is {}: at most 2^63 - 1{} is accepted", path, place, what,
                                              io::decimal_text(number), unit));
  }
};

std::string place_of(const DecimalInstance& instance, std::size_t i) {
  const std::size_t line = instance.items[i].line;
  return line > 0 ? fmt::format(":{}", line) : fmt::format(": item {}", i);
}

}  // namespace

io::Decimal parse_capacity(const std::string& word, const NumberNames& names) {
  if (const auto number = io::parse_decimal(word)) return *number;
  throw Error(ErrorKind::usage, fmt::format("{} is '{}': a number is accepted", names.option, io::printable(word)));
}

KnapsackInstance scaled(const std::string& path, DecimalInstance instance, const std::optional<std::string>& capacity,
                        const NumberNames& names) {
  KnapsackInstance result;
  result.states_capacity = instance.capacity.has_value();
  if (!instance.capacity && !capacity) {
    io::reject_file(path, fmt::format("states no {}: {} is accepted beside it", names.capacity, names.option));
  }
  if (!instance.capacity) instance.capacity = parse_capacity(*capacity, names);
  Unit value{path}, weight{path};
  weight.hold(*instance.capacity);
  if (instance.best) value.hold(*instance.best);
  for (const DecimalInstance::Item& item : instance.items) {
    value.hold(item.value);
    weight.hold(item.weight);
  }
  result.value_places = value.places;
  result.weight_places = weight.places;
  result.capacity = weight.units(*instance.capacity, names.capacity, "");
  if (instance.best) result.best = value.units(*instance.best, "best value", "");
  result.items.reserve(instance.items.size());
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const auto& [worth, heavy, copies, line] = instance.items[i];
    const std::string place = place_of(instance, i);
    result.items.push_back({value.units(worth, names.value, place), weight.units(heavy, names.weight, place), copies});
  }
  result.name = std::move(instance.name);
  result.has_copies = instance.has_copies;
  result.best_packing = std::move(instance.best_packing);
  return result;
}

}  // namespace warpfold::formats
