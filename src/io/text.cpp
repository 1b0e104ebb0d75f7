#include "io/text.hpp"

#include <algorithm>
#include <iterator>

namespace warpfold::io {

namespace {

using namespace std::string_view_literals;

/// The first bytes of files that are not text, the name of the format, and what is accepted instead.
struct Signature {
  std::string_view begin;
  const char* is;
  const char* accepted = "text is";
};
constexpr const char* in_utf8 = "UTF-8 is";
constexpr const char* unpacked_is = "what it holds, unpacked or by gzip, is";
constexpr const char* outlines_are = "GeoJSON, WKT and text are";
constexpr Signature signatures[] = {
    {"\xff\xfe\0\0"sv, "UTF-32", in_utf8},
    {"\0\0\xfe\xff"sv, "UTF-32", in_utf8},
    {"\xff\xfe"sv, "UTF-16", in_utf8},
    {"\xfe\xff"sv, "UTF-16", in_utf8},
    {"\x1f\x8b"sv, "compressed twice by gzip", "once is"},
    {"PK\x03\x04"sv, "a zip archive", unpacked_is},
    {"BZh"sv, "compressed by bzip2", unpacked_is},
    {"\xfd"
     "7zXZ\0"sv,
     "compressed by xz", unpacked_is},
    {"\x28\xb5\x2f\xfd"sv, "compressed by zstd", unpacked_is},
    {"7z\xbc\xaf"sv, "a 7z archive", unpacked_is},
    {"\0\0\x27\x0a"sv, "a shapefile", outlines_are},
    {"SQLite format 3\0"sv, "a database of SQLite's, perhaps a GeoPackage", outlines_are},
    {"\x01\x03\0\0"sv, "WKB", outlines_are},
    {"\x01\x06\0\0"sv, "WKB", outlines_are},
    {"\0\0\0\0\x03"sv, "WKB", outlines_are},
    {"\0\0\0\0\x06"sv, "WKB", outlines_are},
    {"\x93NUMPY"sv, "a .npy array"},
    {"\x89HDF\r\n"sv, "a HDF5 file"},
    {"MATLAB 5.0 MAT-file"sv, "a file of MATLAB's"},
    {"PAR1"sv, "a Parquet file"},
    {"\x80\x03"sv, "a pickle of Python's"},
    {"\x80\x04"sv, "a pickle of Python's"},
    {"\x80\x05"sv, "a pickle of Python's"},
    {"%PDF-"sv, "a PDF"},
};

/// UTF-16 without a byte order mark, of ASCII characters: every other byte is 0.
bool is_utf16(std::string_view text) {
  if (text.size() < 4) return false;
  const auto begins = [&](std::size_t low) {
    return text[low] != 0 && text[low + 2] != 0 && text[1 - low] == 0 && text[3 - low] == 0;
  };
  return begins(0) || begins(1);
}

}  // namespace

void check_is_text(const std::string& path, std::string_view content) {
  const auto found = std::find_if(std::begin(signatures), std::end(signatures),
                                  [&](const Signature& one) { return content.starts_with(one.begin); });
  if (found != std::end(signatures)) {
    reject_file(path, fmt::format("is {}: {} accepted", found->is, found->accepted));
  }
  if (is_utf16(content)) reject_file(path, fmt::format("is UTF-16: {} accepted", in_utf8));
}

}  // namespace warpfold::io
