#include "warpfold/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <streambuf>

#include "io/descriptor.hpp"
#include "io/text.hpp"
#include "io/uninterrupted.hpp"
#include "io/unpack.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int number = errno) {
  throw Error(ErrorKind::input, fmt::format("{}: {}: {}", path, what, std::strerror(number)));
}

/// Opens a file. Returns a negative descriptor on failure.
int open_file(const std::string& path, int flags) {
  return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = uninterrupted([=] { return ::write(file, data, size); });
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

/// A stream buffer that writes to a file. It keeps the first error, because a stream only records that there was one.
class FileBuffer final : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  [[nodiscard]] int failure() const { return failure_; }

 protected:
  int overflow(int character) override {
    if (sync() != 0) return traits_type::eof();
    if (character != traits_type::eof()) sputc(static_cast<char>(character));
    return 0;
  }
  int sync() override {
    write(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return failure_ == 0 ? 0 : -1;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    if (size < epptr() - pptr()) return std::streambuf::xsputn(data, size);
    if (sync() != 0) return 0;
    write(data, static_cast<std::size_t>(size));
    return failure_ == 0 ? size : 0;
  }

 private:
  void write(const char* data, std::size_t size) {
    if (failure_ == 0 && !write_all(file_, data, size)) failure_ = errno;
  }

  int file_;
  int failure_ = 0;
  std::array<char, 1 << 16> buffer_;
};

void produce_into(const std::string& path, int file, const std::function<void(std::ostream&)>& produce) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  produce(out);
  out.flush();
  if (buffer.failure() != 0) fail(path, "cannot be written", buffer.failure());
}

/// Waits until the bytes are on the disk. Devices that cannot do this are accepted.
void synchronize(const std::string& path, int file) {
  if (uninterrupted([=] { return ::fsync(file); }) == 0) return;
  if (errno != EINVAL && errno != ENOTSUP && errno != EROFS) fail(path, "cannot be written");
}

/// The unfinished files of this process. `discard_unfinished_files` removes them.
std::mutex unfinished_mutex;
std::set<std::string> unfinished;

/// A new file that replaces `target`, or leaves no trace. Its name is short and unique, even if the target's name is
/// long.
class NewFile {
 public:
  NewFile(const std::string& path, const std::filesystem::path& target)
      : path_(path), target_(target), name_(free_name(target)), file_(open()) {}
  ~NewFile() {
    const std::lock_guard lock(unfinished_mutex);
    if (unfinished.erase(name_) > 0) ::unlink(name_.c_str());
  }

  [[nodiscard]] int descriptor() const { return file_.get(); }

  /// Replaces the target. `old` is the existing file. It keeps its mode. If it has other hard links, its content is
  /// overwritten in place.
  void replace_target(const std::optional<struct stat>& old) {
    if (old) keep_rights(*old);
    synchronize(path_, file_.get());
    const std::lock_guard lock(unfinished_mutex);
    if (old && old->st_nlink > 1) return copy_over_target(old->st_size);
    const auto rename = [this] { return ::rename(name_.c_str(), target_.c_str()); };
    if (!file_.close() || uninterrupted(rename) != 0) fail(path_, "cannot be written");
    unfinished.erase(name_);
  }

 private:
  static std::string free_name(const std::filesystem::path& target) {
    static int count = 0;
    const std::lock_guard lock(unfinished_mutex);
    return (target.parent_path() / fmt::format(".warpfold-{}-{}.partial", getpid(), count++)).string();
  }
  int open() {
    const std::lock_guard lock(unfinished_mutex);
    unfinished.insert(name_);
    ::unlink(name_.c_str());  // left by a process that was killed
    const int file = open_file(name_, O_RDWR | O_CREAT | O_EXCL);
    if (file >= 0) return file;
    unfinished.erase(name_);
    fail(path_, "cannot be written");
  }

  void keep_rights(const struct stat& old) const {
    const bool same_owner = uninterrupted([&] { return ::fchown(file_.get(), old.st_uid, old.st_gid); }) == 0;
    const mode_t mode = old.st_mode & (same_owner ? 07777 : 0777);
    if (uninterrupted([&] { return ::fchmod(file_.get(), mode); }) != 0) fail(path_, "cannot be written");
  }

  /// Overwrites the target in place. It allocates the space first, so that a full disk leaves the old content.
  void copy_over_target(off_t old_size) {
    const Descriptor target(open_file(target_.string(), O_WRONLY));
    const off_t size = ::lseek(file_.get(), 0, SEEK_END);
    if (target.get() < 0 || size < 0 || ::lseek(file_.get(), 0, SEEK_SET) != 0) fail(path_, "cannot be written");
    if (const int refused = take_space(target.get(), size)) {
      cut(target.get(), old_size);  // a part of it may have been allocated
      fail(path_, "cannot be written", refused);
    }
    std::array<char, 1 << 16> buffer;
    while (const std::size_t got = read_some(path_, file_, buffer)) {
      if (!write_all(target.get(), buffer.data(), got)) fail(path_, "cannot be written");
    }
    if (cut(target.get(), size) != 0) fail(path_, "cannot be written");
    synchronize(path_, target.get());
  }

  /// Returns 0, or the error number if the disk has no space.
  static int take_space(int file, off_t size) {
    const auto take = [=] { return as_result({::posix_fallocate(file, 0, size), std::generic_category()}); };
    return size > 0 && uninterrupted(take) != 0 ? errno : 0;
  }
  static int cut(int file, off_t size) {
    return uninterrupted([=] { return ::ftruncate(file, size); });
  }

  const std::string& path_;
  std::filesystem::path target_;
  std::string name_;
  Descriptor file_;
};

/// The status of the file at a path, after all links; nothing if there is no file.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  if (errno != ENOENT) fail(path, "cannot be written");
  return std::nullopt;
}

/// The path of the last link's target. The target need not exist.
std::filesystem::path followed(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path target = path;
  std::error_code failure;
  for (int links = 0; links <= 40; ++links) {
    const fs::file_status status = fs::symlink_status(target, failure);
    if (!fs::status_known(status)) fail(path, "cannot be written", failure.value());
    if (!fs::is_symlink(status)) return target;
    const fs::path next = fs::read_symlink(target, failure);
    if (failure) fail(path, "cannot be written", failure.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  fail(path, "cannot be written", ELOOP);
}

}  // namespace

namespace {

/// The array's name in "FILE.npz:NAME", if there is no file of the complete name; otherwise nothing.
std::string_view member_of(const std::string& path) {
  const std::size_t at = lower(path).find(".npz:");
  std::error_code unseen;
  if (at == path.npos || std::filesystem::exists(path, unseen)) return {};
  return std::string_view(path).substr(at + 5);
}

std::string read_bytes(const std::string& path) {
  const Descriptor file = open_input(path);
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::string content;
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
    content.reserve(static_cast<std::size_t>(status.st_size) + piece);
  }
  while (true) {
    const std::size_t size = content.size();
    content.resize(size + piece);
    const std::size_t got = read_some(path, file, std::span(content).subspan(size));
    content.resize(size + got);
    if (got == 0) return content;
  }
}

}  // namespace

Descriptor open_input(const std::string& path) {
  const bool is_input = path == "-";
  if (static std::atomic<bool> was_read = false; is_input && was_read.exchange(true)) {
    throw Error(ErrorKind::usage, "standard input can be read once: one '-' is accepted");
  }
  Descriptor file(is_input ? ::dup(STDIN_FILENO) : open_file(path, O_RDONLY));
  if (file.get() < 0) fail(path, "cannot be read");
  return file;
}

std::size_t read_some(const std::string& path, const Descriptor& file, std::span<char> to) {
  const ssize_t got = uninterrupted([&] { return ::read(file.get(), to.data(), to.size()); });
  if (got < 0) fail(path, "cannot be read");
  return static_cast<std::size_t>(got);
}

std::string read_file(const std::string& path) {
  const std::string_view member = member_of(path);
  const std::size_t length = member.empty() ? path.size() : path.size() - member.size() - 1;
  return unpacked(path, read_bytes(path.substr(0, length)), member);
}

void check_writable(const std::string& path) {
  const std::optional<struct stat> old = status_of(path);
  if (old && S_ISDIR(old->st_mode)) fail(path, "cannot be written", EISDIR);
  if (old && (::access(path.c_str(), W_OK) != 0 || (S_ISREG(old->st_mode) && (old->st_mode & 0222) == 0))) {
    fail(path, "cannot be written", EACCES);
  }
  if (old && !S_ISREG(old->st_mode)) return;
  const std::filesystem::path folder = followed(path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail(path, "cannot be written");
  const std::string name = followed(path).filename().string();
  if (name.size() > 255) fail(path, "cannot be written", ENAMETOOLONG);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& produce) {
  check_writable(path);
  const std::optional<struct stat> old = status_of(path);
  if (old && !S_ISREG(old->st_mode)) {
    Descriptor file(open_file(path, O_WRONLY));
    if (file.get() < 0) fail(path, "cannot be written");
    produce_into(path, file.get(), produce);
    if (!file.close()) fail(path, "cannot be written");
    return;
  }
  NewFile file(path, followed(path));
  produce_into(path, file.descriptor(), produce);
  file.replace_target(old);
}

void write_file(const std::string& path, std::string_view content) {
  write_file(path,
             [content](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

void discard_unfinished_files() {
  unfinished_mutex.lock();  // never unlocked: no file is begun or finished after this
  for (const std::string& name : unfinished) unlink(name.c_str());
}

std::string extension(const std::string& path) { return lower(std::filesystem::path(path).extension().string()); }

std::string unpacked_extension(const std::string& path) {
  const std::string ending = extension(path);
  return extension(ending == ".gz" ? path.substr(0, path.size() - ending.size()) : path);
}

}  // namespace warpfold::io
