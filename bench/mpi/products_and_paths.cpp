// How fast are ranks for products and shortest paths, compared with the threads of one process, or with one GPU if each
// rank has one? Each pair of measurements is taken together, because the machine also does other work: first all ranks
// with one thread each, then the first rank alone with as many threads, while the others sleep. Seconds are wall-clock
// time, including transfers between ranks and to GPUs.
//
//     mpirun -n 2 --map-by slot:PE=2 --bind-to core bench_mpi products_and_paths [--json] [large]
//
// This gives each rank the cores of the one process. If there are not enough cores, use --bind-to none.
// WARPFOLD_LAUNCHER, set to the words before the program's name, puts them into the file.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "warpfold/mpi/paths.hpp"
#include "warpfold/mpi/products.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;
using bench::Json;
using Values = Matrix<float>;

/// The values of a matrix that is multiplied with itself, or a graph's lengths.
Values numbers(std::size_t n) {
  Values drawn(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) drawn(i, j) = static_cast<float>((i * 7919 + j * 104729) % 10007);
  }
  return drawn;
}

/// The workers: this many threads, or GPUs.
struct Workers {
  std::string name;
  const char* device;
  int threads;

  [[nodiscard]] Options options() const {
    Options options;
    options.device = parse_device(device);
    options.threads = threads;
    return options;
  }
};

/// Both kinds of workers: those of a rank and those of the one process.
struct Ways {
  Workers of_a_rank, alone;
  std::size_t n;
  int pairs;
};

/// Waits until all ranks are here. Ranks that wait leave their processors to others.
void meet(const mpi::Communicator& ranks) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(ranks.get(), &request);
  for (int all_here = 0; !all_here;) {
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    if (!all_here) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

template <class Solve>
double seconds_of(const mpi::Communicator& ranks, const Solve& solve) {
  meet(ranks);
  const auto start = std::chrono::steady_clock::now();
  solve();
  meet(ranks);
  return seconds_since(start);
}

/// Both ways must give the same result. The ranks' speed is measured by the pairs.
template <class ByRanks, class Alone>
void measure(const mpi::Communicator& ranks, const std::string& work, const Ways& ways, const ByRanks& by_ranks,
             const Alone& alone) {
  std::vector<double> seconds_alone, seconds_by_ranks;
  for (int pair = 0; pair < ways.pairs; ++pair) {
    Values expected, found;
    seconds_by_ranks.push_back(seconds_of(ranks, [&] { found = by_ranks(ways.of_a_rank.options()); }));
    seconds_alone.push_back(seconds_of(ranks, [&] {
      if (ranks.rank() == 0) expected = alone(ways.alone.options());
    }));
    if (ranks.rank() == 0 && found != expected) throw std::runtime_error(work + ": ranks have another answer");
  }
  const double terms = std::pow(static_cast<double>(ways.n), 3);
  const auto add = [&](const Workers& workers, const std::vector<double>& seconds, double speed) {
    Json row = bench::row(fmt::format("{}, {}", work, workers.name), {{"n", ways.n}, {"dtype", "f32"}},
                          bench::summarize(seconds), terms, 0);
    row["median_speed_in_pairs"] = speed;
    if (ranks.rank() == 0) bench::keep(std::move(row));
  };
  add(ways.alone, seconds_alone, 1);
  add(ways.of_a_rank, seconds_by_ranks, bench::speed_in_pairs(seconds_alone, seconds_by_ranks));
}

void measure_product(const mpi::Communicator& ranks, const Ways& ways) {
  const Values a = numbers(ways.n);
  measure(
      ranks, "product", ways,
      [&](const Options& own) {
        return mpi::multiply<float>({}, a.view(), a.view(), ranks.get(), own).solution.values;
      },
      [&](const Options& own) { return minplus::multiply<float>({}, a, a, own).solution.values; });
}

void measure_paths(const mpi::Communicator& ranks, const Ways& ways) {
  const Values edges = numbers(ways.n);
  const paths::Request lengths{.successors = false};
  measure(
      ranks, "paths", ways,
      [&](const Options& own) {
        return mpi::all_pairs<float>(edges.view(), ranks.get(), own, lengths).solution.lengths;
      },
      [&](const Options& own) { return paths::all_pairs(edges, own, lengths).solution.lengths; });
}

/// `large`: only one size, which takes processors long.
void measure_all(const mpi::Communicator& ranks, bool large) {
  const std::string count = std::to_string(ranks.size());
  std::vector<std::pair<std::size_t, int>> sizes = {{2048, 7}, {4096, 5}};
  if (large) sizes = {{8192, 3}};
  for (const auto& [n, pairs] : sizes) {
    const Ways on_cpu{{count + " ranks of 1 thread", "cpu", 1},
                      {"one process of " + count + " threads", "cpu", ranks.size()},
                      n,
                      pairs};
    measure_product(ranks, on_cpu);
    measure_paths(ranks, on_cpu);
  }
  if (large || gpus().size() < static_cast<std::size_t>(ranks.size())) return;
  for (const std::size_t n : {16384, 32768}) {
    measure_product(ranks, {{count + " ranks of 1 GPU", "cuda:all", 0}, {"one GPU", "cuda:0", 0}, n, 3});
  }
}

const bench::Question products_and_paths_question(
    "products_and_paths",
    [](const bench::Arguments& arguments) {
      int given = 0;
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
      measure_all(mpi::Communicator(MPI_COMM_WORLD), bench::is_asked(arguments, "large"));
      MPI_Finalize();
    },
    [](const bench::Json& row) {
      return fmt::format("{:36} {:8.3f} s, spread {:.2f}, {:.3f} of the other's speed", row["work"].get<std::string>(),
                         row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         row["median_speed_in_pairs"].get<double>());
    });

}  // namespace
