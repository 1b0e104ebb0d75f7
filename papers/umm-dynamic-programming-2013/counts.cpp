#include "papers/umm-dynamic-programming-2013/counts.hpp"

#include <random>

#include "warpfold/interval/solve.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

/// Counts the pairs of vertices that no side joins, one by one.
std::size_t chords_of_polygon(std::size_t n) {
  std::size_t chords = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) chords += i > 0 || j + 1 < n;
  }
  return chords;
}

/// Counts triangulations by the recurrence: T(i,j) = sum over i < k < j of T(i,k) T(k,j), T(i,i+1) = 1.
std::uint64_t triangulations_by_recurrence(std::size_t n) {
  std::vector<std::uint64_t> t(n * n);
  for (std::size_t i = 0; i + 1 < n; ++i) t[i * n + i + 1] = 1;
  for (std::size_t length = 2; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      for (std::size_t k = i + 1; k < i + length; ++k) t[i * n + i + length] += t[i * n + k] * t[k * n + i + length];
    }
  }
  return t[n - 1];
}

/// (2n-4)! / ((n-1)! (n-2)!), factor by factor. Every intermediate quotient is a binomial coefficient.
std::uint64_t triangulations_printed(std::uint64_t n) {
  std::uint64_t value = 1;
  for (std::uint64_t i = 1; i <= n - 2; ++i) value = value * (n - 2 + i) / i;
  return value / (n - 1);
}

interval::Solution<std::int64_t> optimum_of_random_weights(std::size_t n, std::mt19937_64& random) {
  std::vector<std::int64_t> weights(n * n);
  for (auto& weight : weights) weight = static_cast<std::int64_t>(1 + random() % 100);
  return interval::solve(interval::Triangulation<std::int64_t>({weights.data(), n, n, n})).solution;
}

}  // namespace

Table polygon_counts(const RunOptions& options) {
  Table table{
      {key("n"), published("chords n (n - 3)/2"), counted("chords"), published("chords of a triangulation n - 3"),
       counted("of an optimal one"), published("triangles n - 2"), counted("of an optimal one"),
       published("triangulations (2n - 4)!/((n - 1)! (n - 2)!)"), counted("triangulations")},
      {}};
  std::mt19937_64 random(options.seed);
  for (const std::size_t n : {3U, 4U, 5U, 6U, 8U, 12U, 16U, 24U, 32U}) {
    const auto optimum = optimum_of_random_weights(n, random);
    table.rows.push_back({n, n * (n - 3) / 2, chords_of_polygon(n), n - 3, optimum.chords.size(), n - 2,
                          optimum.triangles.size(), triangulations_printed(n), triangulations_by_recurrence(n)});
  }
  table.notes = {"triangulations are counted by the recurrence, with a sum of products in place of the minimum of sums",
                 "the parse tree of a triangulation has its n - 3 chords as inner nodes below the root and the n - 1 "
                 "other sides as leaves: its triangles are the nodes with two children"};
  return table;
}

}  // namespace warpfold::papers::umm_2013
