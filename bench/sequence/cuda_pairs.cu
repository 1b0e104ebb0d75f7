// How fast does a GPU compute the distance of one pair of random sequences, and what part of the arithmetic ceiling is
// it? And with the script? `--rows` measures every number of rows of a stripe instead of the chosen one. N M ALPHABET:
// one pair of that size.
//
//   bench_sequence cuda_pairs --json > results/<machine>/sequence_cuda.json

#include <random>
#include <span>
#include <string>
#include <vector>

#include "../question.hpp"
#include "run/cuda.hpp"
#include "sequence/gpu/cells.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/slices.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::bench {
namespace {

using sequence::Coded;
using sequence::Measure;
using sequence::Query;
using sequence::Request;
using sequence::Size;
namespace gpu = sequence::cuda;
using Symbols = std::vector<std::uint32_t>;

struct Work {
  const char* name;
  std::uint32_t alphabet;
  std::size_t n, m;
};
constexpr std::size_t mega = 1 << 20;
constexpr Work works[] = {{"random DNA", 4, mega / 16, mega / 16},
                          {"random DNA", 4, mega / 4, mega / 4},
                          {"random DNA", 4, mega, mega},
                          {"random DNA", 4, 4 * mega, 4 * mega},
                          {"random DNA", 4, 16 * mega, 4 * mega},
                          {"random protein", 20, 4 * mega, 4 * mega},
                          {"random bytes", 256, 4 * mega, 4 * mega}};

Symbols draw(std::size_t length, std::uint32_t alphabet, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Symbols symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % alphabet);
  return symbols;
}

/// Cells in registers: what no arrangement of them exceeds. As in the kernel, B's planes come from shared memory,
/// through a port that the operations do not use. A thread has 8 words of rows.
template <Measure measure, int Planes>
__global__ void run_cells(unsigned rounds, unsigned* result) {
  using Bits = gpu::Difference<measure>;
  using gpu::A, gpu::B, gpu::C;
  constexpr int words = 8, columns = 4;
  constexpr unsigned window = 64;
  __shared__ unsigned symbols[Planes][window + columns];
  const unsigned seed = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned at = threadIdx.x; at < Planes * (window + columns); at += blockDim.x) {
    symbols[0][at] = at * 0x9E3779B9 + result[at % 64];
  }
  __syncthreads();
  unsigned rows[words][Planes];
  Bits v[words], h = Bits::row_zero();
  for (int k = 0; k < words; ++k) {
    v[k] = Bits::column_zero();
    for (int p = 0; p < Planes; ++p) rows[k][p] = seed * (2 * k + 1) + result[p];
  }
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned at = (round + threadIdx.x) % window;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
#pragma unroll
      for (int k = 0; k < words; ++k) {
        unsigned differ = rows[k][0] ^ symbols[0][at + c];
#pragma unroll
        for (int p = 1; p < Planes; ++p) differ = gpu::logic<A | (B ^ C)>(differ, rows[k][p], symbols[p][at + c]);
        Bits::cell(differ, h, v[k]);
      }
    }
  }
  unsigned sum = static_cast<unsigned>(h.packet());
  for (int k = 0; k < words; ++k) sum ^= static_cast<unsigned>(v[k].packet() ^ v[k].packet() >> 32);
  if (sum == 0x12345678) result[0] = sum;
}

template <Measure measure, int Planes>
double ceiling() {
  constexpr unsigned rounds = 20'000, threads = 256, blocks = 132 * 8;
  const cuda::Buffer<unsigned> result(std::span<const unsigned>(std::vector<unsigned>(64, 3)));
  const cuda::Stream stream;
  const cuda::Event start, stop;
  std::vector<double> seconds;
  for (int repeat = -1; repeat < 7; ++repeat) {
    start.record(stream);
    run_cells<measure, Planes><<<blocks, threads, 0, stream.get()>>>(rounds, result.data());
    cuda::check_launch("start the ceiling's loop");
    stop.record(stream);
    stream.synchronize();
    if (repeat >= 0) seconds.push_back(seconds_between(start, stop));
  }
  return 32.0 * 8 * 4 * rounds * threads * blocks / summarize(seconds).median_seconds;
}

template <Measure measure>
double ceiling_of(int planes) {
  if (planes <= 2) return ceiling<measure, 2>();
  return planes <= 5 ? ceiling<measure, 5>() : ceiling<measure, 8>();
}

void measure(const Work& work, Measure minimized, unsigned rows, bool script) {
  const Symbols a = draw(work.n, work.alphabet, 1), b = draw(work.m, work.alphabet, 2);
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  const Request request{.script = script};
  const Query query{pair, request, minimized};
  const Size size{static_cast<double>(work.n), static_cast<double>(work.m), 0, pair.planes(), minimized, request};
  const unsigned taken = rows ? rows : gpu::layout_of(size).rows;
  Options options;
  options.device = {Device::Kind::cuda, 0};
  Report report;
  sequence::Distance found;
  const auto run = [&] {
    Context context(options, report);
    found = gpu::by_slices(query, context, taken);
  };
  run();
  require(!script || !sequence::verify(pair, found, request, false).violation, work.name);
  const Timing timing = bench::measure(query.cells() > 1e13 ? 3 : 7, run);
  keep(row(work.name,
           {{"problem", minimized == Measure::edit ? "edit distance" : "lcs"},
            {"n", work.n},
            {"m", work.m},
            {"alphabet", work.alphabet},
            {"script", script},
            {"rows", taken},
            {"distance", *found.distance},
            {"traceback_seconds", report.traceback_seconds},
            {"estimated_seconds", gpu::seconds(size, options)}},
           timing, query.cells(),
           minimized == Measure::edit ? ceiling_of<Measure::edit>(pair.planes())
                                      : ceiling_of<Measure::indel>(pair.planes())));
}

/// N, M, the alphabet: one pair of random sequences instead of all works.
std::vector<Work> asked(const Arguments& arguments) {
  if (arguments.size() != 3) return {std::begin(works), std::end(works)};
  return {{"random", static_cast<std::uint32_t>(std::stoul(arguments[2])), std::stoul(arguments[0]),
           std::stoul(arguments[1])}};
}

const Question cuda_pairs_question("cuda_pairs", [](const Arguments& given) {
  require_gpu();
  Arguments arguments = given;
  const bool every = std::erase(arguments, "--rows") > 0;
  for (const Work& work : asked(arguments)) {
    for (const Measure minimized : {Measure::edit, Measure::indel}) {
      for (const bool script : {false, true}) {
        const auto all = gpu::rows_of_kernels(2, script);
        for (const unsigned rows : every ? std::vector(all.begin(), all.end()) : std::vector<unsigned>{0}) {
          measure(work, minimized, rows, script);
        }
      }
    }
  }
});

}  // namespace
}  // namespace warpfold::bench
