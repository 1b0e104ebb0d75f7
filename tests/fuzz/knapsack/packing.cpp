#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::fuzz {
namespace {

using knapsack::Item;
using knapsack::Kind;
using knapsack::Problem;

Problem drawn(Bytes& bytes, bool large = false) {
  const Kind kind = bytes.pick({Kind::zero_one, Kind::bounded, Kind::unbounded});
  const std::int64_t max_weight = bytes.pick<std::int64_t>({3, 40, 2000});
  const std::int64_t max_value = bytes.pick<std::int64_t>({2, 60, 1'000'000'000});
  const bool alike = bytes.one_in(4);  // values that follow the weights are hard for bounds
  const std::size_t n = large ? bytes.large_size() : bytes.below(bytes.pick({6, 20, 60}));
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t weight = bytes.between(kind == Kind::unbounded ? 1 : 0, max_weight);
    items.push_back({alike ? weight + max_weight / 10 : bytes.between(0, max_value), weight,
                     kind == Kind::bounded ? bytes.between(0, bytes.pick<std::int64_t>({1, 9, 40})) : 1});
  }
  const std::int64_t capacity =
      large ? bytes.between(5000, 40'000) : bytes.between(0, bytes.pick<std::int64_t>({0, 70, 700, 3000}));
  return stated([&] { return Problem(kind, std::move(items), capacity); });
}

std::int64_t value(const Problem& problem) { return solve(problem).solution.value; }

void expect_laws(Bytes& bytes, const std::string& text, const Problem& problem) {
  const std::int64_t expected = value(problem);
  std::vector<Item> items = shuffled(bytes, problem.items());
  expect(value(Problem(problem.kind(), items, problem.capacity())) == expected, text + ", items in another order");
  const std::int64_t heavier = bytes.between(1, 5), dearer = bytes.between(1, 5);
  for (Item& item : items) item.weight *= heavier;
  const std::int64_t capacity = heavier * problem.capacity();
  expect(value(Problem(problem.kind(), items, capacity + bytes.between(0, heavier - 1))) == expected,
         fmt::format("{}, of {} times the weight", text, heavier));
  for (Item& item : items) item.value *= dearer;
  expect(value(Problem(problem.kind(), items, capacity)) == dearer * expected,
         fmt::format("{}, of {} times the value", text, dearer));
}

/// A table that is halved because of a memory limit, if it can be.
void expect_halved_alike(const std::string& text, const Problem& problem, const std::string& dtype,
                         std::size_t max_memory) {
  const auto halved = [&](Options options) {
    options.max_memory = max_memory;
    const auto solution = solve(problem, options, {true, dtype}).solution;
    expect(verify(problem, solution), text);
    expect(solution.value == value(problem), text + ": another value");
    return bits(solution.copies);
  };
  const std::string expected = answer([&] { return halved(by("table")); });
  if (!expected.starts_with("error ")) expect_alike(text, expected, {"table"}, halved);
}

/// Several packings may be optimal. The table gives the same one on every device (for 0-1 items the reference's); the
/// core may give another. Without a name, it is that of the algorithm that ran; on a GPU, the table's.
void expect_packings_alike(const std::string& text, const Problem& problem, const std::string& dtype) {
  const auto packed = [&](const Options& options) {
    return bits(solve(problem, options, {true, dtype}).solution.copies);
  };
  const auto [solution, report] = solve(problem, by("table"), {true, dtype});
  const std::string of_table = bits(solution.copies);
  if (problem.kind() == Kind::zero_one) expect_same(packed(by("reference")), of_table, text + " by 'table'");
  std::vector<std::string> tables = {"table"}, cores = {"core"};
  const std::string chosen = solve(problem, by(""), {true, dtype}).report.algorithm;
  (chosen == "core" ? cores : tables).emplace_back("");
  expect_alike(text, of_table, tables, packed);
  if (problem.kind() == Kind::unbounded) return;
  expect_alike(text, packed(by("core")), cores, packed, "core");
  expect_halved_alike(text + ", halved", problem, dtype, report.peak_bytes - 1);
}

std::string name_of(const Problem& problem) {
  return fmt::format("knapsack of {} items, kind {}, capacity {}", problem.items().size(),
                     static_cast<int>(problem.kind()), problem.capacity());
}

void pack_large(Bytes& bytes) {
  const Problem problem = drawn(bytes, true);
  expect_large_alike(name_of(problem), "table", [&](const Options& options) {
    const auto solution = solve(problem, options, {true, ""}).solution;
    expect(verify(problem, solution), name_of(problem));
    return bits(solution.value, solution.copies, every_capacity(problem, options, {false, ""}).solution.values);
  });
}

void pack(Bytes& bytes) {
  if (is_large(bytes)) return pack_large(bytes);
  const Problem problem = drawn(bytes);
  const std::string text = name_of(problem);
  std::vector<std::string> algorithms = {"table", ""};
  if (problem.kind() != Kind::unbounded) algorithms.emplace_back("core");
  for (const std::string dtype : {"", "i64"}) {
    const auto worth = [&](const Options& options) {
      const auto solution = solve(problem, options, {true, dtype}).solution;
      expect(verify(problem, solution), text + " by '" + options.algorithm + "'");
      expect(solve(problem, options, {false, dtype}).solution.value == solution.value, text + ": the value alone");
      return bits(solution.value);
    };
    expect_alike(text, answer([&] { return worth(by("reference")); }), algorithms, worth);
    expect_packings_alike(text + ", packing", problem, dtype);
    const auto every = [&](const Options& options) {
      return bits(every_capacity(problem, options, {false, dtype}).solution.values);
    };
    expect_alike(text + ", every capacity", answer([&] { return every(by("reference")); }), {"table"}, every);
  }
  expect_laws(bytes, text, problem);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, warpfold::fuzz::pack);
}
