#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/coloring.hpp"

namespace warpfold::machine {

namespace {

/// One pass over the whole array: it permutes every row of w words within itself, or transposes every matrix of `side`
/// x `side` words.
struct Pass {
  std::uint64_t side = 0;              ///< 0: a pass over rows
  std::vector<std::uint32_t> targets;  ///< of a pass over rows: where the word at each place goes
};

/// The passes that permute an array of w^(2^m) words. In the paper groups of threads recur into their rows. Here all
/// threads take each pass of the recursion together, at the same cost.
class PassPlan {
 public:
  PassPlan(const std::vector<std::uint32_t>& destination, const RunRequest& request)
      : width_(request.machine.width),
        as_printed_(request.as_printed),
        seed_(request.seed),
        given_(request.list("coloring")),
        word_at_(destination.size()) {
    std::iota(word_at_.begin(), word_at_.end(), 0u);
    within_rows(destination.size(), destination);
  }

  [[nodiscard]] const std::vector<Pass>& passes() const { return passes_; }
  /// The color of each word; of n = w^2 words only.
  [[nodiscard]] const std::vector<std::uint32_t>& coloring() const { return coloring_; }

 private:
  /// Moves every word to its target in the same row of `length` words, as the simulated array will. Of two words with
  /// one target the lower thread's stays. A place that nobody writes keeps its word.
  void within_rows(std::uint64_t length, std::vector<std::uint32_t> targets) {
    if (length == width_) {
      const auto before = word_at_;
      for (std::size_t place = targets.size(); place-- > 0;) word_at_[targets[place]] = before[place];
      passes_.push_back({0, std::move(targets)});
      return;
    }
    // A row of `length` words is a matrix. `to` is each word's final place in it.
    const auto to = by_word(targets);
    const auto side = static_cast<std::uint32_t>(std::llround(std::sqrt(static_cast<double>(length))));
    const auto color = colors(targets, length, side);
    if (side == width_ && targets.size() == length) coloring_ = color;
    step(side, by_word(color), [&](std::uint32_t word_color) { return word_color; });
    transpose(length, side);
    step(side, to, [&](std::uint32_t target) { return target % length / side; });
    transpose(length, side);
    step(side, to, [&](std::uint32_t target) { return target % side; });
  }

  /// Moves the words within their rows of `side` words to the columns that `column_of` gives for a word's entry.
  template <class F>
  void step(std::uint32_t side, const std::vector<std::uint32_t>& of_word, F column_of) {
    std::vector<std::uint32_t> targets(word_at_.size());
    for (std::uint32_t place = 0; place < targets.size(); ++place) {
      targets[place] = place / side * side + static_cast<std::uint32_t>(column_of(of_word[word_at_[place]]));
    }
    within_rows(side, std::move(targets));
  }

  void transpose(std::uint64_t length, std::uint32_t side) {
    const auto before = word_at_;
    for (std::uint64_t place = 0; place < before.size(); ++place) {
      const std::uint64_t row = place % length / side, column = place % side;
      word_at_[place / length * length + column * side + row] = before[place];
    }
    passes_.push_back({side, {}});
  }

  /// Converts values that belong to places to values that belong to the words there.
  [[nodiscard]] std::vector<std::uint32_t> by_word(const std::vector<std::uint32_t>& of_place) const {
    std::vector<std::uint32_t> of_word(of_place.size());
    for (std::size_t place = 0; place < of_place.size(); ++place) of_word[word_at_[place]] = of_place[place];
    return of_word;
  }

  /// Returns a color for every place. Each matrix's bipartite graph is colored on its own. Its nodes are source rows
  /// (as printed, source columns) and destination rows.
  [[nodiscard]] std::vector<std::uint32_t> colors(const std::vector<std::uint32_t>& targets, std::uint64_t length,
                                                  std::uint32_t side) const {
    std::vector<std::uint32_t> result, left(length), right(length);
    for (std::uint64_t first = 0; first < targets.size(); first += length) {
      for (std::uint32_t q = 0; q < length; ++q) {
        left[q] = as_printed_ ? q % side : q / side;
        right[q] = static_cast<std::uint32_t>((targets[first + q] - first) / side);
      }
      const auto color =
          given_ != nullptr ? given_colors(left, right, side) : permutation::color_edges(left, right, side, seed_);
      result.insert(result.end(), color.begin(), color.end());
    }
    return result;
  }

  [[nodiscard]] std::vector<std::uint32_t> given_colors(const std::vector<std::uint32_t>& left,
                                                        const std::vector<std::uint32_t>& right,
                                                        std::uint32_t side) const {
    std::vector<std::uint32_t> color(given_->begin(), given_->end());
    if (permutation::is_edge_coloring(left, right, side, color)) return color;
    throw Error(ErrorKind::input,
                fmt::format("coloring has words of one {} or of one destination row in one color: 0 .. "
                            "{}, each once, are accepted",
                            as_printed_ ? "source column" : "row", side - 1));
  }

  std::uint64_t width_;
  bool as_printed_;
  std::uint64_t seed_;
  const std::vector<std::int64_t>* given_;  ///< null: the coloring is found here
  std::vector<std::uint32_t> word_at_, coloring_;
  std::vector<Pass> passes_;
};

Program permute(Thread pe, Array<Value> a, std::uint32_t width, const std::vector<Pass>* passes) {
  for (const Pass& pass : *passes) {
    if (pass.side > 0) {
      co_await phase("transposes");
      co_await rotating_transpose(pe, a, width, pass.side);
      continue;
    }
    co_await phase("rows");
    co_await move_within_rows(pe, a, &pass.targets);
  }
}

bool is_repeated_square(std::uint64_t n, std::uint64_t width) {
  if (width < 2) return false;
  std::uint64_t size = width;
  while (size < n && size <= (std::uint64_t{1} << 16)) size *= size;
  return size == n;
}

RunResult run_permute_umm(const RunRequest& request) {
  const std::uint32_t width = request.machine.width;
  accept_warp_of_rows(request.machine);
  accept_n(request, is_repeated_square(request.n, width), "w, w^2, w^4, .. for a width w of 2 or more");
  accept_n(request, !request.as_printed || request.n <= std::uint64_t{width} * width,
           "w or w^2 for the printed form, whose lost words leave nothing to color in a recursion");
  const auto destination = permutation_of(request);
  accept_n(request, request.list("coloring") == nullptr || request.n == std::uint64_t{width} * width,
           "w^2 for a given coloring");
  const PassPlan plan(destination, request);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  simulation.run([&](Thread pe) { return permute(pe, a, width, &plan.passes()); });
  RunResult result = permute_result(request, simulation, a, values, destination);
  if (!plan.coloring().empty()) result.inputs["coloring"].assign(plan.coloring().begin(), plan.coloring().end());
  if (!request.as_printed) {
    result.formula = formulas::permute_umm(request.machine, request.threads, request.n);
    result.formula_text = "3^m passes over rows of w and 2 * 3^(m-k) transposes of side w^(2^(k-1)), k = 1 .. m";
  }
  return result;
}

}  // namespace

Algorithm permute_umm() {
  auto lists = permute_lists();
  lists.push_back(
      {"coloring", "column to which Step 1 moves each word, for n = w^2", 0, (Value{1} << 31) - 1, "n", one_each});
  return {"permute-umm",
          "Moves n = w^(2^m) words along a permutation by passes over rows and transposes; as printed, the colored "
          "graph has source columns, and words get lost.",
          "Memory machines 2012, section VI, Lemma 7 and Theorem 8",
          run_permute_umm,
          {Kind::dmm, Kind::umm, Kind::hmm},
          true,
          {},
          std::move(lists)};
}

}  // namespace warpfold::machine
