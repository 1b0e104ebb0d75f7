#include "sequence/gpu/tiles.hpp"

#include <algorithm>

#include "sequence/slices/part.hpp"
#include "sequence/slices/walk_ahead.hpp"

namespace warpfold::sequence::cuda {

namespace {

/// The bits of a word, the highest one first.
std::uint64_t reversed(std::uint32_t word) {
  std::uint64_t bits = 0;
  for (unsigned step = 0; step < 32; ++step) bits |= std::uint64_t{word >> (31 - step) & 1} << step;
  return bits;
}

/// The strip of slices that computes a tile.
slices::Layout layout_of_tile(std::size_t rows, std::size_t width, int planes, Measure measure) {
  slices::Layout layout = slices::layout_of(rows, width, planes, measure);
  layout.words = (rows + layout.stripes() - 1) / layout.stripes();
  layout.n = layout.rows();
  return layout;
}

class Tiles {
 public:
  Tiles(const Query& query, const Layout& layout, const Borders& borders)
      : query_(query),
        layout_(layout),
        borders_(borders),
        advance_(slices::kernel(query.measure, slices::planes_of_kernel(static_cast<std::size_t>(query.pair.planes())),
                                true)) {
    const slices::Layout whole = layout_for(layout.rows_of_a_strip(), layout.width());
    for (std::size_t slot = 0; slot < borders.slots; ++slot) {
      kept_.push_back({.steps = slices::aligned_words(whole.chunks() * slices::chunk_steps * whole.step_words())});
      layouts_.push_back(whole);
    }
  }

  [[nodiscard]] std::size_t slots() const { return borders_.slots; }
  [[nodiscard]] Tile part_of(std::size_t i, std::size_t j) const {
    return {(i - 1) / layout_.rows_of_a_strip(), (j - 1) / layout_.width()};
  }
  void fetch(const std::vector<slices::PartAhead<Tile>>& ahead) const {
    for (std::size_t slot = 0; slot < ahead.size(); ++slot) borders_.fetch(slot, ahead[slot].part);
    borders_.wait();
  }

  void compute(const slices::PartAhead<Tile>& ahead, std::size_t slot, int) {
    const Tile& tile = ahead.part;
    const std::size_t first_row = tile.strip * layout_.rows_of_a_strip(), first_column = tile.column * layout_.width();
    const std::size_t rows = std::min(ahead.i - first_row, layout_.rows_of_a_strip());
    const std::size_t width = std::min(ahead.j - first_column, layout_.width());
    const slices::Layout& layout = layouts_[slot] = layout_for(rows, width);
    slices::Strip strip(query_.measure, query_.pair.a().subspan(first_row, rows),
                        query_.pair.b().subspan(first_column, width), layout);
    strip.enter(0);
    if (tile.column > 0) strip.set_left(rows, [&](std::size_t row) { return difference_at_left(slot, row); });
    for (std::size_t at = 0; at < layout.last_chunk(0); ++at) {
      std::uint64_t* const steps = kept_[slot].steps.get() + at * slices::chunk_steps * layout.step_words();
      strip.run_below(
          advance_, at, [&](slices::Chunk& chunk) { set_above(chunk, tile, slot, at); }, steps);
    }
    kept_[slot].first_row = first_row;
    kept_[slot].first_column = first_column;
  }

  void walk_back(std::size_t slot, Walk& walk) const { slices::walk_back(walk, kept_[slot], layouts_[slot], query_); }

 private:
  [[nodiscard]] slices::Layout layout_for(std::size_t rows, std::size_t width) const {
    return layout_of_tile(rows, width, query_.pair.planes(), query_.measure);
  }

  [[nodiscard]] int difference_at_left(std::size_t slot, std::size_t row) const {
    const std::size_t stripe = row / layout_.rows, k = row % layout_.rows,
                      signs = static_cast<std::size_t>(layout_.signs);
    const std::uint32_t* const word =
        borders_.left + slot * layout_.words_of_a_column() + k * signs * warp + stripe / 32;
    const auto bit = [&](std::size_t sign) { return static_cast<int>(word[sign * warp] >> (stripe % 32) & 1); };
    return signs == 2 ? bit(0) - bit(1) : bit(0);
  }

  /// Right of the tile anything will do.
  void set_above(slices::Chunk& chunk, const Tile& tile, std::size_t slot, std::size_t at) const {
    constexpr std::size_t packets_of_a_word = 64 / chunk_columns;
    for (std::size_t w = 0; w < slices::chunk_words; ++w) {
      const std::size_t packet = (at * slices::chunk_words + w) * packets_of_a_word;
      const bool is_above = tile.strip > 0 && packet < layout_.packets_of_a_tile();
      const auto h = [&](unsigned sign) {
        const std::uint64_t* const packets = borders_.above + slot * layout_.packets_of_a_tile() + packet;
        const unsigned shift = layout_.signs == 2 && sign == 0 ? 32 : 0;
        return reversed(static_cast<std::uint32_t>(packets[0] >> shift)) |
               reversed(static_cast<std::uint32_t>(packets[1] >> shift)) << chunk_columns;
      };
      chunk.above[0][w] = is_above ? h(0) : layout_.signs == 2 ? ~std::uint64_t{0} : 0;
      chunk.above[1][w] = is_above ? h(1) : 0;
    }
  }

  const Query& query_;
  const Layout& layout_;
  const Borders& borders_;
  const slices::Advance advance_;
  std::vector<slices::KeptPart> kept_;
  std::vector<slices::Layout> layouts_;  ///< of the tiles in `kept_`
};

}  // namespace

Script script_by_tiles(const Query& query, const Layout& layout, const Borders& borders, Team& team,
                       const SolveMonitor& monitor) {
  Tiles tiles(query, layout, borders);
  return slices::walk_by_parts({query.pair.n(), query.pair.m()}, tiles, team, monitor);
}

std::size_t bytes_of_tiles(const Layout& layout, Measure measure, std::size_t slots) {
  const slices::Layout tile = layout_of_tile(layout.rows_of_a_strip(), layout.width(), layout.planes, measure);
  const std::size_t steps = tile.chunks() * slices::chunk_steps * tile.step_words();
  return slots * (sizeof(std::uint64_t) * (steps + layout.packets_of_a_tile()) +
                  sizeof(std::uint32_t) * layout.words_of_a_column());
}

}  // namespace warpfold::sequence::cuda
