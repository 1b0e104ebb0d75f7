#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sequence/batch/team.hpp"

namespace warpfold::sequence::batch {

/// The entries of the tables of all pairs.
[[nodiscard]] double cells_of_all(List a, List b);

/// What all pairs have to say to each other.
struct Visitor {
  /// The largest distance that matters between a row and any of some columns.
  std::function<std::optional<std::uint32_t>(int member, std::size_t row, std::span<const std::uint32_t> columns)>
      bound;
  std::function<void(int member, std::size_t row, std::size_t column, std::uint32_t distance)> take;
};

/// Compares every row with every column. Columns of similar lengths share vectors.
class AllPairs {
 public:
  AllPairs(List rows, List columns, const BatchRequest& request, Batch& batch);

  [[nodiscard]] int threads();
  void run(int threads, const Visitor& visitor);

 private:
  [[nodiscard]] std::size_t items() const;
  /// Whether a sequence is short enough for lanes.
  [[nodiscard]] bool fits(std::size_t size) const;
  void find_fitting();

  /// Some rows and some columns, by their positions.
  struct Block {
    std::span<const std::uint32_t> rows, columns;
  };

  /// Blocks of the rows and columns that fit, each a chunk of pairs.
  [[nodiscard]] std::vector<Block> blocks() const;
  void run_on_gpu(int threads, const Visitor& visitor);
  [[nodiscard]] static std::optional<std::uint32_t> bound_of(const Block& block, int member, const Visitor& visitor);
  double solve_block(const Block& block, int member, cuda::PairWorker& worker, const Visitor& visitor);
  /// The pairs of a row that are in no block.
  double solve_rest(std::size_t row, int member, const Options& each, const Visitor& visitor);
  [[nodiscard]] std::size_t longest_within(List list) const;
  [[nodiscard]] lanes::Planes planes() const;

  /// Some rows and the columns of a group.
  double solve(std::size_t group, std::size_t first_row, int member, const Options& each, const Visitor& visitor,
               Groups& all);
  [[nodiscard]] bool are_worth(std::size_t n, std::size_t m, std::size_t pairs,
                               std::optional<std::uint32_t> bound) const;
  void set(lanes::Group& group, std::span<const std::uint32_t> columns) const;
  void solve_singly(std::size_t row, std::span<const std::uint32_t> columns, std::optional<std::uint32_t> bound,
                    int member, const Options& each, const Visitor& visitor);

  List rows_, columns_;
  BatchRequest request_;
  Batch& batch_;
  std::optional<lanes::Bytes> bytes_;
  Positions order_, fitting_rows_, fitting_columns_, other_columns_;
  std::size_t groups_ = 0, n_ = 0, m_ = 0, of_a_thread_ = 0, rows_together_ = 1;
  lanes::Planes planes_;
  const std::size_t pairs_ = lanes::pairs_of_vector();
};

}  // namespace warpfold::sequence::batch
