#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/rna/fold.hpp"

/// All secondary structures of an RNA sequence at once: each has the probability exp(-energy / kT) / Z.
namespace warpfold::rna {

/// What to compute of an ensemble, besides its energy.
struct EnsembleRequest {
  bool pairs = true;        ///< the probabilities of pairs, the unpaired bases, and the centroid
  double threshold = 1e-5;  ///< the least probability of a pair that is listed, 0 to 1
  std::size_t samples = 0;  ///< the number of structures to draw
  std::uint64_t seed = 0;   ///< of the samples
  /// The most bases of a window whose probability to be unpaired is computed; 0: none.
  std::size_t max_window = 0;
};

/// A pair of bases, from 0, with its probability.
struct PairProbability {
  std::uint32_t i, j;
  double probability;

  bool operator==(const PairProbability&) const = default;
};

/// All structures of a sequence, each weighted by exp(-energy / kT).
struct Ensemble {
  double energy = 0;                     ///< -kT ln Z, in kcal/mol
  std::vector<PairProbability> pairs{};  ///< by the first base, then by the second
  std::vector<double> unpaired{};        ///< for each base the probability that it does not pair
  std::string centroid{};                ///< the pairs with a probability above 1/2
  std::vector<std::string> samples{};    ///< structures in dot-bracket notation
  /// The probabilities that windows are unpaired, n x max_window: in row t and column u - 1 that base t and the u - 1
  /// bases before it are all unpaired; NaN if there are fewer bases.
  std::vector<double> accessibility{};
};

/// Computes the ensemble of a sequence:
///
///     Z = sum over all structures of exp(-energy(structure) / kT),   kT = 1.98717e-3 kcal/mol/K (temperature + 273.15)
///
/// Energies are those of `fold`, with one difference: the energy of a hairpin of more than 30 bases is not rounded to
/// 0.01 kcal/mol. Sums have the relative error of a double's, whatever the length: each tile of 64 x 64 intervals has
/// an exponent. Helices may gain up to 7.5 bits a base (tile_scales.hpp); those of G and C of rules_1998 gain 3.8 bits
/// at 37 degrees, and 7.3 at -20. Where weights are below the range of their tile, two more solves bound what
/// structures with such weights add to Z. Up to 2^-40 of Z these are left out. More is an error, never 0. That takes a
/// helix of some 130 pairs of G and C or more, unpaired bases on both sides of it, and around these other pairs that
/// matter. The result has the same bits on GPUs and CPUs, for every number of threads and every instruction set. A
/// sample depends on the sequence, the seed and its number alone.
///
/// Options::checkpointer saves the tables on the CPU.
///
/// Raises what `fold` raises. Raises Error{usage} for a threshold outside 0 to 1, and for windows of a circular
/// sequence, and Error{input} for weights out of that range. The algorithm reference takes these, without samples and
/// windows. A GPU leaves to the CPU what is out of its own, 3.9 bits a base, and Report::fallback_reason says so.
///
/// Cost for n bases: n^3/6 multiplications and additions, and three times as many with pairs; 20 n*n bytes. Windows
/// take 36 n*n bytes, the interior loops of all pairs once more, and n/2 operations each. A GPU computes
/// energies and pairs, which take 28 n*n bytes. Samples and windows are computed by the CPU from a copy of the tables.
[[nodiscard]] Outcome<Ensemble> ensemble(const Sequence& sequence, const Parameters& parameters,
                                         const Options& options = {}, const FoldRequest& request = {},
                                         const EnsembleRequest& wanted = {});

/// Computes the ensembles of many sequences in their order, each by one thread, or eight at one time on a GPU that the
/// options name. `constraints` as in fold_each. Raises what `ensemble` raises.
[[nodiscard]] Outcome<std::vector<Ensemble>> ensemble_each(std::span<const Sequence> sequences,
                                                           const Parameters& parameters, const Options& options = {},
                                                           const FoldRequest& request = {},
                                                           const EnsembleRequest& wanted = {},
                                                           std::span<const std::string> constraints = {});

/// Estimates the time and memory of `ensemble`.
[[nodiscard]] Estimate estimate_ensemble(const Sequence& sequence, const Parameters& parameters,
                                         const Options& options = {}, const FoldRequest& request = {},
                                         const EnsembleRequest& wanted = {});

/// Returns the algorithms by name, with their purposes.
[[nodiscard]] std::vector<AlgorithmInfo> ensemble_algorithms();

/// The largest weight of pairs in `most_accurate`.
inline constexpr double max_gamma = 1e6;

/// A structure with its expected accuracy.
struct AccurateStructure {
  double accuracy = 0;
  std::string structure{};  ///< dot-bracket notation
};

/// Finds the structure of maximum expected accuracy, of the pairs that an ensemble lists:
///
///     accuracy(structure) = 2 gamma * sum of the probabilities of its pairs + sum of those of its unpaired bases
///
/// Pairs do not cross. Ties leave the last base unpaired, and then take the larger pair with the last base, then the
/// smallest k. Raises Error{usage} for a gamma that is not above 0 and up to max_gamma. Raises Error{time_limit},
/// Error{memory_limit} and Error{cancelled} as the options ask. Cost for n bases: n^3/6 operations, 8 n*n bytes.
[[nodiscard]] AccurateStructure most_accurate(const Ensemble& ensemble, double gamma, const Options& options = {});

/// Checks the energy and the pairs of an ensemble, and no windows, against McCaskill's recurrence, computed anew by
/// plain loops: they agree to 1e-9, and no pair above the threshold is missing. Checks that every sample is a structure
/// of the sequence.
///
/// Cost: n^3/2 operations by one thread, and 128 n*n bytes. Raises what `ensemble` raises.
[[nodiscard]] Verdict verify(const Sequence& sequence, const Ensemble& ensemble, const Parameters& parameters,
                             const Options& options = {}, const FoldRequest& request = {},
                             const EnsembleRequest& wanted = {});

}  // namespace warpfold::rna
