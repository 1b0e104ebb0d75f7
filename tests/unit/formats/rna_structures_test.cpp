#include "warpfold/formats/rna_structures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace warpfold::formats {
namespace {

const RnaRecord record = {"loop", rna::Sequence("GGAAACCA")};
const rna::Folding folding = {-120, "((...))."};

TEST(RnaStructures, AConnectivityTableHasEachBaseWithItsNeighborsAndPartner) {
  EXPECT_EQ(ct_text(record, folding),
            "8 ENERGY = -1.20 loop\n1 G 0 2 7 1\n2 G 1 3 6 2\n3 A 2 4 0 3\n4 A 3 5 0 4\n5 A 4 6 0 5\n"
            "6 C 5 7 2 6\n7 C 6 8 1 7\n8 A 7 0 0 8\n");
}

TEST(RnaStructures, BpseqHasEachBaseWithItsPartner) {
  EXPECT_EQ(bpseq_text(record, folding), "1 G 7\n2 G 6\n3 A 0\n4 A 0\n5 A 0\n6 C 2\n7 C 1\n8 A 0\n");
}

TEST(RnaStructures, ADrawingHasALetterForEachBaseAndNeighborsAtOneDistance) {
  const std::string text = structure_drawing(record, folding);
  std::vector<double> x, y;
  for (std::size_t at = text.find("<circle"); at != std::string::npos; at = text.find("<circle", at + 1)) {
    double cx = 0, cy = 0;
    ASSERT_EQ(std::sscanf(text.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &cx, &cy), 2);
    x.push_back(cx);
    y.push_back(cy);
  }
  ASSERT_EQ(x.size(), 8U);
  for (std::size_t t = 1; t < x.size(); ++t) EXPECT_NEAR(std::hypot(x[t] - x[t - 1], y[t] - y[t - 1]), 16, 0.05);
  EXPECT_NEAR(std::hypot(x[0] - x[6], y[0] - y[6]), 16, 0.05);
}

}  // namespace
}  // namespace warpfold::formats
