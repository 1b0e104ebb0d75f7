#pragma once

#include "interval/user/grammar_sums.cuh"
#include "warpfold/interval/detail/outside_solver.hpp"

/// The marginals of a grammar's sums on a GPU, with the bits of the CPU. OutsideSolver says what is computed, and in
/// which order each sum takes its terms (docs/explanation/kernels/grammar.md).
///
/// Tiles go by diagonals, from the corner: two launches for each. `outside_products` adds the products with other
/// tiles, `close_outside` the rest. A tile is closed diagonal by diagonal, from its upper right corner: interval (r, q)
/// is in row r and q columns from the right, and diagonal r + q needs those before it.
namespace warpfold::interval::device {

using interval::detail::ReadTerm;

inline constexpr int outside_threads = 256;
inline constexpr int max_reach = 31;  ///< points that `inside` leaves out on a side, at most
inline constexpr int max_reads = 640;
/// Terms of an interval whose list is in shared memory: of the sparse tables, and of the others.
inline constexpr int near_sparse = 15, near_dense = 8, near_reads = near_sparse + near_dense;
inline constexpr int max_results = 4;
inline constexpr unsigned few_tiles = 256;  ///< on a diagonal: their products come in parts

/// The places of what a block needs to close a tile from outside, in values:
///
///     outside      of each product the outside values of the tile, by rows of `stride`
///     corners      of each product the diagonal tile of its row, of the left table, above the diagonal, and that of
///     its
///                  column, of the right table, transposed below it
///     rings        of each stencil the last deep + 2 diagonals of what it reads, by rows of the tile and those above
///     the rest     of the diagonal: of each stencil the sums, for `max_diagonals`, and what intervals give to it; of
///                  each product the two chains; of each table what intervals were given, and their outside values
///     weights      of all stencils
///     lists        of this diagonal and of the next: the seeds, the weights of intervals in stencils, and the terms
///     that
///                  read something
template <class G>
struct OutsideArea {
  using Base = ClosingArea<G>;
  static constexpr int products = Base::products, stencils = Base::stencils, tables = static_cast<int>(table_count<G>);
  static constexpr int stride = tile_side + 1, padded = tile_side * stride;

  static constexpr int outside(int p) { return p * padded; }
  static constexpr int corners(int p) { return (products + p) * padded; }
  static constexpr int around(int s) { return Base::deep(s) + 1; }
  static constexpr int ring_width(int s) { return tile_side + around(s); }
  static constexpr int ring(int s) {
    int before = corners(products);
    for (int t = 0; t < s; ++t) before += Base::lags(t) * ring_width(t);
    return before;
  }
  static constexpr int stencil_sums(int s) { return ring(stencils) + s * max_diagonals * tile_side; }
  static constexpr int of_stencils(int s) { return stencil_sums(stencils) + s * tile_side; }
  static constexpr int chains(int p) { return of_stencils(stencils) + p * 2 * tile_side; }
  static constexpr int given(int t) { return chains(products) + t * tile_side; }
  static constexpr int values(int t) { return given(tables) + t * tile_side; }
  static constexpr int seeds(int turn, int t) { return values(tables) + (turn * tables + t) * tile_side; }
  static constexpr int inner(int turn, int s) { return seeds(2, 0) + (turn * stencils + s) * tile_side; }
  static constexpr int weights = (inner(2, 0) + 1) / 2 * 2;
  static constexpr int lists = weights + SumWeightLists<G>::size;
  static constexpr int of_read = sizeof(ReadTerm) / sizeof(double);
  static constexpr int size = lists + 2 * near_reads * tile_side * of_read;
  static_assert(sizeof(ReadTerm) == 16);

  static constexpr bool is_shared(int capability) {
    return size * static_cast<int>(sizeof(double)) + 4096 <= warpfold::cuda::shared_bytes_of_block(capability);
  }
};

/// The intervals beyond a tile that its intervals give to, and the places of their parts.
struct OutsideRim {
  int reach;

  [[nodiscard]] __host__ __device__ constexpr int width() const { return tile_side + reach; }
  [[nodiscard]] __host__ __device__ constexpr int size() const { return reach * (width() + tile_side); }
  /// The place of (r, q), one of which is beyond the tile.
  [[nodiscard]] __device__ int place(int r, int q) const {
    return r >= tile_side ? (r - tile_side) * width() + q : reach * width() + r * reach + q - tile_side;
  }
  /// The intervals that those of a diagonal can give to are on fewer diagonals. A power of two.
  [[nodiscard]] __host__ __device__ constexpr int diagonals() const { return reach < 2 ? 4 : reach < 8 ? 16 : 64; }
  /// Of each table and each `a` two sums: what tables that are not sparse give, and sparse ones.
  [[nodiscard]] __host__ __device__ constexpr int keys() const { return 2 * (reach + 1); }
  /// The values of a block's parts for one table.
  [[nodiscard]] __host__ __device__ constexpr int parts() const { return keys() * diagonals() * width(); }
};

/// The arguments of both kernels. Seed: Scaled operator()(table, i, j), as that of OutsideSolver.
template <class G, class Seed>
struct OutsideRules {
  using Area = OutsideArea<G>;
  static constexpr unsigned max_blocks = 160;

  G grammar;
  Seed seed;
  unsigned points, along;
  const double* tables;  ///< of the sums
  std::size_t table_size;
  const std::int32_t* exponents;
  double* transposed;   ///< the outside values of each product, tile by tile
  int* tops;            ///< of each tile the exponent of the largest of each product
  double* products;     ///< of each tile of the diagonal, each product and both sides: their sums with other tiles
  double* rims;         ///< of three diagonals, each tile and each table
  double* of_stencils;  ///< of three diagonals, each tile and each stencil: what its intervals give
  double* parts;        ///< of each block OutsideRim::parts of each table. Zero between tiles
  ReadTerm* reads;      ///< of each block the terms beyond near_reads
  double* areas;        ///< of each block an OutsideArea, or null if that is in shared memory
  SumWeightLists<G> weights;
  OutsideRim rim;
  double* results;
  unsigned wanted[max_results], result_count;  ///< of each result the tables, as bits
  unsigned long long* misfit;

  [[nodiscard]] __device__ __forceinline__ int exponent(unsigned i, unsigned j) const {
    return exponents[tiles::tile_number(i, j)];
  }
  [[nodiscard]] __device__ __forceinline__ const double* tile(unsigned table, unsigned i, unsigned j) const {
    return tables + table * table_size + tiles::tile_offset(i, j, tile_side);
  }
  [[nodiscard]] __device__ __forceinline__ double* transposed_of(int p, unsigned i, unsigned j) const {
    return transposed + p * table_size + tiles::tile_offset(i, j, tile_side);
  }
  [[nodiscard]] __device__ __forceinline__ double* product_sums(unsigned i, int p, int side) const {
    return products + ((std::size_t{i} * Area::products + p) * 2 + side) * Area::Base::tile;
  }
  /// The number of tile (i, i + distance) among those of three diagonals.
  [[nodiscard]] __device__ __forceinline__ std::size_t recent(unsigned distance, unsigned i) const {
    return std::size_t{distance % 3} * along + i;
  }
  [[nodiscard]] __device__ __forceinline__ double* rim_of(unsigned distance, unsigned i, unsigned table) const {
    return rims + (recent(distance, i) * table_count<G> + table) * static_cast<std::size_t>(rim.size());
  }
  [[nodiscard]] __device__ __forceinline__ double* given_to(int s, unsigned distance, unsigned i) const {
    return of_stencils + (recent(distance, i) * Area::stencils + s) * Area::Base::tile;
  }
};

/// The pairs of tiles whose products a tile takes, as the left operand (side 0) or the right one.
template <class G, class Seed>
class OutsidePairs {
 public:
  const double *a = nullptr, *b = nullptr;
  TwoFactors factor{0};  ///< of the outside values: of b on side 0, of a on side 1

  __device__ OutsidePairs(const OutsideRules<G, Seed>& rules, unsigned i, unsigned j, int p, int side)
      : rules_(rules), i_(i), j_(j), p_(p), side_(side), next_(side == 0 ? j + 1 : i - 1) {
    look_ahead();
  }

  /// Goes on to the next pair that matters (ScaledTile), whose scales were read before. Returns false if there is none.
  __device__ __forceinline__ bool advance() {
    const interval::Product product = ClosingArea<G>::product(p_);
    const std::int64_t own = rules_.exponent(i_, j_);
    while (exists()) {
      const unsigned k = next_, outer_i = side_ == 0 ? i_ : k, outer_j = side_ == 0 ? k : j_;
      const std::int64_t d = with_ + own - of_outer_;
      const int top = top_;
      next_ = side_ == 0 ? k + 1 : k - 1;
      look_ahead();
      if (interval::detail::is_lost_outside(d, top)) continue;
      factor = TwoFactors(d);
      const double* const outer = rules_.transposed_of(p_, outer_i, outer_j);
      a = side_ == 0 ? rules_.tile(product.right, j_, k) : outer;
      b = side_ == 0 ? outer : rules_.tile(product.left, k, i_);
      return true;
    }
    return false;
  }

 private:
  [[nodiscard]] __device__ __forceinline__ bool exists() const { return next_ < rules_.along; }
  /// Reads the scales of the next pair. Nothing waits for them here.
  __device__ __forceinline__ void look_ahead() {
    if (!exists()) return;
    const unsigned outer_i = side_ == 0 ? i_ : next_, outer_j = side_ == 0 ? next_ : j_;
    with_ = side_ == 0 ? rules_.exponent(j_, next_) : rules_.exponent(next_, i_);
    of_outer_ = rules_.exponent(outer_i, outer_j);
    top_ = rules_.tops[tiles::tile_number(outer_i, outer_j) * ClosingArea<G>::products + p_];
  }

  const OutsideRules<G, Seed>& rules_;
  unsigned i_, j_;
  int p_, side_;
  unsigned next_;  ///< beyond all tiles if there is none
  int with_ = 0, of_outer_ = 0, top_ = 0;
};

/// The chunks of the products of outside values in a block's shared memory: `columns` of b.
template <int columns>
struct OutsideChunk {
  using Sums = FusedSums<columns>;
  static constexpr int depth = 16, stages = 3, of_pair = tile_side / depth;
  static constexpr int a_stride = Sums::a_stride(depth), b_stride = Sums::b_stride, b = tile_side * a_stride,
                       size = b + depth * b_stride;
  static constexpr std::size_t bytes = std::size_t{stages} * size * sizeof(double);
  using CopyA = tiles::device::BlockCopy<tile_side, depth, block_threads, double>;
  using CopyB = tiles::device::BlockCopy<depth, columns, block_threads, double>;

  /// Starts a copy. `from_b`: the first of the columns.
  static __device__ __forceinline__ void start(double* to, const double* from_a, const double* from_b, int first_k) {
    CopyA::template start<a_stride>(to + CopyA::row() * a_stride + CopyA::column(),
                                    from_a + CopyA::row() * tile_side + CopyA::column() + first_k, tile_side);
    CopyB::template start<b_stride>(to + b + CopyB::row() * b_stride + CopyB::column(),
                                    from_b + (CopyB::row() + first_k) * tile_side + CopyB::column(), tile_side);
  }
};

/// Adds the products of the tiles of a diagonal with other tiles. Block (i, 2 p + side, part) has `columns` columns of
/// one of the two sums of tile (i, i + distance) for product p. Parts of 16 columns take a fourth of the time, for
/// diagonals of few tiles. Shared memory: three chunks, OutsideChunk::bytes. One barrier a chunk.
template <class G, class Seed, int columns>
__global__ void __launch_bounds__(block_threads, columns == tile_side ? 3 : 4)
    outside_products(const __grid_constant__ OutsideRules<G, Seed> rules, unsigned distance) {
  using Chunk = OutsideChunk<columns>;
  const int p = static_cast<int>(blockIdx.y) / 2, side = static_cast<int>(blockIdx.y) % 2;
  const int of_part = static_cast<int>(blockIdx.z) * columns;
  typename Chunk::Sums sums;
  sums.clear();
  OutsidePairs<G, Seed> pairs(rules, blockIdx.x, blockIdx.x + distance, p, side);
  bool has_more = pairs.advance();
  TwoFactors even = pairs.factor, odd = even;  // of pairs with such numbers
  unsigned started = 0;
  const auto place = [](unsigned chunk) { return shared_values<double>() + chunk % Chunk::stages * Chunk::size; };
  const auto start_next = [&] {
    if (has_more) {
      Chunk::start(place(started), pairs.a, pairs.b + of_part, started % Chunk::of_pair * Chunk::depth);
      if (++started % Chunk::of_pair == 0) {
        has_more = pairs.advance();
        const bool is_even = started / Chunk::of_pair % 2 == 0;
        even = is_even ? pairs.factor : even;
        odd = is_even ? odd : pairs.factor;
      }
    }
    tiles::device::copy_commit();
  };
  for (int ahead = 1; ahead < Chunk::stages; ++ahead) start_next();
  for (unsigned chunk = 0; chunk < started; ++chunk) {
    tiles::device::copy_wait<Chunk::stages - 2>();
    __syncthreads();
    start_next();
    const bool is_even = chunk / Chunk::of_pair % 2 == 0;
    const double first = is_even ? even.first() : odd.first(), second = is_even ? even.second() : odd.second();
    const double* const a = place(chunk);
    const auto scaled = [=](double value) { return value * first * second; };
    const auto same = [](double value) { return value; };
    if (side == 0) {
      sums.template add<Chunk::depth>(a, a + Chunk::b, same, scaled);
    } else {
      sums.template add<Chunk::depth>(a, a + Chunk::b, scaled, same);
    }
  }
  double* const to = rules.product_sums(blockIdx.x, p, side);
  sums.each([&](double sum, int row, int column) { to[(of_part + column) * tile_side + row] = sum; });
}

/// The terms of one interval that read something, of the sparse tables or of the others: the first in shared memory,
/// `tile_side` apart, others in global memory.
class DeviceReads {
 public:
  static constexpr std::size_t reach = max_reach;

  constexpr DeviceReads(ReadTerm* near, int near_count, ReadTerm* far, OutsideRim rim)
      : near_(near), far_(far), near_count_(near_count), rim_(rim) {}

  [[nodiscard]] constexpr ReadTerm& operator[](int t) const {
    return t < near_count_ ? near_[t * tile_side] : far_[(t - near_count_) * tile_side];
  }
  constexpr void add(const ReadTerm& term) {
    if (count == max_reads || term.a > rim_.reach || term.b > rim_.reach) return reject_far(term.a, term.b);
    (*this)[count++] = term;
  }
  constexpr void reject_far(std::size_t, std::size_t) { misfit = GrammarMisfit::far; }
  constexpr void reject_nothing() { misfit = GrammarMisfit::nothing_inside; }

  int count = 0;
  GrammarMisfit::Kind misfit = GrammarMisfit::part;  ///< what is wrong, if anything is

 private:
  ReadTerm *near_, *far_;
  int near_count_;
  OutsideRim rim_;
};

/// Closes tiles from outside.
template <class G, class Seed>
class OutsideClosing {
 public:
  using Rules = OutsideRules<G, Seed>;
  using Area = OutsideArea<G>;
  using Base = ClosingArea<G>;
  static constexpr int sparse = Base::sparse, tables = Area::tables;

  /// What all threads of a block share besides the area.
  struct Shared {
    unsigned long long used[table_count<G>];  ///< of each table the sums that were given to, as bits
    int reads[2][2][tile_side];  ///< of this diagonal and of the next, of sparse tables and of others: their terms
    unsigned long long top[Area::products + 1];  ///< the largest outside value, as bits
    SparseRows rows;
  };

  __device__ OutsideClosing(const Rules& rules, Shared& shared, unsigned distance, unsigned i)
      : rules_(rules),
        shared_(shared),
        distance_(distance),
        i_(i),
        j_(i + distance),
        exponent_(rules.exponent(i, i + distance)) {}

  __device__ void run() {
    const int group = thread() / 64;
    begin();
    const int last = distance_ == 0 ? tile_side - 2 : last_diagonal + 2 * rules_.rim.reach;
    for (int t = 0; t <= last; ++t) {
      if (t <= last_diagonal && t % rules_.weights.diagonals == 0) {
        add_stencils_from(t);
        __syncthreads();
      }
      if (thread() == 0) shared_.rows.count[t % 2] = 0;
      if (thread() < 2 * tile_side) {
        add_products_of(t);
      } else {
        gather(t);
      }
      __syncthreads();
      if (group == 0) finish(t);
      if (group >= 2) fetch_around(t);
      list_next(t + 1);
      __syncthreads();
    }
    publish();
  }

 private:
  static constexpr int last_diagonal = 2 * tile_side - 2;

  static __device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }
  [[nodiscard]] __device__ __forceinline__ double* area() const {
    if constexpr (Area::is_shared(this_capability)) {
      return shared_values<double>();
    } else {
      return rules_.areas + std::size_t{blockIdx.x} * Area::size;
    }
  }
  [[nodiscard]] __device__ __forceinline__ double& outside(int p, int r, int column) const {
    return area()[Area::outside(p) + r * Area::stride + column];
  }
  /// Row r of diagonal t in the ring of stencil s, from deep + 1 rows above the tile.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ double& ring(int t, int r) const {
    const int slot = (t + 2 * Base::lags(s)) % Base::lags(s);
    return area()[Area::ring(s) + slot * Area::ring_width(s) + r + Area::around(s)];
  }
  template <bool of_sparse>
  [[nodiscard]] __device__ __forceinline__ DeviceReads reads(int t, int r) const {
    auto* const near = reinterpret_cast<ReadTerm*>(area() + Area::lists);
    const int first = t % 2 * near_reads + (of_sparse ? 0 : near_sparse);
    return {near + first * tile_side + r, of_sparse ? near_sparse : near_dense, far_reads<of_sparse>(t, r), rules_.rim};
  }
  template <bool of_sparse>
  [[nodiscard]] __device__ __forceinline__ ReadTerm* far_reads(int t, int r) const {
    const std::size_t list = (std::size_t{blockIdx.x} * 2 + t % 2) * 2 + of_sparse;
    return rules_.reads + list * max_reads * tile_side + r;
  }
  /// The sum of the parts that row r of diagonal t was given by rows `a` above it.
  [[nodiscard]] __device__ __forceinline__ double* part(unsigned table, int key, int t, int r) const {
    const std::size_t of_block = std::size_t{table_count<G>} * rules_.rim.parts();
    const int at = (key * rules_.rim.diagonals() + (t & (rules_.rim.diagonals() - 1))) * rules_.rim.width() + r;
    return rules_.parts + blockIdx.x * of_block + table * std::size_t(rules_.rim.parts()) + at;
  }
  /// Whether (r, q) of the tile is an interval.
  [[nodiscard]] __device__ __forceinline__ bool exists(int r, int q) const {
    if (q < 0 || q >= tile_side || (distance_ == 0 && r + q >= tile_side - 1)) return false;
    return i_ * tile_side + r < rules_.points && j_ * tile_side + tile_side - 1 - q < rules_.points;
  }
  /// A neighbor above the tile, to its right, or both: whether it is there, and the factor of its values.
  [[nodiscard]] __device__ __forceinline__ bool has_neighbor(bool above, bool right) const {
    return (!above || i_ > 0) && (!right || j_ + 1 < rules_.along);
  }
  [[nodiscard]] __device__ __forceinline__ double factor(bool above, bool right) const {
    return power_of_two(std::int64_t{exponent_} - rules_.exponent(i_ - above, j_ + right));
  }

  __device__ void begin() {
    for (int at = thread(); at < Area::ring(Area::stencils); at += outside_threads) area()[at] = 0;
    rules_.weights.copy_to(area() + Area::weights, thread(), outside_threads);
    __syncthreads();
    for (int at = thread(); at < Base::tile; at += outside_threads) {
      const int r = at / tile_side, k = at % tile_side;
      for (unsigned result = 0; result < rules_.result_count; ++result) result_tile(result)[at] = 0;
      each_number<Area::stencils>([&](auto s) { rules_.given_to(s, distance_, i_)[at] = 0; });
      if (r >= k) continue;
      each_number<Area::products>([&](auto p) {
        constexpr interval::Product product = Base::product(p);
        area()[Area::corners(p) + r * Area::stride + k] = rules_.tile(product.left, i_, i_)[at];
        area()[Area::corners(p) + k * Area::stride + r] = rules_.tile(product.right, j_, j_)[at];
      });
    }
    if (thread() < Area::products) shared_.top[thread()] = 0;
    for (int before = Base::deepest(); before > 0 && thread() >= 2 * tile_side; --before) fetch_around(-before);
    if (thread() == 0) shared_.rows.count[0] = shared_.rows.count[1] = 0;
    __syncthreads();
    if (thread() / tile_side == 1) list_sparse_rows(0);
    __syncthreads();
    list_next(0);
    __syncthreads();
  }
  /// What `finish` needs besides values, by all but the first 64 threads.
  __device__ __forceinline__ void list_next(int t) {
    const int r = thread() % tile_side, group = thread() / tile_side;
    if (group == 0) return;
    if constexpr (SparseParts<G>::are_shared) {
      each_sparse_part<G>(shared_.rows, t % 2, 2, outside_threads / 32 - 2,
                          [&](auto part, int row) { list_part<decltype(part)::value>(t, row); });
      if (group == 1) list_sparse_rows(t + 1);
    } else if (group == 1) {
      list<true>(t, r);
    }
    if (group == 2) list<false>(t, r);
    if (group == 3) list_seeds(t, r);
  }
  [[nodiscard]] __device__ __forceinline__ double* result_tile(unsigned result) const {
    return rules_.results + result * rules_.table_size + tiles::tile_offset(i_, j_, tile_side);
  }

  /// Fetches what stencils read on diagonal t outside the tile. The last 128 threads run it.
  __device__ __forceinline__ void fetch_around(int t) {
    each_number<Area::stencils>([&](auto s) {
      constexpr int around = Area::around(decltype(s)::value);
      const int r = thread() - 2 * tile_side - around, q = t - r;
      const bool above = r < 0, right = q < 0;
      if ((!above && !right) || r >= tile_side - 1 || q >= tile_side - 1 || q < -around) return;
      double value = 0;
      if (has_neighbor(above, right)) {
        const unsigned from_i = i_ - above;
        const int at = (r + tile_side) % tile_side * tile_side + (q + tile_side) % tile_side;
        value = rules_.given_to(s, distance_ + above + right, from_i)[at];
        if (value != 0) value *= factor(above, right);
      }
      ring<decltype(s)::value>(t, r) = value;
    });
  }

  /// The sums of stencils for diagonals from t on, which read nothing of each other. A thread has an interval of two.
  __device__ __forceinline__ void add_stencils_from(int t) {
    const int r = thread() % tile_side;
    each_number<Area::stencils>([&](auto s) {
      constexpr int stencil = decltype(s)::value;
      for (int number = 0; number < rules_.weights.diagonals; number += 2) {
        if (rules_.weights.group[s][number / 2] != thread() / tile_side) continue;
        double sums[2] = {0, 0};
        rules_.weights.template add<stencil, Area::ring_width(stencil), -1>(
            area() + Area::weights, area() + Area::ring(s) + r - 1 + Area::around(s), t + number, sums);
        double* const to = area() + Area::stencil_sums(s) + number * tile_side + r;
        to[0] = sums[0];
        to[tile_side] = sums[1];
      }
    });
  }

  /// The sums of products for diagonal t: threads 0 .. 63 of intervals as left operands, 64 .. 127 as right ones.
  __device__ __forceinline__ void add_products_of(int t) {
    const int r = thread() % tile_side, side = thread() / tile_side, column = tile_side - 1 - (t - r);
    if (column < 0 || column >= tile_side) return;
    each_number<Area::products>([&](auto p) {
      double sum = rules_.product_sums(i_, p, side)[r * tile_side + column];
      const double* const corners = area() + Area::corners(p);
      const double* const of_row = &outside(p, r, 0);
      const double* const of_column = &outside(p, 0, column);
      if (side == 0) {
        const int after = (column / tiles::block_side + 1) * tiles::block_side;
        for (int first = tile_side - 8; first >= after; first -= 8) {
#pragma unroll
          for (int k = first; k < first + 8; ++k) sum = fma(of_row[k], corners[k * Area::stride + column], sum);
        }
#pragma unroll 4
        for (int k = after - 1; k > column; --k) sum = fma(of_row[k], corners[k * Area::stride + column], sum);
      } else {
#pragma unroll 8
        for (int k = 0; k < r; ++k) sum = fma(corners[k * Area::stride + r], of_column[k * Area::stride], sum);
      }
      area()[Area::chains(p) + side * tile_side + r] = sum;
    });
  }

  /// The parts that the intervals of diagonal t, and those beyond the tile, were given: those in the tile for `finish`,
  /// others for the tiles below and to the left. The last 128 threads run it.
  __device__ __forceinline__ void gather(int t) {
    const int r = thread() - 2 * tile_side, q = t - r, width = rules_.rim.width();
    if (r >= width || q < 0 || q >= width) return;
    const bool inside = r < tile_side && q < tile_side;
    each_number<tables>([&](auto table) {
      double total = 0;
      if (inside) {
        if (r < rules_.rim.reach) total += from_rim(table, r, q, true, false);
        if (q < rules_.rim.reach) total += from_rim(table, r, q, false, true);
        if (r < rules_.rim.reach && q < rules_.rim.reach) total += from_rim(table, r, q, true, true);
      }
      total = add_parts(total, table, t, r);
      if (inside) {
        area()[Area::given(table) + r] = total;
      } else {
        rules_.rim_of(distance_, i_, table)[rules_.rim.place(r, q)] = total;
      }
    });
    each_number<tables>(
        [&](auto table) { each_key(shared_.used[table], [&](int key) { *part(table, key, t, r) = 0; }); });
  }
  template <class Visit>
  static __device__ __forceinline__ void each_key(unsigned long long keys, const Visit& visit) {
    while (keys != 0) {
      const int key = 63 - __clzll(static_cast<long long>(keys));
      keys ^= 1ULL << key;
      visit(key);
    }
  }
  /// Adds the parts from the farthest row on. Four are read at one time.
  [[nodiscard]] __device__ __forceinline__ double add_parts(double total, unsigned table, int t, int r) const {
    for (unsigned long long keys = shared_.used[table]; keys != 0;) {
      double found[4];
#pragma unroll
      for (double& value : found) {
        const int key = 63 - __clzll(static_cast<long long>(keys | 1));
        value = keys != 0 ? __ldcg(part(table, key, t, r)) : 0;
        keys &= (1ULL << key) - 1;
      }
#pragma unroll
      for (const double value : found) total += value;
    }
    return total;
  }
  [[nodiscard]] __device__ __forceinline__ double from_rim(unsigned table, int r, int q, bool above, bool right) const {
    if (!has_neighbor(above, right)) return 0;
    const double value = rules_.rim_of(distance_ + above + right, i_ - above,
                                       table)[rules_.rim.place(r + above * tile_side, q + right * tile_side)];
    return value == 0 ? 0 : value * factor(above, right);
  }

  /// Lists the terms of the intervals of diagonal t, of sparse tables or of others. 64 threads run it.
  template <bool of_sparse>
  __device__ __forceinline__ void list(int t, int r) {
    const int q = t - r;
    if ((of_sparse && sparse == 0) || !exists(r, q)) return;
    const unsigned i = i_ * tile_side + r, j = j_ * tile_side + tile_side - 1 - q;
    DeviceReads found = reads<of_sparse>(t, r);
    interval::detail::ReadTerms terms(found, i, j);
    if constexpr (sparse == 0) {
      rules_.grammar.terms(i, j, terms);
    } else if constexpr (of_sparse) {
      if (rules_.grammar.may_have_value(i, j)) rules_.grammar.sparse_terms(i, j, terms);
    } else {
      rules_.grammar.dense_terms(i, j, terms);
    }
    shared_.reads[t % 2][of_sparse][r] = found.count;
    report(i, j, found.misfit);
  }
  /// Lists the terms of a part of the sparse tables of one interval: those of the first part in global memory, others
  /// in their places.
  template <int part>
  __device__ __forceinline__ void list_part(int t, int r) {
    using Parts = SparseParts<G>;
    const unsigned i = i_ * tile_side + r, j = j_ * tile_side + tile_side - 1 - (t - r);
    ReadTerm* const near = &reads<true>(t, r)[Parts::first(part)];
    DeviceReads found(near, Parts::terms(part), far_reads<true>(t, r), rules_.rim);
    interval::detail::ReadTerms terms(found, i, j);
    rules_.grammar.template sparse_part<part>(i, j, terms);
    if (part == 0) shared_.reads[t % 2][true][r] = found.count;
    for (int at = found.count; at < Parts::terms(part); ++at) found[at] = {ReadTerm::Kind::here, 0, 0, 0, 0, 0};
    if (part > 0 && found.count > Parts::terms(part)) found.misfit = GrammarMisfit::far;
    report(i, j, found.misfit);
  }
  __device__ __forceinline__ void report(unsigned i, unsigned j, GrammarMisfit::Kind misfit) const {
    if (misfit == GrammarMisfit::part) return;
    atomicMin_system(rules_.misfit, GrammarMisfit::encode(i, j, 0, misfit));
  }
  /// Lists the rows of diagonal t that may have values in sparse tables. Group 1 runs it.
  __device__ __forceinline__ void list_sparse_rows(int t) {
    const int r = thread() % tile_side, q = t - r;
    if (!SparseParts<G>::are_shared || !exists(r, q)) return;
    if (may_have_value(i_ * tile_side + r, j_ * tile_side + tile_side - 1 - q)) shared_.rows.add(t % 2, r);
  }
  /// Lists the seeds of these intervals, and their weights in stencils.
  __device__ __forceinline__ void list_seeds(int t, int r) {
    const int q = t - r;
    if (!exists(r, q)) return;
    const unsigned i = i_ * tile_side + r, j = j_ * tile_side + tile_side - 1 - q;
    each_number<tables>([&](auto u) {
      constexpr unsigned table = decltype(u)::value;
      area()[Area::seeds(t % 2, u) + r] = rules_.seed(table, i, j).times_power_of_two(exponent_);
    });
    if (sparse > 0 && !may_have_value(i, j)) return;
    each_number<Area::stencils>([&](auto s) {
      unsigned long long misfit = GrammarMisfit::none;
      area()[Area::inner(t % 2, s) + r] = weighted(rules_.grammar, decltype(s)::value, i, j, 1.0, misfit);
    });
  }
  [[nodiscard]] __device__ __forceinline__ bool may_have_value(unsigned i, unsigned j) const {
    if constexpr (sparse > 0) return rules_.grammar.may_have_value(i, j);
    return true;
  }

  /// Finishes the interval of the row on diagonal t. Threads 0 .. 63 run it.
  __device__ __forceinline__ void finish(int t) {
    const int r = thread(), q = t - r;
    if (q < 0 || q >= tile_side) return;
    if (!exists(r, q)) return give_to_stencils(t, r, q, true);
    const unsigned i = i_ * tile_side + r, j = j_ * tile_side + tile_side - 1 - q;
    const int place = r * tile_side + tile_side - 1 - q;
    each_number<Area::stencils>([&](auto s) { area()[Area::of_stencils(s) + r] = 0; });
    each_number<tables>(
        [&](auto u) { value(u, r) = decltype(u)::value < sparse ? 0 : own_parts<decltype(u)::value>(t, r); });
    give_all<false>(t, r, q);
    add_marginals<sparse, tables>(place, r);
    give_to_stencils(t, r, q, false);
    if constexpr (sparse > 0) {
      if (!rules_.grammar.may_have_value(i, j)) return;
      each_number<Area::stencils>([&](auto s) { area()[Area::of_stencils(s) + r] = 0; });
      each_number<sparse>([&](auto u) { value(u, r) = own_parts<decltype(u)::value>(t, r) + value(u, r); });
      give_all<true>(t, r, q);
      add_marginals<0, sparse>(place, r);
      add_to_stencils(t, r, q);
    }
  }
  [[nodiscard]] __device__ __forceinline__ double& value(unsigned table, int r) const {
    return area()[Area::values(static_cast<int>(table)) + r];
  }
  /// The outside value of a table apart from what its interval's other tables give.
  template <int u>
  [[nodiscard]] __device__ __forceinline__ double own_parts(int t, int r) const {
    double sum = area()[Area::seeds(t % 2, u) + r] + area()[Area::given(u) + r];
    each_number<Area::products>([&](auto p) {
      constexpr interval::Product product = Base::product(decltype(p)::value);
      if (product.left == u) sum += area()[Area::chains(p) + r];
      if (product.right == u) sum += area()[Area::chains(p) + tile_side + r];
    });
    each_number<Area::stencils>([&](auto s) {
      if constexpr (Base::of(decltype(s)::value) == u) {
        const double around = area()[Area::stencil_sums(s) + t % rules_.weights.diagonals * tile_side + r];
        if (around != 0) sum += around * area()[Area::inner(t % 2, s) + r];
      }
    });
    return sum;
  }
  /// Gives parts of outside values to what the terms read, the last one first.
  template <bool of_sparse>
  __device__ __forceinline__ void give_all(int t, int r, int q) {
    const DeviceReads terms = reads<of_sparse>(t, r);
    const int count = shared_.reads[t % 2][of_sparse][r];
    if constexpr (of_sparse && SparseParts<G>::are_shared) {
      static_assert(SparseParts<G>::places <= near_sparse, "the terms of all parts but the first are 15 at most");
      for (int at = SparseParts<G>::places; at-- > 0;) {
        if (terms[at].weight != 0) give(terms[at], t, r, q, false);
      }
      const ReadTerm* const far = far_reads<true>(t, r);
      for (int at = count; at-- > 0;) give(far[at * tile_side], t, r, q, false);
    } else {
      for (int at = count; at-- > 0;) give(terms[at], t, r, q, !of_sparse);
    }
  }
  __device__ __forceinline__ void give(const ReadTerm& term, int t, int r, int q, bool is_dense) {
    const double given = value(term.table, r) * term.weight;
    switch (term.kind) {
      case ReadTerm::Kind::here:
        value(term.index, r) += given;
        break;
      case ReadTerm::Kind::product:
        outside(static_cast<int>(term.index), r, tile_side - 1 - q) += given;
        break;
      case ReadTerm::Kind::stencil:
        area()[Area::of_stencils(static_cast<int>(term.index)) + r] += given;
        break;
      case ReadTerm::Kind::inside:
        const int key = 2 * term.a + is_dense;
        if ((shared_.used[term.index] >> key & 1) == 0) atomicOr(&shared_.used[term.index], 1ULL << key);
        atomicAdd(part(term.index, key, t + term.a + term.b, r + term.a), given);
    }
  }
  template <int begin, int end>
  __device__ __forceinline__ void add_marginals(int place, int r) const {
    for (unsigned result = 0; result < rules_.result_count; ++result) {
      double marginal = result_tile(result)[place];
      each_number<end - begin>([&](auto at) {
        constexpr unsigned u = begin + decltype(at)::value;
        if (rules_.wanted[result] >> u & 1) marginal += value(u, r) * rules_.tile(u, i_, j_)[place];
      });
      result_tile(result)[place] = marginal;
    }
  }
  /// Shows the stencils what the interval gives to them, or nothing.
  __device__ __forceinline__ void give_to_stencils(int t, int r, int q, bool nothing) const {
    each_number<Area::stencils>([&](auto s) {
      const double given = nothing ? 0 : area()[Area::of_stencils(s) + r];
      ring<decltype(s)::value>(t, r) = given;
      rules_.given_to(s, distance_, i_)[r * tile_side + q] = given;
    });
  }
  /// Adds what its sparse tables give.
  __device__ __forceinline__ void add_to_stencils(int t, int r, int q) const {
    each_number<Area::stencils>([&](auto s) {
      double& given = ring<decltype(s)::value>(t, r);
      given += area()[Area::of_stencils(s) + r];
      rules_.given_to(s, distance_, i_)[r * tile_side + q] = given;
    });
  }

  /// Makes the outside values of the products ready for other tiles.
  __device__ void publish() {
    each_number<Area::products>([&](auto p) {
      double largest = 0;
      for (int at = thread(); at < Base::tile; at += outside_threads) {
        const double value = outside(p, at % tile_side, at / tile_side);
        rules_.transposed_of(p, i_, j_)[at] = value;
        largest = max(largest, value);
      }
      atomicMax(&shared_.top[p], static_cast<unsigned long long>(__double_as_longlong(largest)));
    });
    __syncthreads();
    if (thread() < Area::products) {
      const double largest = __longlong_as_double(static_cast<long long>(shared_.top[thread()]));
      rules_.tops[tiles::tile_number(i_, j_) * Area::products + thread()] =
          largest > 0 ? ilogb(largest) : std::numeric_limits<int>::min();
    }
    __syncthreads();
  }

  const Rules& rules_;
  Shared& shared_;
  unsigned distance_, i_, j_;
  int exponent_;
};

/// Closes the tiles of a diagonal. Shared memory: an OutsideArea. Three barriers for each diagonal of a tile.
template <class G, class Seed>
__global__ void __launch_bounds__(outside_threads, 1)
    close_outside(const __grid_constant__ OutsideRules<G, Seed> rules, unsigned distance) {
  using Closing = OutsideClosing<G, Seed>;
  __shared__ typename Closing::Shared shared;
  if (threadIdx.x < table_count<G>) shared.used[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x; i + distance < rules.along; i += gridDim.x) Closing(rules, shared, distance, i).run();
}

/// A grammar of one product with code of its own to close a tile from outside:
///
///     static constexpr int outside_bytes, outside_threads;         of shared memory, and the threads of a block
///     double close_outside(const OpenOutsideTile<G, Seed>& tile, double* shared, int thread) const;
///
/// All threads of a block call it. It has one result, which holds the seeds of the grammar's start before. It returns
/// the largest outside value of the product that the thread has seen.
template <class G>
concept ClosesOutside = requires {
  G::outside_bytes;
};

/// A tile that a grammar closes from outside by code of its own. Row r is in the tile, column q counted from the right.
/// A neighbor is above the tile, to its right, or both.
template <class G, class Seed>
class OpenOutsideTile {
 public:
  const unsigned i, j, points;

  __device__ OpenOutsideTile(const OutsideRules<G, Seed>& rules, unsigned distance, unsigned tile_i)
      : i(tile_i),
        j(tile_i + distance),
        points(rules.points),
        along_(rules.along),
        rim_(rules.rim),
        own_(rules, distance, i, false, false),
        above_(rules, distance, i, true, false),
        right_(rules, distance, i, false, true),
        both_(rules, distance, i, true, true),
        products_(rules.product_sums(i, 0, 0)),
        tables_(rules.tables),
        table_size_(rules.table_size),
        result_(rules.results + tiles::tile_offset(i, j, tile_side)),
        transposed_(rules.transposed_of(0, i, j)) {}

  [[nodiscard]] __device__ __forceinline__ bool has(bool above, bool right) const {
    return (!above || i > 0) && (!right || j + 1 < along_);
  }
  /// The factor of the values of a neighbor.
  [[nodiscard]] __device__ __forceinline__ double factor(bool above, bool right) const {
    return of(above, right, &Neighbor::factor);
  }
  /// What the intervals of a neighbor give to a stencil, by r and q.
  [[nodiscard]] __device__ __forceinline__ const double* given(int s, bool above, bool right) const {
    return of(above, right, &Neighbor::given) + s * ClosingArea<G>::tile;
  }
  /// The same of the tile.
  [[nodiscard]] __device__ __forceinline__ double* own_given(int s) const {
    return own_.given + s * ClosingArea<G>::tile;
  }
  /// What the tile gives to an interval of a table beyond it.
  __device__ __forceinline__ void give_to_rim(unsigned table, int r, int q, double value) const {
    own_.rim[table * rim_.size() + rim_.place(r, q)] = value;
  }
  /// What the tile to the right gives to (r, q - 64) of the tile, as it is there.
  [[nodiscard]] __device__ __forceinline__ double in_rim(unsigned table, int r, int q) const {
    return right_.rim[table * rim_.size() + rim_.place(r, q)];
  }
  /// What a neighbor gives to an interval of the tile.
  [[nodiscard]] __device__ __forceinline__ double from_rim(unsigned table, int r, int q, bool above, bool right) const {
    if (!has(above, right)) return 0;
    const int place = rim_.place(r + above * tile_side, q + right * tile_side);
    const double value = of(above, right, &Neighbor::rim)[table * rim_.size() + place];
    return value == 0 ? 0 : value * factor(above, right);
  }
  /// The products with other tiles, as the left operand (side 0) or the right one.
  [[nodiscard]] __device__ __forceinline__ const double* products(int side) const {
    return products_ + side * ClosingArea<G>::tile;
  }
  [[nodiscard]] __device__ __forceinline__ double* result() const { return result_; }
  [[nodiscard]] __device__ __forceinline__ double* transposed() const { return transposed_; }
  /// The sums of a tile.
  [[nodiscard]] __device__ __forceinline__ const double* values(unsigned table, unsigned tile_i,
                                                                unsigned tile_j) const {
    return tables_ + table * table_size_ + tiles::tile_offset(tile_i, tile_j, tile_side);
  }

 private:
  /// What a neighbor has, or the tile.
  struct Neighbor {
    double factor;  ///< of its values
    double *given, *rim;

    __device__ Neighbor(const OutsideRules<G, Seed>& rules, unsigned distance, unsigned i, unsigned above,
                        unsigned right)
        : factor(1),
          given(rules.given_to(0, distance + above + right, i - above)),
          rim(rules.rim_of(distance + above + right, i - above, 0)) {
      const unsigned j = i + distance;
      if (above + right == 0 || above > i || j + right >= rules.along) return;
      factor = power_of_two(std::int64_t{rules.exponent(i, j)} - rules.exponent(i - above, j + right));
    }
  };

  /// A neighbor's member. No array of neighbors: what is chosen from one lies in memory, with all members.
  template <class T>
  [[nodiscard]] __device__ __forceinline__ T of(bool above, bool right, T Neighbor::*member) const {
    return above ? (right ? both_.*member : above_.*member) : right_.*member;
  }

  unsigned along_;
  OutsideRim rim_;
  Neighbor own_, above_, right_, both_;
  const double *products_, *tables_;
  std::size_t table_size_;
  double *result_, *transposed_;
};

/// Writes the seeds of the grammar's start to the only result, where closing a tile reads them before it writes a
/// marginal. A block for each tile, by its number.
template <class G, class Seed>
__global__ void __launch_bounds__(outside_threads) list_seeds(const __grid_constant__ OutsideRules<G, Seed> rules) {
  auto j = static_cast<unsigned>((sqrt(8.0 * blockIdx.x + 1) - 1) / 2);
  j -= tiles::tile_number(0, j) > blockIdx.x;
  j += tiles::tile_number(0, j + 1) <= blockIdx.x;
  const unsigned i = blockIdx.x - static_cast<unsigned>(tiles::tile_number(0, j));
  const int exponent = rules.exponent(i, j);
  for (int at = static_cast<int>(threadIdx.x); at < ClosingArea<G>::tile; at += outside_threads) {
    const unsigned point_i = i * tile_side + at / tile_side, point_j = j * tile_side + at % tile_side;
    const bool exists = point_i < point_j && point_j < rules.points;
    rules.results[tiles::tile_offset(i, j, tile_side) + at] =
        exists && rules.grammar.may_have_value(point_i, point_j)
            ? rules.seed(G::start, point_i, point_j).times_power_of_two(exponent)
            : 0;
  }
}

/// Closes the tiles of a diagonal, one for each block.
template <class G, class Seed>
__global__ void __launch_bounds__(G::outside_threads, 1)
    close_outside_by_grammar(const __grid_constant__ OutsideRules<G, Seed> rules, unsigned distance) {
  __shared__ unsigned long long largest;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) largest = 0;
  __syncthreads();
  const OpenOutsideTile<G, Seed> tile(rules, distance, blockIdx.x);
  const double of_thread = rules.grammar.close_outside(tile, shared_values<double>(), thread);
  if (of_thread > 0) atomicMax(&largest, static_cast<unsigned long long>(__double_as_longlong(of_thread)));
  __syncthreads();
  if (thread > 0) return;
  const double top = __longlong_as_double(static_cast<long long>(largest));
  rules.tops[tiles::tile_number(tile.i, tile.j)] = top > 0 ? ilogb(top) : std::numeric_limits<int>::min();
}

}  // namespace warpfold::interval::device
