#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {
namespace {

using testing::HasSubstr;

/// A file that SciPy wrote. The fuzzers use it as a seed, too.
std::string sparse_file(const std::string& name) {
  std::ifstream file(std::filesystem::path(WARPFOLD_SPARSE) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SparseMatrices, AreReadAsTheEdgesThatTheyHold) {
  const Graph rows = parse_graph("csr.npz", sparse_file("csr.npz"));
  EXPECT_EQ(rows.vertices, 3u);
  EXPECT_EQ(rows.edges, (std::vector<GraphEdge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(rows.lengths.real(1), 2);
  EXPECT_FALSE(rows.lengths.is_integral);
  EXPECT_EQ(rows.name(2), "2");
  const Graph columns = parse_graph("-", sparse_file("csc.npz"));
  EXPECT_EQ(columns.edges, rows.edges);
  EXPECT_TRUE(columns.lengths.is_integral);
}

TEST(SparseMatrices, AddUpTheEntriesOfOnePlace) {
  const Graph graph = parse_sparse_npz("coo.npz", sparse_file("coo.npz"));
  EXPECT_EQ(graph.edges, (std::vector<GraphEdge>{{0, 1}}));
  EXPECT_EQ(graph.lengths.text(0), "3");
}

TEST(SparseMatrices, AreRefusedWhereTheyAreDamaged) {
  const std::string file = sparse_file("csr.npz");
  ASSERT_GT(file.size(), 100u);
  for (std::size_t bytes = 0; bytes < file.size(); bytes += 7) {
    EXPECT_THROW(static_cast<void>(parse_sparse_npz("csr.npz", file.substr(0, bytes))), Error) << bytes;
  }
}

}  // namespace
}  // namespace warpfold::formats
