#pragma once

#include <functional>
#include <type_traits>

#include "warpfold/run/backend.hpp"

namespace warpfold {

/// The shortest probe, in seconds, whose rate is not dominated by the cost of a single call.
inline constexpr double min_probe_seconds = 3e-3;

/// A probe this long suffices for any solve. A shorter one suffices for a solve of a thousand times its seconds, since
/// other programs disturb it.
inline constexpr double long_probe_seconds = 2e-2;

/// Whether a probe obeys the caller's stop token and deadline: `by_itself` ignores them, `as_asked` obeys them.
enum class ProbeEnd { by_itself, as_asked };

/// Runs a backend on a small problem and returns its seconds. Estimates derive the machine's rate from it.
///
/// Device, threads and algorithm are those of `options`. Limits and callbacks do not apply. Stop token and deadline
/// apply for `as_asked`, because a caller's functions may be slow. On a GPU one more run goes first, which wakes the
/// GPU.
[[nodiscard]] double probe_seconds(const AlgorithmInfo& backend, const std::function<void(Context&)>& run,
                                   const Options& options, ProbeEnd end);

/// The same for a backend of some types.
template <class Size, class Problem, class Solution>
[[nodiscard]] double probe_seconds(const Backend<Size, Problem, Solution>& backend,
                                   const std::type_identity_t<Problem>& small, const Options& options,
                                   ProbeEnd end = ProbeEnd::by_itself) {
  return probe_seconds(
      backend.info, [&](Context& context) { static_cast<void>(backend.run(small, context)); }, options, end);
}

}  // namespace warpfold
