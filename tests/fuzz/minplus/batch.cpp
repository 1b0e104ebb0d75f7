#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/verify.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::BatchView;
using minplus::Semiring;

/// Matrices of one shape, one after another. The whole batch may use one matrix.
template <class T>
struct Batch {
  std::size_t rows, columns, step = 0;
  std::vector<T> values;

  Batch(Bytes& bytes, const Numbers& numbers, std::size_t count, std::size_t m, std::size_t n, T most, T none)
      : rows(m), columns(n) {
    if (!bytes.one_in(3)) step = m * n + bytes.below(3);
    values = numbers.matrix<T>(bytes, 1, (step > 0 ? count : 1) * (m * n + 3), most, none).values();
  }
  [[nodiscard]] BatchView<const T> view(std::size_t count) const {
    return {{values.data(), rows, columns, columns}, step > 0 ? count : 1, step};
  }
};

template <class T>
void multiply_all(Bytes& bytes) {
  const Semiring semiring =
      std::is_same_v<T, std::uint8_t>
          ? Semiring::or_and
          : bytes.pick<Semiring::Kind>({Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
  const std::size_t count = 1 + bytes.below(bytes.pick({3, 20}));
  const std::size_t m = bytes.size(80), p = bytes.size(80), n = bytes.size(80);
  const T most = sizeof(T) == 1 ? T{1} : minplus::largest_factor<T>;
  const Numbers numbers(bytes);
  const Batch<T> a(bytes, numbers, count, m, p, most, semiring.zero<T>());
  const Batch<T> b(bytes, numbers, count, p, n, most, semiring.zero<T>());
  const std::vector<T> c = numbers.matrix<T>(bytes, 1, count * m * n, most, semiring.zero<T>()).values();
  const bool with_argmin = bytes.one_in(2);
  const auto solved = [&](const Options& options, const auto& accumulate) {
    std::vector<T> values = c;
    std::vector<std::uint32_t> argmin(with_argmin ? c.size() : 0, 7);
    const BatchView<T> into{{values.data(), m, n, n}, count, m * n};
    BatchView<std::uint32_t> arguments;
    if (with_argmin) arguments = {{argmin.data(), m, n, n}, count, m * n};
    accumulate(into, arguments, options);
    return bits(values, argmin);
  };
  const auto one_by_one = [&](const BatchView<T>& into, const BatchView<std::uint32_t>& arguments,
                              const Options& options) {
    for (std::size_t t = 0; t < count; ++t) {
      const auto of = [&](const Batch<T>& batch) { return batch.view(count)[batch.step > 0 ? t : 0]; };
      minplus::accumulate<T>(semiring, of(a), of(b), into[t], options,
                             with_argmin ? arguments[t] : MatrixView<std::uint32_t>());
    }
  };
  const auto together = [&](const BatchView<T>& into, const BatchView<std::uint32_t>& arguments,
                            const Options& options) {
    minplus::accumulate_batch<T>(semiring, a.view(count), b.view(count), into, options, arguments);
  };
  expect_alike(fmt::format("{} products of {} x {} x {}, {}, {}", count, m, p, n, to_string(semiring), dtype_name<T>()),
               answer([&] { return solved(by("reference"), one_by_one); }), {"tiled", ""},
               [&](const Options& options) { return solved(options, together); });
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double, std::uint8_t>(
      data, size, []<class T>(Bytes& bytes) { multiply_all<T>(bytes); });
}
