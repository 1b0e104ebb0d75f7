#pragma once

#include "interval/user/grammar_outside.cuh"
#include "interval/user/prefix_outside.cuh"
#include "warpfold/interval/grammar.cuh"
#include "warpfold/interval/marginals.hpp"

/// The marginals of a user's grammar of sums (marginals.hpp) on a GPU, in a file that nvcc compiles. Link with
/// warpfold::gpu.
namespace warpfold::interval::cuda {

namespace detail {

/// The outside pass of a grammar whose sums are on the current device. Seed: a struct of numbers and pointers to device
/// memory, whose Scaled operator()(table, i, j) runs there: the derivative of ln Z by a value apart from the grammar's
/// own terms.
template <class G, class Seed>
class OutsideSolve {
 public:
  using Rules = device::OutsideRules<G, Seed>;
  using Area = device::OutsideArea<G>;

  /// `wanted`: for each result, max_results at most, the tables whose marginals are added. `reach`: the most points
  /// that `inside` leaves out on a side. Raises Error{usage} for more than device::max_reach.
  OutsideSolve(const G& grammar, const DeviceGrammarTables<G>& tables, std::span<const std::vector<unsigned>> wanted,
               const Seed& seed, std::size_t reach)
      : grammar_(grammar),
        tables_(tables),
        seed_(seed),
        wanted_(wanted.begin(), wanted.end()),
        rim_{static_cast<int>(std::min<std::size_t>(reach, device::max_reach))},
        along_(tile_count(tables.points(), device::tile_side)),
        blocks_(blocks(along_)),
        weights_(grammar),
        transposed_(products * tables.size_of_table()),
        results_(wanted.size() * tables.size_of_table()),
        sums_(along_ * products * 2 * tile),
        rims_(3 * along_ * table_count<G> * static_cast<std::size_t>(rim_.size())),
        of_stencils_(3 * along_ * stencils * tile),
        parts_(closes_itself ? 0 : blocks_ * parts_of_block(rim_)),
        areas_(closes_itself || is_shared() ? 0 : blocks_ * Area::size),
        tops_(tiles::tiles_in_table(along_) * products),
        reads_(closes_itself ? 0 : blocks_ * reads_of_block),
        misfit_(1) {}

  /// The bytes of the device for so many results.
  static std::size_t bytes(std::size_t points, std::size_t results, std::size_t reach) {
    const device::OutsideRim rim{static_cast<int>(reach)};
    const std::size_t along = tile_count(points, device::tile_side), all = blocks(along);
    const std::size_t of_tile = products * 2 * tile + 3 * (table_count<G> * rim.size() + stencils * tile);
    const std::size_t of_block = parts_of_block(rim) + Area::size;  // the area may be in shared memory
    const std::size_t values =
        (products + results) * table_size(points, device::tile_side) + along * of_tile + all * of_block;
    return values * sizeof(double) + tiles::tiles_in_table(along) * products * sizeof(int) +
           all * reads_of_block * sizeof(ReadTerm) + SumWeights<G>::bytes();
  }

  /// Computes the results.
  void run(SolveMonitor& monitor, double operations) {
    const warpfold::cuda::Stream stream;
    if (parts_.bytes() > 0) {
      check(cudaMemsetAsync(parts_.data(), 0, parts_.bytes(), stream.get()), "clear its memory");
    }
    check(cudaMemsetAsync(misfit_.data(), 0xff, misfit_.bytes(), stream.get()), "clear its memory");
    const Rules rules = rules_on_device();
    reserve_shared();
    if constexpr (closes_itself) {
      device::list_seeds<G, Seed>
          <<<static_cast<unsigned>(tiles::tiles_in_table(along_)), device::outside_threads, 0, stream.get()>>>(rules);
    }
    for (std::size_t distance = along_; distance-- > 0;) {
      const auto tiles_there = static_cast<unsigned>(along_ - distance), at = static_cast<unsigned>(distance);
      if constexpr (products > 0) {
        add_products(rules, at, tiles_there, stream.get());
      }
      close(rules, at, tiles_there, stream.get());
      warpfold::cuda::check_launch("start the marginals");
      if (distance % launches_ahead == 0) {
        stream.synchronize();
        monitor.check();
      }
      monitor.advance(operations / static_cast<double>(along_));
    }
    check_fit();
  }

  /// Copies a result to the host.
  void copy_result(std::size_t result, double* to, const Options& options) const {
    const SolveMonitor monitor(options, 0);
    const MatrixView<double> all{to, 1, tables_.size_of_table(), 0};
    warpfold::cuda::download(result_data(result), warpfold::cuda::rows_of(all), options.threads, monitor);
  }
  /// A result on the device: the entry of (i,j) is at entry_offset(i, j, 64).
  [[nodiscard]] const double* result_data(std::size_t result) const {
    return results_.data() + result * tables_.size_of_table();
  }

 private:
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  using ReadTerm = interval::detail::ReadTerm;
  static constexpr std::size_t products = Area::products, stencils = Area::stencils, tile = Area::Base::tile;
  static constexpr std::size_t reads_of_block = std::size_t{4} * device::max_reads * device::tile_side;
  static constexpr int few_columns = 16;            ///< of a tile, for diagonals of few tiles
  static constexpr std::size_t launches_ahead = 8;  ///< diagonals that the host starts before it waits

  static void check(cudaError_t status, const char* action) { warpfold::cuda::check(status, action); }
  static constexpr bool closes_itself = device::ClosesOutside<G>;

  static bool is_shared() { return Area::is_shared(warpfold::cuda::capability_of(device::close_outside<G, Seed>)); }
  static std::size_t shared_bytes() {
    if constexpr (closes_itself) return G::outside_bytes;
    return is_shared() ? Area::size * sizeof(double) : 0;
  }
  static void reserve_shared() {
    if constexpr (products > 0) {
      warpfold::cuda::reserve_shared(device::outside_products<G, Seed, few_columns>,
                                     device::OutsideChunk<few_columns>::bytes);
      warpfold::cuda::reserve_shared(device::outside_products<G, Seed, device::tile_side>,
                                     device::OutsideChunk<device::tile_side>::bytes);
    }
    if constexpr (closes_itself) {
      warpfold::cuda::reserve_shared(device::close_outside_by_grammar<G, Seed>, shared_bytes());
    } else if (shared_bytes() > 0) {
      warpfold::cuda::reserve_shared(device::close_outside<G, Seed>, shared_bytes());
    }
  }
  /// Starts the products of a diagonal's tiles, in parts if there are few of them.
  static void add_products(const Rules& rules, unsigned distance, unsigned tiles_there, cudaStream_t stream) {
    constexpr int side = device::tile_side;
    if (tiles_there < device::few_tiles) {
      device::outside_products<G, Seed, few_columns>
          <<<dim3(tiles_there, 2 * products, side / few_columns), device::block_threads,
             device::OutsideChunk<few_columns>::bytes, stream>>>(rules, distance);
    } else {
      device::outside_products<G, Seed, side>
          <<<dim3(tiles_there, 2 * products), device::block_threads, device::OutsideChunk<side>::bytes, stream>>>(
              rules, distance);
    }
  }
  /// Starts the closing of a diagonal's tiles.
  void close(const Rules& rules, unsigned distance, unsigned tiles_there, cudaStream_t stream) const {
    if constexpr (closes_itself) {
      device::close_outside_by_grammar<G, Seed>
          <<<tiles_there, G::outside_threads, shared_bytes(), stream>>>(rules, distance);
    } else {
      device::close_outside<G, Seed>
          <<<std::min(tiles_there, static_cast<unsigned>(blocks_)), device::outside_threads, shared_bytes(), stream>>>(
              rules, distance);
    }
  }
  static std::size_t parts_of_block(const device::OutsideRim& rim) {
    return table_count<G> * static_cast<std::size_t>(rim.parts());
  }
  static std::size_t blocks(std::size_t along) { return std::min<std::size_t>(along, Rules::max_blocks); }

  [[nodiscard]] Rules rules_on_device() const {
    Rules rules{.grammar = grammar_,
                .seed = seed_,
                .points = static_cast<unsigned>(tables_.points()),
                .along = static_cast<unsigned>(along_),
                .tables = tables_.data(),
                .table_size = tables_.size_of_table(),
                .exponents = tables_.exponents(),
                .transposed = transposed_.data(),
                .tops = tops_.data(),
                .products = sums_.data(),
                .rims = rims_.data(),
                .of_stencils = of_stencils_.data(),
                .parts = parts_.data(),
                .reads = reads_.data(),
                .areas = areas_.data(),
                .weights = weights_.lists(),
                .rim = rim_,
                .results = results_.data(),
                .wanted = {},
                .result_count = static_cast<unsigned>(wanted_.size()),
                .misfit = misfit_.data()};
    for (std::size_t result = 0; result < wanted_.size(); ++result) {
      for (const unsigned table : wanted_[result]) rules.wanted[result] |= 1U << table;
    }
    return rules;
  }
  void check_fit() const {
    GrammarMisfit misfit{};
    check(cudaMemcpy(&misfit.code, misfit_.data(), sizeof misfit.code, cudaMemcpyDeviceToHost), "send its result");
    if (misfit.code == GrammarMisfit::none) return;
    if (misfit.kind() == GrammarMisfit::nothing_inside) interval::detail::reject_inside_of_nothing();
    throw Error(ErrorKind::usage, "marginals of interval " + interval::detail::interval_text(misfit.i(), misfit.j()) +
                                      " on a GPU: up to " + std::to_string(device::max_reads) +
                                      " terms that read up to " + std::to_string(rim_.reach) +
                                      " points inside on a side are accepted");
  }

  G grammar_;
  const DeviceGrammarTables<G>& tables_;
  Seed seed_;
  std::vector<std::vector<unsigned>> wanted_;
  device::OutsideRim rim_;
  std::size_t along_, blocks_;
  SumWeights<G> weights_;
  Buffer<double> transposed_, results_, sums_, rims_, of_stencils_, parts_, areas_;
  Buffer<int> tops_;
  Buffer<ReadTerm> reads_;
  Buffer<unsigned long long> misfit_;
};

/// The derivative of ln Z by the value of the whole.
struct WholeSeed {
  Scaled of_whole;
  unsigned table, last;

  [[nodiscard]] constexpr Scaled operator()(unsigned t, unsigned i, unsigned j) const {
    return t == table && i == 0 && j == last ? of_whole : Scaled();
  }
};

/// The outside values of the prefix tables of a grammar of sums.
template <class G>
class PrefixOutsideSolve {
 public:
  PrefixOutsideSolve(const G& grammar, const DeviceGrammarTables<G>& tables)
      : points_(tables.points()),
        totals_(prefix_count<G> * points_),
        of_sums_(device::prefix_sum_count<G> * points_),
        rules_{.inside = {.grammar = grammar,
                          .points = static_cast<unsigned>(points_),
                          .tables = tables.data(),
                          .table_size = tables.size_of_table(),
                          .exponents = tables.exponents(),
                          .prefixes = tables.prefixes(),
                          .totals = nullptr,
                          .misfit = nullptr},
               .totals = totals_.data(),
               .of_sums = of_sums_.data()} {}

  static std::size_t bytes(std::size_t points) {
    return points * (prefix_count<G> * sizeof(ScaledTotal) + device::prefix_sum_count<G> * sizeof(Scaled));
  }

  /// `seed`: the derivative of ln Z by the value of the whole.
  void run(const Scaled& seed, const SolveMonitor& monitor) {
    const warpfold::cuda::Stream stream;
    plant(seed);
    for (auto block = static_cast<unsigned>(tile_count(points_, device::tile_side)); block-- > 0;) {
      device::finish_outside_points<G><<<1, device::tile_side, 0, stream.get()>>>(rules_, block);
      if (block > 0) device::give_outside_points<G><<<block, device::tile_side, 0, stream.get()>>>(rules_, block);
      warpfold::cuda::check_launch("start the marginals");
      if (block % launches_ahead == 0) stream.synchronize();
      monitor.check();
    }
  }

  [[nodiscard]] const device::PrefixOutsideRules<G>& rules() const { return rules_; }
  /// The derivatives of ln Z by F(prefix,j), for all j.
  [[nodiscard]] std::vector<Scaled> by_prefix(unsigned prefix) const {
    std::vector<ScaledTotal> totals(points_);
    warpfold::cuda::check(cudaMemcpy(totals.data(), totals_.data() + prefix * points_, points_ * sizeof(ScaledTotal),
                                     cudaMemcpyDeviceToHost),
                          "send the marginals");
    std::vector<Scaled> all;
    for (const ScaledTotal& total : totals) all.push_back(total.total());
    return all;
  }

 private:
  static constexpr unsigned launches_ahead = 8;  ///< blocks that the host starts before it waits

  /// Sets the totals: that of the whole to the seed, if it is a prefix table's value, and all others to 0.
  void plant(const Scaled& seed) {
    std::vector<ScaledTotal> totals(totals_.size());
    constexpr unsigned start = interval::detail::start_of<G>();
    if constexpr (start >= table_count<G>) totals[(start - table_count<G> + 1) * points_ - 1].add(seed);
    warpfold::cuda::check(cudaMemcpy(totals_.data(), totals.data(), totals_.bytes(), cudaMemcpyHostToDevice),
                          "receive a list");
    warpfold::cuda::check(cudaStreamSynchronize(nullptr), "receive a list");
  }

  std::size_t points_;
  warpfold::cuda::Buffer<ScaledTotal> totals_;
  warpfold::cuda::Buffer<Scaled> of_sums_;
  device::PrefixOutsideRules<G> rules_;
};

/// The derivative of ln Z by T(table,i,j) of a grammar with prefix tables, apart from the terms of tables.
template <class G>
struct PrefixSeed {
  WholeSeed whole;
  device::PrefixOutsideRules<G> rules;

  [[nodiscard]] __device__ Scaled operator()(unsigned t, unsigned i, unsigned j) const {
    Scaled all = whole(t, i, j);
    if (!all.is_zero()) return all;
    device::each_number<device::prefix_sum_count<G>>([&](auto s) {
      constexpr PrefixSum sum = interval::detail::prefix_sums_of<G>()[s];
      if (sum.right != t) return;
      const Scaled outside = rules.by_sum(s, j) * rules.inside.prefixes[sum.left * rules.inside.points + i];
      if (!outside.is_zero()) all = all + outside * Scaled(rules.inside.join(s, i, j));
    });
    return all;
  }
};

/// The marginals of a table, with a derivative of ln Z by each value.
template <class G, class Seed>
IntervalTable<double> seeded_marginals(const G& grammar, const DeviceGrammarTables<G>& tables, unsigned table,
                                       const Seed& seed, Context& context) {
  using Solve = OutsideSolve<G, Seed>;
  context.take_device_memory(Solve::bytes(tables.points(), 1, device::max_reach));
  const std::vector<unsigned> wanted = {table};
  Solve solve(grammar, tables, {&wanted, 1}, seed, device::max_reach);
  const double operations = 2 * interval::detail::GrammarSolver<G>::operations(tables.points());
  SolveMonitor monitor(context.options, operations);
  solve.run(monitor, operations);
  IntervalTable<double> found(tables.points(), TableMeaning<double>::of<typename G::Semiring>());
  solve.copy_result(0, found.tile(0, 0), context.options);
  return found;
}

/// The outside values of the prefix tables of a solved grammar, whose whole is not 0.
template <class G>
PrefixOutsideSolve<G> outside_of_prefixes(const G& grammar, const DeviceGrammarTables<G>& tables, Context& context) {
  context.take_device_memory(PrefixOutsideSolve<G>::bytes(tables.points()));
  PrefixOutsideSolve<G> outside(grammar, tables);
  outside.run(Scaled(1) / tables.value(), SolveMonitor(context.options, 0));
  return outside;
}

}  // namespace detail

/// The marginals of a table as interval::marginals computes them, with the same bits, on the GPU that has the tables.
/// The result is on the host.
///
/// Raises Error{infeasible} if Z is 0; Error{usage} for an interval with more than 640 terms that read another, or with
/// a term that reads more than 31 points inside it on a side; Error{memory_limit}, Error{time_limit} and
/// Error{cancelled} as the options ask.
///
/// Cost: n^3/3 operations for each product. Memory of the GPU: n*n/2 values for each product and for the result, and
/// some 16 MB for each block.
template <class G>
[[nodiscard]] Outcome<IntervalTable<double>> marginals(const G& grammar, const DeviceGrammarTables<G>& tables,
                                                       unsigned table, const Options& options = {}) {
  const warpfold::cuda::DeviceScope scope(tables.device());
  const Scaled whole = tables.value();
  if (whole.is_zero()) interval::detail::reject_no_derivation();
  Report report{.device = "cuda:" + std::to_string(tables.device()), .algorithm = "tiled"};
  Context context(options, report);
  const auto start = std::chrono::steady_clock::now();
  const detail::WholeSeed of_whole{Scaled(1) / whole, interval::detail::start_of<G>(),
                                   static_cast<unsigned>(tables.points() - 1)};
  auto found = [&] {
    if constexpr (has_prefixes<G>) {
      const auto prefixes = detail::outside_of_prefixes(grammar, tables, context);
      return detail::seeded_marginals(grammar, tables, table, detail::PrefixSeed<G>{of_whole, prefixes.rules()},
                                      context);
    } else {
      return detail::seeded_marginals(grammar, tables, table, of_whole, context);
    }
  }();
  report.solve_seconds = seconds_since(start);
  return {std::move(found), std::move(report)};
}

/// The marginals of a prefix table as interval::prefix_marginals computes them, with the same bits, on the GPU that has
/// the tables. The result is on the host. Raises what interval::prefix_marginals raises.
template <class G>
[[nodiscard]] Outcome<std::vector<double>> prefix_marginals(const G& grammar, const DeviceGrammarTables<G>& tables,
                                                            unsigned prefix, const Options& options = {}) {
  interval::detail::check_number("prefix table", prefix, prefix_count<G>);
  const warpfold::cuda::DeviceScope scope(tables.device());
  if (tables.value().is_zero()) interval::detail::reject_no_derivation();
  Report report{.device = "cuda:" + std::to_string(tables.device()), .algorithm = "tiled"};
  Context context(options, report);
  const auto start = std::chrono::steady_clock::now();
  const auto outside = detail::outside_of_prefixes(grammar, tables, context).by_prefix(prefix);
  std::vector<Scaled> values(prefix_count<G> * tables.points());
  tables.copy_prefixes(values.data());
  std::vector<double> found;
  for (std::size_t j = 0; j < tables.points(); ++j) {
    found.push_back((outside[j] * values[prefix * tables.points() + j]).times_power_of_two(0));
  }
  report.solve_seconds = seconds_since(start);
  return {std::move(found), std::move(report)};
}

}  // namespace warpfold::interval::cuda
