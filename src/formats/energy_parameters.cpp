#include "warpfold/formats/energy_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "core/quantity.hpp"
#include "formats/words.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

using rna::Energy;
using rna::LoopNumbers;
using rna::no_loop;

constexpr std::string_view first_line = "## RNAfold parameter file v2.0";

/// The sides of a table in the file: 7 kinds of pairs, of which the last is any other pair; 5 bases from N, or 4 from
/// A.
enum Side : std::size_t { four_bases = 4, bases = 5, six_kinds = 6, kinds = 7, loops = rna::max_loop + 1 };

/// A section of numbers that fill one table.
struct Section {
  std::string_view name;
  std::vector<Side> sides;
  Energy* (*table)(LoopNumbers& numbers);

  [[nodiscard]] std::size_t count() const {
    std::size_t product = 1;
    for (const Side side : sides) product *= side;
    return product;
  }
  /// INF says that there is no loop of that size.
  [[nodiscard]] bool may_be_infinite() const { return sides.front() == loops; }
};

template <auto member>
Energy* table_of(LoopNumbers& numbers) {
  return (numbers.*member).values.data();
}

const std::vector<Section>& sections() {
  using N = LoopNumbers;
  static const std::vector<Section> all = {
      {"stack", {kinds, kinds}, table_of<&N::stack>},
      {"mismatch_hairpin", {kinds, bases, bases}, table_of<&N::mismatch_hairpin>},
      {"mismatch_internal", {kinds, bases, bases}, table_of<&N::mismatch_interior>},
      {"mismatch_internal_1n", {kinds, bases, bases}, table_of<&N::mismatch_interior_1n>},
      {"mismatch_internal_23", {kinds, bases, bases}, table_of<&N::mismatch_interior_23>},
      {"mismatch_multi", {kinds, bases, bases}, table_of<&N::mismatch_multi>},
      {"mismatch_exterior", {kinds, bases, bases}, table_of<&N::mismatch_exterior>},
      {"dangle5", {kinds, bases}, table_of<&N::dangle5>},
      {"dangle3", {kinds, bases}, table_of<&N::dangle3>},
      {"int11", {kinds, kinds, bases, bases}, table_of<&N::interior_11>},
      {"int21", {kinds, kinds, bases, bases, bases}, table_of<&N::interior_21>},
      {"int22", {six_kinds, six_kinds, four_bases, four_bases, four_bases, four_bases}, table_of<&N::interior_22>},
      {"hairpin", {loops}, table_of<&N::hairpin>},
      {"bulge", {loops}, table_of<&N::bulge>},
      {"internal", {loops}, table_of<&N::interior>}};
  return all;
}

/// Sections of a few numbers, and those of whole hairpins by their length.
struct Scalars {
  std::string_view name;
  std::size_t count;
};
constexpr std::array<Scalars, 3> scalars = {{{"ML_params", 6}, {"NINIO", 3}, {"Misc", 6}}};
struct Specials {
  std::string_view name;
  std::size_t letters;
};
constexpr std::array<Specials, 3> specials = {{{"Hexaloops", 8}, {"Tetraloops", 6}, {"Triloops", 5}}};

constexpr std::size_t max_words_of_line = 1000;
constexpr std::string_view of_enthalpies = "_enthalpies";

/// Copies the numbers of a section, in the file's order, to its table. Leaves out the kind of all other pairs.
void store(const Section& section, const std::vector<Energy>& numbers, LoopNumbers& target) {
  Energy* table = section.table(target);
  for (std::size_t position = 0; position < numbers.size(); ++position) {
    std::size_t rest = position, place = 0, scale = 1;
    bool is_kept = true;
    for (auto side = section.sides.rbegin(); side != section.sides.rend(); ++side) {
      const std::size_t index = rest % *side;
      rest /= *side;
      is_kept = is_kept && !(*side == kinds && index == six_kinds);
      place += scale * (*side == four_bases ? index + 1 : index);
      scale *= *side == kinds ? std::size_t{six_kinds} : *side == four_bases ? std::size_t{bases} : std::size_t{*side};
    }
    if (is_kept) table[place] = numbers[position];
  }
}

/// Gives N in a 2 x 2 loop the largest energy of the four bases.
void fill_unknown_bases(LoopNumbers& numbers) {
  auto& values = numbers.interior_22.values;
  for (std::size_t stride = 1; stride <= bases * bases * bases; stride *= bases) {
    for (std::size_t place = 0; place < values.size(); ++place) {
      if (place / stride % bases != 0) continue;
      for (std::size_t base = 1; base < bases; ++base) {
        const Energy other = values[place + base * stride];
        values[place] = base == 1 ? other : std::max(values[place], other);
      }
    }
  }
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), all_(rna::rules_1998()) {}

  void read(std::string_view line) {
    const std::string uncommented = without_comments(line);
    const std::string_view text = io::trimmed(uncommented);
    if (text.empty() || has_ended_) return;
    if (!has_begun_) {
      if (text != first_line)
        reject(fmt::format("'{}' is not the first line: '{}' is accepted", io::printable(text), first_line));
      has_begun_ = true;
    } else if (text.starts_with('#')) {
      begin(io::trimmed(text.substr(1)));
    } else {
      read_numbers(text);
    }
  }

  [[nodiscard]] rna::Parameters finish() {
    if (!has_begun_)
      io::reject_file(path_, fmt::format("no numbers: a file that begins with '{}' is accepted", first_line));
    if (!has_ended_)
      io::reject_file(path_, "the last line is not '# END': a file, whole or in part, that ends with it is accepted");
    fill_unknown_bases(all_.at_37);
    fill_unknown_bases(all_.enthalpy);
    const bool is_whole = read_.size() == 2 * sections().size() + scalars.size() + specials.size();
    all_.name = is_whole ? path_ : fmt::format("{} over rules-1998", path_);
    return std::move(all_);
  }

 private:
  [[noreturn]] static void reject(const std::string& what) { throw Error(ErrorKind::input, what); }

  static std::string without_comments(std::string_view line) {
    std::string text(line);
    for (std::size_t first = text.find("/*"); first != std::string::npos; first = text.find("/*")) {
      const std::size_t last = text.find("*/", first);
      text.erase(first, last == std::string::npos ? last : last + 2 - first);
    }
    return text;
  }

  void begin(std::string_view name) {
    end_section();
    name_ = name;
    numbers_.clear();
    if (name == "END") {
      has_ended_ = true;
      return;
    }
    if (!read_.insert(name_).second) reject(fmt::format("section '{}' comes twice: once is accepted", name));
    if (const Specials* list = specials_named(name)) {
      std::erase_if(all_.at_37.special_hairpins, [&](const auto& loop) { return loop.first.size() == list->letters; });
    } else if (!expected_count()) {
      reject(fmt::format("'{}' is no section: stack, mismatch_hairpin, int11, hairpin, ML_params, .. are accepted",
                         io::printable(name)));
    }
  }

  /// The number of numbers of the current section, or nothing if there is no such section.
  [[nodiscard]] std::size_t expected_count() const {
    if (const Section* section = section_named(name_)) return section->count();
    const auto scalar = std::ranges::find(scalars, std::string_view(name_), &Scalars::name);
    return scalar == scalars.end() ? 0 : scalar->count;
  }
  static const Section* section_named(std::string_view name) {
    if (name.ends_with(of_enthalpies)) name.remove_suffix(of_enthalpies.size());
    const auto found = std::ranges::find(sections(), name, &Section::name);
    return found == sections().end() ? nullptr : &*found;
  }
  static const Specials* specials_named(std::string_view name) {
    const auto found = std::ranges::find(specials, name, &Specials::name);
    return found == specials.end() ? nullptr : &*found;
  }

  void read_numbers(std::string_view text) {
    Words words;
    split_at_blanks(text, words, max_words_of_line);
    if (const Specials* list = specials_named(name_)) return read_special(words, *list);
    if (name_.empty()) reject("a number comes before the first section: '# stack' or another name is accepted");
    for (const std::string_view word : words) {
      if (numbers_.size() == expected_count()) reject_count("more numbers");
      numbers_.push_back(name_ == "Misc" && numbers_.size() == 4 ? slope_of(word) : energy_of(word));
    }
  }
  [[noreturn]] void reject_count(const std::string& count) const {
    reject(fmt::format("section '{}' has {}: {} are accepted", name_, count, expected_count()));
  }

  void read_special(const Words& words, const Specials& list) {
    if (words.size() != 3 || words[0].size() != list.letters) {
      reject(fmt::format("a line of '{}' has {}: a loop of {} bases with energy and enthalpy is accepted", list.name,
                         quantity(words.size(), "word"), list.letters));
    }
    const std::string loop = rna::Sequence(words[0]).letters();
    all_.at_37.special_hairpins[loop] = energy_of(words[1]);
    all_.enthalpy.special_hairpins[loop] = energy_of(words[2]);
  }

  [[nodiscard]] Energy energy_of(std::string_view word) const {
    if (word == "DEF") return -50;
    if (word == "NST") return 0;
    const Section* section = section_named(name_);
    if (word == "INF" && section && section->may_be_infinite()) return no_loop;
    Energy value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < -100'000 || value > 100'000) {
      reject(
          fmt::format("'{}' in section '{}': an integer from -100000 to 100000, DEF or, for a size of loops, INF is "
                      "accepted",
                      io::printable(word), name_));
    }
    return value;
  }
  Energy slope_of(std::string_view word) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), all_.log_slope);
    if (error == std::errc() && end == word.data() + word.size() && all_.log_slope >= 0 && all_.log_slope < 1e6)
      return 0;
    reject(fmt::format("'{}' in section 'Misc': a number from 0 on, the slope of long loops, is accepted",
                       io::printable(word)));
  }

  void end_section() {
    if (name_.empty() || specials_named(name_)) return;
    const bool lacks_slope = name_ == "Misc" && numbers_.size() == 4;
    if (numbers_.size() != expected_count() && !lacks_slope) reject_count(quantity(numbers_.size(), "number"));
    if (const Section* section = section_named(name_)) {
      const bool is_enthalpy = std::string_view(name_).ends_with(of_enthalpies);
      return store(*section, numbers_, is_enthalpy ? all_.enthalpy : all_.at_37);
    }
    store_scalars();
  }
  void store_scalars() {
    const auto set = [&](auto member, std::size_t at) {
      (all_.at_37.*member)(0) = numbers_[at];
      (all_.enthalpy.*member)(0) = numbers_[at + 1];
    };
    if (name_ == "ML_params") {
      set(&LoopNumbers::multi_base, 0);
      set(&LoopNumbers::multi_closing, 2);
      set(&LoopNumbers::multi_branch, 4);
    } else if (name_ == "NINIO") {
      set(&LoopNumbers::asymmetry, 0);
      all_.max_asymmetry = numbers_[2];
    } else {
      set(&LoopNumbers::terminal_au, 2);
    }
  }

  const std::string& path_;
  rna::Parameters all_;
  bool has_begun_ = false, has_ended_ = false;
  std::string name_;
  std::vector<Energy> numbers_;
  std::set<std::string> read_;
};

}  // namespace

rna::Parameters parse_energy_parameters(const std::string& path, std::string_view content) {
  Reader reader(path);
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return reader.finish();
}

rna::Parameters read_energy_parameters(const std::string& path) {
  return parse_energy_parameters(path, io::read_file(path));
}

namespace {

/// The file of an installed ViennaRNA for a name such as turner2004, or the name itself: a file of this name goes
/// first. Raises Error{input} for a name without a dot or a slash that neither has.
std::string installed_file(const std::string& name) {
  namespace fs = std::filesystem;
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::error_code none;
  if (name.find_first_of("/.") != std::string::npos || fs::exists(name, none)) return name;
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder).parent_path() / "share" / "ViennaRNA" / ("rna_" + name + ".par");
    if (file.is_absolute() && fs::is_regular_file(file, none)) return file.string();
  }
  const char* const advice = name == "turner2004" ? ". ViennaRNA's Python package writes this set to a file: "
                                                    "RNA.params_save(\"turner2004.par\")"
                                                  : "";
  throw Error(ErrorKind::input,
              fmt::format("{0}: there is no such file, and no ViennaRNA beside a folder of PATH has "
                          "share/ViennaRNA/rna_{0}.par: rules-1998 and a parameter file are accepted{1}",
                          name, advice));
}

}  // namespace

rna::Parameters energy_parameters(const std::string& name) {
  rna::Parameters built_in = rna::rules_1998();
  if (name == built_in.name) return built_in;
  const std::string over = " over " + built_in.name;
  return read_energy_parameters(
      installed_file(name.ends_with(over) ? name.substr(0, name.size() - over.size()) : name));
}

}  // namespace warpfold::formats
