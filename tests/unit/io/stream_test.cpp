#include "warpfold/io/stream.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

std::string read_raw(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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

std::string gzipped(const std::string& path, const std::string& content) {
  const gzFile file = gzopen(path.c_str(), "w");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  return read_raw(path);
}

template <class Read>
std::string result_of(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    return error.what();
  }
}

/// Damaged in its trailer, cut off anywhere, followed by another member, or by what is none.
TEST(ReadPieces, GivesTheContentOrTheErrorOfTheReaderOfWholeFiles) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "f", packed = gzipped(path, numbers_up_to(30));
  std::vector<std::string> files = {"", "\x1f", "\x1f\x8b", packed + packed, packed + '\x1f', packed + "0 1 2\n"};
  for (std::size_t bytes = 1; bytes < packed.size(); ++bytes) files.push_back(packed.substr(0, bytes));
  files.push_back(packed);
  files.back()[packed.size() - 8] ^= 1;
  for (const std::string& bytes : files) {
    write_file(path, bytes);
    EXPECT_EQ(result_of([&] { return joined(path); }), result_of([&] { return read_file(path); })) << bytes.size();
  }
}

/// The members and what follows them begin and end anywhere in the pieces that are read.
TEST(ReadPieces, CountsWhatFollowsGzipData) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "f", packed = gzipped(path, "");
  for (const std::size_t members : {1, 3, 3000, 3277, 3278, 5000}) {
    std::string bytes;
    for (std::size_t i = 0; i < members; ++i) bytes += packed;
    for (const std::size_t more : {0, 1, 70'000}) {
      write_file(path, bytes + std::string(more, 'x'));
      const std::string result = result_of([&] { return joined(path); });
      EXPECT_EQ(result.find(std::to_string(more) + " byte") != result.npos, more > 0) << result;
    }
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
