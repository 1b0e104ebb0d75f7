#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <tuple>

#include "minplus/backend.hpp"
#include "minplus/magnitude.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/parallel.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {

namespace {

template <class T>
using Multiplier = void (*)(const Product<T>&, const Options&, Report&);

/// One line of the list of algorithms, with its multiplier for every type.
struct Algorithm {
  AlgorithmInfo info;
  std::tuple<Multiplier<std::int32_t>, Multiplier<std::int64_t>, Multiplier<float>, Multiplier<double>> multipliers;
};

/// The first one of a device is its default.
const std::vector<Algorithm>& known_algorithms() {
  static const std::vector<Algorithm> list = {
      {{"tiled", "cpu", "packed 64 x 64 tiles, their products in vector registers, all threads"},
       {cpu::multiply, cpu::multiply, cpu::multiply, cpu::multiply}},
      {{"reference", "cpu", "the product as it is written, one thread, no vectors: the oracle of the others"},
       {reference::multiply, reference::multiply, reference::multiply, reference::multiply}},
  };
  return list;
}

const Algorithm& choose(const Options& options) {
  const std::string device = options.device.kind == Device::Kind::cuda ? "cuda" : "cpu";
  std::string names;
  for (const Algorithm& algorithm : known_algorithms()) {
    if (algorithm.info.device != device) continue;
    if (options.algorithm.empty() || options.algorithm == algorithm.info.name) return algorithm;
    names += (names.empty() ? "" : ", ") + algorithm.info.name;
  }
  if (names.empty()) throw Error(ErrorKind::device, "this build has no CUDA: --device auto or cpu is accepted");
  throw Error(ErrorKind::usage,
              fmt::format("algorithm '{}' is unknown on {}: {} is accepted", options.algorithm, device, names));
}

template <class Matrix>
void check_shape(const char* name, const Matrix& matrix, const char* expected, std::size_t rows, std::size_t columns) {
  if (matrix.rows == rows && matrix.columns == columns) return;
  throw Error(ErrorKind::usage, fmt::format("{} is {} x {}: {} x {} is accepted ({})", name, matrix.rows,
                                            matrix.columns, rows, columns, expected));
}

template <class T>
[[noreturn]] void refuse_entry(const char* name, const MatrixView<const T>& matrix, T most) {
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      const T x = matrix(i, j);
      if ((x >= -most && x <= most) || x >= infinity<T>) continue;
      throw Error(ErrorKind::input, fmt::format("{}({}, {}) is {}: {} from {} to {} are accepted, and {} for no value",
                                                name, i, j, x, dtype_name<T>(), -most, most, infinity<T>));
    }
  }
  throw Error(ErrorKind::internal, "the refused entry was not found");
}

/// The largest |entry| that is not infinite. Raises Error{input} for NaN, -inf and what is larger than `most`.
template <class T>
T largest_entry(const char* name, const MatrixView<const T>& matrix, T most, int threads) {
  std::vector<T> largest(static_cast<std::size_t>(threads), T{0});
  parallel(threads, [&](int thread) {
    for (std::size_t i = static_cast<std::size_t>(thread); i < matrix.rows; i += static_cast<std::size_t>(threads)) {
      const T row = largest_magnitude(matrix.row(i), matrix.columns);
      if (!(row <= largest[thread])) largest[thread] = row;  // NaN stays
      if (!(row <= most)) return;
    }
  });
  const auto accepted = [&](T x) { return x <= most; };
  if (std::all_of(largest.begin(), largest.end(), accepted)) return *std::max_element(largest.begin(), largest.end());
  refuse_entry(name, matrix, most);
}

}  // namespace

template <class T>
Report multiply(std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                MatrixView<T> c, const Options& options, MatrixView<std::uint32_t> argmin) {
  if (a.columns >= unchanged) {
    throw Error(ErrorKind::usage, fmt::format("A has {} columns: less than {} are accepted", a.columns, unchanged));
  }
  check_shape("B", b, "rows of B = columns of A", a.columns, c.columns);
  check_shape("C", c, "rows of A, columns of B", a.rows, b.columns);
  if (argmin.data) check_shape("argmin", argmin, "the shape of C", c.rows, c.columns);
  const Algorithm& algorithm = choose(options);

  const auto start = std::chrono::steady_clock::now();
  const T accepted = largest_accepted_total<T>;
  const int threads = c.rows * c.columns < (std::size_t{1} << 16) ? 1 : thread_count(options.threads);
  const T sums = largest_entry("A", a, accepted / 2, threads) + largest_entry("B", b, accepted / 2, threads);
  const T largest_total = std::max(sums, largest_entry<T>("C", c, accepted, threads));
  const auto validated = std::chrono::steady_clock::now();

  Report report;
  report.device = algorithm.info.device;
  report.algorithm = algorithm.info.name;
  std::get<Multiplier<T>>(algorithm.multipliers)({a, b, c, argmin, infinite_from(largest_total)}, options, report);
  report.prepare_seconds = std::chrono::duration<double>(validated - start).count();
  report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - validated).count();
  return report;
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> list;
  for (const Algorithm& algorithm : known_algorithms()) list.push_back(algorithm.info);
  return list;
}

template Report multiply(MatrixView<const std::int32_t>, MatrixView<const std::int32_t>, MatrixView<std::int32_t>,
                         const Options&, MatrixView<std::uint32_t>);
template Report multiply(MatrixView<const std::int64_t>, MatrixView<const std::int64_t>, MatrixView<std::int64_t>,
                         const Options&, MatrixView<std::uint32_t>);
template Report multiply(MatrixView<const float>, MatrixView<const float>, MatrixView<float>, const Options&,
                         MatrixView<std::uint32_t>);
template Report multiply(MatrixView<const double>, MatrixView<const double>, MatrixView<double>, const Options&,
                         MatrixView<std::uint32_t>);

}  // namespace warpfold::minplus
