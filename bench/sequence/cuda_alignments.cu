// How fast does a GPU compute the score of an alignment with affine or two-piece gaps, what part of the arithmetic
// ceiling is it, and how much longer does the script take?
//
//   bench_sequence cuda_alignments --json > results/<machine>/sequence_cuda_alignments.json
//
// `--kernels`: every kernel that holds the values, not the chosen one alone. `--longest`: 10^6 symbols alone.
// `--pieces`: two pieces beside one, alone.

#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "../device_time.cuh"
#include "sequence/gpu/scores.cuh"
#include "sequence/gpu/scores.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::bench {
namespace {

using sequence::Alignment;
using sequence::AlignmentRequest;
using sequence::ScoredPair;
using sequence::ScoreMatrix;
namespace alignment = sequence::alignment;
namespace gpu = sequence::cuda;

/// Cells in registers: what no arrangement of them exceeds. As in the kernel, scores come from shared memory, through a
/// port that the operations do not use.
template <class Cells>
__global__ void run_score_cells(unsigned rounds, unsigned* result) {
  constexpr int rows = 16;
  constexpr unsigned codes = 8;
  __shared__ __align__(16) unsigned char scores[codes * gpu::profile_bytes_of_code<rows>];
  for (unsigned at = threadIdx.x; at < sizeof scores; at += blockDim.x) scores[at] = result[at % 64] + at % 7;
  __syncthreads();
  unsigned best[rows], inserted[rows][Cells::pieces], deleted[Cells::pieces];
  for (int k = 0; k < rows; ++k) {
    best[k] = result[(threadIdx.x + k) % 64];
    for (unsigned& of_piece : inserted[k]) of_piece = best[k];
  }
  for (unsigned& of_piece : deleted) of_piece = result[1];
  unsigned above = result[0], diagonal = result[2];
  const gpu::MinusGaps<Cells> minus({.open = 4, .extend = 1, .short_open = 3, .short_extend = 1});
  const unsigned char* const mine = scores + threadIdx.x % gpu::warp * rows;
  for (unsigned round = 0; round < rounds; ++round) {
    gpu::ScoreBytes<rows> lower, upper;
    lower.load(mine + round % codes * gpu::profile_bytes_of_code<rows>);
    upper.load(mine + round / 2 % codes * gpu::profile_bytes_of_code<rows>);
    const unsigned before = above;
    gpu::scored_column<Cells>(lower, upper, minus, best, inserted, diagonal, above, deleted);
    diagonal = before;
  }
  if (above == 0x12345678) result[0] = above + deleted[0];
}

template <class Cells>
double ceiling_of_score_cells_of() {
  constexpr unsigned rounds = 20'000, threads = 256, blocks = 132 * 8;
  const cuda::Buffer<unsigned> result(std::span<const unsigned>(std::vector<unsigned>(64, 3)));
  const Timing timing = device_time(7, [&](cudaStream_t stream) {
    run_score_cells<Cells><<<blocks, threads, 0, stream>>>(rounds, result.data());
    cuda::check_launch("start the ceiling's loop");
  });
  return 16.0 * Cells::halves * rounds * threads * blocks / timing.median_seconds;
}

double ceiling_of_score_cells(const gpu::ScoreLayout& layout) {
  const bool pairs = layout.kernel.pairs;
  if (layout.gaps.pieces() == 2) {
    return pairs ? ceiling_of_score_cells_of<gpu::TwoPieces<gpu::PairScores>>()
                 : ceiling_of_score_cells_of<gpu::TwoPieces<gpu::WideScores>>();
  }
  return pairs ? ceiling_of_score_cells_of<gpu::PairScores>() : ceiling_of_score_cells_of<gpu::WideScores>();
}

std::vector<std::uint32_t> drawn_symbols(std::size_t length, std::uint32_t alphabet, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % alphabet);
  return symbols;
}

/// Scores like those of BLOSUM62: 4 to 11 for equal symbols, -4 to 1 for others.
ScoreMatrix protein_matrix() {
  constexpr std::uint32_t alphabet = 20;
  std::vector<std::uint32_t> symbols(alphabet);
  std::vector<std::int64_t> scores;
  for (std::uint32_t x = 0; x < alphabet; ++x) {
    symbols[x] = x;
    for (std::uint32_t y = 0; y < alphabet; ++y) {
      scores.push_back(x == y ? 4 + x % 8 : 1 - static_cast<std::int64_t>((x + y) % 6));
    }
  }
  return {symbols, scores};
}

struct AlignmentWork {
  const char* name;
  std::uint32_t alphabet;
  AlignmentRequest request;
  bool is_similar = false;  ///< B is A with every tenth symbol drawn again
};

std::vector<std::uint32_t> drawn_second(const AlignmentWork& work, const std::vector<std::uint32_t>& first) {
  std::vector<std::uint32_t> second = drawn_symbols(first.size(), work.alphabet, 2);
  for (std::size_t at = 0; work.is_similar && at < second.size(); ++at) {
    if (at % 10 != 0) second[at] = first[at];
  }
  return second;
}

void measure_alignment_on_gpu(const AlignmentWork& work, std::size_t n, bool every_kernel) {
  const auto a = drawn_symbols(n, work.alphabet, 1), b = drawn_second(work, a);
  const std::span<const std::uint32_t> first(a), second(b);
  const ScoredPair pair = work.alphabet == 20 ? ScoredPair(first, second, protein_matrix())
                                              : ScoredPair(sequence::Coded(first, second), 2, -3);
  const alignment::Query query{pair, work.request};
  const alignment::Size size = alignment::size_of(pair, work.request);
  Options options;
  options.device = {Device::Kind::cuda, 0};
  Report report;
  const auto chosen = gpu::score_layout_of(size, options.max_device_memory);
  for (const gpu::ScoreKernel& kernel : gpu::score_kernels) {
    const auto layout = gpu::score_layout_of(size, kernel);
    if (!layout || (!every_kernel && kernel != chosen->kernel)) continue;
    Alignment found;
    const auto run = [&] {
      Context context(options, report);
      found = gpu::alignment_by_strips(query, context, *layout);
    };
    run();
    if (n <= 30'000) {
      Options on_cpu;
      on_cpu.algorithm = work.request.gaps.second ? "rows" : "strips";
      const Alignment expected = align(pair, on_cpu, work.request).solution;
      require(expected.score == found.score && expected.script.runs() == found.script.runs(), "alignment");
    }
    if (work.request.script) require(static_cast<bool>(verify(pair, found, work.request)), "script");
    const Timing timing = bench::measure(every_kernel ? 3 : 5, run);
    keep(row(work.name,
             {{"n", n},
              {"script", work.request.script},
              {"bits", kernel.pairs ? 16 : 32},
              {"rows", kernel.rows},
              {"estimated_seconds", layout->seconds()},
              {"traceback_seconds", report.traceback_seconds}},
             timing, static_cast<double>(n) * static_cast<double>(n), ceiling_of_score_cells(*layout)));
  }
}

const Question cuda_alignments_question("cuda_alignments", [](const Arguments& given) {
  require_gpu();
  Arguments arguments = given;
  const bool longest = std::erase(arguments, "--longest") > 0;
  const bool pieces = std::erase(arguments, "--pieces") > 0;
  const bool every = is_asked(arguments, "--kernels");
  const sequence::GapCosts two_pieces{4, 2, sequence::GapCosts::Piece{24, 1}};
  const AlignmentWork works[] = {{"DNA, global", 4, {.gaps = {5, 2, {}}}},
                                 {"DNA, two pieces", 4, {.gaps = two_pieces}},
                                 {"DNA, two pieces, local", 4, {.gaps = two_pieces, .ends = sequence::local_ends}},
                                 {"protein, global", 20, {.gaps = {11, 1, {}}}},
                                 {"DNA, overlap", 4, {.gaps = {5, 2, {}}, .ends = sequence::overlap_ends}},
                                 {"DNA, local", 4, {.gaps = {5, 2, {}}, .ends = sequence::local_ends}},
                                 {"protein, local", 20, {.gaps = {11, 1, {}}, .ends = sequence::local_ends}},
                                 {"similar DNA, local", 4, {.gaps = {5, 2, {}}, .ends = sequence::local_ends}, true}};
  std::vector<std::size_t> lengths = {1'000'000};
  if (!longest) {
    lengths = every ? std::vector<std::size_t>{100'000, 1'000'000}
                    : std::vector<std::size_t>{30'000, 100'000, 300'000, 1'000'000};
  }
  for (const std::size_t n : lengths) {
    for (AlignmentWork work : works) {
      if (every && work.request.ends != sequence::global_ends) continue;
      if (pieces && !work.request.gaps.second && work.name != std::string_view("DNA, global")) continue;
      for (const bool script : {false, true}) {
        work.request.script = script;
        measure_alignment_on_gpu(work, n, every);
      }
    }
  }
});

}  // namespace
}  // namespace warpfold::bench
