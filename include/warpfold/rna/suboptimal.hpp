#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warpfold/rna/fold.hpp"

/// Structures of an RNA sequence near the least free energy.
namespace warpfold::rna {

/// Which structures to list.
struct SuboptimalRequest {
  /// The most energy above the least, in 0.01 kcal/mol, from 0; none: any.
  std::optional<Energy> within = {};
  std::size_t limit = 1000;  ///< the most structures
};

/// Structures by their energies.
struct Suboptimal {
  std::vector<Folding> structures{};
  bool is_complete = true;  ///< whether there are no others with as little energy as the request permits
};

/// Visits the structures of a sequence in the order of their energies, each once. Structures of the same energy have an
/// order that is the same on every machine. `visit` returns whether to go on; the request's limit does not matter here.
///
/// Raises what `fold` raises, and Error{usage} for a `within` below 0 and for a GPU.
///
/// Cost for n bases: that of `fold`, with 10 n*n bytes. Then for each structure O(n) steps in a queue, and for each
/// interval that any of them meets O(n). Memory grows with the structures that were visited; Error{memory_limit} ends
/// it.
Report visit_suboptimal(const Sequence& sequence, const Parameters& parameters, const Options& options,
                        const FoldRequest& request, std::optional<Energy> within,
                        const std::function<bool(const Folding&)>& visit);

/// Lists the structures of a sequence within an energy of the least, or the `limit` structures of least energy, or
/// both. Raises what `visit_suboptimal` raises.
[[nodiscard]] Outcome<Suboptimal> suboptimal(const Sequence& sequence, const Parameters& parameters,
                                             const Options& options = {}, const FoldRequest& request = {},
                                             const SuboptimalRequest& wanted = {});

/// Estimates the time and memory of `suboptimal`. How many structures there are, and what the search for one takes,
/// depend on the sequence: the least is that of the tables, and the worst case that of a list of `limit` structures of
/// a sequence that repeats itself, as measured.
[[nodiscard]] Estimate estimate_suboptimal(const Sequence& sequence, const Parameters& parameters,
                                           const Options& options = {}, const FoldRequest& request = {},
                                           const SuboptimalRequest& wanted = {});

/// Lists those of many sequences, each by one thread, in their order. `constraints` as in fold_each. Raises what
/// `suboptimal` raises.
[[nodiscard]] Outcome<std::vector<Suboptimal>> suboptimal_each(std::span<const Sequence> sequences,
                                                               const Parameters& parameters,
                                                               const Options& options = {},
                                                               const FoldRequest& request = {},
                                                               const SuboptimalRequest& wanted = {},
                                                               std::span<const std::string> constraints = {});

}  // namespace warpfold::rna
