#include <algorithm>
#include <cstdint>

#include "minplus/backend.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus::reference {

/// The product as it is written, entry by entry.
template <class T>
void multiply(const Product<T>& product, const Options& options, Report& report) {
  const auto& [a, b, c, argmin, infinite] = product;
  report.threads = 1;
  Watch watch(options, static_cast<double>(c.rows) * static_cast<double>(c.columns) * static_cast<double>(b.rows));
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j) {
      T best = std::min(c(i, j), infinity<T>);
      std::uint32_t best_k = unchanged;
      for (std::size_t k = 0; k < b.rows; ++k) {
        const T candidate = static_cast<T>(std::min(a(i, k), infinity<T>) + std::min(b(k, j), infinity<T>));
        if (candidate >= infinite || candidate >= best) continue;
        best = candidate;
        best_k = static_cast<std::uint32_t>(k);
      }
      c(i, j) = best;
      if (argmin.data) argmin(i, j) = best_k;
    }
    watch.check();
    watch.advance(static_cast<double>(c.columns) * static_cast<double>(b.rows));
  }
}

template void multiply(const Product<std::int32_t>&, const Options&, Report&);
template void multiply(const Product<std::int64_t>&, const Options&, Report&);
template void multiply(const Product<float>&, const Options&, Report&);
template void multiply(const Product<double>&, const Options&, Report&);

}  // namespace warpfold::minplus::reference
