#include "io/unpack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <span>

#include "core/quantity.hpp"
#include "io/inflate.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/npz.hpp"

namespace warpfold::io {

namespace {

constexpr std::size_t max_ratio = 1032;  // the largest ratio of deflate
constexpr std::size_t piece = std::size_t{1} << 20;

/// Appends a piece of what a reader gives. Returns false after the last piece.
template <class Reader>
bool append_piece(std::string& content, Reader& reader) {
  const std::size_t size = content.size();
  content.resize(size + piece);
  const std::size_t count = reader.read(std::span(content).subspan(size));
  content.resize(size + count);
  return count == piece;
}

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
  GzipReader reader(path, source_of(packed));
  while (append_piece(content, reader)) {
  }
  return content;
}

std::string inflate_member(const std::string& path, std::string_view packed, std::size_t size, std::size_t crc) {
  if (size > max_ratio * (packed.size() + 1)) {
    reject_file(path, fmt::format("states {} in {} compressed ones: up to {} times as many are accepted",
                                  quantity(size, "byte"), packed.size(), max_ratio));
  }
  std::string content;
  content.reserve(size + piece);
  Inflater inflater(path, source_of(packed), -15);
  while (content.size() <= size && append_piece(content, inflater)) {
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
