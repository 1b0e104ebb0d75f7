#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "temporary_folder.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats::off {
namespace {

std::string written(const std::vector<Point>& vertices, const std::vector<Triangle>& triangles) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "mesh.off";
  find_by_ending(triangulation_formats(), path)->write(path, {vertices, {}, triangles}, {});
  return io::read_file(path);
}

TEST(Off, HasTheVerticesAndACounterclockwiseFaceForEachTriangle) {
  const std::vector<Point> square = {{0, 0}, {4, 0}, {4, 4}, {0, 4.5}}, clockwise(square.rbegin(), square.rend());
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(written(square, triangles), "OFF\n4 2 0\n0 0 0\n4 0 0\n4 4 0\n0 4.5 0\n3 0 1 2\n3 0 2 3\n");
  EXPECT_EQ(written(clockwise, triangles), "OFF\n4 2 0\n0 4.5 0\n4 4 0\n4 0 0\n0 0 0\n3 0 2 1\n3 0 3 2\n");
}

TEST(Off, IsNotForVerticesWithoutCoordinates) {
  EXPECT_TRUE(find_by_ending(triangulation_formats(), "mesh.off")->needs_coordinates);
}

}  // namespace
}  // namespace warpfold::formats::off
