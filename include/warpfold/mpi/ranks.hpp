#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/prediction.hpp"
#include "warpfold/run/checkpointer.hpp"
#include "warpfold/run/run.hpp"

/// The distribution of a table over the ranks of a communicator. solve.hpp and recurrence.hpp are the public calls.
namespace warpfold::mpi {

/// Assigns super-tiles to ranks, which form a grid. Rows of super-tiles go to rows of ranks in the order 0, 1, .., 1, 0
/// and again, the longest first. So no rank gets all the longer ones. Columns are assigned likewise.
///
/// (I,J) is an operand of the super-tiles right of it and above it. So its owner's row and column of ranks need it. A
/// rank holds 1/rows + 1/columns - 1/ranks of the table.
class Owners {
 public:
  /// `along`: super-tiles along a side of the table. `root_has_all`: whether the root needs all super-tiles. The root
  /// is the rank that makes the last one.
  Owners(int ranks, std::size_t along, bool root_has_all = false);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int owner(std::size_t i, std::size_t j) const { return row(i) * columns_ + column(j); }
  [[nodiscard]] int root() const { return owner(0, along_ - 1); }
  /// The other ranks that need (I,J).
  [[nodiscard]] std::vector<int> readers(std::size_t i, std::size_t j) const;
  /// Whether a rank owns or needs (I,J), and the number of super-tiles that it owns or needs.
  [[nodiscard]] bool holds(int rank, std::size_t i, std::size_t j) const;
  [[nodiscard]] std::size_t held(int rank) const;

 private:
  Owners(const interval::RankGrid& grid, std::size_t along, bool root_has_all);
  [[nodiscard]] int row(std::size_t i) const;
  [[nodiscard]] int column(std::size_t j) const;

  int rows_, columns_;
  std::size_t along_;
  bool root_has_all_;
  std::vector<std::size_t> first_row_;    ///< of super-tiles, for each row of ranks; `along` if it has none
  std::vector<std::size_t> last_column_;  ///< for each column of ranks, counted from 1; 0 if it has none
};

/// A duplicate of a communicator, so that the library's messages do not meet the caller's.
class Communicator {
 public:
  /// Every rank of `parent` must call it. Raises Error{usage} if MPI is not initialized.
  explicit Communicator(MPI_Comm parent);
  /// The ranks of `parent` with the same `part`, in their order there. Every rank of `parent` must call it.
  Communicator(const Communicator& parent, int part);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// Runs action() in every rank. If it raises an Error in one rank, or runs out of memory, it raises in all. All raise
/// the error of the first such rank, the others with its number.
void together(const Communicator& ranks, const std::function<void()>& action);

/// The place of a rank among those of its host.
struct OnHost {
  int first = 0;  ///< the first rank of this host
  int place = 0;  ///< this rank's place on the host, counted from 0
};
/// The place of this rank.
[[nodiscard]] OnHost on_host(const Communicator& ranks);

/// The options with this rank's GPU. The ranks of a host take its GPUs in turn, from the one that the options name on.
/// Raises Error{usage} if the options name several.
[[nodiscard]] Options on_gpu_of_rank(const Communicator& ranks, Options options);

/// The sum over all ranks.
[[nodiscard]] double sum(const Communicator& ranks, double mine);
/// The maximum over all ranks.
[[nodiscard]] std::size_t largest(const Communicator& ranks, std::size_t mine);

/// Sends the super-tiles that this rank makes to the ranks that need them, and receives those that it needs.
///
/// Only the thread that constructed it calls MPI (MPI_THREAD_FUNNELED). Other threads may call `made`, which does not
/// call MPI. It sends nothing that goes directly from GPU to GPU.
class RankExchange final : public TableExchange {
 public:
  /// `reached`: for each rank, whether it gets this rank's super-tiles directly from GPU to GPU. The run sets it when
  /// it begins.
  RankExchange(const Communicator& ranks, const Owners& owners, const SuperTiles& place, const SolveMonitor& monitor,
               const std::vector<bool>& reached);
  RankExchange(const RankExchange&) = delete;
  RankExchange& operator=(const RankExchange&) = delete;

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override;
  [[nodiscard]] bool wants(std::size_t i, std::size_t j) const override;
  void made(std::size_t i, std::size_t j) override;
  /// Raises what the monitor raises, and the error of another rank that has failed.
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override;

  /// Returns after every rank has made its part and this rank's messages are sent. Raises the error of another rank
  /// that has failed. It returns in all ranks or in none.
  void finish();
  /// Tells the others that this rank has failed. Their `progress` and `finish` raise the error, with this rank's
  /// number. Returns after all know and no message is pending, so that the table may be freed.
  void fail(const Error& error);

  /// The bytes of super-tiles that this rank has sent.
  [[nodiscard]] double sent_bytes() const { return sent_bytes_; }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  void communicate(const std::function<void(std::size_t, std::size_t)>& arrived);
  bool one_has_failed(bool this_one);
  void settle();
  [[nodiscard]] std::vector<int> receivers(std::size_t i, std::size_t j) const;
  void send_made();
  void send(const Place& place);
  [[nodiscard]] int tag_of(const Place& place, std::size_t piece) const;
  void receive_new();
  void hear_failure(MPI_Message& message, MPI_Status& status);
  void complete_sends();
  void complete_receives(const std::function<void(std::size_t, std::size_t)>& arrived);

  const Communicator& ranks_;
  const Owners& owners_;
  const SuperTiles place_;
  const SolveMonitor& monitor_;
  const std::vector<bool>& reached_;
  double sent_bytes_ = 0;
  std::vector<int> sent_, received_;  ///< pieces, to and from every rank
  std::optional<Error> heard_;        ///< the error of another rank
  /// Whether all ranks have made their parts, or one has failed.
  bool agreed_ = false;
  std::vector<MPI_Request> sends_;
  std::vector<MPI_Request> receives_;
  std::vector<Place> receiving_;       ///< the super-tile of each of `receives_`
  std::map<Place, std::size_t> come_;  ///< pieces of super-tiles that have come in part
  std::vector<int> completed_;
  std::mutex mutex_;
  std::vector<Place> made_;  ///< not sent yet
};

/// Concatenates the bytes of all ranks. Raises, in all ranks, Error{cancelled} if one `failed`, and Error{memory_limit}
/// for 2^31 bytes or more in total.
[[nodiscard]] std::vector<std::byte> gather_bytes(const Communicator& ranks, std::span<const std::byte> mine,
                                                  bool failed);

/// Concatenates the items of all ranks. Raises what `gather_bytes` raises.
template <class Item>
[[nodiscard]] std::vector<Item> gather(const Communicator& ranks, const std::vector<Item>& found, bool failed = false) {
  const std::vector<std::byte> bytes = gather_bytes(ranks, std::as_bytes(std::span(found)), failed);
  std::vector<Item> all(bytes.size() / sizeof(Item));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(all)).begin());
  return all;
}

}  // namespace warpfold::mpi
