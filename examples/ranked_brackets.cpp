// The cheapest ways to mend a text of two kinds of brackets, ( ) and [ ], by changing letters. The text is the
// argument.
#include <cstdint>
#include <iostream>
#include <string>

#include "warpfold/interval/ranked.hpp"

using warpfold::interval::Product;

bool opens(char letter) { return letter == '(' || letter == '['; }
bool is_round(char letter) { return letter == '(' || letter == ')'; }

// Point i stands before letter i: interval (i,j) is the letters i .. j-1.
struct Brackets {
  using Semiring = warpfold::MinPlus<std::int32_t>;
  enum Table : unsigned { pair, all, tables };
  static constexpr Product products[] = {{.left = all, .right = pair}};
  std::string text;

  // How many of two letters have to change, so that they are a pair.
  static std::int32_t changes(char first, char last) {
    if (opens(first) && !opens(last)) return is_round(first) == is_round(last) ? 0 : 1;
    return opens(first) || !opens(last) ? 1 : 2;
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const std::int32_t cost = j - i >= 2 ? changes(text[i], text[j - 1]) : Semiring::zero();
    add(pair, j == i + 2 ? cost : Semiring::zero());
    add(pair, cost, add.inside(all, 1, 1));
    add(all, add.here(pair));
    add(all, add.product(0));  // the last pair begins in the middle
  }
};

int main(int count, char** arguments) {
  const Brackets brackets{count > 1 ? arguments[1] : "([)](]"};
  const auto tables = warpfold::interval::solve_grammar(brackets, brackets.text.size() + 1).solution;
  for (const auto& [changes, steps] : warpfold::interval::best_derivations(brackets, tables, 4)) {
    std::string mended = brackets.text;
    for (const auto& step : steps) {
      if (step.table != brackets.pair) continue;
      char &first = mended[step.i], &last = mended[step.j - 1];
      const bool round = is_round(opens(first) ? first : last);
      first = round ? '(' : '[', last = round ? ')' : ']';
    }
    std::cout << mended << ' ' << changes << " changes\n";
  }
}
