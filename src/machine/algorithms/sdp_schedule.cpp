#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/sdp.hpp"

namespace warpfold::machine {

void check_offsets(std::span<const std::uint32_t> offsets) {
  if (offsets.empty()) throw Error(ErrorKind::usage, "there are no offsets: at least one is accepted");
  for (std::size_t j = 0; j < offsets.size(); ++j) {
    if (offsets[j] > 0 && (j == 0 || offsets[j] < offsets[j - 1])) continue;
    throw Error(ErrorKind::usage,
                fmt::format("offset {} is {}: offsets above 0 that fall strictly are accepted", j, offsets[j]));
  }
}

std::uint32_t longest_run(std::span<const std::uint32_t> offsets) {
  check_offsets(offsets);
  std::uint32_t longest = 1;
  std::uint32_t run = 1;
  for (std::size_t j = 1; j < offsets.size(); ++j) {
    run = offsets[j - 1] == offsets[j] + 1 ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return longest;
}

std::uint32_t read_collisions(std::span<const std::uint32_t> offsets, std::uint32_t fold) {
  check_offsets(offsets);
  if (fold == 0) throw Error(ErrorKind::usage, "the fold is 0: at least 1 is accepted");
  // The p threads of term q read the p elements that end qp + a_q before the head: how many such ranges overlap?
  std::vector<std::uint64_t> starts;
  for (std::size_t q = 0; q < offsets.size(); ++q) starts.push_back(q * fold + offsets[q]);
  std::ranges::sort(starts);
  std::size_t most = 1;
  for (std::size_t last = 0, first = 0; last < starts.size(); ++last) {
    while (starts[first] + fold <= starts[last]) ++first;
    most = std::max(most, last - first + 1);
  }
  return static_cast<std::uint32_t>(most);
}

std::uint32_t largest_fold(std::span<const std::uint32_t> offsets) {
  check_offsets(offsets);
  const auto k = static_cast<std::uint32_t>(offsets.size());
  std::uint32_t fold = offsets[0] / k;
  for (std::uint32_t q = 1; q < k; ++q) fold = std::min(fold, offsets[q] / (k - q));
  return fold;
}

std::vector<std::uint32_t> random_offsets(std::uint32_t terms, std::uint32_t smallest, std::uint32_t largest,
                                          std::mt19937_64& random) {
  if (terms == 0 || smallest == 0 || largest < smallest || largest - smallest < terms - 1) {
    throw Error(ErrorKind::usage, fmt::format("{} different offsets from {} to {}: 1 or more that are there, above 0, "
                                              "are accepted",
                                              terms, smallest, largest));
  }
  const std::uint32_t count = largest - smallest + 1;
  std::unordered_map<std::uint32_t, std::uint32_t> moved;  // the entries that differ from smallest, smallest + 1, ..
  const auto at = [&](std::uint64_t place) -> std::uint32_t& {
    const auto own = static_cast<std::uint32_t>(place);
    return moved.try_emplace(own, smallest + own).first->second;
  };
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t i = 0; i < terms; ++i) {
    std::swap(at(i), at(i + random() % (count - i)));
    drawn.push_back(at(i));
  }
  std::ranges::sort(drawn, std::greater<>());
  return drawn;
}

}  // namespace warpfold::machine
