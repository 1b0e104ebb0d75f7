// How long do a triangulation and a (min,+) product of matrices in pageable host memory take on a GPU, from the call to
// the result, compared with the device's time for resident matrices?
//
//   bench_interval from_host --json > results/<machine>/from_host.json

#include "../question.hpp"
#include "timing/dense.hpp"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold {
namespace {

/// Keeps both times of a row of SolveTimes, each as a row of its own.
void keep_both(bench::Json resident) {
  const std::string work = resident["work"].get<std::string>();
  const bench::Json whole = resident["from_host"];
  resident.erase("from_host");
  bench::Json from_host = resident;
  from_host.update(whole);
  from_host["work"] = work + ", from host memory";
  from_host["fraction_of_ceiling"] =
      whole["rate_per_second"].get<double>() / resident["ceiling_per_second"].get<double>();
  resident["work"] = work + ", resident";
  bench::keep(std::move(resident));
  bench::keep(std::move(from_host));
}

const bench::Question from_host_question("from_host", [](const bench::Arguments&) {
  bench::require_gpu();
  Options options;
  options.device = parse_device("cuda");
  const double ceiling = minplus::cuda::measure_ceiling<float>(0);
  for (const std::size_t n : {512, 1024, 2048, 4096, 8192, 16384}) {
    keep_both(bench::measure_triangulation<float>(n, options, 1, 9, ceiling));
  }
  for (const std::size_t n : {2048, 4096, 8192, 16384}) {
    keep_both(bench::measure_product<float>(n, options, 1, 9, ceiling));
  }
});

}  // namespace
}  // namespace warpfold
