#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::fuzz {
namespace {

using recurrence::Op;
using recurrence::Problem;
using recurrence::Statement;

/// With a GPU that solves numbers of type T, a problem that it solves.
template <class T>
Op drawn_op(Bytes& bytes) {
  const bool is_for_gpu = std::is_same_v<T, std::int32_t> && has_gpu();
  if (std::is_floating_point_v<T> || is_for_gpu) return bytes.pick({Op::min, Op::max});
  return bytes.pick({Op::min, Op::max, Op::sum, Op::sum_mod, Op::bit_xor, Op::bit_or, Op::bit_and, Op::gcd});
}

/// Scales the values of min and max problems, and all constants.
template <class T>
Statement<T> times(Statement<T> statement, T scale) {
  statement.initial = scaled(std::move(statement.initial), scale);
  statement.weights = scaled(std::move(statement.weights), scale);
  return statement;
}

template <class T>
Statement<T> drawn(Bytes& bytes, const Numbers& drawn_numbers, bool large) {
  Statement<T> statement;
  Numbers numbers = drawn_numbers;
  statement.op = drawn_op<T>(bytes);
  const bool is_order = statement.op == Op::min || statement.op == Op::max;
  if (statement.op == Op::gcd || statement.op == Op::sum_mod) numbers.negative = false;
  const std::size_t largest = large ? bytes.large_size() : 1 + bytes.size(300);
  const std::uint64_t one_in = bytes.pick<std::uint64_t>({1, 2, 8, 50});
  for (std::size_t a = 1; a <= largest; ++a) {
    if (a == largest || bytes.one_in(one_in)) statement.offsets.push_back(static_cast<std::int64_t>(a));
  }
  statement.n = largest + bytes.pick<std::size_t>({0, 1, 20, 130, 1000}) * (large ? 20 : 1);
  const auto most = static_cast<T>(is_order ? std::numeric_limits<T>::max() / static_cast<T>(8 * statement.n)
                                            : std::numeric_limits<T>::max());
  if (statement.op == Op::sum_mod) statement.modulus = std::max(T{2}, numbers.draw<T>(bytes, most));
  statement.initial = numbers.list<T>(bytes, largest, most);
  for (T& x : statement.initial) {
    if (is_order && std::is_signed_v<T> && numbers.missing(bytes)) {
      x = statement.op == Op::min ? infinity<T> : static_cast<T>(-infinity<T>);
    }
  }
  if ((is_order || statement.op == Op::sum || statement.op == Op::sum_mod) && bytes.one_in(2)) {
    statement.weights = numbers.list<T>(bytes, statement.offsets.size(), most);
  }
  if ((statement.op == Op::sum || statement.op == Op::sum_mod) && bytes.one_in(3)) {
    const auto most_of_each = static_cast<T>(statement.op == Op::sum ? 3 : most);
    statement.coefficients = numbers.list<T>(bytes, statement.offsets.size(), most_of_each);
  }
  if constexpr (std::is_integral_v<T>) {
    if (statement.op == Op::sum_mod) {
      for (T& x : statement.initial) x = static_cast<T>(x % statement.modulus);
      for (T& c : statement.weights) c = static_cast<T>(c % statement.modulus);
    }
  }
  return statement;
}

template <class T>
void fill(Bytes& bytes) {
  const Numbers numbers(bytes);
  const Statement<T> statement = drawn<T>(bytes, numbers, is_large(bytes));
  const auto problem = stated([&] { return Problem<T>(statement); });
  const std::string text =
      fmt::format("{} of {} offsets up to {}, {} values, {}", to_string(statement.op), statement.offsets.size(),
                  statement.offsets.back(), statement.n, dtype_name<T>());
  const auto solved = [&](const Options& options) { return bits(solve(problem, options).solution.values); };
  if (tally.large) return expect_large_alike(text, "", solved);
  std::vector<std::string> algorithms;
  for (const std::string& algorithm : names_on_cpu(recurrence::algorithms())) {
    if (applies([&] { return solved(by(algorithm)); })) algorithms.push_back(algorithm);
  }
  const std::string expected = answer([&] { return solved(by("reference")); });
  expect_alike(text, expected, algorithms, solved);
  if (expected.starts_with("error ")) return;
  const std::vector<T> values = solve(problem).solution.values;
  expect(verify(problem, {values}), text);
  if constexpr (std::is_signed_v<T>) {
    if (statement.op != Op::min && statement.op != Op::max) return;
    const T scale = numbers.scale<T>(bytes);
    expect_same(bits(scaled(values, scale)), bits(solve(Problem<T>(times(statement, scale))).solution.values),
                fmt::format("{}, {} times", text, scale));
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, std::uint64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { fill<T>(bytes); });
}
