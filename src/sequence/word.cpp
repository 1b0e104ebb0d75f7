#include "sequence/word.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "sequence/walk.hpp"
#include "sequence/word_columns.hpp"

namespace warpfold::sequence {

namespace {

/// For every code the rows of the present block that match it.
class Matches {
 public:
  explicit Matches(const Coded& pair) : pair_(pair), rows_(pair.codes()) {}

  void set(std::span<const std::uint32_t> block) {
    if (pair_.has_sets()) return set_sets(block);
    for (const std::uint32_t code : block_) rows_[code] = 0;
    block_ = block;
    for (std::size_t row = 0; row < block.size(); ++row) rows_[block[row]] |= Word{1} << row;
  }
  [[nodiscard]] Word of(std::uint32_t code) const { return rows_[code]; }

 private:
  void set_sets(std::span<const std::uint32_t> block) {
    for (std::uint32_t code = 0; code < pair_.codes(); ++code) {
      rows_[code] = 0;
      for (std::size_t row = 0; row < block.size(); ++row) {
        rows_[code] |= Word{pair_.matches(block[row], code)} << row;
      }
    }
  }

  const Coded& pair_;
  std::vector<Word> rows_;
  std::span<const std::uint32_t> block_;
};

struct Nothing {
  template <class Column>
  void operator()(std::size_t, std::size_t, const Column&) const {}
};

/// Calls keep(block, column, differences) everywhere. Returns the sum of the vertical differences of the last column.
template <class Column, class Keep>
std::int64_t sum_of_rows(const Coded& pair, SolveMonitor& monitor, const Keep& keep) {
  Matches matches(pair);
  std::vector<std::int8_t> above(pair.m(), Column::above_first);
  std::int64_t total = 0;
  for (std::size_t first = 0; first < pair.n(); first += rows_of_word) {
    monitor.check();
    const auto block = pair.a().subspan(first, std::min(rows_of_word, pair.n() - first));
    matches.set(block);
    Column column;
    for (std::size_t j = 0; j < pair.m(); ++j) {
      above[j] = static_cast<std::int8_t>(column.advance(matches.of(pair.b()[j]), above[j]));
      keep(first / rows_of_word, j, column);
    }
    total += column.total(~Word{0} >> (rows_of_word - block.size()));
    monitor.advance(static_cast<double>(block.size()) * static_cast<double>(pair.m()));
  }
  return total;
}

template <class Keep>
std::int64_t distance_by_words(const Coded& pair, Measure measure, SolveMonitor& monitor, const Keep& keep) {
  const auto n = static_cast<std::int64_t>(pair.n());
  const auto m = static_cast<std::int64_t>(pair.m());
  if (measure == Measure::indel) return n + m - 2 * sum_of_rows<CommonColumn>(pair, monitor, keep);
  return m + sum_of_rows<EditColumn>(pair, monitor, keep);
}

Script script_of(const Coded& pair, const std::vector<Steps>& steps) {
  const auto bit = [&](Word Steps::*kind, std::size_t i, std::size_t j) {
    const Steps& column = steps[(i - 1) / rows_of_word * pair.m() + j - 1];
    return (column.*kind >> ((i - 1) % rows_of_word) & 1) != 0;
  };
  Walk walk{pair.n(), pair.m()};
  while (walk.i > 0 && walk.j > 0) {
    walk.take(step_to(
        pair.matches(pair.a()[walk.i - 1], pair.b()[walk.j - 1]), walk.i, walk.j,
        [&](std::size_t i, std::size_t j) { return bit(&Steps::substitution, i, j); },
        [&](std::size_t i, std::size_t j) { return bit(&Steps::deletion, i, j); }));
  }
  return walk.finished();
}

}  // namespace

std::int64_t word_distance(const Coded& pair, Measure measure, SolveMonitor& monitor) {
  return distance_by_words(pair, measure, monitor, Nothing());
}

Distance by_words(const Query& query, Context& context) {
  const Coded& pair = query.pair;
  const std::size_t blocks = (pair.n() + rows_of_word - 1) / rows_of_word;
  const std::size_t kept = query.request.script ? blocks * pair.m() : 0;
  const auto taken = context.budget.reserve(kept * sizeof(Steps) + pair.m() + pair.codes() * sizeof(Word));
  SolveMonitor monitor(context.options, query.cells());
  std::vector<Steps> steps(kept);
  const std::int64_t distance =
      kept == 0
          ? word_distance(pair, query.measure, monitor)
          : distance_by_words(pair, query.measure, monitor, [&](std::size_t block, std::size_t j, const auto& column) {
              steps[block * pair.m() + j] = column.steps();
            });
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? script_of(pair, steps) : Script()};
}

}  // namespace warpfold::sequence
