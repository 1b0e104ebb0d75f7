#include "io/unpack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/quantity.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/npz.hpp"

namespace warpfold::io {

namespace {

constexpr std::size_t max_ratio = 1032;  // the largest ratio of deflate
constexpr std::size_t piece = std::size_t{1} << 20;

/// zlib's state while it inflates.
class Inflater {
 public:
  /// `window_bits` has zlib's meaning: 31 for gzip, -15 for raw deflate data.
  Inflater(const std::string& path, std::string_view packed, int window_bits) : path_(path), packed_(packed) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Appends a piece of the content. Returns false after the last piece.
  bool append_to(std::string& content) {
    const std::size_t size = content.size();
    content.resize(size + piece);
    stream_.next_out = reinterpret_cast<Bytef*>(content.data() + size);
    stream_.avail_out = static_cast<uInt>(piece);
    const bool is_ended = step();
    content.erase(size + (piece - stream_.avail_out));
    return !is_ended;
  }

  [[nodiscard]] std::string_view rest() const { return packed_.substr(at_); }
  void begin_next_member() { inflateReset(&stream_); }

 private:
  bool step() {
    while (stream_.avail_out > 0) {
      const auto given = static_cast<uInt>(std::min<std::size_t>(packed_.size() - at_, 1U << 30));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + at_));  // zlib does not write to it
      stream_.avail_in = given;
      const int state = inflate(&stream_, Z_NO_FLUSH);
      at_ += given - stream_.avail_in;
      if (state == Z_STREAM_END) return true;
      if (state == Z_BUF_ERROR || (state == Z_OK && at_ == packed_.size() && stream_.avail_out > 0)) {
        reject_file(path_, "its compressed data are truncated: a whole file is accepted");
      }
      if (state == Z_MEM_ERROR) throw std::bad_alloc();
      if (state != Z_OK) {
        reject_file(path_, fmt::format("its compressed data are damaged ({}): a file as gzip wrote it is accepted",
                                       stream_.msg ? stream_.msg : "no reason given"));
      }
    }
    return false;
  }

  const std::string& path_;
  std::string_view packed_;
  std::size_t at_ = 0;
  z_stream stream_{};
};

/// The last four bytes state the content's size, modulo 2^32.
std::size_t stated_size(std::string_view packed) {
  std::size_t size = 0;
  for (std::size_t i = 1; i <= 4; ++i) size = size << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  return std::min(size, max_ratio * packed.size());
}

std::string array_of(const std::string& path, const Npz& archive, std::string_view member) {
  if (archive.names().empty()) {
    reject_file(path, "is a zip archive without .npy files: what it holds, unpacked, is accepted");
  }
  const std::string only = archive.names().size() == 1 ? archive.names().front() : "";
  const std::string name = member.empty() ? only : std::string(member);
  if (archive.contains(name)) return archive.content(name);
  const std::string file = member.empty() ? path : path.substr(0, path.size() - member.size() - 1);
  reject_file(file, fmt::format("{}: the array's name, {}:{}, is accepted; it has {}",
                                member.empty() ? "has several arrays" : fmt::format("has no array '{}'", member), file,
                                archive.names().front(), fmt::join(archive.names(), ", ")));
}

}  // namespace

bool is_gzip(std::string_view content) { return content.starts_with("\x1f\x8b"); }

bool is_zip(std::string_view content) {
  using namespace std::string_view_literals;
  return content.starts_with("PK\x03\x04"sv) || content.starts_with("PK\x05\x06"sv);
}

std::string gunzip(const std::string& path, std::string_view packed) {
  if (packed.size() < 18) reject_file(path, "its compressed data are truncated: a whole file is accepted");
  std::string content;
  content.reserve(stated_size(packed) + piece);
  Inflater inflater(path, packed, 31);
  while (true) {
    while (inflater.append_to(content)) {
    }
    if (inflater.rest().empty()) return content;
    if (!is_gzip(inflater.rest())) {
      reject_file(
          path, fmt::format("has {} after its gzip data: none are accepted", quantity(inflater.rest().size(), "byte")));
    }
    inflater.begin_next_member();
  }
}

std::string inflate_member(const std::string& path, std::string_view packed, std::size_t size, std::size_t crc) {
  if (size > max_ratio * (packed.size() + 1)) {
    reject_file(path, fmt::format("states {} in {} compressed ones: up to {} times as many are accepted",
                                  quantity(size, "byte"), packed.size(), max_ratio));
  }
  std::string content;
  content.reserve(size + piece);
  Inflater inflater(path, packed, -15);
  while (content.size() <= size && inflater.append_to(content)) {
  }
  if (content.size() != size || !inflater.rest().empty()) {
    reject_file(path, fmt::format("its compressed data do not hold the {} stated: a file as it was written is accepted",
                                  quantity(size, "byte")));
  }
  check_crc(path, content, crc);
  return content;
}

void check_crc(const std::string& path, std::span<const char> content, std::size_t crc) {
  const auto* bytes = reinterpret_cast<const Bytef*>(content.data());
  if (crc32_z(0, bytes, content.size()) == crc) return;
  reject_file(path, "its data are damaged: the checksum is that of others");
}

std::string unpacked(const std::string& path, std::string bytes, std::string_view member) {
  if (is_gzip(bytes)) bytes = gunzip(path, bytes);
  if (is_zip(bytes)) {
    const Npz archive(path, bytes);
    if (!archive.is_sparse() || !member.empty()) return array_of(path, archive, member);
  } else if (!member.empty()) {
    reject_file(path, fmt::format("is no .npz archive, which could hold an array '{}': one is accepted", member));
  }
  return bytes;
}

}  // namespace warpfold::io
