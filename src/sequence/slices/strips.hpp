#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sequence/saved_rows.hpp"
#include "sequence/slices/part.hpp"
#include "sequence/slices/share.hpp"
#include "sequence/slices/strip.hpp"
#include "sequence/slices/walk_ahead.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::slices {

/// All strips, in a pipeline over a team: each takes the differences below the strip before as they come. For a script
/// the differences below every strip are kept, and the states of the strips at intervals. The walk from the end runs
/// only those parts of strips again that it comes to.
///
/// A layout with tiles keeps the differences at the borders of these alone, a bit or two for each row and column. Each
/// tile that the walk comes to is a table of its own, up to the walk's row and column, with strips of its own.
///
/// Several processes may share the strips of a layout without tiles. Then `run` fills those of this process, and passes
/// rows.
///
/// With saved rows, strips above the last restored row are not run, except those of a group that the walk comes to.
class Strips {
 public:
  /// The arguments must outlive it. `saved`: null, or the rows of a layout with a unit.
  Strips(const Table& table, const Layout& layout, std::size_t threads, SavedRows* saved = nullptr);
  /// The strips of a process, whose team has `share.count` members.
  Strips(const Table& table, const Layout& layout, const Share& share, RowExchange& exchange);

  void run(Team& team, SolveMonitor& monitor);

  /// The distance, after `run`.
  [[nodiscard]] std::int64_t distance() const { return distance(sum()); }
  /// The differences along the last rows of this process's strips, added, and the distance by those of all processes.
  [[nodiscard]] std::int64_t sum() const;
  [[nodiscard]] std::int64_t distance(std::int64_t sum) const;
  /// Walks to row 0 or column 0, or to a strip of another process, after `run` with a layout for a script.
  /// `bytes_left`: beside those of this layout.
  void walk_back(Walk& walk, std::size_t bytes_left, Team& team, SolveMonitor& monitor);
  /// The strip of a row, for i > 0.
  [[nodiscard]] std::size_t strip_of(std::size_t i) const { return (i - 1 + layout_.rows_before()) / layout_.rows(); }

  /// A strip between two kept states, for `walk_by_parts`.
  struct Part {
    std::size_t strip, number;
    bool operator==(const Part&) const = default;
  };
  [[nodiscard]] std::size_t slots() const { return kept_.size(); }
  [[nodiscard]] Part part_of(std::size_t i, std::size_t j) const;
  [[nodiscard]] bool has(const Part& part) const { return share_.has(part.strip); }
  void fetch(const std::vector<PartAhead<Part>>& parts);
  void compute(const PartAhead<Part>& ahead, std::size_t slot, int member);
  void walk_back(std::size_t slot, Walk& walk) const { slices::walk_back(walk, kept_[slot], layout_, table_); }

 private:
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;
  };
  static_assert(sizeof(Done) + sizeof(std::int64_t) <= bytes_of_progress);

  Strips(const Table& table, const Layout& layout, const Share& share, SavedRows* saved, RowExchange* exchange);

  [[nodiscard]] std::size_t chunk_of(std::size_t i, std::size_t j) const;
  [[nodiscard]] Strip worker() const { return {table_, layout_}; }
  [[nodiscard]] Stream& stream(std::size_t strip) { return streams_[share_.row_number(strip) % streams_.size()]; }
  [[nodiscard]] const Stream* above(std::size_t strip) {
    if (strip > 0) return &stream(strip - 1);
    return above_ ? &*above_ : nullptr;
  }
  [[nodiscard]] std::uint64_t* kept_state(std::size_t strip, std::size_t part);

  /// Strips one after another, up to a column.
  struct Range {
    std::size_t first, end;
    std::size_t columns = std::numeric_limits<std::size_t>::max();
    bool is_first = true;  ///< whether the progress is told and rows are saved
  };
  void keep_borders();
  void walk_by_tiles(Walk& walk, std::size_t bytes_left);
  void run(const Range& range, Team& team, SolveMonitor& monitor);
  void sweep(std::size_t strip, Strip& worker, const Range& range, Team& team, SolveMonitor& monitor, int member);
  void wait_for_strip_above(std::size_t strip, std::size_t at, const Team& team, int member);

  /// Where a row that goes to another process or comes from one has been sent or received to.
  struct Passed {
    std::size_t strip, chunk;
  };
  [[nodiscard]] Passed passed_from(std::size_t strip) const;
  [[nodiscard]] bool has_passed(const Passed& passed) const { return passed.strip + 1 >= layout_.strips(); }
  void pass_rows();
  bool send_block();
  bool receive_block();
  [[nodiscard]] std::size_t end_of_block(const Passed& passed);

  void keep_state(std::size_t strip, std::size_t at, const Strip& worker);
  void keep_column(std::size_t strip, std::size_t at, Strip& worker);
  void keep_row(std::size_t strip);
  void sum_last_row(std::size_t strip);
  [[nodiscard]] std::size_t first_strip_of(std::size_t group) const;
  [[nodiscard]] std::optional<std::size_t> group_above(std::size_t strip) const;
  void save_row(std::size_t strip);
  void restore_row(std::size_t group);
  [[nodiscard]] KeptRow saved_row(std::size_t group) const;
  void run_restored(std::size_t strip, std::size_t width);
  [[nodiscard]] double cells_of_chunk(std::size_t strip) const;

  const Table& table_;
  const Layout& layout_;
  const Share share_;
  Advance advance_, advance_keeping_;
  std::unique_ptr<Done[]> done_;
  std::vector<std::int64_t> sums_;  ///< of a strip's last row, up to the next strip's first column
  std::vector<Stream> streams_;
  std::optional<Stream> above_;  ///< of the first strip
  AlignedWords states_;
  std::vector<std::uint64_t> border_words_;
  std::vector<KeptRow> kept_rows_;
  std::vector<KeptColumn> kept_columns_;
  std::vector<Strip> workers_;  ///< of the team's members, for the walk
  std::vector<KeptPart> kept_;
  SavedRows* saved_;
  RowExchange* exchange_;  ///< null: no process shares the strips
  Passed sent_, received_;
  std::vector<std::uint64_t> block_;
  std::size_t first_run_ = 0;        ///< the first strip that has been run
  Team* team_ = nullptr;             ///< of `walk_back`
  SolveMonitor* monitor_ = nullptr;  ///< of `walk_back`
};

}  // namespace warpfold::sequence::slices
