// How much does the arrangement of a table of two sequences matter on a GPU, and do the memory machines predict its
// sectors? One cooperative grid fills the table by diagonals, a cell for each thread, with a barrier of the grid after
// each diagonal: `machine run lcs` and `edit-distance` in CUDA. Each cell is a word of 32 bits. `launches`: a launch
// for each diagonal in place of the barrier. The last rows are what `warpfold --device cuda` does for the same pair.
//
//   bench_machine arrangements --json > results/<machine>/machine_arrangements.json
//
// With the sectors that a profiler counts (FOLDER has barriers.csv, launches.csv, lcs.csv and edit.csv, each what
// `ncu --csv --metrics $(bench_machine arrangements metrics) bench_machine arrangements once NAME` prints, and
// launches.csv with `--replay-mode app-range`). The barriers of a grid load their counter, too.
//
//   bench_machine arrangements --json counters FOLDER
#include <cooperative_groups.h>
#include <cuda_profiler_api.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../device_time.cuh"
#include "machine/formulas.hpp"
#include "machine/prediction.hpp"
#include "run/cuda.hpp"
#include "sequence/gpu/slices.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using machine::formulas::PairArrangement;
using machine::formulas::PairLayout;
using machine::formulas::PairStages;
using sequence::Coded;
using sequence::Measure;

constexpr std::uint32_t length = 8192, threads = 128, diagonals = 2 * length - 1;
constexpr unsigned blocks = length / threads;
constexpr int repeats = 9;
constexpr const char* loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";

/// The sequences and the words of the table, and of its mirror.
struct Table {
  const std::uint32_t *a, *b;
  std::uint32_t *cells, *mirror;
};

template <PairArrangement arrangement>
__device__ std::uint32_t place(std::uint32_t i, std::uint32_t j) {
  return arrangement == PairArrangement::sliding ? (i + j) * length + i : i * length + j;
}

/// D(i,j) where i or j is -1.
template <Measure measure>
__device__ std::uint32_t border(std::uint32_t distance) {
  return measure == Measure::edit ? distance : 0;
}

template <Measure measure>
__device__ std::uint32_t cell(bool same, std::uint32_t diagonal, std::uint32_t above, std::uint32_t left) {
  if constexpr (measure == Measure::edit) return min(diagonal + (same ? 0 : 1), min(above, left) + 1);
  return same ? diagonal + 1 : max(above, left);
}

/// Cell i of diagonal r, if it has one that is the thread's.
template <Measure measure, PairArrangement arrangement>
__device__ void fill_cell(const Table& table, std::uint32_t r) {
  constexpr bool mirrors = arrangement == PairArrangement::mirroring;
  const std::uint32_t i = (r < length ? 0 : r + 1 - length) + blockIdx.x * threads + threadIdx.x;
  if (i > min(r, length - 1)) return;
  const std::uint32_t j = r - i;
  const bool same = table.a[i] == table.b[j];
  std::uint32_t diagonal = border<measure>(max(i, j)), above = border<measure>(j + 1), left = border<measure>(i + 1);
  if (i > 0 && j > 0) diagonal = table.cells[place<arrangement>(i - 1, j - 1)];
  if (i > 0) above = table.cells[place<arrangement>(i - 1, j)];
  if (j > 0) left = mirrors ? table.mirror[(j - 1) * length + i] : table.cells[place<arrangement>(i, j - 1)];
  const std::uint32_t best = cell<measure>(same, diagonal, above, left);
  table.cells[place<arrangement>(i, j)] = best;
  if (mirrors) table.mirror[j * length + i] = best;
}

template <Measure measure, PairArrangement arrangement>
__global__ void fill_table(Table table) {
  const auto grid = cooperative_groups::this_grid();
  for (std::uint32_t r = 0; r < diagonals; ++r) {
    fill_cell<measure, arrangement>(table, r);
    grid.sync();
  }
}

template <Measure measure, PairArrangement arrangement>
__global__ void fill_diagonal(Table table, std::uint32_t r) {
  fill_cell<measure, arrangement>(table, r);
}

/// What the grid costs without a table.
__global__ void barriers_alone() {
  const auto grid = cooperative_groups::this_grid();
  for (std::uint32_t r = 0; r < diagonals; ++r) grid.sync();
}

template <class... Values>
void launch_grid(void (*kernel)(Values...), cudaStream_t stream, Values... values) {
  void* arguments[] = {&values..., nullptr};
  cuda::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), arguments,
                                          0, stream),
              "start a cooperative grid");
}

std::vector<std::uint32_t> draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % 4);
  return symbols;
}

struct Pair {
  std::vector<std::uint32_t> a = draw(1), b = draw(2);
  Coded coded{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
};

/// What the table's last cell has to be, by the CPU.
std::uint32_t expected(const Pair& pair, Measure measure) {
  if (measure == Measure::edit)
    return static_cast<std::uint32_t>(*sequence::edit_distance(pair.coded).solution.distance);
  return static_cast<std::uint32_t>(*sequence::lcs(pair.coded).solution.length);
}

const char* name_of(Measure measure) { return measure == Measure::edit ? "edit distance" : "lcs"; }

constexpr std::array arrangement_names = {"naive", "sliding", "mirroring"};

Json with_sectors(const PairStages* predicted, const machine::KernelCounters* counted) {
  Json sectors;
  if (predicted) sectors["predicted_load_sectors"] = predicted->read;
  if (counted) sectors["counted_load_sectors"] = static_cast<std::uint64_t>(counted->at(loads));
  if (predicted) sectors["predicted_store_sectors"] = predicted->written;
  if (counted) sectors["counted_store_sectors"] = static_cast<std::uint64_t>(counted->at(stores));
  return sectors;
}

/// The counters of the kernels of `once NAME`.
using Counted = std::map<std::string, std::vector<machine::KernelCounters>>;

/// A warp has 32 threads, and a sector 8 words.
PairStages predict(const PairLayout& layout) {
  machine::Machine gpu = machine::umm(8, 1);
  gpu.warp = 32;
  return machine::formulas::pair_diagonals_stages(gpu, length, layout);
}

/// The counters of both ways to fill a table, or null.
struct WayCounters {
  const machine::KernelCounters *barriers = nullptr, *launches = nullptr;
};

/// Fills the table of one arrangement, once for the profiler or often for the time.
template <Measure measure, PairArrangement arrangement>
struct Filling {
  static constexpr PairLayout layout{arrangement, length, length};
  const Pair& pair;
  Buffer<std::uint32_t> a{std::span<const std::uint32_t>(pair.a)}, b{std::span<const std::uint32_t>(pair.b)};
  Buffer<std::uint32_t> cells{layout.words()}, mirror{layout.mirror_words()};
  Table table{a.data(), b.data(), cells.data(), mirror.data()};

  void fill(cudaStream_t stream, bool launches) const {
    if (!launches) return launch_grid(fill_table<measure, arrangement>, stream, table);
    for (std::uint32_t r = 0; r < diagonals; ++r) {
      fill_diagonal<measure, arrangement><<<blocks, threads, 0, stream>>>(table, r);
    }
    cuda::check_launch("start a diagonal");
  }

  void check() const {
    std::uint32_t last = 0;
    cuda::check(cudaDeviceSynchronize(), "fill a table");
    cuda::check(
        cudaMemcpy(&last, table.cells + layout.place(length - 1, length - 1), sizeof last, cudaMemcpyDeviceToHost),
        "return a distance");
    require(last == expected(pair, measure), "the table's last cell");
  }

  void run_once(bool launches) const {
    cuda::check(cudaProfilerStart(), "start a range");
    fill(nullptr, launches);
    check();
    cuda::check(cudaProfilerStop(), "end a range");
  }

  void time(const WayCounters& counted) const {
    const PairStages predicted = predict(layout);
    for (const bool launches : {false, true}) {
      cuda::check(cudaMemset(table.cells, 255, cells.bytes()), "clear a table");
      const Timing timing = device_time(repeats, [&](cudaStream_t stream) { fill(stream, launches); });
      check();
      Json parameters = {{"problem", name_of(measure)},
                         {"arrangement", arrangement_names[static_cast<std::size_t>(arrangement)]},
                         {"n", length},
                         {"launches", launches}};
      const machine::KernelCounters* const of_way = launches ? counted.launches : counted.barriers;
      parameters.update(with_sectors(&predicted, of_way));
      keep(row("table by diagonals", parameters, timing, double{length} * length, 0));
    }
  }
};

/// Calls work(filling, number) for each table of `once barriers` and `once launches`.
template <class Work>
void for_each_filling(const Pair& pair, const Work& work) {
  work(Filling<Measure::indel, PairArrangement::naive>{pair}, 0);
  work(Filling<Measure::indel, PairArrangement::sliding>{pair}, 1);
  work(Filling<Measure::indel, PairArrangement::mirroring>{pair}, 2);
  work(Filling<Measure::edit, PairArrangement::naive>{pair}, 3);
  work(Filling<Measure::edit, PairArrangement::sliding>{pair}, 4);
  work(Filling<Measure::edit, PairArrangement::mirroring>{pair}, 5);
}

void solve_by_slices(const Pair& pair, Measure measure) {
  Options options;
  options.device = {Device::Kind::cuda, 0};
  Report report;
  Context context(options, report);
  const sequence::Request request;
  const auto found = sequence::cuda::by_slices({pair.coded, request, measure}, context);
  const std::uint32_t distance = static_cast<std::uint32_t>(*found.distance);
  require((measure == Measure::edit ? distance : (2 * length - distance) / 2) == expected(pair, measure), "slices");
}

void time_slices(const Pair& pair, Measure measure, const std::vector<machine::KernelCounters>* kernels) {
  machine::KernelCounters sum;
  if (kernels) {
    for (const auto& kernel : *kernels) {
      for (const auto& [name, value] : kernel) sum[name] += value;
    }
  }
  const Timing timing = bench::measure(repeats, [&] { solve_by_slices(pair, measure); });
  Json parameters = {{"problem", name_of(measure)}, {"n", length}};
  parameters.update(with_sectors(nullptr, kernels ? &sum : nullptr));
  keep(row("slices", parameters, timing, double{length} * length, 0));
}

void run_once(const Pair& pair, const std::string& name) {
  if (name == "barriers" || name == "launches") {
    for_each_filling(pair, [&](const auto& filling, int) { filling.run_once(name == "launches"); });
  } else {
    solve_by_slices(pair, name == "edit" ? Measure::edit : Measure::indel);
  }
}

void time_all(const Pair& pair, const Counted& counted) {
  const bool has_counters = !counted.empty();
  for_each_filling(pair, [&](const auto& filling, std::size_t number) {
    WayCounters ways;
    if (has_counters) ways = {&counted.at("barriers").at(number), &counted.at("launches").at(number)};
    filling.time(ways);
  });
  const Timing alone = device_time(repeats, [](cudaStream_t stream) { launch_grid(barriers_alone, stream); });
  keep(row("barriers alone", {{"n", length}}, alone, diagonals, 0));
  time_slices(pair, Measure::indel, has_counters ? &counted.at("lcs") : nullptr);
  time_slices(pair, Measure::edit, has_counters ? &counted.at("edit") : nullptr);
}

const Question arrangements_question("arrangements", [](const Arguments& arguments) {
  const std::string what = arguments.empty() ? "times" : arguments.front();
  if (what == "metrics") {
    std::printf("%s,%s\n", loads, stores);
    return;
  }
  require_gpu();
  const Pair pair;
  if (what == "once") return run_once(pair, arguments.at(1));
  Counted counted;
  if (what == "counters") {
    for (const char* name : {"barriers", "launches", "lcs", "edit"}) {
      const std::string path = arguments.at(1) + "/" + name + ".csv";
      counted[name] = machine::read_counters(io::read_file(path), path);
    }
  }
  time_all(pair, counted);
});

}  // namespace
}  // namespace warpfold::bench
