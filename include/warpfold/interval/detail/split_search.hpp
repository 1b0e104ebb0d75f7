#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/caller_functions.hpp"
#include "warpfold/interval/recurrence_model.hpp"

/// Finds the structure of an optimum in a finished table, by searching intervals again.
namespace warpfold::interval {

/// The best of an interval's splits, and the smallest k that attains it.
template <class T>
struct BestSplit {
  T value;
  std::size_t k;
};

namespace detail {

/// best_split for many calls.
template <class R>
class SplitSearch {
 public:
  using S = typename R::Semiring;
  using T = ValueOf<R>;

  SplitSearch(const R& recurrence, const IntervalTable<T>& table, const SolveMonitor* monitor)
      : recurrence_(recurrence), table_(table), calls_(monitor) {
    if constexpr (splits_by_product<R>) split_ = recurrence.product_split();
  }

  BestSplit<T> operator()(std::size_t i, std::size_t j) {
    constexpr std::size_t side = IntervalTable<T>::side;
    BestSplit<T> best{Stored<S>::zero(), i + 1};
    bool misfit = false;
    for (std::size_t first = i + 1; first < j;) {
      const std::size_t last = std::min((first / side + 1) * side, j);
      const T* row = table_.tile(i / side, first / side) + i % side * side + first % side;
      const T* column = table_.tile(first / side, j / side) + first % side * side + j % side;
      for (std::size_t k = first; k < last; ++k, ++row, column += side) {
        const T candidate = join(recurrence_, split_, *row, *column, i, k, j, misfit);
        if constexpr (splits_freely<R>) calls_.made(1);
        take(best, candidate, k);
      }
      first = last;
    }
    best.value = Stored<S>::is_zero(best.value) ? S::zero() : Stored<S>::meant(best.value);
    return best;
  }

 private:
  void take(BestSplit<T>& best, const T& candidate, std::size_t k) {
    const T better = S::plus(best.value, candidate);
    if (better == best.value) return;
    if (!(better == candidate)) {
      throw Error(ErrorKind::usage,
                  "a semiring that adds its terms up has no best split: one that chooses is accepted");
    }
    best = {better, k};
  }

  const R& recurrence_;
  const IntervalTable<T>& table_;
  ProductSplit<T> split_;
  CallerCalls calls_;
};

/// How an interval was closed: BestSplit::k, or i or j with the meaning of Split. Compares only values that this call
/// computes, never the table's, which other code may have rounded otherwise. A part did not count if the interval has
/// the same value without it.
template <class R>
std::size_t choice_of(const R& recurrence, const IntervalTable<ValueOf<R>>& table, std::size_t i, std::size_t j,
                      const BestSplit<ValueOf<R>>& best) {
  using S = typename R::Semiring;
  using T = ValueOf<R>;
  if constexpr (closes_by_weight<R>) {
    return best.k;
  } else {
    const std::array<T, 3> split = {best.value, table.zero(), table.zero()};
    std::array<T, 3> inner = {table.zero(), table.zero(), table.zero()};
    if constexpr (closes_with_inner<R>) inner[1] = table.value(i + 1, j - 1);
    std::array<T, 3> value;
    for (std::size_t way = 0; way < value.size(); ++way) {
      if constexpr (closes_with_inner<R>) {
        value[way] = recurrence.close(i, j, split[way], inner[way]);
      } else {
        value[way] = recurrence.close(i, j, split[way]);
      }
    }
    const auto as_good = [&](std::size_t way, std::size_t other) {
      return S::plus(value[way], value[other]) == value[way];
    };
    if (as_good(2, 0) && as_good(2, 1)) return j;
    return as_good(0, 1) ? best.k : i;
  }
}

}  // namespace detail

}  // namespace warpfold::interval
