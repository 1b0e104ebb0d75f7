#pragma once

#include <cstdint>
#include <vector>

#include "recurrence/coins/payment.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/estimate.hpp"

namespace warpfold::recurrence {

/// F(0) .. F(amount) by the recurrence itself, `unreachable` where no coins give the amount: by its blocks, or amount
/// by amount.
[[nodiscard]] std::vector<std::int32_t> fewest_table(const Payment& payment, Context& context);
[[nodiscard]] Change pay_by_table(const Payment& payment, Context& context);

[[nodiscard]] ResourceEstimate resources_of_table(const Payment& payment, const Options& options);

}  // namespace warpfold::recurrence
