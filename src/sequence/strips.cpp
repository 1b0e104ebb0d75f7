#include "sequence/strips.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <vector>

#include "sequence/slices.hpp"
#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence {

namespace {

using slices::chunk_steps;
using slices::chunk_words;
using Word = std::uint64_t;

constexpr std::size_t chunk_columns = chunk_steps * slices::columns;

hwy::AlignedFreeUniquePtr<Word[]> aligned_words(std::size_t count) {
  auto memory = hwy::AllocateAligned<Word>(count);
  if (!memory) throw std::bad_alloc();
  return memory;
}

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// How A is cut into strips, and the memory that this takes.
struct Layout {
  std::size_t n, m, planes, signs, lanes;
  /// Diagonals i - j = -insertions .. deletions are computed. What is outside counts as if nothing matched there.
  std::size_t deletions = std::numeric_limits<std::uint32_t>::max();
  std::size_t insertions = std::numeric_limits<std::uint32_t>::max();
  std::size_t words = 1;     ///< K
  std::size_t interval = 0;  ///< chunks between two kept states of a strip; 0: none is kept

  [[nodiscard]] std::size_t stripes() const { return 64 * lanes; }
  [[nodiscard]] std::size_t rows() const { return words * stripes(); }
  [[nodiscard]] std::size_t strips() const { return quotient_up(n, rows()); }
  [[nodiscard]] std::size_t rows_before() const { return strips() * rows() - n; }
  /// The first row of a strip, from 0.
  [[nodiscard]] std::size_t first_row(std::size_t strip) const {
    return strip == 0 ? 0 : strip * rows() - rows_before();
  }
  /// A strip's chunks. Every strip begins with a whole chunk, at its column first_column.
  [[nodiscard]] std::size_t first_chunk(std::size_t strip) const {
    const std::size_t row = first_row(strip);
    return row > deletions ? std::min(row - deletions, m) / chunk_columns : 0;
  }
  [[nodiscard]] std::size_t last_chunk(std::size_t strip) const {
    return chunks_for(std::min(m, first_row(strip + 1) + insertions));
  }
  [[nodiscard]] std::size_t first_column(std::size_t strip) const { return first_chunk(strip) * chunk_columns; }
  /// Chunks of a strip, at most.
  [[nodiscard]] std::size_t chunks() const {
    return chunks_for(std::min(m, rows() + deletions + insertions + chunk_columns)) + 1;
  }
  /// Chunks from the first stripe to the last.
  [[nodiscard]] std::size_t lag() const { return stripes() / chunk_steps; }
  [[nodiscard]] std::size_t state_words() const { return (words + slices::columns) * signs * lanes; }
  [[nodiscard]] std::size_t kept_states() const { return interval ? strips() * ((chunks() - 1) / interval) : 0; }
  [[nodiscard]] std::size_t step_words() const { return words * slices::columns * signs * lanes; }
  [[nodiscard]] std::size_t kept_steps() const { return std::min(interval, chunks()) * chunk_steps; }
  [[nodiscard]] std::size_t stream_words() const { return chunks() * chunk_words; }
  [[nodiscard]] std::size_t streams(std::size_t threads) const {
    return interval ? strips() : std::min(strips(), threads + 1);
  }
  [[nodiscard]] std::size_t window_words() const { return slices::columns * planes * slices::window_words; }

  [[nodiscard]] std::size_t bytes(std::size_t threads) const {
    const std::size_t of_a_thread = words * planes * lanes + window_words() + state_words();
    return sizeof(Word) * (streams(threads) * signs * stream_words() + kept_states() * state_words() +
                           kept_steps() * step_words() + threads * of_a_thread);
  }

  /// Chunks after which the last stripe has been at the first `width` columns.
  [[nodiscard]] std::size_t chunks_for(std::size_t width) const {
    return quotient_up(quotient_up(width, slices::columns) + stripes() - 1, chunk_steps);
  }

  /// The vector operations of the score in one thread, if `threads` share the strips.
  [[nodiscard]] double operations(std::size_t threads) const {
    const auto k = static_cast<double>(words);
    const double cell = static_cast<double>(2 * planes - 1 + 4 * signs);
    const double work = std::max(slices::columns * k * cell, 16 * (k + slices::columns));
    const double step =
        work + tuning::step_operations + tuning::column_operations * static_cast<double>(signs + planes);
    const auto rounds = static_cast<double>(quotient_up(strips(), threads));
    const double lag_of_others = static_cast<double>(std::min(strips(), threads) - 1) * static_cast<double>(stripes());
    return (rounds * static_cast<double>(chunks() * chunk_steps) + lag_of_others) * step;
  }
};

/// The cheapest number of words.
Layout with_best_words(Layout layout, std::size_t threads) {
  Layout best = layout;
  for (layout.words = 1; layout.words <= tuning::max_words; ++layout.words) {
    if (layout.operations(threads) < best.operations(threads)) best = layout;
  }
  return best;
}

/// The shortest interval of kept states that fits into `bytes`, or else the one that takes least memory.
Layout with_interval(Layout layout, std::size_t threads, std::size_t bytes) {
  Layout best = layout;
  best.interval = tuning::min_interval;
  for (layout.interval = tuning::min_interval; layout.interval < 2 * layout.chunks(); layout.interval *= 2) {
    if (best.bytes(threads) <= bytes) break;
    if (layout.bytes(threads) < best.bytes(threads)) best = layout;
  }
  return best;
}

/// Differences along the last row of a strip, as the last stripe makes them: column j is bit j + (stripes - 1) columns.
class Stream {
 public:
  explicit Stream(const Layout& layout) {
    for (std::size_t sign = 0; sign < layout.signs; ++sign) bits_[sign].resize(layout.stream_words());
  }

  /// Begins a strip whose chunks are `first` to `last`.
  void begin(std::size_t first, std::size_t last) {
    first_ = first * chunk_words;
    last_ = last * chunk_words;
  }

  void put(const slices::Chunk& chunk, std::size_t at) {
    for (std::size_t sign = 0; sign < 2 && !bits_[sign].empty(); ++sign) {
      std::copy_n(chunk.below[sign], chunk_words, &bits_[sign][at * chunk_words - first_]);
    }
  }

  /// Sets what is above the next strip in chunk `at`.
  void get(slices::Chunk& chunk, std::size_t at, std::size_t lag) const {
    constexpr std::size_t shift = 64 - slices::columns;
    for (std::size_t sign = 0; sign < 2 && !bits_[sign].empty(); ++sign) {
      for (std::size_t w = 0; w < chunk_words; ++w) {
        const std::size_t from = (at + lag) * chunk_words + w - 1;
        chunk.above[sign][w] = word(sign, from) >> shift | word(sign, from + 1) << (64 - shift);
      }
    }
  }

  /// The sum of a sign's bits over the columns from `from` to `to`.
  [[nodiscard]] std::int64_t sum(std::size_t sign, std::size_t from, std::size_t to, const Layout& layout) const {
    const std::size_t skew = (layout.stripes() - 1) * slices::columns;
    std::int64_t sum = 0;
    for (std::size_t bit = from + skew; bit < to + skew;) {
      const std::size_t count = std::min(64 - bit % 64, to + skew - bit);
      sum += std::popcount(word(sign, bit / 64) << (64 - count - bit % 64) & (~Word{0} << (64 - count)));
      bit += count;
    }
    return sum;
  }

 private:
  /// Right of the strip's columns nothing matches: the distance grows by one from column to column.
  [[nodiscard]] Word word(std::size_t sign, std::size_t at) const {
    if (at < last_) return bits_[sign][at - first_];
    return sign == 0 && !bits_[1].empty() ? ~Word{0} : 0;
  }

  std::vector<Word> bits_[2];
  std::size_t first_ = 0, last_ = 0;
};

/// What one thread works with: the planes of a strip's rows, the window of B's planes, the state.
class Worker {
 public:
  Worker(const Query& query, const Layout& layout)
      : query_(query),
        layout_(layout),
        rows_(aligned_words(layout.words * layout.planes * layout.lanes)),
        window_(aligned_words(layout.window_words())),
        state_(aligned_words(layout.state_words())),
        chunk_{rows_.get(), layout.words, layout.planes, state_.get(), window_.get(), {}, {}, nullptr, 0, 0} {}

  [[nodiscard]] Word* state() { return state_.get(); }
  [[nodiscard]] const slices::Chunk& chunk() const { return chunk_; }

  /// Enters a strip at its beginning.
  void enter(std::size_t strip) {
    if (strip != strip_) set_rows(strip);
    set_first_state();
    fill_window(layout_.first_chunk(strip));
  }

  /// Enters a strip before chunk `at`, whose state is given.
  void enter(std::size_t strip, std::size_t at, const Word* state) {
    if (strip != strip_) set_rows(strip);
    std::copy_n(state, layout_.state_words(), this->state());
    fill_window(at);
  }

  /// Runs chunk `at` below `above` (null: below row 0). `steps`: where to keep what a walk needs, or null.
  void run(slices::Advance advance, std::size_t at, const Stream* above, Word* steps) {
    move_window(at);
    if (above) {
      above->get(chunk_, at, layout_.lag());
    } else {
      std::fill_n(chunk_.above[0], chunk_words, query_.measure == Measure::edit ? ~Word{0} : 0);
      std::fill_n(chunk_.above[1], chunk_words, Word{0});
    }
    chunk_.steps = steps;
    chunk_.first_step = at * chunk_steps;
    advance(chunk_);
  }

 private:
  void set_rows(std::size_t strip) {
    strip_ = strip;
    chunk_.rows_before = strip == 0 ? layout_.rows_before() : 0;
    const bool is_inverted = query_.measure == Measure::indel;
    std::fill_n(rows_.get(), layout_.words * layout_.planes * layout_.lanes, is_inverted ? ~Word{0} : 0);
    for (std::size_t row = chunk_.rows_before; row < layout_.rows(); ++row) {
      set_row(row, query_.pair.a()[strip * layout_.rows() + row - layout_.rows_before()]);
    }
  }

  void set_first_state() {
    const std::size_t v_words = layout_.words * layout_.lanes * layout_.signs;
    if (query_.measure == Measure::indel) {
      std::fill_n(state(), v_words, Word{0});
      std::fill_n(state() + v_words, layout_.state_words() - v_words, ~Word{0});
    } else {
      for (std::size_t word = 0; word < layout_.state_words(); ++word) {
        const bool is_plus = word / layout_.lanes % 2 == 0;
        state()[word] = is_plus == (word < v_words) ? ~Word{0} : 0;
      }
    }
  }

  /// Makes the window that chunk `at` finds.
  void fill_window(std::size_t at) {
    const std::size_t step = at * chunk_steps;
    for (std::size_t c = 0; c < slices::columns; ++c) {
      for (std::size_t p = 0; p < layout_.planes; ++p) {
        for (std::size_t lane = 0; lane < layout_.lanes; ++lane) {
          Word word = 0;
          for (std::size_t bit = 0; bit < 64 && 1 + lane + layout_.lanes * bit <= step; ++bit) {
            word |= symbol_bit(step - 1 - lane - layout_.lanes * bit, c, p) << bit;
          }
          window_.get()[(c * layout_.planes + p) * slices::window_words + lane] = word;
        }
      }
    }
  }

  void set_row(std::size_t row, std::uint32_t code) {
    const std::size_t stripe = row / layout_.words;
    for (std::size_t p = 0; p < layout_.planes; ++p) {
      Word& word = rows_[((row % layout_.words) * layout_.planes + p) * layout_.lanes + stripe % layout_.lanes];
      const Word bit = static_cast<Word>(p < 32 ? code >> p & 1 : 0) << (stripe / layout_.lanes);
      word ^= bit;
    }
  }

  [[nodiscard]] Word symbol_bit(std::size_t step, std::size_t c, std::size_t p) const {
    const std::size_t j = step * slices::columns + c;
    return j < layout_.m ? query_.pair.b()[j] >> p & 1 : 0;
  }

  void move_window(std::size_t at) {
    for (std::size_t c = 0; c < slices::columns; ++c) {
      std::uint32_t codes[chunk_steps];
      for (std::size_t step = 0; step < chunk_steps; ++step) {
        const std::size_t j = (at * chunk_steps + step) * slices::columns + c;
        codes[step] = j < layout_.m ? query_.pair.b()[j] : 0;
      }
      for (std::size_t p = 0; p < layout_.planes; ++p) {
        Word* const words = window_.get() + (c * layout_.planes + p) * slices::window_words;
        std::copy_n(words, layout_.lanes, words + chunk_steps);
        for (std::size_t step = 0; step < chunk_steps; ++step) {
          Word* const word = words + chunk_steps - 1 - step;
          *word = word[layout_.lanes] << 1 | (codes[step] >> p & 1);
        }
      }
    }
  }

  const Query& query_;
  const Layout& layout_;
  hwy::AlignedFreeUniquePtr<Word[]> rows_, window_, state_;
  slices::Chunk chunk_;
  std::optional<std::size_t> strip_;  ///< the strip whose rows are set
};

/// All strips, in a pipeline over the team: each takes the differences below the strip before as they come.
class Strips {
 public:
  Strips(const Query& query, const Layout& layout, std::size_t threads)
      : query_(query), layout_(layout), done_(std::make_unique<Done[]>(layout.strips())), sums_(layout.strips()) {
    for (std::size_t s = 0; s < layout.streams(threads); ++s) streams_.emplace_back(layout);
    if (layout.kept_states() > 0) states_ = aligned_words(layout.kept_states() * layout.state_words());
  }

  void run(Team& team, SolveMonitor& monitor) {
    const slices::Advance advance = slices::kernel(query_.measure, layout_.planes, false);
    team.run([&](int member) {
      Worker worker(query_, layout_);
      for (auto strip = static_cast<std::size_t>(member); strip < layout_.strips() && !team.failed();
           strip += static_cast<std::size_t>(team.size())) {
        sweep(strip, worker, advance, team, monitor, member == 0);
      }
    });
  }

  /// Down the left border of each strip, then along its last row to the next strip's first column.
  [[nodiscard]] std::int64_t distance() const {
    const auto n = static_cast<std::int64_t>(layout_.n);
    const std::int64_t sum = std::accumulate(sums_.begin(), sums_.end(), std::int64_t{0});
    return query_.measure == Measure::edit ? n + sum : n + static_cast<std::int64_t>(layout_.m) - 2 * sum;
  }

  [[nodiscard]] Script script(SolveMonitor& monitor) {
    const auto steps = aligned_words(layout_.kept_steps() * layout_.step_words());
    const slices::Advance advance = slices::kernel(query_.measure, layout_.planes, true);
    Worker worker(query_, layout_);
    Walk walk{layout_.n, layout_.m};
    while (walk.i > 0 && walk.j > 0) {
      monitor.check();
      walk_through_part(walk, worker, advance, steps.get());
    }
    return walk.finished();
  }

 private:
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;
  };

  /// Where the steps of a cell are.
  struct Place {
    std::size_t strip, word, stripe, step;
  };
  [[nodiscard]] Place place_of(std::size_t i, std::size_t j) const {
    const std::size_t row = i - 1 + layout_.rows_before();
    const std::size_t stripe = row % layout_.rows() / layout_.words;
    return {row / layout_.rows(), row % layout_.words, stripe, (j - 1) / slices::columns + stripe};
  }

  [[nodiscard]] const Stream& stream(std::size_t strip) const { return streams_[strip % streams_.size()]; }
  [[nodiscard]] Stream& stream(std::size_t strip) { return streams_[strip % streams_.size()]; }
  [[nodiscard]] const Stream* above(std::size_t strip) const { return strip == 0 ? nullptr : &stream(strip - 1); }
  [[nodiscard]] Word* state(std::size_t strip, std::size_t part) {
    const std::size_t of_a_strip = layout_.kept_states() / layout_.strips();
    return states_.get() + (strip * of_a_strip + part - 1) * layout_.state_words();
  }

  void sweep(std::size_t strip, Worker& worker, slices::Advance advance, Team& team, SolveMonitor& monitor,
             bool tells) {
    worker.enter(strip);
    const std::size_t first = layout_.first_chunk(strip);
    const std::size_t last = layout_.last_chunk(strip);
    stream(strip).begin(first, last);
    const double chunk_cells = static_cast<double>(layout_.n) * static_cast<double>(layout_.m) * team.size() /
                               static_cast<double>(layout_.strips() * (last - first));
    for (std::size_t at = first; at < last; ++at) {
      if (strip > 0) {
        const std::size_t enough = std::min(at + layout_.lag() + 1, layout_.last_chunk(strip - 1));
        team.wait(done_[strip - 1].chunks, enough);
      }
      if (team.failed()) return;
      monitor.check();
      if (layout_.interval > 0 && at > first && (at - first) % layout_.interval == 0) {
        std::copy_n(worker.state(), layout_.state_words(), state(strip, (at - first) / layout_.interval));
      }
      worker.run(advance, at, above(strip), nullptr);
      stream(strip).put(worker.chunk(), at);
      done_[strip].chunks.store(at + 1, std::memory_order_release);
      if (tells) monitor.advance(chunk_cells);
    }
    const std::size_t to = strip + 1 < layout_.strips() ? layout_.first_column(strip + 1) : layout_.m;
    for (std::size_t sign = 0; sign < layout_.signs; ++sign) {
      sums_[strip] += (sign == 0 ? 1 : -1) * stream(strip).sum(sign, layout_.first_column(strip), to, layout_);
    }
  }

  /// Runs the part of a strip that the walk is in again, and walks to its beginning or to the strip's.
  void walk_through_part(Walk& walk, Worker& worker, slices::Advance advance, Word* steps) {
    const Place from = place_of(walk.i, walk.j);
    const std::size_t first_of_strip = layout_.first_chunk(from.strip);
    const std::size_t part = (from.step / chunk_steps - first_of_strip) / layout_.interval;
    const std::size_t first = first_of_strip + part * layout_.interval;
    if (part > 0) {
      worker.enter(from.strip, first, state(from.strip, part));
    } else {
      worker.enter(from.strip);
    }
    for (std::size_t at = first; at <= from.step / chunk_steps; ++at) {
      worker.run(advance, at, above(from.strip), steps + (at - first) * chunk_steps * layout_.step_words());
    }
    walk_back(walk, from, first * chunk_steps, steps);
  }

  /// Walks until it leaves the strip, or comes before `first_step`, whose steps are the first in `steps`.
  void walk_back(Walk& walk, const Place& from, std::size_t first_step, const Word* steps) const {
    const std::size_t first_row = layout_.first_row(from.strip);
    const bool is_edit = query_.measure == Measure::edit;
    std::size_t word = from.word;
    std::size_t stripe = from.stripe;
    const auto bit = [&](std::size_t sign) {
      const std::size_t step = (walk.j - 1) / slices::columns + stripe - first_step;
      const std::size_t vector = (step * layout_.words + word) * slices::columns + (walk.j - 1) % slices::columns;
      return (steps[(vector * layout_.signs + sign) * layout_.lanes + stripe % layout_.lanes] >>
                  (stripe / layout_.lanes) &
              1) != 0;
    };
    const auto may_substitute = [&](std::size_t, std::size_t) { return is_edit && bit(0); };
    const auto may_delete = [&](std::size_t, std::size_t) { return is_edit ? bit(1) : !bit(0); };
    while (walk.i > first_row && walk.j > 0 && (walk.j - 1) / slices::columns + stripe >= first_step) {
      const Edit edit = step_to(query_.pair.a(), query_.pair.b(), walk.i, walk.j, may_substitute, may_delete);
      walk.take(edit);
      if (edit == Edit::insertion) continue;
      stripe -= word == 0 ? 1 : 0;
      word = word == 0 ? layout_.words - 1 : word - 1;
    }
  }

  const Query& query_;
  const Layout& layout_;
  std::unique_ptr<Done[]> done_;
  std::vector<std::int64_t> sums_;  ///< of a strip's last row, up to the next strip's first column
  std::vector<Stream> streams_;
  hwy::AlignedFreeUniquePtr<Word[]> states_;
};

/// All diagonals that a path of cost `bound` can reach.
Layout within(Layout layout, std::size_t bound) {
  const std::size_t longer = layout.n > layout.m ? layout.n - layout.m : layout.m - layout.n;
  const std::size_t both = (std::max(bound, longer) - longer) / 2;
  layout.deletions = both + (layout.n > layout.m ? longer : 0);
  layout.insertions = both + (layout.n < layout.m ? longer : 0);
  return layout;
}

Layout layout_of(std::size_t n, std::size_t m, int planes, Measure measure) {
  Layout layout;
  layout.n = n;
  layout.m = m;
  layout.planes = slices::planes_of_kernel(static_cast<std::size_t>(planes));
  layout.signs = measure == Measure::edit ? 2 : 1;
  layout.lanes = slices::lanes();
  return layout;
}
Layout layout_of(const Query& query) {
  return layout_of(query.pair.n(), query.pair.m(), query.pair.planes(), query.measure);
}
Layout layout_of(const Size& size) {
  return layout_of(static_cast<std::size_t>(size.n), static_cast<std::size_t>(size.m), size.planes, size.measure);
}

Layout with_script(const Layout& layout, std::size_t threads, std::size_t bytes_left) {
  // The memory for a script, unless more is needed.
  const std::size_t bytes = tuning::script_bytes + tuning::symbol_bytes * (layout.n + layout.m);
  return with_interval(layout, threads, std::min(bytes_left, bytes));
}

std::size_t threads_of(double cells, const Options& options) {
  return cells < tuning::worth_threads ? 1 : static_cast<std::size_t>(thread_count(options.threads));
}

/// The distance by the cells of a layout, and if `with_script` the script.
Distance solved(const Query& query, Layout layout, bool with_script_too, Team& team, Context& context,
                SolveMonitor& monitor) {
  const auto threads = static_cast<std::size_t>(team.size());
  layout = with_best_words(layout, threads);
  if (with_script_too) layout = with_script(layout, threads, context.budget.left());
  const auto taken = context.budget.reserve(layout.bytes(threads));
  Strips strips(query, layout, threads);
  strips.run(team, monitor);
  const std::int64_t distance = strips.distance();
  return {distance, with_script_too && query.is_within(distance) ? strips.script(monitor) : Script()};
}

Distance unless_more(const Query& query, Distance solution) {
  return query.is_within(*solution.distance) ? std::move(solution) : Distance();
}

}  // namespace

Distance by_slices(const Query& query, Context& context) {
  const double cells = static_cast<double>(query.pair.n()) * static_cast<double>(query.pair.m());
  Team team(static_cast<int>(threads_of(cells, context.options)));
  context.report.threads = team.size();
  SolveMonitor monitor(context.options, cells);
  return unless_more(query, solved(query, layout_of(query), query.request.script, team, context, monitor));
}

Distance by_band(const Query& query, Context& context) {
  const double cells = static_cast<double>(query.pair.n()) * static_cast<double>(query.pair.m());
  Team team(static_cast<int>(threads_of(cells, context.options)));
  context.report.threads = team.size();
  SolveMonitor monitor(context.options, 2 * cells);
  const std::size_t symbols = query.pair.n() + query.pair.m();
  std::size_t bound = query.request.max_distance.value_or(symbols);
  // A narrow band gives a distance that some script has. The band of this distance has all scripts that cost no more.
  const std::size_t first_bound = std::max(query.pair.n(), query.pair.m()) - std::min(query.pair.n(), query.pair.m()) +
                                  symbols / tuning::first_band;
  if (first_bound < bound && cells > tuning::worth_a_first_band) {
    const Distance first = solved(query, within(layout_of(query), first_bound), false, team, context, monitor);
    const auto distance = static_cast<std::size_t>(*first.distance);
    if (distance <= first_bound && !query.request.script) return unless_more(query, first);
    bound = std::min(bound, distance);
  }
  return unless_more(query,
                     solved(query, within(layout_of(query), bound), query.request.script, team, context, monitor));
}

std::size_t bytes_of_slices(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_of(size.cells(), options);
  const Layout layout = with_best_words(layout_of(size), threads);
  return (size.request.script ? with_script(layout, threads, Budget(options).left()) : layout).bytes(threads);
}

double seconds_of_slices(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_of(size.cells(), options);
  return tuning::slices_start_seconds +
         tuning::vector_operation_seconds * with_best_words(layout_of(size), threads).operations(threads);
}

double seconds_of_band(const Size& size, const Options& options) {
  const double part = tuning::expected_band + std::abs(size.n - size.m) / std::max({size.n, size.m, 1.0});
  return seconds_of_slices(size, options) * (size.cells() > tuning::worth_a_first_band ? part : 1.1);
}

}  // namespace warpfold::sequence
