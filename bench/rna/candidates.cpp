// Would a folding gain if only those branches of multiloops were split off that no other structure replaces?
//
// The branch of base i and the branches after it are the stems (i,k) and (k,j). If (i,k) as one branch is no less than
// another structure of (i,k), a split at another place gives the value, too. So only candidates are needed: stems whose
// least energy is that of one branch alone. Here the products of the tiles of a filled table are added twice, by all
// stems as the solver adds them, and by the candidates of each row.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "../question.hpp"
#include "problems.hpp"
#include "rna/folding_rows.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/tiles/tile_operations.hpp"

namespace {

using namespace warpfold;
using rna::Energy;
using Grammar = rna::RowFolding<true>;

constexpr std::size_t side = tiles::tile_side;

/// The filled tables of a sequence, with the candidates of each row of each tile.
class Candidates {
 public:
  explicit Candidates(std::size_t n)
      : energies_(sequence(n), rna::rules_1998(), {}),
        rows_(rna::FoldingRows::of(energies_)),
        grammar_{{energies_}, rows_.get()},
        tables_(interval::solve_grammar(grammar_, n + 1).solution),
        tiles_((n + side) / side) {
    for (std::size_t i = 0; i <= n; ++i) list_row(i, n);
  }

  [[nodiscard]] std::size_t tiles() const { return tiles_; }
  [[nodiscard]] std::size_t count() const { return listed_.size(); }
  [[nodiscard]] const Energy* stems(std::size_t i, std::size_t j) const {
    return tables_.table(Grammar::stems).tile(i, j);
  }
  /// Those of row i with k in tile `tile_k`.
  [[nodiscard]] std::span<const tiles::WeightAt<Energy>> of(std::size_t i, std::size_t tile_k) const {
    const std::size_t* first = &first_[i * (tiles_ + 1) + tile_k];
    return {listed_.data() + first[0], first[1] - first[0]};
  }
  /// Whether splits at candidates give the table's value of two branches or more.
  [[nodiscard]] bool give(std::size_t i, std::size_t j) const {
    Energy least = Grammar::Semiring::zero();
    for (std::size_t before = i; before < j; ++before) {
      const Energy unpaired = static_cast<Energy>(before - i) * energies_.multi_base();
      for (std::size_t tile = before / side; tile < tiles_; ++tile) {
        for (const auto& [branch, offset] : of(before, tile)) {
          const std::size_t k = tile * side + static_cast<std::size_t>(offset) / side;
          if (k >= j) break;
          const Energy rest = tables_.value(Grammar::stems, k, j);
          if (rest < rna::no_loop) least = std::min(least, unpaired + branch + rest);
        }
      }
    }
    return least == tables_.value(Grammar::branches, i, j);
  }

 private:
  static const rna::Sequence& sequence(std::size_t n) {
    static std::vector<std::unique_ptr<rna::Sequence>> all;  // the energies refer to it
    return *all.emplace_back(std::make_unique<rna::Sequence>(bench::drawn_sequence(n)));
  }
  [[nodiscard]] bool is_candidate(std::size_t i, std::size_t j, Energy branch) const {
    const Energy base = energies_.multi_base();
    return branch == tables_.value(Grammar::stems, i, j) && branch < tables_.value(Grammar::stems, i + 1, j) + base &&
           branch < tables_.value(Grammar::stems, i, j - 1) + base && branch < tables_.value(Grammar::branches, i, j);
  }
  void list_row(std::size_t i, std::size_t n) {
    for (std::size_t tile = 0; tile < tiles_; ++tile) {
      first_.push_back(listed_.size());
      for (std::size_t k = std::max(tile * side, i + 5); k < std::min(n, (tile + 1) * side); ++k) {
        if (i == 0 || energies_.kind(i, k - 1) == rna::pair_kinds) continue;
        const Energy inside = tables_.value(Grammar::helix, i, k);
        if (inside >= rna::no_loop) continue;
        const Energy branch = inside + energies_.multi_branch(i, k - 1);
        if (is_candidate(i, k, branch)) listed_.push_back({branch, static_cast<std::ptrdiff_t>(k % side * side)});
      }
    }
    first_.push_back(listed_.size());
  }

  rna::LoopEnergies energies_;
  std::unique_ptr<rna::FoldingRows> rows_;
  Grammar grammar_;
  interval::GrammarTables<Grammar> tables_;
  std::size_t tiles_;
  std::vector<tiles::WeightAt<Energy>> listed_;
  std::vector<std::size_t> first_;  ///< of each row, by tiles: the place of its first candidate
};

/// Adds all products of tiles, by `add(c, I, K, J)`.
template <class Add>
void add_products(std::size_t tiles, const Add& add) {
  TileStorage<Energy> sums(side * side);
  for (std::size_t i = 0; i < tiles; ++i) {
    for (std::size_t j = i + 2; j < tiles; ++j) {
      std::fill_n(sums.data(), side * side, Grammar::Semiring::zero() / 2);
      for (std::size_t k = i + 1; k < j; ++k) add(sums.data(), i, k, j);
    }
  }
}

void measure_length(std::size_t n, int repeats) {
  const Candidates of(n);
  const auto operations = tiles::tile_operations<MinPlus<Energy>>();
  const auto all = [&](Energy* sums, std::size_t i, std::size_t k, std::size_t j) {
    const std::size_t next = k + 1 < j ? k + 1 : k;
    operations.product(sums, of.stems(i, k), of.stems(k, j), {}, of.stems(i, next), of.stems(next, j));
  };
  double terms = 0;
  const auto few = [&](Energy* sums, std::size_t i, std::size_t k, std::size_t j) {
    for (std::size_t row = 0; row < side; ++row) {
      const auto listed = of.of(i * side + row, k);
      if (listed.empty()) continue;
      operations.rows.convolve(sums + row * side, of.stems(k, j), listed.data(), listed.size(), side);
      terms += static_cast<double>(listed.size() * side);
    }
  };
  Options options;
  options.threads = 1;
  options.device = parse_device("cpu");
  const rna::Sequence sequence = bench::drawn_sequence(n);
  const bench::Timing folding =
      bench::measure(repeats, [&] { static_cast<void>(rna::fold(sequence, rna::rules_1998(), options)); });
  const bench::Timing by_all = bench::measure(repeats, [&] { add_products(of.tiles(), all); });
  const bench::Timing by_few = bench::measure(repeats, [&] { terms = 0, add_products(of.tiles(), few); });
  bench::Json row = bench::row("products by candidates", {{"n", n}, {"threads", 1}}, by_few, terms, 0);
  const double intervals = static_cast<double>(n) * static_cast<double>(n + 1) / 2;
  row["share_of_intervals"] = static_cast<double>(of.count()) / intervals;
  row["seconds_of_all_products"] = by_all.median_seconds;
  row["times_as_fast"] = by_all.median_seconds / by_few.median_seconds;
  row["seconds_of_folding"] = folding.median_seconds;
  row["predicted_times_as_fast"] =
      folding.median_seconds / (folding.median_seconds - by_all.median_seconds + by_few.median_seconds);
  bench::keep(std::move(row));
}

void measure_candidates(const bench::Arguments&) {
  const std::size_t small = 200;
  const Candidates of(small);
  for (std::size_t i = 1; i < small; ++i) {
    for (std::size_t j = i + 1; j < small; ++j) bench::require(of.give(i, j), "candidates miss a split");
  }
  measure_length(1000, 9);
  measure_length(4000, 9);
}

const bench::Question candidates_question("candidates", measure_candidates);

}  // namespace
