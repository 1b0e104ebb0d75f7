#pragma once

#include <cstdint>
#include <string>

#include "io/json.hpp"
#include "warpfold/machine/kernel_trace.hpp"

/// What `bench_machine probe` measured on a GPU, and traces.
namespace warpfold::app {

/// Returns the rows of a file of the probe. Raises Error{input} for a file without them.
[[nodiscard]] io::Json probe_rows(const std::string& path);

/// Returns the machine, the date and the commit of such a file, as far as it has them.
[[nodiscard]] io::Json probe_origin(const std::string& path);

/// Reads a trace; "-" is standard input. Raises Error{input} if it has no access.
[[nodiscard]] machine::KernelTrace trace_of(const std::string& path);

/// Returns the time of one step with that many stages, each lane accessing `bytes` bytes, on a GPU of the recorded
/// results, such as "h100". Raises Error{usage} for a GPU without a recorded probe.
[[nodiscard]] double nanoseconds_on(const std::string& gpu, machine::Space space, std::uint32_t bytes,
                                    std::uint64_t stages);

}  // namespace warpfold::app
