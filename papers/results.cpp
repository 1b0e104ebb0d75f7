#include "papers/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::papers {

Results::Results(const RunOptions& options, const std::string& machine, const std::string& name)
    : path_((options.results / machine / (name + ".json")).string()) {
  file_ = nlohmann::json::parse(io::read_file(path_), nullptr, false);
  const bool complete =
      file_.is_object() &&
      std::ranges::all_of(std::initializer_list<const char*>{"machine", "date", "commit", "command", "rows"},
                          [&](const char* key) { return file_.contains(key); });
  if (complete && file_["rows"].is_array()) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: a result file with machine, date, commit, command and rows is accepted", path_));
}

nlohmann::json Results::cell(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters, const char* key,
                             double factor) const {
  for (const nlohmann::json& row : file_["rows"]) {
    const bool found = std::ranges::all_of(parameters, [&](const auto& parameter) {
      return row.contains(parameter.first) && row[parameter.first] == parameter.second;
    });
    if (!found || !row.contains(key)) continue;
    if (row[key].is_number_float()) return row[key].get<double>() * factor;
    return row[key];
  }
  return nullptr;
}

std::string Results::source() const {
  return fmt::format("measured on {}, {}, commit {}, by {} ({})", file_["machine"].get<std::string>(),
                     file_["date"].get<std::string>(), file_["commit"].get<std::string>(),
                     file_["command"].get<std::string>(), path_);
}

}  // namespace warpfold::papers
