// How long do many pairs take on a GPU and on the CPU with a bound, and with scripts?
//
//   bench_sequence cuda_batch_scripts --json > results/<machine>/sequence_cuda_batch_scripts.json

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "cuda_ceiling.cuh"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::bench {
namespace {

using sequence::BatchRequest;
using sequence::SymbolView;

struct PairsOfDna {
  const char* name;
  std::size_t pairs, length;
  int changed;  ///< symbols of 100; 100: the sequences have nothing to do with each other
};
constexpr PairsOfDna all_pairs_of_dna[] = {{"DNA of 1000, random", 20'000, 1000, 100},
                                           {"DNA of 1000, 5 % changed", 20'000, 1000, 5},
                                           {"DNA of 150, 5 % changed", 200'000, 150, 5}};

std::string drawn(std::size_t length, std::mt19937_64& random) {
  std::string text(length, 'A');
  for (char& letter : text) letter = "ACGT"[random() % 4];
  return text;
}

std::string changed(const std::string& text, int part, std::mt19937_64& random) {
  if (part == 100) return drawn(text.size(), random);
  std::string other;
  for (const char letter : text) {
    const bool changes = random() % 100 < static_cast<unsigned>(part);
    const unsigned way = changes ? random() % 3 : 3;
    if (way == 0) other += "ACGT"[random() % 4];
    if (way == 1) other += {letter, "ACGT"[random() % 4]};
    if (way == 3) other += letter;
  }
  return other;
}

void measure(const PairsOfDna& work) {
  std::mt19937_64 random(1);
  std::vector<std::string> first, second;
  double cells = 0;
  for (std::size_t at = 0; at < work.pairs; ++at) {
    first.push_back(drawn(work.length, random));
    second.push_back(changed(first.back(), work.changed, random));
    cells += static_cast<double>(first.back().size()) * static_cast<double>(second.back().size());
  }
  const std::vector<SymbolView> a(first.begin(), first.end()), b(second.begin(), second.end());
  for (const std::optional<std::uint32_t> bound :
       {std::optional<std::uint32_t>(), std::optional(static_cast<std::uint32_t>(work.length / 10))}) {
    const BatchRequest request{.max_distance = bound};
    const auto keep_row = [&](const char* device, bool script, const Timing& timing, const Report& report) {
      keep(row(work.name,
               {{"pairs", work.pairs},
                {"max_distance", bound ? static_cast<std::int64_t>(*bound) : -1},
                {"script", script},
                {"on", device},
                {"threads", report.threads},
                {"pairs_per_second", static_cast<double>(work.pairs) / timing.median_seconds}},
               timing, cells, ceiling_of<sequence::Measure::edit>(2)));
    };
    std::vector<std::vector<std::uint32_t>> found;
    std::vector<std::vector<std::optional<sequence::Script>>> scripts;
    for (const Device::Kind device : {Device::Kind::cuda, Device::Kind::cpu}) {
      Options options;
      options.device.kind = device;
      const char* const name = device == Device::Kind::cuda ? "cuda" : "cpu";
      Report report;
      const int runs = device == Device::Kind::cuda ? 5 : 1;
      found.push_back(sequence::distances(a, b, options, request).solution);
      keep_row(name, false, bench::measure(runs, [&] { report = sequence::distances(a, b, options, request).report; }),
               report);
      scripts.push_back(sequence::scripts(a, b, options, request).solution);
      keep_row(name, true, bench::measure(runs, [&] { report = sequence::scripts(a, b, options, request).report; }),
               report);
    }
    require(found[0] == found[1] && scripts[0] == scripts[1], work.name);
  }
}

const Question cuda_batch_scripts_question("cuda_batch_scripts", [](const Arguments& arguments) {
  require_gpu();
  for (const PairsOfDna& work : all_pairs_of_dna) {
    if (arguments.empty() || std::string(work.name).find(arguments[0]) != std::string::npos) measure(work);
  }
});

}  // namespace
}  // namespace warpfold::bench
