#include "papers/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::papers {

namespace {

/// The short names of the folders of results/.
std::string machine_called(const std::string& name) {
  if (name == "h100") return "NVIDIA H100";
  if (name == "h200") return "NVIDIA H200";
  if (name == "epyc-2core") return "2 cores of an AMD EPYC, Zen 5";
  return name;
}

}  // namespace

Results::Results(const RunOptions& options, const std::string& machine, const std::string& name) {
  if (options.results.empty()) return;
  name_ = fmt::format("{}/{}.json", machine, name);
  path_ = (options.results / name_).string();
  file_ = nlohmann::json::parse(io::read_file(path_), nullptr, false);
  const bool complete =
      file_.is_object() &&
      std::ranges::all_of(std::initializer_list<const char*>{"machine", "date", "commit", "command"},
                          [&](const char* key) { return file_.value(key, Cell().value).is_string(); });
  if (complete && file_.contains("rows") && file_["rows"].is_array()) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: a result file with machine, date, commit, command and rows is accepted", path_));
}

nlohmann::json Results::row(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters) const {
  if (file_.is_null()) return nullptr;
  for (const nlohmann::json& row : file_["rows"]) {
    const bool found = std::ranges::all_of(parameters, [&](const auto& parameter) {
      return row.contains(parameter.first) && row[parameter.first] == parameter.second;
    });
    if (found) return row;
  }
  return nullptr;
}

Cell Results::cell(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters, const char* key) const {
  if (file_.is_null()) return not_recorded;
  const nlohmann::json found = row(parameters);
  if (!found.contains(key)) return nullptr;
  if (!found[key].is_number()) {
    throw Error(ErrorKind::input, fmt::format("{}: {} is {}: a number is accepted", path_, key, found[key].dump()));
  }
  Cell cell = found[key];
  const bool is_time = std::string_view(key).ends_with("_seconds");
  if (is_time && found.contains("spread") && found["spread"].is_number()) cell.spread = found["spread"].get<double>();
  return cell;
}

std::string Results::machine() const {
  return file_.is_null() ? not_recorded : machine_called(file_["machine"].get<std::string>());
}

std::string Results::date() const {
  if (file_.is_null()) return not_recorded;
  return fmt::format("{}, commit {}", file_["date"].get<std::string>().substr(0, 10),
                     file_["commit"].get<std::string>());
}

std::string Results::where() const { return file_.is_null() ? not_recorded : fmt::format("{}, {}", machine(), date()); }

std::string Results::source() const {
  if (file_.is_null()) return "no recorded results are installed here: --results DIR names their folder";
  return fmt::format("recorded: {}, by {} (results/{})", where(), file_["command"].get<std::string>(), name_);
}

Cell or_not_recorded(Cell cell) { return cell.value.is_null() ? Cell(not_recorded) : std::move(cell); }

}  // namespace warpfold::papers
