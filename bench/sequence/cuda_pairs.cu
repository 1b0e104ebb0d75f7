// How fast does a GPU compute the distance of one pair of random sequences, and what part of the arithmetic ceiling is
// it? And with the script? `--rows` measures every number of rows of a stripe instead of the chosen one. N M ALPHABET:
// one pair of that size. `--edit`: edit distances alone. `--once`: each solved once, after a small pair that loads the
// kernels.
//
//   bench_sequence cuda_pairs --json > results/<machine>/sequence_cuda.json
//
// And how much faster are all GPUs of a host than one? One solve of each size, by default 2^22 and 2^24.
//
//   bench_sequence cuda_several_gpus --json [N...] > results/<machine>/sequence_several_gpus.json

#include <chrono>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "cuda_ceiling.cuh"
#include "run/cuda.hpp"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/slices.hpp"
#include "warpfold/run/devices.hpp"
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

/// `repeats`: 0 for 3 or 7, after one that is not counted.
void measure(const Work& work, Measure minimized, unsigned rows, bool script, int repeats = 0) {
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
  if (repeats == 0) run();
  const Timing timing = bench::measure(repeats ? repeats : query.cells() > 1e13 ? 3 : 7, run, repeats == 0);
  require(!script || !sequence::verify(pair, found, request, false).violation, work.name);
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
  const bool edit = std::erase(arguments, "--edit") > 0, once = std::erase(arguments, "--once") > 0;
  for (const Work& work : asked(arguments)) {
    for (const Measure minimized : {Measure::edit, Measure::indel}) {
      if (edit && minimized != Measure::edit) continue;
      for (const bool script : {false, true}) {
        if (once) measure({work.name, work.alphabet, mega / 4, mega / 4}, minimized, 0, script);
        const auto all = gpu::rows_of_kernels(2);
        for (const unsigned rows : every ? std::vector(all.begin(), all.end()) : std::vector<unsigned>{0}) {
          measure(work, minimized, rows, script, once ? 1 : 0);
        }
      }
    }
  }
});

struct Solved {
  double seconds;
  sequence::Distance distance;
};

Solved solve(const Device& device, const Query& query) {
  Options options;
  options.device = device;
  Report report;
  Context context(options, report);
  const auto start = std::chrono::steady_clock::now();
  Solved solved{0, gpu::by_slices(query, context)};
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return solved;
}

/// Solves the same pair on one GPU and on all.
void compare_devices(const Device& one, const Device& all, std::size_t n, Measure minimized, bool script) {
  const Symbols a = draw(n, 4, 1), b = draw(n, 4, 2);
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  const Request request{.script = script};
  const Query query{pair, request, minimized};
  const Solved alone = solve(one, query), together = solve(all, query);
  require(alone.distance.distance == together.distance.distance, "the distances differ");
  require(alone.distance.script == together.distance.script, "the scripts differ");
  const double ceiling =
      minimized == Measure::edit ? ceiling_of<Measure::edit>(pair.planes()) : ceiling_of<Measure::indel>(pair.planes());
  for (const auto& [device, seconds] : {std::pair(one, alone.seconds), std::pair(all, together.seconds)}) {
    Json measured = row("random DNA",
                        {{"problem", minimized == Measure::edit ? "edit distance" : "lcs"},
                         {"n", n},
                         {"m", n},
                         {"script", script},
                         {"device", to_string(device)}},
                        summarize({seconds}), query.cells(), ceiling * static_cast<double>(1 + device.more.size()));
    measured["times_one"] = alone.seconds / seconds;
    keep(std::move(measured));
  }
}

const Question cuda_several_gpus_question("cuda_several_gpus", [](const Arguments& arguments) {
  require_gpu();
  const Device one = find_gpus(parse_device("cuda")), all = find_gpus(parse_device("cuda:all"));
  compare_devices(one, all, 1 << 16, Measure::edit, true);  // loads the kernels
  for (const std::string& size : arguments.empty() ? Arguments{"4194304", "16777216"} : arguments) {
    for (const Measure minimized : {Measure::edit, Measure::indel}) {
      for (const bool script : {false, true}) compare_devices(one, all, std::stoul(size), minimized, script);
    }
  }
});

}  // namespace
}  // namespace warpfold::bench
