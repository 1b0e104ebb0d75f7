#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Compressed files. The unpacked content is allocated by operator new, so a memory limit applies to it.
namespace warpfold::io {

/// Whether the content begins as a gzip file does.
[[nodiscard]] bool is_gzip(std::string_view content);

/// Whether the content begins as a zip archive does.
[[nodiscard]] bool is_zip(std::string_view content);

/// The content of a gzip file of one or more members. Raises Error{input} that names the file if its data is damaged,
/// truncated, or followed by anything else.
[[nodiscard]] std::string gunzip(const std::string& path, std::string_view packed);

/// Unpacks deflated data whose content has `size` bytes and this CRC-32. Raises Error{input} as `gunzip` does.
[[nodiscard]] std::string inflate_member(const std::string& path, std::string_view packed, std::size_t size,
                                         std::size_t crc);

/// Raises Error{input} if the content has another CRC-32.
void check_crc(const std::string& path, std::span<const char> content, std::size_t crc);

/// Unpacks a file. For gzip it is the content. For a .npz archive it is the array `member`; an empty name means the
/// only array. An archive of a SciPy sparse matrix is returned as it is. Raises Error{input} for any other archive.
[[nodiscard]] std::string unpacked(const std::string& path, std::string bytes, std::string_view member = {});

}  // namespace warpfold::io
