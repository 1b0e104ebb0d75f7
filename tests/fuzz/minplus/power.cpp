#include "warpfold/minplus/power.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::Semiring;

/// A semiring of T, and numbers whose first powers often fit it.
template <class T>
Semiring drawn_semiring(Bytes& bytes, Numbers& numbers) {
  using Kind = Semiring::Kind;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Semiring::or_and;
  if (std::is_same_v<T, std::uint64_t> || (std::is_same_v<T, double> && bytes.one_in(6))) {
    numbers.negative = false;
    numbers.kind = fuzz::Kind::ties;
    return {Semiring::plus_times, std::is_integral_v<T> && bytes.one_in(2) ? 2 + bytes.below(0xfffffffeU) : 0};
  }
  return bytes.pick<Kind>({Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
}

template <class T>
void raise(Bytes& bytes) {
  Numbers numbers(bytes);
  const Semiring semiring = drawn_semiring<T>(bytes, numbers);
  const std::size_t n = is_large(bytes) ? bytes.large_size() : bytes.size(150);
  if (numbers.one_in == 0) numbers.one_in = 3;
  const T most = std::is_same_v<T, std::uint8_t> ? T{1} : minplus::largest_factor<T>;
  const Matrix<T> a = numbers.matrix<T>(bytes, n, n, most, semiring.zero<T>());
  const std::uint64_t k = bytes.below(9);
  const std::string problem =
      fmt::format("{} of {} vertices, {}, power {}", to_string(semiring), n, dtype_name<T>(), k);
  const auto powered = [&](const Options& options) { return bits(power(semiring, a, k, options).solution); };
  if (tally.large) return expect_large_alike(problem, "tiled", powered);
  const std::string expected = answer([&] { return powered(by("reference")); });
  expect_alike(problem, expected, {"tiled"}, powered);
  if constexpr (std::is_floating_point_v<T>) {
    if (semiring.kind == Semiring::plus_times || expected.starts_with("error ")) return;
    const T scale = numbers.scale<T>(bytes);
    expect_same(bits(scaled(power(semiring, a, k).solution, scale)),
                bits(power(semiring, scaled(a, scale), k).solution), fmt::format("{}, {} times", problem, scale));
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double, std::uint8_t, std::uint64_t>(
      data, size, []<class T>(Bytes& bytes) { raise<T>(bytes); });
}
