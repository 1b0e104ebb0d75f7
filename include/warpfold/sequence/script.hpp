#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Two sequences A and B: longest common subsequences, edit distances, and the scripts that turn A into B.
namespace warpfold::sequence {

/// One step of a script. A transposition swaps two neighbors of A.
///
/// Unrestricted transpositions also swap symbols that are apart: `transposition_begin` goes over the first symbol of
/// both sequences, `transposition_end` over the last one, and between them are deletions and insertions alone. "ca"
/// becomes "abc" by a begin, an insertion and an end. Begin and end together cost one transposition.
enum class Edit : std::uint8_t {
  match,
  substitution,
  deletion,
  insertion,
  transposition,
  transposition_begin,
  transposition_end
};

/// Equal steps in a row. `length` counts steps: a transposition takes two symbols of each sequence.
struct Run {
  Edit edit;
  std::uint64_t length;

  bool operator==(const Run&) const = default;
};

/// What is minimized: the edits, or insertions and deletions alone. The insert/delete distance d of sequences of n and
/// m symbols gives the length (n + m - d) / 2 of a longest common subsequence.
enum class Measure : std::uint8_t { edit, indel };

/// What an edit costs. A match is free.
struct Costs {
  std::int64_t insertion = 1;
  std::int64_t deletion = 1;
  std::int64_t substitution = 1;
  std::int64_t transposition = 1;

  bool operator==(const Costs&) const = default;
};

/// Which of several optimal scripts is returned. Every algorithm, number of threads and instruction set returns the
/// same one.
///
/// * `left`: the table of all distances is walked from its end to its beginning. Where several steps are optimal, the
///   walk takes a match or substitution first, then a transposition, a deletion, an insertion. Gaps are as far left as
///   they go.
/// * `right`: the same for both sequences reversed. Gaps are as far right as they go.
/// * `shortest`, `longest`: of the optimal scripts those with the fewest or the most columns, and of these the one of
///   `left`. A column is a symbol of A, a symbol of B, or one of each. A second term in the costs counts the columns,
///   which takes more time: every cell is computed, in wider numbers. All scripts of a longest common subsequence have
///   as many columns, so there both are `left`.
enum class Ties : std::uint8_t { left, right, shortest, longest };

/// The names of the rules, in their order.
inline constexpr std::string_view ties_names[] = {"left", "right", "shortest", "longest"};

/// Whether the columns of a script decide ties.
[[nodiscard]] constexpr bool counts_columns(Ties ties) { return ties == Ties::shortest || ties == Ties::longest; }

/// A script that turns A into B, as runs from the beginning to the end. Neighboring runs have different edits.
class Script {
 public:
  /// Appends `length` steps. Joins them to the last run if the edit is the same. A length of 0 changes nothing.
  void push(Edit edit, std::uint64_t length = 1) {
    if (length == 0) return;
    if (!runs_.empty() && runs_.back().edit == edit) {
      runs_.back().length += length;
    } else {
      runs_.push_back({edit, length});
    }
  }
  /// Makes room for this many runs.
  void reserve(std::size_t runs) { runs_.reserve(runs); }

  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] bool empty() const { return runs_.empty(); }

  /// The symbols of A that the script goes over, at most 2^64 - 1.
  [[nodiscard]] std::uint64_t symbols_of_a() const;
  [[nodiscard]] std::uint64_t symbols_of_b() const;
  /// The symbols of A before the script's end, at most 2^64 - 1.
  [[nodiscard]] std::uint64_t end_a() const;
  [[nodiscard]] std::uint64_t end_b() const;
  [[nodiscard]] std::uint64_t count(Edit edit) const;
  [[nodiscard]] std::int64_t cost(const Costs& costs = {}) const;

  /// The runs as text, each its length and a letter: `=` match, `X` substitution, `D` deletion, `I` insertion, `T`
  /// transposition of two neighbors, `(` and `)` the symbols of one that are apart. `T` goes over two symbols of each
  /// sequence, all others over one. If not `extended`, `M` stands for matches, substitutions, and both symbols of a
  /// transposition.
  [[nodiscard]] std::string cigar(bool extended = true) const;

  /// The positions in A and B, from 0, of all symbols that match, in ascending order.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> matched_pairs() const;

  /// The script that turns B into A.
  [[nodiscard]] Script inverse() const;
  /// The script of both sequences reversed. Begins are 0.
  [[nodiscard]] Script reversed() const&;
  [[nodiscard]] Script reversed() &&;

  /// The script that turns A into C, if this one turns A into B and `next` turns B into C. A symbol of B that was
  /// inserted and is deleted leaves no trace. Insertions come before deletions. Without transpositions the script costs
  /// at most as much as both together, and any grouping of several scripts gives the same one. A transposition stays
  /// one where the other script matches both symbols. Else, or if its symbols are apart, it counts as two
  /// substitutions. Symbols are compared for
  /// equality, not as sets. Raises Error{input} if the scripts go over different parts of B, or over more symbols of A
  /// or C than there are.
  template <class T>
  [[nodiscard]] Script compose(const Script& next, std::span<const T> a, std::span<const T> c) const {
    return compose(next, a.size(), c.size(), [&](std::uint64_t i, std::uint64_t k) { return a[i] == c[k]; });
  }
  [[nodiscard]] Script compose(const Script& next, std::string_view a, std::string_view c) const;
  /// The same for n symbols of A and m of C. `is_match(i, k)`: whether A[i] and C[k] are equal.
  [[nodiscard]] Script compose(const Script& next, std::uint64_t n, std::uint64_t m,
                               const std::function<bool(std::uint64_t, std::uint64_t)>& is_match) const;

  /// Turns A into B: symbols that match or swap come from A, the others from B. Raises Error{input} if the script goes
  /// over more symbols than there are. Symbols before the script's begins are left out.
  template <class T>
  [[nodiscard]] std::vector<T> apply(std::span<const T> a, std::span<const T> b) const {
    std::vector<T> result;
    std::size_t swapped = 0;
    walk(a.size(), b.size(), [&](Edit edit, std::uint64_t i, std::uint64_t j) {
      if (edit == Edit::transposition_begin) swapped = result.size();
      if (edit == Edit::match || edit == Edit::transposition_begin || edit == Edit::transposition_end) {
        result.push_back(a[i]);
      }
      if (edit == Edit::transposition_end) std::swap(result[swapped], result.back());
      if (edit == Edit::substitution || edit == Edit::insertion) result.push_back(b[j]);
      if (edit == Edit::transposition) result.insert(result.end(), {a[i + 1], a[i]});
    });
    return result;
  }
  [[nodiscard]] std::string apply(std::string_view a, std::string_view b) const;

  /// Both sequences with `gap` where the other one has a symbol alone. Raises what `apply` raises.
  template <class T>
  [[nodiscard]] std::pair<std::vector<T>, std::vector<T>> rows(std::span<const T> a, std::span<const T> b,
                                                               T gap) const {
    std::pair<std::vector<T>, std::vector<T>> result;
    walk(a.size(), b.size(), [&](Edit edit, std::uint64_t i, std::uint64_t j) {
      const std::uint64_t symbols = edit == Edit::transposition ? 2 : 1;
      for (std::uint64_t s = 0; s < symbols; ++s) {
        result.first.push_back(edit == Edit::insertion ? gap : a[i + s]);
        result.second.push_back(edit == Edit::deletion ? gap : b[j + s]);
      }
    });
    return result;
  }
  [[nodiscard]] std::pair<std::string, std::string> rows(std::string_view a, std::string_view b, char gap = '-') const;

  bool operator==(const Script&) const = default;

  std::uint64_t begin_a = 0;  ///< symbols of A before the script
  std::uint64_t begin_b = 0;

 private:
  /// Calls visit(edit, i, j) for every step, which begins at A[i] and B[j].
  template <class Visit>
  void walk(std::uint64_t n, std::uint64_t m, const Visit& visit) const {
    check_lengths(end_a(), end_b(), n, m);
    std::uint64_t i = begin_a;
    std::uint64_t j = begin_b;
    for (const Run& run : runs_) {
      for (std::uint64_t step = 0; step < run.length; ++step) {
        visit(run.edit, i, j);
        i += symbols_of_a(run.edit);
        j += symbols_of_b(run.edit);
      }
    }
  }
  /// Raises Error{input} if a script that ends at symbol a of A and b of B does not fit n and m symbols.
  static void check_lengths(std::uint64_t a, std::uint64_t b, std::uint64_t n, std::uint64_t m);

  static constexpr std::uint64_t symbols_of_a(Edit edit) {
    return edit == Edit::insertion ? 0 : edit == Edit::transposition ? 2 : 1;
  }
  static constexpr std::uint64_t symbols_of_b(Edit edit) {
    return edit == Edit::deletion ? 0 : edit == Edit::transposition ? 2 : 1;
  }

  std::vector<Run> runs_;
};

}  // namespace warpfold::sequence
