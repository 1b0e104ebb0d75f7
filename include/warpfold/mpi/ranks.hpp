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

/// How the ranks of a communicator share a table; solve.hpp and recurrence.hpp are what to call.
namespace warpfold::mpi {

/// Which rank makes which super-tile. The ranks stand in a grid; rows of super-tiles go to rows of ranks 0, 1, .., 1, 0
/// and again, the longest first, so that none has all the longer ones, and columns likewise.
///
/// (I,J) is an operand of those right of it and of those above it: besides its owner, its row of ranks needs it, and
/// its column. So a rank holds 1/rows + 1/columns - 1/ranks of the table.
class Owners {
 public:
  /// `along`: super-tiles along a side of the table. `root_has_all`: whether the rank that makes the last of them, the
  /// root, needs all others as well.
  Owners(int ranks, std::size_t along, bool root_has_all = false);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int owner(std::size_t i, std::size_t j) const { return row(i) * columns_ + column(j); }
  [[nodiscard]] int root() const { return owner(0, along_ - 1); }
  /// The others that need (I,J).
  [[nodiscard]] std::vector<int> readers(std::size_t i, std::size_t j) const;
  /// Whether a rank owns (I,J) or needs it, and how many it does.
  [[nodiscard]] bool holds(int rank, std::size_t i, std::size_t j) const;
  [[nodiscard]] std::size_t held(int rank) const;

 private:
  Owners(const interval::RankGrid& grid, std::size_t along, bool root_has_all);
  [[nodiscard]] int row(std::size_t i) const;
  [[nodiscard]] int column(std::size_t j) const;

  int rows_, columns_;
  std::size_t along_;
  bool root_has_all_;
  std::vector<std::size_t> first_row_;    ///< of super-tiles, by row of ranks; `along` where it has none
  std::vector<std::size_t> last_column_;  ///< by column of ranks, counted from 1; 0 where it has none
};

/// A communicator of this library's own, so that its messages meet no others.
class Communicator {
 public:
  /// Every rank of `parent` calls it. Raises Error{usage} where MPI is not initialised.
  explicit Communicator(MPI_Comm parent);
  /// Of those ranks of `parent` that name the same part, in their order there. Every rank of `parent` calls it.
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

/// Runs action() in every rank. Where it raises an Error in one, or finds no memory, it does so in all: that of the
/// first such rank, with its number in the others.
void together(const Communicator& ranks, const std::function<void()>& action);

/// A rank among those of its host.
struct OnHost {
  int first = 0;  ///< of them
  int place = 0;  ///< its own there, counted from 0
};
/// Where this rank is.
[[nodiscard]] OnHost on_host(const Communicator& ranks);

/// The options of a rank that is to use a GPU: of those of its host the one of its turn there, counted from the one
/// that they name. Raises Error{usage} where they name several.
[[nodiscard]] Options on_gpu_of_rank(const Communicator& ranks, Options options);

/// Of all ranks' numbers.
[[nodiscard]] double sum(const Communicator& ranks, double mine);
/// Of all ranks' sizes.
[[nodiscard]] std::size_t largest(const Communicator& ranks, std::size_t mine);

/// Sends the super-tiles that this rank makes to those that need them, and receives what it needs. Only the thread that
/// made it calls MPI (MPI_THREAD_FUNNELED), `made` apart, which calls none. What ranks get past it, from GPU to GPU, it
/// does not send.
class RankExchange final : public TableExchange {
 public:
  /// `reached`: whether a rank gets what it needs of this one's past it, as the run's beginning finds out.
  RankExchange(const Communicator& ranks, const Owners& owners, const SuperTiles& place, const SolveMonitor& monitor,
               const std::vector<bool>& reached);
  RankExchange(const RankExchange&) = delete;
  RankExchange& operator=(const RankExchange&) = delete;

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override;
  [[nodiscard]] bool wants(std::size_t i, std::size_t j) const override;
  void made(std::size_t i, std::size_t j) override;
  /// Raises what the monitor does, and what another rank has failed with.
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override;

  /// Returns once every rank has made its part, and what this one has sent has gone; raises what another has failed
  /// with. From here on this rank does not fail by itself: where one returns all do.
  void finish();
  /// Tells the others that this rank has failed: their `progress` and `finish` raise the error, with its number.
  /// Returns once all know and no message is on its way, so that the table may go.
  void fail(const Error& error);

  /// Bytes of super-tiles that this rank has sent.
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
  std::optional<Error> heard_;        ///< what another rank has failed with
  bool agreed_ = false;               ///< whether all ranks have made their parts, or one has failed
  std::vector<MPI_Request> sends_;
  std::vector<MPI_Request> receives_;
  std::vector<Place> receiving_;       ///< of which super-tile each of `receives_` is a piece
  std::map<Place, std::size_t> come_;  ///< pieces of super-tiles that have not come as a whole
  std::vector<int> completed_;
  std::mutex mutex_;
  std::vector<Place> made_;  ///< not sent yet
};

/// The bytes of all ranks, one behind the other. Raises, in all, Error{cancelled} where one `failed`, and
/// Error{memory_limit} where they are 2^31 or more together.
[[nodiscard]] std::vector<std::byte> gather_bytes(const Communicator& ranks, std::span<const std::byte> mine,
                                                  bool failed);

/// What every rank has found, of all ranks together; raises the same.
template <class Item>
[[nodiscard]] std::vector<Item> gather(const Communicator& ranks, const std::vector<Item>& found, bool failed = false) {
  const std::vector<std::byte> bytes = gather_bytes(ranks, std::as_bytes(std::span(found)), failed);
  std::vector<Item> all(bytes.size() / sizeof(Item));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(all)).begin());
  return all;
}

}  // namespace warpfold::mpi
