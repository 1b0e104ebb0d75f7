#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "warpfold/rna/parameters.hpp"

namespace warpfold::rna {

namespace {

/// Two neighboring pairs: 5' first[0] first[1] 3' over 3' second[0] second[1] 5'.
struct Stack {
  std::string_view first, second;
  Energy energy, enthalpy;
};

// Pairs of Watson and Crick: Xia et al., Biochemistry 37 (1998). Pairs with GU: Mathews et al., J. Mol. Biol. 288
// (1999).
constexpr std::array<Stack, 21> stacks = {{
    {"AA", "UU", -93, -682},   {"AU", "UA", -110, -938},  {"UA", "AU", -133, -769},  {"CU", "GA", -208, -1048},
    {"CA", "GU", -211, -1044}, {"GU", "CA", -224, -1140}, {"GA", "CU", -235, -1244}, {"CG", "GC", -236, -1064},
    {"GG", "CC", -326, -1339}, {"GC", "CG", -342, -1488}, {"AG", "UU", -55, -321},   {"AU", "UG", -136, -881},
    {"CG", "GU", -141, -561},  {"CU", "GG", -211, -1211}, {"GG", "CU", -153, -833},  {"GU", "CG", -251, -1259},
    {"GA", "UU", -127, -1283}, {"GG", "UU", -50, -1347},  {"GU", "UG", 129, -1459},  {"UA", "GU", -100, -699},
    {"UG", "GU", 30, -926},
}};

// Loop initiation by the number of unpaired bases: Mathews et al. (1999). Longer loops are extrapolated by 1.75 R T ln.
constexpr std::array<Energy, 10> hairpins = {no_loop, no_loop, no_loop, 570, 560, 560, 540, 590, 560, 640};
constexpr std::array<Energy, 7> bulges = {no_loop, 380, 280, 320, 360, 400, 440};
constexpr std::array<Energy, 7> interiors = {no_loop, no_loop, 50, 160, 170, 180, 200};
constexpr double log_slope = 107.856;  // 1.75 R T at 37 degrees Celsius

constexpr Base a = 1, g = 3, u = 4;

Base base_of(char letter) { return static_cast<Base>(std::string_view("NACGU").find(letter)); }
bool is_au_or_gu(std::size_t kind) { return kind >= 2; }

void set_stacks(Parameters& all) {
  for (const Stack& stack : stacks) {
    const std::size_t outer = pair_kind(base_of(stack.first[0]), base_of(stack.second[0]));
    const std::size_t inner = pair_kind(base_of(stack.second[1]), base_of(stack.first[1]));
    all.at_37.stack(outer, inner) = all.at_37.stack(inner, outer) = stack.energy;
    all.enthalpy.stack(outer, inner) = all.enthalpy.stack(inner, outer) = stack.enthalpy;
  }
}

template <std::size_t count>
void set_initiation(Grid<max_loop + 1>& grid, const std::array<Energy, count>& listed) {
  for (std::size_t size = 0; size <= max_loop; ++size) {
    if (size < count) {
      grid(size) = listed[size];
    } else {
      const double ratio = static_cast<double>(size) / static_cast<double>(count - 1);
      grid(size) = listed.back() + static_cast<Energy>(std::lround(log_slope * std::log(ratio)));
    }
  }
}

/// The first mismatch of an interior loop: G and A -1.1, U and U -0.7 kcal/mol; a pair that is not of C and G 0.7.
Energy interior_mismatch(std::size_t kind, Base left, Base right) {
  const Energy closing = is_au_or_gu(kind) ? 70 : 0;
  if ((left == g && right == a) || (left == a && right == g)) return closing - 110;
  return left == u && right == u ? closing - 70 : closing;
}

/// The first mismatch of a hairpin: -0.8 after a pair with U, else -1.5; -0.8 more for G and A, U and U, G and G.
Energy hairpin_mismatch(std::size_t kind, Base left, Base right) {
  const Energy stacking = is_au_or_gu(kind) ? -80 : -150;
  const bool is_bonus = (left == g && right == a) || (left == u && right == u) || (left == g && right == g);
  return is_bonus ? stacking - 80 : stacking;
}

/// A base after the 3' end of a pair: -0.7 for A and G and -0.3 for others after a pair with U, else -1.3 and -0.6.
Energy dangle3(std::size_t kind, Base base) {
  const bool is_purine = base == a || base == g;
  if (is_au_or_gu(kind)) return is_purine ? -70 : -30;
  return is_purine ? -130 : -60;
}

void set_mismatches(LoopNumbers& numbers) {
  for (std::size_t kind = 0; kind < pair_kinds; ++kind) {
    for (Base left = 0; left < LoopNumbers::bases; ++left) {
      numbers.dangle5(kind, left) = -30;
      numbers.dangle3(kind, left) = dangle3(kind, left);
      for (Base right = 0; right < LoopNumbers::bases; ++right) {
        numbers.mismatch_hairpin(kind, left, right) = hairpin_mismatch(kind, left, right);
        numbers.mismatch_interior(kind, left, right) = interior_mismatch(kind, left, right);
        numbers.mismatch_interior_23(kind, left, right) = interior_mismatch(kind, left, right);
        numbers.mismatch_interior_1n(kind, left, right) = is_au_or_gu(kind) ? 70 : 0;
        numbers.mismatch_multi(kind, left, right) = -30 + dangle3(kind, right);
        numbers.mismatch_exterior(kind, left, right) = -30 + dangle3(kind, right);
      }
    }
  }
}

/// 1 x 1: 0.4 and 0.65 for each pair that is not of C and G, G and G -1.7. 1 x 2: 2.3 and 0.7. 2 x 2: 1.1 and both
/// mismatches.
void set_small_interiors(LoopNumbers& numbers) {
  for (std::size_t outer = 0; outer < pair_kinds; ++outer) {
    for (std::size_t inner = 0; inner < pair_kinds; ++inner) {
      const Energy closings = static_cast<Energy>(is_au_or_gu(outer)) + static_cast<Energy>(is_au_or_gu(inner));
      for (Base w = 0; w < LoopNumbers::bases; ++w) {
        for (Base x = 0; x < LoopNumbers::bases; ++x) {
          numbers.interior_11(outer, inner, w, x) = 40 + 65 * closings - (w == g && x == g ? 170 : 0);
          for (Base y = 0; y < LoopNumbers::bases; ++y) {
            numbers.interior_21(outer, inner, w, x, y) = 230 + 70 * closings;
            for (Base z = 0; z < LoopNumbers::bases; ++z) {  // i+1, p-1, q+1, j-1
              numbers.interior_22(outer, inner, w, x, y, z) =
                  110 + interior_mismatch(outer, w, z) + interior_mismatch(inner, y, x);
            }
          }
        }
      }
    }
  }
}

}  // namespace

Parameters rules_1998() {
  Parameters all{.name = "rules-1998", .at_37 = {}, .enthalpy = {}, .log_slope = log_slope, .max_asymmetry = 300};
  set_mismatches(all.at_37);
  set_small_interiors(all.at_37);
  all.at_37.asymmetry(0) = 48;
  all.at_37.multi_closing(0) = 340;
  all.at_37.multi_branch(0) = 40;
  all.at_37.terminal_au(0) = 45;
  all.enthalpy = all.at_37;  // what no paper gives for other temperatures stays as it is at 37 degrees
  all.enthalpy.terminal_au(0) = 372;
  set_stacks(all);
  // Initiation is taken as entropy alone: its enthalpy is 0.
  set_initiation(all.at_37.hairpin, hairpins);
  set_initiation(all.at_37.bulge, bulges);
  set_initiation(all.at_37.interior, interiors);
  return all;
}

}  // namespace warpfold::rna
