#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpfold/rna/parameters.hpp"
#include "warpfold/rna/sequence.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// The secondary structure of least free energy of an RNA sequence: pairs that do not cross, in the nearest-neighbor
/// model. Pseudoknots are not in the model.
namespace warpfold::rna {

/// What a pair of bases i < j, from 0, adds to the energy of a structure in which it is, in 0.01 kcal/mol.
struct PairEnergy {
  std::uint32_t i, j;
  Energy energy;

  bool operator==(const PairEnergy&) const = default;
};

/// The accepted temperatures in degrees Celsius, the first one excluded.
inline constexpr double absolute_zero = -273.15, highest_temperature = 1000;

/// What to fold, besides the sequence.
struct FoldRequest {
  double temperature = 37;  ///< in degrees Celsius, above absolute_zero, up to highest_temperature
  /// 2: the bases beside a pair in a multiloop or outside add their mismatch, paired or not. 0: they add nothing.
  int dangles = 2;
  std::size_t max_span = 0;  ///< the most bases from one end of a pair to the other, both counted; 0: any number
  /// Whether a pair may be alone: neither directly around another one nor directly inside one.
  bool lone_pairs = true;
  /// Empty, or a character for each base. A dot accepts everything, x a base that does not pair, | one that pairs. <
  /// pairs with a later base, > with an earlier one. ( and ) pair with each other.
  std::string constraint = {};
  /// Empty, or for each base an energy in 0.01 kcal/mol, from -10,000 to 10,000: what it adds to each stack that it is
  /// in, such as pseudo-energies from probing (formats/probing.hpp). A pair inside a helix is in two stacks.
  std::vector<Energy> stack_energies = {};
  /// Energies of your own for pairs, from -10,000 to 10,000, in any order, each pair once. Bases that cannot pair with
  /// each other still cannot.
  std::vector<PairEnergy> pair_energies = {};
  /// Whether the last base is beside the first one. Then the loop through both ends is a hairpin of at least 3 bases, a
  /// stack, bulge, interior loop or multiloop, and no pair costs nothing. On a CPU, with lone pairs and without
  /// max_span.
  bool circular = false;
};

/// A structure with its energy.
struct Folding {
  Energy energy = 0;        ///< in 0.01 kcal/mol
  std::string structure{};  ///< dot-bracket notation: a pair is ( and ), an unpaired base a dot
};

/// Folds a sequence: finds a structure of least free energy.
///
///     energy(structure) = sum over its loops of energy(loop)
///
/// Loops are hairpins of at least 3 bases, stacks, bulges and interior loops of at most 30 unpaired bases, multiloops,
/// and the exterior loop.
///
/// Ties go to the first in this order: hairpin; small loops (stack, bulge of one base, 1 x 1, 1 x 2, 2 x 2, 2 x 3);
/// larger bulges; larger loops with one base on a side; other interior loops; multiloop. Loops of one kind go by the
/// unpaired bases on the left and then on the right. The structure is the same for every number of threads, every
/// instruction set and on a GPU.
///
/// Raises Error{input} for a temperature that is not above absolute zero, Error{usage} for other dangles and for
/// several GPUs, Error{device} for a GPU that does not exist. Raises Error{input} for what is no constraint of the
/// sequence, and Error{infeasible} if no structure satisfies it. Raises Error{time_limit}, Error{memory_limit} and
/// Error{cancelled} as the options ask.
///
/// Cost for n bases: n^3/6 operations for multiloops, 248 n*n for interior loops, and 4 n*n bytes, 6 n*n of a GPU's
/// memory.
[[nodiscard]] Outcome<Folding> fold(const Sequence& sequence, const Parameters& parameters, const Options& options = {},
                                    const FoldRequest& request = {});

/// Folds many sequences, and returns their foldings in the same order. On the CPU each is folded by one thread. A GPU
/// folds many at the same time, but those with a constraint or with energies of stacks one after the other. A batch
/// with much work goes to a GPU by itself. `constraints`: none, or one for each sequence, instead of the request's.
/// Raises what `fold` raises for the first sequence that fails, unless the options have a function `failed`.
///
/// Memory: on the CPU that of as many sequences as there are threads. Of a GPU up to 40 % of what is free for each of
/// two groups of sequences.
[[nodiscard]] Outcome<std::vector<Folding>> fold_each(std::span<const Sequence> sequences, const Parameters& parameters,
                                                      const Options& options = {}, const FoldRequest& request = {},
                                                      std::span<const std::string> constraints = {});

/// Estimates the time and memory of `fold`.
[[nodiscard]] Estimate estimate_fold(const Sequence& sequence, const Parameters& parameters,
                                     const Options& options = {}, const FoldRequest& request = {});

/// Returns the algorithms by name, with their purposes.
[[nodiscard]] std::vector<AlgorithmInfo> fold_algorithms();

/// The pairs of a structure in dot-bracket notation, as positions from 0, by their first base. Raises Error{input} for
/// any other character and for brackets without a partner, with the position from 1.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::string_view structure);

/// The energy of a structure, added up loop by loop. Raises Error{input} for a structure of another length, for what
/// `pairs_of` rejects, for a pair of bases that do not pair, for a hairpin or interior loop that the model does not
/// have, and for what the request forbids, with the place.
[[nodiscard]] Energy energy_of(const Sequence& sequence, std::string_view structure, const Parameters& parameters,
                               const FoldRequest& request = {});

/// Checks that a folding is a structure of the sequence with the stated energy. The energy is added up anew, loop by
/// loop. It does not check that no structure has less.
[[nodiscard]] Verdict verify(const Sequence& sequence, const Folding& folding, const Parameters& parameters,
                             const FoldRequest& request = {});

}  // namespace warpfold::rna
