#pragma once

#include <span>
#include <string_view>

#include "warpfold/machine/machine.hpp"

namespace warpfold::machine {

/// The request of one thread.
struct TraceAccess {
  std::uint32_t thread = 0;
  Address address = 0;  ///< as in the program, before any address mapping
  bool write = false;
  Word value = 0;  ///< the value written or read
};

/// A warp that enters the pipeline of a memory.
struct TraceDispatch {
  TimeUnits start;         ///< the first stage enters the pipeline in the time unit after `start`
  TimeUnits completed;     ///< start + stages + latency - 1
  std::uint32_t step = 0;  ///< lockstep: the step; pipelined: the number of earlier dispatches
  std::uint32_t warp = 0;
  std::uint32_t memory = 0;  ///< 0: the global (or only) memory; m + 1: the shared memory of multiprocessor m
  std::uint32_t stages = 0;
  std::string_view phase;
  std::span<const TraceAccess> accesses;  ///< in the order of the threads; valid during the call
};

/// Receives the events of a simulation. A simulation without an observer has no extra cost.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_dispatch(const TraceDispatch& dispatch) = 0;
  /// A new array of the global (or only) memory: `size` words from `base` on.
  virtual void on_array(std::string_view /*name*/, Address /*base*/, std::uint32_t /*size*/) {}
  /// A new phase; `start` is its first time unit.
  virtual void on_phase(std::string_view /*name*/, TimeUnits /*start*/) {}
};

}  // namespace warpfold::machine
