#include "warpfold/io/stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>

#include "io/text.hpp"
#include "io/uninterrupted.hpp"

namespace warpfold::io {

namespace {

/// A file that zlib reads, plain or gzip.
class PackedFile {
 public:
  explicit PackedFile(const std::string& path) : path_(path) {
    const int file =
        path == "-" ? ::dup(STDIN_FILENO) : uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (file < 0) reject_file(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
    file_ = gzdopen(file, "r");
    if (file_ != nullptr) return;
    ::close(file);
    throw std::bad_alloc();
  }
  ~PackedFile() { gzclose_r(file_); }
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  [[nodiscard]] std::size_t read(std::span<char> to) {
    const int count = gzread(file_, to.data(), static_cast<unsigned>(to.size()));
    const int system_error = errno;
    int state = Z_OK;
    const char* reason = gzerror(file_, &state);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_BUF_ERROR) reject_file(path_, "its compressed data are truncated: a whole file is accepted");
    if (state == Z_ERRNO) reject_file(path_, fmt::format("cannot be read: {}", std::strerror(system_error)));
    if (count < 0) {
      reject_file(path_,
                  fmt::format("its compressed data are damaged ({}): a file as gzip wrote it is accepted", reason));
    }
    return static_cast<std::size_t>(count);
  }

 private:
  const std::string& path_;
  gzFile file_ = nullptr;
};

}  // namespace

void read_pieces(const std::string& path, const std::function<void(std::string_view)>& consume) {
  PackedFile file(path);
  std::array<char, 1 << 16> piece;
  while (const std::size_t count = file.read(piece)) consume({piece.data(), count});
}

}  // namespace warpfold::io
