#include "warpfold/paths/closure.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/paths/graphs.hpp"
#include "warpfold/minplus/verify.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::Semiring;

template <class T>
void close(Bytes& bytes) {
  const Semiring semiring = drawn_semiring<T>(bytes);
  const std::size_t n = is_large(bytes) ? bytes.large_size() : bytes.size(150);
  Numbers numbers(bytes);
  if (numbers.one_in == 0) numbers.one_in = 3;
  numbers.negative &= bytes.one_in(3);  // otherwise nearly every graph has a cycle that improves
  const T accepted = semiring.adds() && !bytes.one_in(4) ? paths::max_length<T>(n) : minplus::largest_factor<T>;
  const T most = sizeof(T) == 1 ? T{1} : accepted;
  Matrix<T> a = numbers.matrix<T>(bytes, n, n, most, semiring.zero<T>());
  if (semiring.kind == Semiring::max_plus && !numbers.negative) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (a(i, j) > semiring.zero<T>()) a(i, j) = static_cast<T>(-a(i, j));
      }
    }
  }
  const std::string problem = fmt::format("{} of {} vertices, {}", to_string(semiring), n, dtype_name<T>());
  const auto closed = [&](const Options& options) { return bits(paths::closure(semiring, a, options).solution); };
  if (tally.large) return expect_large_alike(problem, "blocked", closed);
  const std::string expected = answer([&] { return closed(by("reference")); });
  expect_alike(problem, expected, {"blocked"}, closed);
  if (expected.starts_with("error ")) return;
  const Matrix<T> result = paths::closure(semiring, a).solution;
  expect(verify_closure<T>(semiring, a.view(), result.view()), problem);
  if constexpr (std::is_signed_v<T>) {
    const T scale = numbers.scale<T>(bytes);
    expect_same(bits(scaled(result, scale)), bits(paths::closure(semiring, scaled(a, scale)).solution),
                fmt::format("{}, {} times", problem, scale));
  }
  if (std::is_floating_point_v<T> && !numbers.are_small()) return;  // sums are rounded in another order
  const std::string again = answer([&] { return bits(paths::closure(semiring, result).solution); });
  // The length of a path may exceed the limit for edges.
  if (!again.starts_with(error_text(ErrorKind::overflow))) expect_same(expected, again, problem + ", closed twice");
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double, std::uint8_t>(
      data, size, []<class T>(Bytes& bytes) { close<T>(bytes); });
}
