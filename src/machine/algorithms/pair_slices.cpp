#include <algorithm>
#include <bit>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sequence_pair.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

using Bits = std::uint64_t;

/// Differences of neighbors in a row and in a column: 1 of a common subsequence, 1 and -1 of an edit distance.
struct Differences {
  Bits plus = 0, minus = 0;

  [[nodiscard]] Bits& of(std::uint64_t sign) { return sign == 0 ? plus : minus; }
};

/// A word of cells. `h`: of the row above, `v`: of the column before; set to those of the cells. The new values are
/// Boolean functions of the old ones and of where the symbols differ.
void advance(PairMeasure measure, Bits differ, Differences& h, Differences& v) {
  const Differences above = h, left = v;
  if (measure == PairMeasure::lcs) {
    h.plus = (above.plus | ~differ) & ~left.plus;
    v.plus = (left.plus | ~differ) & ~above.plus;
    return;
  }
  const Bits substituted = differ & ~left.minus & ~above.minus;
  h.plus = left.minus | (substituted & ~left.plus);
  h.minus = left.plus & ~substituted;
  v.plus = above.minus | (substituted & ~above.plus);
  v.minus = above.plus & ~substituted;
}

/// Bit b of word k is row b K + k. In step s it is at column s - b K. So the row above is the word before, and only the
/// first word takes bits that move on by one.
struct Slices {
  const SequencePair* pair;
  formulas::PairSlices size;
  Array<Value> a, b;
  Array<Bits> a_planes, b_planes;  ///< of word k, and of step s
  Array<Bits> h, v;                ///< h of this diagonal and of the one before, in turns

  [[nodiscard]] Bits all() const { return size.bits == 64 ? ~Bits{0} : (Bits{1} << size.bits) - 1; }
  /// The bits that are at a column of the table in step s.
  [[nodiscard]] Bits active(std::uint64_t s) const {
    Bits bits = 0;
    for (std::uint64_t bit = 0; bit < size.bits && bit * size.words() <= s; ++bit) {
      if (s - bit * size.words() < size.m) bits |= Bits{1} << bit;
    }
    return bits;
  }
  [[nodiscard]] std::uint64_t place_of_h(std::uint64_t diagonal, std::uint64_t sign, std::uint64_t word) const {
    return (diagonal % 2 * size.signs + sign) * size.words() + word;
  }
};

/// Collects the bits of the rows' symbols.
Program collect_rows(Thread thread, Slices of) {
  const std::uint64_t words = of.size.words();
  for (std::uint64_t word = thread.id; word < words; word += thread.count) {
    std::vector<Bits> planes(of.size.planes);
    for (std::uint64_t bit = 0; bit * words < of.size.n; ++bit) {
      const std::uint64_t row = bit * words + word;
      if (row >= of.size.n) {
        co_await skip();
        continue;
      }
      const Value symbol = co_await of.a.read(row);
      for (std::uint64_t q = 0; q < of.size.planes; ++q) planes[q] |= (static_cast<Bits>(symbol) >> q & 1) << bit;
    }
    for (std::uint64_t q = 0; q < of.size.planes; ++q) co_await of.a_planes.write(q * words + word, planes[q]);
    if (of.size.signs == 2) co_await of.v.write(word, of.all());  // column -1 of an edit distance
  }
}

/// Collects the bits of the columns' symbols: those of the step K before, moved on by one, and a new one.
Program collect_columns(Thread thread, Slices of) {
  const std::uint64_t words = of.size.words(), steps = of.size.steps();
  for (std::uint64_t first = 0; first < steps; first += words) {
    for (std::uint64_t s = first + thread.id; s < std::min(first + words, steps); s += thread.count) {
      Bits symbol = 0;
      if (s < of.size.m) {
        symbol = static_cast<Bits>(co_await of.b.read(s));
      } else {
        co_await skip();
      }
      for (std::uint64_t q = 0; q < of.size.planes; ++q) {
        Bits before = 0;
        if (first > 0) before = co_await of.b_planes.read(q * steps + s - words);
        co_await of.b_planes.write(q * steps + s, (before << 1 | (symbol >> q & 1)) & of.all());
      }
    }
    co_await barrier();
  }
}

/// Word `word` in step t - word.
Program compute_word(Thread, Slices of, std::uint64_t t, std::uint64_t word) {
  const std::uint64_t words = of.size.words(), s = t - word;
  Bits differ = 0;
  for (std::uint64_t q = 0; q < of.size.planes; ++q) {
    const Bits of_b = co_await of.b_planes.read(q * of.size.steps() + s);
    const Bits of_a = co_await of.a_planes.read(q * words + word);
    differ |= of_a ^ of_b;
  }
  Differences h, v;
  for (std::uint64_t sign = 0; sign < of.size.signs; ++sign) {
    if (word == 0 && t >= words) {
      h.of(sign) = co_await of.h.read(of.place_of_h(t + 1, sign, words - 1)) << 1;
    } else {
      co_await skip();
    }
    if (word > 0) {
      h.of(sign) = co_await of.h.read(of.place_of_h(t + 1, sign, word - 1));
    } else {
      co_await skip();
    }
    v.of(sign) = co_await of.v.read(sign * words + word);
  }
  if (word == 0 && of.pair->is_edit()) h.plus |= 1;  // row -1 of an edit distance
  const Differences before = v;
  advance(of.pair->measure, differ, h, v);
  const Bits active = of.active(s);
  Differences kept = before;
  for (std::uint64_t sign = 0; sign < of.size.signs; ++sign) {
    co_await of.v.write(sign * words + word, (v.of(sign) & active) | (kept.of(sign) & ~active));
    co_await of.h.write(of.place_of_h(t, sign, word), h.of(sign));
  }
}

Program by_slices(Thread thread, Slices of) {
  const std::uint64_t words = of.size.words(), steps = of.size.steps();
  co_await phase("rows");
  co_await collect_rows(thread, of);
  co_await phase("columns");
  co_await collect_columns(thread, of);
  for (std::uint64_t t = 0; t + 1 < steps + words; ++t) {
    co_await phase("diagonals");
    const std::uint64_t first = t < steps ? 0 : t + 1 - steps, last = std::min(words - 1, t);
    for (std::uint64_t word = first + thread.id; word <= last; word += thread.count) {
      co_await compute_word(thread, of, t, word);
    }
  }
}

/// The last column of the table from its differences.
std::vector<Value> last_column(const Slices& of, const std::vector<Bits>& v) {
  std::vector<Value> column;
  Value sum = of.pair->border(of.size.m);
  for (std::uint64_t i = 0; i < of.size.n; ++i) {
    const auto bit = [&](std::uint64_t sign) {
      const Bits word = v[sign * of.size.words() + i % of.size.words()];
      return static_cast<Value>(word >> i / of.size.words() & 1);
    };
    sum += bit(0) - (of.size.signs == 2 ? bit(1) : 0);
    column.push_back(sum);
  }
  return column;
}

std::uint64_t planes_of(const SequencePair& pair) {
  const Value largest = std::max(std::ranges::max(pair.a), std::ranges::max(pair.b));
  return std::max<std::uint64_t>(1, std::bit_width(static_cast<Bits>(largest)));
}

bool is_last_column(const std::vector<Value>& column, const SequencePair& pair) {
  const std::vector<Value> table = pair.table();
  for (std::uint64_t i = 0; i < pair.n(); ++i) {
    if (column[i] != table[(i + 1) * pair.m() - 1]) return false;
  }
  return true;
}

template <PairMeasure measure>
RunResult run_pair_slices(const RunRequest& request) {
  const SequencePair pair = pair_of(request, measure);
  const std::uint64_t bits = request.parameter("bits", std::min(request.machine.width, 64u));
  accept_parameter("bits", bits, bits >= 1 && bits <= 64, "1 to 64");
  const formulas::PairSlices size{pair.n(), pair.m(), bits, planes_of(pair), pair.is_edit() ? 2u : 1u};
  check_data(request, size.planes * size.steps());
  Simulation simulation(request.machine, request.threads, request.options);
  const Slices slices{&pair,
                      size,
                      simulation.array("A[i]", pair.a),
                      simulation.array("B[j]", pair.b),
                      simulation.array<Bits>("A's planes", size.planes * size.words()),
                      simulation.array<Bits>("B's planes", size.planes * size.steps()),
                      simulation.array<Bits>("h", 2 * size.signs * size.words()),
                      simulation.array<Bits>("v", size.signs * size.words())};
  simulation.run([&](Thread thread) { return by_slices(thread, slices); });
  const std::vector<Value> column = last_column(slices, simulation.values(slices.v));
  RunResult result = pair_result(request, simulation, pair, column.back(), is_last_column(column, pair));
  result.formula = formulas::pair_slices(request.machine, request.threads, size);
  result.formula_text =
      "sum over m + K bits - 1 diagonals of at most K = ceil(n/bits) words of stages + ceil(length/p) (l - 1)";
  result.bound = formulas::pair_bound(request.machine, request.threads, pair.n(), pair.m(), bits);
  result.bound_text = "n m/(w bits) + n m l/(p bits) + (n + m) l";
  return result;
}

Algorithm slices_algorithm(std::string_view name, std::string_view description, RunResult (*run)(const RunRequest&)) {
  return pair_algorithm(name, description, "the skewed stripes of warpfold's own kernels", run,
                        {{"bits", "bits of a word; default: the width, 64 at most"}});
}

}  // namespace

Algorithm lcs_slices() {
  return slices_algorithm("lcs-slices",
                          "The longest common subsequence of two sequences of n and m symbols by diagonals of words, a "
                          "cell in each of their bits.",
                          run_pair_slices<PairMeasure::lcs>);
}

Algorithm edit_distance_slices() {
  return slices_algorithm("edit-distance-slices",
                          "The edit distance of two sequences of n and m symbols by diagonals of words, a cell in each "
                          "of their bits.",
                          run_pair_slices<PairMeasure::edit>);
}

}  // namespace warpfold::machine
