#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/outline.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::formats {
namespace {

/// The outline of an array, or the message of the error.
template <class T>
struct ArrayOutline {
  ArrayOutline(const std::vector<T>& values, const std::vector<std::size_t>& shape, const OutlineChoice& choice = {}) {
    const warpfold::test::TemporaryFolder folder;
    const std::string path = (folder / "o.npy").string();
    io::write_npy(path, std::span<const T>(values), shape);
    try {
      outline = read_outline(path, choice);
    } catch (const Error& thrown) {
      error = thrown.what();
    }
  }

  OutlineFile outline;
  std::string error;
};

TEST(NpyOutline, HasAVertexARow) {
  const std::vector<Point> expected = {{0, 0}, {4, 0}, {4, 3.5}};
  EXPECT_EQ((ArrayOutline<double>({0, 0, 4, 0, 4, 3.5}, {3, 2}).outline.vertices), expected);
  EXPECT_EQ((ArrayOutline<float>({0, 0, 4, 0, 4, 3.5}, {3, 2}).outline.vertices), expected);
  EXPECT_EQ((ArrayOutline<std::int32_t>({0, 0, 4, 0, 4, 3}, {3, 2}).outline.vertices[2]), (Point{4, 3}));
}

TEST(NpyOutline, IgnoresAThirdColumnWithANote) {
  const ArrayOutline<double> read({0, 0, 7, 4, 0, 7, 4, 3, 7, 0, 3, 7}, {4, 3});
  EXPECT_EQ(read.outline.vertices[2], (Point{4, 3}));
  EXPECT_THAT(read.outline.notes, testing::ElementsAre("Z is ignored: the outline is that of x and y"));
}

TEST(NpyOutline, MarksIntegersThatDoublesRound) {
  EXPECT_TRUE((ArrayOutline<std::int64_t>({0, 0, 9007199254740993, 0, 0, 1}, {3, 2}).outline.is_rounded));
  EXPECT_TRUE((ArrayOutline<std::uint64_t>({0, 0, 18446744073709551615U, 0, 0, 1}, {3, 2}).outline.is_rounded));
  EXPECT_FALSE((ArrayOutline<std::int64_t>({0, 0, 9007199254740992, 0, 0, 1}, {3, 2}).outline.is_rounded));
}

TEST(NpyOutline, IsNoMatrixAndNoOtherShape) {
  using testing::HasSubstr;
  EXPECT_THAT(
      (ArrayOutline<double>(std::vector<double>(16), {4, 4}).error),
      HasSubstr("o.npy: is a matrix 4 x 4, no outline: n x 2 is accepted, and a matrix of weights by --matrix"));
  EXPECT_THAT((ArrayOutline<double>(std::vector<double>(9), {3, 3}).error), HasSubstr("is a matrix 3 x 3"));
  EXPECT_THAT((ArrayOutline<double>(std::vector<double>(8), {2, 4}).error), HasSubstr("is an array of shape 2 x 4"));
  EXPECT_THAT((ArrayOutline<double>(std::vector<double>(8), {8}).error), HasSubstr("is an array of shape 8: n x 2"));
  EXPECT_THAT((ArrayOutline<double>(std::vector<double>(12), {2, 3, 2}).error), HasSubstr("of shape 2 x 3 x 2"));
  EXPECT_THAT((ArrayOutline<double>({0, 0, 4, 0, 4, 3}, {3, 2}, {0, {}}).error),
              HasSubstr("a NumPy array holds one outline"));
}

}  // namespace
}  // namespace warpfold::formats
