#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace warpfold::papers::pipeline_2018 {

/// A problem of a row of Table I: n is drawn from 2^log_n .. 2^(log_n + 1), k from a quarter of that, k different
/// offsets from 1 .. 2k. (The paper says neither how n and k nor how the offsets are drawn.)
struct Draw {
  std::vector<int> offsets;  ///< largest first
  std::vector<int> table;    ///< of n values, the first of which, as many as the largest offset, are given

  [[nodiscard]] double operations() const;
};

[[nodiscard]] Draw draw(int log_n, std::mt19937_64& random);

/// Fig. 1 on one thread: ST[i] = min over j of ST[i - a_j].
void fill_sequentially(Draw& drawn);

}  // namespace warpfold::papers::pipeline_2018
