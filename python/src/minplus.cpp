#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

#include "binding.hpp"
#include "ranks.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"
#include "warpfold/minplus/verify.hpp"
#include "warpfold/paths/closure.hpp"

namespace warpfold::python {

namespace {

using minplus::BatchView;
using minplus::Semiring;

template <class Visit>
auto with_entries(const Array& array, const Visit& visit) {
  if (array.holds<std::uint8_t>()) return visit(std::uint8_t{});
  if (array.holds<std::uint64_t>()) return visit(std::uint64_t{});
  if (array.holds<std::int16_t>()) return visit(std::int16_t{});
  return with_type(array, visit);
}

Semiring semiring_of(nb::handle name, nb::handle modulus) {
  Semiring semiring = minplus::parse_semiring(text("semiring", name));
  semiring.modulus = integer<std::uint64_t>("modulus", modulus);
  return semiring;
}

void check_matrix(const Array& array) {
  if (array.dimensions() >= 2) return;
  throw Error(ErrorKind::input,
              fmt::format("{} is {}: a matrix, or a batch of them, is accepted", array.name(), extents_text(array)));
}

template <class T>
BatchView<const T> batch_of(const Array& array) {
  const auto first = array.matrix<T>();
  return {first, array.matrices(), first.rows * first.stride};
}

/// The leading dimensions of the product: those of both factors, or of the one that is a batch.
std::vector<std::size_t> batch_shape(const Array& a, const Array& b) {
  const auto of_a = leading(a, 2), of_b = leading(b, 2);
  if (of_a == of_b || of_b.empty()) return of_a;
  if (of_a.empty()) return of_b;
  throw Error(ErrorKind::input, fmt::format("b is {} where a is {}: the same leading dimensions are accepted, or none",
                                            extents_text(b), extents_text(a)));
}

/// The product, and its argmin if requested.
template <class T>
struct Matrices {
  std::vector<T> values;
  std::vector<std::uint32_t> argmin;
};

template <class T>
Matrices<T> multiply_one(Semiring semiring, const Array& a, const Array& b, bool with_argmin,
                         const std::optional<Ranks>& ranks, const Options& options) {
  const auto left = a.matrix<T>(), right = b.matrix<T>();
  auto product = (ranks ? ranks->multiply(semiring, left, right, options, with_argmin)
                        : minplus::multiply(semiring, left, right, options, with_argmin))
                     .solution;
  return {std::move(product.values).values(), std::move(product.argmin).values()};
}

template <class T>
Matrices<T> multiply_batch(Semiring semiring, const Array& a, const Array& b, std::size_t count, bool with_argmin,
                           const Options& options) {
  const auto of_a = batch_of<T>(a), of_b = batch_of<T>(b);
  const std::size_t m = of_a.first.rows, n = of_b.first.columns;
  check_memory(options, bytes_of(bytes_of(count * m, n), with_argmin ? sizeof(T) + 4 : sizeof(T)));
  Matrices<T> product{std::vector<T>(count * m * n, semiring.zero<T>()),
                      std::vector<std::uint32_t>(with_argmin ? count * m * n : 0)};
  if (product.values.empty()) return product;
  BatchView<std::uint32_t> argmin;
  if (with_argmin) argmin = {{product.argmin.data(), m, n, n}, count, m * n};
  minplus::accumulate_batch<T>(semiring, of_a, of_b, {{product.values.data(), m, n, n}, count, m * n}, options, argmin);
  return product;
}

template <class T>
nb::object multiply(Semiring semiring, const Array& a, const Array& b, bool with_argmin,
                    const std::optional<Ranks>& ranks, const CallOptions& asked) {
  std::vector<std::size_t> shape = batch_shape(a, b);
  const bool is_one = shape.empty();
  if (ranks && !is_one) {
    throw Error(ErrorKind::usage,
                fmt::format("a is {} and b {}: ranks share one product", extents_text(a), extents_text(b)));
  }
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  shape.push_back(a.extent(a.dimensions() - 2));
  shape.push_back(b.extent(b.dimensions() - 1));
  const double operations = static_cast<double>(count * shape[shape.size() - 2]) * static_cast<double>(shape.back()) *
                            static_cast<double>(a.extent(a.dimensions() - 1));
  auto product = run(asked, operations, [&](const Options& options) {
    return is_one ? multiply_one<T>(semiring, a, b, with_argmin, ranks, options)
                  : multiply_batch<T>(semiring, a, b, count, with_argmin, options);
  });
  nb::object values = array_of(std::move(product.values), shape);
  if (!with_argmin) return values;
  return nb::make_tuple(values, array_of(std::move(product.argmin), shape));
}

nb::object matmul(nb::handle a, nb::handle b, nb::handle semiring, nb::handle modulus, nb::handle return_argmin,
                  nb::handle comm, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const std::optional<Ranks> ranks = ranks_if_any(comm);
  const Semiring over = semiring_of(semiring, modulus);
  const bool with_argmin = truth("return_argmin", return_argmin);
  const ElementTypes types = element_types_of(over);
  const NoValue none = no_value_of(over);
  const Array left("a", a, types, options.dtype, none), right("b", b, types, options.dtype, none);
  check_matrix(left);
  check_matrix(right);
  const auto multiply_as = [&](const Array& first, const Array& second) {
    return with_entries(first,
                        [&]<class T>(T) { return multiply<T>(over, first, second, with_argmin, ranks, options); });
  };
  if (left.type() == right.type()) return multiply_as(left, right);
  const std::string dtype = common_dtype({left.type(), right.type()});
  return multiply_as(Array("a", a, types, dtype, none), Array("b", b, types, dtype, none));
}

/// Checks the shape of C against A and B, which verify_batch leaves to its callers.
void check_batch(const Array& c, std::vector<std::size_t> shape, const Array& a, const Array& b) {
  shape.push_back(a.extent(a.dimensions() - 2));
  shape.push_back(b.extent(b.dimensions() - 1));
  if (c.shape() == shape) return;
  throw Error(ErrorKind::input,
              fmt::format("{} is {} where a is {} and b {}: {} is accepted", c.name(), extents_text(c), extents_text(a),
                          extents_text(b), fmt::join(shape, " x ")));
}

Verdict verify_product(nb::handle a, nb::handle b, nb::handle product, nb::handle argmin, nb::handle semiring,
                       nb::handle modulus, const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  const Semiring over = semiring_of(semiring, modulus);
  const NoValue none = no_value_of(over);
  const Array c("product", product, element_types_of(over), options.dtype, none);
  return with_entries(c, [&]<class T>(T) {
    const ElementTypes types = {element_type<T>};
    const std::string dtype(dtype_name<T>());
    const Array left("a", a, types, dtype, none), right("b", b, types, dtype, none);
    check_matrix(left);
    check_matrix(right);
    check_batch(c, batch_shape(left, right), left, right);
    std::optional<Array> k;
    BatchView<const std::uint32_t> smallest;
    if (!argmin.is_none()) {
      k.emplace("argmin", argmin, ElementTypes{element_type<std::uint32_t>});
      check_batch(*k, batch_shape(left, right), left, right);
      smallest = batch_of<std::uint32_t>(*k);
    }
    return run(options, minplus::default_terms, [&](const Options& limits) {
      return minplus::verify_batch<T>(over, batch_of<T>(left), batch_of<T>(right), batch_of<T>(c), limits, smallest);
    });
  });
}

/// Returns solve(matrix, options) for one matrix.
template <class Solve>
nb::object of_one(nb::handle a, Semiring semiring, double products, const nb::kwargs& words, const Solve& solve) {
  const CallOptions options = asked(words);
  const Array array("a", a, element_types_of(semiring), options.dtype, no_value_of(semiring));
  check_square(array);
  const auto n = static_cast<double>(array.extent(0));
  return with_entries(array, [&]<class T>(T) {
    auto matrix = run(options, products * n * n * n, [&](const Options& limits) {
                    return solve(array.matrix<T>(), limits);
                  }).solution;
    const std::vector<std::size_t> shape{matrix.rows(), matrix.columns()};
    return array_of(std::move(matrix).values(), shape);
  });
}

nb::object power(nb::handle a, nb::handle k, nb::handle semiring, nb::handle modulus, const nb::kwargs& words) {
  const Semiring over = semiring_of(semiring, modulus);
  const auto exponent = integer<std::uint64_t>("k", k);
  constexpr double max_products = 128;  // two for each bit of k
  return of_one(a, over, max_products, words, [&](const auto& matrix, const Options& options) {
    return minplus::power(over, matrix, exponent, options);
  });
}

nb::object closure(nb::handle a, nb::handle semiring, const nb::kwargs& words) {
  const Semiring over = minplus::parse_semiring(text("semiring", semiring));
  return of_one(a, over, 1, words,
                [&]<class T>(const MatrixView<const T>& matrix, const Options& options) -> Outcome<Matrix<T>> {
                  if constexpr (std::is_same_v<T, std::uint64_t>) {
                    throw Error(ErrorKind::usage, fmt::format("{} has no closure", to_string(over)));
                  } else {
                    check_within_infinity("a", matrix);
                    return paths::closure(over, matrix, options);
                  }
                });
}

/// Returns check(matrix, result, options) for one matrix and a stated result.
template <class Check>
Verdict verify_one(nb::handle a, const char* name, nb::handle result, Semiring semiring, const nb::kwargs& words,
                   const Check& check) {
  const CallOptions options = asked_of_check(words);
  const NoValue none = no_value_of(semiring);
  const Array stated(name, result, element_types_of(semiring), options.dtype, none);
  check_square(stated);
  return with_entries(stated, [&]<class T>(T) {
    const Array array("a", a, {element_type<T>}, std::string(dtype_name<T>()), none);
    check_square(array);
    return run(options, minplus::default_terms,
               [&](const Options& limits) { return check(array.matrix<T>(), stated.matrix<T>(), limits); });
  });
}

Verdict verify_power(nb::handle a, nb::handle k, nb::handle result, nb::handle semiring, nb::handle modulus,
                     const nb::kwargs& words) {
  const Semiring over = semiring_of(semiring, modulus);
  const auto exponent = integer<std::uint64_t>("k", k);
  return verify_one(
      a, "power", result, over, words,
      [&]<class T>(const MatrixView<const T>& matrix, const MatrixView<const T>& stated, const Options& options) {
        return minplus::verify_power<T>(over, matrix, exponent, stated, options);
      });
}

Verdict verify_closure(nb::handle a, nb::handle result, nb::handle semiring, const nb::kwargs& words) {
  const Semiring over = minplus::parse_semiring(text("semiring", semiring));
  return verify_one(
      a, "closure", result, over, words,
      [&]<class T>(const MatrixView<const T>& matrix, const MatrixView<const T>& stated, const Options& options) {
        return minplus::verify_closure<T>(over, matrix, stated, options);
      });
}

}  // namespace

void bind_minplus(nb::module_& module) {
  module.def(
      "no_value",
      [](nb::handle semiring) -> nb::object {
        const NoValue none = no_value_of(minplus::parse_semiring(text("semiring", semiring)));
        return none ? nb::object(nb::float_(*none)) : nb::none();
      },
      "semiring"_a, nb::sig("def no_value(semiring: str) -> float | None"),
      "\"No value\" of a selective semiring; None for other semirings.");
  module.def(
      "matmul", &matmul, "a"_required, "b"_required, nb::kw_only(), "semiring"_a = "min-plus", "modulus"_a = 0,
      "return_argmin"_a = false, "comm"_a = nb::none(), "options"_a,
      signature("matmul(a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike, *, semiring: str = 'min-plus', "
                "modulus: int = 0, return_argmin: bool = False, comm: typing.Any = None, OPTIONS) -> typing.Any"));
  module.def(
      "verify_product", &verify_product, "a"_required, "b"_required, "product"_required, "argmin"_a = nb::none(),
      nb::kw_only(), "semiring"_a = "min-plus", "modulus"_a = 0, "options"_a,
      signature("verify_product(a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike, product: "
                "numpy.typing.ArrayLike, argmin: numpy.typing.ArrayLike | None = None, *, semiring: str = "
                "'min-plus', modulus: int = 0, OPTIONS) -> Verdict"),
      R"(Checks that product is matmul(a, b), bit by bit, and that argmin has the smallest k whose term each entry is.

The arguments are matrices, or batches of them as matmul takes them. Rows are computed again, term by term, in a random
order that is the same every time, for some seconds. Verdict.unchecked tells what was left.)");
  module.def("power", &power, "a"_required, "k"_required, nb::kw_only(), "semiring"_a = "min-plus", "modulus"_a = 0,
             "options"_a,
             signature("power(a: numpy.typing.ArrayLike, k: int, *, semiring: str = 'min-plus', modulus: int = 0, "
                       "OPTIONS) -> numpy.typing.NDArray[typing.Any]"));
  module.def("closure", &closure, "a"_required, nb::kw_only(), "semiring"_a = "min-plus", "options"_a,
             signature("closure(a: numpy.typing.ArrayLike, *, semiring: str = 'min-plus', OPTIONS) -> "
                       "numpy.typing.NDArray[typing.Any]"));
  module.def("verify_power", &verify_power, "a"_required, "k"_required, "power"_required, nb::kw_only(),
             "semiring"_a = "min-plus", "modulus"_a = 0, "options"_a,
             signature("verify_power(a: numpy.typing.ArrayLike, k: int, power: numpy.typing.ArrayLike, *, "
                       "semiring: str = 'min-plus', modulus: int = 0, OPTIONS) -> Verdict"),
             R"(Checks that power is power(a, k). A row is checked by k products of a row with a, as in verify_product.

The check is exact, except for sums of floats, which may have been added in any order.)");
  module.def(
      "verify_closure", &verify_closure, "a"_required, "closure"_required, nb::kw_only(), "semiring"_a = "min-plus",
      "options"_a,
      signature("verify_closure(a: numpy.typing.ArrayLike, closure: numpy.typing.ArrayLike, *, "
                "semiring: str = 'min-plus', OPTIONS) -> Verdict"),
      R"(Checks that closure is closure(a). Rows are computed again, as in verify_product. A row has the best walks from
its vertex, with one more edge each round, until nothing improves.)");
}

}  // namespace warpfold::python
