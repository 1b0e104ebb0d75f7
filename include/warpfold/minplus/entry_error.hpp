#pragma once

#include <string>

#include "warpfold/core/error.hpp"

namespace warpfold::minplus {

/// The error for an entry that a product does not accept. It knows which matrix has the entry.
class EntryError : public Error {
 public:
  EntryError(ErrorKind kind, const std::string& message, char matrix) : Error(kind, message), matrix_(matrix) {}

  [[nodiscard]] char matrix() const { return matrix_; }  ///< 'A', 'B' or 'C'

 private:
  char matrix_;
};

}  // namespace warpfold::minplus
