#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "minplus/backend.hpp"
#include "minplus/count.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus::reference {

namespace {

/// The entry (i,j) as it is written: the first k of the best term counts.
template <class T>
void choose_term(const Product<T>& product, std::size_t i, std::size_t j) {
  const auto& [semiring, a, b, c, argmin] = product;
  const T zero = semiring.template zero<T>();
  T best = static_cast<T>(c(i, j) + T{0});  // -0.0 becomes 0.0
  std::uint32_t best_k = unchanged;
  for (std::size_t k = 0; k < b.rows; ++k) {
    const T x = static_cast<T>(a(i, k) + T{0});
    const T y = static_cast<T>(b(k, j) + T{0});
    if (x == zero || y == zero) continue;
    T term = semiring.takes_least() ? std::max(x, y) : std::min(x, y);
    if (semiring.adds()) term = static_cast<T>(x + y);
    if (semiring.takes_least() ? term >= best : term <= best) continue;
    best = term;
    best_k = static_cast<std::uint32_t>(k);
  }
  c(i, j) = best;
  if (argmin.data) argmin(i, j) = best_k;
}

/// (+,x) on numbers of 128 bits; both factors of a term have 64 at most, so that a sum of terms is checked one by one.
template <class T>
void add_terms(const Product<T>& product, std::size_t i, std::size_t j) {
  const auto& [semiring, a, b, c, argmin] = product;
  using Wide = unsigned __int128;
  const Wide most = semiring.modulus > 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<Wide>(most_count<T>);
  Wide sum = static_cast<Wide>(c(i, j));
  for (std::size_t k = 0; k < b.rows; ++k) {
    sum += static_cast<Wide>(a(i, k)) * static_cast<Wide>(b(k, j));
    if (semiring.modulus > 0) sum %= semiring.modulus;
    if (sum > most) refuse_count(i, j, static_cast<std::uint64_t>(most));
  }
  if (semiring.modulus > 0) sum %= semiring.modulus;
  c(i, j) = static_cast<T>(sum);
}

}  // namespace

template <class T>
void multiply(const BatchProduct<T>& batch, const Options& options, Report& report) {
  report.device = "cpu";
  report.algorithm = "reference";
  Watch watch(options, batch.terms());
  for (std::size_t index = 0; index < batch.c.count; ++index) {
    const Product<T> product = batch[index];
    for (std::size_t i = 0; i < product.c.rows; ++i) {
      for (std::size_t j = 0; j < product.c.columns; ++j) {
        product.semiring.kind == Semiring::count ? add_terms(product, i, j) : choose_term(product, i, j);
      }
      watch.check();
      watch.advance(static_cast<double>(product.c.columns) * static_cast<double>(product.b.rows));
    }
  }
}

template void multiply(const BatchProduct<std::uint8_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int16_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int32_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int64_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::uint64_t>&, const Options&, Report&);
template void multiply(const BatchProduct<float>&, const Options&, Report&);
template void multiply(const BatchProduct<double>&, const Options&, Report&);

}  // namespace warpfold::minplus::reference
