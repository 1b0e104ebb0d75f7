#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "papers/papers.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"

/// The names of the algorithms of all families.
namespace warpfold::papers {
namespace {

using Infos = std::vector<AlgorithmInfo>;

std::map<std::string, Infos> all_families() {
  return {{"triangulation", interval::algorithms()},
          {"chain", interval::chain_algorithms()},
          {"tree", interval::tree_algorithms()},
          {"product", minplus::algorithms()},
          {"paths", paths::algorithms()},
          {"recurrence", recurrence::algorithms()},
          {"coins", recurrence::coin_algorithms()},
          {"knapsack", knapsack::algorithms()},
          {"subset sum", knapsack::subset_sum_algorithms()}};
}

bool has(const Infos& infos, const std::string& name, const std::string& device) {
  return std::ranges::any_of(infos,
                             [&](const AlgorithmInfo& info) { return info.name == name && info.device == device; });
}

TEST(AlgorithmNames, AreOnAGpuTheNamesOnTheCpu) {
  for (const auto& [family, infos] : all_families()) {
    for (const AlgorithmInfo& info : infos) {
      EXPECT_TRUE(has(infos, info.name, "cpu")) << family << ": " << info.name << " on " << info.device;
    }
  }
}

TEST(AlgorithmNames, LeaveTheDeviceToItsOwnWord) {
  std::map<std::string, Infos> families = all_families();
  const auto add = [&](const std::string& family, const auto& backends) {
    for (const auto& backend : backends) families[family].push_back(backend.info);
  };
  add("triangulation", triangulation_backends<float>());
  add("recurrence", recurrence_backends<std::int32_t>());
  add("knapsack", packing_backends());
  for (const auto& [family, infos] : families) {
    for (const AlgorithmInfo& info : infos) {
      EXPECT_EQ(info.name.find("cuda"), std::string::npos) << family << ": " << info.name;
      EXPECT_EQ(info.name.find("gpu"), std::string::npos) << family << ": " << info.name;
      EXPECT_EQ(std::ranges::count_if(
                    infos,
                    [&](const AlgorithmInfo& other) { return other.name == info.name && other.device == info.device; }),
                1)
          << family << ": " << info.name;
    }
  }
}

}  // namespace
}  // namespace warpfold::papers
