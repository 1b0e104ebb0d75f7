#include <fmt/format.h>

#include <numeric>
#include <random>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// Returns a random permutation of each row of `width` words within itself.
std::vector<std::uint32_t> random_rows(const RunRequest& request) {
  std::mt19937_64 random(request.seed);
  std::vector<std::uint32_t> destination(request.n);
  std::iota(destination.begin(), destination.end(), 0u);
  const std::uint32_t width = request.machine.width;
  for (std::size_t first = 0; first < destination.size(); first += width) {
    for (std::size_t i = width; i > 1; --i) {
      std::swap(destination[first + i - 1], destination[first + random() % i]);
    }
  }
  return destination;
}

/// Raises Error{input} for a word that leaves its row.
void accept_rows(const std::vector<std::uint32_t>& destination, std::uint64_t width) {
  for (std::size_t i = 0; i < destination.size(); ++i) {
    const std::uint64_t first = i / width * width;
    if (destination[i] / width * width == first) continue;
    throw Error(ErrorKind::input,
                fmt::format("entry {} of permutation is {}: {} to {}, the row of width {}, is accepted", i,
                            destination[i], first, first + width - 1, width));
  }
}

Program permute(Thread pe, Array<Value> a, const std::vector<std::uint32_t>* destination) {
  co_await phase("rows");
  co_await move_within_rows(pe, a, destination);
}

RunResult run_permute_rows(const RunRequest& request) {
  const std::uint64_t width = request.machine.width;
  accept_warp_of_rows(request.machine);
  accept_n(request, request.n > 0 && request.n % width == 0, "a multiple of the width");
  const auto destination = request.list("permutation") != nullptr ? permutation_of(request) : random_rows(request);
  accept_rows(destination, width);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  simulation.run([&](Thread pe) { return permute(pe, a, &destination); });
  RunResult result = permute_result(request, simulation, a, values, destination);
  result.formula = 2 * formulas::contiguous(request.machine, request.threads, request.n);
  result.formula_text = "2 (ceil(n/w) + ceil(n/p) (l - 1))";
  return result;
}

}  // namespace

Algorithm permute_rows() {
  return {"permute-rows",
          "Permutes each row of w words of an array of n words within itself.",
          "Memory machines 2012, section VI, the row-wise permutation algorithm",
          run_permute_rows,
          {Kind::dmm, Kind::umm, Kind::hmm},
          false,
          {},
          permute_lists("where the word at each place goes, within its row of w places")};
}

}  // namespace warpfold::machine
