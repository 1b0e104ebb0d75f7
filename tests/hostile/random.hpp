#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace warpfold::hostile {

using Words = std::vector<std::string>;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class List>
  const auto& any_of(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }
  std::string word(std::initializer_list<const char*> words) { return any_of(words); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace warpfold::hostile
