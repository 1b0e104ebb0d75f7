#include "verify_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/patch.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::app {

using sequence::Edit;
using sequence::Script;

SequencePair pair_of(const Files& instance, const Json& solution) {
  if (instance.size() == 2) return read_sequences(instance, input_of(solution));
  throw Error(ErrorKind::input, "one file: an instance of two sequences has two files");
}

namespace {

Edit edit_named(const Json& name) {
  const auto* const found = std::ranges::find(edit_names, name);
  if (found != edit_names.end()) return static_cast<Edit>(found - edit_names.begin());
  throw MalformedSolution(fmt::format("{} is no edit of a script", json_text(name).substr(0, 60)));
}

}  // namespace

Script stated_script(const Json& solution, std::uint64_t begin_a, std::uint64_t begin_b) {
  Script script;
  script.begin_a = begin_a;
  script.begin_b = begin_b;
  std::uint64_t here_a = begin_a, here_b = begin_b;
  for (const Json& entry : list_at(solution, "script")) {
    const Edit edit = edit_named(entry.at(0));
    const auto a = integer<std::uint64_t>(entry.at(1)), end_a = integer<std::uint64_t>(entry.at(2));
    const auto b = integer<std::uint64_t>(entry.at(3)), end_b = integer<std::uint64_t>(entry.at(4));
    const bool continues = a == here_a && b == here_b;
    const std::uint64_t symbols = edit == Edit::insertion ? end_b - b : end_a - a;
    const std::uint64_t steps = edit == Edit::transposition ? symbols / 2 : symbols;
    const std::uint64_t length = steps > sequence::max_length ? 0 : steps;
    Script run;
    run.push(edit, length);
    script.push(edit, length);
    here_a += run.symbols_of_a();
    here_b += run.symbols_of_b();
    if (!continues || here_a != end_a || here_b != end_b) {
      throw MalformedSolution(fmt::format("{} does not continue the script", json_text(entry).substr(0, 60)));
    }
  }
  return script;
}

Violation find_derived_violation(const Json& solution, const Script& script) {
  if (const std::string cigar = script.cigar(); text_at(solution, "cigar") != cigar) {
    return fmt::format("'cigar' is '{}', the script's is '{}'", text_at(solution, "cigar").substr(0, 60),
                       cigar.substr(0, 60));
  }
  return std::nullopt;
}

Violation find_matches_violation(const Json& solution, std::uint64_t matches, std::uint64_t columns) {
  if (const auto stated = integer<std::uint64_t>(value_at(solution, "matches")); stated != matches) {
    return fmt::format("'matches' is {}, there are {}", stated, matches);
  }
  if (const auto stated = number_at<double>(solution, "identity"); stated != identity_of(matches, columns)) {
    return fmt::format("'identity' is {}, it is {}", stated, identity_of(matches, columns));
  }
  return std::nullopt;
}

Violation find_length_violation(const Json& solution, const SequencePair& pair) {
  const auto m = integer<std::uint64_t>(value_at(solution, "m"));
  if (m == pair.m()) return std::nullopt;
  return fmt::format("'m' is {}, the instance has {}", m, pair.m());
}

namespace {

/// Whether the distance is more than the bound, which the key "more_than" then states.
bool is_more_than(const Json& solution) { return solution.contains("more_than"); }

/// Checks the keys that all solutions share, and `m`.
Violation find_pair_violation(const Json& solution, const SequencePair& pair, const char* cost_key) {
  const char* status = is_more_than(solution) ? "more than" : "optimal";
  if (Violation violation = find_run_violation(solution, pair.n(), status)) return violation;
  if (Violation violation = find_length_violation(solution, pair)) return violation;
  for (const char* key : {"cost", cost_key, "distance"}) {
    if (is_more_than(solution) != value_at(solution, key).is_null()) {
      return fmt::format("'{}' is {}: null goes with 'more_than' alone", key, json_text(value_at(solution, key)));
    }
  }
  if (value_at(solution, "cost") == value_at(solution, cost_key)) return std::nullopt;
  return fmt::format("'cost' and '{}' differ", cost_key);
}

/// The request of a solution, without its costs.
sequence::Request request_of_solution(const Json& solution) {
  sequence::Request request;
  request.script = solution.contains("script");
  if (request.script) request.ties = ties_named(text_at(solution, "ties"));
  if (is_more_than(solution)) request.max_distance = integer<std::uint64_t>(solution["more_than"]);
  return request;
}

sequence::Request edit_request(const Json& solution) {
  sequence::Request request = request_of_solution(solution);
  if (!solution.contains("costs")) return request;
  const Json& costs = solution["costs"];
  request.costs = {number_at<std::int64_t>(costs, "insertion"), number_at<std::int64_t>(costs, "deletion"),
                   number_at<std::int64_t>(costs, "substitution")};
  request.transpositions = costs.contains("transposition");
  request.unrestricted = flag_at(solution, "unrestricted_transpositions");
  if (request.transpositions) request.costs.transposition = number_at<std::int64_t>(costs, "transposition");
  return request;
}

/// Without a script, only the optimum itself can be checked.
bool has_only_cost(const sequence::Request& request) { return !request.script; }

}  // namespace

Verdict verify_lcs(const Files& instance, const Json& solution, const Options& limits) {
  const SequencePair pair = pair_of(instance, solution);
  if (Violation violation = find_pair_violation(solution, pair, "length")) return infeasible(*violation);
  const sequence::Request request = request_of_solution(solution);
  sequence::Subsequence stated;
  if (!is_more_than(solution)) {
    stated.length = integer<std::int64_t>(solution["length"]);
    const auto length = static_cast<std::uint64_t>(*stated.length), symbols = pair.n() + pair.m();
    if (*stated.length < 0 || 2 * length > symbols) return infeasible(fmt::format("'length' is {}", *stated.length));
    if (Violation violation = find_matches_violation(solution, length, symbols - length)) return infeasible(*violation);
    if (integer<std::uint64_t>(solution["distance"]) != symbols - 2 * length) {
      return infeasible(fmt::format("'distance' is {}, n + m - 2 length is {}", json_text(solution["distance"]),
                                    symbols - 2 * length));
    }
  }
  if (request.script) {
    stated.script = stated_script(solution);
    if (Violation violation = find_derived_violation(solution, stated.script)) return infeasible(*violation);
  }
  return sequence::verify(pair.codes, stated, request, has_only_cost(request), limits);
}

Verdict verify_diff(const Files& instance, const Json& solution, const Options& limits) {
  return verify_lcs(instance, solution, limits);
}

Verdict verify_edit_distance(const Files& instance, const Json& solution, const Options& limits) {
  const SequencePair pair = pair_of(instance, solution);
  if (Violation violation = find_pair_violation(solution, pair, "distance")) return infeasible(*violation);
  const sequence::Request request = edit_request(solution);
  sequence::Distance stated;
  if (!is_more_than(solution)) stated.distance = integer<std::int64_t>(solution["distance"]);
  if (request.script) {
    stated.script = stated_script(solution);
    if (Violation violation = find_derived_violation(solution, stated.script)) return infeasible(*violation);
    const std::uint64_t matches = stated.script.count(Edit::match);
    if (Violation violation = find_matches_violation(solution, matches, columns_of(stated.script))) {
      return infeasible(*violation);
    }
  }
  return sequence::verify(pair.codes, stated, request, has_only_cost(request), limits);
}

Json lcs_optimum(const Files& instance, const Json& solution, Options limits) {
  const SequencePair pair = pair_of(instance, solution);
  const auto distance = static_cast<std::uint64_t>(sequence::verified_lcs_distance(pair.codes, limits));
  if (is_more_than(solution) && distance > integer<std::uint64_t>(solution["more_than"])) return nullptr;
  return (pair.n() + pair.m() - distance) / 2;
}

Json edit_distance_optimum(const Files& instance, const Json& solution, Options limits) {
  const SequencePair pair = pair_of(instance, solution);
  const std::int64_t distance = sequence::verified_distance(pair.codes, edit_request(solution), limits);
  const bool is_passed =
      is_more_than(solution) && static_cast<std::uint64_t>(distance) > integer<std::uint64_t>(solution["more_than"]);
  return is_passed ? Json(nullptr) : Json(distance);
}

Verdict verify_patch(const Files& instance, const std::string& patch, const Options& limits) {
  if (instance.size() != 2) throw Error(ErrorKind::usage, "a patch is checked against two files: A, B and the patch");
  const SequencePair pair = read_sequences(instance, {.as = "lines"});
  const formats::Patched patched = formats::apply_patch(patch, io::read_file(patch), pair.a.content);
  if (patched.text != pair.b.content) return infeasible("the patched first file is not the second one");
  const auto fewest = static_cast<std::uint64_t>(sequence::verified_lcs_distance(pair.codes, limits));
  Verdict verdict;
  verdict.is_optimal = patched.deletions + patched.insertions == fewest;
  return verdict;
}

}  // namespace warpfold::app
