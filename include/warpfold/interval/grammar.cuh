#pragma once

#include "interval/user/grammar_sums.cuh"
#include "interval/user/grammar_tiles.cuh"
#include "interval/user/prefix_tables.cuh"
#include "run/staging.hpp"
#include "tiles/gpu/launch.cuh"
#include "tiles/gpu/workspace.cuh"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/recurrence.cuh"

/// Solves a user's grammar (grammar_model.hpp) on a GPU: the same struct, in a file that nvcc compiles. Link with
/// warpfold::gpu, which sets nvcc's options.
///
/// Its members are called on the device, so make them constexpr. The struct holds numbers, and pointers or std::spans
/// to device memory (`Array` copies lists there). In a struct template nvcc needs the sizes of the lists `products` and
/// `stencils`: Product products[1].
///
/// Values have 4 or 8 bytes and are trivially copyable. `plus` must be commutative, because terms are added in another
/// order than on the CPU. A selective or exactly counting semiring gives the CPU's values. ScaledSum takes its terms in
/// the CPU's order, and gives the CPU's bits.
namespace warpfold::interval::cuda {

/// The finished tables of a grammar, on the device.
template <class G>
class DeviceGrammarTables {
 public:
  using T = GrammarValue<G>;
  using Value = typename GrammarTables<G>::Value;
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a grammar's values have 4 or 8 bytes on a GPU");

  explicit DeviceGrammarTables(std::size_t points)
      : points_(points),
        values_(table_count<G> * size_of_table()),
        exponents_(exponent_count(points)),
        prefixes_(prefix_count<G> * points) {}

  static std::size_t bytes(std::size_t points) {
    return table_count<G> * table_size(points, device::tile_side) * sizeof(T) +
           exponent_count(points) * sizeof(std::int32_t) + prefix_count<G> * points * sizeof(Value);
  }

  [[nodiscard]] std::size_t points() const { return points_; }
  /// The values of a table.
  [[nodiscard]] std::size_t size_of_table() const { return table_size(points_, device::tile_side); }
  /// The stored values, one table after the other. T(t,i,j), i < j, is at t * size_of_table() + entry_offset(i, j, 64)
  /// (warpfold/tiles/tile_table.hpp), in the form of stored_values.hpp.
  [[nodiscard]] T* data() const { return values_.data(); }
  /// Under ScaledSum, the exponent of each tile by its number (GrammarTables::exponents).
  [[nodiscard]] std::int32_t* exponents() const { return exponents_.data(); }
  /// The values of the prefix tables as they are stored: F(q,j) is at q * points() + j.
  [[nodiscard]] Value* prefixes() const { return prefixes_.data(); }
  [[nodiscard]] int device() const { return values_.device(); }

  /// Copies one value to the host. Of a prefix table i is 0.
  [[nodiscard]] Value value(unsigned table, std::size_t i, std::size_t j) const {
    if constexpr (has_prefixes<G>) {
      if (table >= table_count<G>) return prefix_value(table - table_count<G>, j);
    }
    if (i == j) return Value(G::Semiring::zero());
    const T value = TableMeaning<T>::template of<typename G::Semiring>()(sent(place(table, i, j)));
    if constexpr (is_scaled<typename G::Semiring>) {
      return Scaled(value, sent(exponents() + tiles::tile_number(i / device::tile_side, j / device::tile_side)));
    } else {
      return value;
    }
  }
  /// F(prefix,j), copied to the host.
  [[nodiscard]] Value prefix_value(unsigned prefix, std::size_t j) const {
    const Value value = sent(prefixes() + prefix * points_ + j);
    if constexpr (is_scaled<typename G::Semiring>) {
      return value;
    } else {
      return TableMeaning<T>::template of<typename G::Semiring>()(value);
    }
  }
  /// The value of the whole: T(start, 0, points()-1).
  [[nodiscard]] Value value() const { return value(interval::detail::start_of<G>(), 0, points_ - 1); }

  /// Copies all tables to the host, where `derivation` can read them.
  [[nodiscard]] GrammarTables<G> to_host(const Options& options = {}) const {
    GrammarTables<G> tables(points_);
    for (unsigned t = 0; t < table_count<G>; ++t) {
      if (interval::detail::is_kept<G>(t)) copy_table(t, tables.table(t).tile(0, 0), options);
    }
    copy_exponents(tables.exponents());
    if constexpr (has_prefixes<G>) copy_prefixes(&tables.stored_prefix(0, 0));
    return tables;
  }
  /// Copies the values of a table to the host.
  void copy_table(unsigned table, T* to, const Options& options) const {
    const warpfold::cuda::DeviceScope scope(values_.device());
    const SolveMonitor monitor(options, 0);
    const MatrixView<T> all{to, 1, size_of_table(), 0};
    warpfold::cuda::download(place(table, 0, 0), warpfold::cuda::rows_of(all), options.threads, monitor);
  }
  /// Copies the exponents to a list of that length, if there are any.
  void copy_exponents(std::vector<std::int32_t>& to) const {
    warpfold::cuda::check(cudaMemcpy(to.data(), exponents(), exponents_.bytes(), cudaMemcpyDeviceToHost),
                          "send its exponents");
  }
  /// Copies the values of the prefix tables, as they are stored.
  void copy_prefixes(Value* to) const {
    warpfold::cuda::check(cudaMemcpy(to, prefixes(), prefixes_.bytes(), cudaMemcpyDeviceToHost),
                          "send its prefix tables");
  }
  /// Copies the tile of a table that has T(table,i,j) to the host: its values as they are stored, row by row.
  void copy_tile(unsigned table, std::size_t i, std::size_t j, T* to) const {
    constexpr std::size_t side = device::tile_side;
    warpfold::cuda::check(
        cudaMemcpy(to, place(table, i / side * side, j / side * side), side * side * sizeof(T), cudaMemcpyDeviceToHost),
        "send a tile");
  }

 private:
  [[nodiscard]] T* place(unsigned table, std::size_t i, std::size_t j) const {
    return values_.data() + table * size_of_table() + entry_offset(i, j, device::tile_side);
  }
  template <class Number>
  [[nodiscard]] static Number sent(const Number* at) {
    Number number;
    warpfold::cuda::check(cudaMemcpy(&number, at, sizeof number, cudaMemcpyDeviceToHost), "send a value");
    return number;
  }
  static std::size_t exponent_count(std::size_t points) {
    return is_scaled<typename G::Semiring> ? tiles::tiles_in_table(tile_count(points, device::tile_side)) : 0;
  }

  std::size_t points_;
  warpfold::cuda::Buffer<T> values_;
  warpfold::cuda::Buffer<std::int32_t> exponents_;
  warpfold::cuda::Buffer<Value> prefixes_;
};

namespace detail {

/// A semiring in which equal products with a third value are equal: the only product that gives a sum is the best.
template <class S>
concept Cancels =
    SemiringTraits<S>::is_selective && SemiringTraits<S>::adds && std::same_as<typename S::Value, std::int32_t>;

/// A split with its value as one number, for integers: the better value is less, then the smaller k.
template <class S>
struct SplitCode {
  static constexpr unsigned mask = SemiringTraits<S>::is_min ? 0x80000000U : 0x7fffffffU;
  static __host__ __device__ constexpr unsigned long long of(std::int32_t value, unsigned k) {
    return static_cast<unsigned long long>(static_cast<unsigned>(value) ^ mask) << 32 | k;
  }
  static constexpr std::int32_t value(unsigned long long code) {
    return static_cast<std::int32_t>(static_cast<unsigned>(code >> 32) ^ mask);
  }
};

inline constexpr unsigned split_threads = 256;

/// Finds the best split of interval (i,j), the smallest k of equals. `best`: ~0.
template <class S>
__global__ void __launch_bounds__(split_threads)
    find_split(const std::int32_t* left, const std::int32_t* right, unsigned i, unsigned j, unsigned long long* best) {
  unsigned long long code = ~0ULL;
  for (unsigned k = i + 1 + blockIdx.x * split_threads + threadIdx.x; k < j; k += gridDim.x * split_threads) {
    const std::int32_t value = interval::detail::Stored<S>::times(left[entry_offset(i, k, device::tile_side)],
                                                                  right[entry_offset(k, j, device::tile_side)]);
    code = min(code, SplitCode<S>::of(value, k));
  }
  atomicMin(best, code);
}

/// Tables on the device of which the host reads some tiles. It keeps the tiles that it has read, up to `most` of them.
template <class G>
class TilesOnDemand {
 public:
  using T = GrammarValue<G>;
  static constexpr std::size_t side = device::tile_side, most = 8192;

  explicit TilesOnDemand(const DeviceGrammarTables<G>& tables)
      : tables_(tables),
        best_(1),
        tiles_(table_count<G> * tiles::tiles_in_table(tile_count(tables.points(), side))),
        prefixes_(prefix_count<G> * tables.points()) {
    if constexpr (has_prefixes<G>) tables.copy_prefixes(prefixes_.data());
  }

  /// The most bytes that it holds.
  static std::size_t bytes(std::size_t points) {
    const std::size_t all = table_count<G> * tiles::tiles_in_table(tile_count(points, side));
    return all * sizeof(Tile) + std::min(all, most) * side * side * sizeof(T) + prefix_count<G> * points * sizeof(T);
  }

  /// The best split of an interval, found on the device, with its value as it is stored. zero() if there is none.
  [[nodiscard]] std::pair<std::size_t, T> best_split(unsigned left, unsigned right, std::size_t i,
                                                     std::size_t j) const {
    using S = typename G::Semiring;
    unsigned long long code = ~0ULL;
    if (j - i < 2) return {i, interval::detail::Stored<S>::zero()};
    const auto blocks = static_cast<unsigned>((j - i) / (4 * split_threads) + 1);
    const T* const first = tables_.data();
    warpfold::cuda::check(cudaMemsetAsync(best_.data(), 0xff, best_.bytes(), nullptr), "clear a result");
    find_split<S><<<blocks, split_threads>>>(first + left * tables_.size_of_table(),
                                             first + right * tables_.size_of_table(), static_cast<unsigned>(i),
                                             static_cast<unsigned>(j), best_.data());
    warpfold::cuda::check_launch("find a split");
    warpfold::cuda::check(cudaMemcpy(&code, best_.data(), sizeof code, cudaMemcpyDeviceToHost), "send a split");
    return {code & 0xffffffff, SplitCode<S>::value(code)};
  }

  [[nodiscard]] T stored_prefix(unsigned prefix, std::size_t j) const {
    return prefixes_[prefix * tables_.points() + j];
  }
  [[nodiscard]] T stored(unsigned table, std::size_t i, std::size_t j) const {
    if constexpr (has_prefixes<G>) {
      if (table >= table_count<G>) return stored_prefix(table - table_count<G>, j);
    }
    const std::size_t of_table = tiles_.size() / table_count<G>;
    Tile& tile = tiles_[table * of_table + tiles::tile_number(i / side, j / side)];
    if (tile.empty()) fetch(tile, table, i, j);
    return tile[i % side * side + j % side];
  }

 private:
  using Tile = std::vector<T>;

  void fetch(Tile& tile, unsigned table, std::size_t i, std::size_t j) const {
    if (held_ == most) {
      for (Tile& old : tiles_) Tile().swap(old);
      held_ = 0;
    }
    ++held_;
    tile.resize(side * side);
    tables_.copy_tile(table, i, j, tile.data());
  }

  const DeviceGrammarTables<G>& tables_;
  warpfold::cuda::Buffer<unsigned long long> best_;
  mutable std::vector<Tile> tiles_;
  mutable std::size_t held_ = 0;
  std::vector<T> prefixes_;
};

template <class G>
GrammarValue<G> stored_value(const TilesOnDemand<G>& tables, unsigned table, std::size_t i, std::size_t j) {
  return tables.stored(table, i, j);
}
template <class G>
requires Cancels<typename G::Semiring> std::pair<std::size_t, GrammarValue<G>> best_split(
    const TilesOnDemand<G>& tables, unsigned left, unsigned right, std::size_t i, std::size_t j) {
  return tables.best_split(left, right, i, j);
}

using device::ClosingArea;
using device::GrammarMisfit;

/// The weights of all stencils, row by row: loop(a, 0) .. loop(a, deep - a). Thread a has row a.
template <class G>
__global__ void read_weights(const __grid_constant__ G grammar, GrammarValue<G>* weights) {
  const int a = static_cast<int>(threadIdx.x);
  for (int s = 0; s < ClosingArea<G>::stencils; ++s) {
    const int deep = ClosingArea<G>::deep(s);
    GrammarValue<G>* const row = weights + a * (deep + 1) - a * (a - 1) / 2;
    for (int b = 0; a + b <= deep; ++b) {
      row[b] = interval::detail::loop_of(grammar, static_cast<std::size_t>(s), static_cast<std::size_t>(a),
                                         static_cast<std::size_t>(b));
    }
    weights += (deep + 1) * (deep + 2) / 2;
  }
}

/// Computes the terms of one interval again, for the message about a value that is not accepted.
template <class G>
__global__ void find_refused_part(const __grid_constant__ G grammar, const GrammarValue<G>* tables,
                                  std::size_t table_size, unsigned i, unsigned j, GrammarMisfit::Kind kind,
                                  GrammarValue<G>* refused) {
  if (kind == GrammarMisfit::inner) {
    using Values = interval::detail::Stored<typename G::Semiring>;
    for (int s = 0; s < ClosingArea<G>::stencils; ++s) {
      if constexpr (interval::detail::weights_inner<G>) {
        *refused = interval::detail::inner_of(grammar, static_cast<std::size_t>(s), i, j);
        if (!Values::accepts(*refused)) return;
      }
    }
  } else {
    device::DeviceTerms<G> terms(tables, table_size, tables + entry_offset(i, j, device::tile_side), i, j);
    for (auto& value : terms.products) value = interval::detail::Stored<typename G::Semiring>::zero();
    for (auto& value : terms.stencils) value = interval::detail::Stored<typename G::Semiring>::zero();
    grammar.terms(i, j, terms);
    *refused = terms.refused;
  }
}

/// The number of weights of all stencils.
template <class G>
std::size_t weight_count() {
  std::size_t all = 0;
  for (const Stencil& stencil : interval::detail::stencils_of<G>()) all += (stencil.deep + 1) * (stencil.deep + 2) / 2;
  return all;
}
template <class G>
std::vector<GrammarValue<G>> weights_on_host(const G& grammar) {
  const warpfold::cuda::Buffer<GrammarValue<G>> on_device(weight_count<G>());
  read_weights<<<1, max_stencil_depth + 1>>>(grammar, on_device.data());
  warpfold::cuda::check_launch("list a stencil's weights");
  std::vector<GrammarValue<G>> all(weight_count<G>());
  warpfold::cuda::check(cudaMemcpy(all.data(), on_device.data(), on_device.bytes(), cudaMemcpyDeviceToHost),
                        "send a list");
  return all;
}
/// A weight of a stencil as it is stored.
template <class S, class T = typename S::Value>
T stored_weight(const T& weight, int a, int b) {
  using Values = interval::detail::Stored<S>;
  if (Values::accepts(weight)) return Values::of(weight);
  interval::detail::reject_value<S>(
      "loop" + interval::detail::interval_text(static_cast<std::size_t>(a), static_cast<std::size_t>(b)), weight);
}

/// Raises the error of terms that break a rule, or of a part that the solver rejected.
template <class G>
[[noreturn]] void raise_misfit(const G& grammar, const DeviceGrammarTables<G>& tables, const GrammarMisfit& misfit) {
  const std::size_t i = misfit.i(), j = misfit.j();
  if (misfit.kind() == GrammarMisfit::order) interval::detail::TableOrder::reject(misfit.table());
  if (misfit.kind() == GrammarMisfit::nothing_inside) interval::detail::reject_inside_of_nothing();
  const warpfold::cuda::Buffer<GrammarValue<G>> result(1);
  find_refused_part<<<1, 1>>>(grammar, tables.data(), tables.size_of_table(), static_cast<unsigned>(i),
                              static_cast<unsigned>(j), misfit.kind(), result.data());
  warpfold::cuda::check_launch("find what it refused");
  GrammarValue<G> refused;
  warpfold::cuda::check(cudaMemcpy(&refused, result.data(), sizeof refused, cudaMemcpyDeviceToHost),
                        "send what it refused");
  if (misfit.kind() == GrammarMisfit::inner) interval::detail::reject_inner<typename G::Semiring>(i, j, refused);
  interval::detail::reject_part<G>(misfit.table(), i, j, refused);
}

/// Fills the prefix tables of a grammar from its finished tables.
template <class G>
class PrefixSolve {
 public:
  using T = GrammarValue<G>;
  using Totals = device::PrefixTotals<G>;

  PrefixSolve(const G& grammar, const DeviceGrammarTables<G>& tables)
      : tables_(tables),
        totals_(tables.points()),
        misfit_(1),
        rules_{grammar,
               static_cast<unsigned>(tables.points()),
               tables.data(),
               tables.size_of_table(),
               tables.exponents(),
               tables.prefixes(),
               totals_.data(),
               misfit_.data()} {}

  static std::size_t bytes(std::size_t points) {
    return prefix_count<G> == 0 ? 0 : points * sizeof(Totals) + sizeof(unsigned long long);
  }

  /// Raises what the CPU raises.
  void run(const SolveMonitor& monitor) {
    const warpfold::cuda::Stream stream;
    warpfold::cuda::check(cudaMemsetAsync(misfit_.data(), 0xff, misfit_.bytes(), stream.get()), "clear its counters");
    const auto blocks = static_cast<unsigned>(tile_count(tables_.points(), device::tile_side));
    for (unsigned block = 0; block < blocks; ++block) {
      device::finish_points<G><<<1, device::tile_side, 0, stream.get()>>>(rules_, block);
      const unsigned later = blocks - block - 1;
      if (later > 0) device::give_points<G><<<later, device::tile_side, 0, stream.get()>>>(rules_, block);
      warpfold::cuda::check_launch("start its prefix tables");
      if (block % launches_ahead == 0) stream.synchronize();
      monitor.check();
    }
    stream.synchronize();
    check_fit();
  }

 private:
  static constexpr unsigned launches_ahead = 8;  ///< blocks that the host starts before it waits

  void check_fit() const {
    GrammarMisfit misfit{};
    warpfold::cuda::check(cudaMemcpy(&misfit.code, misfit_.data(), sizeof misfit.code, cudaMemcpyDeviceToHost),
                          "send its result");
    if (misfit.code == GrammarMisfit::none) return;
    const std::size_t i = misfit.i(), j = misfit.j();
    const unsigned table = misfit.table();
    if (misfit.kind() == GrammarMisfit::order) interval::detail::TableOrder::reject(table);
    if constexpr (!is_scaled<typename G::Semiring>) {
      if (misfit.kind() == GrammarMisfit::value) {
        interval::detail::reject_total<typename G::Semiring>(table, i, j, tables_.value(table, i, j));
      }
    }
    const T refused = find_refused(misfit);
    if (misfit.kind() == GrammarMisfit::join) interval::detail::reject_join<typename G::Semiring>(i, j, refused);
    interval::detail::reject_part<G>(table, i, j, refused);
  }
  [[nodiscard]] T find_refused(const GrammarMisfit& misfit) const {
    const warpfold::cuda::Buffer<T> result(1);
    device::find_refused_prefix<G><<<1, 1>>>(rules_, static_cast<unsigned>(misfit.i()),
                                             static_cast<unsigned>(misfit.j()), misfit.kind(), result.data());
    warpfold::cuda::check_launch("find what it refused");
    T refused;
    warpfold::cuda::check(cudaMemcpy(&refused, result.data(), sizeof refused, cudaMemcpyDeviceToHost),
                          "send what it refused");
    return refused;
  }

  const DeviceGrammarTables<G>& tables_;
  warpfold::cuda::Buffer<Totals> totals_;
  warpfold::cuda::Buffer<unsigned long long> misfit_;
  device::PrefixRules<G> rules_;
};

/// What every solve has: the tables and what its kernel needs besides the lists of weights. `Area`: the places of a
/// block.
template <class G, class Rules, class Area>
class SolveMemory {
 public:
  [[nodiscard]] DeviceGrammarTables<G> take_tables() { return std::move(tables_); }

 protected:
  using T = GrammarValue<G>;
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  static_assert(std::is_trivially_copyable_v<G>, "the struct is copied to the device: spans, not vectors");
  static_assert(sizeof(G) <= 1024, "a large struct is an Array of its own");

  SolveMemory(const G& grammar, std::size_t points)
      : grammar_(grammar),
        points_(points),
        tables_(points),
        workspace_(tiles::one_table(points), tables_.data()),
        misfit_(1),
        sums_(blocks(points) * Area::products * Area::tile) {
    const int capability = warpfold::cuda::capability_of(device::fill_tables<Rules>);
    if (!Area::is_shared(capability)) areas_ = Buffer<T>(blocks(points) * Area::size);
  }

  /// The bytes of these, however the kernel shares its memory.
  static std::size_t memory_bytes(std::size_t points) {
    const std::size_t of_block = (static_cast<std::size_t>(Area::products) * Area::tile + Area::size) * sizeof(T);
    return DeviceGrammarTables<G>::bytes(points) + Workspace::bytes(tiles::one_table(points)) +
           blocks(points) * of_block;
  }

  warpfold::cuda::RunningSolve launch(const Rules& rules, cudaStream_t stream, std::size_t max_blocks) {
    workspace_.clear(stream);
    check(cudaMemsetAsync(misfit_.data(), 0xff, misfit_.bytes(), stream), "clear its counters");
    device::launch<Rules>(workspace_, rules, stream, max_blocks);
    return workspace_.running();
  }

  /// The first value that was not accepted, or term that breaks a rule; `none` if there is none.
  [[nodiscard]] GrammarMisfit find_misfit() const {
    GrammarMisfit misfit{};
    check(cudaMemcpy(&misfit.code, misfit_.data(), sizeof misfit.code, cudaMemcpyDeviceToHost), "send its result");
    return misfit;
  }

  G grammar_;
  std::size_t points_;
  DeviceGrammarTables<G> tables_;
  device::Workspace<T> workspace_;
  Buffer<unsigned long long> misfit_;
  Buffer<T> sums_;   ///< of products, of each block
  Buffer<T> areas_;  ///< an Area of each block, if shared memory is too small

 private:
  using Workspace = device::Workspace<T>;
  static void check(cudaError_t status, const char* action) { warpfold::cuda::check(status, action); }

  /// The most blocks that fill tables for so many points.
  static std::size_t blocks(std::size_t points) {
    return std::min<std::size_t>(tiles::one_table(points).end.first_task, Rules::max_blocks);
  }
};

/// One solve of a semiring that chooses.
template <class G>
class GrammarSolve : public SolveMemory<G, device::GrammarRules<G>, ClosingArea<G>> {
 public:
  using Semiring = typename G::Semiring;
  using T = GrammarValue<G>;
  using Area = ClosingArea<G>;
  using Rules = device::GrammarRules<G>;
  using Lists = device::WeightLists<T, Area::stencils>;
  using Chunk = typename Lists::Chunk;
  using Single = typename Lists::Single;

  GrammarSolve(const G& grammar, std::size_t points) : Memory(grammar, points) { list_weights(); }

  static std::size_t bytes(std::size_t points) {
    return Memory::memory_bytes(points) + weight_count<G>() * (sizeof(Single) + sizeof(Chunk) / 2);
  }

  /// Fills the tables by at most so many blocks. May be called again.
  warpfold::cuda::RunningSolve start(cudaStream_t stream, std::size_t max_blocks = tiles::device::all_blocks) {
    return this->launch({grammar_, static_cast<unsigned>(this->points_), tables_.size_of_table(), this->sums_.data(),
                         this->areas_.data(), lists_, this->misfit_.data(), this->workspace_.stop()},
                        stream, max_blocks);
  }

  /// Raises Error{overflow} or Error{input} if the solver rejected a value, Error{usage} if terms break a rule.
  void check_fit() const {
    const GrammarMisfit misfit = this->find_misfit();
    if (misfit.code == GrammarMisfit::none) return;
    const std::size_t i = misfit.i(), j = misfit.j();
    if (misfit.kind() == GrammarMisfit::value) {
      interval::detail::reject_total<Semiring>(misfit.table(), i, j, tables_.value(misfit.table(), i, j));
    }
    raise_misfit(grammar_, tables_, misfit);
  }

 private:
  using Memory = SolveMemory<G, Rules, Area>;
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  using Memory::grammar_, Memory::tables_;

  /// Lists the weights of the stencils, without those that are zero().
  void list_weights() {
    if (weight_count<G>() == 0 || device::ClosesTiles<G>) return;
    const std::vector<T> all = weights_on_host(grammar_);
    std::vector<Chunk> chunks;
    std::vector<Single> singles;
    const T* row = all.data();
    for (int s = 0; s < Area::stencils; ++s) {
      const int deep = Area::deep(s);
      std::vector<std::vector<T>> by_lag(static_cast<std::size_t>(deep + 1));  // of each lag the weights by a
      for (int a = 0; a <= deep; row += deep - a + 1, ++a) {
        for (int b = 0; a + b <= deep; ++b)
          by_lag[static_cast<std::size_t>(a + b)].push_back(stored_weight<Semiring>(row[b], a, b));
      }
      for (int lag = 0; lag <= deep; ++lag) {
        list_lag(by_lag[static_cast<std::size_t>(lag)], lag * Area::ring_width(s), chunks, singles);
      }
      lists_.first_chunk[s + 1] = static_cast<int>(chunks.size());
      lists_.first_single[s + 1] = static_cast<int>(singles.size());
    }
    chunks_ = Buffer<Chunk>(std::span<const Chunk>(chunks));
    singles_ = Buffer<Single>(std::span<const Single>(singles));
    lists_.chunks = chunks_.data();
    lists_.singles = singles_.data();
  }
  /// Lists the weights of a lag, which lies so far back.
  static void list_lag(std::vector<T>& weights, int back, std::vector<Chunk>& chunks, std::vector<Single>& singles) {
    constexpr int size = device::WeightLists<T, Area::stencils>::of_chunk;
    using Values = interval::detail::Stored<Semiring>;
    const auto count = static_cast<int>(weights.size());
    weights.resize((weights.size() + size - 1) / size * size, Values::zero());
    for (int first = 0; first < count; first += size) {
      Chunk chunk{{}, back, first};
      std::copy_n(weights.data() + first, size, chunk.weight);
      const auto has_value = [](const T& weight) { return !Values::is_zero(weight); };
      const auto values = std::count_if(chunk.weight, chunk.weight + size, has_value);
      if (values > 2) chunks.push_back(chunk);
      for (int a = first; values <= 2 && a < first + size; ++a) {
        if (has_value(weights[static_cast<std::size_t>(a)])) {
          singles.push_back({{weights[static_cast<std::size_t>(a)]}, back, a});
        }
      }
    }
  }

  Buffer<Chunk> chunks_;
  Buffer<Single> singles_;
  Lists lists_{};
};

/// The weights of the stencils of sums on the device.
template <class G>
class SumWeights {
 public:
  using Area = ClosingArea<G>;
  using Lists = device::SumWeightLists<G>;

  explicit SumWeights(const G& grammar) {
    lists_.diagonals = device::max_diagonals;
    if (weight_count<G>() == 0 || device::ClosesTiles<G>) return;
    const std::vector<double> all = weights_on_host(grammar);
    std::vector<device::WeightRow> rows;
    std::vector<double> weights(1, 0);
    const double* end = all.data();
    for (int s = 0; s < Area::stencils; ++s) {
      end += (Area::deep(s) + 1) * (Area::deep(s) + 2) / 2;
      const double* row = end;
      for (int a = Area::deep(s); a >= 0; --a) {
        row -= Area::deep(s) + 1 - a;
        list_row({row, static_cast<std::size_t>(Area::deep(s) + 1 - a)}, a, rows, weights);
      }
      lists_.first_row[s + 1] = static_cast<int>(rows.size());
    }
    share(rows);
    rows_ = warpfold::cuda::Buffer<device::WeightRow>(std::span<const device::WeightRow>(rows));
    weights_ = warpfold::cuda::Buffer<double>(std::span<const double>(weights));
    lists_.rows = rows_.data();
    lists_.weights = weights_.data();
    lists_.weight_count = static_cast<int>(weights.size());
  }
  static std::size_t bytes() { return Lists::size * sizeof(double); }

  [[nodiscard]] const Lists& lists() const { return lists_; }

 private:
  /// Lists loop(a,0), loop(a,1) and so on.
  void list_row(std::span<const double> given, int a, std::vector<device::WeightRow>& rows,
                std::vector<double>& weights) {
    int first = -1, last = -1;
    for (int b = 0; b < static_cast<int>(given.size()); ++b) {
      if (stored_weight<typename G::Semiring>(given[static_cast<std::size_t>(b)], a, b) == 0) continue;
      first = first < 0 ? b : first;
      last = b;
    }
    if (first < 0) return;
    lists_.diagonals = std::min(lists_.diagonals, 2 + a + first);
    rows.push_back({a, first, last - first + 1, static_cast<int>(weights.size())});
    weights.insert(weights.end(), given.begin() + first, given.begin() + last + 1);
    weights.push_back(0);
  }
  /// Shares the work among the groups of a block: each time the most of what is left goes to the group with the least.
  void share(const std::vector<device::WeightRow>& rows) {
    std::vector<std::pair<int, int>> left;  // the terms of each stencil
    for (int s = 0; s < Area::stencils; ++s) {
      int terms = 0;
      for (int row = lists_.first_row[s]; row < lists_.first_row[s + 1]; ++row) {
        terms += rows[static_cast<std::size_t>(row)].count;
      }
      left.emplace_back(terms, s);
    }
    std::sort(left.rbegin(), left.rend());
    std::array<int, device::max_diagonals> given{};
    for (const auto& [terms, s] : left) {
      for (unsigned char& group : lists_.group[s]) {
        const auto least = std::min_element(given.begin(), given.end());
        *least += terms;
        group = static_cast<unsigned char>(least - given.begin());
      }
    }
  }

  warpfold::cuda::Buffer<device::WeightRow> rows_;
  warpfold::cuda::Buffer<double> weights_;
  Lists lists_{};
};

/// One solve of sums.
template <class G>
class SumSolve : public SolveMemory<G, device::SumRules<G>, device::SumArea<G>> {
 public:
  using Semiring = typename G::Semiring;
  using Rules = device::SumRules<G>;
  using Area = device::SumArea<G>;

  SumSolve(const G& grammar, std::size_t points)
      : Memory(grammar, points), scales_(scales_for(points)), weights_(grammar) {}

  static std::size_t bytes(std::size_t points) {
    return Memory::memory_bytes(points) + scales_for(points) * sizeof(device::TileScale) + SumWeights<G>::bytes();
  }

  /// Fills the tables by at most so many blocks. May be called again.
  warpfold::cuda::RunningSolve start(cudaStream_t stream, std::size_t max_blocks = tiles::device::all_blocks) {
    const Rules rules{
        grammar_,
        static_cast<unsigned>(points_),
        tables_.size_of_table(),
        this->sums_.data(),
        this->areas_.data(),
        weights_.lists(),
        static_cast<unsigned>(tiles::TileScheduler::fastest_group(tile_count(points_, device::tile_side))),
        tables_.exponents(),
        scales_.data(),
        this->misfit_.data(),
        this->workspace_.stop()};
    return this->launch(rules, stream, max_blocks);
  }

  /// Raises what the CPU raises.
  void check_fit() const {
    const GrammarMisfit misfit = this->find_misfit();
    if (misfit.code == GrammarMisfit::none) return;
    const std::size_t i = misfit.i(), j = misfit.j(), side = device::tile_side;
    if (misfit.kind() == GrammarMisfit::span) {
      interval::detail::reject_span("tile " + interval::detail::interval_text(i / side, j / side));
    }
    if (misfit.kind() == GrammarMisfit::value)
      interval::detail::reject_span(interval::detail::place_in_table(misfit.table(), i, j));
    raise_misfit(grammar_, tables_, misfit);
  }

 private:
  using Memory = SolveMemory<G, Rules, Area>;
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  using Memory::grammar_, Memory::points_, Memory::tables_;

  /// Those of all tables of each tile.
  static std::size_t scales_for(std::size_t points) {
    return tiles::tiles_in_table(tile_count(points, device::tile_side)) * table_count<G>;
  }

  Buffer<device::TileScale> scales_;
  SumWeights<G> weights_;
};

template <class G>
using SolveOf = std::conditional_t<is_scaled<typename G::Semiring>, SumSolve<G>, GrammarSolve<G>>;

template <class G>
using GrammarProblem = interval::detail::GrammarProblem<G>;
template <class G>
using GrammarBackend = Backend<GrammarProblem<G>, GrammarProblem<G>, DeviceGrammarTables<G>>;

template <class G>
std::size_t grammar_device_bytes(const GrammarProblem<G>& problem, const Options&) {
  return SolveOf<G>::bytes(problem.points) + PrefixSolve<G>::bytes(problem.points);
}

template <class G>
DeviceGrammarTables<G> solve_grammar_tiled(const GrammarProblem<G>& problem, Context& context) {
  const Options& options = context.options;
  const auto start = std::chrono::steady_clock::now();
  const warpfold::cuda::DeviceScope scope(options.device.index);
  context.take_device_memory(grammar_device_bytes(problem, options));
  SolveMonitor monitor(options, problem.operations());
  SolveOf<G> solve(problem.grammar, problem.points);
  context.report.prepare_seconds = seconds_since(start);
  const warpfold::cuda::Stream stream;
  context.report.solve_seconds = warpfold::cuda::run(stream, problem.operations(), monitor,
                                                     [&] { return solve.start(stream.get(), problem.max_blocks); });
  solve.check_fit();
  DeviceGrammarTables<G> tables = solve.take_tables();
  if constexpr (has_prefixes<G>) {
    const auto begin = std::chrono::steady_clock::now();
    PrefixSolve<G>(problem.grammar, tables).run(monitor);
    context.report.solve_seconds += seconds_since(begin);
  }
  return tables;
}

/// The backends that solve_grammar chooses from.
template <class G>
std::span<const GrammarBackend<G>> grammar_backends() {
  static const GrammarBackend<G> tiled = {
      .info = {"tiled", "cuda", "64 x 64 tiles of all tables by one persistent kernel",
               "n^3/6 operations a product, 0.5 n^2 values of the GPU a table"},
      .run = solve_grammar_tiled<G>,
      .device_bytes = grammar_device_bytes<G>,
      .operations = interval::detail::operations_of_grammar<G>,
      .seconds = interval::detail::seconds_of_points<GrammarProblem<G>, DeviceGrammarTables<G>>,
      .probe_size = 1024};
  return {&tiled, 1};
}

inline void check_grammar(std::size_t points, const Options& options) {
  interval::detail::check_points(points, tiles::max_points, " on a GPU");
  if (options.device.kind != Device::Kind::cpu) return;
  throw Error(ErrorKind::device, "cuda::solve_grammar runs on a GPU: interval::solve_grammar runs on the CPU");
}

}  // namespace detail

/// Solves a grammar for 2 to 4,194,240 points on GPU options.device.index. Returns the tables, which are on the GPU.
///
/// Raises:
/// * Error{input} for other numbers of points;
/// * Error{overflow} or Error{input} for a value outside the accepted range. It names the shortest interval seen before
///   the solve stopped; the CPU's solver may name another;
/// * Error{infeasible} as on the CPU;
/// * Error{usage} for an algorithm other than "tiled", for several GPUs, and for terms that break a rule of
///   grammar_model.hpp;
/// * Error{device} for the CPU and for a GPU that does not exist;
/// * Error{memory_limit} if device memory is short;
/// * Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
///
/// Memory: about n*n/2 values for each table, and at most 512 times the tiles of the products' sums.
template <class G>
[[nodiscard]] Outcome<DeviceGrammarTables<G>> solve_grammar(const G& grammar, std::size_t points,
                                                            const Options& options = {}) {
  detail::check_grammar(points, options);
  const detail::GrammarProblem<G> problem{grammar, points};
  auto outcome = solve_by(detail::grammar_backends<G>(), problem, problem, options);
  if constexpr (SemiringTraits<typename G::Semiring>::has_infinite_zero) {
    interval::detail::check_feasible<typename G::Semiring>(points, outcome.solution.value());
  }
  return outcome;
}

/// The derivation of T(table,i,j), as interval::derivation finds it. The host reads the tiles that it needs, and calls
/// `grammar`, which is the same one with its lists on the host. Raises what interval::derivation raises.
template <class G, class Host>
[[nodiscard]] std::vector<Step> derivation(const Host& grammar, const DeviceGrammarTables<G>& tables, unsigned table,
                                           std::size_t i, std::size_t j, const Options& options = {}) {
  const warpfold::cuda::DeviceScope scope(tables.device());
  return interval::detail::derive(grammar, detail::TilesOnDemand<G>(tables), table, i, j, options);
}

/// Estimates solve_grammar on a GPU, as interval::estimate_grammar does on the CPU.
template <class G>
[[nodiscard]] Estimate estimate_grammar(const G& grammar, std::size_t points, const Options& options = {}) {
  detail::check_grammar(points, options);
  return estimate_by(detail::grammar_backends<G>(), {grammar, points}, options);
}

}  // namespace warpfold::interval::cuda
