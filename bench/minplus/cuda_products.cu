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
  const std::vector<T> host = random_values<T>(n * n, 1);
  for (const Buffer<T>* buffer : {&a, &b, &c}) {
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

/// a(i,k) = b(k,i) = n - k, so that each term is less than all terms before it.
template <class T>
std::vector<T> falling_values(std::size_t n, bool by_columns) {
  std::vector<T> values(n * n);
  for (std::size_t at = 0; at < n * n; ++at) values[at] = static_cast<T>(n - (by_columns ? at % n : at / n));
  return values;
}

template <class T>
std::vector<T> received(const Buffer<T>& on_device) {
  std::vector<T> values(on_device.bytes() / sizeof(T));
  check(cudaMemcpy(values.data(), on_device.data(), on_device.bytes(), cudaMemcpyDeviceToHost), "send data");
  return values;
}

/// A plan's argmin product that starts at infinity each time, of random values or of values where every term improves.
template <class T>
void argmin_from_infinity(std::size_t n, bool every_term_improves, double ceiling, bool nonnegative = false) {
  const auto values = [&](bool left) {
    return every_term_improves ? falling_values<T>(n, left) : random_values<T>(n * n, left ? 1 : 2);
  };
  const Buffer<T> a(n * n), b(n * n), start(n * n), c(n * n);
  const Buffer<std::uint32_t> where(n * n);
  check(cudaMemcpy(a.data(), values(true).data(), a.bytes(), cudaMemcpyHostToDevice), "receive data");
  check(cudaMemcpy(b.data(), values(false).data(), b.bytes(), cudaMemcpyHostToDevice), "receive data");
  const std::vector<T> worst(n * n, infinity<T>);
  check(cudaMemcpy(start.data(), worst.data(), start.bytes(), cudaMemcpyHostToDevice), "receive data");
  minplus::cuda::Plan<T> product({n, n, n}, {}, true);
  const auto reset = [&](cudaStream_t stream) {
    check(cudaMemcpyAsync(c.data(), start.data(), c.bytes(), cudaMemcpyDeviceToDevice, stream), "copy C");
  };
  const Timing timing = device_time(5, reset, [&](cudaStream_t stream) {
    product.multiply(a.data(), b.data(), c.data(), where.data(), nonnegative, stream);
  });
  if (every_term_improves) {
    const std::vector<std::uint32_t> last(n * n, static_cast<std::uint32_t>(n - 1));
    require(received(c) == std::vector<T>(n * n, T{2}) && received(where) == last, "the last term is not the least");
  }
  const double size = static_cast<double>(n);
  keep(row("argmin from infinity, matrices resident",
           {{"dtype", dtype_name<T>()},
            {"n", n},
            {"every_term_improves", every_term_improves},
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
  for (const bool every_term_improves : {false, true}) {
    argmin_from_infinity<float>(n, every_term_improves, f32);
    argmin_from_infinity<float>(n, every_term_improves, three, true);
    argmin_from_infinity<std::int32_t>(n, every_term_improves, i32);
  }
  plan<float>(n, Semiring::min_max, true, f32);
  plan<double>(n, {}, true, f64);
  plan<std::int64_t>(n, {}, true, i64);
  for (const std::size_t side : {256, 512, 768, 1024, 2048}) both_devices<float>(side);
  for (const std::size_t side : {512, 768, 1024}) both_devices<std::int16_t>(side);
});

}  // namespace
}  // namespace warpfold::bench
