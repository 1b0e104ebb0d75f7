#include "warpfold/permutation/plan.hpp"

#include <fmt/format.h>

#include <sstream>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/permutation/coloring.hpp"
#include "warpfold/permutation/stored_plan.hpp"

namespace warpfold::fuzz {
namespace {

using Permutation = std::vector<std::uint32_t>;

Permutation drawn(Bytes& bytes) {
  const std::size_t words = bytes.below(bytes.pick({5, 70, 1100, 5000}));
  return drawn_order<std::uint32_t>(bytes, words, bytes.one_in(3) ? bytes.below(words + 1) : words);
}

/// Every word is moved once, and never together with another word of the same source or destination bank.
void expect_free_of_conflicts(const Permutation& permutation, std::uint32_t width, std::uint64_t seed,
                              const std::string& text) {
  const auto schedule = permutation::conflict_free_schedule(permutation, width, seed);
  const std::size_t least = (permutation.size() + width - 1) / width;
  expect(schedule.rounds() == least, text + ": too many rounds");
  expect(permutation::write_stages(permutation, schedule.sources, width) == least, text + ": a conflict");
  std::vector<bool> moved(permutation.size(), false);
  for (std::size_t at = 0; at < schedule.sources.size(); ++at) {
    const std::uint32_t source = schedule.sources[at];
    if (source == permutation::idle) continue;
    expect(source % width == at % width && !moved.at(source), text + ": a word in another lane, or twice");
    moved[source] = true;
  }
  expect(std::find(moved.begin(), moved.end(), false) == moved.end(), text + ": a word that does not move");
}

template <class T>
void expect_moved(Bytes& bytes, const Permutation& permutation, std::uint64_t seed, const std::string& text) {
  std::vector<T> from(permutation.size()), expected(from.size());
  for (T& x : from) x = static_cast<T>(bytes.below(1 << 20));
  for (std::size_t i = 0; i < from.size(); ++i) expected[permutation[i]] = from[i];
  const auto plan = permutation::plan_three_steps(permutation, seed);
  expect_runs_alike(text, bits(expected), {""}, [&](const Options& options) {
    std::vector<T> to(from.size()), spare(permutation::spare_words(plan));
    permutation::move<T>(plan, from, to, spare, options.threads);
    return bits(to);
  });
}

/// A plan that a file has kept moves as the permutation does, both ways.
void expect_kept(Bytes& bytes, const Permutation& permutation, const std::string& text) {
  const std::string algorithm = bytes.pick({"scatter", "gather", "two-passes", "three-steps", ""});
  std::ostringstream out;
  permutation::plan_to_store(permutation, algorithm).write(out);
  const auto plan = permutation::StoredPlan::parse("p.plan", out.str());
  expect(plan.permutation() == permutation, text + ": another plan in the file, " + algorithm);
  std::vector<std::uint32_t> to(permutation.size());
  std::vector<std::byte> spare(plan.spare_bytes(sizeof(std::uint32_t)));
  plan.move(sizeof(std::uint32_t), reinterpret_cast<const std::byte*>(permutation.data()),
            reinterpret_cast<std::byte*>(to.data()), spare);
  for (std::size_t i = 0; i < to.size(); ++i) {
    expect(to[permutation[i]] == permutation[i], text + ": a word at a wrong place, " + algorithm);
  }
}

void color(Bytes& bytes, std::uint64_t seed) {
  const auto nodes = static_cast<std::uint32_t>(1 + bytes.below(60));
  std::vector<std::uint32_t> left, right;
  const std::uint64_t degree = bytes.below(12);
  for (std::uint64_t k = 0; k < degree; ++k) {  // a union of matchings
    const auto shift = static_cast<std::uint32_t>(bytes.below(nodes));
    for (std::uint32_t v = 0; v < nodes; ++v) left.push_back(v), right.push_back((v + shift) % nodes);
  }
  const auto colors = permutation::color_edges(left, right, nodes, seed);
  expect(permutation::is_edge_coloring(left, right, nodes, colors), fmt::format("{} nodes of {}", nodes, degree));
}

void move_all(Bytes& bytes) {
  const Permutation permutation = drawn(bytes);
  const std::uint64_t seed = bytes.below(1000);
  const auto width = static_cast<std::uint32_t>(1 + bytes.below(bytes.pick({2, 33, 70})));
  const std::string text = fmt::format("permutation of {} words, {} banks", permutation.size(), width);
  expect_free_of_conflicts(permutation, width, seed, text);
  expect_moved<std::uint32_t>(bytes, permutation, seed, text);
  expect_moved<double>(bytes, permutation, seed, text);
  expect_kept(bytes, permutation, text);
  color(bytes, seed);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, warpfold::fuzz::move_all);
}
