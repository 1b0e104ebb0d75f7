#include "warpfold/io/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <set>

#include "warpfold/core/error.hpp"

namespace warpfold::io {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

void produce_into(const std::string& path, std::ofstream& out, const std::function<void(std::ostream&)>& produce) {
  if (!out) fail(path, "cannot be opened for writing");
  produce(out);
  out.flush();
  if (!out) fail(path, "cannot be written");
}

/// The new files that stand beside their targets, while nobody discards them.
std::mutex unfinished_mutex;
std::set<std::string> unfinished;

/// A new file that replaces `target`, or leaves no trace.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& target)
      : target_(target), name_(fmt::format("{}.{}.partial", target.string(), getpid())) {
    const std::lock_guard lock(unfinished_mutex);
    unfinished.insert(name_);
    out_.open(name_, std::ios::binary);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    const std::lock_guard lock(unfinished_mutex);
    std::error_code ignored;
    if (unfinished.erase(name_) > 0) std::filesystem::remove(name_, ignored);
  }

  [[nodiscard]] std::ofstream& out() { return out_; }

  /// Raises std::filesystem::filesystem_error.
  void replace_target() {
    out_.close();
    const std::lock_guard lock(unfinished_mutex);
    std::filesystem::rename(name_, target_);
    unfinished.erase(name_);
  }

 private:
  std::filesystem::path target_;
  std::string name_;
  std::ofstream out_;
};

}  // namespace

std::string read_file(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  errno = 0;
  if (std::filesystem::is_directory(path)) errno = EISDIR;
  std::ifstream in(path, std::ios::binary);
  if (errno == EISDIR || !in) fail(path, "cannot be read");
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) fail(path, "cannot be read");
  return content;
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& produce) {
  namespace fs = std::filesystem;
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    std::ofstream out(path, std::ios::binary);
    return produce_into(path, out, produce);
  }
  NewFile file(fs::is_symlink(path) ? fs::canonical(path) : fs::path(path));
  produce_into(path, file.out(), produce);
  try {
    file.replace_target();
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}", path, error.code().message()));
  }
}

void write_file(const std::string& path, std::string_view content) {
  write_file(path,
             [content](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

void discard_unfinished_files() {
  unfinished_mutex.lock();  // for good: no file is begun or finished after this
  for (const std::string& name : unfinished) unlink(name.c_str());
}

std::string extension(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace warpfold::io
