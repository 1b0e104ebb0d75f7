// How much faster are all GPUs of a host than one, for triangulations whose weights are on the first GPU, and for
// products of matrices in host memory?
//
//   bench_interval cuda_several_gpus --json [N[:BYTES]...] > results/<machine>/several_gpus.json
//
// N: sizes of triangulations. From 2^17 on, each is solved once; 2^18 on all GPUs only, because one takes minutes.
// BYTES: the memory of each GPU, if several solve; never more than a GPU has. Default: 4096 to 32768, and the products.

#include "../question.hpp"
#include "large_table.cuh"
#include "timing/dense.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;

constexpr std::size_t once_from = std::size_t{1} << 17, only_together_from = std::size_t{1} << 18;

/// GPU 0 alone, and together with all others.
struct Devices {
  Device one = find_gpus(parse_device("cuda"));
  Device all = find_gpus(parse_device("cuda:all"));

  /// Calls measure(device, seconds of GPU 0 or 0) for each. It returns the median seconds.
  template <class Measure>
  void compare(bool only_together, Measure&& measure) const {
    const double alone = only_together ? 0.0 : measure(one, 0.0);
    if (all.is_several()) measure(all, alone);
  }
  [[nodiscard]] double ceiling(const Device& device) const {
    static const double one_gpu = minplus::cuda::measure_ceiling<float>(0);
    return one_gpu * static_cast<double>(1 + device.more.size());
  }
};

Json named(const Device& device, std::size_t n, double alone, const Timing& time) {
  Json parameters = {{"device", to_string(device)}, {"n", n}, {"dtype", "f32"}};
  if (alone > 0) parameters["times_one"] = alone / time.median_seconds;
  return parameters;
}

/// The maximum bytes of each GPU for a plan on several GPUs: as requested, or what is left beside the check's memory.
std::size_t max_memory(std::size_t asked) {
  std::size_t free = 0, all = 0;
  cuda::check(cudaMemGetInfo(&free, &all), "tell its free memory");
  constexpr std::size_t beside = std::size_t{1} << 30;
  return std::min(asked, free - beside);
}

/// The device time, with the weights on the first GPU: a complete matrix, or points if `once_from`. Both results must
/// have equal bits.
void triangulation(const Devices& devices, std::size_t n, std::size_t asked_bytes) {
  const bool once = n >= once_from;
  const LargeWeights weights{n, once};
  const ResidentWeights resident(weights);
  std::vector<std::uint64_t> bits;
  devices.compare(n >= only_together_from, [&](const Device& device, double alone) {
    using Plan = interval::cuda::Plan<float>;
    const std::size_t most = device.is_several() ? max_memory(asked_bytes) : Plan::unlimited;
    Plan plan(n, device.more, most);
    const cuda::Stream stream;
    const cuda::Event start, stop;
    std::vector<double> seconds;
    for (int repeat = once ? 0 : -1; repeat < (once ? 1 : 5); ++repeat) {
      start.record(stream);
      resident.solve(plan, stream.get());
      stop.record(stream);
      stream.synchronize();
      if (repeat >= 0) seconds.push_back(cuda::seconds_between(start, stop));
    }
    bits.push_back(check_table(plan, weights));
    const Timing time = summarize(seconds);
    Json parameters = named(device, n, alone, time);
    parameters["weights"] = once ? "points" : "a matrix";
    parameters["bytes_a_gpu"] = Plan::workspace_bytes(std::span(&n, 1), 1 + device.more.size(), most);
    const auto m = static_cast<double>(n);
    keep(row("triangulation, weights resident", parameters, time, m * (m - 1) * (m - 2) / 6, devices.ceiling(device)));
    return time.median_seconds;
  });
  if (!bits.empty() && bits.front() != bits.back()) throw Error(ErrorKind::internal, "the tables differ");
}

/// The wall-clock time from host memory to host memory. `device_seconds` is that of the slowest GPU.
void product(const Devices& devices, std::size_t n) {
  std::vector<float> a(n * n), b(n * n), c(n * n), one;
  for (std::size_t at = 0; at < n * n; ++at) {
    a[at] = static_cast<float>(LargeWeights::listed(at));
    b[at] = static_cast<float>(LargeWeights::listed(at + n * n));
  }
  devices.compare(false, [&](const Device& device, double alone) {
    Options options;
    options.device = device;
    std::vector<double> resident, whole;
    for (int repeat = -1; repeat < 3; ++repeat) {
      std::fill(c.begin(), c.end(), infinity<float>);
      const auto start = std::chrono::steady_clock::now();
      const Report report =
          minplus::accumulate<float>({}, {a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n}, options);
      if (repeat < 0) continue;
      resident.push_back(report.solve_seconds);
      whole.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    check_entries<float>({}, a, b, c, n, 1);
    if (one.empty()) one = c;
    if (one != c) throw Error(ErrorKind::internal, "the products differ");
    const Timing time = summarize(resident), wall = summarize(whole);
    const auto m = static_cast<double>(n);
    Json measured = row("minplus", named(device, n, alone, time), time, m * m * m, devices.ceiling(device));
    measured["from_host"] = {{"median_seconds", wall.median_seconds}, {"spread", wall.spread}};
    keep(measured);
    return time.median_seconds;
  });
}

const Question cuda_several_gpus_question("cuda_several_gpus", [](const Arguments& sizes) {
  const Devices devices;
  for (const std::string& size : sizes.empty() ? Arguments{"4096", "8192", "16384", "32768"} : sizes) {
    const std::size_t colon = size.find(':');
    triangulation(devices, std::stoul(size.substr(0, colon)),
                  colon == size.npos ? interval::cuda::Plan<float>::unlimited : std::stoul(size.substr(colon + 1)));
  }
  if (sizes.empty()) product(devices, 32768);
});

}  // namespace
}  // namespace warpfold::bench
