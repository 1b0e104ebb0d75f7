#include "warpfold/rna/sequence.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"

namespace warpfold::rna {

namespace {

constexpr std::string_view alphabet = "NACGU";

char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

}  // namespace

Sequence::Sequence(std::string_view letters) {
  letters_.reserve(letters.size());
  bases_.reserve(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = upper(letters[i]) == 'T' ? 'U' : upper(letters[i]);
    const std::size_t base = alphabet.find(letter);
    if (base == std::string_view::npos) {
      throw Error(ErrorKind::input,
                  fmt::format("base {}, counted from 1, is '{}': A, C, G, U, T and N are accepted", i + 1, letters[i]));
    }
    letters_ += letter;
    bases_.push_back(static_cast<Base>(base));
  }
}

}  // namespace warpfold::rna
