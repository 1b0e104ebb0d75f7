#include "sequence/align/strips/narrow_tables.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "sequence/strips/aligned.hpp"

namespace warpfold::sequence::alignment::strips {

NarrowTables::NarrowTables(const Query& query, const Layout& layout, bool has_tile)
    : query_(query),
      layout_(layout),
      codes_(aligned<std::uint8_t>(layout.codes * layout.rows())),
      memory_(aligned<std::uint8_t>(NarrowStrip::memory_bytes(layout.words, 2 * layout.lanes))) {
  const NarrowStrip& narrow = *layout.narrow;
  const std::size_t lanes = 2 * layout.lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t word = 0; word < layout.words; ++word) {
      places_.push_back({static_cast<std::uint32_t>(word * lanes + lane), static_cast<std::uint32_t>(lane),
                         static_cast<std::uint32_t>(word / narrow.group * lanes + lane)});
    }
  }
  if (!has_tile) return;
  kept_best_ = aligned<std::uint8_t>((layout.columns + 1) * layout.rows());
  kept_carried_ = aligned<std::uint8_t>((layout.columns + 1) * lanes);
  kept_bases_ = aligned<std::uint16_t>(layout.kept_bases());
  for (std::size_t column = 0; column <= layout.columns; ++column) {
    bases_.push_back(static_cast<std::uint32_t>(narrow.moves(column) * narrow.groups(layout.words) * lanes));
  }
}

void NarrowTables::set_rows(std::size_t strip) {
  constexpr std::uint8_t beyond = std::numeric_limits<std::uint8_t>::max();  // the symbol of rows behind the last one
  const std::size_t first = layout_.first_row(strip);
  std::vector<std::uint8_t> symbols(layout_.rows(), beyond);
  for (std::size_t row = 0; row < std::min(layout_.rows(), query_.n() - first); ++row) {
    symbols[places_[row].in_column] = static_cast<std::uint8_t>(query_.pair.a()[first + row]);
  }
  std::uint8_t* codes = codes_.get();
  if (layout_.compares) {
    std::ranges::copy(symbols, codes);
    return;
  }
  const std::int64_t least = layout_.narrow->least_score;
  std::array<std::uint8_t, beyond + 1> scores{};
  scores[beyond] = static_cast<std::uint8_t>(least);
  for (std::uint32_t code = 0; code < layout_.codes; ++code) {
    for (std::uint32_t x = 0; x < query_.pair.codes(); ++x) {
      scores[x] = static_cast<std::uint8_t>(std::max(query_.pair.score(x, code) + 2 * layout_.bias(), least));
    }
    codes = std::ranges::transform(symbols, codes, [&](std::uint8_t symbol) { return scores[symbol]; }).out;
  }
}

NarrowStrip NarrowTables::strip(bool keeps) const {
  NarrowStrip strip = *layout_.narrow;
  strip.codes = codes_.get();
  strip.memory = memory_.get();
  if (!keeps) return strip;
  strip.kept_best = kept_best_.get();
  strip.kept_carried = kept_carried_.get();
  strip.kept_bases = kept_bases_.get();
  return strip;
}

int NarrowTables::in_tile(std::size_t row, std::size_t column) const {
  const Place& place = places_[row];
  const std::uint16_t* const bases = kept_bases_.get() + bases_[column];
  const int value = bases[place.base] + kept_best_[column * layout_.rows() + place.in_column];
  return std::max(value, bases[place.lane] + kept_carried_[column * 2 * layout_.lanes + place.lane]);
}

}  // namespace warpfold::sequence::alignment::strips
