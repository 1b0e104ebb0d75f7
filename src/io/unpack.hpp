#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Compressed files. What is unpacked is allocated by the language's own `new`, so that a limit of memory ends it
/// early.
namespace warpfold::io {

/// Whether a file begins as gzip's do.
[[nodiscard]] bool is_gzip(std::string_view content);

/// Whether a file begins as a zip archive does.
[[nodiscard]] bool is_zip(std::string_view content);

/// The content of a gzip file, of one member or several. Raises Error{input} that names the file where its data are
/// damaged or truncated, or something else stands behind them.
[[nodiscard]] std::string gunzip(const std::string& path, std::string_view packed);

/// `packed` deflated data, whose content has `size` bytes and this CRC-32. Raises Error{input} as `gunzip` does.
[[nodiscard]] std::string inflate_member(const std::string& path, std::string_view packed, std::size_t size,
                                         std::size_t crc);

/// Raises Error{input} where the content has another CRC-32.
void check_crc(const std::string& path, std::span<const char> content, std::size_t crc);

/// What a file with these bytes holds: of gzip its content, of a .npz archive the array `member`, or without a name the
/// only one. An archive of one of SciPy's sparse matrices stays as it is. Raises Error{input} for any other archive.
[[nodiscard]] std::string unpacked(const std::string& path, std::string bytes, std::string_view member = {});

}  // namespace warpfold::io
