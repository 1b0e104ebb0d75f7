// The most probable parse of a sentence under a grammar in Chomsky normal form (Cocke, Younger and Kasami), and the
// number of its parses, and how probable each place is (inside-outside). Words on standard input.
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "warpfold/interval/marginals.hpp"

using warpfold::interval::Product;

enum Symbol : unsigned { noun, verb, preposition, determiner, noun_phrase, verb_phrase, place, sentence, symbols };

// The rules that join two symbols, with their probabilities.
constexpr struct {
  Symbol whole, left, right;
  double probability;
} rules[] = {{sentence, noun_phrase, verb_phrase, 1}, {verb_phrase, verb, noun_phrase, 0.6},
             {verb_phrase, verb_phrase, place, 0.4},  {noun_phrase, determiner, noun, 0.7},
             {noun_phrase, noun_phrase, place, 0.2},  {place, preposition, noun_phrase, 1}};

constexpr struct {
  const char* word;
  Symbol symbol;
  double probability;
} words[] = {{"I", noun_phrase, 0.1}, {"saw", verb, 1},           {"the", determiner, 0.5},
             {"a", determiner, 0.5},  {"man", noun, 0.4},         {"telescope", noun, 0.3},
             {"hill", noun, 0.3},     {"with", preposition, 0.5}, {"on", preposition, 0.5}};

template <class S>
struct Parser {
  using Semiring = S;
  using Value = typename S::Value;
  enum Table : unsigned { tables = symbols };
  static constexpr unsigned start = sentence;
  static constexpr Product products[] = {{noun_phrase, verb_phrase}, {verb, noun_phrase},  {verb_phrase, place},
                                         {determiner, noun},         {noun_phrase, place}, {preposition, noun_phrase}};
  std::vector<std::string> text;
  bool counts;

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    for (unsigned symbol = 0; symbol < symbols; ++symbol) {
      for (const auto& word : words) {
        if (word.symbol != symbol) continue;
        const bool is_here = j == i + 1 && text[i] == word.word;
        add(symbol, is_here ? Value(counts ? 1 : word.probability) : S::zero());
      }
      for (unsigned rule = 0; rule < std::size(rules); ++rule) {
        if (rules[rule].whole == symbol) add(symbol, Value(counts ? 1 : rules[rule].probability), add.product(rule));
      }
    }
  }
};

int main() {
  const std::vector<std::string> text(std::istream_iterator<std::string>(std::cin), {});
  const Parser<warpfold::Counting<double>> all{text, true};
  std::cout << warpfold::interval::solve_grammar(all, text.size() + 1).solution.value() << " parses\n";
  const Parser<warpfold::MaxTimes<double>> best{text, false};
  const auto tables = warpfold::interval::solve_grammar(best, text.size() + 1).solution;
  std::cout << "the best has the probability " << tables.value() << '\n';
  const auto print = [&](std::size_t i, std::size_t j) {
    for (std::size_t at = i; at < j; ++at) std::cout << text[at] << ' ';
  };
  for (const auto& step : warpfold::interval::derivation(best, tables)) {
    if (step.table != place) continue;
    print(step.i, step.j);
    std::cout << "is a place\n";
  }
  const Parser<warpfold::ScaledSum<double>> sum{text, false};
  const auto sums = warpfold::interval::solve_grammar(sum, text.size() + 1).solution;
  const auto places = warpfold::interval::marginals(sum, sums, place).solution;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (std::size_t j = i + 1; j <= text.size(); ++j) {
      if (places.value(i, j) == 0) continue;
      print(i, j);
      std::cout << "is a place with probability " << places.value(i, j) << '\n';
    }
  }
}
