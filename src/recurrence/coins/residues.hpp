#pragma once

#include <cstddef>

#include "recurrence/coins/payment.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::recurrence {

/// Pays by shortest paths among the residues of the largest coin. Gives up, or raises Error{usage}, if they do not
/// suffice for the amount.
[[nodiscard]] Change pay_by_residues(const Payment& payment, Context& context);

[[nodiscard]] std::size_t bytes_of_residues(const Payment& payment, const Options& options);
[[nodiscard]] double seconds_of_residues(const Payment& payment, const Options& options);

/// Backend::may_hand_on: whether residues may not suffice for the amount, while a table is possible.
[[nodiscard]] bool may_need_table(const Payment& payment, std::size_t bytes_left);

}  // namespace warpfold::recurrence
