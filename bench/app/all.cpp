// How fast is every kind of problem, compared with its ceiling and with what a user would use instead? `cuda`: on a
// GPU. The python3 of PATH has the packages for the comparison, if any.
//
//   bench_app all --json > results/<machine>/app_all.json
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "../question.hpp"
#include "run.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace warpfold;

/// The table's rows. Standard error gets each row as soon as it is measured, because all take minutes.
bench::Json measured_rows(const std::string& device) {
  const test::TemporaryFolder folder;
  const std::string table = (folder / "table.json").string();
  const std::string command =
      fmt::format("'{}' bench all --device {} --output '{}' >&2", bench::program().string(), device, table);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("fails: " + command);
  return bench::Json::parse(std::ifstream(table))["rows"];
}

const bench::Question all_question("all", [](const bench::Arguments& arguments) {
  for (const bench::Json& row : measured_rows(bench::is_asked(arguments, "cuda") ? "cuda" : "cpu")) bench::keep(row);
});

}  // namespace
