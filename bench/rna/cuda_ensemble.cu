// How fast are the energies of ensembles and pair probabilities with a GPU, compared with the ceiling of products and
// sums of doubles of the same run, and with the CPU of this machine?
//
//   bench_rna cuda_ensemble [few] --json > results/<machine>/cuda_ensemble.json

#include <vector>

#include "../question.hpp"
#include "minplus/ceiling.cuh"
#include "problems.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::bench {

namespace {

/// One fused instruction a term, as in the products of whole tiles.
struct SumsOfDoubles {
  using Value = double;
  static constexpr double none = 0;
  static __device__ double plus(double x, double y) { return x + y; }
  static __device__ double accumulate(double sum, double a0, double b0, double a1, double b1) {
    return fma(a1, b1, fma(a0, b0, sum));
  }
};

Options by(const char* device) {
  Options options;
  options.device = parse_device(device);
  return options;
}

void measure_ensemble(std::size_t n, int repeats, double ceiling, bool pairs, bool compares) {
  const rna::Parameters parameters = rna::rules_1998();
  const rna::Sequence sequence = drawn_sequence(n);
  const rna::EnsembleRequest wanted{.pairs = pairs};
  Outcome<rna::Ensemble> last;
  const Timing timing = measure(repeats, [&] { last = rna::ensemble(sequence, parameters, by("cuda"), {}, wanted); });
  Json json = row(pairs ? "pair probabilities" : "ensemble energy", {{"n", n}}, timing,
                  (pairs ? 3 : 1) * folding_operations(n), ceiling);
  json["tables_seconds"] = last.report.solve_seconds;
  json["prepare_seconds"] = last.report.prepare_seconds;
  json["device_bytes"] = last.report.peak_device_bytes;
  if (compares) {
    const Outcome<rna::Ensemble> by_cpu = rna::ensemble(sequence, parameters, by("cpu"), {}, wanted);
    require(by_cpu.solution.energy == last.solution.energy && by_cpu.solution.pairs == last.solution.pairs,
            "the CPU has other bits");
    json["cpu_threads"] = by_cpu.report.threads;
    json["cpu_seconds"] = by_cpu.report.solve_seconds;
  }
  keep(std::move(json));
}

/// The pair probabilities of many sequences, by the GPU and by all threads of the CPU.
void measure_batch(std::size_t count, std::size_t n, double ceiling) {
  const rna::Parameters parameters = rna::rules_1998();
  const std::vector<rna::Sequence> sequences = drawn_sequences(count, n);
  Outcome<std::vector<rna::Ensemble>> last, by_cpu;
  const Timing timing = measure(3, [&] { last = rna::ensemble_each(sequences, parameters, by("cuda")); });
  const Timing cpu = measure(1, [&] { by_cpu = rna::ensemble_each(sequences, parameters, by("cpu")); });
  for (std::size_t t = 0; t < count; ++t) {
    require(by_cpu.solution[t].pairs == last.solution[t].pairs, "the CPU has other bits");
  }
  Json json = row("batch of pair probabilities", {{"n", n}, {"sequences", count}}, timing,
                  3 * static_cast<double>(count) * folding_operations(n), ceiling);
  json["seconds_of_each"] = timing.median_seconds / static_cast<double>(count);
  json["device_bytes"] = last.report.peak_device_bytes;
  json["cpu_threads"] = by_cpu.report.threads;
  json["cpu_seconds_of_each"] = cpu.median_seconds / static_cast<double>(count);
  keep(std::move(json));
}

const Question cuda_ensemble_question("cuda_ensemble", [](const Arguments& arguments) {
  require_gpu();
  const double f64 = minplus::device::ceiling_per_second<SumsOfDoubles>();
  keep({{"work", "registers only"}, {"terms_per_second", {{"f64", f64}}}});
  measure_batch(400, 300, f64);
  measure_batch(200, 1000, f64);
  for (const std::size_t n : {300, 1000, 2000, 4000}) {
    for (const bool pairs : {false, true}) measure_ensemble(n, 5, f64, pairs, true);
  }
  for (const bool pairs : {false, true}) measure_ensemble(10000, 3, f64, pairs, true);
  if (is_asked(arguments, "few")) return;
  for (const bool pairs : {false, true}) measure_ensemble(29903, 1, f64, pairs, false);
});

}  // namespace

}  // namespace warpfold::bench
