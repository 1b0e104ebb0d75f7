#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpfold/machine/machine.hpp"
#include "warpfold/machine/trace.hpp"

/// A run written down: as JSON, as CSV, or as a page that shows it.
namespace warpfold::machine {

/// Keeps what it watches: about 40 bytes an access.
class Recorder : public Observer {
 public:
  /// One thread's access in a dispatch.
  struct Access {
    std::uint32_t thread = 0;
    Address address = 0;
    bool write = false;
    std::uint32_t stage = 0;  ///< of its dispatch, in which it is served
    Word value = 0;           ///< what is written, or what is read
    std::uint32_t place = 0;  ///< the bank of a DMM, the address group of a UMM, the address on PRAM and BPRAM
  };
  /// A warp's turn at a memory.
  struct Dispatch {
    TimeUnits start, completed;
    std::uint32_t step = 0, warp = 0, memory = 0, stages = 0;
    std::uint32_t phase = 0;  ///< index into phases()
    std::vector<Access> accesses;
  };
  /// Where a phase that the program names begins.
  struct Phase {
    std::string name;
    TimeUnits start;
  };

  /// Where an array of the global (or only) memory lies.
  struct Array {
    std::string name;
    Address base = 0;
    std::uint32_t size = 0;
  };

  /// More than `max_accesses` accesses raise Error{memory_limit}: a trace is for looking at, not for long runs.
  explicit Recorder(const Machine& machine, std::size_t max_accesses = 1'000'000);

  void on_dispatch(const TraceDispatch& dispatch) override;
  void on_array(std::string_view name, Address base, std::uint32_t size) override;
  void on_phase(std::string_view name, TimeUnits start) override;

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }
  [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
  [[nodiscard]] const std::vector<Dispatch>& dispatches() const { return dispatches_; }
  /// When the last request was completed.
  [[nodiscard]] TimeUnits end() const;

 private:
  Machine machine_;
  std::size_t max_accesses_;
  std::size_t accesses_ = 0;
  std::vector<Array> arrays_;
  std::vector<Phase> phases_;
  std::vector<Dispatch> dispatches_;
};

/// One object: `title`, `machine`, `time_units`, `arrays` [{name, base, size}], `phases` [{name, start}], and
/// `dispatches`, each with its warp, times, stages and `accesses` [[thread, address, 1 for a write, stage, bank or
/// group, value as an integer of 64 bits], ..].
[[nodiscard]] std::string trace_json(const Recorder& trace, const std::string& title);

/// A line for each access, after a line of names.
[[nodiscard]] std::string trace_csv(const Recorder& trace);

/// A page that needs no network: the pipeline over time coloured by warp, the banks or address groups touched in the
/// chosen time unit, a slider, and the phases.
[[nodiscard]] std::string trace_html(const Recorder& trace, const std::string& title);

}  // namespace warpfold::machine
