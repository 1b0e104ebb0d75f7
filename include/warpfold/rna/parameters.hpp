#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "warpfold/rna/sequence.hpp"

/// The numbers of the nearest-neighbor model: the free energy of a loop depends on its size and on the pairs and bases
/// that close it. Energies are integers in units of 0.01 kcal/mol.
namespace warpfold::rna {

using Energy = std::int32_t;

/// Not a loop. Larger than every energy.
inline constexpr Energy no_loop = 10'000'000;

/// The largest loop whose initiation is listed, and the most unpaired bases of an interior loop or bulge.
inline constexpr std::size_t max_loop = 30;

/// A table of numbers by several indices, the last one the fastest.
template <std::size_t... sides>
struct Grid {
  std::array<Energy, (sides * ...)> values{};

  template <class... Indices>
  [[nodiscard]] constexpr std::size_t place(Indices... indices) const {
    static_assert(sizeof...(Indices) == sizeof...(sides));
    unsigned place = 0;  // 32 bits: a GPU needs two instructions for each operation of 64
    ((place = place * static_cast<unsigned>(sides) + static_cast<unsigned>(indices)), ...);
    return place;
  }
  template <class... Indices>
  [[nodiscard]] constexpr Energy operator()(Indices... indices) const {
    return values[place(indices...)];
  }
  template <class... Indices>
  [[nodiscard]] constexpr Energy& operator()(Indices... indices) {
    return values[place(indices...)];
  }
};

/// Tables by kinds of pairs (sequence.hpp) and bases. A loop is closed by the pair (i,j), and looks at its mismatch
/// i+1, j-1. An interior loop has an inner pair (p,q), whose kind is that of (q,p) and whose mismatch is q+1, p-1.
struct LoopTables {
  static constexpr std::size_t kinds = pair_kinds, bases = 5;

  Grid<kinds, kinds> stack;
  Grid<kinds, bases, bases> mismatch_hairpin, mismatch_interior, mismatch_interior_1n, mismatch_interior_23,
      mismatch_multi, mismatch_exterior;
  Grid<kinds, bases> dangle5, dangle3;
  Grid<kinds, kinds, bases, bases> interior_11;
  Grid<kinds, kinds, bases, bases, bases> interior_21;
  Grid<kinds, kinds, bases, bases, bases, bases> interior_22;
  Grid<max_loop + 1> hairpin, bulge, interior;  ///< initiation by the number of unpaired bases
  Grid<1> multi_base, multi_closing, multi_branch, asymmetry, terminal_au;

  /// All tables, in one order.
  [[nodiscard]] auto grids() {
    return std::tie(stack, mismatch_hairpin, mismatch_interior, mismatch_interior_1n, mismatch_interior_23,
                    mismatch_multi, mismatch_exterior, dangle5, dangle3, interior_11, interior_21, interior_22, hairpin,
                    bulge, interior, multi_base, multi_closing, multi_branch, asymmetry, terminal_au);
  }
};

/// The tables, and the hairpins that have an energy of their own.
struct LoopNumbers : LoopTables {
  std::map<std::string, Energy, std::less<>> special_hairpins;  ///< whole loops with their pair, such as CUUCGG
};

/// A set of parameters, with the name under which results state it.
struct Parameters {
  std::string name;
  LoopNumbers at_37;     ///< free energies at 37 degrees Celsius
  LoopNumbers enthalpy;  ///< enthalpies, for other temperatures
  double log_slope = 0;  ///< a loop longer than max_loop: initiation(max_loop) + log_slope * ln(size / max_loop)
  Energy max_asymmetry = 0;
};

/// The set that comes with the library, "rules-1998": stacking energies of Xia et al. (1998) and Mathews et al. (1999),
/// loop initiation of the latter, and mismatches by rules of our own (docs/guides/rna.md lists them). It is not the
/// Turner 2004 set. A file of that set is read by formats::read_energy_parameters.
[[nodiscard]] Parameters rules_1998();

}  // namespace warpfold::rna
