// How fast are products on this GPU in every type and semiring, compared with the rate of its registers in the same
// run, and from which size on does a GPU gain over the CPU?
//
//   bench_minplus cuda_products --json > results/<machine>/minplus_cuda.json

#include <random>

#include "../device_time.cuh"
#include "minplus/ceiling.cuh"
#include "minplus/launch.cuh"
#include "run/cuda.hpp"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using cuda::check;
using minplus::Semiring;

template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(sizeof(T) == 1 ? random() % 64 == 0 : random() % 1000);
  return values;
}

Options on(Device::Kind kind) {
  Options options;
  options.device.kind = kind;
  return options;
}

/// The kernel alone, on packed operands: an n x n product with `lanes` columns in a word.
template <class Arith>
void kernel(const char* name, std::size_t n, int lanes, double ceiling) {
  using T = typename Arith::Value;
  const std::size_t columns = n / lanes;
  const Buffer<T> a(n * n), b(n * columns), c(n * columns);
  check(cudaMemset(a.data(), 1, a.bytes()), "clear memory");
  check(cudaMemset(b.data(), 2, b.bytes()), "clear memory");
  check(cudaMemset(c.data(), 3, c.bytes()), "clear memory");
  const Timing timing = device_time(5, [&](cudaStream_t stream) {
    minplus::device::launch(minplus::device::multiply_tiles<Arith>,
                            minplus::device::Product<T>{a.data(), b.data(), c.data(), n, n, columns}, 1, stream);
  });
  const double size = static_cast<double>(n);
  keep(row("kernel of a product", {{"arithmetic", name}, {"n", n}}, timing, size * size * size, ceiling));
}

/// A plan's complete product with resident matrices: packing, kernel, unpacking.
template <class T>
void plan(std::size_t n, Semiring semiring, bool argmin, double ceiling, bool nonnegative = false) {
  const Buffer<T> a(n * n), b(n * n), c(n * n);
  const Buffer<std::uint32_t> where(argmin ? n * n : 0);
  for (const Buffer<T>* buffer : {&a, &b, &c}) {
    const std::vector<T> host = random_values<T>(n * n, 1);
    check(cudaMemcpy(buffer->data(), host.data(), buffer->bytes(), cudaMemcpyHostToDevice), "receive data");
  }
  minplus::cuda::Plan<T> product({n, n, n}, semiring, argmin);
  const Timing timing = device_time(5, [&](cudaStream_t stream) {
    product.multiply(a.data(), b.data(), c.data(), argmin ? where.data() : nullptr, nonnegative, stream);
  });
  const double size = static_cast<double>(n);
  keep(row("product, matrices resident",
           {{"semiring", to_string(semiring)},
            {"dtype", dtype_name<T>()},
            {"n", n},
            {"argmin", argmin},
            {"nonnegative", nonnegative}},
           timing, size * size * size, ceiling));
}

/// From host memory to host memory on both devices. Both results must be equal.
template <class T>
void both_devices(std::size_t n) {
  const std::vector<T> a = random_values<T>(n * n, 1), b = random_values<T>(n * n, 2);
  std::vector<T> results[2];
  const double size = static_cast<double>(n);
  for (const auto device : {Device::Kind::cpu, Device::Kind::cuda}) {
    std::vector<T>& c = results[device == Device::Kind::cuda];
    const Timing time = measure(5, [&] {
      c.assign(n * n, infinity<T>);
      minplus::accumulate<T>({}, {a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n}, on(device));
    });
    keep(row("product, host to host",
             {{"device", device == Device::Kind::cuda ? "cuda" : "cpu"}, {"dtype", dtype_name<T>()}, {"n", n}}, time,
             size * size * size, 0));
  }
  require(results[0] == results[1], "the devices differ at n = " + std::to_string(n));
}

const Question cuda_products_question("cuda_products", [](const Arguments&) {
  using namespace minplus::device;
  const double f32 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<float>>>();
  const double three = minplus::device::ceiling_per_second<NonnegativeF32>();
  const double i32 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<std::int32_t>>>();
  const double i16 = minplus::device::ceiling_per_second<I16Pair>(2);
  const double f64 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<double>>>();
  const double i64 = minplus::device::ceiling_per_second<Arithmetic<MinPlus<std::int64_t>>>();
  keep({{"work", "registers only"},
        {"terms_per_second",
         {{"f32", f32}, {"f32 nonnegative", three}, {"i32", i32}, {"i16", i16}, {"f64", f64}, {"i64", i64}}}});
  constexpr std::size_t n = 8192;
  kernel<Arithmetic<MinPlus<float>>>("f32", n, 1, f32);
  kernel<NonnegativeF32>("f32 nonnegative", n, 1, three);
  kernel<Arithmetic<MinPlus<std::int32_t>>>("i32", n, 1, i32);
  kernel<I16Pair>("i16 pairs", n, 2, i16);
  kernel<Arithmetic<MinPlus<double>>>("f64", n, 1, f64);
  kernel<Arithmetic<MinPlus<std::int64_t>>>("i64", n, 1, i64);
  kernel<OrAndQuad>("u8 or-and", n, 4, 0);
  for (const auto kind : {Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
    plan<float>(n, kind, false, f32);
    plan<std::int32_t>(n, kind, false, i32);
    plan<std::int16_t>(n, kind, false, i16);
  }
  plan<double>(n, {}, false, f64);
  plan<std::int64_t>(n, {}, false, i64);
  plan<std::uint8_t>(n, Semiring::or_and, false, 0);
  plan<float>(n, {}, false, three, true);
  for (const std::size_t side : {std::size_t{512}, std::size_t{1024}, std::size_t{2048}, std::size_t{4096}, n}) {
    plan<float>(side, {}, true, f32);
    plan<float>(side, {}, true, three, true);
    plan<std::int32_t>(side, {}, true, i32);
  }
  plan<float>(n, Semiring::min_max, true, f32);
  plan<double>(n, {}, true, f64);
  plan<std::int64_t>(n, {}, true, i64);
  for (const std::size_t side : {256, 512, 768, 1024, 2048}) both_devices<float>(side);
  for (const std::size_t side : {512, 768, 1024}) both_devices<std::int16_t>(side);
});

}  // namespace
}  // namespace warpfold::bench
