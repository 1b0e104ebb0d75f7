#include "fold_suboptimal.hpp"

#include <fmt/format.h>

#include <cmath>

#include "warpfold/core/error.hpp"

namespace warpfold::app {

rna::SuboptimalRequest SuboptimalOptions::request() const {
  constexpr double most = 1000;
  constexpr std::size_t limit = 10'000;
  rna::SuboptimalRequest wanted{.limit = best.value_or(limit)};
  if (!within) return wanted;
  if (!(*within >= 0 && *within <= most)) {
    throw Error(ErrorKind::usage, fmt::format("--suboptimal is {}: a number from 0 to {} is accepted", *within, most));
  }
  wanted.within = static_cast<rna::Energy>(std::lround(*within * 100));
  return wanted;
}

void add_suboptimal_options(Command& command, SuboptimalOptions& options) {
  command.number(
      "--suboptimal", options.within,
      "all structures with at most this much energy above the least, in kcal/mol, by energy; up to --best, by "
      "default 10000");
  command.number("--best", options.best, "this number of structures of least energy, by energy", 1);
}

void add_suboptimal_request(Json& object, const SuboptimalOptions& options) {
  if (options.within) object["within"] = *options.within;
  if (options.best) object["best"] = *options.best;
}

std::string suboptimal_text(const rna::Suboptimal& found) {
  std::string text;
  for (const auto& [energy, structure] : found.structures) {
    text += fmt::format("{} ({:6.2f})\n", structure, static_cast<double>(energy) / 100);
  }
  return text;
}

void add_suboptimal(Json& record, const rna::Suboptimal& found) {
  record["suboptimal"] = Json::array();
  for (const auto& [energy, structure] : found.structures) {
    record["suboptimal"].push_back({{"structure", structure}, {"energy", energy}});
  }
  record["suboptimal_complete"] = found.is_complete;
}

}  // namespace warpfold::app
