// How fast does a GPU move an array by a permutation: in two passes, by gather, by scatter, and in one pass for those
// that a formula states? The ceiling is a copy of the same run. Arguments: the log2 of the sizes; default 20 to 28.
// With
// --blocks it measures blocks of other sizes instead.
//
//   bench_permutation cuda_moving --json > results/<machine>/permutation_cuda.json

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "../device_time.cuh"
#include "warpfold/permutation/cuda.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using cuda::check;
using permutation::cuda::Algorithm;
using Permutation = std::vector<std::uint32_t>;

constexpr int repeats = 7;

Permutation random_permutation(std::size_t n) {
  Permutation permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937_64(n));
  return permutation;
}

Permutation transpose(std::uint32_t rows, std::uint32_t columns) {
  Permutation permutation(std::size_t{rows} * columns);
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) permutation[std::size_t{r} * columns + c] = c * rows + r;
  }
  return permutation;
}

Permutation bit_reversal(int log2) {
  Permutation permutation(std::size_t{1} << log2);
  for (std::size_t i = 1; i < permutation.size(); ++i) {
    permutation[i] = permutation[i / 2] / 2 + static_cast<std::uint32_t>((i & 1) << (log2 - 1));
  }
  return permutation;
}

/// The arrays of one size, and the rate of a copy between them.
struct Arrays {
  std::size_t n, word_bytes;
  Buffer<std::byte> from, to, back;
  double copied_per_second = 0;

  Arrays(std::size_t words, std::size_t bytes)
      : n(words), word_bytes(bytes), from(n * bytes), to(n * bytes), back(n * bytes) {
    std::vector<std::uint32_t> host(n * bytes / 4);
    std::iota(host.begin(), host.end(), 1);
    check(cudaMemcpy(from.data(), host.data(), 4 * host.size(), cudaMemcpyHostToDevice), "receive data");
    const Timing copy = device_time(repeats, [&](cudaStream_t stream) {
      check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream), "copy");
    });
    copied_per_second = static_cast<double>(n) / copy.median_seconds;
    keep(row("copy", {{"n", n}, {"word_bytes", word_bytes}}, copy, static_cast<double>(n), copied_per_second));
  }

  void require_moved() const {
    std::vector<std::byte> there(from.bytes()), again(from.bytes());
    check(cudaMemcpy(there.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost), "send data");
    check(cudaMemcpy(again.data(), back.data(), from.bytes(), cudaMemcpyDeviceToHost), "send data");
    require(there == again, "a word did not come back");
  }

  void measure(const char* kind, const Permutation& permutation, const permutation::cuda::PlanOptions& options) const {
    const Timing planning = bench::measure(1, [&] { permutation::cuda::Plan(permutation, word_bytes, options); });
    permutation::cuda::Plan plan(permutation, word_bytes, options);
    for (const bool is_back : {false, true}) {
      const Timing moving = device_time(repeats, [&](cudaStream_t stream) {
        if (is_back) {
          plan.move_back(to.data(), back.data(), stream);
        } else {
          plan.move(from.data(), to.data(), stream);
        }
      });
      Json line = row(is_back ? "move back" : "move",
                      {{"permutation", kind},
                       {"algorithm", std::string(name_of(plan.algorithm()))},
                       {"n", n},
                       {"word_bytes", word_bytes},
                       {"block", options.block}},
                      moving, static_cast<double>(n), copied_per_second);
      line["bytes_moved"] = plan.bytes_moved();
      line["plan_seconds"] = planning.median_seconds;
      keep(std::move(line));
    }
    require_moved();
  }
};

void measure_random(std::size_t n, std::size_t word_bytes) {
  const Permutation permutation = random_permutation(n);
  const Arrays arrays(n, word_bytes);
  for (const Algorithm algorithm : {Algorithm::two_passes, Algorithm::gather, Algorithm::scatter}) {
    arrays.measure("random", permutation, {.algorithm = algorithm});
  }
}

void measure_blocks(std::size_t n) {
  const Permutation permutation = random_permutation(n);
  const Arrays arrays(n, 4);
  for (const std::uint32_t block : {6144U, 8192U, 10240U, 12288U, 14336U, 16384U, 18432U, 28672U, 40960U, 57344U}) {
    if (n / block > 16384) continue;  // planning counts the words of each pair of blocks in shared memory
    arrays.measure("random", permutation, {.algorithm = Algorithm::two_passes, .block = block});
  }
}

const Question cuda_moving_question("cuda_moving", [](const Arguments& given) {
  Arguments arguments = given;
  const bool blocks = std::erase(arguments, "--blocks") > 0;
  std::vector<int> sizes;
  for (const std::string& argument : arguments) sizes.push_back(std::stoi(argument));
  if (sizes.empty()) sizes = {20, 22, 24, 26, 28};
  for (const int log2 : sizes) {
    const std::size_t n = std::size_t{1} << log2;
    if (blocks) {
      measure_blocks(n);
    } else {
      measure_random(n, 4);
    }
  }
  if (blocks || !arguments.empty()) return;
  for (const std::size_t word_bytes : {1, 2, 8, 16}) measure_random(std::size_t{1} << 24, word_bytes);
  for (const auto& [rows, columns] : {std::pair{16384U, 16384U}, std::pair{10007U, 9973U}}) {
    Arrays(std::size_t{rows} * columns, 4).measure("transpose", transpose(rows, columns), {});
  }
  Arrays(std::size_t{1} << 26, 4).measure("bit reversal", bit_reversal(26), {});
});

}  // namespace
}  // namespace warpfold::bench
