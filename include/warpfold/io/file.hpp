#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace warpfold::io {

/// Returns the whole content of a file. "-" is standard input, which can be read once; a second time raises
/// Error{usage}. A gzip file is decompressed. A .npz archive gives its only array as a .npy file; "FILE.npz:NAME" names
/// one of several. Raises Error{input} that names the file and the reason.
[[nodiscard]] std::string read_file(const std::string& path);

/// Checks that `write_file` could write the file, so that a caller learns it before long work. Raises Error{input} that
/// names the file and the reason.
void check_writable(const std::string& path);

/// Writes a file completely or not at all. The content goes to a new file in the same folder. That file replaces `path`
/// once every byte is on disk. Raises Error{input} that names the file and the reason.
///
/// An existing file keeps its mode. An existing file with several hard links is overwritten in place, so that all its
/// names see the new content. A file without write permission is rejected. A device such as /dev/null, or a pipe, is
/// written directly.
void write_file(const std::string& path, std::string_view content);

/// Writes content that `produce` writes to a stream piece by piece. An exception from `produce` leaves `path`
/// untouched.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& produce);

/// Removes the unfinished files of all `write_file` calls. For a process that is about to end while another thread may
/// be writing. A thread that begins or finishes a file after this call blocks forever.
void discard_unfinished_files();

/// Returns the ending of a path in lower case with its dot, such as ".geojson"; "" if there is none.
[[nodiscard]] std::string extension(const std::string& path);

/// The same without a last ".gz": the ending of the content that `read_file` returns.
[[nodiscard]] std::string unpacked_extension(const std::string& path);

}  // namespace warpfold::io
