#pragma once

#include <string_view>

namespace warpfold::formats {

/// Whether these bytes are a .npz archive. `io::read_file` leaves those of sparse matrices alone as they are.
[[nodiscard]] bool is_sparse_npz(std::string_view content);

}  // namespace warpfold::formats
