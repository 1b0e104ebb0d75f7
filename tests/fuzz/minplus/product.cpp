#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/verify.hpp"

namespace warpfold::fuzz {
namespace {

using minplus::Semiring;

/// One that T has.
template <class T>
Semiring drawn_semiring(Bytes& bytes) {
  using Kind = Semiring::Kind;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Semiring::or_and;
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return {Semiring::plus_times, bytes.one_in(2) ? 0 : 2 + bytes.below(0xfffffffeU)};
  }
  if (std::is_same_v<T, double> && bytes.one_in(6)) return Semiring::plus_times;
  return bytes.pick<Kind>({Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
}

template <class T>
Matrix<T> drawn_factor(Bytes& bytes, Numbers numbers, Semiring semiring, std::size_t rows, std::size_t columns,
                       T most) {
  if (semiring.kind == Semiring::or_and) most = 1;
  if (semiring.kind == Semiring::plus_times) {
    numbers.negative = false;
    if (std::is_floating_point_v<T>) numbers.kind = Kind::small;
    if (!numbers.are_small() && semiring.modulus == 0) most = static_cast<T>(1 << 28);
  }
  return numbers.matrix<T>(bytes, rows, columns, most, semiring.zero<T>());
}

template <class T>
Matrix<T> transposed(const Matrix<T>& matrix) {
  Matrix<T> other(matrix.columns(), matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) other(j, i) = matrix(i, j);
  }
  return other;
}

/// C in place, in rows with a longer stride. The memory between the rows must not change.
template <class T>
std::string accumulated(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c, std::size_t more,
                        bool with_argmin, const Options& options) {
  const std::size_t stride = c.columns() + more;
  std::vector<T> values(c.rows() * stride + 1, T{1});
  std::vector<std::uint32_t> argmin(with_argmin ? values.size() : 0, 7);
  for (std::size_t i = 0; i < c.rows(); ++i) std::copy_n(c.view().row(i), c.columns(), values.data() + i * stride);
  MatrixView<std::uint32_t> arguments;
  if (with_argmin) arguments = {argmin.data(), c.rows(), c.columns(), stride};
  minplus::accumulate<T>(semiring, a.view(), b.view(), {values.data(), c.rows(), c.columns(), stride}, options,
                         arguments);
  return bits(values, argmin);
}

/// The product of B and A, transposed, and of scaled entries.
template <class T>
void expect_laws(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b, T scale, const std::string& problem) {
  const auto product = [&](const Matrix<T>& left, const Matrix<T>& right) {
    return multiply(semiring, left, right, by("tiled", 2)).solution.values;
  };
  const Matrix<T> expected = product(a, b);
  expect_same(bits(expected), bits(transposed(product(transposed(b), transposed(a)))), problem + ", transposed");
  if constexpr (std::is_signed_v<T>) {
    expect_same(bits(scaled(expected, scale)), bits(product(scaled(a, scale), scaled(b, scale))),
                fmt::format("{}, {} times", problem, scale));
  }
}

template <class T>
void multiply_both(Bytes& bytes) {
  const Semiring semiring = drawn_semiring<T>(bytes);
  const bool large = is_large(bytes);
  const auto drawn_size = [&] { return large ? bytes.large_size() : bytes.size(200); };
  const std::size_t m = drawn_size(), p = drawn_size(), n = drawn_size();
  const T most = semiring.adds() ? minplus::largest_factor<T> : infinity<T>;
  const Numbers of_a(bytes), of_b(bytes), of_c(bytes);
  const Matrix<T> a = drawn_factor<T>(bytes, of_a, semiring, m, p, most);
  const Matrix<T> b = drawn_factor<T>(bytes, of_b, semiring, p, n, most);
  const Matrix<T> c = drawn_factor<T>(bytes, of_c, semiring, m, n, semiring.adds() ? minplus::largest_result<T> : most);
  const std::string problem = fmt::format("{} of {} x {} x {}, {}", to_string(semiring), m, p, n, dtype_name<T>());
  const std::size_t more = bytes.below(3);
  for (const bool with_argmin : {false, true}) {
    if (with_argmin && !semiring.is_selective()) continue;
    const auto solved = [&](const Options& options) {
      return accumulated(semiring, a, b, c, more, with_argmin, options);
    };
    if (large) {
      expect_large_alike(problem, "tiled", solved);
      continue;
    }
    const std::string expected = answer([&] { return solved(by("reference")); });
    expect_alike(problem, expected, {"tiled"}, solved);
    if (expected.starts_with("error ")) return;  // a count that does not fit
  }
  if (large) return;
  const auto product = multiply(semiring, a, b, by("tiled", 2), semiring.is_selective()).solution;
  expect(verify(semiring, a, b, product), problem);
  if (semiring.kind == Semiring::plus_times && std::is_floating_point_v<T>) return;
  expect_laws(semiring, a, b, std::min(of_a.scale<T>(bytes), of_b.scale<T>(bytes)), problem);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int16_t, std::int32_t, std::int64_t, float, double, std::uint8_t, std::uint64_t>(
      data, size, []<class T>(Bytes& bytes) { multiply_both<T>(bytes); });
}
