#include "sequence/lanes/bytes.hpp"

#include <algorithm>
#include <array>

namespace warpfold::sequence::lanes {

namespace {

constexpr std::size_t code_points = 0x110000;

bool are_bytes(std::span<const SymbolView> list) {
  return std::ranges::all_of(list, [](const SymbolView& symbols) { return symbols.width() == 1; });
}

/// Whether all symbols fit a byte.
bool fit_bytes(std::span<const SymbolView> list) {
  return std::ranges::all_of(list, [](const SymbolView& sequence) {
    return sequence.with_symbols([](const auto& symbols) {
      std::uint32_t bits = 0;
      for (const std::uint32_t symbol : symbols) bits |= symbol;
      return bits < 256;
    });
  });
}

/// A number for each of the symbols that occur.
class Numbers {
 public:
  /// Whether the symbols are code points.
  bool add(const SymbolView& sequence) {
    return sequence.with_symbols([&](const auto& symbols) {
      for (const std::uint32_t symbol : symbols) {
        if (symbol >= code_points) return false;
        occurs_[symbol] = 1;
      }
      return true;
    });
  }
  /// Whether a byte holds all numbers.
  bool assign() {
    std::size_t next = 0;
    for (std::uint8_t& number : occurs_) {
      if (number == 0) continue;
      if (next == 256) return false;
      number = static_cast<std::uint8_t>(next++);
    }
    return true;
  }
  [[nodiscard]] std::uint8_t of(std::uint32_t symbol) const { return occurs_[symbol]; }

 private:
  std::vector<std::uint8_t> occurs_ = std::vector<std::uint8_t>(code_points);
};

std::size_t symbols_of(std::span<const SymbolView> list) {
  std::size_t symbols = 0;
  for (const SymbolView& sequence : list) symbols += sequence.size();
  return symbols;
}

/// Copies with byte_of(symbol) for each symbol.
template <class ByteOf>
std::vector<SymbolView> copied(std::span<const SymbolView> list, const ByteOf& byte_of, std::uint8_t*& to) {
  std::vector<SymbolView> views;
  views.reserve(list.size());
  for (const SymbolView& sequence : list) {
    views.emplace_back(std::span<const std::uint8_t>(to, sequence.size()));
    sequence.with_symbols(
        [&](const auto& symbols) { to = std::transform(symbols.begin(), symbols.end(), to, byte_of); });
  }
  return views;
}

}  // namespace

std::optional<Bytes> Bytes::of(std::span<const SymbolView> a, std::span<const SymbolView> b, Budget& budget) {
  Bytes bytes;
  bytes.a_ = a, bytes.b_ = b;
  if (are_bytes(a) && are_bytes(b)) return bytes;
  const std::size_t symbols = symbols_of(a) + symbols_of(b);
  bytes.taken_ = budget.reserve(symbols + sizeof(SymbolView) * (a.size() + b.size()) + code_points);
  bytes.symbols_.resize(symbols);
  std::uint8_t* to = bytes.symbols_.data();
  const auto copy = [&](const auto& byte_of) {
    bytes.copied_a_ = copied(a, byte_of, to), bytes.copied_b_ = copied(b, byte_of, to);
  };
  if (fit_bytes(a) && fit_bytes(b)) {
    copy([](std::uint32_t symbol) { return static_cast<std::uint8_t>(symbol); });
  } else {
    Numbers numbers;
    const auto add = [&](const SymbolView& sequence) { return numbers.add(sequence); };
    if (!std::ranges::all_of(a, add) || !std::ranges::all_of(b, add) || !numbers.assign()) return {};
    copy([&](std::uint32_t symbol) { return numbers.of(symbol); });
  }
  bytes.a_ = bytes.copied_a_, bytes.b_ = bytes.copied_b_;
  return bytes;
}

}  // namespace warpfold::sequence::lanes
