#include "papers/pipeline-dp-2018/sequential.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpfold::papers::pipeline_2018 {

double Draw::operations() const {
  return static_cast<double>(table.size() - static_cast<std::size_t>(offsets[0])) * static_cast<double>(offsets.size());
}

Draw draw(int log_n, std::mt19937_64& random) {
  const auto n = (std::size_t{1} << log_n) + random() % ((std::size_t{1} << log_n) + 1);
  const auto k = (std::size_t{1} << (log_n - 2)) + random() % ((1U << (log_n - 2)) + 1);
  Draw drawn;
  drawn.offsets.resize(2 * k);
  std::iota(drawn.offsets.begin(), drawn.offsets.end(), 1);
  std::shuffle(drawn.offsets.begin(), drawn.offsets.end(), random);
  drawn.offsets.resize(k);
  std::ranges::sort(drawn.offsets, std::greater<>());
  drawn.table.resize(n);
  for (int i = 0; i < drawn.offsets[0]; ++i) {
    drawn.table[static_cast<std::size_t>(i)] = static_cast<int>(random() % 1'000'000'000);
  }
  return drawn;
}

void fill_sequentially(Draw& drawn) {
  const auto n = static_cast<int>(drawn.table.size());
  int* const st = drawn.table.data();
  for (int i = drawn.offsets[0]; i < n; ++i) {
    st[i] = st[i - drawn.offsets[0]];
    for (std::size_t j = 1; j < drawn.offsets.size(); ++j) st[i] = std::min(st[i], st[i - drawn.offsets[j]]);
  }
}

}  // namespace warpfold::papers::pipeline_2018
