#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Permute : public CommandLine {
 protected:
  using Places = std::vector<std::int64_t>;

  /// A one-dimensional array as NumPy writes it.
  template <class T>
  void write_npy(const std::string& name, const std::vector<T>& values) const {
    const std::string type = std::is_floating_point_v<T> ? "<f8" : "<i8";
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
    header.append(117 - header.size(), ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size());
    file += '\0';
    file += header;
    file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
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
  Places transpose(64);
  for (std::int64_t i = 0; i < 64; ++i) transpose[static_cast<std::size_t>(i)] = i % 8 * 8 + i / 8;
  write_npy("p.npy", transpose);
  const Json plan = warpfold("permute p.npy --width 8 --json").json();
  EXPECT_EQ(plan["command"], "permute");
  EXPECT_EQ(plan["rounds"], 8);
  EXPECT_EQ(plan["write_stages"]["scheduled"], 8);
  EXPECT_EQ(plan["write_stages"]["in_order"], 64);
  EXPECT_EQ(plan["verified"], true);
  EXPECT_TRUE(plan["seconds"]["schedule"].is_number());
}

TEST_F(Permute, MovesDataAndWritesIt) {
  write_npy("p.npy", Places{2, 0, 1});
  write_npy("data.npy", Places{10, 20, 30});
  EXPECT_EQ(warpfold("permute p.npy --data data.npy -o moved.npy").exit_code, 0);
  write_npy("expected.npy", Places{20, 30, 10});
  EXPECT_EQ(file("moved.npy"), file("expected.npy"));
}

TEST_F(Permute, MovesDataBackByTheInverse) {
  write_npy("p.npy", Places{2, 0, 1});
  write_npy("data.npy", Places{10, 20, 30});
  EXPECT_EQ(warpfold("permute p.npy --inverse --data data.npy -o moved.npy").exit_code, 0);
  write_npy("expected.npy", Places{30, 10, 20});
  EXPECT_EQ(file("moved.npy"), file("expected.npy"));
}

TEST_F(Permute, MovesByEveryAlgorithmAndSaysHowManyBytes) {
  write_npy("p.npy", Places{2, 0, 1});
  write_npy("data.npy", Places{10, 20, 30});
  write_npy("expected.npy", Places{20, 30, 10});
  for (const std::string algorithm : {"scatter", "two-passes", "three-steps"}) {
    const Ran ran = warpfold("permute p.npy --data data.npy -o moved.npy --json -a " + algorithm);
    EXPECT_EQ(file("moved.npy"), file("expected.npy")) << algorithm;
    EXPECT_EQ(ran.json()["algorithm"], algorithm);
    EXPECT_EQ(ran.json()["word_bytes"], 8);
    EXPECT_GT(ran.json()["bytes_moved"], 48);
  }
  expect_error(warpfold("permute p.npy --data data.npy -a gather"), 2,
               "algorithm is gather: scatter, two-passes, three-steps are accepted");
}

TEST_F(Permute, MovesByAPlanThatAnEarlierRunSaved) {
  write_npy("p.npy", Places{2, 0, 3, 1});
  write_npy("data.npy", Places{10, 20, 30, 40});
  write_npy("expected.npy", Places{20, 40, 10, 30});
  write_npy("expected_back.npy", Places{30, 10, 40, 20});
  for (const std::string algorithm : {"scatter", "gather", "two-passes", "three-steps"}) {
    const Json saved = warpfold("permute p.npy --save-plan p.plan --json -a " + algorithm).json();
    EXPECT_EQ(saved["algorithm"], algorithm);
    EXPECT_EQ(saved["verified"], true);
    const Ran ran = warpfold("permute p.plan --data data.npy -o moved.npy --json");
    EXPECT_EQ(file("moved.npy"), file("expected.npy")) << algorithm;
    EXPECT_EQ(ran.json()["algorithm"], algorithm);
    EXPECT_EQ(warpfold("permute p.plan --inverse --data data.npy -o moved.npy").exit_code, 0);
    EXPECT_EQ(file("moved.npy"), file("expected_back.npy")) << algorithm;
  }
}

TEST_F(Permute, SavesTheFormThatAPermutationHasAndMovesByItAtOnce) {
  write_npy("p.npy", Places{1, 2, 3, 0});
  write_npy("data.npy", Places{10, 20, 30, 40});
  const Json moved = warpfold("permute p.npy --save-plan p.plan --data data.npy -o moved.npy --json").json();
  EXPECT_EQ(moved["algorithm"], "rotation");
  EXPECT_EQ(file("p.plan").size(), 64U);
  write_npy("expected.npy", Places{40, 10, 20, 30});
  EXPECT_EQ(file("moved.npy"), file("expected.npy"));
  const Json schedule = warpfold("permute p.plan --width 2 --json").json();
  EXPECT_EQ(schedule["rounds"], 2);
}

TEST_F(Permute, RefusesPlansThatAreDamagedOrOfAnotherSizeInOneLine) {
  write_npy("p.npy", Places{2, 0, 1, 3});
  write_npy("data.npy", Places{10, 20, 30});
  ASSERT_EQ(warpfold("permute p.npy --save-plan p.plan").exit_code, 0);
  expect_error(warpfold("permute p.plan --data data.npy"), 3,
               "data.npy: has 3 words: 4, as the permutation has, are accepted");
  expect_error(warpfold("permute p.plan --data data.npy -a scatter"), 2,
               "--algorithm is 'scatter': a saved plan takes none, p.plan moves by two-passes");
  std::string damaged = file("p.plan");
  damaged[70] = static_cast<char>(damaged[70] ^ 1);
  write("p.plan", damaged);
  expect_error(warpfold("permute p.plan --data data.npy"), 3,
               "p.plan: the plan file is truncated or damaged: its checksum differs");
  write("p.plan", damaged.substr(0, 20));
  expect_error(warpfold("permute p.plan --data data.npy"), 3, "p.plan: the plan file is truncated: it has 20 bytes");
}

TEST_F(Permute, ComparesAlgorithmsAndCountsTheStagesOfTheMachines) {
  Places transpose(1024);
  for (std::int64_t i = 0; i < 1024; ++i) transpose[static_cast<std::size_t>(i)] = i % 32 * 32 + i / 32;
  write_npy("p.npy", transpose);
  const Json compared = warpfold("permute p.npy --bench --json").json();
  EXPECT_EQ(compared["moves"].size(), 3);
  EXPECT_EQ(compared["umm_stages"]["copy"], 512);            // 1,024 words of 8 bytes, four a group, twice
  EXPECT_EQ(compared["umm_stages"]["scatter"], 256 + 1024);  // each lane of a warp writes another row
  EXPECT_EQ(compared["umm_stages"]["gather"], 256 + 1024);
  EXPECT_EQ(compared["umm_stages"]["two-passes"], 4 * 256);  // of one block, so that all is in order
  EXPECT_EQ(compared["dmm_stages"]["copy"], 2 * 32);         // 1,024 words over 32 banks
  EXPECT_EQ(compared["dmm_stages"]["scatter"], 32 + 1024);   // each warp writes to one bank
  EXPECT_EQ(compared["dmm_stages"]["gather"], 32 + 1024);
  EXPECT_EQ(compared["dmm_stages"]["two-passes"], 2 * 32 + 32 + 1024);  // pass 2 moves within the only block
}

TEST_F(Permute, MovesIntegersThatNoDoubleHolds) {
  write_npy("p.npy", Places{1, 0});
  write_npy("data.npy", Places{9007199254740993, 7});
  EXPECT_EQ(warpfold("permute p.npy --data data.npy -o moved.npy").exit_code, 0);
  write_npy("expected.npy", Places{7, 9007199254740993});
  EXPECT_EQ(file("moved.npy"), file("expected.npy"));
}

TEST_F(Permute, MovesWordsOfAByte) {
  write_npy("p.npy", Places{2, 0, 1});
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}";
  const std::string size = {static_cast<char>(header.size()), '\0'};
  write("data.npy", std::string("\x93NUMPY\x01\x00", 8) + size + header + "abc");
  EXPECT_EQ(warpfold("permute p.npy --data data.npy -o moved.npy").exit_code, 0);
  EXPECT_TRUE(file("moved.npy").ends_with("}bca")) << file("moved.npy");
}

TEST_F(Permute, MovesTheBytesOfWordsThatEqualNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  write_npy("p.npy", Places{3, 0, 1, 2});
  write_npy("data.npy", std::vector<double>{nan, -0.0, infinity, -nan});
  const Ran ran = warpfold("permute p.npy --data data.npy -o moved.npy");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::vector<std::uint64_t> bits;
  for (const double word : doubles("moved.npy")) bits.push_back(std::bit_cast<std::uint64_t>(word));
  EXPECT_EQ(bits, (std::vector{std::bit_cast<std::uint64_t>(-0.0), std::bit_cast<std::uint64_t>(infinity),
                               std::bit_cast<std::uint64_t>(-nan), std::bit_cast<std::uint64_t>(nan)}));
}

TEST_F(Permute, NamesWhatItRefuses) {
  write_npy("twice.npy", Places{0, 1, 1});
  write_npy("p.npy", Places{1, 0});
  expect_error(warpfold("permute twice.npy"), 3, "permutation[2] is 1, as an earlier entry is");
  expect_error(warpfold("permute none.npy"), 3, "none.npy");
  expect_error(warpfold("permute p.npy --data twice.npy"), 3, "has 3 words: 2");
  expect_error(warpfold("permute p.npy --width 0"), 2, "--width is '0': an integer from 1 to 1048576 is accepted");
  expect_error(warpfold("permute"), 2, "INPUT");
}

}  // namespace
}  // namespace warpfold::app::test
