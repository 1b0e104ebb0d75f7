#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace warpfold::io {

/// The whole content of a file; "-" is standard input, which can be read once: Error{usage} says so the second time.
/// Of a gzip file what was compressed; of a .npz archive its only array as a .npy file, or the one that
/// "FILE.npz:NAME" names. Raises Error{input} that names the file and the reason.
[[nodiscard]] std::string read_file(const std::string& path);

/// Raises Error{input} that names the file and the reason where `write_file` cannot write it: for before the work.
void check_writable(const std::string& path);

/// Writes a file completely or not at all: the content goes to a new file in the same folder, which replaces `path`
/// only once every byte is on disk. A file that is there keeps its mode and, where it has several names, stays the file
/// of all of them; one that nobody may write is refused. A device such as /dev/null or a pipe is written directly.
/// Raises Error{input} that names the file and the reason.
void write_file(const std::string& path, std::string_view content);

/// The same for content that is produced piece by piece. An exception from `produce` leaves `path` untouched.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& produce);

/// For a process that is about to end while another thread may be writing: removes what `write_file` has not finished.
/// Whoever writes after this waits for ever.
void discard_unfinished_files();

/// The ending of a path in lower case with its dot, "" when there is none: ".geojson".
[[nodiscard]] std::string extension(const std::string& path);

/// The same of what `read_file` gives: without a last ".gz".
[[nodiscard]] std::string unpacked_extension(const std::string& path);

}  // namespace warpfold::io
