#include "sequence/slices/part.hpp"

namespace warpfold::sequence::slices {

namespace {

/// A row of a strip: word `word` of a stripe.
struct Row {
  std::size_t stripe, word;

  [[nodiscard]] bool has_above(const Row& height) const {
    return stripe > height.stripe || (stripe == height.stripe && word >= height.word);
  }
  /// The row that is `height` above, in stripes and rows of a stripe. `words`: rows of a stripe.
  [[nodiscard]] Row above(const Row& height, std::size_t words) const {
    if (word >= height.word) return {stripe - height.stripe, word - height.word};
    return {stripe - height.stripe - 1, word + words - height.word};
  }
};

/// The kept bits of a part.
class Bits {
 public:
  Bits(const KeptPart& part, const Layout& layout) : part_(part), layout_(layout) {}

  [[nodiscard]] bool has(const Row& row, std::size_t column) const {
    return column / columns + row.stripe >= part_.first_step;
  }
  [[nodiscard]] bool bit(const Row& row, std::size_t column, std::size_t sign) const {
    return (word(row, column)[sign * layout_.lanes] >> (row.stripe / layout_.lanes) & 1) != 0;
  }
  void prefetch(const Row& row, std::size_t column) const {
    for (std::size_t sign = 0; sign < layout_.signs; ++sign)
      __builtin_prefetch(word(row, column) + sign * layout_.lanes);
  }

 private:
  /// Of the first sign.
  [[nodiscard]] const std::uint64_t* word(const Row& row, std::size_t column) const {
    const std::size_t step = column / columns + row.stripe - part_.first_step;
    const std::size_t vector = (step * layout_.words + row.word) * columns + column % columns;
    return part_.steps.get() + vector * layout_.signs * layout_.lanes + row.stripe % layout_.lanes;
  }

  const KeptPart& part_;
  const Layout& layout_;
};

}  // namespace

void walk_back(Walk& walk, const KeptPart& part, const Layout& layout, const Table& table) {
  constexpr std::size_t ahead = 4;  // rows and columns, of what is prefetched
  const Bits bits(part, layout);
  const bool is_edit = table.measure == Measure::edit;
  const std::size_t number = walk.i - 1 - part.first_row + part.rows_before;
  const Row one = {1 / layout.words, 1 % layout.words}, some = {ahead / layout.words, ahead % layout.words};
  Row row = {number / layout.words, number % layout.words};
  std::size_t column = walk.j - 1 - part.first_column;
  const auto may_substitute = [&](std::size_t, std::size_t) { return is_edit && bits.bit(row, column, 0); };
  const auto may_delete = [&](std::size_t, std::size_t) {
    return is_edit ? bits.bit(row, column, 1) : !bits.bit(row, column, 0);
  };
  while (bits.has(row, column)) {
    const Edit edit = step_to(table.a, table.b, walk.i, walk.j, may_substitute, may_delete);
    walk.take(edit);
    if (walk.i == part.first_row || walk.j == part.first_column) return;
    column = walk.j - 1 - part.first_column;
    if (edit == Edit::insertion) continue;
    row = row.above(one, layout.words);
    if (column <= ahead || !row.has_above(some)) continue;
    const Row next = row.above(some, layout.words);
    if (!bits.has(next, column - ahead - 1)) continue;
    for (std::size_t aside = 0; aside < 3; ++aside) bits.prefetch(next, column - ahead - 1 + aside);
  }
}

}  // namespace warpfold::sequence::slices
