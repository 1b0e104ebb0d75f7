#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpfold/machine/machine.hpp"
#include "warpfold/machine/trace.hpp"

/// The trace of a run as JSON, as CSV or as an HTML page.
namespace warpfold::machine {

/// Records the events of a simulation. Memory: about 40 bytes per access.
class Recorder : public Observer {
 public:
  /// The access of one thread in a dispatch.
  struct Access {
    std::uint32_t thread = 0;
    Address address = 0;
    bool write = false;
    std::uint32_t stage = 0;  ///< the stage of the dispatch that serves it
    Word value = 0;           ///< the value written or read
    std::uint32_t place = 0;  ///< bank on a DMM, address group on a UMM, address on PRAM and BPRAM
  };
  /// A warp that a memory serves.
  struct Dispatch {
    TimeUnits start, completed;
    std::uint32_t step = 0, warp = 0, memory = 0, stages = 0;
    std::uint32_t phase = 0;  ///< index into phases()
    std::vector<Access> accesses;
  };
  /// A phase that the program names, and its beginning.
  struct Phase {
    std::string name;
    TimeUnits start;
  };

  /// An array of the global (or only) memory, and its place.
  struct Array {
    std::string name;
    Address base = 0;
    std::uint32_t size = 0;
  };

  /// A recorder for at most `max_accesses` accesses; one more raises Error{memory_limit}. Traces are for short runs.
  explicit Recorder(const Machine& machine, std::size_t max_accesses = 1'000'000);

  void on_dispatch(const TraceDispatch& dispatch) override;
  void on_array(std::string_view name, Address base, std::uint32_t size) override;
  void on_phase(std::string_view name, TimeUnits start) override;

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }
  [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
  [[nodiscard]] const std::vector<Dispatch>& dispatches() const { return dispatches_; }
  /// Returns when the last request completed.
  [[nodiscard]] TimeUnits end() const;

 private:
  Machine machine_;
  std::size_t max_accesses_;
  std::size_t accesses_ = 0;
  std::vector<Array> arrays_;
  std::vector<Phase> phases_;
  std::vector<Dispatch> dispatches_;
};

/// Returns the trace as one JSON object with these keys:
///
/// * `title`, `machine` and `time_units`.
/// * `arrays`: a list of {name, base, size}.
/// * `phases`: a list of {name, start}.
/// * `dispatches`: each with its warp, times, stages and `accesses`.
///
/// An access is [thread, address, 1 for a write, stage, bank or group, value as a 64-bit integer].
[[nodiscard]] std::string trace_json(const Recorder& trace, const std::string& title);

/// Returns the trace as CSV: a header line, then one line per access.
[[nodiscard]] std::string trace_csv(const Recorder& trace);

/// Returns the trace as an HTML page that needs no network. It shows the pipeline over time, colored by warp. A slider
/// chooses a time unit, whose banks or address groups are shown. It lists the phases.
[[nodiscard]] std::string trace_html(const Recorder& trace, const std::string& title);

}  // namespace warpfold::machine
