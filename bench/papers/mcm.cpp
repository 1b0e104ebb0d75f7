// How many steps and milliseconds does the matrix-chain pipeline of pipeline-dp-2018 take, as printed and corrected?
//
//   bench_papers mcm --json > results/<machine>/paper_mcm.json

#include "papers/pipeline-dp-2018/mcm.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "../question.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::pipeline_2018 {

using interval::MatrixChain;
namespace {

struct Variant {
  McmForm form;
  McmBarrier barrier;
  const char* form_name;
  const char* barrier_name;
};

constexpr Variant variants[] = {{McmForm::corrected, McmBarrier::grid, "corrected", "grid"},
                                {McmForm::corrected, McmBarrier::launch, "corrected", "launch"},
                                {McmForm::corrected, McmBarrier::stage, "corrected", "grid, a stage"},
                                {McmForm::printed, McmBarrier::grid, "printed", "grid"},
                                {McmForm::printed, McmBarrier::launch, "printed", "launch"}};

bench::Json measure_chain(std::size_t n, const Variant& variant, int repeats, std::vector<std::int64_t>& right) {
  const auto dimensions = random_dimensions(n);
  const Options options;
  SolveMonitor monitor(options, 1);
  std::vector<double> seconds;
  McmRun run;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    run = solve_mcm(dimensions, variant.form, variant.barrier, 0, monitor);
    seconds.push_back(run.seconds);
  }
  if (variant.form == McmForm::corrected) {
    if (run.table.back() != static_cast<std::int64_t>(solve(MatrixChain(dimensions)).solution.cost)) {
      throw std::runtime_error(fmt::format("the corrected pipeline is wrong for n = {}", n));
    }
    right = run.table;
  }
  std::size_t wrong = 0;
  for (std::size_t element = 0; element < right.size(); ++element)
    wrong += run.table[element] != right[element] ? 1 : 0;
  const auto size = static_cast<double>(n);
  return bench::row("matrix chain",
                    {{"n", n},
                     {"form", variant.form_name},
                     {"barrier", variant.barrier_name},
                     {"steps", run.steps},
                     {"barriers", run.barriers},
                     {"wrong_elements", wrong},
                     {"elements", right.size()}},
                    bench::summarize(std::move(seconds)), size * (size * size - 1) / 6, 0);
}

const bench::Question mcm_question("mcm", [](const bench::Arguments&) {
  bench::require_gpu();
  std::vector<std::int64_t> right;
  for (const Variant& variant : variants) (void)measure_chain(64, variant, 1, right);  // loads the kernels
  for (const std::size_t n : {128u, 256u, 512u, 1024u, 2048u}) {
    for (const Variant& variant : variants) bench::keep(measure_chain(n, variant, n <= 512 ? 5 : 1, right));
  }
});

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
