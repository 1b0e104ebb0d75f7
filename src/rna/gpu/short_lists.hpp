#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>
#include <vector>

#include "rna/gpu/pair_lists.hpp"

/// The energies of loops in the form in which a block of a GPU folds a short sequence (short_foldings.cuh).
namespace warpfold::rna {

/// What the loops that are sums have by their sizes: a lane of a warp has one of each group of 32. Two groups are
/// bulges, two loops of 1 x n bases, the others generic. They are ordered by size, so a short interval needs the first
/// groups alone.
struct LoopGroups {
  static constexpr unsigned bulges = 0, one_by_more = 2, generic = 4, count = 16;

  Energy weights[count][32];
  unsigned char left[count][32], right[count][32];  ///< the bases on both sides

  /// The smallest loop from a group on; of generic loops of each third group.
  static constexpr unsigned second_bulge = 18, second_one_by_more = 20;
  static constexpr unsigned generic_from(unsigned third) {
    return third == 0 ? 6 : third == 1 ? 17 : third == 2 ? 23 : 27;
  }
};

/// What loops add, by the kind of the pair, and by 5 * a base beside it + the other one.
struct ShortLists {
  static constexpr unsigned codes = 25, of_list = pair_kinds * codes;

  Energy pairs[PairLists::count][pair_kinds][codes];
  /// To the exterior loop. 1: a base is before the pair, 2: one is after it.
  Energy exterior[4][pair_kinds][codes];
  LoopGroups groups;
  Energy bulge_1, of_23, multi_base, terminal_au;
};

/// A hairpin with an energy of its own: its bases, three bits each, after a 1.
struct SpecialHairpin {
  static constexpr unsigned none = 0;
  unsigned bases;
  Energy energy;

  /// Where to begin the search in a list of 2^bits places. The next places follow.
  static constexpr unsigned place(unsigned bases, unsigned bits) { return bases * 2654435761U >> (32 - bits); }
  /// The place of a hairpin in a list of 2^bits places, or of none.
  static constexpr const SpecialHairpin& find(const SpecialHairpin* places, unsigned bits, unsigned bases) {
    unsigned at = place(bases, bits);
    while (places[at].bases != none && places[at].bases != bases) at = (at + 1) % (1U << bits);
    return places[at];
  }
};

/// The hairpins with an energy of their own, in 2^bits places.
struct SpecialHairpinView {
  const SpecialHairpin* places;
  unsigned bits;
};

/// The energy of a hairpin of 3 to 6 bases whose pair (i,j) is of this kind. base(t) is base t.
template <class BaseOf>
constexpr Energy small_hairpin(const LoopTables& numbers, const Energy* initiation, const SpecialHairpinView& special,
                               unsigned i, unsigned j, std::size_t kind, const BaseOf& base) {
  unsigned letters = 1;
  for (unsigned t = i; t <= j; ++t) letters = letters << 3 | static_cast<unsigned>(base(t));
  const SpecialHairpin& found = SpecialHairpin::find(special.places, special.bits, letters);
  if (found.bases != SpecialHairpin::none) return found.energy;
  const unsigned size = j - i - 1;
  if (size > 3) return initiation[size] + numbers.mismatch_hairpin(kind, base(i + 1), base(j - 1));
  return initiation[size] + (kind >= 2 ? numbers.terminal_au(0) : 0);
}

/// Orders the loops of one kind by size, and spreads those of each `together` groups so that few of the places that the
/// lanes of a group read lie in one bank. `stride`: the places from a row to the next.
inline void list_groups(const LoopEnergies& energies, LoopKind kind, unsigned first, unsigned count, unsigned together,
                        unsigned stride, LoopGroups& groups) {
  struct Loop {
    unsigned left, right;
  };
  std::vector<Loop> loops;
  for (unsigned size = 2; size <= max_loop; ++size) {
    for (unsigned left = 0; left <= size; ++left) {
      if (loop_kind(left, size - left) == kind) loops.push_back({left, size - left});
    }
  }
  constexpr Energy none = interval::detail::Stored<MinPlus<Energy>>::zero();
  for (unsigned group = first; group < first + count; ++group) {
    std::fill_n(groups.weights[group], 32, none);
    std::fill_n(groups.left[group], 32, static_cast<unsigned char>(0));
    std::fill_n(groups.right[group], 32, static_cast<unsigned char>(0));
  }
  std::vector<std::array<unsigned, 32>> in_bank(count);
  std::vector<unsigned> lanes(count);
  for (std::size_t t = 0; t < loops.size(); ++t) {
    const auto [left, right] = loops[t];
    const unsigned bank = (left * stride + 32 - right) % 32;
    const unsigned begin = static_cast<unsigned>(t / (std::size_t{32} * together)) * together;
    unsigned best = count;
    for (unsigned group = begin; group < begin + together; ++group) {
      if (lanes[group] == 32) continue;
      if (best == count || in_bank[group][bank] < in_bank[best][bank]) best = group;
    }
    const unsigned lane = lanes[best]++;
    ++in_bank[best][bank];
    groups.weights[first + best][lane] = energies.loop(kind, left, right);
    groups.left[first + best][lane] = static_cast<unsigned char>(left);
    groups.right[first + best][lane] = static_cast<unsigned char>(right);
  }
}

/// `stride`: that of the windows.
[[nodiscard]] inline ShortLists short_lists_of(const LoopEnergies& energies, const PairLists& pairs, unsigned stride) {
  ShortLists lists{};
  const LoopTables& numbers = *energies.lists().numbers;
  const LoopEnd* ends = energies.lists().ends;
  for (Base first = 1; first < 5; ++first) {
    for (Base second = 1; second < 5; ++second) {
      const std::size_t kind = pair_kind(first, second);
      if (kind == pair_kinds) continue;
      for (unsigned code = 0; code < ShortLists::codes; ++code) {
        const unsigned before = code / 5, after = code % 5;
        for (unsigned list = 0; list < PairLists::count; ++list) {
          lists.pairs[list][kind][code] = pairs.energies[list][5U * first + before][5U * second + after];
        }
        const Energy end = kind >= 2 ? numbers.terminal_au(0) : 0;
        const bool adds = energies.has_dangles();
        lists.exterior[0][kind][code] = end;
        lists.exterior[1][kind][code] = end + (adds ? numbers.dangle5(kind, before) : 0);
        lists.exterior[2][kind][code] = end + (adds ? numbers.dangle3(kind, after) : 0);
        lists.exterior[3][kind][code] = ends[((std::size_t{first} * 5 + second) * 5 + before) * 5 + after].exterior;
      }
    }
  }
  list_groups(energies, LoopKind::bulge, LoopGroups::bulges, 2, 1, stride, lists.groups);
  list_groups(energies, LoopKind::one_by_more, LoopGroups::one_by_more, 2, 1, stride, lists.groups);
  list_groups(energies, LoopKind::generic, LoopGroups::generic, 12, 3, stride, lists.groups);
  lists.bulge_1 = pairs.by_size.bulge[1];
  lists.of_23 = pairs.by_size.of_23;
  lists.multi_base = pairs.by_size.multi_base;
  lists.terminal_au = numbers.terminal_au(0);
  return lists;
}

/// The special hairpins of 3 to 6 bases, in 2^bits places; half of them or more are free.
struct SpecialHairpins {
  unsigned bits = 1;
  std::vector<SpecialHairpin> places;

  explicit SpecialHairpins(const LoopNumbers& numbers) {
    std::vector<SpecialHairpin> all;
    for (const auto& [letters, energy] : numbers.special_hairpins) {
      if (const unsigned bases = bases_of(letters); bases != SpecialHairpin::none) all.push_back({bases, energy});
    }
    bits = static_cast<unsigned>(std::bit_width(2 * all.size() + 1));
    places.assign(std::size_t{1} << bits, {SpecialHairpin::none, 0});
    for (const SpecialHairpin& hairpin : all) {
      std::size_t at = SpecialHairpin::place(hairpin.bases, bits);
      while (places[at].bases != SpecialHairpin::none) at = (at + 1) % places.size();
      places[at] = hairpin;
    }
  }

 private:
  /// None for what no sequence has.
  static unsigned bases_of(std::string_view letters) {
    constexpr std::string_view alphabet = "NACGU";
    if (letters.size() < 5 || letters.size() > LoopEnergyView::max_special_hairpin + 2) return SpecialHairpin::none;
    unsigned bases = 1;
    for (const char letter : letters) {
      const std::size_t base = alphabet.find(letter);
      if (base == std::string_view::npos) return SpecialHairpin::none;
      bases = bases << 3 | static_cast<unsigned>(base);
    }
    return bases;
  }
};

}  // namespace warpfold::rna
