// How fast are ranks, compared with the threads of one process? With GPUs, measures only those. No other program may
// run on the first two cores, to which mpirun binds.
#include <cstdlib>
#include <string>

#include "../question.hpp"
#include "tests/temporary_folder.hpp"
#include "turns.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;

void measure_ranks(const std::filesystem::path& folder) {
  const std::string alone = "--device cpu -a tiled --threads 2", by_ranks = "--device cpu --ranks --threads 1";
  bench::measure_in_turns(
      folder, 8192, 5,
      {{"one process of 2 threads", alone}, {"2 ranks of 1 thread", by_ranks, "mpirun --bind-to core -n 2"}});
  const std::string on_two_cores = "taskset -c 0,1 mpirun --oversubscribe --bind-to none -n ";
  bench::measure_in_turns(folder, 4096, 5,
                          {{"2 ranks of 1 thread on 2 cores", by_ranks, on_two_cores + "2"},
                           {"4 ranks of 1 thread on 2 cores", by_ranks, on_two_cores + "4"}});
}

void measure_gpus(const std::filesystem::path& folder) {
  if (gpus().size() < 2) return bench::measure_in_turns(folder, 65536, 3, {{"one GPU", "--device cuda"}});
  const std::string by_ranks = "--device cuda --ranks";
  bench::measure_in_turns(folder, 65536, 3,
                          {{"one GPU", "--device cuda"},
                           {"2 GPUs of one process", "--device cuda:0,1"},
                           {"2 ranks of a GPU", by_ranks, "mpirun -n 2"},
                           {"2 ranks of a GPU, by messages", by_ranks, "mpirun -x WARPFOLD_P2P_DISABLE=1 -n 2"}});
}

const bench::Question reach_question(
    "reach",
    [](const bench::Arguments&) {
      bench::require(WARPFOLD_HAS_MPI, "this build has no MPI: nothing was measured");
      setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
      setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
      const test::TemporaryFolder folder;
      gpus().empty() ? measure_ranks(folder.path()) : measure_gpus(folder.path());
    },
    bench::line_of_turns);

}  // namespace
