#include "sequence/slices/part.hpp"

namespace warpfold::sequence::slices {

void walk_back(Walk& walk, const KeptPart& part, const Layout& layout, const Query& query) {
  const bool is_edit = query.measure == Measure::edit;
  const std::size_t row = walk.i - 1 - part.first_row + part.rows_before;
  std::size_t word = row % layout.words;
  std::size_t stripe = row / layout.words;
  const auto column = [&] { return walk.j - 1 - part.first_column; };
  const auto bit = [&](std::size_t sign) {
    const std::size_t step = column() / columns + stripe - part.first_step;
    const std::size_t vector = (step * layout.words + word) * columns + column() % columns;
    const std::uint64_t bits = part.steps[(vector * layout.signs + sign) * layout.lanes + stripe % layout.lanes];
    return (bits >> (stripe / layout.lanes) & 1) != 0;
  };
  const auto may_substitute = [&](std::size_t, std::size_t) { return is_edit && bit(0); };
  const auto may_delete = [&](std::size_t, std::size_t) { return is_edit ? bit(1) : !bit(0); };
  while (walk.i > part.first_row && walk.j > part.first_column && column() / columns + stripe >= part.first_step) {
    const Edit edit = step_to(query.pair.a(), query.pair.b(), walk.i, walk.j, may_substitute, may_delete);
    walk.take(edit);
    if (edit == Edit::insertion) continue;
    stripe -= word == 0 ? 1 : 0;
    word = word == 0 ? layout.words - 1 : word - 1;
  }
}

}  // namespace warpfold::sequence::slices
