#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "core/listed.hpp"
#include "core/number_types.hpp"
#include "minplus/accepted.hpp"
#include "minplus/backends.hpp"
#include "minplus/count.hpp"
#include "minplus/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/entry_error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::minplus {

namespace {

template <class T>
using AccumulationBackend = Backend<AccumulationBatch<T>, AccumulationBatch<T>, InPlace>;

/// Checks the entries, and then runs an algorithm of the CPU. The report has the time of the algorithm.
template <class T>
InPlace accumulate_checked(const AccumulationBatch<T>& batch, Context& context,
                           InPlace (*accumulate)(const AccumulationBatch<T>&, Context&)) {
  check_entries(batch, context.options);
  const auto start = std::chrono::steady_clock::now();
  accumulate(batch, context);
  context.report.solve_seconds = seconds_since(start);
  return {};
}

template <class T>
InPlace accumulate_on_gpu(const AccumulationBatch<T>& batch, Context& context) {
  restoring<T>(batch, context, [&] { cuda::accumulate(batch, context); });
  return {};
}

template <class T>
BatchView<T> batch_of(T* first, std::size_t count, std::size_t rows, std::size_t columns) {
  return {{first, rows, columns, columns}, count, rows * columns};
}

template <class T>
double terms_of(const AccumulationBatch<T>& batch) {
  return batch.terms();
}

/// Measures the rate by products of ones.
template <class T>
double seconds_by_probe(const AccumulationBackend<T>& backend, const AccumulationBatch<T>& batch,
                        const Options& options) {
  const std::size_t m = std::min(backend.probe_size, batch.c.first.rows);
  const std::size_t p = std::min(backend.probe_size, batch.a.first.columns);
  const std::size_t n = std::min(backend.probe_size, batch.c.first.columns);
  const double terms = std::max(1.0, static_cast<double>(m) * static_cast<double>(p) * static_cast<double>(n));
  const std::size_t count = std::min(batch.c.count, static_cast<std::size_t>(probe_terms / terms) + 1);
  const std::vector<T> a(m * p, T{1});
  const std::vector<T> b(p * n, T{1});
  std::vector<T> c(count * m * n, batch.semiring.template zero<T>());
  std::vector<std::uint32_t> where(batch.argmin.first.data ? c.size() : 0);
  if (c.empty()) return 0;
  const AccumulationBatch<T> ones{batch.semiring,
                                  {{a.data(), m, p, p}},
                                  {{b.data(), p, n, n}},
                                  batch_of(c.data(), count, m, n),
                                  batch_of(where.data(), count, m, n)};
  return batch.terms() * (probe_seconds(backend, ones, options) / std::max(1.0, ones.terms()));
}

template <class T>
const std::vector<AccumulationBackend<T>>& backends() {
  static const std::vector<AccumulationBackend<T>> list = [] {
    using Batch = AccumulationBatch<T>;
    std::vector<AccumulationBackend<T>> all = {
        {.info = {"tiled", "cpu", "packed 64 x 64 tiles, their products in vector registers, all threads",
                  "n^3 operations, 2 n^2 values"},
         .cost = [](const Batch&, const Options&) { return 1.0; },
         .bytes = cpu::bytes_needed<T>,
         .run = [](const Batch& batch,
                   Context& context) { return accumulate_checked<T>(batch, context, cpu::accumulate<T>); },
         .operations = terms_of<T>,
         .seconds = seconds_by_probe<T>,
         .probe_size = probe_side},
        {.info = {"reference", "cpu", "the product as it is written, one thread, no vectors: the oracle of the others",
                  "n^3 operations"},
         .run = [](const Batch& batch,
                   Context& context) { return accumulate_checked<T>(batch, context, reference::accumulate<T>); },
         .explicit_only = true,
         .operations = terms_of<T>,
         .seconds = seconds_by_probe<T>,
         .probe_size = reference_probe_side}};
    if (has_cuda()) {
      all.push_back({.info = {"tiled", "cuda", "128 x 128 results a thread block, operands through shared memory",
                              "n^3 operations, 6 n^2 values of the GPU"},
                     .cost = [](const Batch& batch,
                                const Options&) { return batch.terms() >= cuda_gains_from_terms ? 0.0 : 2.0; },
                     .bytes = nullptr,
                     .run = accumulate_on_gpu<T>,
                     .unsupported_reason = [](const Batch& batch) -> std::string {
                       if (batch.semiring.is_selective()) return "";
                       return fmt::format("runs {} on the CPU only: device auto or cpu is accepted",
                                          to_string(batch.semiring));
                     },
                     .supports_multi_gpu = true,
                     .device_bytes = cuda::device_bytes<T>,
                     .operations = terms_of<T>,
                     .seconds = seconds_by_probe<T>,
                     .probe_size = probe_side});
    }
    return all;
  }();
  return list;
}

/// A batch without its values, for checks that do not need their type: every type would compile them anew.
struct BatchShape {
  const char* name;  ///< for messages
  std::size_t rows, columns, stride, count, step;

  template <class T>
  BatchShape(const char* of_name, const BatchView<T>& batch)
      : name(of_name),
        rows(batch.first.rows),
        columns(batch.first.columns),
        stride(batch.first.stride),
        count(batch.count),
        step(batch.step) {}
};

void check_shape(const BatchShape& batch, const char* expected, std::size_t rows, std::size_t columns,
                 std::size_t count, bool is_factor = true) {
  if (batch.rows != rows || batch.columns != columns) {
    throw Error(ErrorKind::usage, fmt::format("{} is {} x {}: {} x {} is accepted ({})", batch.name, batch.rows,
                                              batch.columns, rows, columns, expected));
  }
  if (batch.count == count || (is_factor && batch.count == 1)) return;
  throw Error(ErrorKind::usage, fmt::format("{} is a batch of {}, C of {}: as many are accepted{}", batch.name,
                                            batch.count, count, is_factor ? ", or 1" : ""));
}

/// Raises Error{usage} if a batch of entries of so many bytes is larger than memory, or if the matrices of a result
/// overlap.
void check_steps(const BatchShape& batch, std::size_t entry_bytes, bool is_result) {
  if (batch.count < 2 || batch.rows == 0 || batch.columns == 0) return;
  const std::size_t extent = (batch.rows - 1) * batch.stride + batch.columns;
  const std::size_t most = std::numeric_limits<std::size_t>::max() / entry_bytes;
  if (batch.step > (most - extent) / (batch.count - 1)) {
    throw Error(ErrorKind::usage, fmt::format("{} is a batch of {} with a step of {}: more than memory can hold",
                                              batch.name, batch.count, batch.step));
  }
  const bool in_turn = batch.step >= batch.columns && batch.stride >= (batch.count - 1) * batch.step + batch.columns;
  if (!is_result || batch.step >= extent || in_turn) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is a batch of {} with a step of {}: its matrices overlap, {} or more is "
                          "accepted",
                          batch.name, batch.count, batch.step, extent));
}

/// Raises Error{usage} if the matrices cannot be where the view says, or if those of a result overlap.
template <class T>
void check_places(const char* name, const BatchView<T>& batch, bool is_result) {
  check_view(name, batch.first);
  check_steps({name, batch}, sizeof(T), is_result);
}

void check_semiring(Semiring semiring, bool is_accepted, std::string_view type, bool is_floating_point) {
  if (!is_accepted) {
    const std::vector<std::string_view> types = types_of(semiring);  // an invalid semiring has no types
    throw Error(ErrorKind::usage, fmt::format("{} does not take {}: {} is accepted", to_string(semiring), type,
                                              types.empty() ? "none" : listed(types)));
  }
  if (semiring.modulus == 0) return;
  if (semiring.kind != Semiring::plus_times || is_floating_point) {
    throw Error(ErrorKind::usage,
                fmt::format("{} of {} takes no modulus: plus-times of u64 does", to_string(semiring), type));
  }
  if (semiring.modulus < 2 || semiring.modulus >> 32 != 0) {
    throw Error(ErrorKind::usage, fmt::format("the modulus is {}: 2 to 4294967295 is accepted", semiring.modulus));
  }
}

template <class T>
void check_semiring(Semiring semiring) {
  check_semiring(semiring, semiring.accepts<T>(), dtype_name<T>(), std::is_floating_point_v<T>);
}

/// Where a matrix begins in the matrix of which it is a part.
struct Corner {
  std::size_t row = 0, column = 0;
};

template <class T>
[[noreturn]] void reject_entry(char name, const BatchView<const T>& batch, std::size_t index, std::size_t i,
                               const Accepted<T>& accepted, const Corner& corner) {
  const MatrixView<const T> matrix = batch[index];
  std::size_t j = 0;
  while (accepted(matrix(i, j))) ++j;
  const std::string place = fmt::format("{}{}({}, {})", name, batch.count == 1 ? "" : fmt::format("[{}]", index),
                                        corner.row + i, corner.column + j);
  throw EntryError(accepted.kind_of(matrix(i, j)), fmt::format("{} is {}: {}", place, matrix(i, j), accepted.text()),
                   name);
}

/// Raises Error{overflow} or Error{input} for the first entry that is not accepted.
template <class T>
void check_entries(char name, const BatchView<const T>& batch, const Accepted<T>& accepted, Team& team,
                   const SolveMonitor& monitor, const Corner& corner = {}) {
  constexpr std::size_t entries_between_checks = 1 << 22;
  const std::size_t rows = batch.first.rows;
  if (batch.first.columns == 0) return;
  const std::size_t turns = (batch.step == 0 ? 1 : batch.count) * rows;
  std::atomic<std::size_t> bad = turns;
  team.run([&](int member) {
    PeriodicCheck ticker(monitor, entries_between_checks / batch.first.columns + 1);
    for (std::size_t turn = static_cast<std::size_t>(member); turn < bad;
         turn += static_cast<std::size_t>(team.size())) {
      ticker.tick();
      if (!accepted.inspect(batch[turn / rows].row(turn % rows), batch.first.columns).refused) continue;
      for (std::size_t first = bad; turn < first && !bad.compare_exchange_weak(first, turn);) {
      }
    }
  });
  if (bad < turns) reject_entry(name, batch, bad / rows, bad % rows, accepted, corner);
}

/// A batch of that size without its values.
template <class T>
AccumulationBatch<T> without_numbers(Semiring semiring, const ProductSize& size, bool argmin) {
  static std::uint32_t somewhere = 0;
  return {semiring, batch_of<const T>(nullptr, size.count, size.m, size.p),
          batch_of<const T>(nullptr, size.count, size.p, size.n), batch_of<T>(nullptr, size.count, size.m, size.n),
          batch_of(argmin ? &somewhere : nullptr, size.count, size.m, size.n)};
}

}  // namespace

template <class T>
Estimate estimate(Semiring semiring, const ProductSize& size, bool argmin, const Options& options) {
  check_semiring<T>(semiring);
  const AccumulationBatch<T> batch = without_numbers<T>(semiring, size, argmin);
  Estimate expected = estimate_by(std::span(backends<T>()), batch, options);
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (semiring.modulus == 0 && size.count > 0) {  // if a number might not fit, it is counted in f64 as well
      expected.worst_case =
          ResourceEstimate{expected.algorithm, 2 * expected.seconds, expected.bytes + count_bytes(batch[0])};
    }
  }
  return expected;
}

template <class T>
void validate(Semiring semiring, const ProductSize& size, const Options& options) {
  check_semiring<T>(semiring);
  const AccumulationBatch<T> batch = without_numbers<T>(semiring, size, false);
  static_cast<void>(device_of(backend_for(std::span(backends<T>()), batch, options).info, options.device));
}

template <class T>
void check_entries(char name, Semiring semiring, const MatrixView<const T>& part, const Options& options,
                   std::size_t row, std::size_t column) {
  Team team(part.rows * part.columns < results_worth_threads ? 1 : thread_count(options.threads));
  check_entries<T>(name, {part}, Accepted<T>(semiring, name == 'C'), team, SolveMonitor(options, 0), {row, column});
}

template <class T>
void check_entries(const AccumulationBatch<T>& batch, const Options& options) {
  if (batch.is_checked) return;
  const std::size_t results = batch.c.count * batch.c.first.rows * batch.c.first.columns;
  Team team(results < results_worth_threads ? 1 : thread_count(options.threads));
  const SolveMonitor monitor(options, 0);
  check_entries('A', batch.a, Accepted<T>(batch.semiring, false), team, monitor);
  check_entries('B', batch.b, Accepted<T>(batch.semiring, false), team, monitor);
  check_entries<T>('C', batch.c, Accepted<T>(batch.semiring, true), team, monitor);
}

template <class T>
void restoring(const AccumulationBatch<T>& batch, Context& context, const std::function<void()>& accumulate) {
  const auto for_each_row = [&](const auto& action) {
    const std::size_t rows = batch.c.first.rows;
    for (std::size_t at = 0; at < batch.c.count * rows; ++at) {
      action(batch.c[at / rows].row(at % rows), at * batch.c.first.columns);
    }
  };
  if (!batch.argmin.first.data || context.options.device.kind != Device::Kind::automatic) return accumulate();
  const Budget::Reservation taken =
      context.budget.reserve(batch.c.count * batch.c.first.rows * batch.c.first.columns, sizeof(T));
  std::vector<T> before;
  before.reserve(taken.bytes() / sizeof(T));
  for_each_row([&](const T* row, std::size_t) { before.insert(before.end(), row, row + batch.c.first.columns); });
  try {
    accumulate();
  } catch (...) {
    for_each_row([&](T* row, std::size_t first) { std::copy_n(&before[first], batch.c.first.columns, row); });
    throw;
  }
}

template <class T>
Report accumulate_batch(Semiring semiring, std::type_identity_t<BatchView<const T>> a,
                        std::type_identity_t<BatchView<const T>> b, BatchView<T> c, const Options& options,
                        BatchView<std::uint32_t> argmin) {
  check_semiring<T>(semiring);
  if (a.first.columns >= unchanged) {
    throw Error(ErrorKind::usage,
                fmt::format("A has {} columns: less than {} are accepted", a.first.columns, unchanged));
  }
  check_shape({"A", a}, "rows of C, columns of A", c.first.rows, a.first.columns, c.count);
  check_shape({"B", b}, "rows of B = columns of A", a.first.columns, c.first.columns, c.count);
  check_places("A", a, false);
  check_places("B", b, false);
  check_places("C", c, true);
  if (argmin.first.data) {
    check_shape({"argmin", argmin}, "the shape of C", c.first.rows, c.first.columns, c.count, false);
    check_places("argmin", argmin, true);
    if (!semiring.is_selective()) {
      throw Error(ErrorKind::usage, fmt::format("{} chooses no term: it has no argmin", to_string(semiring)));
    }
  } else {
    argmin = {};  // a step from null would be taken for a valid address
  }
  if (a.count == 1) a.step = 0;
  if (b.count == 1) b.step = 0;
  const AccumulationBatch<T> batch{semiring, a, b, c, argmin, false};
  const auto start = std::chrono::steady_clock::now();
  const bool is_empty = c.first.rows == 0 || c.first.columns == 0;  // the number of rows may be huge
  const std::size_t results = is_empty ? 0 : c.count * c.first.rows * c.first.columns;
  if (results == 0) return report_of_nothing(std::span(backends<T>()), batch, options);
  Report report = solve_by(std::span(backends<T>()), batch, batch, options).report;
  // Checks count as preparation, and a GPU's transfers.
  report.prepare_seconds = seconds_since(start) - report.solve_seconds;
  return report;
}

template <class T>
Report accumulate(Semiring semiring, std::type_identity_t<MatrixView<const T>> a,
                  std::type_identity_t<MatrixView<const T>> b, MatrixView<T> c, const Options& options,
                  MatrixView<std::uint32_t> argmin) {
  return accumulate_batch<T>(semiring, {a}, {b}, {c}, options, {argmin});
}

template <class T>
Outcome<Product<T>> multiply(Semiring semiring, MatrixView<const T> a, std::type_identity_t<MatrixView<const T>> b,
                             const Options& options, bool with_argmin) {
  check_semiring<T>(semiring);
  Budget budget(options);
  const std::size_t entry_bytes = sizeof(T) + (with_argmin ? sizeof(std::uint32_t) : 0);
  const Budget::Reservation taken = budget.reserve(a.rows, bytes_of(b.columns, entry_bytes));
  const SolveMonitor monitor(options, 0);
  Product<T> product{filled_matrix(a.rows, b.columns, semiring.zero<T>(), monitor), {}};
  if (with_argmin) product.argmin = filled_matrix(a.rows, b.columns, unchanged, monitor);
  Options within = options;
  within.budget = &budget;
  Report report = accumulate<T>(semiring, a, b, product.values.view(), within,
                                with_argmin ? product.argmin.view() : MatrixView<std::uint32_t>());
  report.peak_bytes = budget.peak();
  return {std::move(product), report};
}

std::vector<AlgorithmInfo> algorithms() { return infos(backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                                      \
  template void restoring(const AccumulationBatch<T>&, Context&, const std::function<void()>&);                      \
  template void check_entries(const AccumulationBatch<T>&, const Options&);                                          \
  template void validate<T>(Semiring, const ProductSize&, const Options&);                                           \
  template void check_entries(char, Semiring, const MatrixView<const T>&, const Options&, std::size_t, std::size_t); \
  template Estimate estimate<T>(Semiring, const ProductSize&, bool, const Options&);                                 \
  template Report accumulate_batch(Semiring, BatchView<const T>, BatchView<const T>, BatchView<T>, const Options&,   \
                                   BatchView<std::uint32_t>);                                                        \
  template Report accumulate(Semiring, MatrixView<const T>, MatrixView<const T>, MatrixView<T>, const Options&,      \
                             MatrixView<std::uint32_t>);                                                             \
  template Outcome<Product<T>> multiply(Semiring, MatrixView<const T>, MatrixView<const T>, const Options&, bool);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus
