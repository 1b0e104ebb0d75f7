#pragma once

#include <functional>

namespace warpfold {

/// Runs body(thread) for thread = 0 .. threads-1 at once and returns when all have ended; the caller is thread 0. What
/// the first failing body raised is raised again here. A body must not wait for another one that may have failed.
void parallel(int threads, const std::function<void(int)>& body);

}  // namespace warpfold
