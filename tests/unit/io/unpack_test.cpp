#include "io/unpack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/io/npz.hpp"

namespace warpfold::io {
namespace {

/// Compresses with zlib. `window_bits` is 31 for gzip, -15 for raw deflate.
std::string deflated(const std::string& content, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
std::string gzipped(const std::string& content) { return deflated(content, 31); }

std::string bytes_of(std::uint64_t number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 255);
  return bytes;
}

struct File {
  std::string name;
  std::string content;
  bool is_deflated = false;
};

/// A zip archive. `wide`: its sizes are in the 64-bit fields.
std::string zipped(const std::vector<File>& files, bool wide = false) {
  std::string archive, directory;
  for (const File& file : files) {
    const std::string packed = file.is_deflated ? deflated(file.content, -15) : file.content;
    const std::size_t crc = crc32_z(0, reinterpret_cast<const Bytef*>(file.content.data()), file.content.size());
    const std::string kind = bytes_of(0, 2) + bytes_of(file.is_deflated ? 8 : 0, 2) + bytes_of(0, 4) + bytes_of(crc, 4);
    const std::string sizes = wide ? bytes_of(~0ULL, 8) : bytes_of(packed.size(), 4) + bytes_of(file.content.size(), 4);
    std::string extra;
    if (wide) extra = bytes_of(1, 2) + bytes_of(16, 2) + bytes_of(file.content.size(), 8) + bytes_of(packed.size(), 8);
    const std::string lengths = bytes_of(file.name.size(), 2) + bytes_of(extra.size(), 2);
    directory += "PK\1\2" + bytes_of(45, 2) + bytes_of(45, 2) + kind + sizes + lengths + bytes_of(0, 2) +
                 bytes_of(0, 2) + bytes_of(0, 2) + bytes_of(0, 4) + bytes_of(archive.size(), 4) + file.name + extra;
    archive += "PK\3\4" + bytes_of(45, 2) + kind + sizes + lengths + file.name + extra + packed;
  }
  const std::string count = bytes_of(files.size(), 2);
  return archive + directory + "PK\5\6" + bytes_of(0, 4) + count + count + bytes_of(directory.size(), 4) +
         bytes_of(archive.size(), 4) + bytes_of(0, 2);
}

std::string npy_of(std::int64_t value) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "a.npy").string();
  write_npy<std::int64_t>(path, std::vector{value}, {1});
  return read_file(path);
}

std::string error_of(const std::string& bytes, std::string_view member = {}) {
  try {
    static_cast<void>(unpacked("f", bytes, member));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

RC_GTEST_PROP(Unpack, OfGzipGivesBackWhatWasPacked, (const std::string& content)) {
  RC_ASSERT(unpacked("f", gzipped(content)) == content);
  RC_ASSERT(unpacked("f", gzipped(content) + gzipped("more")) == content + "more");
}

TEST(Unpack, OfGzipReadsMoreThanAPiece) {
  std::string content(5 << 20, 'x');
  for (std::size_t i = 0; i < content.size(); i += 7) content[i] = static_cast<char>(i * 31);
  EXPECT_EQ(unpacked("f", gzipped(content)), content);
}

TEST(Unpack, RefusesEveryTruncationOfGzipAndWhatFollows) {
  const std::string packed = gzipped("0 1 3\n1 2 4\n");
  for (std::size_t bytes = 2; bytes < packed.size(); ++bytes) {
    EXPECT_NE(error_of(packed.substr(0, bytes)).find("truncated"), std::string::npos) << bytes;
  }
  EXPECT_EQ(error_of(packed + "0 1 3\n"), "f: has 6 bytes after its gzip data: none are accepted");
  std::string damaged = packed;
  damaged[packed.size() - 8] ^= 1;  // in the checksum
  EXPECT_NE(error_of(damaged).find("damaged"), std::string::npos);
}

TEST(Unpack, TakesTheOnlyArrayOfAnArchiveOrTheNamedOne) {
  const std::string a = npy_of(1), b = npy_of(2);
  for (const bool is_deflated : {false, true}) {
    for (const bool wide : {false, true}) {
      EXPECT_EQ(unpacked("f", zipped({{"a.npy", a, is_deflated}}, wide)), a);
      const std::string both = zipped({{"a.npy", a, is_deflated}, {"b.npy", b, is_deflated}}, wide);
      EXPECT_EQ(unpacked("f.npz:b", both, "b"), b);
      EXPECT_EQ(error_of(both), "f: has several arrays: the array's name, f:a, is accepted; it has a, b");
      EXPECT_NE(error_of(both, "c").find("has no array 'c'"), std::string::npos);
    }
  }
  EXPECT_NE(error_of(zipped({{"a.txt", "1 2"}})).find("a zip archive without .npy files"), std::string::npos);
  EXPECT_NE(error_of("1 2", "a").find("no .npz archive"), std::string::npos);
}

TEST(Unpack, ArraysOfAWrittenArchiveAreReadAgain) {
  NpzContent content;
  content.add("x", std::vector<double>{0.5, -2, 3}, {3});
  content.add("n", std::vector<std::int64_t>{1, 2, 3, 4}, {2, 2});
  content.add("kind", "coo");
  const std::string bytes = content.bytes();
  const Npz archive("f", bytes);
  EXPECT_EQ(archive.names(), (std::vector<std::string>{"x", "n", "kind"}));
  EXPECT_EQ(parse_npy("f", archive.content("x")).values<double>(), (std::vector<double>{0.5, -2, 3}));
  const NpyArray integers = parse_npy("f", archive.content("n"));
  EXPECT_EQ(integers.shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(integers.values<std::int64_t>(), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_TRUE(archive.content("kind").ends_with("coo"));
  EXPECT_THROW(content.add("y", std::vector<double>{1}, {2}), Error);
}

TEST(Unpack, RefusesWhatAnArchiveMisstates) {
  const std::string archive = zipped({{"a.npy", npy_of(1), true}});
  for (std::size_t bytes = 4; bytes < archive.size(); ++bytes) {
    EXPECT_NE(error_of(archive.substr(0, bytes)), "accepted") << bytes;
  }
  EXPECT_NE(error_of(archive + "x").find("behind the zip archive's end"), std::string::npos);
  const std::size_t entry = archive.rfind("PK\1\2");
  const auto with = [&](std::size_t at, const std::string& bytes) {
    std::string changed = archive;
    return changed.replace(entry + at, bytes.size(), bytes);
  };
  EXPECT_NE(error_of(with(8, bytes_of(1, 2))).find("encrypted"), std::string::npos);
  EXPECT_NE(error_of(with(10, bytes_of(14, 2))).find("method 14"), std::string::npos);
  EXPECT_NE(error_of(with(16, bytes_of(7, 4))).find("damaged"), std::string::npos);
  EXPECT_NE(error_of(with(24, bytes_of(0xfffffff0, 4))).find("states 4294967280 bytes"), std::string::npos);
  EXPECT_NE(error_of(with(24, bytes_of(135, 4))).find("do not hold the 135 bytes"), std::string::npos);
}

TEST(Unpack, NamesOfFilesSayWhichArray) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "two.npz").string();
  write_file(path, zipped({{"a.npy", npy_of(1)}, {"b.npy", npy_of(2)}}));
  EXPECT_EQ(read_npy(path + ":b").values<std::int64_t>()[0], 2);
  write_file(path + ":b", npy_of(3));
  EXPECT_EQ(read_npy(path + ":b").values<std::int64_t>()[0], 3) << "a file of the whole name comes first";
  EXPECT_EQ(unpacked_extension("a/B.CSV.gz"), ".csv");
  EXPECT_EQ(unpacked_extension("a.gz/b"), "");
}

}  // namespace
}  // namespace warpfold::io
