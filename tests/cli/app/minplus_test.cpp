#include <span>
#include <vector>

#include "cli/app/run.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app::test {
namespace {

class Minplus : public CommandLine {
 protected:
  void write_matrix(const std::string& name, const std::vector<double>& values, std::size_t rows) const {
    io::write_npy<double>(path(name), std::span<const double>(values), {rows, values.size() / rows});
  }
  [[nodiscard]] io::NpyArray matrix(const std::string& name) const { return io::read_npy(path(name)); }
};

TEST_F(Minplus, WritesProductAndArgmin) {
  write_matrix("a.npy", {1, 5, 2, 0, 7, 3}, 2);
  write_matrix("b.npy", {4, 0, 1, 9, 6, 2}, 3);
  const Ran ran = warpfold("minplus a.npy b.npy -o c.npy --argmin k.npy --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["shape"], Json({2, 3, 2}));
  EXPECT_EQ(ran.json()["dtype"], "f64");
  EXPECT_EQ(matrix("c.npy").values<double>(), (std::vector<double>{5, 1, 4, 0}));
  EXPECT_EQ(matrix("k.npy").values<std::uint32_t>(), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(warpfold("minplus a.npy b.npy -o whole.npy --dtype i32 -q").exit_code, 0);
  EXPECT_EQ(matrix("whole.npy").dtype, "i32");
  EXPECT_EQ(matrix("whole.npy").values<double>(), matrix("c.npy").values<double>());
}

TEST_F(Minplus, RefusesBadInputInOneLine) {
  write_matrix("a.npy", {1, 2, 3, 4}, 2);
  write_matrix("b.npy", {1, 2, 3}, 3);
  expect_error(warpfold("minplus a.npy b.npy"), 3, "3 rows where a.npy has 2 columns");
  expect_error(warpfold("minplus a.npy none.npy"), 3, "none.npy");
  expect_error(warpfold("minplus a.npy a.npy --dtype i8"), 2, "i8");
  write_matrix("fraction.npy", {0.5, 2, 3, 4}, 2);
  expect_error(warpfold("minplus a.npy fraction.npy --dtype i32"), 3, "entry 0 is 0.5");
}

}  // namespace
}  // namespace warpfold::app::test
