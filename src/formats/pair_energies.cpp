#include "warpfold/formats/pair_energies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/quantity.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

/// A position from `least` to `most`, counted from 0.
std::uint32_t position_of(std::string_view word, std::size_t least, std::size_t most) {
  const io::Number number = io::parse_number(word);
  if (number.is_integral && number.exact >= io::Integer{least} && number.exact <= io::Integer{most}) {
    return static_cast<std::uint32_t>(number.exact) - 1;
  }
  throw Error(ErrorKind::input,
              fmt::format("position '{}': an integer from {} to {} is accepted", io::printable(word), least, most));
}

rna::Energy pair_energy_of(std::string_view word) {
  const double energy = io::parse_number(word).real;
  if (std::abs(energy) <= 100) return static_cast<rna::Energy>(std::lround(100 * energy));
  throw Error(ErrorKind::input,
              fmt::format("the energy is '{}': a number from -100 to 100 is accepted", io::printable(word)));
}

}  // namespace

std::vector<rna::PairEnergy> parse_pair_energies(const std::string& path, std::string_view content, std::size_t bases) {
  std::vector<rna::PairEnergy> pairs;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  io::each_line(path, content, [&](std::string_view line) {
    std::vector<std::string_view> words;
    io::each_word(line, [&](std::string_view word) { words.push_back(word); });
    if (words.empty()) return;
    if (words.size() != 3) {
      throw Error(ErrorKind::input, fmt::format("a pair has {}: two positions and an energy are accepted",
                                                quantity(words.size(), "column")));
    }
    const std::uint32_t i = position_of(words[0], 1, std::max<std::size_t>(bases, 1) - 1);
    const std::uint32_t j = position_of(words[1], std::size_t{i} + 2, bases);
    if (!seen.emplace(i, j).second) {
      throw Error(ErrorKind::input, fmt::format("the pair {}, {} comes again: one line is accepted", i + 1, j + 1));
    }
    pairs.push_back({i, j, pair_energy_of(words[2])});
  });
  if (pairs.empty()) throw Error(ErrorKind::input, fmt::format("{}: has no pair: one or more are accepted", path));
  return pairs;
}

std::vector<rna::PairEnergy> read_pair_energies(const std::string& path, std::size_t bases) {
  return parse_pair_energies(path, io::read_file(path), bases);
}

}  // namespace warpfold::formats
