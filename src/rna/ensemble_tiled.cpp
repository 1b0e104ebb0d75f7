#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rna/accessibility.hpp"
#include "rna/circular_sums.hpp"
#include "rna/ensemble_backends.hpp"
#include "rna/exterior_sums.hpp"
#include "rna/sum_grammar.hpp"
#include "rna/sum_rows.hpp"
#include "warpfold/interval/marginals.hpp"
#include "warpfold/interval/sample.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::rna {

using interval::GrammarTables;
using interval::detail::GrammarProblem;
using interval::detail::LostValues;

namespace {

/// The exterior loop of a sequence that is not circular, with the functions of CircularSums.
template <class G>
class LinearSums {
 public:
  LinearSums(const LoopWeights& weights, const GrammarTables<G>& tables, Team& team)
      : paired_{tables}, sums_(weights, paired_, team) {}
  LinearSums(const LinearSums&) = delete;
  LinearSums& operator=(const LinearSums&) = delete;

  [[nodiscard]] const Scaled& whole() const { return sums_.whole(); }
  void look_back() { sums_.look_back(); }
  [[nodiscard]] Scaled seed(unsigned table, std::size_t i, std::size_t j) const {
    return table == G::helix ? sums_.seed(i, j) : Scaled();
  }
  [[nodiscard]] double unpaired(std::size_t a, std::size_t b) const { return sums_.unpaired(a, b); }
  template <class Random>
  [[nodiscard]] std::vector<interval::detail::OpenInterval> sample(Random& random) const {
    std::vector<interval::detail::OpenInterval> drawn;
    for (const auto& [i, j] : sums_.sample(random)) {
      drawn.push_back(interval::detail::open_interval(G::helix, i, j));
    }
    return drawn;
  }

 private:
  struct Paired {
    const GrammarTables<G>& tables;
    [[nodiscard]] Scaled operator()(std::size_t i, std::size_t j) const { return tables.value(G::helix, i, j); }
  };

  Paired paired_;
  ExteriorSums<Paired> sums_;
};

/// A structure that is drawn from the sums.
template <class G, class Outer>
std::string sample(const G& grammar, const GrammarTables<G>& tables, const Outer& outer, std::uint64_t seed,
                   std::uint64_t number) {
  std::string structure(tables.points() - 1, '.');
  interval::SeededRandom random(seed, number);
  for (const auto& [table, i, j] : outer.sample(random)) {
    for (const auto& step : interval::sample_derivation(grammar, tables, table, i, j, random)) {
      if (step.table != G::paired && step.table != G::helix) continue;
      structure[step.i] = '(';
      structure[step.j - 1] = ')';
    }
  }
  return structure;
}

/// The tables, by threads of the CPU. A checkpointer tells them from others by the energies and kT. It saves none of
/// which values are lost.
struct OnCpu {
  template <bool lone_pairs>
  using Grammar = RowSums<lone_pairs>;

  /// The lists for vector code, with their memory.
  class Rows {
   public:
    Rows(const EnsembleProblem& problem, const LoopWeights& weights, Context& context)
        : held_(context.budget.reserve(bytes(problem))) {
      if (FoldingRows::supports(problem.fold.request)) rows_ = SumRows::of(weights);
    }
    static std::size_t bytes(const EnsembleProblem& problem) {
      const bool has_rows = FoldingRows::supports(problem.fold.request);
      return has_rows ? SumRows::bytes(problem.fold.sequence, problem.points - 1) : 0;
    }
    template <bool lone_pairs>
    [[nodiscard]] Grammar<lone_pairs> grammar(const LoopWeights& weights) const {
      return {{weights}, rows_.get()};
    }

   private:
    Budget::Reservation held_;
    std::unique_ptr<SumRows> rows_;
  };

  template <class G>
  static GrammarTables<G> tables(const G& grammar, const EnsembleProblem& problem, Context& context,
                                 LostValues lost = LostValues::rejected) {
    const LoopEnergies& energies = grammar.loops.energies();
    const interval::detail::DescribePoint describe = [&](std::size_t i, std::vector<std::byte>& bytes) {
      if (i == 0) {
        const double kt = energies.kt();
        const auto all = std::as_bytes(std::span(&kt, 1));
        bytes.push_back(static_cast<std::byte>(G::tables));
        bytes.insert(bytes.end(), all.begin(), all.end());
      }
      energies.describe(i, bytes);
    };
    const bool is_kept = lost == LostValues::rejected;
    return interval::detail::solve_grammar_tiled<G>({grammar, problem.points}, context,
                                                    is_kept ? describe : interval::detail::DescribePoint(), lost);
  }
};

/// The tables from a GPU.
struct OnGpu {
  template <bool lone_pairs>
  using Grammar = SumGrammar<lone_pairs>;

  struct Rows {
    Rows(const EnsembleProblem&, const LoopWeights&, Context&) {}
    static std::size_t bytes(const EnsembleProblem&) { return 0; }
    template <bool lone_pairs>
    [[nodiscard]] static Grammar<lone_pairs> grammar(const LoopWeights& weights) {
      return {weights};
    }
  };

  template <bool lone_pairs>
  static GrammarTables<SumGrammar<lone_pairs>> tables(const SumGrammar<lone_pairs>& grammar,
                                                      const EnsembleProblem& problem, Context& context) {
    const Budget::Reservation taken =
        context.budget.reserve(GrammarTables<SumGrammar<lone_pairs>>::bytes(problem.points));
    context.report.threads = interval::detail::threads_for(problem.points, context.options);
    return cuda::sum_tables<lone_pairs>(grammar.loops, problem.points, problem.max_blocks(), context);
  }
};

/// -kT ln Z, and 0 rather than -0 for Z = 1.
double energy_of(const LoopWeights& weights, const Scaled& whole) { return 0 - weights.energies().kt() * whole.ln(); }

/// The tables that nothing reads after the samples: they are no operands of the product. Their memory is used again.
template <class G>
std::vector<unsigned> unread_tables(const EnsembleRequest& wanted) {
  if (wanted.max_window > 0) return {G::branches};
  return {G::single, G::branches};
}

/// The tables whose marginals are added: those of the pairs, and for windows also `paired`, `last` and `single`.
template <class G>
std::vector<std::vector<unsigned>> wanted_marginals(const EnsembleRequest& wanted) {
  std::vector<std::vector<unsigned>> lists(1, {G::helix});
  if (G::helix != G::paired) lists[0].push_back(G::paired);
  if (wanted.max_window > 0) lists.insert(lists.end(), {{G::paired}, {G::last}, {G::single}});
  return lists;
}

/// Adds the pairs and the windows.
template <class G, class Outer>
void add_marginals(const G& grammar, GrammarTables<G>& tables, Outer& outer, const EnsembleProblem& problem,
                   Context& context, Team& team, Ensemble& found) {
  const EnsembleRequest& wanted = problem.wanted;
  const std::size_t bases = problem.points - 1;
  outer.look_back();
  const auto seed = [&](unsigned table, std::size_t i, std::size_t j) { return outer.seed(table, i, j); };
  std::vector<TileStorage<double>> spare;
  for (const unsigned table : unread_tables<G>(wanted)) spare.push_back(tables.take_storage(table));
  const auto marginals =
      interval::detail::seeded_marginals(grammar, tables, wanted_marginals<G>(wanted), seed, context, std::move(spare),
                                         interval::detail::OutsideResult::marginals, problem.reach());
  if (wanted.pairs) {
    list_pairs(found, bases, wanted.threshold,
               [&](std::size_t i, std::size_t j) { return marginals[0].value(i, j + 1); });
  }
  if constexpr (requires { outer.unpaired(0, 0); }) {  // not of circular sequences
    if (wanted.max_window == 0) return;
    const Budget::Reservation held = context.budget.reserve(UnpairedWindows<G>::bytes(bases, wanted.max_window));
    const UnpairedWindows<G> windows(grammar, tables, marginals[1], marginals[2], marginals[3]);
    const SolveMonitor monitor(context.options, 0);
    const auto exterior = [&](std::size_t a, std::size_t b) { return outer.unpaired(a, b); };
    found.accessibility = windows.probabilities(wanted.max_window, exterior, team, monitor);
  }
}

/// All that is asked for, from the tables and the sums of the loop outside all pairs.
template <class G, class Outer>
Ensemble all_of(const G& grammar, GrammarTables<G>& tables, Outer& outer, const EnsembleProblem& problem,
                Context& context, Team& team) {
  const EnsembleRequest& wanted = problem.wanted;
  Ensemble found;
  found.energy = energy_of(grammar.loops, outer.whole());
  found.samples.resize(wanted.samples);
  const SolveMonitor monitor(context.options, 0);
  team.parallel_for(wanted.samples, [&](std::size_t t, int) {
    monitor.check();
    found.samples[t] = sample(grammar, tables, outer, wanted.seed, t);
  });
  if (problem.wants_marginals()) add_marginals(grammar, tables, outer, problem, context, team, found);
  return found;
}

/// Calls visit(the loop outside all pairs, a team).
template <class G, class Visit>
auto with_outer(const G& grammar, const CircleWeights* circle, const GrammarTables<G>& tables, Context& context,
                const Visit& visit) {
  Team team(context.report.threads);
  if (circle) {
    CircularSums<G> outer(circle->loops, tables);
    return visit(outer, team);
  }
  LinearSums<G> outer(grammar.loops, tables, team);
  return visit(outer, team);
}

template <class Where, class G>
Ensemble solve(const G& grammar, const CircleWeights* circle, const EnsembleProblem& problem, Context& context) {
  auto tables = Where::tables(grammar, problem, context);  // which holds their memory while it fills them
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  return with_outer(grammar, circle, tables, context,
                    [&](auto& outer, Team& team) { return all_of(grammar, tables, outer, problem, context, team); });
}

/// The weight of all structures if every value that is lost is as large as it may be.
template <class G>
Scaled upper_bound(const G& grammar, const CircleWeights* circle, const EnsembleProblem& problem, Context& context) {
  const auto tables = OnCpu::tables(grammar, problem, context, LostValues::bounded);
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  return with_outer(grammar, circle, tables, context, [](auto& outer, Team&) { return outer.whole(); });
}

/// The ensemble without the structures of which a part is lost: values below the range of their tile. Returns nothing
/// if these structures may be more than 2^-40 of all, whose weight is `most` or less.
template <class G>
std::optional<Ensemble> solve_without_lost(const G& grammar, const CircleWeights* circle, const Scaled& most,
                                           const EnsembleProblem& problem, Context& context) {
  auto tables = OnCpu::tables(grammar, problem, context, LostValues::dropped);
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  try {
    return with_outer(grammar, circle, tables, context, [&](auto& outer, Team& team) -> std::optional<Ensemble> {
      if ((most / outer.whole()).times_power_of_two(0) > 1 + 0x1p-40) return {};
      return all_of(grammar, tables, outer, problem, context, team);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::infeasible) throw;
    return {};  // all structures are lost
  }
}

/// Solves on the CPU. Where values leave the range of their tile, two more solves bound what they add.
template <class G>
Ensemble solve_in_range(const G& grammar, const CircleWeights* circle, const EnsembleProblem& problem,
                        Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const double seconds_before = context.report.solve_seconds;
  const double inside = interval::detail::GrammarSolver<G>::operations(problem.points);
  context.expect((problem.wants_marginals() ? 3 : 1) * inside);  // the outside values take two products for each
  try {
    return solve<OnCpu>(grammar, circle, problem, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    context.report.solve_seconds = seconds_before + seconds_since(start);
    context.expect(2 * inside);
    const Scaled most = upper_bound(grammar, circle, problem, context);
    auto found = solve_without_lost(grammar, circle, most, problem, context);
    if (!found) throw;
    return *std::move(found);
  }
}

/// The pairs, by a GPU.
template <bool lone_pairs>
Ensemble pairs_on_gpu(const LoopWeights& weights, const EnsembleProblem& problem, Context& context) {
  auto sums = cuda::pair_sums<lone_pairs>(weights, problem.points, problem.max_blocks(), problem.reach(),
                                          problem.wanted.threshold, context);
  sums.pairs.energy = energy_of(weights, sums.whole);
  return std::move(sums.pairs);
}

template <class Where, bool lone_pairs>
std::size_t bytes_of_sums(const EnsembleProblem& problem, const Options& options) {
  using G = typename Where::template Grammar<lone_pairs>;
  const auto seed = [](unsigned, std::size_t, std::size_t) { return Scaled(); };
  using Outside = interval::detail::OutsideSolver<G, decltype(seed)>;
  const std::size_t tables = GrammarTables<G>::bytes(problem.points);
  const std::size_t inside =
      std::is_same_v<Where, OnGpu> ? tables : interval::detail::bytes_for_points<G>(problem.points, options);
  const std::size_t results = wanted_marginals<G>(problem.wanted).size();
  std::size_t outside = 0;
  if (problem.wants_marginals()) {
    outside =
        tables + Outside::bytes(problem.points, results, unread_tables<G>(problem.wanted).size(), problem.reach());
  }
  return Where::Rows::bytes(problem) + std::max(inside, outside) + problem.wanted.samples * problem.points +
         UnpairedWindows<G>::bytes(problem.points, problem.wanted.max_window);
}

/// Calls visit<lone_pairs>(weights) for a sequence, or for its beginning.
template <class Visit>
auto with_weights(const EnsembleProblem& problem, const Sequence& sequence, const Visit& visit) {
  const LoopEnergies energies = problem.fold.energies_of(sequence);
  const LoopWeights weights(energies);
  check_weights(weights, problem.fold.request.temperature);
  if (problem.fold.request.lone_pairs) return visit.template operator()<true>(weights);
  return visit.template operator()<false>(weights);
}

/// The windows of no base or of one, which is unpaired.
std::vector<double> alone_unpaired(std::size_t bases, std::size_t longest) {
  std::vector<double> found(bases * longest, std::numeric_limits<double>::quiet_NaN());
  if (!found.empty()) found[0] = 1;
  return found;
}

template <class Where>
Ensemble ensemble_by(const EnsembleProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  if (sequence.size() < 2) {
    Ensemble alone = ensemble_by_reference(problem, context);
    alone.samples.assign(problem.wanted.samples, std::string(sequence.size(), '.'));
    alone.accessibility = alone_unpaired(sequence.size(), problem.wanted.max_window);
    return alone;
  }
  return with_weights(problem, sequence, [&]<bool lone_pairs>(const LoopWeights& weights) {
    if (std::is_same_v<Where, OnGpu> && problem.is_only_energy()) {
      const Scaled whole = cuda::sum_of_all<lone_pairs>(weights, problem.points, problem.max_blocks(), context);
      if (whole.is_zero()) reject_constraint();
      return Ensemble{.energy = energy_of(weights, whole)};
    }
    if (std::is_same_v<Where, OnGpu> && problem.is_only_pairs()) {
      return pairs_on_gpu<lone_pairs>(weights, problem, context);
    }
    const auto circle = circle_of(problem, sequence, weights);
    const typename Where::Rows rows(problem, weights, context);
    const auto grammar = rows.template grammar<lone_pairs>(weights);
    if constexpr (std::is_same_v<Where, OnGpu>) {
      return solve<OnGpu>(grammar, circle.get(), problem, context);
    } else {
      return solve_in_range(grammar, circle.get(), problem, context);
    }
  });
}

/// Raises Error{input} for weights that differ too much.
[[noreturn]] void reject_range(const EnsembleProblem& problem) {
  throw Error(
      ErrorKind::input,
      fmt::format("the weights of structures at {} degrees Celsius differ too much for tiles of doubles: higher "
                  "temperatures or weaker added energies, and without samples and windows the algorithm reference, are "
                  "accepted",
                  problem.fold.request.temperature));
}

template <class Where>
std::size_t bytes_by(const EnsembleProblem& problem, const Options& options) {
  return with_weights(problem, Sequence(""), [&]<bool lone_pairs>(const LoopWeights&) {
    return bytes_of_sums<Where, lone_pairs>(problem, options);
  });
}

}  // namespace

std::size_t ensemble_tiled_bytes(const EnsembleProblem& problem, const Options& options) {
  return bytes_by<OnCpu>(problem, options);
}
Ensemble ensemble_tiled(const EnsembleProblem& problem, Context& context) {
  try {
    return ensemble_by<OnCpu>(problem, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    reject_range(problem);
  }
}

std::size_t ensemble_on_gpu_bytes(const EnsembleProblem& problem, const Options& options) {
  if (problem.is_only_energy() || problem.is_only_pairs()) return 0;
  return bytes_by<OnGpu>(problem, options);
}
std::size_t ensemble_device_bytes(const EnsembleProblem& problem, const Options&) {
  return with_weights(problem, Sequence(""), [&]<bool lone_pairs>(const LoopWeights& weights) {
    const std::size_t tables = cuda::bytes_of_sum_tables<lone_pairs>(problem.points, weights.energies().kt());
    if (!problem.is_only_pairs()) return tables;
    return tables + cuda::bytes_of_pair_sums<lone_pairs>(problem.points, problem.reach());
  });
}
Ensemble ensemble_on_gpu(const EnsembleProblem& problem, Context& context) {
  context.take_device_memory(ensemble_device_bytes(problem, context.options));
  const auto start = std::chrono::steady_clock::now();
  std::string reason;
  try {
    return ensemble_by<OnGpu>(problem, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    reason = error.what();
  }
  context.report.solve_seconds = seconds_since(start);
  Ensemble found = ensemble_tiled(problem, context);  // the CPU accepts more
  context.report.device = "cpu";
  context.report.fallback_reason = fmt::format("{}: {}", gpu_name(context.options.device), reason);
  return found;
}

}  // namespace warpfold::rna
