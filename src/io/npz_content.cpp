#include <zlib.h>

#include <algorithm>
#include <limits>

#include "io/npy_entries.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/npz.hpp"

namespace warpfold::io {

namespace {

/// The fields of a zip archive are little-endian integers of 2 or 4 bytes.
struct Field {
  std::uint64_t value;
  std::size_t bytes;
};

std::string fields(std::initializer_list<Field> list) {
  std::string text;
  for (const auto& [value, bytes] : list) {
    for (std::size_t t = 0; t < bytes; ++t) text += static_cast<char>(value >> 8 * t & 255);
  }
  return text;
}

template <class T>
std::string npy_content(std::string_view descr, std::span<const T> values, const std::vector<std::size_t>& shape) {
  std::size_t entries = 1;
  for (const std::size_t extent : shape) entries *= extent;
  if (entries != values.size()) throw Error(ErrorKind::usage, "an array has another number of values than its shape");
  std::string content = npy_header(descr, shape);
  for (const T value : values) {
    const T turned = little_endian(value);
    content.append(reinterpret_cast<const char*>(&turned), sizeof(T));
  }
  return content;
}

}  // namespace

void NpzContent::add(std::string_view name, std::span<const double> values, const std::vector<std::size_t>& shape) {
  add_member(name, npy_content("<f8", values, shape));
}
void NpzContent::add(std::string_view name, std::span<const std::int64_t> values,
                     const std::vector<std::size_t>& shape) {
  add_member(name, npy_content("<i8", values, shape));
}
void NpzContent::add(std::string_view name, std::string_view text) {
  add_member(name, npy_header("|S" + std::to_string(text.size()), {}) + std::string(text));
}

void NpzContent::add_member(std::string_view name, const std::string& content) {
  const std::string file = std::string(name) + ".npy";
  const auto* first = reinterpret_cast<const Bytef*>(content.data());
  const std::uint64_t crc = crc32_z(0, first, content.size());
  constexpr std::uint64_t version = 20, first_of_1980 = 1 << 5 | 1;
  // version, flags, method (stored), time, date, checksum, both sizes, length of the name, no extra field
  const std::string common = fields({{version, 2},
                                     {0, 2},
                                     {0, 2},
                                     {0, 2},
                                     {first_of_1980, 2},
                                     {crc, 4},
                                     {content.size(), 4},
                                     {content.size(), 4},
                                     {file.size(), 2},
                                     {0, 2}});
  // then in the directory: no comment, disk 0, attributes, and the place of the member
  directory_ += "PK\x01\x02" + fields({{version, 2}}) + common +
                fields({{0, 2}, {0, 2}, {0, 2}, {0, 4}, {members_.size(), 4}}) + file;
  members_ += "PK\x03\x04" + common + file + content;
  ++count_;
}

std::string NpzContent::bytes() const {
  if (members_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::overflow, "the arrays of a .npz file take more than 4 GB");
  }
  return members_ + directory_ + "PK\x05\x06" +
         fields({{0, 2}, {0, 2}, {count_, 2}, {count_, 2}, {directory_.size(), 4}, {members_.size(), 4}, {0, 2}});
}

}  // namespace warpfold::io
