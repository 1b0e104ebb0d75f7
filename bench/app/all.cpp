// How fast is every kind of problem, compared with its ceiling and with what a user would use instead? `cuda`: on a
// GPU. The python3 of PATH has the packages for the comparison, if any.
//
//   bench_app all --json > results/<machine>/app_all.json
#include <fmt/format.h>

#include <filesystem>

#include "../question.hpp"
#include "run.hpp"

namespace {

using namespace warpfold;

const bench::Question all_question("all", [](const bench::Arguments& arguments) {
  const std::string device = bench::is_asked(arguments, "cuda") ? "cuda" : "cpu";
  const bench::Json table = bench::run(std::filesystem::temp_directory_path(), "bench all --device " + device);
  for (const bench::Json& row : table["rows"]) bench::keep(row);
});

}  // namespace
