#include "sequence/batch/team.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>

#include "sequence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::batch {

int Batch::threads(std::size_t items, std::size_t bytes_of_a_thread) {
  const std::size_t affordable = budget().left() / std::max<std::size_t>(bytes_of_a_thread, 1);
  const auto wanted = static_cast<std::size_t>(thread_count(context_.options.threads));
  return static_cast<int>(std::max<std::size_t>(1, std::min({items, wanted, affordable})));
}

void Batch::run(std::size_t items, int threads, const std::function<double(std::size_t, int, const Options&)>& body) {
  const auto start = std::chrono::steady_clock::now();
  Options each = detail::options_of_each(context_.options, budget());
  Team team(threads);
  context_.report.threads = team.size();
  if (on_gpu_) {
    each.device = context_.options.device;
    each.max_device_memory -= std::min(each.max_device_memory, device_bytes_);
    each.max_device_memory /= static_cast<std::size_t>(team.size());
  }
  std::atomic<double> done = 0;
  team.parallel_for(items, [&](std::size_t item, int member) {
    monitor_.check();
    done += body(item, member, each);
    if (member == 0) monitor_.advance(done.exchange(0));
  });
  context_.report.solve_seconds += seconds_since(start);
}

int Batch::threads_for_gpu(std::size_t items, std::size_t device_bytes_of_a_thread) {
  const int most =
      threads(std::min(items, tuning::gpu_batch_threads), cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
  device_bytes_ = static_cast<std::size_t>(most) * device_bytes_of_a_thread;
  context_.take_device_memory(device_bytes_);
  return most;
}

void Batch::finish() {
  monitor_.advance(std::numeric_limits<double>::infinity());
  const bool has_lanes = ran_lanes_ || (on_gpu_ && !ran_words_);
  context_.report.algorithm = has_lanes && ran_words_ ? "several" : has_lanes ? "lanes" : "words";
}

std::optional<lanes::Bytes> bytes_for_lanes(List a, List b, Batch& batch) {
  if (batch.forces("words")) return {};
  auto bytes = lanes::Bytes::of(a, b, batch.budget());
  if (bytes) return bytes;
  if (batch.is_on_gpu()) {
    throw Error(ErrorKind::device, "a GPU solves batches of at most 256 symbols: device auto or cpu is accepted");
  }
  if (!batch.forces("lanes")) return {};
  throw Error(ErrorKind::usage, "'lanes' solves batches of at most 256 symbols: words is accepted");
}

double seconds_of_lanes(std::size_t rows, std::size_t columns, std::size_t planes, const BatchRequest& request,
                        std::optional<std::uint32_t> bound) {
  const std::size_t band = bound ? std::min<std::size_t>(rows, std::size_t{*bound} + lanes::columns_together) : rows;
  const double operations = 2 * static_cast<double>(planes) + (request.measure == Measure::edit ? 7 : 3);
  return tuning::vector_operation_seconds * operations * static_cast<double>(band * columns);
}

std::size_t chunk_symbols(std::size_t n, std::size_t m) { return n + m + tuning::gpu_pair_symbols; }

double part_of_chunk(const SymbolView& a, const SymbolView& b) {
  return static_cast<double>(chunk_symbols(a.size(), b.size())) / static_cast<double>(tuning::gpu_chunk_symbols);
}

}  // namespace warpfold::sequence::batch
