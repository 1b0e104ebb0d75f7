#pragma once

#include <string>

namespace warpfold {

/// A size for messages and for output that people read: three digits with a decimal unit, "12.4 GB". Below 10 kB it is
/// exact: "1001 bytes". JSON has exact numbers. This header does not include fmt, which nvcc does not compile.
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace warpfold
