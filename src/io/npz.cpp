#include "warpfold/io/npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "io/unpack.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {

namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t in_64_bits = 0xffffffff;  // the value of a 32-bit field that refers to a 64-bit field
constexpr std::size_t end_bytes = 22, end_64_bytes = 56, locator_bytes = 20, entry_bytes = 46, header_bytes = 30;

}  // namespace

Npz::Npz(std::string path, std::string_view bytes) : path_(std::move(path)), bytes_(bytes) { read_directory(); }

/// An integer of the archive, in little-endian order.
std::uint64_t Npz::number_at(std::uint64_t at, std::size_t size) const {
  if (at > bytes_.size() || bytes_.size() - at < size)
    reject_file(path_, "is a truncated zip archive: a whole one is accepted");
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes_[at + i]);
  return number;
}

void Npz::read_directory() {
  const std::size_t end = bytes_.rfind("PK\x05\x06"sv);
  if (end == bytes_.npos) reject_file(path_, "is a truncated zip archive: a whole one is accepted");
  if (end + end_bytes + number_at(end + 20, 2) != bytes_.size()) {
    reject_file(path_, "has bytes behind the zip archive's end: none are accepted");
  }
  std::uint64_t count = number_at(end + 10, 2), at = number_at(end + 16, 4);
  if (end >= locator_bytes && bytes_.substr(end - locator_bytes, 4) == "PK\x06\x07"sv) {
    const std::uint64_t end_64 = number_at(end - locator_bytes + 8, 8);
    if (end_64 > bytes_.size() || bytes_.size() - end_64 < end_64_bytes || bytes_.substr(end_64, 4) != "PK\x06\x06"sv) {
      reject_file(path_, "is a damaged zip archive: its directory's end is not where it is said to be");
    }
    count = number_at(end_64 + 32, 8);
    at = number_at(end_64 + 48, 8);
  }
  for (; count > 0; --count) at = read_entry(at);
}

/// Reads an entry of the directory. Returns the position of the next one.
std::uint64_t Npz::read_entry(std::uint64_t at) {
  if (number_at(at, 4) != 0x02014b50) reject_file(path_, "is a damaged zip archive: an entry of its directory is none");
  ZipMember member{.flags = number_at(at + 8, 2),
                   .method = number_at(at + 10, 2),
                   .crc = number_at(at + 16, 4),
                   .packed_bytes = number_at(at + 20, 4),
                   .bytes = number_at(at + 24, 4),
                   .header_at = number_at(at + 42, 4)};
  const std::uint64_t name_bytes = number_at(at + 28, 2), more_bytes = number_at(at + 30, 2);
  const std::uint64_t end = at + entry_bytes + name_bytes + more_bytes + number_at(at + 32, 2);
  if (end > bytes_.size()) reject_file(path_, "is a truncated zip archive: a whole one is accepted");
  widen(member, at + entry_bytes + name_bytes, more_bytes);
  std::string_view name = bytes_.substr(at + entry_bytes, name_bytes);
  if (!name.ends_with(".npy")) return end;
  name.remove_suffix(4);
  names_.emplace_back(name);
  members_.push_back(member);
  return end;
}

/// Reads sizes beyond 32 bits from the field that holds them.
void Npz::widen(ZipMember& member, std::uint64_t at, std::uint64_t size) const {
  for (const std::uint64_t end = at + size; at + 4 <= end; at += 4 + number_at(at + 2, 2)) {
    if (number_at(at, 2) != 1) continue;
    std::uint64_t value_at = at + 4;
    for (std::uint64_t* value : {&member.bytes, &member.packed_bytes, &member.header_at}) {
      if (*value != in_64_bits) continue;
      *value = number_at(value_at, 8);
      value_at += 8;
    }
    return;
  }
}

std::string_view Npz::packed(const ZipMember& member) const {
  if (number_at(member.header_at, 4) != 0x04034b50)
    reject_file(path_, "is a damaged zip archive: a file does not begin");
  const std::uint64_t at =
      member.header_at + header_bytes + number_at(member.header_at + 26, 2) + number_at(member.header_at + 28, 2);
  if (at > bytes_.size() || bytes_.size() - at < member.packed_bytes) {
    reject_file(path_, "is a truncated zip archive: a whole one is accepted");
  }
  return bytes_.substr(at, member.packed_bytes);
}

bool Npz::contains(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string Npz::content(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) reject_file(path_, fmt::format("has no array '{}'", printable(name)));
  const ZipMember& member = members_[static_cast<std::size_t>(found - names_.begin())];
  if (member.flags & 1)
    reject_file(path_, fmt::format("array '{}' is encrypted: plain ones are accepted", printable(name)));
  const std::string_view data = packed(member);
  if (member.method == 8) return inflate_member(path_, data, member.bytes, member.crc);
  if (member.method != 0 || member.bytes != data.size()) {
    reject_file(path_, fmt::format("array '{}' is compressed by method {}: stored and deflated ones are accepted",
                                   printable(name), member.method));
  }
  check_crc(path_, data, member.crc);
  return std::string(data);
}

bool Npz::is_sparse() const { return contains("format") && contains("shape") && contains("data"); }

}  // namespace warpfold::io
