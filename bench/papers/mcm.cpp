// How many steps and milliseconds does the matrix-chain pipeline of pipeline-dp-2018 take, printed and corrected?
//
//   bench_papers_mcm > results/<machine>/paper_mcm.json

#include "papers/pipeline-dp-2018/mcm.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "../result.hpp"
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
  Watch watch(options, 1);
  std::vector<double> seconds;
  McmRun run;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    run = solve_mcm(dimensions, variant.form, variant.barrier, 0, watch);
    seconds.push_back(run.seconds);
  }
  if (variant.form == McmForm::corrected) {
    if (run.table.back() != static_cast<std::int64_t>(solve(MatrixChain(dimensions)).solution.cost)) {
      fmt::print(stderr, "bench: error: the corrected pipeline is wrong for n = {}\n", n);
      std::exit(1);
    }
    right = run.table;
  }
  std::size_t wrong = 0;
  for (std::size_t element = 0; element < right.size(); ++element)
    wrong += run.table[element] != right[element] ? 1 : 0;
  const auto size = static_cast<double>(n);
  bench::Json row = bench::row("matrix chain",
                               {{"n", n},
                                {"form", variant.form_name},
                                {"barrier", variant.barrier_name},
                                {"steps", run.steps},
                                {"barriers", run.barriers},
                                {"wrong_elements", wrong},
                                {"elements", right.size()}},
                               bench::summarize(std::move(seconds)), size * (size * size - 1) / 6, 0);
  fmt::print(stderr, "{}\n", row.dump());
  return row;
}

int main_program() {
  if (gpus().empty()) {
    fmt::print(stderr, "no GPU here (or CUDA is not compiled): nothing was measured\n");
    return 6;
  }
  std::vector<bench::Json> rows;
  std::vector<std::int64_t> right;
  for (const Variant& variant : variants) (void)measure_chain(64, variant, 1, right);  // loads the kernels
  for (const std::size_t n : {128u, 256u, 512u, 1024u, 2048u}) {
    for (const Variant& variant : variants) rows.push_back(measure_chain(n, variant, n <= 512 ? 5 : 1, right));
  }
  fmt::print("{}\n", bench::file("bench_papers_mcm", std::move(rows)).dump(1));
  return 0;
}

}  // namespace
}  // namespace warpfold::papers::pipeline_2018

int main() { return warpfold::papers::pipeline_2018::main_program(); }
