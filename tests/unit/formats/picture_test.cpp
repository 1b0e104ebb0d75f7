#include "warpfold/formats/picture.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "temporary_folder.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {
namespace {

const std::vector<Point> square = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string drawn(const PathsView& paths) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "p.svg").string();
  write_svg(path, paths, {"a & b"});
  return io::read_file(path);
}

TEST(PathsPicture, TintsEveryPlaceOfAnEdgeByItsDistance) {
  const std::vector<std::uint32_t> predecessors = {0, 0, 1, 3};
  const std::vector<double> lengths = {0, 10, 20, std::numeric_limits<double>::infinity()};
  const std::string picture = drawn({.vertices = square, .predecessors = predecessors, .lengths = lengths});
  EXPECT_EQ(count(picture, "stroke-linecap=\"round\""), 10u);  // a tint for every tenth of 20
  EXPECT_NE(picture.find("M24.00 1020.00L214.40 1020.00\""), std::string::npos)
      << "from the root to a fifth of the edge";
  EXPECT_EQ(count(picture, "<circle"), 0u);
  EXPECT_NE(picture.find("a &amp; b"), std::string::npos);
}

TEST(PathsPicture, MarksBothEndsOfAPath) {
  const std::vector<std::uint32_t> path = {0, 1, 2};
  const std::string picture = drawn({.vertices = square, .path = path});
  EXPECT_EQ(count(picture, "<circle"), 2u);
  EXPECT_NE(picture.find("M24.00 1020.00L976.00 1020.00L976.00 68.00\""), std::string::npos) << picture;
}

}  // namespace
}  // namespace warpfold::formats
