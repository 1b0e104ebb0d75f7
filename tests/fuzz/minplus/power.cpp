#include "warpfold/minplus/power.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::Semiring;

template <class T>
void raise(Bytes& bytes) {
  const Semiring semiring =
      bytes.pick<Semiring::Kind>({Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
  const std::size_t n = bytes.size(150);
  Numbers numbers(bytes);
  if (numbers.one_in == 0) numbers.one_in = 3;
  const Matrix<T> a = numbers.matrix<T>(bytes, n, n, minplus::largest_factor<T>, semiring.zero<T>());
  const std::uint64_t k = bytes.below(9);
  const auto powered = [&](const Options& options) { return bits(power(semiring, a, k, options).solution); };
  expect_alike(fmt::format("{} of {} vertices, {}, power {}", to_string(semiring), n, dtype_name<T>(), k),
               answer([&] { return powered(by("reference")); }), {"tiled"}, powered);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { raise<T>(bytes); });
}
