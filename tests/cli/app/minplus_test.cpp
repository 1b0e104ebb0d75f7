#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cli/app/run.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::app::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

class Minplus : public CommandLine {
 protected:
  template <class T = double>
  void write_array(const std::string& name, const std::vector<T>& values, const std::vector<std::size_t>& shape) const {
    io::write_npy<T>(path(name), std::span<const T>(values), shape);
  }
  void write_matrix(const std::string& name, const std::vector<double>& values, std::size_t rows) const {
    write_array(name, values, {rows, values.size() / rows});
  }
  [[nodiscard]] io::NpyArray array(const std::string& name) const { return io::read_npy(path(name)); }
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const { return array(name).values<double>(); }
};

TEST_F(Minplus, WritesProductAndArgmin) {
  write_matrix("a.npy", {1, 5, 2, 0, 7, 3}, 2);
  write_matrix("b.npy", {4, 0, 1, 9, 6, 2}, 3);
  const Ran ran = warpfold("minplus a.npy b.npy -o c.npy --argmin k.npy --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["shape"], Json({2, 3, 2}));
  EXPECT_EQ(ran.json()["dtype"], "f64");
  EXPECT_EQ(ran.json()["semiring"], "min-plus");
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{5, 1, 4, 0}));
  EXPECT_EQ(array("k.npy").values<std::uint32_t>(), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(warpfold("minplus a.npy b.npy -o whole.npy --dtype i32 -q").exit_code, 0);
  EXPECT_EQ(array("whole.npy").dtype, "i32");
  EXPECT_EQ(numbers("whole.npy"), numbers("c.npy"));
}

TEST_F(Minplus, IsNotExactWhereAWholeNumberWasRoundedToMeetAFraction) {
  write_array<std::int64_t>("a.npy", {(std::int64_t{1} << 53) + 1}, {1, 1});
  write_matrix("b.npy", {2}, 1);
  EXPECT_EQ(warpfold("minplus a.npy b.npy --json").json()["exact"], false);
  EXPECT_EQ(warpfold("minplus b.npy a.npy --json").json()["exact"], false);
  write_array<std::int64_t>("a.npy", {(std::int64_t{1} << 53) - 1}, {1, 1});
  EXPECT_EQ(warpfold("minplus a.npy b.npy --json").json()["exact"], true);
}

TEST_F(Minplus, MultipliesOverEverySemiring) {
  write_matrix("a.npy", {1, 5, 2, 0, 7, 3}, 2);
  write_matrix("b.npy", {4, 0, 1, 9, 6, 2}, 3);
  const auto product = [&](const std::string& options) {
    const Ran ran = warpfold("minplus a.npy b.npy -q -o c.npy " + options);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return numbers("c.npy");
  };
  for (const std::string dtype : {"i16", "i32", "i64", "f32", "f64"}) {
    EXPECT_EQ(product("--semiring max-plus --dtype " + dtype), (std::vector<double>{8, 14, 9, 16})) << dtype;
    EXPECT_EQ(product("--semiring min-max --dtype " + dtype), (std::vector<double>{4, 1, 4, 0})) << dtype;
    EXPECT_EQ(product("--semiring max-min --dtype " + dtype), (std::vector<double>{2, 5, 3, 7})) << dtype;
    EXPECT_EQ(array("c.npy").dtype, dtype);
  }
  for (const std::string dtype : {"u64", "f64"}) {
    EXPECT_EQ(product("--semiring count --dtype " + dtype), (std::vector<double>{21, 49, 25, 69})) << dtype;
  }
  EXPECT_EQ(product("--semiring count --dtype u64 --modulus 10"), (std::vector<double>{1, 9, 5, 9}));
  write_array<std::uint8_t>("a.npy", {1, 0, 0, 0, 0, 1}, {2, 3});
  write_array<std::uint8_t>("b.npy", {0, 1, 1, 1, 0, 0}, {3, 2});
  EXPECT_EQ(product("--semiring or-and --argmin k.npy"), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(array("c.npy").dtype, "bool");
  EXPECT_EQ(array("k.npy").values<std::uint32_t>(), (std::vector<std::uint32_t>{~0U, 0, ~0U, ~0U}));
}

TEST_F(Minplus, KeepsInfinitiesFromTypeToType) {
  write_matrix("a.npy", {1, inf, inf, inf}, 2);
  write_matrix("b.npy", {-3, inf, 0, 0}, 2);
  for (const std::string dtype : {"i16", "i32", "i64", "f32", "f64"}) {
    ASSERT_EQ(warpfold("minplus a.npy b.npy -q -o c.npy --dtype " + dtype).exit_code, 0);
    // Integers have max/2 for "no value", which the next run recognizes.
    ASSERT_EQ(warpfold("minplus c.npy b.npy -q -o d.npy --dtype f64").exit_code, 0);
    EXPECT_EQ(numbers("d.npy"), (std::vector<double>{-5, inf, inf, inf})) << dtype;
  }
}

TEST_F(Minplus, MultipliesBatchesAndTakesOneMatrixForAll) {
  write_array("a.npy", {1, 2, 3, 4, 5, 6}, {3, 1, 2});
  write_matrix("b.npy", {10, 20}, 2);
  const Ran ran = warpfold("minplus a.npy b.npy -o c.npy --argmin k.npy --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["batch"], 3);
  EXPECT_EQ(array("c.npy").shape, (std::vector<std::size_t>{3, 1, 1}));
  EXPECT_EQ(array("k.npy").shape, (std::vector<std::size_t>{3, 1, 1}));
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{11, 13, 15}));
  write_array("two.npy", {1, 2, 3, 4}, {2, 2, 1});
  expect_error(warpfold("minplus a.npy two.npy"), 3, "two.npy: is a batch of 2 where a.npy is one of 3");
}

TEST_F(Minplus, MultipliesABatchWithoutArgmin) {
  write_array("a.npy", {1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
  for (const std::string algorithm : {"tiled", "reference"}) {
    const Ran ran = warpfold("minplus a.npy a.npy -q -o c.npy --device cpu -a " + algorithm);
    ASSERT_EQ(ran.exit_code, 0) << algorithm << ran.err;
    EXPECT_EQ(numbers("c.npy"), (std::vector<double>{2, 3, 4, 5, 10, 11, 12, 13}));
  }
}

TEST_F(Minplus, TakesTheLargestIntegerOnlyWhereItIsSaidWhatItMeans) {
  write_array<std::int16_t>("a.npy", {0, 4, 32767, 0}, {2, 2});
  for (const std::string task :
       {"a.npy a.npy", "a.npy --power 2", "a.npy --closure", "a.npy a.npy --semiring max-min"}) {
    expect_error(warpfold("minplus " + task), 3, "a.npy: entry (1, 0) is 32767, the largest i16: --no-edge 32767");
  }
  ASSERT_EQ(warpfold("minplus a.npy a.npy --no-edge 32767 --dtype f64 -o c.npy --json > s.json").exit_code, 0);
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{0, 4, inf, 0}));
  EXPECT_EQ(warpfold("verify a.npy a.npy s.json").out, "valid\n");
  EXPECT_EQ(warpfold("minplus a.npy a.npy --no-edge inf -o c.npy -q").exit_code, 0);
  EXPECT_EQ(numbers("c.npy")[2], 32767);
  EXPECT_EQ(warpfold("minplus a.npy a.npy --semiring count --dtype u64 -q").exit_code, 0);
  expect_error(warpfold("minplus a.npy a.npy --no-edge none"), 2,
               "--no-edge is 'none': a number, inf or nan is accepted");
}

TEST_F(Minplus, OfTruthIsRefusedWhereFalseWouldBeALength) {
  io::write_npy_bool(path("t.npy"), std::vector<std::uint8_t>{0, 1, 1, 0}, {2, 2});
  for (const std::string semiring : {"min-plus", "max-plus", "min-max", "max-min"}) {
    expect_error(warpfold("minplus t.npy t.npy --semiring " + semiring), 3, "t.npy: entry (0, 0) is false");
  }
  EXPECT_EQ(warpfold("minplus t.npy t.npy --no-edge 0 --dtype f64 -q -o c.npy").exit_code, 0);
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{2, inf, inf, 2}));
  EXPECT_EQ(warpfold("minplus t.npy t.npy --semiring count --dtype u64 -q -o c.npy").exit_code, 0);
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{1, 0, 0, 1}));
}

TEST_F(Minplus, LeavesNoFileWhereOneOfTwoCannotBeWritten) {
  write_matrix("a.npy", {1, 2, 3, 4}, 2);
  expect_error(warpfold("minplus a.npy a.npy -o c.npy --argmin none/k.npy"), 3, "none/k.npy: cannot be written");
  std::filesystem::create_directory(path("folder.npy"));
  expect_error(warpfold("minplus a.npy a.npy -o c.npy --argmin folder.npy"), 3, "folder.npy: cannot be written");
  expect_error(warpfold("minplus a.npy a.npy -o c.npy --argmin ./c.npy"), 2, "'./c.npy' is named for two outputs");
  EXPECT_FALSE(exists("c.npy"));
}

TEST_F(Minplus, FindsPowersClosuresAndNegativeCycles) {
  // Edges 0 -> 1 -> 2, and an isolated vertex 3.
  write_matrix("a.npy", {inf, 4, inf, inf, inf, inf, -1, inf, inf, inf, inf, inf, inf, inf, inf, inf}, 4);
  const Ran closed = warpfold("minplus a.npy --closure -o c.npy --json");
  ASSERT_EQ(closed.exit_code, 0) << closed.err;
  EXPECT_EQ(closed.json()["closure"], true);
  EXPECT_EQ(numbers("c.npy"), (std::vector<double>{0, 4, 3, inf, inf, 0, -1, inf, inf, inf, 0, inf, inf, inf, inf, 0}));
  ASSERT_EQ(warpfold("minplus a.npy --power 2 -q -o p.npy --dtype i64").exit_code, 0);
  const auto squared = array("p.npy").weights<double>();
  EXPECT_EQ(squared[2], 3);
  EXPECT_EQ(std::count(squared.begin(), squared.end(), inf), 15);
  write_matrix("cycle.npy", {inf, 4, inf, inf, inf, inf, -2, inf, inf, 1, inf, inf, 0, inf, inf, inf}, 4);
  const Ran refused = warpfold("minplus cycle.npy --closure -o none.npy");
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_NE(refused.err.find("the cycle 1 -> 2 -> 1 has a negative length"), std::string::npos) << refused.err;
  EXPECT_FALSE(exists("none.npy"));
}

TEST_F(Minplus, OfEverySemiringIsVerified) {
  for (const std::string_view semiring : minplus::semiring_names()) {
    SCOPED_TRACE(semiring);
    const std::string into_c = fmt::format(" --semiring {} -o c.npy --json > s.json", semiring);
    write_matrix("a.npy", {0, 1, 1, 0, 0, 1, 1, 1, 0}, 3);
    ASSERT_EQ(warpfold("minplus a.npy a.npy" + into_c).exit_code, 0);
    EXPECT_EQ(warpfold("verify a.npy a.npy s.json").out, "valid\n");
    ASSERT_EQ(warpfold("minplus a.npy --power 3" + into_c).exit_code, 0);
    EXPECT_EQ(warpfold("verify a.npy s.json").out, "valid\n");
  }
}

TEST_F(Minplus, IsVerifiedAndEveryKindOfFaultIsFound) {
  write_matrix("a.npy", {1, 5, 2, 0, 7, inf}, 2);
  write_matrix("b.npy", {4, 0, 1, 9, 6, 2}, 3);
  for (const std::string semiring : {"min-plus", "max-plus", "min-max", "max-min"}) {
    const std::string above = semiring.starts_with("max") ? "-inf.npy" : "a.npy";
    write_matrix("-inf.npy", {1, 5, 2, 0, 7, -inf}, 2);
    const std::string a = "./" + above;
    ASSERT_EQ(warpfold("minplus " + a + " b.npy -o c.npy --argmin k.npy --json --semiring " + semiring + " > s.json")
                  .exit_code,
              0);
    EXPECT_EQ(warpfold("verify " + a + " b.npy s.json").out, "valid\n") << semiring;
    std::vector<double> c = numbers("c.npy");
    c[3] += 1;
    write_matrix("c.npy", c, 2);
    expect_error(warpfold("verify " + a + " b.npy s.json"), 3, "entry (1, 1) is");
    c[3] -= 1;
    write_matrix("c.npy", c, 2);
    auto k = array("k.npy").values<std::uint32_t>();
    k[2] += 1;
    write_array<std::uint32_t>("k.npy", k, {2, 2});
    expect_error(warpfold("verify " + a + " b.npy s.json"), 3, "the argmin of entry (1, 0) is");
  }
  write_matrix("square.npy", {inf, 4, 1, 2}, 2);
  for (const std::string task : {"--closure", "--power 5", "--power 5 --semiring count --dtype u64"}) {
    write_matrix("square.npy",
                 task.ends_with("u64") ? std::vector<double>{0, 4, 1, 2} : std::vector<double>{inf, 4, 1, 2}, 2);
    ASSERT_EQ(warpfold("minplus square.npy " + task + " -o c.npy --json > s.json").exit_code, 0) << task;
    EXPECT_EQ(warpfold("verify square.npy s.json").out, "valid\n") << task;
    EXPECT_EQ(warpfold("verify square.npy s.json --json").json()["rows_checked"], 2) << task;
    auto c = numbers("c.npy");
    c[1] += 1;
    write_matrix("c.npy", c, 2);
    expect_error(warpfold("verify square.npy s.json"), 3, "entry (0, 1) is");
  }
  ASSERT_EQ(warpfold("minplus a.npy b.npy --json > s.json").exit_code, 0);
  expect_error(warpfold("verify a.npy b.npy s.json"), 3, "'output' is not there");
  expect_error(warpfold("verify a.npy s.json"), 3, "a.npy: is 2 x 3");
  expect_error(warpfold("verify a.npy b.npy s.json s.json"), 2, "");
}

TEST_F(Minplus, RefusesBadInputInOneLine) {
  write_matrix("a.npy", {1, 2, 3, 4}, 2);
  write_matrix("b.npy", {1, 2, 3}, 3);
  expect_error(warpfold("minplus a.npy b.npy"), 3, "3 rows where a.npy has 2 columns");
  expect_error(warpfold("minplus a.npy none.npy"), 3, "none.npy");
  expect_error(warpfold("minplus a.npy a.npy --dtype i8"), 2, "i8");
  expect_error(warpfold("minplus a.npy"), 2, "B is missing");
  expect_error(warpfold("minplus a.npy a.npy --closure"), 2, "--closure takes one matrix");
  expect_error(warpfold("minplus a.npy --closure --power 3"), 2, "exclude each other");
  expect_error(warpfold("minplus a.npy --power 3 --argmin k.npy"), 2, "--argmin is of a product of two matrices");
  expect_error(warpfold("minplus b.npy --closure"), 3, "b.npy: is 3 x 1: a square matrix is accepted");
  expect_error(warpfold("minplus a.npy a.npy --semiring min-times"), 2, "semiring 'min-times' is unknown");
  expect_error(warpfold("minplus a.npy a.npy --semiring or-and --dtype f32"), 2, "or-and does not take f32: u8");
  expect_error(warpfold("minplus a.npy a.npy --semiring or-and"), 3, "A(0, 1) is 2: u8 from 0 to 1 are accepted");
  expect_error(warpfold("minplus a.npy a.npy --semiring count --argmin k.npy"), 2, "no argmin");
  expect_error(warpfold("minplus a.npy a.npy --modulus 7"), 2, "takes no modulus");
  expect_error(warpfold("minplus a.npy a.npy --semiring count --modulus 0"), 2, "--modulus is '0'");
  write_matrix("nan.npy", {std::numeric_limits<double>::quiet_NaN(), 2, 3, 4}, 2);
  for (const std::string task : {"a.npy nan.npy", "nan.npy --power 0", "nan.npy --power 1", "nan.npy --closure"}) {
    expect_error(warpfold("minplus " + task), 3,
                 "nan.npy: entry (0, 0) is nan, which is no length: --no-edge nan is accepted where it means no edge");
  }
  expect_error(warpfold("minplus a.npy --power 0 -a nope"), 2, "algorithm 'nope' is unknown");
  write_array<std::int64_t>("big.npy", {300, 2}, {1, 2});
  expect_error(warpfold("minplus big.npy a.npy --dtype u8"), 3, "entry 0 is 300: u8 from 0 to 255 is accepted");
  expect_error(warpfold("minplus a.npy --closure --semiring count"), 2, "plus-times has no closure");
  expect_error(warpfold("minplus a.npy --closure --dtype u64"), 2, "min-plus does not take u64");
  expect_error(warpfold("minplus a.npy --closure --semiring or-and"), 3, "a.npy: the edge (0, 1) is 2");
  write_matrix("fraction.npy", {0.5, 2, 3, 4}, 2);
  expect_error(warpfold("minplus a.npy fraction.npy --dtype i32"), 3, "entry 0 is 0.5");
  write_array<std::int64_t>("large.npy", {1, 2, 3, std::int64_t{1} << 62}, {2, 2});
  expect_error(warpfold("minplus large.npy large.npy"), 3, "A(1, 1) is 4611686018427387904: i64 from");
  write_matrix("wide.npy", {1, 2, 3, 9000}, 2);
  expect_error(warpfold("minplus a.npy wide.npy --dtype i16"), 3,
               "B(1, 1) is 9000: i16 from -8191 to 8191 are accepted");
  expect_error(warpfold("minplus wide.npy --power 4 --dtype i16"), 3,
               "wide.npy: A(1, 1) is 9000: i16 from -8191 to 8191");
}

}  // namespace
}  // namespace warpfold::app::test
