#include "machine/twins.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpfold::machine {

namespace {

constexpr std::uint32_t warp_of_gpu = 32;

std::vector<std::string> indices(std::uint32_t bytes) {
  std::vector<std::string> all;
  for (const int stride : {1, 2, 3, 4, 6, 8, 12, 16, 24, 31, 32, 33}) all.push_back(fmt::format("i*{}", stride));
  if (bytes != 4) return all;
  for (const char* index : {"0", "i/2", "i/4", "i%4", "31 - i", "i^1", "i*i % 64", "i*17 % 64", "i%4*32 + i/4",
                            "i/16*32 + i%16", "i%8*33 + i/8", "(i*5 + 3) % 32 * 32"}) {
    all.emplace_back(index);
  }
  return all;
}

/// The counters of an experiment: wavefronts of shared memory, sectors of the second cache and of the memory behind it.
constexpr const char* shared_loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr const char* shared_accesses = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
constexpr const char* cache_reads = "lts__t_sectors_srcunit_tex_op_read.sum";
constexpr const char* cache_writes = "lts__t_sectors_srcunit_tex_op_write.sum";
constexpr const char* cache_atomics = "lts__t_sectors_op_atom.sum";
constexpr const char* memory_reads = "dram__sectors_read.sum";
constexpr const char* memory_writes = "dram__sectors_write.sum";

void add_shared_experiments(std::vector<Experiment>& all) {
  const auto add = [&](const char* title, const Pattern& pattern, const char* reason) {
    const std::uint32_t zeros = pattern.access == Access::atomic_add;  // the wavefront that stores them
    all.push_back({title, pattern, zeros != 0 ? shared_accesses : shared_loads,
                   accesses_of_pattern * predicted_stages(pattern) + zeros, reason});
  };
  add("broadcast of 8 bytes", {Space::shared, 8, "0"},
      "Lanes that read the same words are served together, also across the halves of a warp.");
  add("broadcast of 16 bytes", {Space::shared, 16, "0"},
      "Lanes that read the same words are served together, also across the quarters of a warp.");
  add("8 bytes, two lanes to each", {Space::shared, 8, "i/2"},
      "The warp reads 32 different words, one of each bank, which one wavefront serves without cutting the warp.");
  add("8 bytes, equal half-warps", {Space::shared, 8, "i%16"},
      "Both halves read the same 32 words, one of each bank, which one wavefront serves.");
  add("16 bytes, two lanes to each", {Space::shared, 16, "i/2"},
      "The warp reads 64 different words, two of each bank, which two wavefronts serve instead of one for each "
      "quarter.");
  add("16 bytes, equal half-warps", {Space::shared, 16, "i%16"},
      "Both halves read the same 64 words, two of each bank, which two wavefronts serve.");
  add("atomic additions to one word", {Space::shared, 4, "0", Access::atomic_add},
      "Additions to one word are served one lane after another, where equal addresses of a load are served once.");
  add("atomic additions to a word each", {Space::shared, 4, "i", Access::atomic_add},
      "The additions take the wavefronts of loads, but this counter also has four that every kernel of the probe "
      "takes.");
}

void add_global_experiments(std::vector<Experiment>& all) {
  const auto add = [&](const char* title, const Pattern& pattern, const char* counter, std::uint64_t predicted,
                       const char* reason) {
    all.push_back({title, pattern, counter, predicted, reason});
  };
  const Pattern cached{Space::global, 4, "i", Access::cached_load},
      missed{Space::global, 4, "i", Access::load, 1024, 1 << 20};
  const Pattern to_one{Space::global, 4, "0", Access::atomic_add}, to_each{Space::global, 4, "i", Access::atomic_add};
  const Pattern stored{Space::global, 4, "i*8", Access::store, 1, 8};
  constexpr std::uint64_t once = accesses_of_pattern;
  add("hits in the first cache", cached, cache_reads, once * predicted_stages(cached),
      "The first cache serves every load but the first, so that the second cache is read once.");
  add("misses in the second cache", missed, memory_reads, 0,
      "Sectors that the second cache lacks are read from memory and arrive later, but the machine has one latency.");
  add("atomic additions to one word", to_one, cache_atomics, once * predicted_stages(to_one),
      "Additions to one word are served one lane after another, and the second cache counts each of them twice.");
  add("atomic additions to a word each", to_each, cache_atomics, once * predicted_stages(to_each),
      "The second cache counts each sector of an addition twice.");
  add("stores that fill sectors", stored, cache_writes, once * predicted_stages(stored),
      "Stores to one sector are combined before the second cache, which each sector reaches once.");
  add("stores that fill sectors, in memory", stored, memory_writes, once * predicted_stages(stored),
      "The second cache keeps what is stored, so that nothing reaches the memory while the kernel runs.");
}

/// Programs whose time needs many warps: the worst permutation of tiles, and the programs that determine the constants.
void add_tiles(std::vector<Twin>& all) {
  constexpr std::uint32_t threads = 1024;
  for (const char* algorithm : {"contiguous", "stride", "transpose-diagonal", "sum"}) {
    const std::uint64_t n = algorithm == std::string("transpose-diagonal") ? 1024 : 4096;
    all.push_back({algorithm, algorithm, Space::shared, threads, n});
  }
  for (const char* algorithm : {"permute-straightforward", "permute-dmm"}) {
    all.push_back({fmt::format("{}, worst in tiles", algorithm), algorithm, Space::shared, threads, 8192, 0, 0, true});
  }
}

/// Word (r, c) of each tile goes to (c, r): all writes of a warp are to one bank.
std::vector<std::int64_t> transposing_tiles(std::uint64_t n) {
  std::vector<std::int64_t> destination(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    destination[i] = static_cast<std::int64_t>(i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32);
  }
  return destination;
}

void add_programs(std::vector<Twin>& all, Space space, std::uint32_t threads) {
  const auto add = [&](const char* algorithm, std::uint64_t n) {
    all.push_back({algorithm, algorithm, space, threads, n});
  };
  add("contiguous", 4096);
  add("stride", 4096);
  add("transpose-straightforward", 1024);
  add("transpose-diagonal", 1024);
  add("transpose-rotating", 4096);
  add("permute-straightforward", 1024);
  if (space == Space::shared) add("permute-dmm", 1024);
  add("sum", 4096);
  add("prefix-sums", 4096);
  add("dp-opt", 64);
  add("umm-opt", 64);
  for (const char* algorithm :
       {"opt-threads-naive", "opt-threads-sliding", "opt-blocks-naive", "opt-blocks-mirroring"}) {
    add(algorithm, 64);
  }
}

/// With offsets 1 apart all threads read one word, 2 apart neighbors, 33 apart words of one bank.
void add_pipelines(std::vector<Twin>& all, Space space) {
  for (const std::uint64_t step : {1u, 2u, 33u}) {
    all.push_back({fmt::format("sdp-pipeline, offsets {} apart", step), "sdp-pipeline", space, 32, 4096, step, 32});
  }
  all.push_back({"sdp-m-by-m, offsets 1 apart", "sdp-m-by-m", space, 32, 4096, 1, 64});
}

/// The loops of a memory and a number of threads. The first eight determine the constants of programs.
void add_loops(std::vector<Loop>& all, Space space, std::uint32_t threads) {
  const auto add = [&](Loop loop) {
    loop.space = space;
    loop.threads = threads;
    all.push_back(std::move(loop));
  };
  add({.title = "loads"});
  add({.title = "loads of words 2 apart", .index = "i*2"});
  add({.title = "loads of words 8 apart", .index = "i*8"});
  add({.title = "stores", .access = Access::store});
  add({.title = "stores of words 8 apart", .index = "i*8", .access = Access::store});
  add({.title = "loads and 16 operations", .operations = 16});
  add({.title = "loads and 64 operations", .operations = 64});
  add({.title = "loads and a barrier", .has_barrier = true});
  add({.title = "loads, unrolled", .is_unrolled = true});
  add({.title = "loads and 4 operations", .operations = 4});
  add({.title = "loads, 16 operations and a barrier", .operations = 16, .has_barrier = true});
  for (const std::uint32_t at_once : {2u, 4u, 8u}) {
    add({.title = fmt::format("{} loads at once", at_once), .at_once = at_once});
  }
}

}  // namespace

std::vector<Pattern> patterns() {
  std::vector<Pattern> all;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      for (const std::string& index : indices(bytes)) all.push_back({space, bytes, index});
    }
  }
  return all;
}

std::string opcode_of(const Pattern& pattern) {
  const char* const name = pattern.space == Space::shared ? "LDS" : "LDG.E";
  if (pattern.bytes == 4) return name;
  return fmt::format("{}.{}{}", name, pattern.bytes < 4 ? "U" : "", 8 * pattern.bytes);
}

std::uint32_t predicted_stages(const Pattern& pattern) {
  const Machine machine = machine_of(pattern.space);
  const auto warps = indexed_accesses(Expression(pattern.index), warp_of_gpu, machine.width, machine.warp);
  return step_cost(machine, warps, pattern.bytes).warps[0].stages;
}

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  add_shared_experiments(all);
  add_global_experiments(all);
  return all;
}

std::vector<Twin> twins() {
  std::vector<Twin> all;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint32_t threads : {32u, 256u}) add_programs(all, space, threads);
    add_pipelines(all, space);
    if (space == Space::shared) add_tiles(all);
  }
  return all;
}

bool is_triangulation(const Twin& twin) { return twin.algorithm.find("opt") != std::string::npos; }

std::uint32_t words_of(const Twin& twin) {
  const auto n = static_cast<std::uint32_t>(twin.n);
  if (is_triangulation(twin)) return 2 * n * n + std::max(n, twin.threads / 2);
  return twin.algorithm == "prefix-sums" ? 2 * n + 512 : 2 * n;  // levels of fewer words than a warp are padded
}

std::uint32_t frame_stages(const Twin& twin) {
  if (twin.space == Space::shared) return 2 * words_of(twin) / warp_of_gpu;
  const auto moves = twin.algorithm.starts_with("permute") ? static_cast<std::uint32_t>(twin.n) : 0;
  return 1 + moves / machine_of(twin.space).width;
}

RunRequest request_of(const Twin& twin) {
  RunRequest request{.machine = machine_of(twin.space), .threads = twin.threads, .n = twin.n};
  for (std::uint64_t j = twin.terms; j > 0; --j) {
    request.lists["offsets"].push_back(static_cast<std::int64_t>(j * twin.offset_step));
  }
  if (twin.in_tiles) request.lists["permutation"] = transposing_tiles(twin.n);
  return request;
}

std::vector<Loop> loops() {
  std::vector<Loop> all;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint32_t threads : {32u, 256u, 1024u}) add_loops(all, space, threads);
  }
  return all;
}

std::uint32_t words_of_warp(const Loop& loop) {
  const auto last = Expression(loop.index).value(warp_of_gpu - 1, warp_of_gpu, warp_of_gpu);
  return (static_cast<std::uint32_t>(last) / warp_of_gpu + 1) * warp_of_gpu * loop.at_once;
}

std::uint64_t predicted_stages(const Loop& loop) {
  const std::uint64_t accesses = std::uint64_t{turns_of_loop} * loop.at_once * (loop.threads / warp_of_gpu);
  return accesses * predicted_stages(Pattern{loop.space, 4, loop.index});
}

Frame frame_of(const Twin& twin) {
  return {twin.space, twin.threads, twin.space == Space::shared ? words_of(twin) : 0};
}

Frame frame_of(const Loop& loop) {
  const std::uint32_t words = loop.space == Space::shared ? words_of_warp(loop) * (loop.threads / warp_of_gpu) : 0;
  return {loop.space, loop.threads, words};
}

std::vector<Frame> frames() {
  std::vector<Frame> all;
  const auto add = [&](const Frame& frame) {
    if (std::ranges::find(all, frame) == all.end()) all.push_back(frame);
  };
  for (const Twin& twin : twins()) add(frame_of(twin));
  for (const Loop& loop : loops()) add(frame_of(loop));
  return all;
}

std::uint32_t frame_stages(const Loop& loop) {
  return loop.space == Space::shared ? 2 * frame_of(loop).words / warp_of_gpu : 1;
}

}  // namespace warpfold::machine
