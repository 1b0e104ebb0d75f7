#pragma once

#include <string>
#include <vector>

#include "result.hpp"

/// The frame of the benchmarks. bench/FAMILY/NAME.cpp or NAME.cu defines one Question, which bench_FAMILY NAME answers.
namespace warpfold::bench {

using Arguments = std::vector<std::string>;

/// `measure` gets the arguments after the name and adds the rows of the answer. `line` formats a row for people; null:
/// the row itself is printed.
class Question {
 public:
  using Measure = void (*)(const Arguments& arguments);
  using Line = std::string (*)(const Json& row);

  Question(const char* name, Measure measure, Line line = nullptr);
};

/// Adds a row to the answer and prints its line at once, because a measurement may take minutes.
void keep(Json row);

/// Whether this word is the argument. Raises Error{input} if there is a different argument.
bool is_asked(const Arguments& arguments, const std::string& word);

/// Raises Error{internal} unless the measured result is right.
void require(bool right, const std::string& what);

/// Raises Error{device} if there is no GPU.
void require_gpu();

}  // namespace warpfold::bench
