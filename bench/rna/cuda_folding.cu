// How fast are foldings on this GPU, from the sequence on the host to the structure there, compared with the (min,+)
// ceiling of the same run, and with the CPU of this machine?
//
//   bench_rna cuda_folding [few] --json > results/<machine>/cuda_folding.json
//
// And batches, from the sequences on the host to the structures there?
//
//   bench_rna cuda_batches [few] --json > results/<machine>/cuda_batches.json

#include "../question.hpp"
#include "minplus/ceiling.cuh"
#include "problems.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::bench {

namespace {

Options on(const char* device) {
  Options options;
  options.device = parse_device(device);
  return options;
}

void measure_folding(std::size_t n, int repeats, double ceiling, bool compares) {
  const rna::Parameters parameters = rna::rules_1998();
  const rna::Sequence sequence = drawn_sequence(n);
  Outcome<rna::Folding> last;
  const Timing timing = measure(repeats, [&] { last = rna::fold(sequence, parameters, on("cuda")); });
  require(static_cast<bool>(rna::verify(sequence, last.solution, parameters)), "the folding is wrong");
  Json json = row("folding with structure", {{"n", n}}, timing, folding_operations(n), ceiling);
  json["tables_seconds"] = last.report.solve_seconds;
  json["prepare_seconds"] = last.report.prepare_seconds;
  json["structure_seconds"] = last.report.traceback_seconds;
  json["device_bytes"] = last.report.peak_device_bytes;
  if (compares) {
    Outcome<rna::Folding> by_cpu;
    const Timing cpu = measure(n < 4000 ? repeats : 1, [&] { by_cpu = rna::fold(sequence, parameters, on("cpu")); });
    require(by_cpu.solution.structure == last.solution.structure, "the CPU finds another structure");
    json["cpu_threads"] = by_cpu.report.threads;
    json["cpu_seconds"] = cpu.median_seconds;
  }
  keep(std::move(json));
}

/// `on_cpu`: how many of the sequences the CPU folds too.
void measure_batch(std::size_t count, std::size_t n, std::size_t on_cpu, int repeats, double ceiling) {
  const rna::Parameters parameters = rna::rules_1998();
  const std::vector<rna::Sequence> sequences = drawn_sequences(count, n);
  Outcome<std::vector<rna::Folding>> last, by_cpu;
  const Timing timing = measure(repeats, [&] { last = rna::fold_each(sequences, parameters, on("cuda")); });
  for (const std::size_t t : {std::size_t{0}, count / 2, count - 1}) {
    require(static_cast<bool>(rna::verify(sequences[t], last.solution[t], parameters)), "a folding is wrong");
  }
  const Timing cpu =
      measure(1, [&] { by_cpu = rna::fold_each(std::span(sequences).first(on_cpu), parameters, on("cpu")); });
  for (std::size_t t = 0; t < on_cpu; ++t) {
    require(by_cpu.solution[t].structure == last.solution[t].structure &&
                by_cpu.solution[t].energy == last.solution[t].energy,
            "the CPU finds another structure");
  }
  const auto all = static_cast<double>(count);
  Json json = row("batch of foldings", {{"n", n}, {"sequences", count}}, timing, all * folding_operations(n), ceiling);
  json["seconds_of_each"] = timing.median_seconds / all;
  json["device_bytes"] = last.report.peak_device_bytes;
  json["cpu_threads"] = by_cpu.report.threads;
  json["cpu_sequences"] = on_cpu;
  json["cpu_seconds_of_each"] = cpu.median_seconds / static_cast<double>(on_cpu);
  json["times_as_fast"] = cpu.median_seconds / static_cast<double>(on_cpu) * all / timing.median_seconds;
  keep(std::move(json));
}

/// With a constraint each.
void measure_constrained_batch(std::size_t count, std::size_t n, double ceiling) {
  const rna::Parameters parameters = rna::rules_1998();
  const std::vector<rna::Sequence> sequences = drawn_sequences(count, n);
  const std::vector<std::string> constraints(count, std::string(n, '.').replace(n / 2, 3, "xxx"));
  Outcome<std::vector<rna::Folding>> last, by_cpu;
  const auto fold = [&](const char* device) {
    return rna::fold_each(sequences, parameters, on(device), {}, constraints);
  };
  const Timing timing = measure(3, [&] { last = fold("cuda"); });
  const Timing cpu = measure(1, [&] { by_cpu = fold("cpu"); });
  for (std::size_t t = 0; t < count; ++t) {
    require(by_cpu.solution[t].structure == last.solution[t].structure, "the CPU finds another structure");
  }
  Json json = row("batch of foldings with constraints", {{"n", n}, {"sequences", count}}, timing,
                  static_cast<double>(count) * folding_operations(n), ceiling);
  json["seconds_of_each"] = timing.median_seconds / static_cast<double>(count);
  json["device_bytes"] = last.report.peak_device_bytes;
  json["cpu_threads"] = by_cpu.report.threads;
  json["cpu_seconds_of_each"] = cpu.median_seconds / static_cast<double>(count);
  keep(std::move(json));
}

const Question cuda_batches_question("cuda_batches", [](const Arguments& arguments) {
  require_gpu();
  const double i32 = minplus::device::ceiling_per_second<tiles::device::Arithmetic<MinPlus<std::int32_t>>>();
  keep({{"work", "registers only"}, {"terms_per_second", {{"i32", i32}}}});
  const bool few = is_asked(arguments, "few");
  measure_constrained_batch(400, 300, i32);
  measure_constrained_batch(200, 1000, i32);
  measure_batch(few ? 100'000 : 1'000'000, 100, 20'000, 3, i32);
  measure_batch(few ? 20'000 : 100'000, 200, 5'000, 3, i32);
  measure_batch(3'000, 600, 300, 3, i32);
  if (!few) measure_batch(400, 5'601, 8, 3, i32);
});

const Question cuda_folding_question("cuda_folding", [](const Arguments& arguments) {
  require_gpu();
  const double i32 = minplus::device::ceiling_per_second<tiles::device::Arithmetic<MinPlus<std::int32_t>>>();
  keep({{"work", "registers only"}, {"terms_per_second", {{"i32", i32}}}});
  for (const std::size_t n : {100, 150, 200, 300, 500, 1000, 2000, 4000, 10000}) measure_folding(n, 7, i32, true);
  if (!is_asked(arguments, "few")) measure_folding(29903, 3, i32, false);
});

}  // namespace

}  // namespace warpfold::bench
