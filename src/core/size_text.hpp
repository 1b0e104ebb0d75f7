#pragma once

#include <string>

namespace warpfold {

/// "12.4 GB": three digits with a decimal unit; below 10 kB every byte counts: "1001 bytes". For messages and what is
/// printed for people: JSON keeps exact numbers. nvcc does not compile fmt's headers: this one needs none of them.
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace warpfold
