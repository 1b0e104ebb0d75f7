#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recurrence/coins/payment.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/estimate.hpp"

/// Payments with limited coins, one coin at a time.
namespace warpfold::recurrence {

[[nodiscard]] Change pay_by_stock(const Payment& payment, Context& context);
/// The fewest coins of 0 .. amount; `unreachable` where no coins give one.
[[nodiscard]] std::vector<std::int32_t> fewest_by_stock(const Payment& payment, Context& context);

/// `keeps_choices`: the solver keeps the choices that a payment needs.
[[nodiscard]] std::size_t bytes_of_stock(const Payment& payment, bool keeps_choices);
[[nodiscard]] double seconds_of_stock(const Payment& payment);
/// Backend::worst_case: the coins and the amount decide how long the queue becomes.
[[nodiscard]] ResourceEstimate worst_case_of_stock(const ResourceEstimate& expected, const Payment& payment,
                                                   const Options& options, const std::optional<ResourceEstimate>& next);

}  // namespace warpfold::recurrence
