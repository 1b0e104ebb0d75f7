#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/number_types.hpp"
#include "minplus/backends.hpp"
#include "minplus/count.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus::reference {

namespace {

/// Computes entry (i,j) by the definition. The first k of the best term counts.
template <class Tag, class T>
void choose_term(const Accumulation<T>& product, std::size_t i, std::size_t j) {
  const auto& [semiring, a, b, c, argmin] = product;
  T best = static_cast<T>(c(i, j) + T{0});  // -0.0 becomes 0.0
  std::uint32_t best_k = unchanged;
  for (std::size_t k = 0; k < b.rows; ++k) {
    const T x = static_cast<T>(a(i, k) + T{0});
    const T y = static_cast<T>(b(k, j) + T{0});
    if (x == Tag::zero() || y == Tag::zero()) continue;
    const T better = Tag::plus(best, Tag::times(x, y));
    if (better == best) continue;
    best = better;
    best_k = static_cast<std::uint32_t>(k);
  }
  c(i, j) = best;
  if (argmin.data) argmin(i, j) = best_k;
}

/// (+,x) in 128 bits. Both factors of a term have at most 64 bits, so the sum is checked after each term.
template <class T>
void add_terms(const Accumulation<T>& product, std::size_t i, std::size_t j) {
  const auto& [semiring, a, b, c, argmin] = product;
  using Wide = unsigned __int128;
  const Wide most = semiring.modulus > 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<Wide>(max_count<T>);
  Wide sum = static_cast<Wide>(c(i, j));
  for (std::size_t k = 0; k < b.rows; ++k) {
    sum += static_cast<Wide>(a(i, k)) * static_cast<Wide>(b(k, j));
    if (semiring.modulus > 0) sum %= semiring.modulus;
    if (sum > most) reject_count(i, j, static_cast<std::uint64_t>(most));
  }
  if (semiring.modulus > 0) sum %= semiring.modulus;
  c(i, j) = static_cast<T>(sum);
}

}  // namespace

template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context) {
  SolveMonitor monitor(context.options, batch.terms());
  for (std::size_t index = 0; index < batch.c.count; ++index) {
    const Accumulation<T> product = batch[index];
    for (std::size_t i = 0; i < product.c.rows; ++i) {
      with_tag<T>(product.semiring, [&]<class Tag>(Tag) {
        for (std::size_t j = 0; j < product.c.columns; ++j) {
          if constexpr (std::is_same_v<Tag, Counting<T>>) {
            add_terms(product, i, j);
          } else {
            choose_term<Tag>(product, i, j);
          }
        }
      });
      monitor.check();
      monitor.advance(static_cast<double>(product.c.columns) * static_cast<double>(product.b.rows));
    }
  }
  return {};
}

#define WARPFOLD_INSTANTIATE(T) template InPlace accumulate(const AccumulationBatch<T>&, Context&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::reference
