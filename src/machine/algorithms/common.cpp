#include "machine/algorithms/common.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <random>

#include "core/quantity.hpp"
#include "core/size_text.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::machine {

void check_data(const RunRequest& request, std::uint64_t words) {
  constexpr std::uint64_t bytes_per_word = 40;  // the data, its copy, the simulated memory and the expected result
  check_memory(Options{}, bytes_of(words, bytes_per_word));
  const std::size_t simulated = bytes_of(words, detail::bytes_per_word), most = request.options.max_memory;
  if (most == 0 || simulated <= most) return;
  throw Error(ErrorKind::memory_limit,
              fmt::format("{} would need {}, there is {}", quantity(words, "word"),
                          bytes_text(static_cast<double>(simulated)), bytes_text(static_cast<double>(most))));
}

std::vector<Value> random_values(const RunRequest& request, std::uint64_t n, std::uint64_t seed, std::uint64_t below) {
  check_data(request, n);
  std::mt19937_64 random(seed);
  std::vector<Value> values(n);
  for (Value& value : values) value = static_cast<Value>(random() % below);
  return values;
}

std::vector<Value> words_of(const RunRequest& request) {
  return given_or(request, "words", [&] { return random_values(request, request.n, request.seed); });
}

List words_list() {
  constexpr Value most = std::numeric_limits<std::int32_t>::max();  // 2^32 of them have a sum
  return {"words", "what the array holds", -most, most, "n", one_each};
}

std::vector<std::uint32_t> random_permutation(const RunRequest& request) {
  const auto n = static_cast<std::uint32_t>(request.n);
  check_data(request, n);
  std::mt19937_64 random(request.seed);
  std::vector<std::uint32_t> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0u);
  for (std::uint32_t i = n; i > 1; --i) std::swap(permutation[i - 1], permutation[random() % i]);
  return permutation;
}

void accept_n(const RunRequest& request, bool accepted, const char* what) {
  accept_parameter("n", request.n, accepted, what);
}

void accept_parameter(const char* name, std::uint64_t value, bool accepted, const char* what) {
  if (!accepted) throw Error(ErrorKind::usage, fmt::format("{} is {}: {} is accepted", name, value, what));
}

void accept_warp_of_rows(const Machine& machine) {
  accept_parameter("warp", machine.warp_size(), machine.warp_size() % machine.width == 0, "a multiple of the width");
}

RunResult result_of(const RunRequest& request, const Simulation& simulation, bool correct, std::uint64_t accesses) {
  RunResult result;
  result.report = simulation.report();
  result.correct = correct;
  result.bound = formulas::optimal(request.machine, request.threads, static_cast<double>(accesses));
  result.bound_text = "A/w + A l/p, A = accesses that are needed";
  result.lower_bound = formulas::accesses_lower_bound(request.machine, request.threads, accesses);
  result.lower_bound_text = "max(A/w + l - 1, A l/p)";
  return result;
}

void bound_by_size(RunResult& result, const RunRequest& request) {
  result.bound = formulas::optimal(request.machine, request.threads, static_cast<double>(request.n));
  result.bound_text = "n/w + n l/p";
  if (request.machine.kind == Kind::pram) result.bound_text = "n/p";
  if (request.machine.kind == Kind::bpram) result.bound_text = "n/w + n/p";
}

}  // namespace warpfold::machine
