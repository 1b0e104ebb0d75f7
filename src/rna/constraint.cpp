#include "rna/constraint.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"

namespace warpfold::rna {

namespace {

[[noreturn]] void reject(std::size_t position, char character, const char* why) {
  throw Error(ErrorKind::input,
              fmt::format("position {} of the constraint, counted from 1, is '{}'{}: . x | < > and matching brackets ( "
                          ") are accepted",
                          position + 1, character, why));
}

}  // namespace

Constraint::Constraint(const Sequence& sequence, std::string_view text) {
  if (text.empty()) return;
  if (text.size() != sequence.size()) {
    throw Error(ErrorKind::input, fmt::format("the constraint has {} positions: {}, one for each base, are accepted",
                                              text.size(), sequence.size()));
  }
  places_.resize(text.size());
  forced_.assign(text.size() + 1, 0);
  std::vector<std::size_t> open;
  for (std::size_t j = 0; j < text.size(); ++j) {
    const char is = text[j];
    forced_[j + 1] = forced_[j] + (is == '.' || is == 'x' ? 0 : 1);
    ConstraintPlace& place = places_[j];
    place.opens = is == '.' || is == '|' || is == '<' || is == '(';
    place.closes = is == '.' || is == '|' || is == '>' || is == ')';
    if (is == '(') {
      open.push_back(j);
    } else if (is == ')') {
      if (open.empty()) reject(j, is, " without '('");
      const std::size_t i = open.back();
      open.pop_back();
      if (j < i + 4 || pair_kind(sequence[i], sequence[j]) == pair_kinds) {
        throw Error(
            ErrorKind::input,
            fmt::format(
                "the constraint pairs bases {} and {}, counted from 1, {} and {}: CG, GC, GU, UG, AU and UA around at "
                "least 3 bases are accepted",
                i + 1, j + 1, sequence.letters()[i], sequence.letters()[j]));
      }
      places_[i].partner = places_[j].partner = i + 1;
    } else if (std::string_view(".x|<>").find(is) == std::string_view::npos) {
      reject(j, is, "");
    }
  }
  if (!open.empty()) reject(open.back(), '(', " without ')'");
}

}  // namespace warpfold::rna
