#include "warpfold/mpi/sequences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "mpi/strip_messages.hpp"
#include "sequence/dense.hpp"
#include "sequence/slices/strips.hpp"
#include "sequence/walk.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::mpi {

namespace {

using sequence::Coded;
using sequence::Distance;
using sequence::Edit;
using sequence::Measure;
using sequence::Query;
using sequence::Request;
using sequence::Script;
using sequence::Walk;
using sequence::slices::Layout;
using sequence::slices::Share;
using sequence::slices::Strips;
using sequence::slices::Table;

/// What ranks tell each other before the layout of the table.
struct Member {
  std::uint64_t threads, lanes, bytes_left;
};

/// A run of a script, with the number of the entry since which the walk took it.
struct NumberedRun {
  std::uint64_t entry, length;
  Edit edit;
};

/// The solve of a query by the ranks. Every rank constructs it and calls `solve`.
class StripsOfRanks {
 public:
  StripsOfRanks(const Query& query, const Communicator& ranks, Context& context)
      : query_(query), table_{query.measure, query.pair.a(), query.pair.b()}, ranks_(ranks), context_(context) {
    together(ranks, [&] {
      team_.emplace(static_cast<int>(sequence::threads_of_slices(query.cells(), context.options)));
      monitor_.emplace(context.options, query.cells());
    });
    context.report.threads = team_->size();
    members_ = gather(ranks, std::vector<Member>{{static_cast<std::uint64_t>(team_->size()), sequence::slices::lanes(),
                                                  context.budget.left()}});
    set_first_members();
    together(ranks, [&] {
      layout_ = layout();
      const Share share = this->share();
      taken_ = context.budget.reserve(share.bytes(layout_));
      messages_.emplace(ranks, *monitor_);
      strips_.emplace(table_, layout_, share, *messages_);
    });
  }

  [[nodiscard]] Distance solve() {
    attempt([&] { strips_->run(*team_, *monitor_); });
    const std::int64_t distance =
        strips_->distance(static_cast<std::int64_t>(sum(ranks_, static_cast<double>(strips_->sum()))));
    if (!query_.is_within(distance)) return {};
    return {distance, query_.request.script ? script() : Script()};
  }

 private:
  void set_first_members() {
    firsts_ = {0};
    for (const Member& member : members_) firsts_.push_back(firsts_.back() + member.threads);
  }

  [[nodiscard]] Share share() const {
    const auto rank = static_cast<std::size_t>(ranks_.rank());
    return {firsts_[rank], firsts_[rank + 1] - firsts_[rank], firsts_.back()};
  }

  /// The same in all ranks.
  [[nodiscard]] Layout layout() const {
    const auto unlike = std::ranges::find_if(members_, [&](const Member& m) { return m.lanes != members_[0].lanes; });
    if (unlike != members_.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("rank {}'s processor has vectors of {} words, rank 0's of {}: equal ones are accepted",
                              unlike - members_.begin(), unlike->lanes, members_[0].lanes));
    }
    Layout layout = sequence::slices::layout_of(query_.pair.n(), query_.pair.m(), query_.pair.planes(), query_.measure);
    if (const auto bound = query_.request.max_distance) {
      layout = within(layout, std::min<std::size_t>(*bound, layout.n + layout.m));
    }
    const auto of_least = [&](std::uint64_t Member::*what) { return *std::ranges::min_element(members_, {}, what); };
    const std::size_t threads = firsts_.back();
    if (!query_.request.script) return for_score(layout, threads, of_least(&Member::bytes_left).bytes_left);
    const std::size_t most = std::ranges::max(members_, {}, &Member::threads).threads;
    return for_shared_script(layout, {0, most, threads},
                             sequence::slices::parts_at_a_time(of_least(&Member::threads).threads),
                             of_least(&Member::bytes_left).bytes_left);
  }

  /// Runs action() in this rank. If it fails in one rank, it fails in all.
  template <class Action>
  void attempt(const Action& action) {
    std::exception_ptr failure;
    try {
      action();
    } catch (const OtherFailed&) {
    } catch (...) {
      failure = std::current_exception();
    }
    messages_->finish(failure != nullptr);
    together(ranks_, [&] {
      if (failure) std::rethrow_exception(failure);
    });
  }

  [[nodiscard]] Script script() {
    std::vector<NumberedRun> runs;
    Entry at{layout_.n, layout_.m, 0};
    attempt([&] { at = walk(runs); });
    runs = gather(ranks_, runs);
    std::ranges::stable_sort(runs, {}, &NumberedRun::entry);
    Walk whole{at.i, at.j};
    for (const NumberedRun& run : runs) whole.backwards.push(run.edit, run.length);
    return whole.finished();
  }

  /// Takes this rank's parts of the walk. Returns where the walk ends.
  Entry walk(std::vector<NumberedRun>& runs) {
    Entry at{layout_.n, layout_.m, 0};
    const auto is_over = [&] { return at.i == 0 || at.j == 0; };
    if (rank_of(at) != ranks_.rank()) at = messages_->wait_for_entry();
    while (!is_over()) {
      Walk part{at.i, at.j};
      strips_->walk_back(part, 0, *team_, *monitor_);
      for (const auto& run : part.backwards.runs()) runs.push_back({at.number, run.length, run.edit});
      at = {part.i, part.j, at.number + 1};
      messages_->check();
      if (is_over()) {
        tell_others(at);
      } else {
        messages_->hand_on(at, rank_of(at));
        at = messages_->wait_for_entry();
      }
    }
    return at;
  }

  [[nodiscard]] int rank_of(const Entry& at) const {
    const std::size_t member = strips_->strip_of(at.i) % firsts_.back();
    return static_cast<int>(std::ranges::upper_bound(firsts_, member) - firsts_.begin()) - 1;
  }

  void tell_others(const Entry& end) {
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      if (rank != ranks_.rank()) messages_->hand_on(end, rank);
    }
  }

  const Query& query_;
  const Table table_;
  const Communicator& ranks_;
  Context& context_;
  std::optional<Team> team_;
  std::optional<SolveMonitor> monitor_;
  std::vector<Member> members_;
  std::vector<std::size_t> firsts_;  ///< of each rank, the first member of its team among all; then all members
  Layout layout_{};
  Budget::Reservation taken_;
  std::optional<StripMessages> messages_;
  std::optional<Strips> strips_;
};

/// Solves by Ties::left. Ties::right are those of both sequences reversed.
Distance oriented(const Query& query, const Communicator& ranks, Context& context) {
  if (!query.request.script || query.request.ties != sequence::Ties::right) {
    return StripsOfRanks(query, ranks, context).solve();
  }
  Budget::Reservation taken;
  std::optional<Coded> reversed;
  together(ranks, [&] {
    taken = context.budget.reserve(query.pair.n() + query.pair.m(), sizeof(std::uint32_t));
    reversed = query.pair.reversed();
  });
  Distance found = StripsOfRanks({*reversed, query.request, query.measure}, ranks, context).solve();
  found.script = found.script.reversed();
  return found;
}

Outcome<Distance> solve(const Query& query, MPI_Comm comm, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Communicator ranks(comm);
  Report report;
  Context context(options, report);
  std::optional<Distance> found;
  together(ranks, [&] { found = sequence::known_before_slices(query, options); });
  if (!found) found = oriented(query, ranks, context);
  context.finish({"slices", "cpu", "", ""}, seconds_since(start));
  report.peak_bytes = largest(ranks, report.peak_bytes);
  return {std::move(*found), std::move(report)};
}

}  // namespace

Outcome<Distance> edit_distance(const Coded& pair, MPI_Comm comm, const Options& options, const Request& request) {
  return solve({pair, request, Measure::edit}, comm, options);
}

Outcome<sequence::Subsequence> lcs(const Coded& pair, MPI_Comm comm, const Options& options, const Request& request) {
  auto [found, report] = solve({pair, request, Measure::indel}, comm, options);
  return {subsequence_of(pair, std::move(found)), std::move(report)};
}

}  // namespace warpfold::mpi
