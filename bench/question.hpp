#pragma once

#include <string>
#include <vector>

#include "result.hpp"

/// The frame of the benchmarks: bench/FAMILY/NAME.cpp or NAME.cu defines one Question, which bench_FAMILY NAME answers.
namespace warpfold::bench {

using Arguments = std::vector<std::string>;

/// `measure` gets the arguments behind the name and keeps the rows of the answer. `line` is what a reader sees of a
/// row; without any it is the row as it is.
class Question {
 public:
  using Measure = void (*)(const Arguments& arguments);
  using Line = std::string (*)(const Json& row);

  Question(const char* name, Measure measure, Line line = nullptr);
};

/// Takes a row of the answer, and prints its line at once: what is measured may take minutes.
void keep(Json row);

/// Whether this word is the argument; raises Error{input} where there is another.
bool is_asked(const Arguments& arguments, const std::string& word);

/// What was measured has to be right: raises Error{internal} otherwise.
void require(bool right, const std::string& what);

/// Raises Error{device} where there is no GPU.
void require_gpu();

}  // namespace warpfold::bench
