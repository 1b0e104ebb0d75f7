#pragma once

#include "interval/user/recurrence_rules.cuh"
#include "warpfold/interval/detail/grammar_terms.hpp"

/// A user's grammar as the GPU solver's rules: one task is a tile of all tables (grammar_tiles.cuh).
namespace warpfold::interval::device {

/// A value of a grammar that is not accepted, or terms that break a rule, as one number. The order is as in Misfit.
/// `span`: the values of the tile of sums that begins there.
struct GrammarMisfit {
  enum Kind : unsigned { part, inner, value, order, nothing_inside, span };

  static constexpr unsigned long long none = ~0ULL;
  unsigned long long code;

  static constexpr unsigned long long encode(unsigned i, unsigned j, unsigned table, Kind kind) {
    return ((static_cast<unsigned long long>(j - i) << 32 | i) << 5 | table) << 3 | kind;
  }
  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(code % 8); }
  [[nodiscard]] constexpr unsigned table() const { return code >> 3 & 31; }
  [[nodiscard]] constexpr std::size_t i() const { return code >> 8 & 0xffffffff; }
  [[nodiscard]] constexpr std::size_t j() const { return i() + (code >> 40); }
};

/// Four weights of a stencil that follow each other along an interval's rows: those of loop(a,b) for a = first ..
/// first + 3 and a + b = lag. Outside the stencil they are zero().
template <class T>
struct alignas(16) WeightChunk {
  T weight[4];
  int lag, first;
};

/// The products of one pair of tables, which lie so many values after the job's.
template <class G>
struct ProductRules {
  using Algebra = device::Algebra<typename G::Semiring>;
  using Value = typename Algebra::Value;
  using Values = interval::detail::Stored<typename G::Semiring>;
  static constexpr bool splits = false, splits_by_product = false;
  static constexpr bool loads_ahead = requires { requires !Algebra::by_pairs; };

  std::size_t left_table, right_table;

  static __device__ __forceinline__ Value zero() { return Values::zero(); }
  static __device__ __forceinline__ Value one() { return Values::zero(); }  ///< T(t,i,i) has no value
  static __device__ __forceinline__ Value plus(Value x, Value y) { return Algebra::plus(x, y); }
  static __device__ __forceinline__ Value times(Value x, Value y) { return Algebra::times(x, y); }
  static __device__ __forceinline__ Value accumulate(Value best, Value x0, Value y0, Value x1, Value y1, unsigned,
                                                     unsigned, unsigned) {
    return Algebra::accumulate(best, x0, y0, x1, y1);
  }
};

/// The places of what a block needs to close a tile of all tables, in values:
///
///     panels         the tile of each table that products read
///     corners        of each product the diagonal tiles of its row, of the left table, and of its column, of the right
///                    one: the former above the diagonal, the latter turned by half a circle below it
///     rings          of each stencil the last deep + 2 diagonals of what it reads, by rows of the tile and those below
///     partial sums   of each product and each stencil for one diagonal
template <class G>
struct ClosingArea {
  using T = GrammarValue<G>;
  static constexpr int tile = tile_side * tile_side;
  static constexpr int products = static_cast<int>(interval::detail::products_of<G>().size());
  static constexpr int stencils = static_cast<int>(interval::detail::stencils_of<G>().size());
  static constexpr int groups = 512 / tile_side;  ///< that share the weights of a stencil if a diagonal is long

  static constexpr interval::Product product(int p) { return interval::detail::products_of<G>()[p]; }
  static constexpr unsigned of(int s) { return interval::detail::stencils_of<G>()[s].of; }
  static constexpr int deep(int s) { return static_cast<int>(interval::detail::stencils_of<G>()[s].deep); }

  static constexpr bool is_read(unsigned table) {
    for (const auto& [left, right] : interval::detail::products_of<G>()) {
      if (left == table || right == table) return true;
    }
    return false;
  }
  static constexpr int panel(unsigned table) {
    int before = 0;
    for (unsigned t = 0; t < table; ++t) before += is_read(t);
    return before * tile;
  }
  static constexpr int corners(int p) { return panel(table_count<G>) + p * tile; }
  static constexpr int lags(int s) { return deep(s) + 2; }
  /// The most lags of a stencil.
  static constexpr int deepest() {
    int most = 0;
    for (int s = 0; s < stencils; ++s) most = most < lags(s) ? lags(s) : most;
    return most;
  }
  /// Row r of the tile, r > 0, is at r - 1. Chunks of weights reach up to 7 rows beyond the stencil's.
  static constexpr int ring_width(int s) { return tile_side + 4 + deep(s) / 4 * 4; }
  static constexpr int ring(int s) {
    int before = corners(products);
    for (int t = 0; t < s; ++t) before += lags(t) * ring_width(t);
    return before;
  }
  static constexpr int product_parts(int p) { return ring(stencils) + p * block_threads; }
  static constexpr int stencil_parts(int s) { return product_parts(products) + s * groups * tile_side; }
  static constexpr int size = stencil_parts(stencils);

  /// Whether it fits in shared memory. If not, it is in global memory.
  static constexpr bool is_shared(int capability) {
    return size * static_cast<int>(sizeof(T)) + 64 <= warpfold::cuda::shared_bytes_of_block(capability);
  }
};

/// Computes the tables' values of one interval from its terms, as IntervalTerms does on the CPU.
///
/// A value that is not accepted is noted, not raised.
template <class G>
class DeviceTerms {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = interval::detail::Stored<S>;
  using Operand = interval::detail::Operand<T>;
  using Kind = typename Operand::Kind;

  T products[ClosingArea<G>::products + 1], stencils[ClosingArea<G>::stencils + 1];  ///< no array is empty

  /// `tables`: the first one. The others follow, `table_size` values each.
  constexpr DeviceTerms(const T* tables, std::size_t table_size, std::size_t i, std::size_t j)
      : tables_(tables), table_size_(table_size), i_(i), j_(j) {
    for (T& value : values_) value = Values::zero();
  }

  template <class... Parts>
  constexpr void operator()(unsigned table, const Parts&... parts) {
    interval::detail::check_parts<Parts...>();
    if (table < first_open_) refuse(table, GrammarMisfit::order);
    first_open_ = table;
    values_[table] = S::plus(values_[table], interval::detail::product_of_parts<S>({stored(table, parts)...}));
  }
  constexpr Operand inside(unsigned table, std::size_t a, std::size_t b) {
    if (a + b == 0) refuse(table, GrammarMisfit::nothing_inside);
    const bool has_length = a < j_ - i_ && b < j_ - i_ - a;
    const T stored =
        has_length ? *entry(table, static_cast<unsigned>(i_ + a), static_cast<unsigned>(j_ - b)) : Values::zero();
    return {Kind::inside, table, i_ + a, j_ - b, stored};
  }
  constexpr Operand here(unsigned table) {
    first_open_ = first_open_ > table + 1 ? first_open_ : table + 1;
    return {Kind::here, table, i_, j_, value(table)};
  }
  constexpr Operand product(unsigned p) const { return {Kind::product, p, i_, j_, products[p]}; }
  constexpr Operand stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, stencils[s]}; }

  /// The value of a table after all its terms, as it is stored.
  constexpr T value(unsigned table) {
    const T sum = values_[table];
    const bool is_zero = Values::is_zero(sum);
    if (!is_zero && !Values::accepts(sum)) refuse(table, GrammarMisfit::value, sum);
    return interval::detail::select(is_zero, Values::zero(), Values::of(sum));
  }

  unsigned long long misfit = GrammarMisfit::none;  ///< the first that was noted
  T refused = Values::zero();                       ///< its value

 private:
  constexpr void refuse(unsigned table, GrammarMisfit::Kind kind, const T& value = Values::zero()) {
    if (misfit != GrammarMisfit::none) return;
    refused = value;
    misfit = GrammarMisfit::encode(static_cast<unsigned>(i_), static_cast<unsigned>(j_), table, kind);
  }
  /// entry_offset in 32 bits, which hold the number of every tile.
  constexpr const T* entry(unsigned table, unsigned i, unsigned j) const {
    constexpr unsigned side = tile_side;
    const unsigned tile_i = i / side, tile_j = j / side, number = tile_j * (tile_j + 1) / 2 + tile_i;
    return tables_ + table * table_size_ + std::size_t{number} * (side * side) + (i % side * side + j % side);
  }
  template <class Part>
  constexpr T stored(unsigned table, const Part& part) {
    static_assert(interval::detail::is_operand<Part> || interval::detail::Becomes<Part, T>,
                  "a term's parts are the semiring's values; no wider type, no fraction for integers");
    if constexpr (interval::detail::is_operand<Part>) {
      return part.stored;
    } else {
      const auto value = static_cast<T>(part);
      if (!Values::accepts(value)) refuse(table, GrammarMisfit::part, value);
      return Values::of(value);
    }
  }

  const T* tables_;
  std::size_t table_size_;
  std::size_t i_, j_;
  T values_[table_count<G>];
  unsigned first_open_ = 0;  ///< the tables before it are complete
};

template <class G>
struct GrammarRules {
  using Semiring = typename G::Semiring;
  using Value = GrammarValue<G>;
  using Values = interval::detail::Stored<Semiring>;
  static constexpr unsigned max_blocks = 512;  ///< each has its own sums of products in global memory

  G grammar;
  unsigned points;
  std::size_t table_size;            ///< the values of a table; the tables follow each other
  Value* sums;                       ///< of each block a tile for each product
  Value* areas;                      ///< of each block a ClosingArea, or null if that is in shared memory
  const WeightChunk<Value>* chunks;  ///< of all stencils
  unsigned first_chunk[ClosingArea<G>::stencils + 1];
  unsigned long long* misfit;  ///< the least GrammarMisfit that was seen
  Stop stop;

  static constexpr int closing_bytes(int capability) {
    return ClosingArea<G>::is_shared(capability) ? ClosingArea<G>::size * static_cast<int>(sizeof(Value)) : 0;
  }
  __device__ void report(unsigned long long code) const {
    if (code == GrammarMisfit::none) return;
    atomicMin_system(misfit, code);
    stop.ask();
  }
};

}  // namespace warpfold::interval::device
