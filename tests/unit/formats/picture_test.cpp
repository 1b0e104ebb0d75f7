#include "warpfold/formats/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>
#include <string>
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

/// The lines of a tree in the picture: the number of pieces of the first tint, the second, and so on.
struct Drawn {
  Point from, to;
  std::size_t tint;

  [[nodiscard]] double distance_to(const Point& p) const {
    const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
    const double along = length > 0 ? ((p.x - from.x) * x + (p.y - from.y) * y) / length : 0;
    const double share = length > 0 ? std::clamp(along / length, 0.0, 1.0) : 0;
    return std::hypot(from.x + share * x - p.x, from.y + share * y - p.y);
  }
};

std::vector<Drawn> drawn_pieces(const std::string& picture) {
  std::vector<Drawn> pieces;
  std::istringstream lines(picture);
  std::size_t tint = 10;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("stroke-linecap") == line.npos) continue;
    --tint;
    const std::string data = line.substr(line.find(" d=\"") + 4);
    for (std::size_t at = 0; (at = data.find('M', at)) != data.npos; ++at) {
      Drawn piece{.from = {}, .to = {}, .tint = tint};
      EXPECT_EQ(
          std::sscanf(data.c_str() + at, "M%lf %lfL%lf %lf", &piece.from.x, &piece.from.y, &piece.to.x, &piece.to.y),
          4);
      pieces.push_back(piece);
    }
  }
  return pieces;
}

TEST(PathsPicture, TintsEveryPlaceOfAnOutlineByItsDistanceRoundItsCorners) {
  for (const bool turned : {false, true}) {
    // From (4,3) round (2,1), which hides the region left of the line through both.
    std::vector<Point> room = {{0, 0}, {4, 0}, {4, 3}, {2, 1}, {0, 3}};
    std::vector<std::uint32_t> predecessors = {3, 2, 2, 2, 3};
    const double corner = std::sqrt(8.0);
    std::vector<double> lengths = {corner + std::sqrt(5.0), 3, 0, corner, 2 * corner};
    if (turned) {
      std::reverse(room.begin(), room.end());
      std::reverse(lengths.begin(), lengths.end());
      predecessors = {1, 2, 2, 2, 1};
    }
    const std::string picture = drawn({.vertices = room, .predecessors = predecessors, .lengths = lengths});
    const std::vector<Drawn> pieces = drawn_pieces(picture);
    std::size_t places = 0;
    for (double x = 0.05; x < 4; x += 0.2) {
      for (double y = 0.05; y < 3; y += 0.2) {
        if (y > 1 + std::abs(x - 2) - 0.02) continue;  // outside
        const double length = y > x - 1 ? corner + std::hypot(x - 2, y - 1) : std::hypot(x - 4, y - 3);
        const Point p{24 + x * 238, 68 + (3 - y) * 238};
        const auto nearest = std::min_element(pieces.begin(), pieces.end(), [&](const Drawn& a, const Drawn& b) {
          return a.distance_to(p) < b.distance_to(p);
        });
        EXPECT_LT(nearest->distance_to(p), 0.9) << x << ", " << y << " is left white";
        EXPECT_NEAR(static_cast<double>(nearest->tint) + 0.5, length / (2 * corner / 10), 0.52) << x << ", " << y;
        ++places;
      }
    }
    EXPECT_GT(places, 150u);
  }
}

TEST(PathsPicture, MarksBothEndsOfAPath) {
  const std::vector<std::uint32_t> path = {0, 1, 2};
  const std::string picture = drawn({.vertices = square, .path = path});
  EXPECT_EQ(count(picture, "<circle"), 2u);
  EXPECT_NE(picture.find("M24.00 1020.00L976.00 1020.00L976.00 68.00\""), std::string::npos) << picture;
}

}  // namespace
}  // namespace warpfold::formats
