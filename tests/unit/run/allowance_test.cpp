#include "run/allowance.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.hpp"

namespace warpfold {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
  }

  [[nodiscard]] Allowance allowance() const {
    return control_group_allowance(folder_ / "membership", folder_ / "mount");
  }

  test::TemporaryFolder folder_;
};

TEST_F(ControlGroups, OfVersionTwoTheTightestAboveTheProcessCounts) {
  write("membership", "0::/a/b\n");
  write("mount/a/cpu.max", "150000 100000\n");
  write("mount/a/b/cpu.max", "max 100000\n");
  write("mount/a/memory.max", "max\n");
  write("mount/a/b/memory.max", "4096\n");
  EXPECT_EQ(allowance(), (Allowance{1.5, 4096}));
}

TEST_F(ControlGroups, OfVersionOneHaveAFolderAController) {
  write("membership", "4:memory:/m\n3:cpu,cpuacct:/c\n1:name=systemd:/\n");
  write("mount/memory/m/memory.limit_in_bytes", "8192\n");
  write("mount/cpu,cpuacct/c/cpu.cfs_quota_us", "300000\n");
  write("mount/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(allowance(), (Allowance{3, 8192}));
}

TEST_F(ControlGroups, WithoutAQuotaLimitNothing) {
  write("membership", "4:memory:/m\n3:cpu:/c\n0::/gone\n");
  write("mount/memory/m/memory.limit_in_bytes", "9223372036854771712\n");
  write("mount/cpu/c/cpu.cfs_quota_us", "-1\n");
  write("mount/cpu/c/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(allowance(), Allowance());
}

TEST_F(ControlGroups, SeenByTheirHostsPathAreFoundAtTheTopOfTheMount) {
  write("membership", "0::/hosts/path/of/the/container\n");
  write("mount/cpu.max", "200000 100000\n");
  EXPECT_EQ(allowance().processors, 2);
}

TEST_F(ControlGroups, ThatCannotBeReadLimitNothing) { EXPECT_EQ(allowance(), Allowance()); }

TEST(ProcessAllowance, IsAtLeastOneProcessorAndSomeMemory) {
  EXPECT_GT(process_allowance().processors, 0);
  EXPECT_GT(process_allowance().bytes, std::size_t{1} << 20);
}

}  // namespace
}  // namespace warpfold
