#include <fmt/format.h>

#include <limits>

#include "core/quantity.hpp"
#include "io/decimal.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/rna_structures.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

[[noreturn]] void reject_structure(const std::string& what) { throw Error(ErrorKind::input, what); }

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = io::trimmed(line); !line.empty(); line = io::trimmed(line)) {
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
  return words;
}

std::size_t count_of(std::string_view word, std::size_t most) {
  const auto number = io::parse_decimal(word);
  if (!number || number->places != 0 || number->digits < 0 || number->digits > io::Integer{most}) {
    reject_structure(fmt::format("'{}' is no integer from 0 to {}", io::printable(word), most));
  }
  return static_cast<std::size_t>(number->digits);
}

/// An energy in kcal/mol as an integer in 0.01 kcal/mol.
rna::Energy energy_of(std::string_view word) {
  const auto number = io::parse_decimal(word);
  const auto units = number ? io::in_units(*number, 2) : std::nullopt;
  constexpr std::int64_t most = std::numeric_limits<rna::Energy>::max();
  if (units && *units >= -most && *units <= most) return static_cast<rna::Energy>(*units);
  reject_structure(
      fmt::format("the energy is '{}': a number of up to two decimal places is accepted", io::printable(word)));
}

/// Brackets for a list that has for each base its partner from 1, or 0.
std::string brackets_of(const std::vector<std::size_t>& partners) {
  std::string structure(partners.size(), '.');
  std::vector<std::size_t> open;
  for (std::size_t t = 1; t <= partners.size(); ++t) {
    const std::size_t partner = partners[t - 1];
    if (partner == 0) continue;
    if (partner > partners.size() || partner == t || partners[partner - 1] != t) {
      reject_structure(fmt::format("base {} pairs with {}, which does not pair with it", t, partner));
    }
    if (partner > t) {
      open.push_back(t);
      structure[t - 1] = '(';
    } else if (open.back() != partner) {
      reject_structure(fmt::format("the pairs {}, {} and {}, {} cross: pairs that nest are accepted", partner, t,
                                   open.back(), partners[open.back() - 1]));
    } else {
      open.pop_back();
      structure[t - 1] = ')';
    }
  }
  return structure;
}

/// A reader of lines: `read` takes one, `finish` ends the last structure.
class StructureReader {
 public:
  virtual ~StructureReader() = default;
  virtual void read(std::string_view line) = 0;
  virtual void finish() = 0;
  [[nodiscard]] std::vector<RnaStructure> take() { return std::move(found_); }

 protected:
  void add_table(const std::string& name, std::optional<rna::Energy> energy) {
    found_.push_back({{name, rna::Sequence(letters_)}, brackets_of(partners_), energy});
    letters_.clear();
    partners_.clear();
  }
  void add_base(std::string_view number, std::string_view letter, std::string_view partner, std::size_t most) {
    if (count_of(number, most) != letters_.size() + 1) {
      reject_structure(fmt::format("base {} comes after base {}", io::printable(number), letters_.size()));
    }
    if (letter.size() != 1) reject_structure(fmt::format("'{}' is no letter", io::printable(letter)));
    letters_ += letter;
    partners_.push_back(count_of(partner, most));
  }

  std::vector<RnaStructure> found_;
  std::string letters_;
  std::vector<std::size_t> partners_;
};

class CtReader final : public StructureReader {
 public:
  void read(std::string_view line) override {
    const auto words = columns_of(line);
    if (words.empty() || words[0].starts_with('#')) return;
    if (left_ == 0) return begin(line, words);
    if (words.size() < 6)
      reject_structure(fmt::format("a base has {}: 6 are accepted", quantity(words.size(), "column")));
    add_base(words[0], words[1], words[4], size_);
    if (--left_ == 0) add_table(name_, energy_);
  }
  void finish() override {
    if (left_ > 0) reject_structure(fmt::format("the table ends {} bases before its header's {}", left_, size_));
  }

 private:
  void begin(std::string_view line, std::vector<std::string_view> words) {
    size_ = left_ = count_of(words[0], std::numeric_limits<std::uint32_t>::max());
    energy_.reset();
    std::size_t name = 1;
    if (words.size() >= 4 && io::lower(words[1]) == "energy" && words[2] == "=") {
      energy_ = energy_of(words[3]);
      name = 4;
    }
    name_ = words.size() > name ? std::string(io::trimmed(line.substr(words[name].data() - line.data()))) : "";
    if (left_ == 0) add_table(name_, energy_);
  }

  std::size_t size_ = 0, left_ = 0;
  std::string name_;
  std::optional<rna::Energy> energy_;
};

class BpseqReader final : public StructureReader {
 public:
  void read(std::string_view line) override {
    const auto words = columns_of(line);
    if (words.empty() || words[0].starts_with('#')) return;
    if (words.size() != 3)
      reject_structure(fmt::format("a base has {}: 3 are accepted", quantity(words.size(), "column")));
    add_base(words[0], words[1], words[2], std::numeric_limits<std::uint32_t>::max());
  }
  void finish() override { add_table("", {}); }
};

class DotBracketReader final : public StructureReader {
 public:
  void read(std::string_view line) override {
    line = io::trimmed(line);
    if (line.empty()) return;
    if (line.starts_with('>')) {
      finish();
      const std::string_view name = io::trimmed(line.substr(1));
      name_ = name.substr(0, name.find_first_of(" \t"));
      has_structure_ = false;
    } else if (std::string_view(".(),|{}[]").find(line[0]) == std::string_view::npos) {
      finish();
      letters_ = rna::Sequence(line).letters();
    } else if (!letters_.empty()) {
      add(line);
    } else if (!has_structure_) {
      reject_structure("a structure stands before its sequence");
    }
  }
  void finish() override {
    if (!letters_.empty()) reject_structure(fmt::format("sequence '{}' has no structure", io::printable(name_)));
  }

 private:
  void add(std::string_view line) {
    const std::string_view structure = line.substr(0, line.find_first_of(" \t"));
    if (structure.size() != letters_.size()) {
      reject_structure(fmt::format("the structure has {} positions: {}, one for each base, are accepted",
                                   structure.size(), letters_.size()));
    }
    static_cast<void>(rna::pairs_of(structure));
    found_.push_back({{name_, rna::Sequence(letters_)}, std::string(structure), energy_after(line, structure.size())});
    letters_.clear();
    name_.clear();
    has_structure_ = true;
  }
  static std::optional<rna::Energy> energy_after(std::string_view line, std::size_t structure) {
    const std::string_view rest = io::trimmed(line.substr(structure));
    if (rest.empty()) return {};
    if (!rest.starts_with('(') || !rest.ends_with(')')) {
      reject_structure(
          fmt::format("'{}' stands after the structure: an energy in brackets is accepted", io::printable(rest)));
    }
    return energy_of(io::trimmed(rest.substr(1, rest.size() - 2)));
  }

  std::string name_;
  bool has_structure_ = false;  ///< whether further structures of the record may come
};

std::vector<RnaStructure> read_by(StructureReader&& reader, const std::string& path, std::string_view content) {
  io::each_line(path, content, [&](std::string_view line) { reader.read(line); });
  return io::with_file_context(path, [&] {
    reader.finish();
    auto found = reader.take();
    if (found.empty()) reject_structure("no structure: at least one is accepted");
    return found;
  });
}

}  // namespace

std::vector<RnaStructure> parse_rna_structures(const std::string& path, std::string_view content) {
  const std::string ending = io::extension(path);
  if (ending == ".ct") return read_by(CtReader(), path, content);
  if (ending == ".bpseq") return read_by(BpseqReader(), path, content);
  return read_by(DotBracketReader(), path, content);
}

std::vector<RnaStructure> read_rna_structures(const std::string& path) {
  return parse_rna_structures(path, io::read_file(path));
}

}  // namespace warpfold::formats
