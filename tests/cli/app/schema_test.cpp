#include <map>
#include <sstream>
#include <vector>

#include "cli/app/run.hpp"

/// The interface's keys and exit codes are those of tests/cli/schema.txt.
namespace warpfold::app::test {
namespace {

class Schema : public CommandLine {
 protected:
  void SetUp() override {
    write("w.csv", "0,0,3,1,0\n0,0,0,4,9\n0,0,0,0,2\n0,0,0,0,0\n0,0,0,0,0\n");
    write("square.wkt", "POLYGON((0 0,4 0,4 3,0 3,0 0))\n");
    write("t.json", R"({"p":[1,2],"q":[1,1,1]})");
    write("k.txt", "3 10\n5 4\n6 5\n7 6\n");
    write("g.csv", "a,b,3\nb,c,4\nc,a,5\n");
    write("cycle.csv", "a,b,3\nb,a,-4\n");
    write("accesses.txt", "R 0 1 2\n");
    ASSERT_EQ(shell("warpfold paths g.csv -o d.npy && warpfold triangulate w.csv --matrix --json >s.json &&"
                    "warpfold recurrence --offsets 4 --initial 2,0,1,3 -n 4 -o p.npy")
                  .exit_code,
              0);
  }
};

/// "key:type key:type", of what every machine says.
std::string schema_of(const nlohmann::ordered_json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) {
    if (key != "passed_over") keys += fmt::format("{}{}:{}", keys.empty() ? "" : " ", key, value.type_name());
  }
  return keys;
}

std::string with_replaced(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, meaning] : words) {
    if (text.starts_with(word)) text.replace(0, word.size(), meaning);
  }
  return text;
}

TEST_F(Schema, IsThatOfTheLastRelease) {
  std::istringstream lines(read(WARPFOLD_SCHEMA));
  std::map<std::string, std::string> shared;
  int checked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t bar = line.find(" | ");
    ASSERT_NE(bar, std::string::npos) << line;
    const std::string left = line.substr(0, bar), right = line.substr(bar + 3);
    if (left == "SOLVED" || left == "PRODUCT") {
      shared[left] = right;
    } else if (left.starts_with("exit ")) {
      EXPECT_EQ(warpfold(right).exit_code, std::stoi(left.substr(5))) << right;
    } else {
      const std::size_t of = left.find(" of ");
      const std::string command = of == std::string::npos ? left : left.substr(of + 4);
      const Ran ran = shell("warpfold " + command + " --json");
      if (ran.err.find("has no MPI") != std::string::npos) continue;
      ASSERT_EQ(ran.exit_code, 0) << left << ": " << ran.err;
      const auto object = nlohmann::ordered_json::parse(ran.out);
      EXPECT_EQ(schema_of(of == std::string::npos ? object : object.at(left.substr(0, of))),
                with_replaced(right, shared))
          << left;
    }
    ++checked;
  }
  EXPECT_GT(checked, 55);
}

}  // namespace
}  // namespace warpfold::app::test
