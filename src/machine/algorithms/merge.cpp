#include <algorithm>
#include <bit>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// A sorted half of the words: the places `first` .. `first` + `size` - 1.
struct Half {
  std::uint64_t first, size;
};

/// Returns how many words of a half are before x: those below it, and the equal ones if x is of the second half. All
/// threads take the same number of steps.
Program rank_in(Array<Value> probed, Half half, Value x, bool counts_equal, std::uint64_t* rank) {
  std::uint64_t low = 0, high = half.size;
  for (auto step = std::bit_width(half.size); step > 0; --step) {
    if (low == high) {
      co_await skip();
      continue;
    }
    const std::uint64_t middle = (low + high) / 2;
    const Value y = co_await probed.read(half.first + middle);
    (y < x || (counts_equal && y == x) ? low : high) = y < x || (counts_equal && y == x) ? middle + 1 : middle;
  }
  *rank = low;
}

/// A thread for each word: its place in the result is its place in its own half plus its rank in the other one.
Program merge_by_ranks(Thread pe, Array<Value> a, Array<Value> probed, Array<Value> out) {
  const std::uint64_t n = a.size(), middle = (n + 1) / 2;
  for (std::uint64_t i = pe.id; i < n; i += pe.count) {
    const bool is_second = i >= middle;
    const Half other = is_second ? Half{0, middle} : Half{middle, n - middle};
    const Value x = co_await a.read(i);
    std::uint64_t rank = 0;
    co_await rank_in(probed, other, x, is_second, &rank);
    co_await out.write(i - (is_second ? middle : 0) + rank, x);
  }
}

RunResult run_merge(const RunRequest& request) {
  accept_n(request, request.n >= 1, "1 or more words");
  auto values = words_of(request);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
  if (request.list("words") == nullptr) {
    std::sort(values.begin(), middle);
    std::sort(middle, values.end());
  }
  if (!std::is_sorted(values.begin(), middle) || !std::is_sorted(middle, values.end())) {
    throw Error(ErrorKind::input,
                "words: a half is not sorted: two sorted halves, the first at least as long, are accepted");
  }
  auto merged = values;
  std::inplace_merge(merged.begin(), merged.begin() + (middle - values.begin()), merged.end());
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto out = simulation.array<Value>("out", values.size());
  const auto probed = simulation.named(a, "a, probed");
  simulation.run([&](Thread pe) { return merge_by_ranks(pe, a, probed, out); });
  const auto found = simulation.values(out);
  RunResult result = result_of(request, simulation, found == merged, 2 * request.n);
  result.inputs["words"] = values;
  result.outputs["out"] = found;
  result.bound = formulas::list_ranking_bound(request.machine, request.threads, request.n);
  result.bound_text = formulas::has_latency(request.machine) ? "(n + n l/p + l) log n" : "(n/p + 1) log n";
  return result;
}

}  // namespace

Algorithm merge() {
  return {"merge",
          "Merges the two sorted halves of n words: a thread for each word finds its rank in the other half by binary "
          "search.",
          "the PRAM's algorithm of textbooks; future work of Memory machines 2012, section VII",
          run_merge,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
