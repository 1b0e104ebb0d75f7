#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "triangulation_input.hpp"
#include "verify.hpp"
#include "warpfold/io/weights.hpp"
#include "warpfold/polygon/verify.hpp"

namespace warpfold::app {

namespace {

struct Claim {
  std::size_t n;
  std::vector<interval::Chord> chords;
  std::vector<interval::Node> triangles;
};

std::uint32_t index(const Json& value) {
  const auto number = value.get<std::int64_t>();
  const bool whole = value.is_number_integer() && number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
  return whole ? static_cast<std::uint32_t>(number) : std::numeric_limits<std::uint32_t>::max();
}

Claim read_claim(const Json& solution) {
  Claim claim{solution.at("n").get<std::size_t>(), {}, {}};
  for (const Json& chord : solution.at("chords")) claim.chords.push_back({index(chord.at(0)), index(chord.at(1))});
  for (const Json& triangle : solution.at("triangles")) {
    claim.triangles.push_back({index(triangle.at(0)), index(triangle.at(1)), index(triangle.at(2))});
  }
  return claim;
}

std::optional<std::size_t> optional_index(const Json& solution, const char* key) {
  if (!solution.contains(key)) return std::nullopt;
  return solution.at(key).get<std::size_t>();
}

polygon::Flaw flaw_of_real_cost(const Claim& claim, const std::function<double(std::size_t, std::size_t)>& weight,
                                const Json& solution) {
  const bool single = solution.at("dtype") == "f32";
  const double unit = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return polygon::flaw_of_cost(claim.chords, weight, solution.at("cost").get<double>(), unit);
}

/// Whether the claim is an exact one, in whole numbers.
bool claims_whole(const Json& solution) { return solution.at("dtype").get<std::string>().starts_with('i'); }

polygon::Flaw flaw_of_whole_cost(const Claim& claim,
                                 const std::function<std::int64_t(std::size_t, std::size_t)>& weight,
                                 const Json& solution) {
  if (!solution.at("cost").is_number_integer()) return "the cost is no whole number";
  return polygon::flaw_of_cost(claim.chords, weight, solution.at("cost").get<std::int64_t>());
}

polygon::Flaw flaw_of_matrix_cost(const Claim& claim, const io::WeightMatrix& matrix, const Json& solution) {
  if (claims_whole(solution)) {
    if (!matrix.whole) return "the dtype is a whole-number type, the weights are not whole";
    return flaw_of_whole_cost(
        claim, [&](std::size_t i, std::size_t j) { return matrix.wholes[i * matrix.n + j]; }, solution);
  }
  const std::vector<double> weights = matrix.values<double>();
  return flaw_of_real_cost(
      claim, [&](std::size_t i, std::size_t j) { return weights[i * matrix.n + j]; }, solution);
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

polygon::Flaw flaw_of_size(std::size_t n, const Claim& claim) {
  if (n == claim.n) return std::nullopt;
  return fmt::format("n is {}, the instance has {} vertices", claim.n, n);
}

}  // namespace

Flaw verify_triangulate(const std::string& instance, const Json& solution) {
  const Claim claim = read_claim(solution);
  if (solution.at("status") != "optimal") return "the status is not 'optimal'";
  const auto text = solution.at("weight").get<std::string>();
  if (text == "matrix") {
    const io::WeightMatrix matrix = io::read_weights(instance);
    if (auto flaw = flaw_of_size(matrix.n, claim)) return flaw;
    if (auto flaw = polygon::flaw_of_structure(claim.n, claim.chords, claim.triangles)) return flaw;
    return flaw_of_matrix_cost(claim, matrix, solution);
  }
  const io::OutlineChoice choice{optional_index(solution, "feature"), optional_index(solution, "part")};
  const polygon::Outline outline = read_checked_outline(instance, choice);
  if (auto flaw = flaw_of_size(outline.size(), claim)) return flaw;
  if (auto flaw = polygon::flaw_of_structure(claim.n, claim.chords, claim.triangles)) return flaw;
  if (auto flaw = polygon::flaw_of_triangles(outline, claim.triangles)) return flaw;
  const WeightChoice weight = parse_weight(text);
  if (weight.formula) return flaw_of_formula_cost(claim, outline, *weight.formula, solution);
  const io::WeightMatrix matrix = io::read_weights(weight.file);
  if (auto flaw = flaw_of_size(matrix.n, claim)) return flaw;
  return flaw_of_matrix_cost(claim, matrix, solution);
}

}  // namespace warpfold::app
