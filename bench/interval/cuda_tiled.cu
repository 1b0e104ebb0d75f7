// How fast are the tiled solver, its search of the structure and the (min,+) product on this GPU, compared with the
// rate of its registers in the same run?
//
//   bench_interval cuda_tiled --json [large] > results/<machine>/cuda_tiled.json

#include <random>

#include "../device_time.cuh"
#include "interval/backends.hpp"
#include "large_table.cuh"
#include "minplus/ceiling.cuh"
#include "minplus/launch.cuh"
#include "run/cuda.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::bench {
namespace {

Options on(Device::Kind kind) {
  Options options;
  options.device = {kind, 0};
  return options;
}
const Options on_cpu = on(Device::Kind::cpu);
const Options on_gpu = on(Device::Kind::cuda);

using cuda::Buffer;
using cuda::check;
using cuda::Event;
using cuda::seconds_between;
using cuda::Stream;

template <class T>
std::vector<T> random_values(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(1 + random() % 1000);
  return values;
}

template <class T>
void upload(const Buffer<T>& to, const std::vector<T>& from) {
  check(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice), "receive data");
}

double splits(double n) { return n * (n - 1) * (n - 2) / 6; }

/// The device time with resident weights. Up to `checked` vertices, cost and structure are compared with the CPU's.
template <class T>
void triangulation(std::size_t n, bool nonnegative, double ceiling, int repeats, std::size_t checked) {
  const std::vector<T> host = random_values<T>(n * n);
  const interval::Triangulation<T> problem(MatrixView<const T>{host.data(), n, n, n});
  const Buffer<T> weights(n * n), cost(1);
  upload(weights, host);
  interval::cuda::Plan<T> plan(n);
  const Buffer<interval::Triangle> nodes(n - 2);
  const interval::cuda::WeightBounds<T> bounds{problem.largest_total(), nonnegative};
  const Timing solve = device_time(repeats, [&](cudaStream_t s) { plan.solve(weights.data(), 0, bounds, s); });
  const Timing structure = device_time(repeats, [&](cudaStream_t s) { plan.structure(nodes.data(), s); });
  const Json parameters = {{"dtype", dtype_name<T>()}, {"n", n}, {"nonnegative", nonnegative}};
  keep(row("triangulation, weights resident", parameters, solve, splits(static_cast<double>(n)), ceiling));
  keep(row("structure", parameters, structure, static_cast<double>(n - 2), 0));
  if (n > checked) return;
  std::vector<interval::Triangle> found(n - 2);
  check(cudaMemcpy(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost), "send the structure");
  require(interval::solve(problem, on_cpu).solution.triangles == found,
          std::string(dtype_name<T>()) + ", n = " + std::to_string(n) + " differs from the CPU");
}

/// A table that is too large for any other solver.
void huge(std::size_t n, double ceiling) {
  const LargeWeights weights{n, true};
  const ResidentWeights resident(weights);
  interval::cuda::Plan<float> plan(n);
  const Stream stream;
  const Event start, stop;
  start.record(stream);
  resident.solve(plan, stream.get());
  stop.record(stream);
  stream.synchronize();
  const Timing solve = summarize({seconds_between(start, stop)});
  const Buffer<interval::Triangle> nodes(n - 2);
  const Timing structure = device_time(1, [&](cudaStream_t s) { plan.structure(nodes.data(), s); });
  static_cast<void>(check_table(plan, weights));
  const Json parameters = {{"dtype", "f32"},
                           {"n", n},
                           {"nonnegative", true},
                           {"entries_recomputed", 1000},
                           {"structures_total", "equals the cost"}};
  keep(row("triangulation, weights resident", parameters, solve, splits(static_cast<double>(n)), ceiling));
  keep(row("structure", parameters, structure, static_cast<double>(n - 2), 0));
}

/// The wall-clock time from a pinned matrix on the host to the structure on the host, and that of one pinned copy of n
/// x n values.
void end_to_end(std::size_t n) {
  float* host = nullptr;
  check(cudaMallocHost(&host, n * n * sizeof(float)), "pin memory");
  const std::vector<float> values = random_values<float>(n * n);
  std::copy(values.begin(), values.end(), host);
  const Buffer<float> copy(n * n), cost(1);
  const Stream stream;
  const Timing copying = measure(5, [&] {
    check(cudaMemcpyAsync(copy.data(), host, copy.bytes(), cudaMemcpyHostToDevice, stream.get()), "copy");
    stream.synchronize();
  });
  interval::cuda::Plan<float> plan(n);
  const Buffer<interval::Triangle> nodes(n - 2);
  std::vector<interval::Triangle> found(n - 2);
  const Timing whole = measure(5, [&] {
    plan.solve(host, n, {0, true}, stream.get());
    plan.structure(nodes.data(), stream.get());
    check(cudaMemcpyAsync(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost, stream.get()), "send");
    stream.synchronize();
  });
  const Timing cost_only = measure(5, [&] {
    float result = 0;
    plan.solve(host, n, {0, true}, stream.get());
    plan.costs(cost.data(), stream.get());
    check(cudaMemcpyAsync(&result, cost.data(), sizeof result, cudaMemcpyDeviceToHost, stream.get()), "send");
    stream.synchronize();
  });
  const double size = static_cast<double>(n);
  keep(row("one pinned copy of n x n values", {{"n", n}}, copying, size * size, 0));
  keep(row("pinned host matrix to structure on the host", {{"n", n}}, whole, splits(size), 0));
  keep(row("pinned host matrix to cost on the host", {{"n", n}}, cost_only, splits(size), 0));
  cudaFreeHost(host);
}

void batch(std::size_t count, std::size_t n) {
  const std::vector<std::size_t> sizes(count, n);
  interval::cuda::Plan<float> plan(std::span(sizes.data(), sizes.size()));
  const Buffer<float> weights(count * n * n);
  upload(weights, random_values<float>(count * n * n));
  const Buffer<interval::Triangle> nodes(count * (n - 2));
  const Timing solve = device_time(9, [&](cudaStream_t s) { plan.solve(weights.data(), 0, {0, true}, s); });
  const Timing structure = device_time(9, [&](cudaStream_t s) { plan.structure(nodes.data(), s); });
  const double all = static_cast<double>(count) * splits(static_cast<double>(n));
  keep(row("batch", {{"polygons", count}, {"n", n}}, solve, all, 0));
  keep(row("structures of a batch", {{"polygons", count}, {"n", n}}, structure, static_cast<double>(count * n), 0));
}

template <class Weight>
void structure_of(const char* name, std::size_t n, Weight&& weight) {
  std::vector<float> host(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) host[i * n + j] = weight(i, j);
  }
  const Buffer<float> weights(n * n);
  upload(weights, host);
  interval::cuda::Plan<float> plan(n);
  const Buffer<interval::Triangle> nodes(n - 2);
  plan.solve(weights.data(), 0, {0, true});
  const Timing time = device_time(5, [&](cudaStream_t s) { plan.structure(nodes.data(), s); });
  keep(row(std::string("structure of a ") + name, {{"n", n}}, time, static_cast<double>(n - 2), 0));
}

template <class Arith>
void product(const char* name, std::size_t n, int columns_per_value, double ceiling) {
  using T = typename Arith::Value;
  const std::size_t columns = n / columns_per_value;
  const Buffer<T> a(n * n), b(n * columns), c(n * columns);
  upload(a, random_values<T>(n * n));
  upload(b, random_values<T>(n * columns));
  upload(c, std::vector<T>(n * columns, Arith::none));
  const Timing time = device_time(5, [&](cudaStream_t s) {
    minplus::device::launch(minplus::device::multiply_tiles<Arith>,
                            minplus::device::Product<T>{a.data(), b.data(), c.data(), n, n, columns}, 1, s);
  });
  const double size = static_cast<double>(n);
  keep(row("minplus product", {{"arithmetic", name}, {"n", n}}, time, size * size * size, ceiling));
}

/// Checks every element of a product with argmin against the definition, for shapes that no tile divides.
template <class T>
void check_product(std::size_t m, std::size_t p, std::size_t n) {
  std::vector<T> a = random_values<T>(m * p), b = random_values<T>(p * n), c(m * n, infinity<T>);
  for (std::size_t x = 0; x < a.size(); x += 7) a[x] = infinity<T>;
  for (std::size_t x = 0; x < c.size(); x += 5) c[x] = 300;
  const Buffer<T> da(a.size()), db(b.size()), dc(c.size());
  const Buffer<std::uint32_t> arg(c.size());
  std::vector<T> got(c.size());
  std::vector<std::uint32_t> where(c.size());
  for (const bool with_argmin : {false, true}) {
    upload(da, a);
    upload(db, b);
    upload(dc, c);
    minplus::cuda::Plan<T> plan({m, p, n}, {}, with_argmin);
    plan.multiply(da.data(), db.data(), dc.data(), with_argmin ? arg.data() : nullptr, !with_argmin);
    check(cudaMemcpy(got.data(), dc.data(), dc.bytes(), cudaMemcpyDeviceToHost), "send the product");
    check(cudaMemcpy(where.data(), arg.data(), arg.bytes(), cudaMemcpyDeviceToHost), "send the argmin");
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        T best = c[i * n + j];
        std::uint32_t k_best = ~0U;
        for (std::size_t k = 0; k < p; ++k) {
          const T candidate = a[i * p + k] + b[k * n + j];
          if (candidate < best) {
            best = candidate;
            k_best = static_cast<std::uint32_t>(k);
          }
        }
        const bool is_right = got[i * n + j] == best && (!with_argmin || where[i * n + j] == k_best);
        if (!is_right) throw Error(ErrorKind::internal, "a product of " + std::string(dtype_name<T>()) + " is wrong");
      }
    }
  }
}

/// The time on both devices from a matrix on the host to the structure: from which size on does the GPU gain?
void both_devices(std::size_t n) {
  const std::vector<float> host = random_values<float>(n * n);
  const interval::Triangulation<float> problem(MatrixView<const float>{host.data(), n, n, n});
  const Timing cpu = measure(3, [&] { (void)interval::solve(problem, on_cpu); });
  const Timing gpu = measure(3, [&] { (void)interval::solve(problem, on_gpu); });
  keep(row("host matrix to structure on the CPU", {{"n", n}}, cpu, splits(static_cast<double>(n)), 0));
  keep(row("host matrix to structure on the GPU", {{"n", n}}, gpu, splits(static_cast<double>(n)), 0));
}

const Question cuda_tiled_question("cuda_tiled", [](const Arguments& arguments) {
  const bool large = is_asked(arguments, "large");
  namespace device = minplus::device;
  const double f32 = minplus::device::ceiling_per_second<device::Arithmetic<MinPlus<float>>>();
  const double three = minplus::device::ceiling_per_second<device::NonnegativeF32>();
  const double i32 = minplus::device::ceiling_per_second<device::Arithmetic<MinPlus<std::int32_t>>>();
  const double i16 = minplus::device::ceiling_per_second<device::I16Pair>(2);
  const double f64 = minplus::device::ceiling_per_second<device::Arithmetic<MinPlus<double>>>();
  const double i64 = minplus::device::ceiling_per_second<device::Arithmetic<MinPlus<std::int64_t>>>();
  const Json ceilings = {{"f32", f32}, {"f32 nonnegative", three}, {"i32", i32}, {"i16", i16}, {"f64", f64},
                         {"i64", i64}};
  keep({{"work", "registers only"}, {"terms_per_second", ceilings}});
  check_product<float>(130, 70, 200);
  check_product<std::int32_t>(65, 33, 129);
  check_product<double>(70, 40, 140);
  check_product<std::int64_t>(1, 300, 3);
  for (const std::size_t n : {128, 1024, 2048, 4096, 8192}) triangulation<float>(n, true, f32, 9, 4096);
  for (const std::size_t n : {1024, 2048, 4096, 8192}) triangulation<float>(n, false, f32, 9, 2048);
  triangulation<float>(32768, true, f32, 3, 0);
  triangulation<float>(32768, false, f32, 3, 0);
  triangulation<std::int32_t>(8192, false, i32, 5, 0);
  triangulation<std::int32_t>(32768, false, i32, 3, 0);
  triangulation<double>(8192, false, f64, 5, 0);
  triangulation<std::int64_t>(8192, false, i64, 5, 0);
  if (large) huge(131072, f32);
  end_to_end(128);
  end_to_end(8192);
  batch(10000, 64);
  structure_of("fan", 8192, [](std::size_t i, std::size_t) { return i == 0 ? 0.0F : 1.0F; });
  structure_of("fan at the middle", 8192,
               [](std::size_t i, std::size_t j) { return i == 4000 || j == 4000 ? 0.0F : 1.0F; });
  structure_of("balanced tree", 8192, [](std::size_t i, std::size_t j) {
    return ((j - i) & (j - i - 1)) == 0 && i % (j - i) == 0 ? 0.0F : 1.0F;
  });
  structure_of("zigzag", 8192,
               [](std::size_t i, std::size_t j) { return i + j == 8191 || i + j == 8192 ? 0.0F : 1.0F; });
  product<device::Arithmetic<MinPlus<float>>>("f32", 8192, 1, f32);
  product<device::NonnegativeF32>("f32 nonnegative", 8192, 1, f32);
  product<device::Arithmetic<MinPlus<std::int32_t>>>("i32", 8192, 1, i32);
  product<device::I16Pair>("i16 pairs", 8192, 2, i16);
  product<device::Arithmetic<MinPlus<double>>>("f64", 8192, 1, f64);
  product<device::Arithmetic<MinPlus<std::int64_t>>>("i64", 8192, 1, i64);
  for (const std::size_t n : {512, 1024, 2048, 4096}) both_devices(n);
});

/// Tables of sizes at which fewer tiles than multiprocessors can be closed at once:
///
///   bench_interval closings --json
const Question closings_question("closings", [](const Arguments&) {
  namespace device = minplus::device;
  const double f32 = device::ceiling_per_second<device::Arithmetic<MinPlus<float>>>();
  const double i32 = device::ceiling_per_second<device::Arithmetic<MinPlus<std::int32_t>>>();
  const double f64 = device::ceiling_per_second<device::Arithmetic<MinPlus<double>>>();
  for (const std::size_t n : {512, 1024, 2048, 4096, 8192}) {
    triangulation<float>(n, true, f32, 15, 2048);
    triangulation<float>(n, false, f32, 15, 2048);
    triangulation<std::int32_t>(n, false, i32, 15, 2048);
    triangulation<double>(n, false, f64, 15, 2048);
  }
});

}  // namespace
}  // namespace warpfold::bench
