#include "warpfold/recurrence/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "core/residue.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::recurrence {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// The type in which every sum of T's is exact, or nearly so.
template <class T>
using Sum = std::conditional_t<std::is_floating_point_v<T>, long double, Wide>;

/// The recurrence by its definition: the value at index i, from those before it.
template <class T>
class Expectation {
 public:
  Expectation(const Problem<T>& problem, const std::vector<T>& values) : problem_(problem), values_(values) {}

  /// The violation of index i.
  [[nodiscard]] Violation violation_at(std::size_t i) const {
    if (i < problem_.initial().size())
      return violation_unless(values_[i] == problem_.initial()[i], i, problem_.initial()[i]);
    if (problem_.op() == Op::sum || problem_.op() == Op::sum_mod) return find_sum_violation(i);
    const T right = chosen(i);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isinf(right) && !is_inherited(i, right)) return find_overflow_violation(i);
    }
    return violation_unless(values_[i] == right, i, right);
  }

 private:
  [[nodiscard]] T source(std::size_t i, std::size_t j) const {
    return values_[i - static_cast<std::size_t>(problem_.offsets()[j])];
  }
  /// The value times its coefficient; for sum-mod the remainder, as 128 bits may not hold a sum of such products.
  [[nodiscard]] Sum<T> product(std::size_t i, std::size_t j) const {
    if constexpr (std::is_integral_v<T>) {
      if (problem_.op() == Op::sum_mod) {
        return static_cast<Wide>(static_cast<UnsignedWide>(source(i, j)) *
                                 static_cast<UnsignedWide>(problem_.coefficient(j)) %
                                 static_cast<UnsignedWide>(problem_.modulus()));
      }
    }
    return static_cast<Sum<T>>(source(i, j)) * static_cast<Sum<T>>(problem_.coefficient(j));
  }
  [[nodiscard]] T candidate(std::size_t i, std::size_t j) const {
    return static_cast<T>(source(i, j) + problem_.weight(j));
  }

  /// Whether values before index i make it infinite: one that is infinite, or, if every number would win, all.
  [[nodiscard]] bool is_inherited(std::size_t i, T infinite) const {
    std::size_t same = 0;
    for (std::size_t j = 0; j < problem_.offsets().size(); ++j) same += source(i, j) == infinite;
    const bool loses = (problem_.op() == Op::min) == (infinite > 0);
    return loses ? same == problem_.offsets().size() : same > 0;
  }

  [[nodiscard]] static Violation find_overflow_violation(std::size_t i) {
    return fmt::format("value {} or a sum on the way to it is larger than {} holds", i, dtype_name<T>());
  }

  template <class Right>
  [[nodiscard]] Violation violation_unless(bool is_right, std::size_t i, const Right& right) const {
    if (is_right) return std::nullopt;
    return fmt::format("value {} is {}, it has to be {}", i, values_[i], right);
  }

  [[nodiscard]] Violation find_sum_violation(std::size_t i) const {
    Sum<T> sum = 0;
    for (std::size_t j = 0; j < problem_.offsets().size(); ++j) sum += product(i, j), sum += problem_.weight(j);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isfinite(sum) && std::isinf(static_cast<T>(sum))) return find_overflow_violation(i);
      return violation_unless(is_rounded(i, sum), i, static_cast<T>(sum));
    } else {
      if (problem_.op() == Op::sum_mod) sum %= problem_.modulus();
      return violation_unless(values_[i] == sum, i, sum);
    }
  }

  /// A value times its coefficient, and a weight, are added for each offset, in any order.
  [[nodiscard]] bool is_rounded(std::size_t i, long double sum) const {
    if (!std::isfinite(values_[i]) || !std::isfinite(sum)) return values_[i] == static_cast<T>(sum);
    const std::size_t offsets = problem_.offsets().size();
    long double magnitude = 0;
    for (std::size_t j = 0; j < offsets; ++j) magnitude += std::abs(product(i, j)) + std::abs(problem_.weight(j));
    const long double slack = 2 * static_cast<long double>(offsets) * std::numeric_limits<T>::epsilon() * magnitude;
    return std::abs(values_[i] - sum) <= slack;
  }

  [[nodiscard]] T chosen(std::size_t i) const {
    T result = candidate(i, 0);
    for (std::size_t j = 1; j < problem_.offsets().size(); ++j) result = combined(result, candidate(i, j));
    if constexpr (std::is_integral_v<T>) {
      if (problem_.is_weighted()) return without_value(result);
    }
    return result;
  }

  [[nodiscard]] T combined(T a, T b) const {
    if (problem_.op() == Op::min) return std::min(a, b);
    if (problem_.op() == Op::max) return std::max(a, b);
    if constexpr (std::is_integral_v<T>) {
      if (problem_.op() == Op::bit_xor) return a ^ b;
      if (problem_.op() == Op::bit_or) return a | b;
      if (problem_.op() == Op::bit_and) return a & b;
      if (problem_.op() == Op::gcd) return std::gcd(a, b);
    }
    return a;
  }

  /// "No value" plus weights is still "no value".
  [[nodiscard]] T without_value(T result) const {
    const T largest = infinity<T> - problem_.bound();
    if (problem_.op() == Op::min && result >= largest) return infinity<T>;
    if constexpr (std::is_signed_v<T>) {
      if (problem_.op() == Op::max && result <= -largest) return static_cast<T>(-infinity<T>);
    }
    return result;
  }

  const Problem<T>& problem_;
  const std::vector<T>& values_;
};

}  // namespace

template <class T>
Verdict verify(const Problem<T>& problem, const Solution<T>& solution, const Options& options) {
  const std::vector<T>& values = solution.values;
  if (values.size() != problem.n()) {
    return infeasible(fmt::format("{} for n = {}", quantity(values.size(), "value"), problem.n()));
  }
  SolveMonitor monitor(options, problem.operations());
  const std::size_t values_between_checks = 1 + 65536 / problem.offsets().size();
  PeriodicCheck ticker(monitor, values_between_checks);
  const Expectation<T> expectation(problem, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (Violation violation = expectation.violation_at(i)) return infeasible(*violation);
    ticker.tick();
  }
  monitor.advance(problem.operations());
  return {.is_optimal = true};
}

#define WARPFOLD_INSTANTIATE(T) template Verdict verify(const Problem<T>&, const Solution<T>&, const Options&);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

namespace {

std::size_t amounts_up_to(std::int64_t amount) {
  if (amount < 0) throw Error(ErrorKind::input, fmt::format("the amount is {}: 0 or more is accepted", amount));
  return static_cast<std::size_t>(amount) + 1;
}

/// Above every number of coins, also after adding another.
constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max() / 2;

/// Allows `count` more coins.
void add_piece(std::vector<std::int32_t>& table, std::size_t coin, std::int64_t count) {
  const std::size_t shift = coin * static_cast<std::size_t>(count);
  for (std::size_t a = table.size(); a-- > shift;) {
    table[a] = std::min(table[a], table[a - shift] + static_cast<std::int32_t>(count));
  }
}

/// The textbook's table; `none` if no coins give the amount.
std::vector<std::int32_t> fewest_by_table(const CoinSystem& system, std::int64_t amount, const SolveMonitor& monitor) {
  std::vector<std::int32_t> table(amounts_up_to(amount), none);
  table[0] = 0;
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    monitor.check();
    const std::int64_t most = amount / system.coins()[j];
    const std::int64_t stock = system.is_limited() ? std::min(system.stock()[j], most) : most;
    const auto coin = static_cast<std::size_t>(system.coins()[j]);
    if (stock == most) {
      for (std::size_t a = coin; a < table.size(); ++a) table[a] = std::min(table[a], table[a - coin] + 1);
      continue;
    }
    // Pieces of 1, 2, 4, .. coins and a rest give every number up to the stock.
    for (std::int64_t left = stock, piece = 1; left > 0; left -= piece, piece = std::min(2 * piece, left)) {
      add_piece(table, coin, piece);
    }
  }
  return table;
}

Violation find_payment_violation(const CoinSystem& system, std::int64_t amount, const Change& change) {
  if (change.used.size() != system.coins().size()) {
    return fmt::format("'used' has {} for {}", quantity(change.used.size(), "entry", "entries"),
                       quantity(system.coins().size(), "coin"));
  }
  Wide sum = 0;
  std::int64_t count = 0;
  for (std::size_t j = 0; j < change.used.size(); ++j) {
    const std::int64_t coin = system.coins()[j];
    const std::int64_t used = change.used[j];
    if (used < 0) return fmt::format("coin {} is used {} times", coin, used);
    if (system.is_limited() && used > system.stock()[j]) {
      return fmt::format("coin {} is used {} times, there are {}", coin, used, system.stock()[j]);
    }
    if (__builtin_add_overflow(count, used, &count)) return "more coins are used than can be counted";
    sum += Wide{coin} * used;  // below 2^126, as the count is below 2^63
  }
  if (sum != amount) return fmt::format("the coins add up to {}, the amount is {}", sum, amount);
  if (count != change.fewest) return fmt::format("'fewest' is {}, the coins used are {}", change.fewest, count);
  return std::nullopt;
}

std::vector<std::int32_t> fewest_within(const CoinSystem& system, std::int64_t amount, Budget& budget,
                                        Budget::Reservation& taken, const Options& options) {
  taken = budget.reserve(amounts_up_to(amount), sizeof(std::int32_t));
  return fewest_by_table(system, amount, SolveMonitor(options, 0));
}

}  // namespace

Verdict verify(const CoinSystem& system, std::int64_t amount, const Change& change, const Options& options) {
  static_cast<void>(amounts_up_to(amount));
  if (Violation violation = find_payment_violation(system, amount, change)) return infeasible(*violation);
  if (amount > largest_checked_amount) return {.unchecked = "whether fewer coins give the amount"};
  Budget budget(options);
  Budget::Reservation taken;
  const std::int32_t fewest = fewest_within(system, amount, budget, taken, options).back();
  if (fewest == change.fewest) return {.is_optimal = true};
  return wrong_cost(fmt::format("the fewest coins are {}, {} is claimed", fewest, change.fewest));
}

Verdict verify(const CoinSystem& system, std::int64_t amount, const FewestTable& table, const Options& options) {
  const std::size_t size = amounts_up_to(amount);
  const std::size_t stated = table.fewest.size();
  if (stated != size && stated != 1)
    return infeasible(fmt::format("{}, {} expected", quantity(stated, "number"), size));
  if (amount > largest_checked_amount) return {.unchecked = "the fewest coins"};
  Budget budget(options);
  Budget::Reservation taken;
  const std::vector<std::int32_t> fewest = fewest_within(system, amount, budget, taken, options);
  for (std::size_t entry = 0, a = size - stated; entry < stated; ++entry, ++a) {
    const std::int32_t right = fewest[a] >= none ? -1 : fewest[a];
    if (table.fewest[entry] == right) continue;
    return wrong_cost(fmt::format("the fewest coins for the amount {} are {}, {} is claimed (-1: none give it)", a,
                                  right, table.fewest[entry]));
  }
  return {.is_optimal = true};
}

namespace {

std::vector<std::uint64_t> ways_modulo(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus,
                                       const SolveMonitor& monitor) {
  std::vector<std::uint64_t> table(amounts_up_to(amount), 0);
  table[0] = 1 % modulus;
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    monitor.check();
    const auto coin = static_cast<std::size_t>(system.coins()[j]);
    const std::int64_t stock = system.is_limited() ? std::min(system.stock()[j], amount) : amount;
    const Wide beyond = (Wide{stock} + 1) * system.coins()[j];
    const std::vector<std::uint64_t> before = table;
    for (std::size_t a = coin; a < table.size(); ++a) {
      Wide sum = Wide{table[a]} + table[a - coin];
      if (beyond <= static_cast<Wide>(a)) sum += modulus - before[a - static_cast<std::size_t>(beyond)];
      table[a] = static_cast<std::uint64_t>(sum % modulus);
    }
  }
  return table;
}

Violation find_form_violation(const Ways& ways, std::size_t size, std::uint64_t modulus) {
  const std::size_t stated = modulus == 0 ? ways.exact.size() : ways.modulo.size();
  if (stated == size || stated == 1) return std::nullopt;
  return fmt::format("{} of ways, {} expected", quantity(stated, "number"), size);
}

}  // namespace

Verdict verify(const CoinSystem& system, std::int64_t amount, const Ways& ways, std::uint64_t modulus,
               const Options& options) {
  const std::size_t size = amounts_up_to(amount);
  if (Violation violation = find_form_violation(ways, size, modulus)) return infeasible(*violation);
  if (amount > largest_checked_amount) return {.unchecked = "the number of ways"};
  Budget budget(options);
  const Budget::Reservation taken = budget.reserve(size, 2 * sizeof(std::uint64_t));
  const std::uint64_t compared_modulo = modulus == 0 ? comparing_prime : modulus;
  const std::vector<std::uint64_t> right = ways_modulo(system, amount, compared_modulo, SolveMonitor(options, 0));
  const std::size_t stated = modulus == 0 ? ways.exact.size() : ways.modulo.size();
  for (std::size_t entry = 0, a = size - stated; entry < stated; ++entry, ++a) {
    const auto claimed = modulus == 0 ? residue(ways.exact[entry], compared_modulo) : ways.modulo[entry];
    if (claimed != right[a]) return wrong_cost(fmt::format("the number of ways is wrong for the amount {}", a));
  }
  return {.is_optimal = true};
}

}  // namespace warpfold::recurrence
