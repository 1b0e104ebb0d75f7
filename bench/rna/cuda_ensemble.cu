// How fast are the energies of ensembles and pair probabilities with a GPU, compared with the ceiling of products and
// sums of doubles of the same run, and with the CPU of this machine?
//
//   bench_rna cuda_ensemble [few] --json > results/<machine>/cuda_ensemble.json

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

const Question cuda_ensemble_question("cuda_ensemble", [](const Arguments& arguments) {
  require_gpu();
  const double f64 = minplus::device::ceiling_per_second<SumsOfDoubles>();
  keep({{"work", "registers only"}, {"terms_per_second", {{"f64", f64}}}});
  for (const std::size_t n : {300, 1000, 2000, 4000}) {
    for (const bool pairs : {false, true}) measure_ensemble(n, 5, f64, pairs, true);
  }
  for (const bool pairs : {false, true}) measure_ensemble(10000, 3, f64, pairs, true);
  if (is_asked(arguments, "few")) return;
  for (const bool pairs : {false, true}) measure_ensemble(29903, 1, f64, pairs, false);
});

}  // namespace

}  // namespace warpfold::bench
