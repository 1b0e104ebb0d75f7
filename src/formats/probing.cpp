#include "warpfold/formats/probing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantity.hpp"
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

/// Reads the lines of a file.
class ReactivityReader {
 public:
  ReactivityReader(const rna::Sequence& sequence, const Probing& probing)
      : sequence_(sequence), probing_(probing), energies_(sequence.size(), 0), has_line_(sequence.size()) {}

  void read(std::string_view line) {
    std::vector<std::string_view> words;
    io::each_word(line, [&](std::string_view word) { words.push_back(word); });
    if (words.empty()) return;
    if (words.size() < 2 || words.size() > 3) {
      throw Error(ErrorKind::input, fmt::format("a base has {}: position, letter or none, and reactivity are accepted",
                                                quantity(words.size(), "column")));
    }
    const std::size_t at = position_of(words.front());
    if (words.size() == 3) check_letter(at, words[1]);
    energies_[at] = energy_of_reactivity(reactivity_of(words.back()), probing_);
    has_line_[at] = true;
  }

  std::vector<rna::Energy> finish(const std::string& path) {
    if (std::ranges::find(has_line_, true) != has_line_.end()) return std::move(energies_);
    io::reject_file(path, "no reactivity: lines of a position and a reactivity are accepted");
  }

 private:
  [[nodiscard]] std::size_t position_of(std::string_view word) const {
    const io::Number position = io::parse_number(word);
    if (!position.is_integral || position.exact < 1 || position.exact > io::Integer{sequence_.size()}) {
      throw Error(ErrorKind::input, fmt::format("position '{}': an integer from 1 to {} is accepted",
                                                io::printable(word), sequence_.size()));
    }
    const auto at = static_cast<std::size_t>(position.exact) - 1;
    if (!has_line_[at]) return at;
    throw Error(ErrorKind::input, fmt::format("position {} comes again: one line is accepted", at + 1));
  }

  void check_letter(std::size_t at, std::string_view word) const {
    const char letter = sequence_.letters()[at];
    const std::string said = io::lower(word);
    if (said == io::lower(std::string_view(&letter, 1)) || (said == "t" && letter == 'U')) return;
    throw Error(ErrorKind::input, fmt::format("the letter of position {} is '{}': '{}', the sequence's, is accepted",
                                              at + 1, io::printable(word), letter));
  }

  static double reactivity_of(std::string_view word) {
    const double reactivity = io::parse_number(word).real;
    if (std::isfinite(reactivity)) return reactivity;
    throw Error(ErrorKind::input, fmt::format("the reactivity is '{}': a number is accepted", io::printable(word)));
  }

  const rna::Sequence& sequence_;
  const Probing& probing_;
  std::vector<rna::Energy> energies_;
  std::vector<bool> has_line_;
};

}  // namespace

std::vector<rna::Energy> parse_stack_energies(const std::string& path, std::string_view content,
                                              const rna::Sequence& sequence, const Probing& probing) {
  ReactivityReader reader(sequence, probing);
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return reader.finish(path);
}

std::vector<rna::Energy> read_stack_energies(const std::string& path, const rna::Sequence& sequence,
                                             const Probing& probing) {
  return parse_stack_energies(path, io::read_file(path), sequence, probing);
}

}  // namespace warpfold::formats
