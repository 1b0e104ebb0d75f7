// One program per family: bench_FAMILY NAME [--json] [ARGUMENT]... measures the answer of one question. With --json it
// writes the file for results/<machine>/ to standard output at the end, and the lines to standard error. If another
// program such as mpirun starts it, WARPFOLD_LAUNCHER has that program's command line for the file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "question.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::bench {
namespace {

struct Answering {
  Question::Measure measure;
  Question::Line line;
};

/// In a function, because questions in several files are constructed before main, in no particular order.
std::map<std::string, Answering>& questions() {
  static std::map<std::string, Answering> all;
  return all;
}

struct Answer {
  std::string command;
  bool json = false;
  Question::Line line = nullptr;
  std::vector<Json> rows = {};
};
Answer answer;

/// The command line as typed, without the folders of files.
std::string command_of(const std::vector<std::string>& words) {
  const char* launcher = std::getenv("WARPFOLD_LAUNCHER");
  std::string command = launcher ? launcher : "";
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    const bool is_one_word = word.find(' ') == std::string::npos;
    command += is_one_word ? std::filesystem::path(word).filename().string() : '"' + word + '"';
  }
  return command;
}

int run(const std::vector<std::string>& words) {
  const auto asked = words.size() > 1 ? questions().find(words[1]) : questions().end();
  if (asked == questions().end()) {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : questions()) names.push_back(name);
    fmt::print(stderr, "usage: {} {} [--json] [ARGUMENT]...\n", words[0], fmt::join(names, "|"));
    return 2;
  }
  Arguments arguments(words.begin() + 2, words.end());
  const bool json = std::erase(arguments, "--json") > 0;
  answer = {command_of(words), json, asked->second.line};
  asked->second.measure(arguments);
  // With several ranks, one of them has rows.
  if (answer.json && !answer.rows.empty()) {
    fmt::print("{}\n", file(answer.command, std::move(answer.rows)).dump(1));
  }
  return 0;
}

}  // namespace

Question::Question(const char* name, Measure measure, Line line) { questions()[name] = {measure, line}; }

void keep(Json row) {
  std::FILE* const to = answer.json ? stderr : stdout;
  fmt::print(to, "{}\n", answer.line ? answer.line(row) : row.dump());
  std::fflush(to);
  answer.rows.push_back(std::move(row));
}

bool is_asked(const Arguments& arguments, const std::string& word) {
  for (const std::string& given : arguments) {
    if (given != word) throw Error(ErrorKind::input, fmt::format("'{}' is no argument here: {} is", given, word));
  }
  return !arguments.empty();
}

void require(bool right, const std::string& what) {
  if (!right) throw Error(ErrorKind::internal, what);
}

void require_gpu() {
  if (gpus().empty()) throw Error(ErrorKind::device, "no GPU here (or CUDA is not compiled): nothing was measured");
}

}  // namespace warpfold::bench

int main(int argc, char** argv) try {
  return warpfold::bench::run({argv, argv + argc});
} catch (const std::exception& error) {
  fmt::print(stderr, "bench: error: {}\n", error.what());
  return 1;
}
