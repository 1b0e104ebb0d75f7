#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sequence/slices/strip.hpp"
#include "sequence/walk.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::slices {

/// All strips, in a pipeline over a team: each takes the differences below the strip before as they come. For a script
/// the differences below every strip are kept, and the states of the strips at intervals. The walk from the end runs
/// only those parts of strips again that it goes through.
class Strips {
 public:
  /// The query and the layout must outlive it.
  Strips(const Query& query, const Layout& layout, std::size_t threads);

  void run(Team& team, SolveMonitor& monitor);

  /// The distance, after `run`.
  [[nodiscard]] std::int64_t distance() const;
  /// The script, after `run` with a layout that keeps states.
  [[nodiscard]] Script script(const SolveMonitor& monitor);

 private:
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;
  };
  static_assert(sizeof(Done) + sizeof(std::int64_t) <= bytes_of_progress);

  /// Where the steps of a cell are.
  struct Place {
    std::size_t strip, word, stripe, step;
    [[nodiscard]] std::size_t chunk() const { return step / chunk_steps; }
  };
  [[nodiscard]] Place place_of(std::size_t i, std::size_t j) const;

  [[nodiscard]] Stream& stream(std::size_t strip) { return streams_[strip % streams_.size()]; }
  [[nodiscard]] const Stream* above(std::size_t strip) { return strip == 0 ? nullptr : &stream(strip - 1); }
  [[nodiscard]] std::uint64_t* kept_state(std::size_t strip, std::size_t part);

  void sweep(std::size_t strip, Strip& worker, Team& team, SolveMonitor& monitor, bool tells);
  void wait_for_strip_above(std::size_t strip, std::size_t at, const Team& team) const;
  void keep_state(std::size_t strip, std::size_t at, const Strip& worker);
  void sum_last_row(std::size_t strip);
  [[nodiscard]] double cells_of_chunk(std::size_t strip) const;

  void walk_through_part(Walk& walk, Strip& worker, std::uint64_t* steps);
  void walk_back(Walk& walk, const Place& from, std::size_t first_step, const std::uint64_t* steps) const;

  const Query& query_;
  const Layout& layout_;
  Advance advance_, advance_keeping_;
  std::unique_ptr<Done[]> done_;
  std::vector<std::int64_t> sums_;  ///< of a strip's last row, up to the next strip's first column
  std::vector<Stream> streams_;
  AlignedWords states_;
};

}  // namespace warpfold::sequence::slices
