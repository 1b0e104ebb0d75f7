#pragma once

#include <memory>
#include <span>

#include "rna/backends.hpp"
#include "rna/circular.hpp"
#include "rna/sum_grammar.hpp"
#include "warpfold/interval/grammar_model.hpp"
#include "warpfold/rna/ensemble.hpp"

namespace warpfold::rna {

/// A sequence with its energies, and what to compute of its ensemble.
struct EnsembleProblem {
  FoldProblem fold;
  const EnsembleRequest& wanted;
  std::size_t points;  ///< as in FoldProblem

  [[nodiscard]] std::size_t max_blocks() const { return fold.max_blocks(points); }
  [[nodiscard]] bool is_only_energy() const { return !wants_marginals() && wanted.samples == 0; }
  /// Whether all that is wanted comes from a GPU that has the tables.
  [[nodiscard]] bool is_only_pairs() const { return wanted.pairs && wanted.max_window == 0 && wanted.samples == 0; }
  /// The most points that a term's interval leaves out on a side. Where bases have to pair, each loop is a term.
  /// Otherwise the small ones are, of three unpaired bases a side at most.
  [[nodiscard]] std::size_t reach() const { return fold.request.constraint.empty() ? 4 : max_loop + 1; }
  [[nodiscard]] bool wants_marginals() const { return wanted.pairs || wanted.max_window > 0; }
  [[nodiscard]] double operations() const;
  [[nodiscard]] double time_units() const;
  [[nodiscard]] double calls() const;
};

/// The weights of the loop through the ends of a circular sequence.
struct CircleWeights {
  CircleWeights(const Sequence& sequence, const FoldProblem& problem, const LoopWeights& weights)
      : twice(sequence, problem.parameters, problem.request_for(sequence.size())),
        twice_weights(twice.energies()),
        loops(weights, twice_weights) {}

  WrittenTwice twice;
  LoopWeights twice_weights;
  LoopThroughEnds<LoopWeights> loops;
};
/// Those of a problem's sequence, or null if it is not circular.
[[nodiscard]] inline std::unique_ptr<const CircleWeights> circle_of(const EnsembleProblem& problem,
                                                                    const Sequence& sequence,
                                                                    const LoopWeights& weights) {
  if (!problem.fold.request.circular) return nullptr;
  return std::make_unique<const CircleWeights>(sequence, problem.fold, weights);
}

using EnsembleBackend = Backend<EnsembleProblem, EnsembleProblem, Ensemble>;

/// The backend "tiled": the grammar by tiles.
[[nodiscard]] Ensemble ensemble_tiled(const EnsembleProblem& problem, Context& context);
[[nodiscard]] std::size_t ensemble_tiled_bytes(const EnsembleProblem& problem, const Options& options);

/// The same with the grammar's tables from a GPU.
[[nodiscard]] Ensemble ensemble_on_gpu(const EnsembleProblem& problem, Context& context);
[[nodiscard]] std::size_t ensemble_on_gpu_bytes(const EnsembleProblem& problem, const Options& options);
[[nodiscard]] std::size_t ensemble_device_bytes(const EnsembleProblem& problem, const Options& options);

/// The backend "reference": McCaskill's recurrence as it is written and its derivative, one thread. It draws no
/// samples.
[[nodiscard]] Ensemble ensemble_by_reference(const EnsembleProblem& problem, Context& context);
[[nodiscard]] std::size_t ensemble_reference_bytes(const EnsembleProblem& problem, const Options& options);

namespace cuda {

/// Fills the tables of a sequence's sums on a GPU by at most so many blocks, and copies them to the host.
template <bool lone_pairs>
[[nodiscard]] interval::GrammarTables<SumGrammar<lone_pairs>> sum_tables(const LoopWeights& weights, std::size_t points,
                                                                         std::size_t max_blocks, Context& context);
/// Fills them, and returns the weight of all structures.
template <bool lone_pairs>
[[nodiscard]] Scaled sum_of_all(const LoopWeights& weights, std::size_t points, std::size_t max_blocks,
                                Context& context);
/// The bytes of the GPU for either.
template <bool lone_pairs>
[[nodiscard]] std::size_t bytes_of_sum_tables(std::size_t points, double kt);

/// The weight of all structures, and the pairs of an ensemble (list_pairs).
struct PairSums {
  Scaled whole;
  Ensemble pairs;
};
/// Fills the tables, and computes both. `reach`: the most points that a term's interval leaves out on a side.
template <bool lone_pairs>
[[nodiscard]] PairSums pair_sums(const LoopWeights& weights, std::size_t points, std::size_t max_blocks,
                                 std::size_t reach, double threshold, Context& context);
/// The bytes of the GPU for these besides those of the tables.
template <bool lone_pairs>
[[nodiscard]] std::size_t bytes_of_pair_sums(std::size_t points, std::size_t reach);

}  // namespace cuda

/// The ensemble's pairs, unpaired bases and centroid; probability(i, j) of the bases i < j.
template <class Probability>
void list_pairs(Ensemble& ensemble, std::size_t bases, double threshold, const Probability& probability) {
  ensemble.unpaired.assign(bases, 1);
  ensemble.centroid.assign(bases, '.');
  for (std::size_t i = 0; i < bases; ++i) {
    for (std::size_t j = i + 1; j < bases; ++j) {
      const double found = probability(i, j);
      if (found == 0) continue;
      ensemble.unpaired[i] -= found;
      ensemble.unpaired[j] -= found;
      if (found >= threshold) {
        ensemble.pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), found});
      }
      if (found > 0.5) {
        ensemble.centroid[i] = '(';
        ensemble.centroid[j] = ')';
      }
    }
  }
  for (double& unpaired : ensemble.unpaired) unpaired = std::max(0.0, unpaired);
}

}  // namespace warpfold::rna
