#pragma once

#include "interval/triangulation/structure.cuh"
#include "tiles/gpu/launch.cuh"

/// How the host starts the search for structures.
namespace warpfold::interval::device {

/// Finds the structures of the short intervals, at most `count`, or of all polygons. `most`: points of an interval.
template <class T>
void search_short(const Search<T>& search, unsigned most, std::size_t count, bool all, cudaStream_t stream) {
  const auto kernel = search_short_intervals<T>;
  const std::size_t shared_bytes = IntervalCopy<T>(most).bytes(most);
  const std::size_t blocks = std::min(warpfold::cuda::resident_blocks(kernel, short_threads, shared_bytes), count);
  kernel<<<static_cast<unsigned>(blocks), short_threads, shared_bytes, stream>>>(search, most, all);
  warpfold::cuda::check_launch("start the search for short structures");
}

/// Goes down from all roots to short intervals.
template <unsigned Steps, class T>
void search_long(const Search<T>& search, cudaStream_t stream) {
  using warpfold::cuda::check;
  check(cudaMemsetAsync(search.counts, 0, sizeof *search.counts, stream), "clear its counters");
  check(cudaMemsetAsync(search.queue, 0xff, search.node_count * sizeof *search.queue, stream), "clear a list");
  constexpr std::size_t shared_bytes = sizeof(Chain<T, Steps>);
  const auto kernel = search_structures<T, Steps>;
  const std::size_t blocks =
      std::min<std::size_t>(warpfold::cuda::resident_blocks(kernel, search_threads, shared_bytes), search.node_count);
  void* arguments[] = {const_cast<Search<T>*>(&search)};
  check(cudaLaunchCooperativeKernel(kernel, static_cast<unsigned>(blocks), search_threads, arguments, shared_bytes,
                                    stream),
        "start the search for the structure");
}

/// The structures of all polygons. The largest has `max_vertices`.
template <class T>
void find_structures(const Search<T>& search, std::size_t max_vertices, const SearchPolicy& policy,
                     cudaStream_t stream) {
  if (max_vertices <= policy.max_short_vertices) {
    return search_short(search, static_cast<unsigned>(max_vertices), search.job_count, true, stream);
  }
  if constexpr (needs_narrow_search<sizeof(T)>) {
    if (policy.window_steps == narrow_search.window_steps) search_long<narrow_search.window_steps>(search, stream);
  }
  if (policy.window_steps == wide_search<sizeof(T)>.window_steps) {
    search_long<wide_search<sizeof(T)>.window_steps>(search, stream);
  }
  search_short(search, short_interval, search.node_count, false, stream);
}

}  // namespace warpfold::interval::device
