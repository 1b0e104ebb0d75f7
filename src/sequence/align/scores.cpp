#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "warpfold/core/error.hpp"
#include "warpfold/sequence/align.hpp"

namespace warpfold::sequence {

namespace {

/// A symbol as messages name it.
std::string name_of(std::uint32_t symbol) {
  return symbol > ' ' && symbol < 0x7F ? fmt::format("'{}'", static_cast<char>(symbol)) : fmt::format("{}", symbol);
}

void check_length(const char* name, std::size_t length) {
  if (length <= max_length) return;
  throw Error(ErrorKind::input, fmt::format("{} has {} symbols: {} and less are accepted", name, length, max_length));
}

/// The matrix's positions of a sequence's symbols.
std::vector<std::uint32_t> positions(const char* name, std::span<const std::uint32_t> symbols,
                                     const ScoreMatrix& matrix) {
  check_length(name, symbols.size());
  std::vector<std::uint32_t> found(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto position = matrix.find(symbols[i]);
    if (!position) {
      throw Error(ErrorKind::input, fmt::format("symbol {} of {} is {}, which the score matrix lacks: its {} symbols "
                                                "are accepted",
                                                i + 1, name, name_of(symbols[i]), matrix.symbols().size()));
    }
    found[i] = static_cast<std::uint32_t>(*position);
  }
  return found;
}

std::vector<std::uint32_t> bytes_of(std::string_view text) {
  std::vector<std::uint32_t> symbols(text.size());
  std::ranges::transform(text, symbols.begin(), [](char c) { return static_cast<unsigned char>(c); });
  return symbols;
}

template <class T>
std::vector<T> backwards(const std::vector<T>& list) {
  return {list.rbegin(), list.rend()};
}

}  // namespace

ScoreMatrix::ScoreMatrix(std::vector<std::uint32_t> symbols, std::vector<std::int64_t> scores)
    : symbols_(std::move(symbols)), scores_(std::move(scores)), ascending_(symbols_.size()) {
  if (scores_.size() != symbols_.size() * symbols_.size()) {
    throw Error(ErrorKind::input, fmt::format("the matrix of {} symbols has {} scores: {} are accepted",
                                              symbols_.size(), scores_.size(), symbols_.size() * symbols_.size()));
  }
  std::iota(ascending_.begin(), ascending_.end(), std::size_t{0});
  const auto symbol_at = [this](std::size_t position) { return symbols_[position]; };
  std::ranges::sort(ascending_, {}, symbol_at);
  const auto twice = std::ranges::adjacent_find(ascending_, {}, symbol_at);
  if (twice == ascending_.end()) return;
  throw Error(ErrorKind::input, fmt::format("symbol {} occurs twice in the matrix: each symbol once is accepted",
                                            name_of(symbols_[*twice])));
}

std::optional<std::size_t> ScoreMatrix::find(std::uint32_t symbol) const {
  const auto symbol_at = [this](std::size_t position) { return symbols_[position]; };
  const auto found = std::ranges::lower_bound(ascending_, symbol, {}, symbol_at);
  if (found == ascending_.end() || symbols_[*found] != symbol) return {};
  return *found;
}

bool ScoreMatrix::is_symmetric() const {
  for (std::size_t x = 0; x < symbols_.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) {
      if (score(x, y) != score(y, x)) return false;
    }
  }
  return true;
}

ScoredPair::ScoredPair(const Coded& pair, std::int64_t match, std::int64_t mismatch)
    : a_(pair.a().begin(), pair.a().end()),
      b_(pair.b().begin(), pair.b().end()),
      codes_(pair.codes()),
      max_score_(match),
      min_score_(mismatch) {
  for (std::uint32_t x = 0; pair.has_sets() && x < codes_; ++x) {
    for (std::uint32_t y = 0; y < codes_; ++y) {
      matches_.push_back(pair.matches(x, y));
      scores_.push_back(pair.matches(x, y) ? match : mismatch);
    }
  }
}

ScoredPair::ScoredPair(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, const ScoreMatrix& matrix)
    : a_(positions("the first sequence", a, matrix)),
      b_(positions("the second sequence", b, matrix)),
      codes_(static_cast<std::uint32_t>(matrix.symbols().size())) {
  // The symbols that occur get the first codes.
  std::vector<std::uint32_t> code(codes_, codes_), position_of;
  for (auto* side : {&a_, &b_}) {
    for (std::uint32_t& symbol : *side) {
      if (code[symbol] == code.size()) {
        code[symbol] = static_cast<std::uint32_t>(position_of.size());
        position_of.push_back(symbol);
      }
      symbol = code[symbol];
    }
  }
  codes_ = static_cast<std::uint32_t>(position_of.size());
  for (const std::uint32_t x : position_of) {
    for (const std::uint32_t y : position_of) scores_.push_back(matrix.score(x, y));
  }
  if (scores_.empty()) return;
  min_score_ = std::ranges::min(scores_);
  max_score_ = std::ranges::max(scores_);
}

ScoredPair::ScoredPair(std::string_view a, std::string_view b, const ScoreMatrix& matrix)
    : ScoredPair(bytes_of(a), bytes_of(b), matrix) {}

ScoredPair ScoredPair::reversed() const {
  ScoredPair copy = *this;
  copy.a_ = backwards(a_);
  copy.b_ = backwards(b_);
  return copy;
}

ScoredPair ScoredPair::part(std::size_t begin_a, std::size_t end_a, std::size_t begin_b, std::size_t end_b) const {
  const auto cut = [](const std::vector<std::uint32_t>& all, std::size_t begin, std::size_t end) {
    return std::vector<std::uint32_t>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                      all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  ScoredPair copy = *this;
  copy.a_ = cut(a_, begin_a, end_a);
  copy.b_ = cut(b_, begin_b, end_b);
  return copy;
}

ScoredPair ScoredPair::rescored(std::int64_t factor, std::int64_t added) const {
  ScoredPair copy = *this;
  for (std::int64_t& score : copy.scores_) score = score * factor + added;
  copy.max_score_ = max_score_ * factor + added;
  copy.min_score_ = min_score_ * factor + added;
  return copy;
}

}  // namespace warpfold::sequence
