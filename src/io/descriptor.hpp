#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "io/uninterrupted.hpp"

namespace warpfold::io {

/// An open file, closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int get() const { return number_; }
  /// Closes the file. On network file systems this reports write errors. An interrupted close has closed the file too.
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR; }

 private:
  int number_;
};

/// Opens a file for reading. "-" is standard input, which can be opened once. Raises what `read_file` raises.
[[nodiscard]] Descriptor open_input(const std::string& path);

/// Reads up to to.size() bytes and returns their number, 0 at the end. Raises Error{input} that names the file.
[[nodiscard]] std::size_t read_some(const std::string& path, const Descriptor& file, std::span<char> to);

}  // namespace warpfold::io
