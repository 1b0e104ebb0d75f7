#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Permute : public CommandLine {
 protected:
  /// A one-dimensional array of 64-bit whole numbers as NumPy writes it.
  void write_npy(const std::string& name, const std::vector<std::int64_t>& values) const {
    std::string header =
        "{'descr': '<i8', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
    header.append(117 - header.size(), ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size());
    file += '\0';
    file += header;
    file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
    write(name, file);
  }

  [[nodiscard]] std::vector<double> doubles(const std::string& name) const {
    const std::string content = file(name);
    const std::size_t from = content.find('\n') + 1;
    std::vector<double> values((content.size() - from) / sizeof(double));
    std::copy_n(content.data() + from, values.size() * sizeof(double), reinterpret_cast<char*>(values.data()));
    return values;
  }
};

TEST_F(Permute, PlansATransposeWithoutAConflictAndSaysWhatItSaves) {
  std::vector<std::int64_t> transpose(64);
  for (std::int64_t i = 0; i < 64; ++i) transpose[static_cast<std::size_t>(i)] = i % 8 * 8 + i / 8;
  write_npy("p.npy", transpose);
  const Json plan = warpfold("permute p.npy --width 8 --json").json();
  EXPECT_EQ(plan["command"], "permute");
  EXPECT_EQ(plan["rounds"], 8);
  EXPECT_EQ(plan["write_stages"]["scheduled"], 8);
  EXPECT_EQ(plan["write_stages"]["in_order"], 64);
  EXPECT_EQ(plan["verified"], true);
  for (const char* key : {"read", "schedule", "three_step_plan", "three_step_move", "scatter", "total"}) {
    EXPECT_TRUE(plan["seconds"][key].is_number()) << key;
  }
}

TEST_F(Permute, MovesDataAndWritesIt) {
  write_npy("p.npy", {2, 0, 1});
  write_npy("data.npy", {10, 20, 30});
  EXPECT_EQ(warpfold("permute p.npy --data data.npy -o moved.npy").exit_code, 0);
  EXPECT_EQ(doubles("moved.npy"), (std::vector<double>{20, 30, 10}));
}

TEST_F(Permute, NamesWhatItRefuses) {
  write_npy("twice.npy", {0, 1, 1});
  write_npy("p.npy", {1, 0});
  expect_error(warpfold("permute twice.npy"), 3, "permutation[2] is 1, as an earlier entry is");
  expect_error(warpfold("permute none.npy"), 3, "none.npy");
  expect_error(warpfold("permute p.npy --data twice.npy"), 3, "there are 3 words: 2");
  expect_error(warpfold("permute p.npy --width 0"), 2, "width is 0");
  expect_error(warpfold("permute"), 2, "INPUT");
}

}  // namespace
}  // namespace warpfold::app::test
