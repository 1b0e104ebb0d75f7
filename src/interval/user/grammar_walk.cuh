#pragma once

#include "interval/user/grammar_rules.cuh"
#include "tiles/gpu/chunks.cuh"

/// Finds on the device which terms gave intervals their values, all the way down. The order of ties is that of
/// interval::derivation. A warp follows one interval after the other; where a product has two, it leaves the right one
/// to any warp.
namespace warpfold::interval::device {

using tiles::device::all_lanes;

/// Intervals whose terms are looked for.
struct WalkQueue {
  /// A table and an interval as one number, which is not 0.
  static constexpr unsigned bits = 22;
  static_assert(tiles::max_points <= std::size_t{1} << bits);
  static constexpr unsigned long long encode(unsigned table, unsigned i, unsigned j) {
    return ((std::uint64_t{1 + table} << bits | i) << bits) | j;
  }

  unsigned long long* open;  ///< in the order in which warps take them; 0 where there is none yet
  unsigned capacity;
  unsigned* taken;
  unsigned* added;
  unsigned* unfinished;  ///< intervals that were added, and whose walk has not ended
  unsigned* failed;      ///< set if no term has an interval's value

  using Counter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;
  using Entry = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  __device__ void add(unsigned table, unsigned i, unsigned j) const {
    Counter(*unfinished).fetch_add(1, ::cuda::memory_order_relaxed);
    const unsigned at = Counter(*added).fetch_add(1, ::cuda::memory_order_relaxed);
    Entry(open[at]).store(encode(table, i, j), ::cuda::memory_order_release);
  }
  /// The next interval, or 0 if all walks have ended.
  __device__ unsigned long long take() const {
    const unsigned at = Counter(*taken).fetch_add(1, ::cuda::memory_order_relaxed);
    for (;;) {
      const bool are_unfinished = Counter(*unfinished).load(::cuda::memory_order_acquire) != 0;
      const unsigned long long code = at < capacity ? Entry(open[at]).load(::cuda::memory_order_acquire) : 0;
      if (code != 0 || !are_unfinished) return code;
      __nanosleep(64);
    }
  }
  __device__ void finish() const { Counter(*unfinished).fetch_sub(1, ::cuda::memory_order_release); }
};

/// The first term that has a table's value at one interval, as TermSearch finds it on the host. All lanes of a warp
/// call `terms` together, and share the splits and the sizes of loops.
template <class G>
class WarpSearch {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = interval::detail::Stored<S>;
  using Operand = interval::detail::Operand<T>;
  using Kind = typename Operand::Kind;

  __device__ WarpSearch(const G& grammar, const T* tables, std::size_t table_size, unsigned table, unsigned i,
                        unsigned j)
      : grammar_(grammar), tables_(tables), table_size_(table_size), table_(table), i_(i), j_(j) {
    value_ = read(table, i, j);
  }

  template <class... Parts>
  __device__ void operator()(unsigned table, const Parts&... parts) {
    if (is_found || table != table_) return;
    const Operand operand = operand_of(parts...);
    const auto has_value = [&](const T& read) { return term_of<S>(stored(parts, read)...) == value_; };
    if (operand.kind == Kind::product) {
      find_split(operand.index, has_value);
    } else if (operand.kind == Kind::stencil) {
      find_loop(operand.index, has_value);
    } else if (has_value(operand.stored)) {
      found(operand.kind, operand.index, static_cast<unsigned>(operand.i), static_cast<unsigned>(operand.j));
    }
  }
  __device__ Operand inside(unsigned table, std::size_t a, std::size_t b) const {
    const std::size_t length = j_ - i_;
    const bool has_length = a < length && b < length && a + b < length;
    return {Kind::inside, table, i_ + a, j_ - b, has_length ? read(table, i_ + a, j_ - b) : Values::zero()};
  }
  __device__ Operand here(unsigned table) const { return {Kind::here, table, i_, j_, read(table, i_, j_)}; }
  __device__ Operand product(unsigned p) const { return {Kind::product, p, i_, j_, {}}; }
  __device__ Operand stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, {}}; }

  bool is_found = false;
  Kind kind = Kind::none;
  unsigned index = 0;            ///< as in Operand
  unsigned first = 0, last = 0;  ///< the interval inside; of a product both are the split

 private:
  __device__ T read(unsigned table, std::size_t i, std::size_t j) const {
    return tables_[table * table_size_ + entry_offset(i, j, tile_side)];
  }
  template <class... Parts>
  __device__ Operand operand_of(const Parts&... parts) const {
    Operand operand{Kind::none, 0, i_, i_, {}};
    const auto look = [&](const auto& part) {
      if constexpr (interval::detail::is_operand<std::remove_cvref_t<decltype(part)>>) operand = part;
    };
    (look(parts), ...);
    return operand;
  }
  template <class Part>
  __device__ T stored(const Part& part, const T& read) const {
    if constexpr (interval::detail::is_operand<Part>) {
      return read;
    } else {
      return Values::of(static_cast<T>(part));
    }
  }
  __device__ void found(Kind of, unsigned number, unsigned begin, unsigned end) {
    is_found = true;
    kind = of;
    index = number;
    first = begin;
    last = end;
  }
  [[nodiscard]] static __device__ unsigned lane() { return threadIdx.x % 32; }

  /// Calls has(t) for the numbers below `count`, `at_once` of them in each lane before the warp compares them. Returns
  /// the first for which it is true, or `count`.
  template <int at_once, class Has>
  static __device__ __forceinline__ unsigned first_of(unsigned count, const Has& has) {
    for (unsigned from = 0; from < count; from += 32 * at_once) {
      bool is_so[at_once];
#pragma unroll
      for (int x = 0; x < at_once; ++x) {
        const unsigned t = from + 32 * x + lane();
        is_so[x] = t < count && has(t);
      }
#pragma unroll
      for (int x = 0; x < at_once; ++x) {
        const unsigned those = __ballot_sync(all_lanes, is_so[x]);
        if (those != 0) return from + 32 * x + __ffs(those) - 1;
      }
    }
    return count;
  }
  template <class HasValue>
  __device__ void find_split(unsigned p, const HasValue& has_value) {
    const Product tables = interval::detail::products_of<G>()[p];
    const unsigned splits = j_ - i_ - 1, first_k = i_ + 1;
    const unsigned t = first_of<4>(splits, [&](unsigned at) {
      return has_value(Values::times(read(tables.left, i_, first_k + at), read(tables.right, first_k + at, j_)));
    });
    if (t < splits) found(Kind::product, p, first_k + t, first_k + t);
  }
  /// Row by row: lane b has the loops with b bases on the right, and those with 32 more.
  template <class HasValue>
  __device__ void find_loop(unsigned s, const HasValue& has_value) {
    const auto [of, deep] = interval::detail::stencils_of<G>()[s];
    const unsigned width = (static_cast<unsigned>(deep) / 32 + 1) * 32, loops = (deep + 1) * width;
    const unsigned t = first_of<8>(loops, [&](unsigned at) {
      const unsigned a = at / width, b = at % width;
      return a + b <= deep && i_ + 2 + a + b < j_ && loop_has_value(s, of, a, b, has_value);
    });
    if (t < loops) found(Kind::stencil, s, i_ + 1 + t / width, j_ - 1 - t % width);
  }
  template <class HasValue>
  __device__ bool loop_has_value(unsigned s, unsigned of, unsigned a, unsigned b, const HasValue& has_value) const {
    const unsigned i = i_ + 1 + a, j = j_ - 1 - b;
    const T inside = read(of, i, j);
    if (Values::is_zero(inside)) return false;
    const T weight = Values::of(interval::detail::loop_of(grammar_, s, a, b));
    if constexpr (interval::detail::weights_inner<G>) {
      return has_value(
          Values::times(weight, Values::times(inside, Values::of(interval::detail::inner_of(grammar_, s, i, j)))));
    }
    return has_value(Values::times(weight, inside));
  }

  const G& grammar_;
  const T* tables_;
  std::size_t table_size_;
  unsigned table_, i_, j_;
  T value_;
};

/// Calls the terms of a table, with as few others as the grammar allows.
template <class G>
__device__ __forceinline__ void call_terms(const G& grammar, WarpSearch<G>& search, unsigned table, unsigned i,
                                           unsigned j) {
  if constexpr (interval::detail::sparse_of<G>() == 0) {
    grammar.terms(i, j, search);
  } else if (table < interval::detail::sparse_of<G>()) {
    grammar.sparse_terms(i, j, search);
  } else {
    grammar.dense_terms(i, j, search);
  }
}

inline constexpr unsigned walk_threads = 64;

/// Follows the intervals of the queue. `visit(table, i, j)` is called once for each interval on the way.
template <class G, class Visit>
__global__ void __launch_bounds__(walk_threads) walk(const __grid_constant__ G grammar, const GrammarValue<G>* tables,
                                                     std::size_t table_size, const WalkQueue queue, const Visit visit) {
  using Kind = typename WarpSearch<G>::Kind;
  constexpr unsigned mask = (1U << WalkQueue::bits) - 1;
  const bool is_first = threadIdx.x % 32 == 0;
  for (;;) {
    const unsigned long long code = __shfl_sync(all_lanes, is_first ? queue.take() : 0, 0);
    if (code == 0) return;
    unsigned table = static_cast<unsigned>(code >> 2 * WalkQueue::bits) - 1;
    unsigned i = code >> WalkQueue::bits & mask, j = code & mask;
    for (bool goes_on = true; goes_on;) {
      if (is_first) visit(table, i, j);
      WarpSearch<G> search(grammar, tables, table_size, table, i, j);
      call_terms(grammar, search, table, i, j);
      goes_on = search.is_found && search.kind != Kind::none;
      if (is_first && !search.is_found) *queue.failed = 1;
      if (search.kind == Kind::product) {
        const Product product = interval::detail::products_of<G>()[search.index];
        if (is_first) queue.add(product.right, search.last, j);
        table = product.left;
        j = search.first;
      } else if (goes_on) {
        table = search.kind == Kind::stencil ? interval::detail::stencils_of<G>()[search.index].of : search.index;
        i = search.first;
        j = search.last;
      }
    }
    if (is_first) queue.finish();
  }
}

}  // namespace warpfold::interval::device
