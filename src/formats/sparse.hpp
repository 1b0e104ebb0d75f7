#pragma once

#include <string_view>

namespace warpfold::formats {

/// Whether the content is a .npz archive of a sparse matrix, which `io::read_file` does not unpack.
[[nodiscard]] bool is_sparse_npz(std::string_view content);

}  // namespace warpfold::formats
