#include "align_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/quantity.hpp"
#include "io/text.hpp"
#include "terminal.hpp"
#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/score_matrix.hpp"

namespace warpfold::app {

using sequence::FreeEnds;
using sequence::GapCosts;

namespace {

struct NamedEnds {
  const char* name;
  FreeEnds ends;
};
constexpr NamedEnds named_ends[] = {{"global", sequence::global_ends},
                                    {"local", sequence::local_ends},
                                    {"infix", sequence::infix_ends},
                                    {"prefix", sequence::prefix_ends},
                                    {"overlap", sequence::overlap_ends}};

struct NamedEnd {
  const char* name;
  bool FreeEnds::*end;
};
constexpr NamedEnd single_ends[] = {{"begin-a", &FreeEnds::begin_a},
                                    {"end-a", &FreeEnds::end_a},
                                    {"begin-b", &FreeEnds::begin_b},
                                    {"end-b", &FreeEnds::end_b}};

template <std::size_t count, class Named>
const Named& named(const Named (&all)[count], const std::string& name, const char* option) {
  const auto* const found = std::ranges::find(all, name, [](const Named& entry) { return std::string(entry.name); });
  if (found != all + count) return *found;
  std::vector<std::string> names;
  for (const Named& entry : all) names.emplace_back(entry.name);
  throw Error(ErrorKind::usage, fmt::format("{} is '{}': {} are accepted", option, name, fmt::join(names, ", ")));
}

std::vector<std::int64_t> default_gap(const Scoring& scoring) {
  return scoring.matrix.empty() ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{11, 1};
}

}  // namespace

sequence::ScoredPair scored_pair(const SequencePair& pair, const SequenceInput& input, const Scoring& scoring) {
  if (scoring.matrix.empty()) return {pair.codes, scoring.match, scoring.mismatch};
  if (pair.a.unit == formats::SymbolSequence::Unit::piece) {
    throw Error(ErrorKind::usage,
                fmt::format("--matrix scores characters: --as text, bytes or fasta is accepted, not {}", pair.as));
  }
  if (input.iupac) {
    throw Error(ErrorKind::usage,
                "--iupac is for a match and a mismatch: a matrix scores the ambiguity letters itself");
  }
  const sequence::ScoreMatrix matrix = formats::read_score_matrix(scoring.matrix);
  if (!matrix.is_symmetric()) {
    add_note(fmt::format("the matrix {} is not symmetric: its rows are symbols of the first sequence", scoring.matrix));
  }
  return io::with_file_context(pair.files, [&] { return formats::scored(pair.a, pair.b, matrix, input.ignore_case); });
}

GapCosts gap_costs(const Scoring& scoring) {
  const std::vector<std::int64_t> costs = scoring.gap.empty() ? default_gap(scoring) : scoring.gap;
  if (std::ranges::any_of(costs, [](std::int64_t cost) { return cost < 0; })) {
    throw Error(ErrorKind::usage, fmt::format("--gap is '{}': costs of 0 or more are accepted", fmt::join(costs, ",")));
  }
  if (costs.size() == 1) return {0, costs[0], {}};
  if (costs.size() == 2) return {costs[0], costs[1], {}};
  if (costs.size() == 4) return {costs[0], costs[1], GapCosts::Piece{costs[2], costs[3]}};
  throw Error(ErrorKind::usage, fmt::format("--gap has {}: EXTEND, OPEN,EXTEND or OPEN,EXTEND,OPEN,EXTEND is accepted",
                                            quantity(costs.size(), "number")));
}

FreeEnds free_ends_of(const Scoring& scoring) {
  if (scoring.free_ends.empty()) return named(named_ends, scoring.mode, "--mode").ends;
  FreeEnds ends;
  for (const std::string& name : scoring.free_ends) ends.*named(single_ends, name, "--free-ends").end = true;
  return ends;
}

const std::vector<std::string>& alignment_modes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedEnds& entry : named_ends) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

void add_scoring_keys(Json& object, const Scoring& scoring) {
  if (scoring.free_ends.empty()) {
    object["mode"] = scoring.mode;
  } else {
    object["free_ends"] = scoring.free_ends;
  }
  if (scoring.matrix.empty()) {
    object["match"] = scoring.match;
    object["mismatch"] = scoring.mismatch;
  } else {
    object["matrix"] = scoring.matrix;
  }
  object["gap"] = scoring.gap.empty() ? default_gap(scoring) : scoring.gap;
}

Scoring scoring_of(const Json& solution) {
  Scoring scoring;
  if (solution.contains("free_ends")) {
    for (const Json& name : list_at(solution, "free_ends")) scoring.free_ends.push_back(name.get<std::string>());
  } else {
    scoring.mode = text_at(solution, "mode");
  }
  if (solution.contains("matrix")) {
    scoring.matrix = text_at(solution, "matrix");
  } else {
    scoring.match = number_at<std::int64_t>(solution, "match");
    scoring.mismatch = number_at<std::int64_t>(solution, "mismatch");
  }
  for (const Json& cost : list_at(solution, "gap")) scoring.gap.push_back(integer<std::int64_t>(cost));
  return scoring;
}

}  // namespace warpfold::app
