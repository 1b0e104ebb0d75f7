#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "arguments.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

void require_extension(const std::string& option, const std::string& path, const std::string& ending,
                       const std::string& otherwise) {
  if (path.empty() || io::extension(path) == ending) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is '{}': a name that ends in {} is accepted{}", option, path, ending, otherwise));
}

namespace {

/// How many options name this file.
std::ptrdiff_t times_named(const std::filesystem::path& file) {
  const std::vector<std::string>& words = given_words();
  return std::count_if(words.begin(), words.end(), [&](const std::string& word) {
    std::error_code other;  // an error means that the files differ
    return std::filesystem::equivalent(word, file, other);
  });
}

}  // namespace

void check_outputs(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    io::check_writable(path);
    std::error_code unseen;  // the parent of a device is not checked
    if (fs::exists(path, unseen) && !fs::is_regular_file(path, unseen)) continue;
    if (!files.insert(fs::weakly_canonical(fs::absolute(path, unseen), unseen)).second) {
      throw Error(ErrorKind::usage, fmt::format("'{}' is named for two outputs: a file for each is accepted", path));
    }
    if (times_named(path) > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' is named twice, and would be written over: another file is accepted", path));
    }
  }
}

void leave_unwritten(const std::string& path, const std::string& reason) {
  namespace fs = std::filesystem;
  if (path.empty() || io::extension(path) == ".json") return;
  std::error_code unseen, failure;  // what is no regular file stays
  const bool is_removed = fs::is_regular_file(path, unseen) && fs::remove(path, failure);
  if (failure) {
    throw Error(ErrorKind::input, fmt::format("{}: cannot be removed: {}", path, failure.message()));
  }
  add_note(fmt::format("{} is {}: {}", path, is_removed ? "removed, and not written" : "not written", reason));
}

}  // namespace warpfold::app
