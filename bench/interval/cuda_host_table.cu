// How long does it take to prepare host memory for a GPU's table: to touch its pages with one thread or eight, to pin
// them, or to allocate pinned pages? Each is done once, and freeing is timed as well.
//
//   bench_interval cuda_host_table --json GB... > results/<machine>/host_table.json

#include <cstring>

#include "../question.hpp"
#include "run/cuda.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::bench {
namespace {

using cuda::check;
using Clock = std::chrono::steady_clock;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// Memory for a table, not touched yet.
class Untouched {
 public:
  explicit Untouched(std::size_t bytes) : data_(static_cast<std::byte*>(allocate_tiles(bytes))), bytes_(bytes) {}
  ~Untouched() { free_tiles(data_, bytes_); }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
};

void touch(std::size_t bytes, int threads) {
  const Untouched table(bytes);
  Team(threads).parallel_for(
      bytes / piece_bytes, [&](std::size_t at, int) { std::memset(table.data() + at * piece_bytes, 1, piece_bytes); });
}

void pin(std::size_t bytes) {
  const Untouched table(bytes);
  check(cudaHostRegister(table.data(), bytes, cudaHostRegisterPortable), "pin memory");
  check(cudaHostUnregister(table.data()), "let memory go");
}

void allocate_pinned(std::size_t bytes) {
  void* table = nullptr;
  check(cudaHostAlloc(&table, bytes, cudaHostAllocPortable), "allocate pinned memory");
  check(cudaFreeHost(table), "free pinned memory");
}

void measure_once(const char* work, std::size_t bytes, void (*run)(std::size_t)) {
  const auto start = Clock::now();
  run(bytes);
  const Timing timing{seconds_since(start), 0, 1};
  keep(row(work, {{"bytes", bytes}}, timing, static_cast<double>(bytes), 0));
}

const Question cuda_host_table_question("cuda_host_table", [](const Arguments& arguments) {
  if (arguments.empty()) throw Error(ErrorKind::input, "GB are missing: how large are the tables?");
  check(cudaFree(nullptr), "start");
  for (const std::string& gigabytes : arguments) {
    const auto bytes = static_cast<std::size_t>(std::stod(gigabytes) * 1e9) / piece_bytes * piece_bytes;
    measure_once("touch by 1 thread", bytes, [](std::size_t size) { touch(size, 1); });
    measure_once("touch by 8 threads", bytes, [](std::size_t size) { touch(size, 8); });
    measure_once("pin", bytes, pin);
    measure_once("allocate pinned", bytes, allocate_pinned);
  }
});

}  // namespace
}  // namespace warpfold::bench
