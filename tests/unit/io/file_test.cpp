#include "warpfold/io/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <stdexcept>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "out.txt").string();
};

TEST_F(Files, WrittenContentIsReadBackByteForByte) {
  const std::string content("a\0b\r\n\xff", 6);
  write_file(path_, content);
  EXPECT_EQ(read_file(path_), content);
}

TEST_F(Files, FailureWhileProducingKeepsTheOldFileAndLeavesNoOther) {
  write_file(path_, "old");
  EXPECT_THROW(write_file(path_,
                          [](std::ostream& out) {
                            out << "half";
                            throw std::runtime_error("stop");
                          }),
               std::runtime_error);
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Files, AProcessThatEndsWhileItWritesCanDiscardWhatIsUnfinished) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  write_file(path_, "old");
  const auto end_while_writing = [&] {
    write_file(path_, [](std::ostream& out) {
      out << "half";
      discard_unfinished_files();
      _exit(7);
    });
  };
  EXPECT_EXIT(end_while_writing(), testing::ExitedWithCode(7), "");
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Files, ASymbolicLinkStaysALink) {
  write_file(path_, "old");
  const fs::path link = folder_ / "link.txt";
  fs::create_symlink(path_, link);
  write_file(link.string(), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(path_), "new");
}

TEST_F(Files, ALinkToNothingIsWrittenThrough) {
  const fs::path link = folder_ / "link.txt";
  fs::create_symlink("later.txt", link);
  write_file(link.string(), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file((folder_ / "later.txt").string()), "new");
}

TEST_F(Files, KeepTheirModeAndTheirOtherNames) {
  write_file(path_, "old content");
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  write_file(path_, "new");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const fs::path other = folder_ / "other.txt";
  fs::create_hard_link(path_, other);
  write_file(path_, "newer");
  EXPECT_EQ(read_file(other.string()), "newer");
  EXPECT_EQ(fs::hard_link_count(path_), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 2);
}

TEST_F(Files, ThatNobodyMayWriteAreLeftAlone) {
  write_file(path_, "old");
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_THROW(check_writable(path_), Error);
  EXPECT_THROW(write_file(path_, "new"), Error);
  EXPECT_EQ(read_file(path_), "old");
}

TEST_F(Files, MayHaveTheLongestNamesThatThereAre) {
  write_file((folder_ / std::string(255, 'n')).string(), "x");
  EXPECT_EQ(read_file((folder_ / std::string(255, 'n')).string()), "x");
  EXPECT_THROW(check_writable((folder_ / std::string(256, 'n')).string()), Error);
}

TEST_F(Files, WhatADeviceDoesNotTakeIsAnError) {
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
  EXPECT_NO_THROW(write_file("/dev/null", std::string(1 << 20, 'x')));
}

TEST_F(Files, MissingFilesAndFoldersAreRefusedByName) {
  for (const std::string& path : {(folder_ / "none").string(), folder_.path().string()}) {
    try {
      static_cast<void>(read_file(path));
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
  EXPECT_THROW(write_file((folder_ / "no" / "folder").string(), "x"), Error);
}

TEST_F(Files, ExtensionsAreLowerCase) {
  EXPECT_EQ(extension("A/b.GeoJSON"), ".geojson");
  EXPECT_EQ(extension("a.b/c"), "");
}

}  // namespace
}  // namespace warpfold::io
