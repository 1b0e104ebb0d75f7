#pragma once

#include "interval/user/recurrence_rules.cuh"
#include "warpfold/interval/detail/grammar_terms.hpp"

/// A user's grammar as the GPU solver's rules: one task is a tile of all tables (grammar_tiles.cuh).
namespace warpfold::interval::device {

/// A value of a grammar that is not accepted, or terms that break a rule, as one number. The order is as in Misfit.
/// `span`: the values of the tile of sums that begins there. `far`: marginals of a term that reads too far inside.
/// Prefix tables have the numbers after those of the tables, and intervals (0,j).
struct GrammarMisfit {
  enum Kind : unsigned { part, inner, value, order, nothing_inside, span, far, join };

  static constexpr unsigned long long none = ~0ULL;
  unsigned long long code;

  static constexpr unsigned long long encode(unsigned i, unsigned j, unsigned table, Kind kind) {
    return ((static_cast<unsigned long long>(j - i) << 32 | i) << 6 | table) << 3 | kind;
  }
  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(code % 8); }
  [[nodiscard]] constexpr unsigned table() const { return code >> 3 & 63; }
  [[nodiscard]] constexpr std::size_t i() const { return code >> 9 & 0xffffffff; }
  [[nodiscard]] constexpr std::size_t j() const { return i() + (code >> 41); }
};

/// Weights of a stencil that follow each other along an interval's rows: those of loop(a,b) for a = first, first + 1
/// and so on. What they weigh lies `back` values before the stencil's newest diagonal in its ring, and `first` rows on.
/// Outside the stencil they are zero().
template <class T, int count>
struct alignas(16) WeightChunk {
  T weight[count];
  int back, first;
};

/// The weights of all stencils.
template <class T, int stencils>
struct WeightLists {
  static constexpr int of_chunk = 8;
  using Chunk = WeightChunk<T, of_chunk>;
  using Single = WeightChunk<T, 1>;

  const Chunk* chunks;    ///< `first` is a multiple of four
  const Single* singles;  ///< weights that are alone in their chunk
  int first_chunk[stencils + 1], first_single[stencils + 1];
};

/// The teams of a block (block.cuh). A multiprocessor has registers for so many: 168 for each thread of values of 4
/// bytes, 255 of 8.
template <class T>
inline constexpr unsigned block_teams = sizeof(T) == 4 ? 3 : 2;

/// The bytes in which a team adds products.
template <class T>
constexpr int team_bytes(int depth) {
  return tiles::device::Layout<T>::corners(depth) * static_cast<int>(sizeof(T));
}
/// The teams that shared memory has room for.
template <class T>
constexpr unsigned adding_teams_in(int capability) {
  const int room = warpfold::cuda::shared_bytes_of_block(capability) - 1024;
  return std::min<unsigned>(block_teams<T>, room / team_bytes<T>(tiles::chunk_depth(sizeof(T), capability)));
}

/// The products of one pair of tables, which lie so many values after the job's.
template <class G>
struct ProductRules {
  using Algebra = device::Algebra<typename G::Semiring>;
  using Value = typename Algebra::Value;
  using Values = interval::detail::Stored<typename G::Semiring>;
  static constexpr bool splits = false, splits_by_product = false;
  static constexpr unsigned teams = block_teams<Value>;
  static constexpr unsigned adding_teams(int capability) { return adding_teams_in<Value>(capability); }
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
///     partial sums   of one diagonal: of each product and each stencil by threads, and of each sparse table by the
///                    parts of its terms
template <class G>
struct ClosingArea {
  using T = GrammarValue<G>;
  static constexpr int threads = static_cast<int>(block_teams<T>) * block_threads;
  static constexpr int tile = tile_side * tile_side;
  static constexpr int products = static_cast<int>(interval::detail::products_of<G>().size());
  static constexpr int stencils = static_cast<int>(interval::detail::stencils_of<G>().size());
  static constexpr int warps = threads / 32;
  static constexpr int stencil_warps =
      (threads - tile_side) / 32;  ///< the last ones; the others call the caller's terms
  static constexpr int sparse = static_cast<int>(interval::detail::sparse_of<G>());
  static constexpr bool stencils_are_sparse = requires {
    G::sparse_parts;
  };  ///< whether only intervals with values in sparse tables have them
  static constexpr int sparse_parts = static_cast<int>(interval::detail::sparse_parts_of<G>());
  static constexpr int sparse_groups = sparse_parts < warps ? sparse_parts : warps;  ///< of parts, one for a warp
  /// The first part of a group.
  static constexpr int first_part(int group) { return group * sparse_parts / sparse_groups; }

  static constexpr interval::Product product(int p) { return interval::detail::products_of<G>()[p]; }
  static constexpr unsigned of(int s) { return interval::detail::stencils_of<G>()[s].of; }
  static constexpr int deep(int s) { return static_cast<int>(interval::detail::stencils_of<G>()[s].deep); }

  static constexpr bool is_read(unsigned table) {
    for (const auto& [left, right] : interval::detail::products_of<G>()) {
      if (left == table || right == table) return true;
    }
    return false;
  }
  /// Whether a stencil reads this table.
  static constexpr bool is_weighed(unsigned table) {
    for (int s = 0; s < stencils; ++s) {
      if (of(s) == table) return true;
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
  /// Row r of the tile, r > 0, is at r - 1. Chunks of weights reach beyond the stencil's rows.
  static constexpr int ring_width(int s) { return tile_side + 8 + deep(s) / 8 * 8; }
  static constexpr int ring_size(int s) { return lags(s) * ring_width(s); }
  static constexpr int ring(int s) {
    int before = corners(products);
    for (int t = 0; t < s; ++t) before += ring_size(t);
    return before;
  }
  static constexpr int product_parts(int p) { return ring(stencils) + p * threads; }
  static constexpr int stencil_parts(int s) { return product_parts(products) + s * stencil_warps * tile_side; }
  static constexpr int stencil_sums(int s) { return stencil_parts(stencils) + s * tile_side; }
  static constexpr int sparse_sums(int t) { return stencil_sums(stencils) + t * sparse_groups * tile_side; }
  static constexpr int size = sparse_sums(sparse);

  /// Whether it fits in shared memory. If not, it is in global memory.
  static constexpr bool is_shared(int capability) {
    return size * static_cast<int>(sizeof(T)) + 1024 <= warpfold::cuda::shared_bytes_of_block(capability);
  }
};

/// A term's value from its parts as they are stored, or something that is zero.
template <class S, class... Parts>
constexpr typename S::Value term_of(const Parts&... stored) {
  using Values = interval::detail::Stored<S>;
  if constexpr (Values::limited && sizeof...(Parts) <= 2) {  // two infinities fit the type, and their sum is infinite
    typename S::Value term = 0;
    ((term = Values::times(term, stored)), ...);
    return term;
  } else {
    return interval::detail::product_of_parts<S>({stored...});
  }
}

/// Checks the parts and the values of an interval's terms on the device. What is not accepted is noted, not raised.
template <class S>
class CheckedTerms {
 public:
  using T = typename S::Value;
  using Values = interval::detail::Stored<S>;

  /// The value of a table of which this is the sum of all terms, as it is stored.
  constexpr T final_value(unsigned table, const T& sum) {
    const bool is_zero = Values::is_zero(sum);
    if (!is_zero && !Values::accepts(sum)) refuse(table, GrammarMisfit::value, sum);
    return interval::detail::select(is_zero, Values::zero(), Values::of(sum));
  }

  unsigned long long misfit = GrammarMisfit::none;  ///< the first that was noted
  T refused = Values::zero();                       ///< its value

 protected:
  /// `first_table`: the number of the first table in `misfit`.
  constexpr CheckedTerms(unsigned i, unsigned j, unsigned first_table) : i_(i), j_(j), first_table_(first_table) {}

  constexpr void refuse(unsigned table, GrammarMisfit::Kind kind, const T& value = Values::zero()) {
    if (misfit != GrammarMisfit::none) return;
    refused = value;
    misfit = GrammarMisfit::encode(i_, j_, first_table_ + table, kind);
  }
  /// A part of a term as it is stored.
  template <class Part>
  constexpr auto stored(unsigned table, const Part& part) {
    static_assert(interval::detail::is_operand<Part> || interval::detail::BecomesValue<Part, T>,
                  "a term's parts are the semiring's values; no wider type, no fraction for integers");
    if constexpr (interval::detail::is_operand<Part>) {
      return part.stored;
    } else {
      const auto value = static_cast<T>(part);
      if (!Values::accepts(value)) refuse(table, GrammarMisfit::part, value);
      return Values::of(value);
    }
  }

  unsigned i_, j_;

 private:
  unsigned first_table_;
};

/// Computes the values of the tables begin .. end-1 of one interval from its terms, as IntervalTerms does on the CPU.
template <class G, unsigned begin = 0, unsigned end = table_count<G>>
class DeviceTerms : public CheckedTerms<typename G::Semiring> {
 public:
  using S = typename G::Semiring;
  using Checks = CheckedTerms<S>;
  using Checks::final_value;
  using typename Checks::T, typename Checks::Values;
  using Operand = interval::detail::Operand<T>;
  using Kind = typename Operand::Kind;

  T products[ClosingArea<G>::products + 1], stencils[ClosingArea<G>::stencils + 1];  ///< no array is empty
  T before[begin + 1];  ///< the values of the tables before `begin`

  /// `tables`: the first one. The others follow, `table_size` values each. `own`: the interval's place in the first.
  constexpr DeviceTerms(const T* tables, std::size_t table_size, const T* own, unsigned i, unsigned j)
      : Checks(i, j, 0),
        tables_(tables),
        table_size_(table_size),
        own_(own),
        to_left_(static_cast<int>(side) - static_cast<int>(j / side * (side * side))) {
    for (T& value : values_) value = Values::zero();
  }

  template <class... Parts>
  constexpr void operator()(unsigned table, const Parts&... parts) {
    interval::detail::check_parts<Parts...>();
    if (table < first_open_ || table >= end) return refuse(table, GrammarMisfit::order);
    first_open_ = table;
    T& sum = values_[table - begin];
    sum = S::plus(sum, term_of<S>(stored(table, parts)...));
  }
  constexpr Operand inside(unsigned table, std::size_t a, std::size_t b) {
    if (a + b == 0) refuse(table, GrammarMisfit::nothing_inside);
    const std::size_t length = j_ - i_;
    const bool has_length = a < length && b < length && a + b < length;
    return {Kind::inside, table, i_ + a, j_ - b, has_length ? *entry(table, a, b) : Values::zero()};
  }
  constexpr Operand here(unsigned table) {
    first_open_ = first_open_ > table + 1 ? first_open_ : table + 1;
    return {Kind::here, table, i_, j_, table < begin ? before[table] : value(table)};
  }
  constexpr Operand product(unsigned p) const { return {Kind::product, p, i_, j_, products[p]}; }
  constexpr Operand stencil(unsigned s) const {
    static_assert(begin == 0 || !ClosingArea<G>::stencils_are_sparse,
                  "a grammar with sparse_parts reads stencils in these parts alone");
    return {Kind::stencil, s, i_, j_, stencils[s]};
  }

  /// The sum of a table's terms.
  [[nodiscard]] constexpr T sum(unsigned table) const { return values_[table - begin]; }
  /// The value of a table after all its terms, as it is stored.
  constexpr T value(unsigned table) { return final_value(table, sum(table)); }

 private:
  static constexpr unsigned side = tile_side;

  using Checks::i_, Checks::j_;
  using Checks::refuse, Checks::stored;

  /// The place of T(table, i+a, j-b). The tiles of a column follow each other, so that rows lie one stride apart.
  constexpr const T* entry(unsigned table, std::size_t a, std::size_t b) const {
    if (b > side) return tables_ + table * table_size_ + entry_offset(i_ + a, j_ - b, side);
    return own_ + table * table_size_ + a * side - b + (j_ % side < b ? to_left_ : 0);
  }

  const T* tables_;
  std::size_t table_size_;
  const T* own_;  ///< the interval in the first table
  int to_left_;   ///< from a column beyond the left edge of the tile to the same one of the tile to the left
  T values_[end - begin];
  unsigned first_open_ = begin;  ///< the tables before it are complete
};

/// A tile of all tables that a grammar closes by code of its own.
template <class T>
struct OpenTile {
  T* tables;  ///< the first one; the others follow
  std::size_t table_size;
  unsigned i, j, points;
  const T* products;  ///< the sums of the tiles between, or null

  [[nodiscard]] __device__ __forceinline__ T* tile(unsigned table, unsigned tile_i, unsigned tile_j) const {
    return tables + table * table_size + tiles::tile_offset(tile_i, tile_j, tile_side);
  }
};

/// A grammar of one product with code of its own to close a tile:
///
///     static constexpr int closing_bytes;                                                  of shared memory
///     void close(const OpenTile<T>& tile, T* shared, int thread, const Report& report) const;
///
/// All threads of a block call `close`, with their numbers, and report(table, i, j) for a value that is not accepted.
template <class G>
concept ClosesTiles = requires {
  G::closing_bytes;
};

template <class G>
struct GrammarRules {
  using Semiring = typename G::Semiring;
  using Value = GrammarValue<G>;
  using Values = interval::detail::Stored<Semiring>;
  using Area = ClosingArea<G>;
  static constexpr unsigned teams = block_teams<Value>;
  static constexpr unsigned adding_teams(int capability) { return adding_teams_in<Value>(capability); }
  static constexpr unsigned max_blocks = 512;  ///< each has its own sums of products in global memory

  G grammar;
  unsigned points;
  std::size_t table_size;  ///< the values of a table; the tables follow each other
  Value* sums;             ///< of each block a tile for each product
  Value* areas;            ///< of each block a ClosingArea, or null if that is in shared memory
  WeightLists<Value, Area::stencils> weights;
  unsigned long long* misfit;  ///< the least GrammarMisfit that was seen
  Stop stop;

  static constexpr int shared_bytes(int depth, int capability) {
    const int of_products = static_cast<int>(adding_teams(capability)) * team_bytes<Value>(depth);
    if constexpr (ClosesTiles<G>) {
      return std::max(of_products, G::closing_bytes);
    } else {
      const int of_closing = Area::is_shared(capability) ? Area::size * static_cast<int>(sizeof(Value)) : 0;
      return std::max(of_products, of_closing);
    }
  }
  __device__ void report(unsigned long long code) const {
    if (code == GrammarMisfit::none) return;
    atomicMin_system(misfit, code);
    stop.ask();
  }
};

}  // namespace warpfold::interval::device
