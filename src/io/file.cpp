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

#include "warpfold/core/error.hpp"

namespace warpfold::io {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

void produce_into(const std::string& path, const std::string& name, const std::function<void(std::ostream&)>& produce) {
  std::ofstream out(name, std::ios::binary);
  if (!out) fail(path, "cannot be opened for writing");
  produce(out);
  out.flush();
  if (!out) fail(path, "cannot be written");
}

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
  if (fs::exists(path) && !fs::is_regular_file(path)) return produce_into(path, path, produce);
  const fs::path target = fs::is_symlink(path) ? fs::canonical(path) : fs::path(path);
  const std::string partial = fmt::format("{}.{}.partial", target.string(), getpid());
  try {
    produce_into(path, partial, produce);
    std::error_code error;
    fs::rename(partial, target, error);
    if (error) throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}", path, error.message()));
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
}

void write_file(const std::string& path, std::string_view content) {
  write_file(path,
             [content](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

std::string extension(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace warpfold::io
