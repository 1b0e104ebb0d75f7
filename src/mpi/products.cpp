#include "warpfold/mpi/products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "minplus/backends.hpp"
#include "minplus/count.hpp"
#include "mpi/steps.hpp"
#include "mpi/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::mpi {

namespace {

using minplus::ProductSize;
using minplus::Semiring;

/// The options of this rank's products: at most one GPU, and only if the caller asked for one.
Options options_of_rank(const Options& options, int place, Budget& budget) {
  Options own = options;
  own.budget = &budget;
  if (own.device.kind == Device::Kind::automatic) own.device.kind = Device::Kind::cpu;
  if (!own.device.is_several()) return own;
  std::vector<int> gpus = find_gpus(own.device).more;
  gpus.insert(gpus.begin(), find_gpus(own.device).index);
  own.device = {Device::Kind::cuda, gpus[static_cast<std::size_t>(place) % gpus.size()]};
  return own;
}

/// This rank's part of a product.
template <class T>
struct RankProduct {
  Semiring semiring;
  ProductSize size;
  MatrixView<const T> a, b;
  MatrixView<T> c;
  MatrixView<std::uint32_t> argmin;
  Block place;  ///< this rank's block of C
};

template <class T>
void check_block(const char* name, const MatrixView<T>& block, const Block& expected) {
  check_view(name, block);
  if (block.rows == expected.rows.size() && block.columns == expected.columns.size()) return;
  throw Error(ErrorKind::usage, fmt::format("the block of {} is {} x {}: {} x {} is accepted from this rank", name,
                                            block.rows, block.columns, expected.rows.size(), expected.columns.size()));
}

template <class T>
void check(const RankProduct<T>& part, const Grid& grid, const Options& options) {
  const auto& [m, p, n, count] = part.size;
  if (count != 1) throw Error(ErrorKind::usage, fmt::format("{} products: ranks share one", count));
  minplus::validate<T>(part.semiring, {part.c.rows, p, part.c.columns}, options);
  if (part.argmin.data && !part.semiring.is_selective()) {
    throw Error(ErrorKind::usage, fmt::format("{} chooses no term: it has no argmin", to_string(part.semiring)));
  }
  const Block of_a = grid.block(m, p), of_b = grid.block(p, n);
  check_block("A", part.a, of_a);
  check_block("B", part.b, of_b);
  check_block("C", part.c, part.place);
  if (part.argmin.data) check_block("argmin", part.argmin, part.place);
  minplus::check_entries<T>('A', part.semiring, part.a, options, of_a.rows.first, of_a.columns.first);
  minplus::check_entries<T>('B', part.semiring, part.b, options, of_b.rows.first, of_b.columns.first);
  minplus::check_entries<T>('C', part.semiring, part.c, options, part.place.rows.first, part.place.columns.first);
}

/// C and argmin += A (x) B on this rank alone. Its terms are numbered from `first` on.
template <class T>
Report accumulate_panel(const RankProduct<T>& part, const MatrixView<const T>& a, const MatrixView<const T>& b,
                        std::size_t first, MatrixView<std::uint32_t> found, const Options& options) try {
  Report report = minplus::accumulate<T>(part.semiring, a, b, part.c, options, found);
  for (std::size_t i = 0; found.data && i < found.rows; ++i) {
    for (std::size_t j = 0; j < found.columns; ++j) {
      if (found(i, j) != minplus::unchanged) part.argmin(i, j) = static_cast<std::uint32_t>(first + found(i, j));
    }
  }
  return report;
} catch (const minplus::CountError& error) {
  throw error.in_whole(part.place.rows.first, part.place.columns.first);
}

/// A panel: some columns of A's blocks in a row of ranks, and as many rows of B's blocks in a column. It is this rank's
/// own or received.
template <class T>
class Panel {
 public:
  Panel(const Grid& grid, const RankProduct<T>& part, std::size_t max_terms)
      : grid_(grid), part_(part), a_room_(part.c.rows * max_terms), b_room_(max_terms * part.c.columns) {}
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  [[nodiscard]] static std::size_t bytes(const RankProduct<T>& part, std::size_t max_terms) {
    return bytes_of(part.c.rows + part.c.columns, bytes_of(max_terms, sizeof(T)));
  }

  void start(const Range& terms) {
    const std::size_t p = part_.size.p;
    const int column = owner_of(terms.first, p, grid_.columns()), row = owner_of(terms.first, p, grid_.rows());
    const Range of_column = part_of(p, grid_.columns(), column), of_row = part_of(p, grid_.rows(), row);
    a_ = {a_room_.data(), part_.c.rows, terms.size(), terms.size()};
    b_ = {b_room_.data(), terms.size(), part_.c.columns, part_.c.columns};
    if (grid_.row().rank() == column)
      a_ = within(part_.a, 0, terms.first - of_column.first, part_.c.rows, terms.size());
    if (grid_.column().rank() == row)
      b_ = within(part_.b, terms.first - of_row.first, 0, terms.size(), part_.c.columns);
    requests_[0] = broadcast(a_, column, grid_.row());
    requests_[1] = broadcast(b_, row, grid_.column());
  }
  /// Lets MPI make progress.
  void test() {
    int all = 0;
    MPI_Testall(2, requests_.data(), &all, MPI_STATUSES_IGNORE);
  }
  void wait() { MPI_Waitall(2, requests_.data(), MPI_STATUSES_IGNORE); }

  [[nodiscard]] const MatrixView<const T>& a() const { return a_; }
  [[nodiscard]] const MatrixView<const T>& b() const { return b_; }

 private:
  static MatrixView<const T> within(const MatrixView<const T>& whole, std::size_t row, std::size_t column,
                                    std::size_t rows, std::size_t columns) {
    return Block{{row, row + rows}, {column, column + columns}}.of(whole);
  }
  /// const_cast, because MPI takes the sender's numbers as if it wrote them, too.
  static MPI_Request broadcast(const MatrixView<const T>& matrix, int from, const Communicator& ranks) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(const_cast<T*>(matrix.data), static_cast<int>(matrix.rows), RowType(matrix).get(), from, ranks.get(),
               &request);
    return request;
  }

  const Grid& grid_;
  const RankProduct<T>& part_;
  std::vector<T> a_room_, b_room_;
  MatrixView<const T> a_, b_;
  std::array<MPI_Request, 2> requests_ = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// The terms of each panel in order. One rank owns all columns of A of a panel, and one all rows of B.
std::vector<Range> panels_of(std::size_t p, const Grid& grid, std::size_t max_terms) {
  std::vector<Range> panels;
  for (std::size_t first = 0; first < p; first = panels.back().end) {
    const std::size_t of_a = part_of(p, grid.columns(), owner_of(first, p, grid.columns())).end;
    const std::size_t of_b = part_of(p, grid.rows(), owner_of(first, p, grid.rows())).end;
    panels.push_back({first, std::min({first + max_terms, of_a, of_b})});
  }
  return panels;
}

/// Computes a rank's part by panels. The next panel is received while one is multiplied.
template <class T>
class Summa {
 public:
  Summa(const RankProduct<T>& part, const Grid& grid, const Options& options, std::size_t max_terms)
      : part_(part),
        options_(options),
        panels_(panels_of(part.size.p, grid, max_terms)),
        taken_(options.budget->reserve(bytes(part, max_terms))),
        rooms_{Panel<T>(grid, part, max_terms), Panel<T>(grid, part, max_terms)},
        found_(part.argmin.data ? part.c.rows : 0, part.c.columns),
        steps_(grid.all()) {}

  Report run() {
    if (!panels_.empty()) rooms_[0].start(panels_[0]);
    for (std::size_t step = 0; step < panels_.size(); ++step) {
      rooms_[step % 2].wait();
      if (step > 0 && steps_.any_stopped()) break;
      if (step + 1 < panels_.size()) {
        rooms_[(step + 1) % 2].start(panels_[step + 1]);
        steps_.ask();
      }
      steps_.attempt([&] { multiply(step); });
    }
    steps_.raise();
    return report_;
  }

 private:
  static std::size_t bytes(const RankProduct<T>& part, std::size_t max_terms) {
    const std::size_t found = part.argmin.data ? part.c.rows * part.c.columns * sizeof(std::uint32_t) : 0;
    return sum_of_bytes(bytes_of(2, Panel<T>::bytes(part, max_terms)), found);
  }

  void multiply(std::size_t step) {
    const Panel<T>& panel = rooms_[step % 2];
    Panel<T>& next = rooms_[(step + 1) % 2];
    const double terms_each = static_cast<double>(part_.c.rows) * static_cast<double>(part_.c.columns);
    Options within = options_;
    within.progress = [&](const Progress& progress) {
      next.test();
      const double before = static_cast<double>(panels_[step].first) * terms_each;
      const double all = static_cast<double>(part_.size.p) * terms_each;
      if (options_.progress) options_.progress({before + progress.done, all});
    };
    const MatrixView<std::uint32_t> found = part_.argmin.data ? found_.view() : MatrixView<std::uint32_t>();
    add_part(report_, accumulate_panel(part_, panel.a(), panel.b(), panels_[step].first, found, within));
  }

  const RankProduct<T>& part_;
  const Options& options_;
  std::vector<Range> panels_;
  Budget::Reservation taken_;
  std::array<Panel<T>, 2> rooms_;
  Matrix<std::uint32_t> found_;  ///< argmin of a panel
  Steps steps_;
  Report report_;
};

template <class T>
void check_factors(Semiring semiring, const MatrixView<const T>& a, const MatrixView<const T>& b,
                   const Options& options) {
  check_view("A", a);
  check_view("B", b);
  if (a.columns != b.rows) {
    throw Error(ErrorKind::usage, fmt::format("B has {} where A has {}: as many are accepted", quantity(b.rows, "row"),
                                              quantity(a.columns, "column")));
  }
  minplus::validate<T>(semiring, {a.rows, a.columns, b.columns}, options);
}

/// Computes this rank's block of the product of A and B, which this rank has in full.
template <class T>
Report accumulate_block(Semiring semiring, const MatrixView<const T>& a, const MatrixView<const T>& b, const Grid& grid,
                        minplus::Product<T>& product, bool with_argmin, const Options& options) {
  const ProductSize size{a.rows, a.columns, b.columns};
  const Block block = grid.block(size.m, size.n), rows{block.rows, {0, size.p}}, columns{{0, size.p}, block.columns};
  const auto argmin = with_argmin ? block.of(product.argmin.view()) : MatrixView<std::uint32_t>();
  const RankProduct<T> part{semiring, size, rows.of(a), columns.of(b), block.of(product.values.view()), argmin, block};
  return accumulate_panel(part, part.a, part.b, 0, argmin, options);
}

/// Stops all ranks if one has stopped. If an entry is the reason, all find it and name its place in the whole matrix.
template <class T>
void stop_together(Steps& steps, Semiring semiring, const MatrixView<const T>& a, const MatrixView<const T>& b,
                   const Grid& grid, const Options& options) {
  steps.ask();
  if (!steps.any_stopped()) return;
  together(grid.all(), [&] {
    minplus::check_entries<T>('A', semiring, a, options);
    minplus::check_entries<T>('B', semiring, b, options);
  });
  steps.raise();
}

/// Sends every rank's block of the product to all others.
template <class T>
void share_product(const Grid& grid, minplus::Product<T>& product, bool with_argmin) {
  const auto block_of = [&](int rank) { return grid.block_of(rank, product.values.rows(), product.values.columns()); };
  share_blocks(grid.all(), product.values.view(), block_of);
  if (with_argmin) share_blocks(grid.all(), product.argmin.view(), block_of);
}

/// Completes the report with the values of all ranks.
void complete_report(Report& report, std::chrono::steady_clock::time_point start, const Grid& grid,
                     const Budget& budget) {
  report.prepare_seconds = 0;
  report.solve_seconds = seconds_since(start);
  report.peak_bytes = largest(grid.all(), budget.peak());
}

}  // namespace

template <class T>
Report accumulate(Semiring semiring, const ProductSize& size, std::type_identity_t<MatrixView<const T>> a,
                  std::type_identity_t<MatrixView<const T>> b, MatrixView<T> c, MPI_Comm comm, const Options& options,
                  MatrixView<std::uint32_t> argmin) {
  const auto start = std::chrono::steady_clock::now();
  const Grid grid(comm);
  const int place = on_host(grid.all()).place;
  const RankProduct<T> part{semiring, size, a, b, c, argmin, grid.block(size.m, size.n)};
  Budget budget(options);
  Options own;
  together(grid.all(), [&] {
    own = options_of_rank(options, place, budget);
    check(part, grid, own);
  });
  for (std::size_t i = 0; argmin.data && i < argmin.rows; ++i) {
    std::fill_n(argmin.row(i), argmin.columns, minplus::unchanged);
  }
  const bool on_gpu = own.device.kind == Device::Kind::cuda;
  const std::size_t max_terms = std::min(largest(grid.all(), on_gpu ? gpu_panel_terms : panel_terms), size.p);
  std::optional<Summa<T>> summa;
  Report report;
  together(grid.all(), [&] {
    if (size.p == 0) report = accumulate_panel(part, a, b, 0, argmin, own);
    summa.emplace(part, grid, own, max_terms);
  });
  if (size.p > 0) report = summa->run();
  complete_report(report, start, grid, budget);
  return report;
}

template <class T>
Outcome<minplus::Product<T>> multiply(Semiring semiring, MatrixView<const T> a,
                                      std::type_identity_t<MatrixView<const T>> b, MPI_Comm comm,
                                      const Options& options, bool with_argmin) {
  const auto start = std::chrono::steady_clock::now();
  const Grid grid(comm);
  const int place = on_host(grid.all()).place;
  Budget budget(options);
  Budget::Reservation taken;
  Options own;
  minplus::Product<T> product;
  together(grid.all(), [&] {
    own = options_of_rank(options, place, budget);
    check_factors<T>(semiring, a, b, own);
    taken = budget.reserve(a.rows, bytes_of(b.columns, sizeof(T) + (with_argmin ? sizeof(std::uint32_t) : 0)));
    product.values = {a.rows, b.columns, semiring.zero<T>()};
    if (with_argmin) product.argmin = {a.rows, b.columns, minplus::unchanged};
  });
  Report report;
  Steps steps(grid.all());
  steps.attempt([&] { report = accumulate_block<T>(semiring, a, b, grid, product, with_argmin, own); });
  stop_together<T>(steps, semiring, a, b, grid, own);
  share_product(grid, product, with_argmin);
  complete_report(report, start, grid, budget);
  return {std::move(product), std::move(report)};
}

#define WARPFOLD_INSTANTIATE(T)                                                                                     \
  template Report accumulate(Semiring, const ProductSize&, MatrixView<const T>, MatrixView<const T>, MatrixView<T>, \
                             MPI_Comm, const Options&, MatrixView<std::uint32_t>);                                  \
  template Outcome<minplus::Product<T>> multiply(Semiring, MatrixView<const T>, MatrixView<const T>, MPI_Comm,      \
                                                 const Options&, bool);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::mpi
