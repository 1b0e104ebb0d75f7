// What does a checkpoint cost? Runs the same solve alternately without and with a new checkpoint, and measures the
// disk's rate.
//
//   bench_app checkpoint [--json] [N REPEATS "OPTIONS"]...
//
// N points, the number of repeats, and the options of both solves. Default: n = 16384 on two threads, or 65536 on a GPU
// if there is one. The seconds of a solve without a checkpoint are the GPU's own if it runs on one; all others are the
// host's.
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "../question.hpp"
#include "tests/temporary_folder.hpp"
#include "turns.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;

void measure_checkpoints(const std::filesystem::path& folder, std::size_t n, int repeats, const std::string& options) {
  const std::string solve = "-a tiled " + options;
  bench::measure_in_turns(folder, n, repeats,
                          {{options, solve}, {"the same with a checkpoint", solve + " --checkpoint kept --every 2"}});
}

/// Writes a file of 4 GB until all of it is on the disk.
void measure_disk(const std::filesystem::path& folder) {
  const std::vector<char> piece(std::size_t{64} << 20, 'x');
  constexpr std::size_t pieces = 64;
  const std::string path = (folder / "written").string();
  const auto start = std::chrono::steady_clock::now();
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  bool well = file >= 0;
  for (std::size_t at = 0; at < pieces; ++at) {
    well = well && ::write(file, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
  }
  well = well && ::fsync(file) == 0 && ::close(file) == 0;
  if (!well) throw std::runtime_error("the disk does not take " + path);
  const bench::Timing timing{seconds_since(start), 0, 1};
  std::filesystem::remove(path);
  const std::size_t bytes = pieces * piece.size();
  bench::keep(bench::row("the disk takes a file", {{"bytes", bytes}}, timing, static_cast<double>(bytes), 0));
}

const bench::Question checkpoint_question(
    "checkpoint",
    [](const bench::Arguments& arguments) {
      bench::Arguments asked = arguments;
      if (asked.empty() && gpus().empty()) asked = {"16384", "3", "--device cpu --threads 2"};
      if (asked.empty()) asked = {"65536", "3", "--device cuda"};
      const test::TemporaryFolder folder;
      measure_disk(folder.path());
      for (std::size_t at = 0; at + 2 < asked.size(); at += 3) {
        measure_checkpoints(folder.path(), std::stoul(asked[at]), std::stoi(asked[at + 1]), asked[at + 2]);
      }
    },
    bench::line_of_turns);

}  // namespace
