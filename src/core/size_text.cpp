#include "core/size_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/quantity.hpp"

namespace warpfold {

std::string bytes_text(double bytes) {
  if (bytes < 1e4) return quantity(bytes, "byte");
  std::string_view units = "kMGTPE";
  for (bytes /= 1000; bytes >= 999.5 && units.size() > 1; bytes /= 1000) units.remove_prefix(1);
  return fmt::format("{:.3g} {}B", bytes, units.front());
}

}  // namespace warpfold
