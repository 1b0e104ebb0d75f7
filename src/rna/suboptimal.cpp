#include "warpfold/rna/suboptimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "rna/backends.hpp"
#include "rna/circular.hpp"
#include "rna/exterior.hpp"
#include "rna/sum_grammar.hpp"
#include "rna/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/grammar_backends.hpp"
#include "warpfold/interval/detail/ranked_search.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::rna {

using interval::GrammarTables;
using interval::detail::GrammarProblem;

namespace {

/// What to visit, besides the sequence.
struct RankingProblem {
  FoldProblem fold;
  std::optional<Energy> within;
  std::size_t max_ways;  ///< how many structures are visited at most
  const std::function<bool(const Folding&)>& visit;
  std::size_t points = fold.points;

  [[nodiscard]] double operations() const { return fold.operations(); }
  [[nodiscard]] double calls() const { return fold.calls(); }
};

/// An interval of a table, or the first j bases of the exterior loop, whose number follows those of the tables.
using RankedItem = interval::detail::OpenInterval;
/// A pair of bases, as an interval; none if i is j.
struct RankedPair {
  std::uint32_t i, j;
};
using RankedWay = interval::detail::Alternative<RankedItem, RankedPair>;

std::uint32_t narrow(std::size_t number) { return static_cast<std::uint32_t>(number); }

template <class G>
using RankedTables = LeastEnergies<G, G::last>;

/// The ways to derive the exterior loop of the first j bases, the item (exterior, 0, j).
template <class G>
class LinearWays {
 public:
  static constexpr std::uint32_t exterior = interval::table_count<G>;

  LinearWays(const LoopEnergies& energies, const RankedTables<G>& tables) : loop_(energies, tables) {}

  [[nodiscard]] Energy energy() const { return loop_.energy(); }
  template <class Add>
  void operator()(std::uint32_t j, const Add& add) const {
    const auto add_one = [&](Energy energy, std::array<RankedItem, 2> open, std::uint8_t count) {
      if (energy < no_loop) add(RankedWay{energy - loop_.least(j), {}, open, count});
    };
    const bool is_last = j == 1;
    add_one(loop_.without_pair(j), {RankedItem{exterior, 0, j - 1}}, is_last ? 0 : 1);
    for (std::uint32_t i = 0; i < j; ++i) {
      add_one(loop_.with_pair(i, j), {RankedItem{G::helix, i, j}, RankedItem{exterior, 0, i}}, i == 0 ? 1 : 2);
    }
  }

 private:
  Exterior<RankedTables<G>> loop_;
};

/// The ways to derive the loop through the ends of a circular sequence.
template <class G>
class CircularWays {
 public:
  CircularWays(const LoopThroughEnds<LoopEnergies>& loops, const RankedTables<G>& tables, std::size_t bases)
      : loop_(loops, tables, bases) {}

  [[nodiscard]] Energy energy() const { return loop_.energy(); }
  template <class Add>
  void operator()(std::uint32_t j, const Add& add) const {
    using interval::detail::open_interval;
    loop_.each([&](const EndsLoop& loop, Energy energy) {
      const auto& [pairs, count, split] = loop;
      RankedWay way{energy - loop_.energy(), {}, {}, static_cast<std::uint8_t>(split > 0 ? 2 : count)};
      for (std::size_t t = 0; t < count; ++t) way.open[t] = open_interval(G::helix, pairs[t].i, pairs[t].j);
      if (split > 0) way.open = {open_interval(G::branches, 0, split), open_interval(G::last, split, j)};
      add(way);
    });
  }

 private:
  CircularExterior<RankedTables<G>> loop_;
};

/// The ways to derive an item of a ranking grammar, with the loop outside all pairs.
template <class G, class Outer>
class RankedWays {
 public:
  static constexpr std::uint32_t exterior = interval::table_count<G>;

  RankedWays(const G& grammar, const GrammarTables<G>& tables, const Outer& outer)
      : grammar_(grammar), tables_(tables), outer_(outer) {}

  template <class Add>
  void operator()(const RankedItem& item, const Add& add) const {
    if (item.table == exterior) return outer_(item.j, add);
    const Energy least = tables_.value(item.table, item.i, item.j);
    const bool is_pair = item.table == G::paired || item.table == G::helix;
    const auto visit = [&](Energy value, const auto& found) {
      if (value >= no_loop) return;
      const auto [open, count] = found.open();
      add(RankedWay{value - least, is_pair ? RankedPair{item.i, item.j} : RankedPair{}, open, count});
    };
    interval::detail::TermList<G, decltype(visit)>(grammar_, tables_, item.table, item.i, item.j, visit)();
  }

 private:
  const G& grammar_;
  const GrammarTables<G>& tables_;
  const Outer& outer_;
};

/// Whether the visit ended because there are no more structures.
template <class G, class Outer>
bool search(const G& grammar, const GrammarTables<G>& tables, const Outer& outer, const RankingProblem& problem,
            Context& context) {
  const RankedWays<G, Outer> ways(grammar, tables, outer);
  Budget::Reservation of_search = context.budget.reserve(0);
  const SolveMonitor monitor(context.options, 0);
  interval::detail::RankedSearch<RankedItem, RankedPair, RankedWays<G, Outer>> ranked(
      ways, problem.within.value_or(no_loop), problem.max_ways, of_search, monitor);
  const auto start = std::chrono::steady_clock::now();
  bool is_complete = true;
  const std::size_t bases = problem.points - 1;
  ranked.visit({ways.exterior, 0, narrow(bases)}, [&](std::int64_t loss, const std::vector<RankedPair>& pairs) {
    Folding folding{static_cast<Energy>(outer.energy() + loss), std::string(bases, '.')};
    for (const auto& [i, j] : pairs) {
      if (i == j) continue;
      folding.structure[i] = '(';
      folding.structure[j - 1] = ')';
    }
    return is_complete = problem.visit(folding);
  });
  context.report.traceback_seconds = seconds_since(start);
  return is_complete;
}

/// `twice`: the energies of a circular sequence written twice, or null.
template <class G>
bool rank(const G& grammar, const WrittenTwice* twice, const RankingProblem& problem, Context& context) {
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  const auto tables = with_energies_in_range([&] {
    return interval::detail::solve_grammar_tiled<G>({grammar, problem.points}, context);
  });
  const RankedTables<G> values{tables};
  if (!twice) return search(grammar, tables, LinearWays<G>(grammar.loops, values), problem, context);
  const LoopThroughEnds<LoopEnergies> loops(grammar.loops, twice->energies());
  return search(grammar, tables, CircularWays<G>(loops, values, problem.points - 1), problem, context);
}

bool rank_tiled(const RankingProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  const LoopEnergies energies = problem.fold.energies_of(sequence);
  if (sequence.size() < 2) {
    const Folding only = fold_by_reference(problem.fold, context);
    return problem.visit(only);
  }
  if (!problem.fold.request.lone_pairs) return rank(RankingGrammar<false>{energies}, nullptr, problem, context);
  std::optional<WrittenTwice> twice;
  if (problem.fold.request.circular) {
    twice.emplace(sequence, problem.fold.parameters, problem.fold.request_for(sequence.size()));
  }
  return rank(RankingGrammar<true>{energies}, twice ? &*twice : nullptr, problem, context);
}

std::size_t ranking_bytes(const RankingProblem& problem, const Options& options) {
  const Sequence none("");
  const LoopEnergies energies = problem.fold.energies_of(none);
  return interval::detail::grammar_bytes(
      GrammarProblem<RankingGrammar<true>>{RankingGrammar<true>{energies}, problem.points}, options);
}

using RankingBackend = Backend<RankingProblem, RankingProblem, bool>;

Outcome<bool> visit_ranked(const Sequence& sequence, const Parameters& parameters, const Options& options,
                           const FoldRequest& request, std::optional<Energy> within, std::size_t max_ways,
                           const std::function<bool(const Folding&)>& visit) {
  static const std::array<RankingBackend, 1> all = {
      RankingBackend{.info = {"tiled", "cpu", "64 x 64 tiles, all threads, then a queue of partial structures",
                              "n^3/6 + 248 n^2 operations, 10 n^2 bytes"},
                     .bytes = ranking_bytes,
                     .run = rank_tiled}};
  if (within && *within < 0) {
    throw Error(ErrorKind::usage, fmt::format("within is {}: 0 or more is accepted", *within));
  }
  const RankingProblem problem{{sequence, parameters, request, sequence.size() + 1}, within, max_ways, visit};
  return solve_by(std::span<const RankingBackend>(all), problem, problem, options);
}

}  // namespace

Report visit_suboptimal(const Sequence& sequence, const Parameters& parameters, const Options& options,
                        const FoldRequest& request, std::optional<Energy> within,
                        const std::function<bool(const Folding&)>& visit) {
  return visit_ranked(sequence, parameters, options, request, within, std::numeric_limits<std::size_t>::max(), visit)
      .report;
}

Outcome<Suboptimal> suboptimal(const Sequence& sequence, const Parameters& parameters, const Options& options,
                               const FoldRequest& request, const SuboptimalRequest& wanted) {
  Suboptimal found;
  const auto keep = [&](const Folding& folding) {
    if (found.structures.size() == wanted.limit) return false;
    found.structures.push_back(folding);
    return true;
  };
  // One more structure than the limit shows whether the list is complete.
  auto ran = visit_ranked(sequence, parameters, options, request, wanted.within,
                          std::max(wanted.limit, wanted.limit + 1), keep);
  found.is_complete = ran.solution;
  return {std::move(found), std::move(ran.report)};
}

Estimate estimate_suboptimal(const Sequence& sequence, const Parameters& parameters, const Options& options,
                             const FoldRequest& request, const SuboptimalRequest& wanted) {
  const std::function<bool(const Folding&)> none;
  Estimate expected = estimate_fold(sequence, parameters, options, request);
  expected.bytes = ranking_bytes({{sequence, parameters, request, sequence.size() + 1}, {}, 0, none}, options);
  const double listed_bases = static_cast<double>(sequence.size()) * static_cast<double>(wanted.limit);
  ResourceEstimate with_list = expected;
  with_list.seconds += listed_bases * listed_base_seconds;
  with_list.bytes = static_cast<std::size_t>(
      std::min(static_cast<double>(with_list.bytes) + listed_bases * listed_base_bytes, 0x1p63));
  expected.worst_case = std::move(with_list);
  return expected;
}

Outcome<std::vector<Suboptimal>> suboptimal_each(std::span<const Sequence> sequences, const Parameters& parameters,
                                                 const Options& options, const FoldRequest& request,
                                                 const SuboptimalRequest& wanted,
                                                 std::span<const std::string> constraints) {
  const auto requests = requests_of(sequences, request, constraints);
  return each_sequence<Suboptimal>(
      sequences.size(), options, "tiled",
      [&](std::size_t t, const Options& each) {
        return suboptimal(sequences[t], parameters, each, requests[t], wanted);
      },
      [&](std::size_t t) {
        return FoldProblem{sequences[t], parameters, request, sequences[t].size() + 1}.operations();
      });
}

}  // namespace warpfold::rna
