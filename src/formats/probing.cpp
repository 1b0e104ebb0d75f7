#include "warpfold/formats/probing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

rna::Energy energy_of_reactivity(double reactivity, const Probing& probing) {
  if (reactivity < 0) return 0;
  const double energy = probing.slope * std::log(reactivity + 1) + probing.intercept;
  if (std::abs(energy) <= 100) return static_cast<rna::Energy>(std::lround(100 * energy));
  throw Error(ErrorKind::input,
              fmt::format("reactivity {} is {} kcal/mol: up to 100 are accepted", reactivity, energy));
}

}  // namespace

std::vector<rna::Energy> parse_stack_energies(const std::string& path, std::string_view content, std::size_t bases,
                                              const Probing& probing) {
  std::vector<rna::Energy> energies(bases, 0);
  std::vector<bool> has_line(bases);
  io::each_line(path, content, [&](std::string_view line) {
    std::vector<std::string_view> words;
    io::each_word(line, [&](std::string_view word) { words.push_back(word); });
    if (words.empty()) return;
    if (words.size() < 2 || words.size() > 3) {
      throw Error(
          ErrorKind::input,
          fmt::format("a base has {} columns: position, letter or none, and reactivity are accepted", words.size()));
    }
    const io::Number position = io::parse_number(words.front());
    if (!position.whole || position.exact < 1 || position.exact > io::Whole{bases}) {
      throw Error(ErrorKind::input, fmt::format("position '{}': an integer from 1 to {} is accepted",
                                                io::printable(words.front()), bases));
    }
    const auto at = static_cast<std::size_t>(position.exact) - 1;
    if (has_line[at])
      throw Error(ErrorKind::input, fmt::format("position {} comes again: one line is accepted", at + 1));
    has_line[at] = true;
    const double reactivity = io::parse_number(words.back()).real;
    if (!std::isfinite(reactivity)) {
      throw Error(ErrorKind::input,
                  fmt::format("the reactivity is '{}': a number is accepted", io::printable(words.back())));
    }
    energies[at] = energy_of_reactivity(reactivity, probing);
  });
  return energies;
}

std::vector<rna::Energy> read_stack_energies(const std::string& path, std::size_t bases, const Probing& probing) {
  return parse_stack_energies(path, io::read_file(path), bases, probing);
}

}  // namespace warpfold::formats
