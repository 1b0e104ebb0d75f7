#include "warpfold/core/parallel.hpp"

#include <exception>
#include <mutex>

#if defined(__SANITIZE_THREAD__)
#include <thread>
#include <vector>
#endif

namespace warpfold {

namespace {

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer does not see how OpenMP's runtime starts and joins its threads, and would report races there.
void run_team(int threads, const std::function<void(int)>& body) {
  std::vector<std::jthread> team;
  for (int thread = 1; thread < threads; ++thread) team.emplace_back(body, thread);
  body(0);
}
#else
void run_team(int threads, const std::function<void(int)>& body) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) body(thread);
}
#endif

}  // namespace

void parallel(int threads, const std::function<void(int)>& body) {
  if (threads == 1) return body(0);
  std::mutex mutex;
  std::exception_ptr failure;
  run_team(threads, [&](int thread) {
    try {
      body(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace warpfold
