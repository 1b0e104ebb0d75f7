#include "sequence/slices/ceiling.hpp"

#include <gtest/gtest.h>

#include "sequence/slices/kernel.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::sequence::slices {
namespace {

TEST(SequenceCeiling, CountsTheCellsOfAllRounds) {
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (const Measure measure : {Measure::edit, Measure::indel}) {
      for (const std::size_t planes : {1u, 2u, 5u, 8u}) {
        const CeilingLoop loop = run_ceiling_loop(measure, planes, 10);
        EXPECT_EQ(loop.cells, 10.0 * columns * 64 * static_cast<double>(lanes())) << set;
      }
    }
  }
  force_instruction_set("");
}

}  // namespace
}  // namespace warpfold::sequence::slices
