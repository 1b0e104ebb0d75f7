#include "sequence/slices/ceiling.hpp"

#include <gtest/gtest.h>

#include "sequence/align/strips/kernel.hpp"
#include "sequence/slices/kernel.hpp"
#include "sequence/warp/strips/kernel.hpp"
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

TEST(SequenceCeiling, CountsTheCellsOfAlignments) {
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    const auto lanes = static_cast<double>(alignment::strips::lanes<std::uint16_t>());
    EXPECT_EQ(alignment::strips::run_ceiling_loop(16, 10).cells, 30 * lanes) << set;
    EXPECT_EQ(alignment::strips::run_ceiling_loop(8, 10).cells, 30 * (lanes == 1 ? 1 : 2 * lanes)) << set;
  }
  force_instruction_set("");
}

TEST(SequenceCeiling, CountsTheCellsOfTimeWarping) {
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    EXPECT_EQ(warp::strips::run_ceiling_loop<float>(10).cells, 80.0 * static_cast<double>(warp::strips::lanes<float>()))
        << set;
    EXPECT_EQ(warp::strips::run_ceiling_loop<double>(10).cells,
              80.0 * static_cast<double>(warp::strips::lanes<double>()))
        << set;
  }
  force_instruction_set("");
}

}  // namespace
}  // namespace warpfold::sequence::slices
