// The secondary structure of least free energy of an RNA sequence, by the energies of its loops: what
// `warpfold fold --dangles 0` computes, in one grammar. FASTA on standard input, the structure and its energy on
// standard output.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include "warpfold/interval/grammar.hpp"

using warpfold::interval::Product;
using warpfold::interval::Stencil;
using Energy = std::int32_t;  // in 0.01 kcal/mol

// A pair on another one: 5' aa 3' over 3' bb 5'. Xia et al., Biochemistry 37 (1998); with GU Mathews et al., J. Mol.
// Biol. 288 (1999), as all other numbers.
constexpr struct {
  const char *aa, *bb;
  Energy energy;
} stacks[] = {{"AA", "UU", -93},  {"AU", "UA", -110}, {"UA", "AU", -133}, {"CU", "GA", -208}, {"CA", "GU", -211},
              {"GU", "CA", -224}, {"GA", "CU", -235}, {"CG", "GC", -236}, {"GG", "CC", -326}, {"GC", "CG", -342},
              {"AG", "UU", -55},  {"AU", "UG", -136}, {"CG", "GU", -141}, {"CU", "GG", -211}, {"GG", "CU", -153},
              {"GU", "CG", -251}, {"GA", "UU", -127}, {"GG", "UU", -50},  {"GU", "UG", 129},  {"UA", "GU", -100},
              {"UG", "GU", 30}};
constexpr Energy hairpins[] = {0, 0, 0, 570, 560, 560, 540, 590, 560, 640};
constexpr Energy bulges[] = {0, 380, 280, 320, 360, 400, 440};
constexpr Energy interiors[] = {0, 0, 50, 160, 170, 180, 200};

// The energy of a loop of `size` unpaired bases: listed, and beyond the list 1.75 R T ln(size / last) more.
template <std::size_t count>
Energy initiation(const Energy (&listed)[count], std::size_t size) {
  if (size < count) return listed[size];
  const double ratio = static_cast<double>(size) / static_cast<double>(count - 1);
  return listed[count - 1] + static_cast<Energy>(std::lround(107.856 * std::log(ratio)));
}

// Point i stands before base i: interval (i,j) is the bases i .. j-1.
struct Folding {
  using Semiring = warpfold::MinPlus<Energy>;
  enum Table : unsigned { paired, branches, stems, helix, exterior, tables };
  enum Kind : unsigned { bulge, one_by_more, generic };  // of loops whose energy is a sum of three
  static constexpr Product products[] = {{.left = stems, .right = stems}, {.left = exterior, .right = helix}};
  static constexpr Stencil stencils[] = {
      {.of = paired, .deep = 30}, {.of = paired, .deep = 30}, {.of = paired, .deep = 30}};
  static constexpr Energy none = Semiring::zero(), of_branch = 40, of_multiloop = 340;
  std::string s;

  bool pairs(std::size_t i, std::size_t j) const {
    return j > i + 3 && std::string("AU UA CG GC GU UG").find({s[i], s[j]}) != std::string::npos;
  }
  bool is_weak(std::size_t i, std::size_t j) const { return s[i] == 'U' || s[j] == 'U'; }
  Energy end_of_helix(std::size_t i, std::size_t j) const { return is_weak(i, j) ? 45 : 0; }
  Energy stack(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    for (const auto& one : stacks) {
      if (s[i] == one.aa[0] && s[p] == one.aa[1] && s[j] == one.bb[0] && s[q] == one.bb[1]) return one.energy;
      if (s[q] == one.aa[0] && s[j] == one.aa[1] && s[p] == one.bb[0] && s[i] == one.bb[1]) return one.energy;
    }
    return none;
  }
  // The bases x and y inside a loop beside the pair (i,j).
  bool bonus(char x, char y) const { return (x == 'G' && y == 'A') || (x == 'A' && y == 'G'); }
  Energy mismatch(std::size_t i, std::size_t j, char x, char y) const {
    return (is_weak(i, j) ? 70 : 0) - (bonus(x, y) ? 110 : x == 'U' && y == 'U' ? 70 : 0);
  }
  Energy hairpin(std::size_t i, std::size_t j) const {
    const std::size_t size = j - i - 1;
    if (size == 3) return hairpins[3] + end_of_helix(i, j);
    const char x = s[i + 1], y = s[j - 1];
    const bool better = (x == 'G' && (y == 'A' || y == 'G')) || (x == 'U' && y == 'U');
    return initiation(hairpins, size) - (is_weak(i, j) ? 80 : 150) - (better ? 80 : 0);
  }
  // Loops of few bases, `left` and `right` of them, between the pairs (i,j) and (p,q).
  Energy small(std::size_t i, std::size_t j, std::size_t left, std::size_t right) const {
    const std::size_t p = i + 1 + left, q = j - 1 - right;
    if (q <= p || q >= j || !pairs(p, q)) return none;
    const Energy weak = is_weak(i, j) + is_weak(p, q);
    if (left + right == 0) return stack(i, j, p, q);
    if (left + right == 1) return bulges[1] + stack(i, j, p, q);
    if (left + right == 2) return 40 + 65 * weak - (s[i + 1] == 'G' && s[j - 1] == 'G' ? 170 : 0);
    if (left + right == 3) return 230 + 70 * weak;
    return 110 + mismatch(i, j, s[i + 1], s[j - 1]) + mismatch(q, p, s[q + 1], s[p - 1]);
  }
  static bool is_small(std::size_t a, std::size_t b) { return std::max(a, b) <= 2 && (a + b != 2 || a == b); }

  // Larger loops are a sum of what their sizes, the outer pair and the inner pair give.
  Energy loop(std::size_t kind, std::size_t a, std::size_t b) const {
    const std::size_t less = std::min(a, b), more = std::max(a, b);
    if (is_small(a, b) || kind != std::min<std::size_t>(less, generic)) return none;
    if (kind == bulge) return initiation(bulges, more);
    return initiation(interiors, a + b) + std::min<Energy>(300, 48 * static_cast<Energy>(more - less));
  }
  Energy beside(std::size_t kind, std::size_t i, std::size_t j, char x, char y) const {
    if (kind == generic) return mismatch(i, j, x, y);
    return is_weak(i, j) ? (kind == bulge ? 45 : 70) : 0;
  }
  Energy inner(std::size_t kind, std::size_t p, std::size_t end) const {
    return p > 0 && end < s.size() ? beside(kind, p, end - 1, s[end], s[p - 1]) : none;
  }

  template <class Add>
  void terms(std::size_t i, std::size_t end, Add& add) const {
    const std::size_t j = end - 1;  // the last base
    const bool pair = pairs(i, j);
    add(paired, pair ? hairpin(i, j) : none);
    for (const auto& [a, b] :
         {std::pair<std::size_t, std::size_t>(0, 0), {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}}) {
      add(paired, pair ? small(i, j, a, b) : none, add.inside(paired, 1 + a, 1 + b));
    }
    for (unsigned kind = bulge; kind <= generic; ++kind) {
      add(paired, pair ? beside(kind, i, j, s[i + 1], s[j - 1]) : none, add.stencil(kind));
    }
    const Energy outside = pair ? end_of_helix(i, j) : none;  // what the pair adds where its helix ends
    add(paired, outside, of_multiloop + of_branch, add.inside(branches, 1, 1));
    add(branches, add.product(0));  // two branches or more
    add(stems, outside, of_branch, add.here(paired));
    add(stems, add.inside(stems, 1, 0));
    add(stems, add.inside(stems, 0, 1));
    add(stems, add.here(branches));
    add(helix, outside, add.here(paired));
    add(exterior, 0);  // no pair
    add(exterior, add.here(helix));
    add(exterior, add.inside(exterior, 0, 1));
    add(exterior, add.product(1));
  }
};

int main() try {
  Folding rna;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line[0] != '>') rna.s += line;
  }
  if (const auto wrong = rna.s.find_first_not_of("ACGU"); wrong != std::string::npos) {
    throw std::runtime_error("base " + std::to_string(wrong + 1) + " is '" + rna.s[wrong] +
                             "': A, C, G, U are accepted");
  }
  const auto tables = warpfold::interval::solve_grammar(rna, rna.s.size() + 1).solution;
  std::string brackets(rna.s.size(), '.');
  for (const auto& step : warpfold::interval::derivation(rna, tables)) {
    if (step.table == rna.paired) brackets[step.i] = '(', brackets[step.j - 1] = ')';
  }
  std::printf("%s\n%s (%6.2f)\n", rna.s.c_str(), brackets.c_str(), tables.value() / 100.0);
} catch (const std::exception& error) {
  std::cerr << "folding: error: " << error.what() << '\n';
  return 3;
}
