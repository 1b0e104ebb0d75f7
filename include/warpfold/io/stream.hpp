#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpfold::io {

/// Reads a file piece by piece, for files that are larger than memory. A gzip file is decompressed. "-" is standard
/// input. Memory: 128 KiB. Raises Error{input} that names the file and the reason.
void read_pieces(const std::string& path, const std::function<void(std::string_view)>& consume);

}  // namespace warpfold::io
