#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace warpfold::papers::pipeline_2018 {

/// A random problem of a row of Table I: n from 2^log_n .. 2^(log_n + 1), k from the same range divided by 4, and k
/// different offsets from 1 .. 2k. (The paper does not say how n, k and the offsets are drawn.)
struct Draw {
  std::vector<int> offsets;  ///< largest first
  std::vector<int> table;    ///< n values; the first ones, as many as the largest offset, are given

  [[nodiscard]] double operations() const;
};

[[nodiscard]] Draw draw(int log_n, std::mt19937_64& random);

/// Fig. 1 on one thread: ST[i] = min over j of ST[i - a_j].
void fill_sequentially(Draw& drawn);

}  // namespace warpfold::papers::pipeline_2018
