#include "warpfold/paths/closure.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/minplus/verify.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::Semiring;

template <class T>
void close(Bytes& bytes) {
  using Kind = Semiring::Kind;
  const Semiring semiring =
      bytes.pick<Kind>({Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
  const std::size_t n = bytes.size(150);
  Numbers numbers(bytes);
  if (numbers.one_in == 0) numbers.one_in = 3;
  numbers.negative &= bytes.one_in(3);  // else nearly every graph has a cycle that improves
  Matrix<T> a = numbers.matrix<T>(bytes, n, n, minplus::largest_factor<T>, semiring.zero<T>());
  if (semiring.kind == Semiring::max_plus && !numbers.negative) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (a(i, j) > semiring.zero<T>()) a(i, j) = static_cast<T>(-a(i, j));
      }
    }
  }
  const std::string problem = fmt::format("{} of {} vertices, {}", to_string(semiring), n, dtype_name<T>());
  const auto closed = [&](const Options& options) { return bits(paths::closure(semiring, a, options).solution); };
  const std::string expected = answer([&] { return closed(by("reference")); });
  expect_alike(problem, expected, {"blocked"}, closed);
  if (!expected.starts_with("error ")) {
    const Matrix<T> result = paths::closure(semiring, a).solution;
    expect(verify_closure<T>(semiring, a.view(), result.view()), problem);
    // A float's sums are rounded in another order the second time.
    if (std::is_integral_v<T> || numbers.are_small()) {
      const std::string again = answer([&] { return bits(paths::closure(semiring, result).solution); });
      // A path may be longer than an edge may be.
      if (!again.starts_with(error_text(ErrorKind::overflow))) expect_same(expected, again, problem + ", closed twice");
    }
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { close<T>(bytes); });
}
