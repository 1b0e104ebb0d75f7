#include "warpfold/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include "checkpoint/files.hpp"
#include "core/size_text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"
#include "warpfold/tiles/super_tiles.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold {

namespace {

using Clock = std::chrono::steady_clock;

/// The longest time that a solve that ends early waits for the disk.
constexpr std::chrono::seconds patience{8};

/// One year in seconds. A clock counts far less than any number of seconds.
constexpr double longest_interval = 365 * 24 * 3600;

/// The checksum of the problem: all points describe their parts, in order.
std::uint64_t problem_checksum(const KeptTable& table, int threads) {
  const std::size_t at_once = table.points_at_once;
  std::vector<std::uint64_t> parts((table.points + at_once - 1) / at_once);
  Team(threads).parallel_for(parts.size(), [&](std::size_t part, int) {
    std::vector<std::byte> bytes;
    table.describe(part * at_once, bytes);
    parts[part] = checkpoint::checksum({bytes});
  });
  return checkpoint::checksum({std::as_writable_bytes(std::span(parts))});
}

void check_interval(std::chrono::duration<double> every) {
  if (every.count() >= 0 && every.count() <= longest_interval) return;
  throw Error(ErrorKind::usage, fmt::format("the checkpoint is to be written every {} s: 0 to {} are accepted",
                                            every.count(), longest_interval));
}

}  // namespace

/// The checkpoint of one solve in one process. `fill` and the writing thread run at the same time.
class Checkpoint::Run {
 public:
  /// The first process checks the folder before the others do. They use the list that it leaves.
  Run(const Checkpoint& asked, const KeptTable& table, std::uint64_t problem)
      : place_(table.place),
        more_(table.more),
        part_(table.part),
        every_(asked.every_),
        folder_(asked.folder_),
        along_(place_.along()),
        file_(folder_, part_.rank == 0),
        list_(folder_, {problem, table.points, table.type, place_.group, table.unit}, tiles::tiles_in_table(along_),
              part_.rank) {
    if (team_.size() < 2) throw Error(ErrorKind::memory_limit, "the system starts no thread to write the checkpoint");
    if (asked.resumes_ || part_.rank > 0) list_.read();
    resumed_ = safe_ = safe();
    restored_ = list_.checksums;
    if (part_.rank > 0) return;
    check_space();
    list_.write();
    list_.remove_others();
  }

  /// Reads the saved super-tiles that this process holds.
  void load(int threads) {
    std::vector<Place> kept;
    for_each_kept([&](std::size_t i, std::size_t j) { kept.emplace_back(i, j); });
    Team(threads).parallel_for(kept.size(), [&](std::size_t at, int) {
      const auto [i, j] = kept[at];
      const checkpoint::Pieces pieces = pieces_of({i, j});
      const bool whole = file_.read(pieces, offset(kept[at]));
      if (whole && checkpoint::checksum(pieces) == restored_[tiles::tile_number(i, j)]) return;
      throw Error(ErrorKind::input, fmt::format("{}: tiles: super-tile ({},{}) is {}", folder_, i, j,
                                                whole ? "damaged: its checksum differs" : "cut off"));
    });
  }

  /// If `fill` fails in one process, it fails in all. A failure of one writer alone reaches the other processes here.
  void solve(const std::function<void()>& fill) {
    std::exception_ptr failure;
    try {
      fill_beside_writer(fill);
    } catch (...) {
      if (!is_over_well()) throw;
      failure = std::current_exception();
    }
    part_.together([&] {
      if (failure) std::rethrow_exception(failure);
    });
  }

  /// After the solve: the number of durable super-tiles of all processes.
  [[nodiscard]] std::size_t safe_of_all() {
    list_.read();
    return safe();
  }

  [[nodiscard]] bool was_kept(std::size_t i, std::size_t j) const { return restored_[tiles::tile_number(i, j)] != 0; }

  void made(std::size_t i, std::size_t j) {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    waiting_.emplace_back(i, j);
    changed_.notify_one();
  }

  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) {
    if (std::exchange(told_, true)) return;
    for_each_kept([&](std::size_t i, std::size_t j) { arrived(i, j); });
  }

  /// After the solve.
  [[nodiscard]] Count count() const { return {list_.checksums.size(), resumed_, safe_}; }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  /// How `fill` ended, and until when to wait for the disk.
  struct End {
    bool well;
    Clock::time_point give_up;
  };

  [[nodiscard]] std::size_t bytes_each() const {
    std::size_t of_tile = place_.tile_bytes;
    for (const SuperTiles& table : more_) of_tile += table.tile_bytes;
    return place_.group * place_.group * of_tile;
  }
  /// The bytes of a super-tile in all tables.
  [[nodiscard]] checkpoint::Pieces pieces_of(const Place& at) const {
    checkpoint::Pieces pieces = tiles::pieces_of(place_, at.first, at.second);
    for (const SuperTiles& table : more_) {
      const checkpoint::Pieces of_table = tiles::pieces_of(table, at.first, at.second);
      pieces.insert(pieces.end(), of_table.begin(), of_table.end());
    }
    return pieces;
  }
  [[nodiscard]] std::size_t offset(const Place& at) const {
    return tiles::tile_number(at.first, at.second) * bytes_each();
  }
  [[nodiscard]] std::size_t safe() const {
    return list_.checksums.size() -
           static_cast<std::size_t>(std::count(list_.checksums.begin(), list_.checksums.end(), std::uint64_t{0}));
  }

  template <class Action>
  void for_each_kept(const Action& action) const {
    for (std::size_t j = 0; j < along_; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        if (was_kept(i, j) && part_.holds(i, j)) action(i, j);
      }
    }
  }

  void fill_beside_writer(const std::function<void()>& fill) {
    team_.run([&](int member) {
      if (member == 1) return write_behind();
      try {
        fill();
        end({true, Clock::now()});
      } catch (...) {
        end({false, Clock::now() + patience});
        throw;
      }
    });
  }

  void check_space() const {
    std::error_code failure;
    const std::size_t free = std::filesystem::space(folder_, failure).available;
    const std::size_t needed = (list_.checksums.size() - resumed_) * bytes_each();
    if (failure || needed <= free) return;  // if the free space is unknown, a failed write reports it
    throw Error(ErrorKind::memory_limit,
                fmt::format("{}: the checkpoint needs {}, the disk has {}", folder_,
                            bytes_text(static_cast<double>(needed)), bytes_text(static_cast<double>(free))));
  }

  void end(End end) {
    const std::lock_guard lock(mutex_);
    end_ = end;
    changed_.notify_one();
  }

  /// Waits for the next final super-tile. Returns nothing if none comes until the list is due, or if the solve is over.
  std::optional<Place> next(Clock::time_point due) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, due, [this] { return !waiting_.empty() || end_; });
    if (waiting_.empty() || is_over()) return std::nullopt;
    const Place place = waiting_.front();
    waiting_.pop_front();
    return place;
  }
  [[nodiscard]] bool is_over() const { return end_ && (waiting_.empty() || Clock::now() >= end_->give_up); }
  [[nodiscard]] bool is_over_well() {
    const std::lock_guard lock(mutex_);
    return end_ && end_->well;
  }

  void write_behind() {
    try {
      for (bool over = false; !over;) {
        const Clock::time_point due = Clock::now() + std::chrono::duration_cast<Clock::duration>(every_);
        do {
          const auto place = next(due);
          if (!place) break;
          write(*place);
        } while (Clock::now() < due);
        if (is_over_well()) return;  // nobody resumes a finished solve, so do not wait for the disk
        make_safe();
        const std::lock_guard lock(mutex_);
        over = is_over();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      throw;
    }
  }

  void write(const Place& place) {
    const checkpoint::Pieces pieces = pieces_of(place);
    file_.write(pieces, offset(place));
    list_.checksums[tiles::tile_number(place.first, place.second)] = checkpoint::checksum(pieces);
  }

  /// Makes the bytes durable before the list that names them.
  void make_safe() {
    const std::size_t now = safe();
    if (std::exchange(safe_, now) == now) return;
    file_.synchronize();
    list_.write();
  }

  const SuperTiles place_;
  const std::vector<SuperTiles> more_;
  const TablePart part_;
  const std::chrono::duration<double> every_;
  const std::string folder_;
  const std::size_t along_;
  checkpoint::TileFile file_;
  checkpoint::List list_;  ///< used by the writing thread alone while it runs
  std::vector<std::uint64_t> restored_;
  std::size_t resumed_ = 0;
  std::size_t safe_ = 0;
  bool told_ = false;
  Team team_{2};

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Place> waiting_;
  std::optional<End> end_;
  std::exception_ptr failure_;  ///< the writing thread's error
};

Checkpoint::Checkpoint(std::string folder, std::chrono::duration<double> every, bool resumes)
    : folder_(std::move(folder)), every_(every), resumes_(resumes) {
  check_interval(every);
}
Checkpoint::Checkpoint(std::string folder, std::chrono::duration<double> every)
    : Checkpoint(std::move(folder), every, false) {}
Checkpoint Checkpoint::resumed(std::string folder, std::chrono::duration<double> every) {
  return {std::move(folder), every, true};
}
Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;
Checkpoint::~Checkpoint() = default;

Checkpoint::Count Checkpoint::count() const { return count_; }

bool Checkpoint::comes(std::size_t i, std::size_t j) const { return run_->was_kept(i, j); }
void Checkpoint::made(std::size_t i, std::size_t j) { run_->made(i, j); }
void Checkpoint::progress(const std::function<void(std::size_t, std::size_t)>& arrived) { run_->progress(arrived); }

void Checkpoint::solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) {
  const int threads = thread_count(options.threads);
  table.part.together([&] { checkpoint::check_folder(folder_, resumes_); });
  const std::uint64_t problem = problem_checksum(table, threads);
  try {
    for (const bool first : {true, false}) {
      table.part.together([&] {
        if ((table.part.rank == 0) == first) run_ = std::make_unique<Run>(*this, table, problem);
      });
    }
    table.part.together([&] { run_->load(threads); });
    run_->solve(fill);
  } catch (const Error& error) {
    const bool is_kept = run_ && (error.kind() == ErrorKind::cancelled || error.kind() == ErrorKind::time_limit);
    const std::size_t safe = is_kept ? run_->safe_of_all() : 0;
    end_run();
    if (!is_kept) throw;
    throw Error(error.kind(),
                fmt::format("{}: {} keeps {} of {} super-tiles", error.what(), folder_, safe, count_.all));
  } catch (...) {
    end_run();
    throw;
  }
  end_run();
}

void Checkpoint::end_run() {
  count_ = run_ ? run_->count() : Count{};
  resumes_ = resumes_ || run_;  // if a GPU failed, the CPU resumes from its super-tiles
  run_.reset();
}

}  // namespace warpfold
