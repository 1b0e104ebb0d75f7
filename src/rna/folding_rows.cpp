#include "rna/folding_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

namespace warpfold::rna {

namespace {

using Values = interval::detail::Stored<MinPlus<Energy>>;

/// Energies between two bounds, apart from no_loop and more, and the largest of all.
struct EnergyRange {
  Energy least = 0, most = 0, largest = 0;

  /// Without a branch: tables have 28,000 numbers.
  explicit EnergyRange(std::span<const Energy> energies) {
    for (const Energy energy : energies) {
      least = std::min(least, energy);
      most = std::max(most, energy < no_loop ? energy : 0);
      largest = std::max(largest, energy);
    }
  }
  /// Whether sums of three such energies and a value need no check.
  [[nodiscard]] bool is_accepted() const { return least >= -Values::largest && largest <= Values::largest; }
};

std::size_t letters_of(const Sequence& sequence, std::size_t bases) {
  const auto listed = std::span(sequence.bases()).first(bases);
  return std::ranges::find(listed, Base{0}) == listed.end() ? 4 : 5;
}

/// A bit for each of the columns of points j, j+1 .. that is at least `point`.
std::uint64_t columns_from(std::size_t point, std::size_t j) {
  if (point <= j) return ~std::uint64_t{0};
  return point - j >= tiles::tile_side ? 0 : ~std::uint64_t{0} << (point - j);
}

}  // namespace

std::size_t FoldingRows::stride_of(std::size_t size) { return front + (size + side) / side * side; }

std::size_t FoldingRows::number_of_lists(std::size_t of_letters) {
  return static_cast<std::size_t>(List::count) * of_letters * of_letters +
         static_cast<std::size_t>(KindList::count) * of_letters + static_cast<std::size_t>(RightList::count);
}

std::size_t FoldingRows::bytes(const Sequence& sequence, std::size_t bases) {
  return number_of_lists(letters_of(sequence, bases)) * stride_of(bases) * sizeof(Energy);
}

std::unique_ptr<FoldingRows> FoldingRows::of(const LoopEnergies& energies) {
  std::unique_ptr<FoldingRows> rows(new FoldingRows(energies));
  return rows->fits_ ? std::move(rows) : nullptr;
}

FoldingRows::FoldingRows(const LoopEnergies& energies)
    : energies_(energies),
      letters_(letters_of(energies.sequence(), energies.size())),
      stride_(stride_of(energies.size())),
      padded_(front + stride_ + side, Base{1}),
      lists_(number_of_lists(letters_) * stride_) {
  const std::vector<Base>& bases = energies.sequence().bases();
  std::copy(bases.begin(), bases.end(), padded_.begin() + front);
  if (energies.is_circular()) {
    padded_[front - 1] = bases.back();
    padded_[front + bases.size()] = bases.front();
  }
  const LoopTables& numbers = *energies.lists().numbers;
  common_ = {&numbers, numbers.bulge(1), energies.loop(LoopKind::generic, 2, 3), energies.multi_base()};
  const std::array<Energy, 3> others = {common_.bulge_1, common_.loop_23, common_.multi_base};
  fits_ = std::abs(common_.multi_base) <= Values::largest / 16;  // times the columns of a vector
  check(others, max_listed_);
  check(numbers.interior_11.values, max_listed_);
  check(numbers.interior_21.values, max_listed_);
  check(numbers.interior_22.values, max_listed_);
  list_loops();
  list_ends();
  list_kinds();
  list_right();
}

/// Fills the lists for two bases on the left. `beside`: where the second base on the right is, from the first.
/// `adds(first, second, right, other)`: what the loop adds by these bases.
template <class Adds>
void FoldingRows::fill(List of, std::ptrdiff_t beside, const Adds& adds) {
  std::vector<std::uint8_t> codes(stride_ - front);
  for (std::size_t j = 0; j < codes.size(); ++j) {
    const Base* right = padded_.data() + front + j - 1;
    codes[j] = static_cast<std::uint8_t>(right[0] * letters + right[beside]);
  }
  for (std::size_t first = letters - letters_; first < letters; ++first) {
    for (std::size_t second = letters - letters_; second < letters; ++second) {
      std::array<Energy, letters * letters> by_code{};
      for (std::size_t code = 0; code < by_code.size(); ++code) {
        by_code[code] = adds(first, second, code / letters, code % letters);
      }
      check(by_code, max_listed_);
      Energy* entries = list(of, static_cast<Base>(first), static_cast<Base>(second));
      std::fill(entries - front, entries, 0);
      for (std::size_t j = 0; j < codes.size(); ++j) entries[j] = by_code[codes[j]];
    }
  }
}

/// Lists what the two pairs of small loops and the ends of hairpins add.
void FoldingRows::list_loops() {
  const LoopLists& lists = energies_.lists();
  const auto kind = [&](std::size_t first, std::size_t second) { return lists.any_kinds[first * letters + second]; };
  const auto stack = [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
    return lists.numbers->stack(kind(first, right), kind(other, second));
  };
  fill(List::stack, -1, stack);
  fill(List::stack_2, -2, stack);
  fill(List::hairpin, -1, [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
    return lists.numbers->mismatch_hairpin(kind(first, right), second, other);
  });
}

/// Lists what a pair adds as the end of a loop.
void FoldingRows::list_ends() {
  const LoopEnd* ends = energies_.lists().ends;
  const auto end = [&](std::size_t i, std::size_t j, std::size_t beside, std::size_t other) -> const LoopEnd& {
    return ends[((i * letters + j) * letters + beside) * letters + other];
  };
  const auto outer = [&](List list, const auto& energy) {
    fill(list, -1, [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
      return energy(end(first, right, second, other));
    });
  };
  const auto inner = [&](List list, const auto& energy) {
    fill(list, 1, [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
      return energy(end(right, first, other, second));
    });
  };
  for (std::size_t kind = 0; kind < summed_kinds; ++kind) {
    const auto of_kind = [kind](const LoopEnd& one) { return one.of[kind]; };
    outer(list_of(List::outer, kind), of_kind);
    inner(list_of(List::inner, kind), of_kind);
  }
  outer(List::outer_23, [](const LoopEnd& one) { return one.of_23; });
  inner(List::inner_23, [](const LoopEnd& one) { return one.of_23; });
  const Energy closing = energies_.multi_ends();
  fill(List::multi_closing, -1, [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
    return closing + end(right, first, other, second).multi;
  });
  const auto around = [&](List list, const auto& energy) {
    fill(list, 1, [&](std::size_t first, std::size_t second, std::size_t right, std::size_t other) {
      return energy(end(first, right, second, other));
    });
  };
  around(List::multi_branch, [](const LoopEnd& one) { return one.multi; });
  around(List::exterior, [](const LoopEnd& one) { return one.exterior; });
  for (std::size_t kind = 0; kind < summed_kinds; ++kind) {
    end_before_last(list_of(List::inner, kind));
  }
  if (!energies_.is_circular()) end_before_last(List::multi_branch);
}

/// Sets what a list has for the last base to none: there is no base after it.
void FoldingRows::end_before_last(List of) {
  for (std::size_t first = letters - letters_; first < letters; ++first) {
    for (std::size_t second = letters - letters_; second < letters; ++second) {
      list(of, static_cast<Base>(first), static_cast<Base>(second))[energies_.size()] = Values::zero();
    }
  }
}

/// Lists the kinds of pairs.
void FoldingRows::list_kinds() {
  const LoopLists& lists = energies_.lists();
  for (std::size_t first = letters - letters_; first < letters; ++first) {
    const auto of = static_cast<Base>(first);
    Energy* outer = list(KindList::outer, of);
    Energy* inner = list(KindList::inner, of);
    pairs_[first].assign(stride_ / side, 0);
    for (std::ptrdiff_t j = -static_cast<std::ptrdiff_t>(front); j < static_cast<std::ptrdiff_t>(stride_ - front);
         ++j) {
      const Base right = j > 0 ? base(static_cast<std::size_t>(j) - 1) : Base{1};
      outer[j] = Energy{letters * letters} * lists.any_kinds[first * letters + right];
      inner[j] = Energy{letters * letters} * lists.any_kinds[right * letters + first];
      if (j <= 0 || static_cast<std::size_t>(j) > energies_.size() || pair_kind(of, right) == pair_kinds) continue;
      pairs_[first][static_cast<std::size_t>(j) / side] |= std::uint64_t{1} << static_cast<std::size_t>(j) % side;
    }
  }
}

/// Lists what depends on the right bases alone, and on the size of a hairpin.
void FoldingRows::list_right() {
  const LoopLists& lists = energies_.lists();
  const std::size_t size = energies_.size();
  std::fill_n(entries(number_of_lists(letters_) - static_cast<std::size_t>(RightList::count)) - front,
              static_cast<std::size_t>(RightList::count) * stride_, 0);
  std::fill_n(list(RightList::none) - front, stride_, Values::zero());
  for (std::size_t j = 0; j < stride_ - front; ++j) {
    const Base* right = padded_.data() + front + j - 1;
    list(RightList::base)[j] = right[-1];
    list(RightList::bases)[j] = Energy{letters} * right[-2] + right[-1];
    if (lists.stack_energies && j >= 2 && j <= size) {
      list(RightList::stack)[j] = lists.stack_energies[j - 2] + lists.stack_energies[j - 1];
    }
  }
  check({list(RightList::stack), stride_ - front}, max_listed_);
  initiation_.assign(side + 2, 0);
  initiation_.insert(initiation_.end(), lists.hairpin_initiation, lists.hairpin_initiation + size);
  initiation_.resize(initiation_.size() + side);
  check(initiation_, max_initiation_);
}

/// Adds energies to those whose sums have to fit.
void FoldingRows::check(std::span<const Energy> energies, Energy& most) {
  const EnergyRange range(energies);
  fits_ = fits_ && range.is_accepted();
  if (fits_) most = std::max({most, range.most, -range.least});
}

RowEnergies FoldingRows::energies_of_row(std::size_t i, std::size_t j) const {
  const std::size_t size = energies_.size();
  const Base first = base(i), second = base(i + 1), third = base(i + 2), fourth = base(i + 3);
  const bool is_circular = energies_.is_circular();
  RowEnergies e{};
  const auto of = [&](List of_loops, Base left, Base beside) { return list(of_loops, left, beside) + j; };
  e.initiation = initiation_.data() + (side + j - i);
  e.hairpin = of(List::hairpin, first, second);
  e.stack = of(List::stack, first, second);
  e.bulge_left = of(List::stack, first, third);
  e.bulge_right = of(List::stack_2, first, second);
  for (std::size_t kind = 0; kind < summed_kinds; ++kind) {
    e.outer[kind] = of(list_of(List::outer, kind), first, second);
  }
  e.outer_23 = of(List::outer_23, first, second);
  e.inner_23 = of(List::inner_23, fourth, third);
  e.inner_32 = of(List::inner_23, base(i + 4), fourth);
  e.multi_closing = of(List::multi_closing, first, second);
  e.multi_branch = i > 0 || is_circular ? of(List::multi_branch, first, padded_[front + i - 1]) : list(RightList::none);
  e.stack_right = list(RightList::stack) + j;
  e.outer_kind = list(KindList::outer, first) + j;
  e.kind_2 = list(KindList::inner, third) + j;
  e.kind_3 = list(KindList::inner, fourth) + j;
  e.base = list(RightList::base) + j;
  e.bases = list(RightList::bases) + j;
  e.may_pair =
      pairs_[first][j / side] & columns_from(i + 5, j) & ~columns_from(i + 1 + std::min(size, energies_.max_span()), j);
  e.base_1 = second;
  e.base_2 = third;
  if (const Energy* stacks = energies_.lists().stack_energies; stacks && i + 1 < size)
    e.stack_left = stacks[i] + stacks[i + 1];
  return e;
}

bool FoldingRows::close(const FoldingTables& tables, const interval::GrammarRow<Energy>& row) const {
  const RowEnergies energies = energies_of_row(row.i, row.j);
  ListedHairpins<Energy> hairpins;
  each_listed_hairpin(row.i, row.j, [&](std::size_t column, std::size_t end) {
    hairpins.add(column, energies_.hairpin(row.i, end - 1));
  });
  return kernels_.close(common_, energies, tables, row, hairpins);
}

void FoldingRows::weigh(LoopKind kind, std::size_t i, std::size_t j, std::span<const Energy> values,
                        Energy* weighted) const {
  kernels_.weigh(values.data(), inner(kind, i, j), values.size(), weighted);
}

}  // namespace warpfold::rna
