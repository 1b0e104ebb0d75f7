#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sequence/slices/share.hpp"
#include "warpfold/mpi/ranks.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::mpi {

/// Raised in a rank where another one has failed.
struct OtherFailed {};

/// Where a walk enters a rank's strips.
struct Entry {
  std::uint64_t i, j;
  std::uint64_t number;  ///< of entries before
};

/// The messages of ranks that share the strips of a table. Only the thread that constructed it calls it.
class StripMessages final : public sequence::slices::RowExchange {
 public:
  StripMessages(const Communicator& ranks, const SolveMonitor& monitor);
  StripMessages(const StripMessages&) = delete;
  StripMessages& operator=(const StripMessages&) = delete;

  /// Raises what the monitor raises, and OtherFailed.
  void check() override;
  void send(std::span<const std::uint64_t> words) override;
  [[nodiscard]] bool receive(std::span<std::uint64_t> words) override;

  void hand_on(const Entry& entry, int to);
  /// Waits for an entry. Raises what `check` raises.
  [[nodiscard]] Entry wait_for_entry();

  /// Every rank calls it at the end of a run and of a walk. Tells the others that this rank has `failed`. Returns after
  /// no message is pending.
  void finish(bool failed);

 private:
  struct Pending {
    MPI_Request request;
    std::vector<std::byte> bytes;
  };

  void send(std::span<const std::byte> bytes, int to, int tag);
  [[nodiscard]] bool receive(std::span<std::byte> bytes, int from, int tag);
  void complete_sends();
  void settle();

  const Communicator& ranks_;
  const SolveMonitor& monitor_;
  int before_, after_;  ///< the neighbors
  std::deque<Pending> sends_;
  std::vector<int> sent_, received_;  ///< messages, to and from every rank
  bool heard_ = false;                ///< whether another rank has failed
};

}  // namespace warpfold::mpi
