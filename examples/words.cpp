// Splits a text without blanks into words of a list, and learns how often each word is used (expectation maximization).
// The text and the words are the arguments.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "warpfold/interval/derivatives.hpp"

using warpfold::interval::PrefixSum;
using warpfold::interval::Weight;

template <class S>
struct Words {
  using Semiring = S;
  enum Table : unsigned { word, tables };
  enum PrefixTable : unsigned { text, prefix_tables };
  static constexpr PrefixSum prefix_sums[] = {
      {.left = text, .right = word}};  // words before point i, then a word (i,j)
  const std::string& letters;
  const std::vector<std::string>& words;
  const std::vector<double>& probabilities;

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const auto found = std::find(words.begin(), words.end(), letters.substr(i, j - i));
    add(word, found != words.end() ? Weight(probabilities[found - words.begin()]) : Weight());
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(text, j == 0 ? 1.0 : 0.0);
    add(text, add.prefix(0));
  }
};

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string letters = arguments[1];
  const std::vector<std::string> words(arguments + 2, arguments + count);
  const std::size_t points = letters.size() + 1;
  std::vector<double> probabilities(words.size(), 1);  // of equal words; the first round divides by their sum
  const Words<warpfold::ScaledSum<double>> sums{letters, words, probabilities};
  for (int round = 0; round < 100; ++round) {
    const auto tables = warpfold::interval::solve_grammar(sums, points).solution;
    std::vector<double> uses = warpfold::interval::weight_derivatives(sums, tables, probabilities).solution;
    double all = 0;
    for (std::size_t t = 0; t < words.size(); ++t) all += uses[t] *= probabilities[t];
    for (std::size_t t = 0; t < words.size(); ++t) probabilities[t] = uses[t] < 1e-9 ? 0 : uses[t] / all;
  }
  for (std::size_t t = 0; t < words.size(); ++t) {
    std::cout << words[t] << ' ' << std::setprecision(2) << probabilities[t] << '\n';
  }
  const Words<warpfold::MaxTimes<double>> best{letters, words, probabilities};
  const auto tables = warpfold::interval::solve_grammar(best, points).solution;
  for (const auto& step : warpfold::interval::derivation(best, tables)) {
    if (step.table == best.word) std::cout << letters.substr(step.i, step.j - step.i) << ' ';
  }
  std::cout << '\n';
}
