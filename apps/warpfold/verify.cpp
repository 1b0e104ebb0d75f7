#include "verify.hpp"

#include <fmt/format.h>

#include <array>

#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct Verifier {
  const char* command;
  Flaw (*flaw)(const std::vector<std::string>& instance, const Json& solution, Coverage& coverage);
};

/// A verifier of instances that are one file.
template <Flaw (*flaw)(const std::string&, const Json&)>
Flaw of_one_file(const std::vector<std::string>& instance, const Json& solution, Coverage& /*of products*/) {
  if (instance.size() == 1) return flaw(instance[0], solution);
  throw Error(ErrorKind::usage,
              fmt::format("{} files: one instance and its solution are accepted", instance.size() + 1));
}

Flaw of_tree(const std::vector<std::string>& instance, const Json& solution, Coverage& /*of products*/) {
  return verify_tree(instance, solution);
}

constexpr std::array verifiers = {Verifier{"chain", of_one_file<verify_chain>},
                                  Verifier{"coins", of_one_file<verify_coins>},
                                  Verifier{"knapsack", of_one_file<verify_knapsack>},
                                  Verifier{"minplus", verify_minplus},
                                  Verifier{"recurrence", of_one_file<verify_recurrence>},
                                  Verifier{"subset-sum", of_one_file<verify_subset_sum>},
                                  Verifier{"tree", of_tree},
                                  Verifier{"triangulate", of_one_file<verify_triangulate>}};

struct VerifyOptions {
  std::vector<std::string> files;  ///< the instance's, then the solution

  [[nodiscard]] std::vector<std::string> instance() const { return {files.begin(), files.end() - 1}; }
  [[nodiscard]] const std::string& solution() const { return files.back(); }
  bool json = false;
};

Json read_solution(const std::string& path) {
  const std::string content = io::read_file(path);
  try {
    return Json::parse(content);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::input, fmt::format("{}: this is no JSON: a solution of warpfold is accepted", path));
  }
}

/// The JSON library's text holds the key in quotes.
std::string missing_key(const std::string& text) {
  const std::size_t first = text.find('\'');
  const std::size_t last = text.rfind('\'');
  return first == last ? "an entry is missing" : fmt::format("key {} is missing", text.substr(first, last - first + 1));
}

Flaw first_flaw(const VerifyOptions& options, const Json& solution, Coverage& coverage) {
  const std::string command = solution.is_object() ? solution.value("command", "") : "";
  for (const Verifier& verifier : verifiers) {
    if (command == verifier.command) return verifier.flaw(options.instance(), solution, coverage);
  }
  throw Error(ErrorKind::input,
              fmt::format("{}: 'command' is '{}': a solution of {} is accepted", options.solution(), command,
                          fmt::join(
                              [] {
                                std::vector<std::string> names;
                                for (const Verifier& verifier : verifiers) names.push_back(verifier.command);
                                return names;
                              }(),
                              ", ")));
}

void run(const VerifyOptions& options) {
  const Json solution = read_solution(options.solution());
  Flaw flaw;
  Coverage coverage;
  try {
    flaw = first_flaw(options, solution, coverage);
  } catch (const Json::out_of_range& error) {
    flaw = fmt::format("{}: what the command prints with --json is accepted", missing_key(error.what()));
  } catch (const Json::exception&) {
    flaw = "a key's value is of another kind than the command prints";
  }
  if (options.json) {
    Json object = {{"command", "verify"}, {"valid", !flaw}, {"version", version}};
    if (flaw) object["flaw"] = *flaw;
    if (coverage.rows > 0) object["rows_checked"] = coverage.checked;
    print_json(object);
  }
  if (flaw) throw Error(ErrorKind::input, fmt::format("{}: {}", options.solution(), *flaw));
  if (options.json) return;
  const bool is_all = coverage.checked == coverage.rows;
  fmt::print("valid{}\n", is_all ? "" : fmt::format(" ({} of {} rows)", coverage.checked, coverage.rows));
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "check a solution, independently of the solvers");
  auto options = std::make_shared<VerifyOptions>();
  command
      ->add_option(
          "FILES", options->files,
          "what was solved (one file, for tree and minplus also two), then the JSON that the command printed or wrote")
      ->required()
      ->expected(2, 3);
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { run(*options); });
}

}  // namespace warpfold::app
