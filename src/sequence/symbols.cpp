#include "warpfold/sequence/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "warpfold/core/error.hpp"

namespace warpfold::sequence {

namespace {

void check_length(const char* name, std::size_t length) {
  if (length <= max_length) return;
  throw Error(ErrorKind::input, fmt::format("{} has {} symbols: at most {} are accepted", name, length, max_length));
}

/// The symbols that occur, ascending. By a table of all symbols, unless the largest one is much larger than the length.
template <class T>
std::vector<T> distinct(std::span<const T> sequence) {
  if (sequence.empty()) return {};
  const T largest = std::ranges::max(sequence);
  std::vector<T> symbols;
  if (std::size_t{largest} / 4 <= sequence.size()) {
    std::vector<bool> present(std::size_t{largest} + 1);
    for (const T symbol : sequence) present[symbol] = true;
    for (std::size_t symbol = 0; symbol <= largest; ++symbol) {
      if (present[symbol]) symbols.push_back(static_cast<T>(symbol));
    }
    return symbols;
  }
  symbols.assign(sequence.begin(), sequence.end());
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

/// Positions of symbols in an ascending alphabet. A table, unless the largest symbol is much larger than what is coded.
template <class T>
class CodeTable {
 public:
  CodeTable(const std::vector<T>& alphabet, std::size_t coded) : alphabet_(alphabet) {
    if (alphabet.empty() || std::size_t{alphabet.back()} / 4 > coded) return;
    table_.assign(std::size_t{alphabet.back()} + 1, unknown);
    for (std::size_t at = 0; at < alphabet.size(); ++at) table_[alphabet[at]] = static_cast<std::uint32_t>(at);
  }

  static constexpr std::uint32_t unknown = 0xFFFFFFFF;
  [[nodiscard]] std::uint32_t of(T symbol) const {
    if (!table_.empty()) return symbol < table_.size() ? table_[symbol] : unknown;
    const auto at = std::ranges::lower_bound(alphabet_, symbol);
    return at != alphabet_.end() && *at == symbol ? static_cast<std::uint32_t>(at - alphabet_.begin()) : unknown;
  }

 private:
  const std::vector<T>& alphabet_;
  std::vector<std::uint32_t> table_;
};

/// The codes of a sequence: the position in `alphabet`, or `foreign`. Returns whether any is foreign.
template <class T>
bool assign_codes(std::span<const T> sequence, const std::vector<T>& alphabet, std::uint32_t foreign,
                  std::vector<std::uint32_t>& codes) {
  const CodeTable<T> table(alphabet, sequence.size());
  codes.reserve(sequence.size());
  bool any_foreign = false;
  for (const T symbol : sequence) {
    const std::uint32_t position = table.of(symbol);
    const bool known = position != CodeTable<T>::unknown;
    codes.push_back(known ? position : foreign);
    any_foreign |= !known;
  }
  return any_foreign;
}

std::vector<std::uint64_t> counts(std::span<const std::uint32_t> codes, std::uint32_t alphabet) {
  std::vector<std::uint64_t> counts(alphabet);
  for (const std::uint32_t code : codes) {
    if (code < alphabet) ++counts[code];
  }
  return counts;
}

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

template <class T>
void Coded::code(std::span<const T> a, std::span<const T> b) {
  check_length("the first sequence", a.size());
  check_length("the second sequence", b.size());
  const std::vector<T> of_a = distinct(a);
  const std::vector<T> of_b = distinct(b);
  std::vector<T> both;
  std::ranges::set_intersection(of_a, of_b, std::back_inserter(both));
  alphabet_ = static_cast<std::uint32_t>(both.size());
  codes_ = alphabet_;
  codes_ += assign_codes(a, both, codes_, a_) ? 1 : 0;
  codes_ += assign_codes(b, both, codes_, b_) ? 1 : 0;
  const auto in_a = counts(a_, alphabet_);
  const auto in_b = counts(b_, alphabet_);
  for (std::uint32_t code = 0; code < alphabet_; ++code) matching_pairs_ += in_a[code] * in_b[code];
}

Coded::Coded(std::string_view a, std::string_view b) : Coded(bytes(a), bytes(b)) {}
Coded::Coded(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) { code(a, b); }
Coded::Coded(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) { code(a, b); }
Coded::Coded(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) { code(a, b); }

Coded Coded::of_sets(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  check_length("the first sequence", a.size());
  check_length("the second sequence", b.size());
  Coded coded;
  const std::vector<std::uint32_t> of_a = distinct(a), of_b = distinct(b);
  std::ranges::set_union(of_a, of_b, std::back_inserter(coded.sets_));
  coded.alphabet_ = coded.codes_ = static_cast<std::uint32_t>(coded.sets_.size());
  assign_codes(a, coded.sets_, coded.codes_, coded.a_);
  assign_codes(b, coded.sets_, coded.codes_, coded.b_);
  const auto in_a = counts(coded.a_, coded.codes_), in_b = counts(coded.b_, coded.codes_);
  for (std::uint32_t x = 0; x < coded.codes_; ++x) {
    for (std::uint32_t y = 0; y < coded.codes_; ++y) {
      if (coded.matches(x, y)) coded.matching_pairs_ += in_a[x] * in_b[y];
    }
  }
  return coded;
}

int Coded::planes() const { return std::max(1, static_cast<int>(std::bit_width(codes_ == 0 ? 0u : codes_ - 1))); }

Coded Coded::reversed() const {
  Coded reversed = *this;
  std::ranges::reverse(reversed.a_);
  std::ranges::reverse(reversed.b_);
  return reversed;
}

}  // namespace warpfold::sequence
