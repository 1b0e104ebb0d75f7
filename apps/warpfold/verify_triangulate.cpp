#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "triangulation_input.hpp"
#include "verify.hpp"
#include "warpfold/formats/weights.hpp"
#include "warpfold/polygon/verify.hpp"

namespace warpfold::app {

namespace {

struct Claim {
  std::size_t n;
  std::vector<interval::Chord> chords;
  std::vector<interval::Triangle> triangles;
};

Claim read_claim(const Json& solution, std::size_t n) {
  Claim claim{n, {}, {}};
  for (const Json& chord : solution.at("chords")) {
    const auto ends = wholes<std::uint32_t>(chord);
    if (ends.size() != 2) throw UnlikeOurs(fmt::format("{} stands where two indices do", json_text(chord)));
    claim.chords.push_back({ends[0], ends[1]});
  }
  for (const Json& triangle : solution.at("triangles")) {
    const auto [i, k, j] = triple(triangle);
    claim.triangles.push_back({i, k, j});
  }
  return claim;
}

std::optional<std::size_t> optional_index(const Json& solution, const char* key) {
  if (!solution.contains(key)) return std::nullopt;
  return whole<std::size_t>(solution.at(key));
}

polygon::Flaw flaw_of_real_cost(const Claim& claim, const std::function<double(std::size_t, std::size_t)>& weight,
                                const Json& solution) {
  const auto dtype = solution.at("dtype").get<std::string>();
  if (dtype != "f32" && dtype != "f64") return fmt::format("'dtype' is '{}'", dtype);
  const bool single = dtype == "f32";
  const double unit = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return polygon::flaw_of_cost(claim.chords, weight, solution.at("cost").get<double>(), unit);
}

/// Whether the claim is an exact one, in whole numbers.
bool claims_whole(const Json& solution) { return solution.at("dtype").get<std::string>().starts_with('i'); }

polygon::Flaw flaw_of_whole_cost(const Claim& claim,
                                 const std::function<std::int64_t(std::size_t, std::size_t)>& weight,
                                 const Json& solution) {
  return polygon::flaw_of_cost(claim.chords, weight, whole<std::int64_t>(solution.at("cost")));
}

template <class T>
polygon::Flaw flaw_of_forbidden(const Claim& claim, const formats::WeightMatrix& matrix,
                                const std::vector<T>& weights) {
  for (const auto& [i, j] : claim.chords) {
    if (weights[i * matrix.n() + j] == infinity<T>) return fmt::format("chord [{}, {}] is forbidden", i, j);
  }
  return std::nullopt;
}

polygon::Flaw flaw_of_matrix_cost(const Claim& claim, const formats::WeightMatrix& matrix, const Json& solution) {
  if (claims_whole(solution)) {
    if (!matrix.whole()) return "the dtype is a whole-number type, the weights are not whole";
    const std::vector<std::int64_t> weights = matrix.values<std::int64_t>();
    if (auto flaw = flaw_of_forbidden(claim, matrix, weights)) return flaw;
    return flaw_of_whole_cost(
        claim, [&](std::size_t i, std::size_t j) { return weights[i * matrix.n() + j]; }, solution);
  }
  const std::vector<double> weights = matrix.values<double>();
  if (auto flaw = flaw_of_forbidden(claim, matrix, weights)) return flaw;
  return flaw_of_real_cost(
      claim, [&](std::size_t i, std::size_t j) { return weights[i * matrix.n() + j]; }, solution);
}

polygon::Flaw flaw_of_formula_cost(const Claim& claim, const polygon::Outline& outline, polygon::Weight formula,
                                   const Json& solution) {
  const auto weight = [&](std::size_t i, std::size_t j) {
    return polygon::chord_weight(formula, outline[i], outline[j]);
  };
  if (!claims_whole(solution)) return flaw_of_real_cost(claim, weight, solution);
  for (const interval::Chord& chord : claim.chords) {
    const double value = weight(chord.i, chord.j);
    if (std::trunc(value) == value && value < 0x1p53) continue;
    return fmt::format("the dtype is a whole-number type, chord [{}, {}] weighs {}", chord.i, chord.j, value);
  }
  return flaw_of_whole_cost(
      claim, [&](std::size_t i, std::size_t j) { return static_cast<std::int64_t>(weight(i, j)); }, solution);
}

/// `chords_considered` is a count of an outline's own; all of a matrix are.
Flaw flaw_of_considered(const Json& solution, std::size_t n, bool all) {
  const auto stated = whole<std::size_t>(solution.at("chords_considered"));
  const std::size_t most = n * (n - 3) / 2;
  if (all ? stated == most : stated <= most) return std::nullopt;
  return fmt::format("'chords_considered' is {}, there are {}", stated, most);
}

Flaws flaws_of_matrix(const formats::WeightMatrix& matrix, const Json& solution, const Claim& claim) {
  if (Flaw flaw = polygon::flaw_of_structure(claim.n, claim.chords, claim.triangles)) return {flaw};
  return {std::nullopt, flaw_of_matrix_cost(claim, matrix, solution)};
}

}  // namespace

Flaws verify_triangulate(const std::string& instance, const Json& solution) {
  const auto text = solution.at("weight").get<std::string>();
  if (text == "matrix") {
    const formats::WeightMatrix matrix = formats::read_weights(instance);
    if (Flaw flaw = flaw_of_run(solution, matrix.n())) return {flaw};
    if (matrix.n() < 3) return {"the matrix is of no polygon"};
    if (Flaw flaw = flaw_of_considered(solution, matrix.n(), true)) return {flaw};
    return flaws_of_matrix(matrix, solution, read_claim(solution, matrix.n()));
  }
  const formats::OutlineChoice choice{optional_index(solution, "feature"), optional_index(solution, "part")};
  const polygon::Outline outline = read_checked_outline(instance, choice);
  if (Flaw flaw = flaw_of_run(solution, outline.size())) return {flaw};
  if (Flaw flaw = flaw_of_considered(solution, outline.size(), false)) return {flaw};
  const Claim claim = read_claim(solution, outline.size());
  if (Flaw flaw = polygon::flaw_of_structure(claim.n, claim.chords, claim.triangles)) return {flaw};
  if (Flaw flaw = polygon::flaw_of_triangles(outline, claim.triangles)) return {flaw};
  const WeightChoice weight = parse_weight(text);
  if (weight.formula) return {std::nullopt, flaw_of_formula_cost(claim, outline, *weight.formula, solution)};
  const formats::WeightMatrix matrix = formats::read_weights(weight.file);
  if (matrix.n() != claim.n)
    return {fmt::format("the matrix is of {} vertices, the outline of {}", matrix.n(), claim.n)};
  return flaws_of_matrix(matrix, solution, claim);
}

}  // namespace warpfold::app
