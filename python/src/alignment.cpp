#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sequences.hpp"
#include "warpfold/formats/score_matrix.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::python {

namespace {

using sequence::Alignment;
using sequence::AlignmentRequest;
using sequence::FreeEnds;
using sequence::GapCosts;
using sequence::ScoredPair;
using sequence::ScoreMatrix;

/// An alignment, and how it was scored.
struct AlignmentAnswer {
  Outcome<Alignment> outcome;
  AlignmentRequest request;
  nb::object matrix;
  std::int64_t match, mismatch;
  bool iupac;
};

constexpr const char* accepted_score_matrix =
    "the name of a matrix, the path of a file, or a pair (symbols, rows of scores) is accepted";

ScoreMatrix score_matrix_of(nb::handle value) {
  if (PyUnicode_Check(value.ptr())) return formats::read_score_matrix(text("matrix", value));
  const nb::tuple parts = parts_of("matrix", value, 2, 2, accepted_score_matrix);
  static const ElementTypes accepted = {element_type<std::int64_t>, element_type<std::int8_t>,
                                        element_type<std::int16_t>, element_type<std::int32_t>};
  const Array scores("matrix[1]", parts[1], accepted);
  std::vector<std::int64_t> all;
  if (scores.holds<std::int64_t>()) all = scores.values<std::int64_t>();
  if (scores.holds<std::int32_t>())
    all.assign(scores.data<std::int32_t>(), scores.data<std::int32_t>() + scores.size());
  if (scores.holds<std::int16_t>())
    all.assign(scores.data<std::int16_t>(), scores.data<std::int16_t>() + scores.size());
  if (scores.holds<std::int8_t>()) all.assign(scores.data<std::int8_t>(), scores.data<std::int8_t>() + scores.size());
  return {symbols_of("matrix[0]", parts[0]), std::move(all)};
}

ScoredPair scored_pair(nb::handle a, nb::handle b, nb::handle matrix, std::int64_t match, std::int64_t mismatch,
                       bool iupac) {
  if (matrix.is_none()) return {coded_pair(a, b, iupac), match, mismatch};
  if (iupac) {
    throw Error(ErrorKind::usage, "iupac is for match and mismatch: a matrix scores the ambiguity letters itself");
  }
  return {symbols_of("a", a), symbols_of("b", b), score_matrix_of(matrix)};
}

GapCosts gap_costs_of(nb::handle gap, bool has_matrix) {
  if (gap.is_none()) return has_matrix ? GapCosts{11, 1, {}} : GapCosts{};
  if (PyLong_Check(gap.ptr())) return {0, integer<std::int64_t>("gap", gap), {}};
  constexpr const char* accepted = "extend, (open, extend) or (open, extend, open, extend) is accepted";
  const nb::tuple parts = parts_of("gap", gap, 2, 4, accepted);
  if (nb::len(parts) == 3) reject_value("gap", gap, accepted);
  const auto part = [&](std::size_t at) { return integer<std::int64_t>("gap", parts[at]); };
  if (nb::len(parts) == 2) return {part(0), part(1), {}};
  return {part(0), part(1), GapCosts::Piece{part(2), part(3)}};
}

FreeEnds free_ends_of(nb::handle mode) {
  constexpr const char* accepted =
      "'global', 'local', 'infix', 'prefix', 'overlap', or a list of 'begin-a', 'end-a', 'begin-b' and 'end-b' is "
      "accepted";
  constexpr std::pair<const char*, FreeEnds> modes[] = {{"global", sequence::global_ends},
                                                        {"local", sequence::local_ends},
                                                        {"infix", sequence::infix_ends},
                                                        {"prefix", sequence::prefix_ends},
                                                        {"overlap", sequence::overlap_ends}};
  constexpr std::pair<const char*, bool FreeEnds::*> single[] = {{"begin-a", &FreeEnds::begin_a},
                                                                 {"end-a", &FreeEnds::end_a},
                                                                 {"begin-b", &FreeEnds::begin_b},
                                                                 {"end-b", &FreeEnds::end_b}};
  if (PyUnicode_Check(mode.ptr())) {
    const std::string name = text("mode", mode);
    for (const auto& [known, ends] : modes) {
      if (name == known) return ends;
    }
    reject_value("mode", mode, accepted);
  }
  FreeEnds ends;
  for (const nb::handle part : parts_of("mode", mode, 0, 4, accepted)) {
    const std::string name = text("mode", part, accepted);
    const auto* const found = std::ranges::find_if(single, [&](const auto& end) { return name == end.first; });
    if (found == std::end(single)) reject_value("mode", mode, accepted);
    ends.*found->second = true;
  }
  return ends;
}

AlignmentAnswer solve_alignment(nb::handle a, nb::handle b, nb::handle script, nb::object matrix, nb::handle match,
                                nb::handle mismatch, nb::handle gap, nb::handle mode, nb::handle ties, nb::handle iupac,
                                const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "scores are integers of 64 bits");
  const AlignmentRequest request{.script = truth("script", script),
                                 .ties = ties_of(ties),
                                 .gaps = gap_costs_of(gap, !matrix.is_none()),
                                 .ends = free_ends_of(mode)};
  const auto score_of = [&](const char* name, nb::handle given, std::int64_t otherwise) {
    if (given.is_none()) return otherwise;
    const auto score = integer<std::int64_t>(name, given);
    if (!matrix.is_none()) {
      throw Error(ErrorKind::usage, fmt::format("{} is {}: a matrix scores all pairs itself", name, score));
    }
    return score;
  };
  const std::int64_t equal = score_of("match", match, 1), different = score_of("mismatch", mismatch, -1);
  const bool has_sets = truth("iupac", iupac);
  const ScoredPair pair = scored_pair(a, b, matrix, equal, different, has_sets);
  const double cells = static_cast<double>(pair.n()) * static_cast<double>(pair.m());
  return {run(options, cells, [&](const Options& limits) { return sequence::align(pair, limits, request); }),
          request,
          std::move(matrix),
          equal,
          different,
          has_sets};
}

Verdict check_alignment(nb::handle problem, const AlignmentAnswer& answer, nb::handle optimal) {
  const nb::tuple parts = parts_of("problem", problem, 2, 2, "(a, b) is accepted");
  const ScoredPair pair = scored_pair(parts[0], parts[1], answer.matrix, answer.match, answer.mismatch, answer.iupac);
  const bool is_recomputed = truth("optimal", optimal) || !answer.request.script;
  return sequence::verify(pair, answer.outcome.solution, answer.request, is_recomputed);
}

nb::object begin_of_alignment(const AlignmentAnswer& answer) {
  const auto& script = answer.outcome.solution.script;
  return answer.request.script ? nb::object(nb::make_tuple(script.begin_a, script.begin_b)) : nb::none();
}

}  // namespace

void bind_alignment(nb::module_& module) {
  nb::class_<AlignmentAnswer>(module, "Alignment", "An optimal alignment, and if asked for its script.")
      .def_prop_ro(
          "score", [](const AlignmentAnswer& answer) { return answer.outcome.solution.score; }, "the largest score")
      .def_prop_ro(
          "cost", [](const AlignmentAnswer& answer) { return answer.outcome.solution.score; }, "same as score")
      .def_prop_ro("begin", &begin_of_alignment, nb::sig("def begin(self) -> tuple[int, int] | None"),
                   "number of symbols of a and of b before the alignment; None if no script was asked for")
      .def_prop_ro(
          "end",
          [](const AlignmentAnswer& answer) {
            return nb::make_tuple(answer.outcome.solution.end_a, answer.outcome.solution.end_b);
          },
          nb::sig("def end(self) -> tuple[int, int]"), "number of symbols of a and of b up to the alignment's end")
      .def_prop_ro(
          "script",
          [](const AlignmentAnswer& answer) {
            return answer.request.script ? nb::cast(answer.outcome.solution.script) : nb::none();
          },
          nb::sig("def script(self) -> EditScript | None"), "the edits; None if they were not asked for")
      .def_prop_ro(
          "report", [](const AlignmentAnswer& answer) { return answer.outcome.report; }, "report of the run")
      .def("__repr__",
           [](const AlignmentAnswer& answer) { return fmt::format("Alignment({})", answer.outcome.solution.score); });
  module.def(
      "align", &solve_alignment, "a"_required, "b"_required, "script"_a = false, nb::kw_only(), "matrix"_a = nb::none(),
      "match"_a = nb::none(), "mismatch"_a = nb::none(), "gap"_a = nb::none(), "mode"_a = "global", "ties"_a = "left",
      "iupac"_a = false, "options"_a,
      signature(
          "align(a: typing.Any, b: typing.Any, script: bool = False, *, matrix: str | tuple[typing.Any, typing.Any] "
          "| None = None, match: int | None = None, mismatch: int | None = None, gap: int | "
          "collections.abc.Sequence[int] | None = "
          "None, mode: str | collections.abc.Sequence[str] = 'global', ties: typing.Literal['left', 'right', "
          "'shortest', 'longest'] = 'left', iupac: bool = False, OPTIONS) -> Alignment"),
      R"(The alignment of a and b with the largest score.

    H(i,j) = max(H(i-1,j-1) + score(a[i], b[j]), H(i-L,j) - gap(L), H(i,j-L) - gap(L) for all L)

Equal symbols score match, default 1, and others mismatch, default -1. a, b and iupac are then those of edit_distance.
A matrix scores each pair of symbols of text, bytes or integers instead: 'BLOSUM62' (also 45, 50, 80, 90, 'PAM30',
'PAM70', 'PAM250'), a file in NCBI's form, or (symbols, rows of scores).

A gap of L symbols costs open + L extend. gap is extend alone, (open, extend), or two such pairs, of which the lesser
cost counts. The default is 1, with a matrix (11, 1).

mode: 'global' aligns all of both; 'local' a part of a with a part of b; 'infix' a with a part of b; 'prefix' a with a
beginning of b; 'overlap' leaves all four ends free. A list names free ends one by one.

Of several optimal ends the first one in a, then in b, is taken; with ties='shortest' and 'longest' one of an alignment with
the fewest or the most columns. ties='left' returns the script with gaps as far left as
they go, 'right' as far right, 'shortest' and 'longest' one with the fewest or the most columns. All but 'left' take
longer.)");
  module.def(
      "verify",
      [](nb::handle problem, const AlignmentAnswer& answer, nb::handle optimal) {
        return check_alignment(problem, answer, optimal);
      },
      "problem"_required, "solution"_required, nb::kw_only(), "optimal"_a = false,
      nb::sig("def verify(problem: tuple[typing.Any, typing.Any], solution: Alignment, *, optimal: bool = False) -> "
              "Verdict"),
      "Replays the script against both sequences and recounts its score. With optimal, or without a script, the\n"
      "optimum is computed anew by an algorithm that shares no code with the solvers.");
}

}  // namespace warpfold::python
