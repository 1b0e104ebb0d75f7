#pragma once

#include <utility>
#include <vector>

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

/// A loop of a stencil whose weight is not zero(), as it is stored.
template <class T>
struct ListedLoop {
  T weight;
  unsigned left, right;
};

/// The loops of all stencils, each row by row.
template <class G>
struct StencilLoops {
  static constexpr std::size_t stencils = interval::detail::stencils_of<G>().size();

  const ListedLoop<GrammarValue<G>>* loops;
  unsigned first[stencils + 1];

  /// Lists those of a grammar on the host. `loops` is left to the caller.
  template <class Host>
  static std::pair<StencilLoops, std::vector<ListedLoop<GrammarValue<G>>>> of(const Host& grammar) {
    using Values = interval::detail::Stored<typename G::Semiring>;
    StencilLoops places{};
    std::vector<ListedLoop<GrammarValue<G>>> all;
    for (std::size_t s = 0; s < stencils; ++s) {
      const std::size_t deep = interval::detail::stencils_of<G>()[s].deep;
      for (unsigned a = 0; a <= deep; ++a) {
        for (unsigned b = 0; a + b <= deep; ++b) {
          const GrammarValue<G> weight = Values::of(interval::detail::loop_of(grammar, s, a, b));
          if (!Values::is_zero(weight)) all.push_back({weight, a, b});
        }
      }
      places.first[s + 1] = static_cast<unsigned>(all.size());
    }
    return {places, std::move(all)};
  }
};

/// Who looks for a term: a warp whose lanes call `terms` together for one interval, and share the splits and the sizes
/// of loops; or each lane for an interval of its own, as far as it needs neither.
enum class Seeker { warp, lane };

/// The first term that has a table's value at one interval, as TermSearch finds it on the host.
template <class G, Seeker seeker>
class DeviceSearch {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = interval::detail::Stored<S>;
  using Operand = interval::detail::Operand<T>;
  using Kind = typename Operand::Kind;

  __device__ DeviceSearch(const G& grammar, const StencilLoops<G>& loops, const T* tables, std::size_t table_size,
                          unsigned table, unsigned i, unsigned j)
      : grammar_(grammar), loops_(loops), tables_(tables), table_size_(table_size), table_(table), i_(i), j_(j) {
    value_ = read(table, i, j);
  }

  template <class... Parts>
  __device__ void operator()(unsigned table, const Parts&... parts) {
    if (table != table_) return;
    const Operand operand = operand_of(parts...);
    const auto has_value = [&](const T& read) { return term_of<S>(stored(parts, read)...) == value_; };
    if (operand.kind == Kind::product || operand.kind == Kind::stencil) {
      if constexpr (seeker == Seeker::lane) {
        is_over |= !is_found;
      } else if (is_found) {
        return;
      } else if (operand.kind == Kind::product) {
        find_split(operand.index, has_value);
      } else {
        find_loop(operand.index, has_value);
      }
    } else {  // without a branch, so that the compiler reads for several terms at once
      const bool is_first = !is_found & !is_over & has_value(operand.stored);
      is_found |= is_first;
      kind = is_first ? operand.kind : kind;
      index = is_first ? operand.index : index;
      first = is_first ? static_cast<unsigned>(operand.i) : first;
      last = is_first ? static_cast<unsigned>(operand.j) : last;
    }
  }
  __device__ Operand inside(unsigned table, std::size_t a, std::size_t b) const {
    const std::size_t length = j_ - i_;
    const bool has_length = a < length && b < length && a + b < length;
    const T value = read(table, has_length ? i_ + a : i_, has_length ? j_ - b : j_);  // without a branch
    return {Kind::inside, table, i_ + a, j_ - b, has_length ? value : Values::zero()};
  }
  __device__ Operand here(unsigned table) const { return {Kind::here, table, i_, j_, read(table, i_, j_)}; }
  __device__ Operand product(unsigned p) const { return {Kind::product, p, i_, j_, {}}; }
  __device__ Operand stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, {}}; }

  [[nodiscard]] __device__ bool has_value() const { return !Values::is_zero(value_); }

  bool is_found = false;
  bool is_over = false;  ///< it would need a split or a loop's size
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

  /// Calls has(t, x) for the numbers t below `count`, `at_once` of them in each lane before the warp compares them: x
  /// is the number of the call in its lane. Before these calls prepare(t, x) for the same numbers, so that the lane
  /// reads for all at once. Returns the first for which `has` is true, or `count`.
  template <int at_once, class Prepare, class Has>
  static __device__ __forceinline__ unsigned first_of(unsigned count, const Prepare& prepare, const Has& has) {
    for (unsigned from = 0; from < count; from += 32 * at_once) {
      bool is_so[at_once];
#pragma unroll
      for (int x = 0; x < at_once; ++x) prepare(min(from + 32 * x + lane(), count - 1), x);
#pragma unroll
      for (int x = 0; x < at_once; ++x) is_so[x] = from + 32 * x + lane() < count && has(from + 32 * x + lane(), x);
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
    constexpr int at_once = 8;
    const Product tables = interval::detail::products_of<G>()[p];
    const unsigned splits = j_ - i_ - 1, first_k = i_ + 1;
    T product[at_once];
    const unsigned t = first_of<at_once>(
        splits,
        [&](unsigned at, int x) {
          product[x] = Values::times(read(tables.left, i_, first_k + at), read(tables.right, first_k + at, j_));
        },
        [&](unsigned, int x) { return has_value(product[x]); });
    if (t < splits) found(Kind::product, p, first_k + t, first_k + t);
  }
  template <class HasValue>
  __device__ void find_loop(unsigned s, const HasValue& has_value) {
    constexpr int at_once = 4;
    const unsigned of = interval::detail::stencils_of<G>()[s].of, first = loops_.first[s];
    ListedLoop<T> loop[at_once];
    T inside[at_once];
    const unsigned count = loops_.first[s + 1] - first;
    const unsigned t = first_of<at_once>(
        count,
        [&](unsigned at, int x) {
          loop[x] = loops_.loops[first + at];
          const bool fits = i_ + 2 + loop[x].left + loop[x].right < j_;
          inside[x] = fits ? read(of, i_ + 1 + loop[x].left, j_ - 1 - loop[x].right) : Values::zero();
        },
        [&](unsigned, int x) { return loop_has_value(s, loop[x], inside[x], has_value); });
    if (t == count) return;
    const ListedLoop<T> it = loops_.loops[first + t];
    found(Kind::stencil, s, i_ + 1 + it.left, j_ - 1 - it.right);
  }
  template <class HasValue>
  __device__ bool loop_has_value(unsigned s, const ListedLoop<T>& loop, const T& inside,
                                 const HasValue& has_value) const {
    if (Values::is_zero(inside)) return false;
    if constexpr (interval::detail::weights_inner<G>) {
      const T weight = interval::detail::inner_of(grammar_, s, i_ + 1 + loop.left, j_ - 1 - loop.right);
      return has_value(Values::times(loop.weight, Values::times(inside, Values::of(weight))));
    }
    return has_value(Values::times(loop.weight, inside));
  }

  const G& grammar_;
  const StencilLoops<G>& loops_;
  const T* tables_;
  std::size_t table_size_;
  unsigned table_, i_, j_;
  T value_;
};

/// Calls the terms of a table, with as few others as the grammar allows.
template <class G, Seeker seeker>
__device__ __forceinline__ void call_terms(const G& grammar, DeviceSearch<G, seeker>& search, unsigned table,
                                           unsigned i, unsigned j) {
  if constexpr (interval::detail::sparse_of<G>() == 0) {
    grammar.terms(i, j, search);
  } else if (table < interval::detail::sparse_of<G>()) {
    grammar.sparse_terms(i, j, search);
  } else {
    grammar.dense_terms(i, j, search);
  }
}

/// Follows intervals from one to the next one inside. A table often reads itself one place further in: a helix, or
/// bases that do not pair. So each lane looks at one of the next intervals if that happens again.
template <class G>
class Walker {
 public:
  using Kind = typename DeviceSearch<G, Seeker::warp>::Kind;

  __device__ Walker(const G& grammar, const StencilLoops<G>& loops, const GrammarValue<G>* tables,
                    std::size_t table_size, const WalkQueue& queue)
      : grammar_(grammar), loops_(loops), tables_(tables), table_size_(table_size), queue_(queue) {}

  /// Follows an interval of the queue to its end.
  template <class Visit>
  __device__ void run(unsigned long long code, const Visit& visit) {
    constexpr unsigned mask = (1U << WalkQueue::bits) - 1;
    table_ = static_cast<unsigned>(code >> 2 * WalkQueue::bits) - 1;
    i_ = code >> WalkQueue::bits & mask;
    j_ = code & mask;
    while (step_by_lanes(visit) || (!found_.is_found && step_by_warp())) {
    }
  }

 private:
  struct Found {
    bool is_found;
    Kind kind;
    unsigned index, first, last;
  };
  /// From an interval to the one inside it that its table reads.
  struct Repeated {
    unsigned left, right;
  };

  [[nodiscard]] static __device__ __forceinline__ unsigned lane() { return threadIdx.x % 32; }

  /// Goes on as far as lanes find terms of their own. Returns false at an interval that needs all lanes, or has no
  /// interval inside.
  template <class Visit>
  __device__ __forceinline__ bool step_by_lanes(const Visit& visit) {
    const Repeated step = repeated_[table_];
    const unsigned a = lane() * step.left, b = lane() * step.right;
    const unsigned i = i_ + a, j = j_ - b;
    const bool is_inside = (lane() == 0 || a + b > 0) && i_ + a + b < j_;
    DeviceSearch<G, Seeker::lane> search(grammar_, loops_, tables_, table_size_, table_, is_inside ? i : i_,
                                         is_inside ? j : j_);
    const bool exists = is_inside && search.has_value();  // else it may be too short for the terms
    if (exists) call_terms(grammar_, search, table_, i, j);
    const bool repeats = exists && step.left + step.right > 0 && search.is_found && search.kind == Kind::inside &&
                         search.index == table_ && search.first == i + step.left && search.last == j - step.right;
    const unsigned those = __ballot_sync(all_lanes, repeats);
    const unsigned length = those == all_lanes ? 31 : __ffs(~those) - 1;  // the lane that takes another step
    if (lane() <= length) visit(table_, i, j);
    i_ += length * step.left;
    j_ -= length * step.right;
    found_ = {__shfl_sync(all_lanes, search.is_found, length) != 0,
              static_cast<Kind>(__shfl_sync(all_lanes, static_cast<unsigned>(search.kind), length)),
              __shfl_sync(all_lanes, search.index, length), __shfl_sync(all_lanes, search.first, length),
              __shfl_sync(all_lanes, search.last, length)};
    return found_.is_found && follow();
  }
  __device__ __forceinline__ bool step_by_warp() {
    DeviceSearch<G, Seeker::warp> search(grammar_, loops_, tables_, table_size_, table_, i_, j_);
    call_terms(grammar_, search, table_, i_, j_);
    found_ = {search.is_found, search.kind, search.index, search.first, search.last};
    if (lane() == 0 && !search.is_found) *queue_.failed = 1;
    return search.is_found && follow();
  }
  /// Goes on to the interval inside. Returns false if there is none.
  __device__ __forceinline__ bool follow() {
    if (found_.kind == Kind::none) return false;
    if (found_.kind == Kind::product) {
      const Product product = interval::detail::products_of<G>()[found_.index];
      if (lane() == 0) queue_.add(product.right, found_.last, j_);
      table_ = product.left;
      j_ = found_.first;
      return true;
    }
    const bool is_near =
        found_.kind == Kind::inside && found_.index == table_ && found_.first <= i_ + 1 && j_ <= found_.last + 1;
    if (is_near) repeated_[table_] = {found_.first - i_, j_ - found_.last};
    table_ = found_.kind == Kind::stencil ? interval::detail::stencils_of<G>()[found_.index].of : found_.index;
    i_ = found_.first;
    j_ = found_.last;
    return true;
  }

  const G& grammar_;
  const StencilLoops<G>& loops_;
  const GrammarValue<G>* tables_;
  std::size_t table_size_;
  const WalkQueue& queue_;
  unsigned table_ = 0, i_ = 0, j_ = 0;
  Found found_{};
  Repeated repeated_[table_count<G>] = {};
};

inline constexpr unsigned walk_threads = 64;

/// Follows the intervals of the queue. `visit(table, i, j)` is called once for each interval on the way.
template <class G, class Visit>
__global__ void __launch_bounds__(walk_threads)
    walk(const __grid_constant__ G grammar, const __grid_constant__ StencilLoops<G> loops,
         const GrammarValue<G>* tables, std::size_t table_size, const WalkQueue queue, const Visit visit) {
  Walker<G> walker(grammar, loops, tables, table_size, queue);
  const bool is_first = threadIdx.x % 32 == 0;
  for (;;) {
    const unsigned long long code = __shfl_sync(all_lanes, is_first ? queue.take() : 0, 0);
    if (code == 0) return;
    walker.run(code, visit);
    if (is_first) queue.finish();
  }
}

}  // namespace warpfold::interval::device
