#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/app/run.hpp"

/// tests/cli/schema.txt, which has valid runs of all commands.
namespace warpfold::app::test {

/// The two sides of a line.
struct SchemaLine {
  std::string left, right;
};

inline std::vector<SchemaLine> schema_lines() {
  std::vector<SchemaLine> found;
  std::istringstream lines(read(WARPFOLD_SCHEMA));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos) ADD_FAILURE() << line;
    found.push_back({line.substr(0, bar), line.substr(bar + 3)});
  }
  return found;
}

/// The folder has the files that these commands read.
class SchemaRuns : public CommandLine {
 protected:
  void SetUp() override {
    write("w.csv", "0,0,3,1,0\n0,0,0,4,9\n0,0,0,0,2\n0,0,0,0,0\n0,0,0,0,0\n");
    write("square.wkt", "POLYGON((0 0,4 0,4 3,0 3,0 0))\n");
    write("rna.fa", ">a\nGGGGAAAACCCC\n");
    write("twice.wkt", "POLYGON((0 0,4 0,4 0,4 3,0 3,0 0))\n");
    write("t.json", R"({"p":[1,2],"q":[1,1,1]})");
    write("k.txt", "3 10\n5 4\n6 5\n7 6\n");
    write("w.txt", "4 5 6\n");
    write("g.csv", "a,b,3\nb,c,4\nc,a,5\n");
    write("long.csv", "4000000000,4000000001,3\n");
    write("cycle.csv", "a,b,3\nb,a,-4\n");
    write("accesses.txt", "R 0 1 2\n");
    std::string access = "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDS - ";
    for (int lane = 0; lane < 32; ++lane) access += "0x400 ";
    write("trace.txt", access);
    ASSERT_EQ(shell("warpfold paths g.csv -o d.npy && warpfold triangulate w.csv --matrix --json >s.json &&"
                    "warpfold recurrence --offsets 4 --initial 2,0,1,3 -n 4 -o p.npy")
                  .exit_code,
              0);
  }
};

}  // namespace warpfold::app::test
