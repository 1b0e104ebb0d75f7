#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/exact_type.hpp"
#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "minplus_input.hpp"
#include "npy_output.hpp"
#include "number_lists.hpp"
#include "outputs.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/matrix.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/minplus/entry_error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"
#include "warpfold/paths/closure.hpp"

namespace warpfold::app {

namespace {

using minplus::BatchView;
using minplus::Semiring;

struct MinplusOptions {
  SolveOptions solve;
  std::string a;
  std::string b;
  std::string argmin;
  std::string semiring = "min-plus";
  std::optional<std::uint64_t> modulus;
  std::optional<std::uint64_t> power;
  std::optional<std::string> no_edge;
  bool closure = false;
};

/// The input of a run: A and B, or A alone for a power or a closure.
struct Task {
  const MinplusOptions& options;
  Semiring semiring;
  io::NpyArray a;
  std::optional<io::NpyArray> b;
  ProductShape shape;
  std::optional<io::Number> no_edge;

  [[nodiscard]] const io::NpyArray& right() const { return b ? *b : a; }
  /// The maximum number of products of the run. A closure counts as the products that it replaces.
  [[nodiscard]] std::size_t products() const {
    if (options.power) return std::max(1, 2 * static_cast<int>(std::bit_width(*options.power)) - 2);
    return shape.batch;
  }
  [[nodiscard]] double terms() const {
    return static_cast<double>(products()) * static_cast<double>(shape.m) * static_cast<double>(shape.p) *
           static_cast<double>(shape.n);
  }
};

void check_usage(const MinplusOptions& options) {
  const bool from_one = options.closure || options.power.has_value();
  if (options.closure && options.power) {
    throw Error(ErrorKind::usage, "--power and --closure exclude each other: one of them is accepted");
  }
  if (from_one && !options.b.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} takes one matrix: B is '{}'", options.closure ? "--closure" : "--power", options.b));
  }
  if (!from_one && options.b.empty()) {
    throw Error(ErrorKind::usage, "B is missing: two matrices are accepted, or one with --power or --closure");
  }
  if (from_one && !options.argmin.empty()) {
    throw Error(ErrorKind::usage,
                "--argmin is of a product of two matrices: with --power or --closure none is accepted");
  }
  if (from_one && options.solve.ranks) {
    throw Error(ErrorKind::usage, "--ranks share one product: two matrices are accepted");
  }
  check_algorithm(options.solve, options.closure ? paths::algorithms() : minplus::algorithms());
  require_extension("--output", options.solve.output, ".npy");
  require_extension("--argmin", options.argmin, ".npy");
  check_outputs({options.solve.output, options.argmin});
}

/// The first of these types that the semiring supports. Integers stay integers, and two f32 stay f32.
std::string default_dtype(Semiring semiring, const io::NpyArray& a, const io::NpyArray& b) {
  const std::vector<std::string_view> accepted = types_of(semiring);
  const bool integral = a.is_integral() && b.is_integral();
  const bool narrow = a.dtype == "f32" && b.dtype == "f32";
  for (const std::string_view dtype : {integral ? "i64" : narrow ? "f32" : "f64", integral ? "u64" : "f64", "f64"}) {
    if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return std::string(dtype);
  }
  return std::string(accepted.front());
}

/// A type that only counts has no closure.
template <class T>
constexpr bool has_closures = !std::is_same_v<T, std::uint64_t>;

void check_closure(Semiring semiring, const std::string& dtype) {
  if (!semiring.is_selective()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} has no closure (walks go round cycles without end): a semiring that chooses is accepted",
                    to_string(semiring)));
  }
  if (dtype == dtype_name<std::uint64_t>()) {
    throw Error(ErrorKind::usage, fmt::format("{} does not take {}: it counts", to_string(semiring), dtype));
  }
}

template <class T>
Estimate estimate_of(const Task& task, const Options& limits) {
  const ProductShape& shape = task.shape;
  if (task.options.power) return minplus::estimate_power<T>(task.semiring, shape.m, *task.options.power, limits);
  if constexpr (has_closures<T>) {
    if (task.options.closure) return paths::estimate_closure<T>(task.semiring, shape.m, limits);
  }
  return minplus::estimate<T>(task.semiring, {shape.m, shape.p, shape.n, shape.batch}, !task.options.argmin.empty(),
                              limits);
}

/// The bytes besides the solver's: A, B and the result in T, and argmin.
template <class T>
void estimate(const Task& task, const Stopwatch& total) {
  const MinplusOptions& options = task.options;
  const Spent before = spent(total);
  Expected expected{.command = "minplus", .n = task.shape.m, .solve = estimate_of<T>(task, options.solve.resolve())};
  const std::size_t result_bytes = task.shape.entries() * sizeof(T);
  const std::size_t argmin_bytes = options.argmin.empty() ? 0 : task.shape.entries() * sizeof(std::uint32_t);
  const std::size_t entries = task.a.size() + (task.b ? task.b->size() : 0);
  expected.beside_bytes = entries * sizeof(T) + result_bytes + argmin_bytes;
  expected.file_bytes = argmin_bytes + (options.solve.output.empty() ? 0 : result_bytes);
  print_estimate(options.solve, before, expected);
}

template <class T>
Json json_of(const Task& task, const Summary& summary) {
  const MinplusOptions& options = task.options;
  Json object = common_keys(summary);
  object["shape"] = {task.shape.m, task.shape.p, task.shape.n};
  if (task.shape.is_batch) object["batch"] = task.shape.batch;
  object["semiring"] = to_string(task.semiring);
  if (task.semiring.modulus > 0) object["modulus"] = task.semiring.modulus;
  if (options.power) object["power"] = *options.power;
  if (options.closure) object["closure"] = true;
  if (options.no_edge) object["no_edge"] = *options.no_edge;
  if (!options.solve.output.empty()) object["output"] = options.solve.output;
  if (!options.argmin.empty()) object["argmin"] = options.argmin;
  return object;
}

/// Whether the type counts exactly up to every value of the result, so that no sum was rounded.
template <class T>
bool counts_to(const std::vector<T>& values) {
  double largest = 0;
  for (const T value : values) {
    const double magnitude = std::abs(static_cast<double>(value));
    if (!std::isinf(magnitude)) largest = std::max(largest, magnitude);
  }
  return adds_exactly<T>(largest);
}

/// Whether integers stayed integers.
template <class T>
bool is_exact(const Task& task, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& product) {
  if (task.a.is_rounded || task.right().is_rounded) return false;
  const bool a_is_integer = task.a.is_integral(), b_is_integer = task.right().is_integral();
  return (!a_is_integer || counts_to(a)) && (!b_is_integer || counts_to(b)) &&
         (!(a_is_integer && b_is_integer) || counts_to(product));
}

/// The library's error with the name of the file that has the entry, or of all files.
Error with_file(const Task& task, const Error& error) {
  const bool is_of_data =
      error.kind() == ErrorKind::input || error.kind() == ErrorKind::overflow || error.kind() == ErrorKind::infeasible;
  if (!is_of_data) return error;
  const auto* of_entry = dynamic_cast<const minplus::EntryError*>(&error);
  const bool is_of_a = !task.b || (of_entry && of_entry->matrix() == 'A');
  if (!is_of_a && !(of_entry && of_entry->matrix() == 'B')) {
    return {error.kind(), fmt::format("{} times {}: {}", task.a.path, task.b->path, error.what())};
  }
  return {error.kind(), fmt::format("{}: {}", is_of_a ? task.a.path : task.b->path, error.what())};
}

template <class T>
struct Result {
  std::vector<T> product;
  std::vector<std::uint32_t> argmin;
  Report report;
};

/// The product, or the batch of products, in place.
template <class T>
Result<T> multiply(const Task& task, const std::vector<T>& a, const std::vector<T>& b, const Options& limits) {
  const ProductShape& shape = task.shape;
  Result<T> result{std::vector<T>(shape.entries(), task.semiring.zero<T>()), {}, {}};
  if (!task.options.argmin.empty()) result.argmin.resize(shape.entries());
  const MatrixView<std::uint32_t> where{result.argmin.empty() ? nullptr : result.argmin.data(), shape.m, shape.n,
                                        shape.n};
  result.report = minplus::accumulate_batch<T>(
      task.semiring, {{a.data(), shape.m, shape.p, shape.p}, shape.a_count, shape.m * shape.p},
      {{b.data(), shape.p, shape.n, shape.n}, shape.b_count, shape.p * shape.n},
      {{result.product.data(), shape.m, shape.n, shape.n}, shape.batch, shape.m * shape.n}, limits,
      {where, shape.batch, shape.m * shape.n});
  return result;
}

/// The product by ranks. Each rank may use one GPU of its host.
template <class T>
Result<T> multiply(const Task& task, const std::vector<T>& a, const std::vector<T>& b, Options limits,
                   const Ranks& ranks) {
  const ProductShape& shape = task.shape;
  if (task.options.solve.device == "cuda") limits.device.all = true;
  auto [product, report] =
      ranks.multiply<T>(task.semiring, {a.data(), shape.m, shape.p, shape.p}, {b.data(), shape.p, shape.n, shape.n},
                        limits, !task.options.argmin.empty());
  return {std::move(product.values).values(), std::move(product.argmin).values(), std::move(report)};
}

template <class T>
Result<T> of_outcome(Outcome<Matrix<T>> outcome) {
  return {std::move(outcome.solution).values(), {}, std::move(outcome.report)};
}

template <class T>
Result<T> run_task(const Task& task, const std::vector<T>& a, const std::vector<T>& b, const Ranks* ranks) try {
  const Options limits = task.options.solve.resolve();
  if (ranks) return multiply(task, a, b, limits, *ranks);
  const MatrixView<const T> matrix{a.data(), task.shape.m, task.shape.p, task.shape.p};
  if constexpr (has_closures<T>) {
    if (task.options.closure) return of_outcome(paths::closure(task.semiring, matrix, limits));
  }
  if (task.options.power) return of_outcome(minplus::power(task.semiring, matrix, *task.options.power, limits));
  return multiply(task, a, b, limits);
} catch (const Error& error) {
  throw with_file(task, error);
}

template <class T>
void solve(const Task& task, const std::optional<Ranks>& ranks, const Stopwatch& total) {
  const MinplusOptions& options = task.options;
  const ProductShape& shape = task.shape;
  if (options.solve.estimate) return estimate<T>(task, total);
  const T none = task.semiring.zero<T>();
  const auto [a, b] = read_by(ranks, [&] {
    return std::pair(task.a.lengths(none, task.no_edge),
                     task.b ? task.b->lengths(none, task.no_edge) : std::vector<T>{});
  });
  const double read_seconds = total.seconds();
  const Result<T> result = run_task(task, a, b, ranks ? &*ranks : nullptr);
  if (ranks && !ranks->is_first()) return;
  Summary summary{.command = "minplus", .n = shape.m, .dtype = std::string(dtype_name<T>())};
  summary.of(result.report, read_seconds, total);
  if (!options.solve.output.empty()) write_values(options.solve.output, result.product, shape.extents());
  if (!result.argmin.empty()) io::write_npy<std::uint32_t>(options.argmin, result.argmin, shape.extents());
  summary.exact = is_exact<T>(task, a, b, result.product);
  note_rounding(summary);
  Json object = json_of<T>(task, summary);
  if (ranks) add_ranks(object, *ranks, result.report);
  finish(options.solve, std::move(object), [&] {
    const Report& report = summary.report;
    const double rate = report.solve_seconds > 0 ? task.terms() / report.solve_seconds : 0;  // power 0 has no product
    fmt::print("{}{} x {} x {} ({}, {}), {:.3g} s, {:.3g} G results/s ({}, {}, {})\n",
               shape.is_batch ? fmt::format("{} times ", shape.batch) : "", shape.m, shape.p, shape.n,
               to_string(task.semiring), summary.dtype, report.solve_seconds, rate * 1e-9, report.device,
               report.algorithm, quantity(report.threads, "thread"));
  });
}

Task read_task(const MinplusOptions& options) {
  Task task{options,
            minplus::parse_semiring(options.semiring),
            formats::read_matrix(options.a),
            {},
            {},
            parse_no_edge(options.no_edge)};
  task.semiring.modulus = options.modulus.value_or(0);
  if (!options.b.empty()) task.b = formats::read_matrix(options.b);
  task.shape = task.b ? shape_of_product(task.a, *task.b) : shape_of_power(task.a);
  if (task.shape.is_batch && options.solve.ranks) {
    throw Error(ErrorKind::usage, "--ranks share one product: two matrices are accepted, no batch of them");
  }
  return task;
}

void run(const MinplusOptions& options) {
  const Stopwatch total;
  check_usage(options);
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  const Task task = read_by(ranks, [&] { return read_task(options); });
  const std::string dtype =
      options.solve.dtype.empty() ? default_dtype(task.semiring, task.a, task.right()) : options.solve.dtype;
  if (options.closure) check_closure(task.semiring, dtype);
  with_minplus_dtype(dtype, [&](auto zero) { solve<decltype(zero)>(task, ranks, total); });
}

}  // namespace

void add_minplus(Command command) {
  command.examples("warpfold minplus a.npy b.npy -o c.npy --argmin k.npy",
                   "warpfold minplus a.npy --closure -o lengths.npy");
  auto options = std::make_shared<MinplusOptions>();
  command
      .option("A", options->a,
              fmt::format("matrix, m x p ({}), or .npy batch of matrices or vector",
                          listed(formats::endings_of(formats::matrix_formats()))))
      .required();
  command.option("B", options->b, "matrix, p x n, batch or vector; none with --power and --closure");
  command.option("--no-edge", options->no_edge, no_edge_help).takes("VALUE");
  const Command solving = command.in(Group::solving);
  solving.option("--semiring", options->semiring, "semiring; or-and takes u8, plus-times, which counts, u64 or f64")
      .takes(fmt::format("{}", fmt::join(minplus::semiring_names(), "|")));
  solving.number("--modulus", options->modulus, "modulus of the counts; default: none", 2, 4294967295);
  solving.number("--power", options->power, "exponent k, for A^k instead of a product");
  solving.flag("--closure", options->closure,
               "1 + A + A^2 + .. instead of a product: in min-plus all "
               "shortest paths");
  command.in(Group::output)
      .option("--argmin", options->argmin,
              ".npy file for the smallest k of every entry; 4294967295 where there is none")
      .takes("FILE");
  add_solve_options(command, options->solve, ".npy", "i16|i32|i64|f32|f64|u8|u64");
  add_ranks_option(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
