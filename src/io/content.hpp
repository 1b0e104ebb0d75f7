#pragma once

#include <string>

#include "io/inflate.hpp"

namespace warpfold::io {

/// Gives the content of a file piece by piece, decompressed if it is gzip. "-" is standard input. Opens the file at
/// once. Raises what `read_file` raises, some of it only where the data are read. Memory: 64 KiB.
[[nodiscard]] ByteSource content_of(const std::string& path);

}  // namespace warpfold::io
