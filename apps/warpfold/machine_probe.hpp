#pragma once

#include <cstdint>
#include <string>

#include "io/json.hpp"
#include "warpfold/machine/kernel_trace.hpp"

/// The times that `bench_machine probe` measured on a GPU.
namespace warpfold::app {

/// Returns the rows of a file of the probe. Raises Error{input} for a file without them.
[[nodiscard]] io::Json probe_rows(const std::string& path);

/// Returns the time of one step with that many stages, each lane accessing `bytes` bytes, on a GPU of the recorded
/// results, such as "h100". Raises Error{usage} for a GPU without a recorded probe.
[[nodiscard]] double nanoseconds_on(const std::string& gpu, machine::Space space, std::uint32_t bytes,
                                    std::uint64_t stages);

}  // namespace warpfold::app
