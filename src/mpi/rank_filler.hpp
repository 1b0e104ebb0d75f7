#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "interval/triangulation/device_filler.hpp"
#include "warpfold/mpi/recurrence.hpp"

namespace warpfold::mpi {

/// A DeviceFiller for ranks that have a GPU each.
///
/// On one host, the kernel that makes a tile writes it to the table of every rank that needs it, and marks it final
/// there. This needs GPUs that reach each other's memory, as several GPUs of one process do. A tile with only such
/// readers is not copied to the host. Other readers get it from the host's table by messages.
///
/// The root needs all tiles. It alone searches the structure, on its GPU.
template <class T>
class RankFiller {
 public:
  using Filler = interval::cuda::DeviceFiller<T>;
  static constexpr bool root_has_all = true;

  RankFiller(const interval::Triangulation<T>& problem, const detail::RankPart& part, Context& context)
      : part_(part),
        context_(context),
        points_(problem.vertices()),
        reached_(static_cast<std::size_t>(part.ranks.size())),
        filler_(problem, context, part.pages<T>(points_)) {}

  static double operations(std::size_t points) { return Filler::operations(points); }
  static int useful_threads(std::size_t points, int threads) { return Filler::useful_threads(points, threads); }
  [[nodiscard]] SuperTiles super_tiles() const { return filler_.super_tiles(); }
  [[nodiscard]] const std::vector<bool>& reached() const { return reached_; }

  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange) {
    const Leaving leaving{filler_};  // before `RankExchange` agrees on the end: afterwards, tables may be freed
    const bool passes_hosts = !reach() || context_.options.checkpointer;
    int ran = 0;
    together(part_.ranks, [&] {  // no rank writes to a table before it is prepared
      if (passes_hosts) taken_ = context_.budget.reserve(part_.bytes<T>(points_));
      ran = filler_.prepare(threads, monitor, *exchange);
    });
    filler_.run(monitor, is_root());
    return ran;
  }

  /// The value of the whole, in every rank.
  [[nodiscard]] T value() {
    together(part_.ranks, [&] {
      if (is_root()) solution_ = filler_.solution(context_);
    });
    MPI_Bcast(&solution_.cost, sizeof(T), MPI_BYTE, part_.owners.root(), part_.ranks.get());
    return solution_.cost;
  }
  [[nodiscard]] std::vector<interval::Split> splits(const SolveMonitor&) {
    std::vector<interval::Split>& splits = solution_.triangles;
    splits.resize(points_ - 2);
    MPI_Bcast(splits.data(), static_cast<int>(splits.size() * sizeof(interval::Split)), MPI_BYTE, part_.owners.root(),
              part_.ranks.get());
    return std::move(splits);
  }

 private:
  struct Leaving {
    Filler& filler;
    ~Leaving() { filler.leave(); }
  };

  /// What ranks send each other before the run.
  struct Place {
    int host;
    tiles::TableHandle handle;
  };

  [[nodiscard]] bool is_root() const { return part_.ranks.rank() == part_.owners.root(); }

  /// Finds the ranks of this host that the kernel reaches. Returns whether all ranks reach all others.
  bool reach() {
    const int own = part_.ranks.rank(), host = on_host(part_.ranks).first;
    const std::vector<Place> places = gather(part_.ranks, std::vector<Place>{{host, handle()}});
    for (int rank = 0; rank < part_.ranks.size(); ++rank) {
      const Place& place = places[static_cast<std::size_t>(rank)];
      if (rank == own || place.host != host) continue;
      reached_[static_cast<std::size_t>(rank)] =
          filler_.reach({place.handle, [&owners = part_.owners, rank](std::size_t i, std::size_t j) {
                           return owners.holds(rank, i, j);
                         }});
    }
    int all = std::count(reached_.begin(), reached_.end(), true) + 1 == part_.ranks.size() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, part_.ranks.get());
    return all != 0;
  }

  /// This rank's handle. Empty if the environment asks for messages only.
  [[nodiscard]] tiles::TableHandle handle() const {
    const char* const asked = std::getenv("WARPFOLD_P2P_DISABLE");
    return asked && std::string_view(asked) != "0" ? tiles::TableHandle() : filler_.handle();
  }

  detail::RankPart part_;
  Context& context_;
  std::size_t points_;
  std::vector<bool> reached_;
  Budget::Reservation taken_;  ///< for the host's table, if messages need it
  Filler filler_;
  interval::Solution<T> solution_;
};

}  // namespace warpfold::mpi
