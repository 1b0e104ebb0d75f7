#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/algorithms/common.hpp"

/// Helpers of the programs for two sequences.
namespace warpfold::machine {

enum class PairMeasure : std::uint8_t { lcs, edit };

/// Sequences of n and m symbols, and the recurrence of their table. D(i,j) is the longest common subsequence, or the
/// edit distance, of the symbols up to A[i] and B[j], counted from 0. Row -1 and column -1 are the border.
struct SequencePair {
  PairMeasure measure;
  std::vector<Value> a, b;

  [[nodiscard]] std::uint64_t n() const { return a.size(); }
  [[nodiscard]] std::uint64_t m() const { return b.size(); }
  [[nodiscard]] bool is_edit() const { return measure == PairMeasure::edit; }
  /// D of the border after so many symbols.
  [[nodiscard]] Value border(std::uint64_t symbols) const { return is_edit() ? static_cast<Value>(symbols) : 0; }
  /// D(-1,-1), D(i-1,-1) or D(-1,j-1), the diagonal neighbor of a cell (i,j) in row 0 or column 0.
  [[nodiscard]] Value corner(std::uint64_t i, std::uint64_t j) const { return border(i + j); }
  [[nodiscard]] Value cell(bool equal, Value diagonal, Value above, Value left) const;
  /// The table, row by row, by the plain double loop.
  [[nodiscard]] std::vector<Value> table() const;
};

/// Returns the lists "a" and "b", or random symbols 0 to 3. Raises Error{usage} unless n and m are 1 to 32767.
[[nodiscard]] SequencePair pair_of(const RunRequest& request, PairMeasure measure);

/// Returns the report, D(n-1,m-1), whether all is correct, and the bounds n m/w + n m l/p + (n + m) l and that of
/// reading all symbols.
[[nodiscard]] RunResult pair_result(const RunRequest& request, const Simulation& simulation, const SequencePair& pair,
                                    Value distance, bool correct);
/// The same for a program that stores each cell of the table before it computes the next diagonal.
[[nodiscard]] RunResult pair_table_result(const RunRequest& request, const Simulation& simulation,
                                          const SequencePair& pair, const std::vector<Value>& table);

/// Describes a program for two sequences, which takes the lists "a" and "b" and the parameter "m".
[[nodiscard]] Algorithm pair_algorithm(std::string_view name, std::string_view description, std::string_view source,
                                       RunResult (*run)(const RunRequest&), std::vector<Parameter> parameters = {});

}  // namespace warpfold::machine
