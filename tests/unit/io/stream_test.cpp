#include "warpfold/io/stream.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <string>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::io {
namespace {

std::string joined(const std::string& path) {
  std::string content;
  read_pieces(path, [&](std::string_view piece) {
    EXPECT_FALSE(piece.empty());
    content += piece;
  });
  return content;
}

std::string numbers_up_to(int last) {
  std::string text;
  for (int i = 0; i < last; ++i) text += std::to_string(i) + '\n';
  return text;
}

TEST(ReadPieces, GivesAllBytesOfAPlainOrPackedFileInOrder) {
  const test::TemporaryFolder folder;
  for (const int last : {0, 1, 50000}) {
    const std::string content = numbers_up_to(last), plain = folder / "plain", packed = folder / "packed.gz";
    write_file(plain, content);
    const gzFile file = gzopen(packed.c_str(), "w");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    EXPECT_EQ(joined(plain), content);
    EXPECT_EQ(joined(packed), content);
  }
}

TEST(ReadPieces, RefusesTruncatedDataAndMissingFiles) {
  const test::TemporaryFolder folder;
  const std::string packed = folder / "packed.gz";
  const gzFile file = gzopen(packed.c_str(), "w");
  gzputs(file, numbers_up_to(1000).c_str());
  gzclose(file);
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
  EXPECT_THROW(joined(packed), Error);
  EXPECT_THROW(joined(folder / "none"), Error);
}

}  // namespace
}  // namespace warpfold::io
