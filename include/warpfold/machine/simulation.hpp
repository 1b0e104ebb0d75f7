#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/machine.hpp"
#include "warpfold/machine/program.hpp"
#include "warpfold/machine/trace.hpp"

namespace warpfold::machine {

namespace detail {

/// Bytes of memory for one word: its content, and when it was last written.
inline constexpr std::size_t bytes_per_word = sizeof(Word) + sizeof(std::uint32_t);

}  // namespace detail

/// Counters of a phase or of a run.
struct Counters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t dispatches = 0;  ///< dispatches of warps with a request
  std::uint64_t stages = 0;      ///< pipeline stages that the dispatches occupied
  /// writes dropped because a lower thread wrote the same address in the same step
  std::uint64_t simultaneous_writes = 0;
  std::uint64_t barriers = 0;            ///< times that all threads waited for each other
  std::vector<std::uint64_t> histogram;  ///< [k]: dispatches that occupied k stages
  TimeUnits time_units;

  [[nodiscard]] std::uint64_t accesses() const { return reads + writes; }
  /// Returns accesses / (stages * width). It is 1 if every stage serves a full warp.
  [[nodiscard]] double utilization(std::uint32_t width) const;
};

/// The reads or the writes of one phase under one name, ordered by step, then thread: a "sequential memory access" of
/// the 2013 paper, which is either a read or a write. A phase that is entered again starts a new sequence under the
/// same name.
struct SequenceReport {
  std::string name;
  bool writes = false;
  std::uint64_t sequences = 0;
  std::uint64_t length = 0;  ///< accesses of all sequences
  /// neighbors in a sequence whose addresses differ by 2 or more, over all sequences
  std::uint64_t fragmentation = 0;
  std::uint64_t longest = 0;  ///< accesses of the longest sequence
  std::uint64_t most_fragmented = 0;
  std::uint64_t stages = 0;
  TimeUnits time_units;  ///< of the lockstep steps whose lowest requesting thread is in this sequence
};

/// The report of one phase.
struct PhaseReport {
  std::string name;
  Counters counters;
  std::vector<SequenceReport> sequences;
};

/// The report of a run, in total and by phase.
struct RunReport {
  Machine machine;
  std::uint32_t threads = 0;
  Timing timing = Timing::lockstep;
  Counters total;
  std::vector<PhaseReport> phases;
};

/// Options of a simulation.
struct SimulationOptions {
  Timing timing = Timing::lockstep;
  bool exclusive = false;        ///< reject simultaneous writes to one address instead of counting them
  Observer* observer = nullptr;  ///< must outlive the simulation
  std::size_t max_memory = 0;    ///< bytes for arrays and threads; 0: the memory of this computer
};

/// A machine with its threads and the contents of its memories. Peak bytes: 12 per word, and about 40 plus the
/// program's frame per thread.
class Simulation {
 public:
  /// Raises what `validate` raises, and Error{memory_limit} if the threads exceed the memory.
  Simulation(const Machine& machine, std::uint32_t threads, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Creates an array of zeros in the global (or only) memory. It starts at a multiple of the width. `name` is used in
  /// reports and messages. Raises Error{memory_limit} if it does not fit.
  template <class T>
  [[nodiscard]] Array<T> array(const std::string& name, std::uint64_t size) {
    return make<T>(name, size, false);
  }
  template <class T>
  [[nodiscard]] Array<T> array(const std::string& name, std::span<const T> values) {
    const auto result = make<T>(name, values.size(), false);
    for (std::size_t i = 0; i < values.size(); ++i) word(result.base_ + i) = detail::to_word(values[i]);
    return result;
  }
  template <class T>
  [[nodiscard]] Array<T> array(const std::string& name, const std::vector<T>& values) {
    return array<T>(name, std::span<const T>(values));
  }

  /// Creates one array of zeros in the shared memory of every multiprocessor of the HMM. A thread reaches the one of
  /// its own multiprocessor.
  template <class T>
  [[nodiscard]] Array<T> shared_array(const std::string& name, std::uint64_t size) {
    return make<T>(name, size, true);
  }

  /// Returns the same array under another name for the report. Within a phase, each name is its own sequence.
  template <class T>
  [[nodiscard]] Array<T> named(Array<T> array, const std::string& name) {
    array.sequence_ = sequence(name);
    return array;
  }

  /// Returns the current content of a global array. Raises Error{usage} for a shared array, and for one of another
  /// simulation.
  template <class T>
  [[nodiscard]] std::vector<T> values(const Array<T>& array) {
    check_global(array.context_, array.shared_);
    std::vector<T> result(array.size_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = detail::from_word<T>(word(array.base_ + i));
    return result;
  }

  /// Runs the program in every thread to its end. Time continues from run to run. Raises Error{input} for an index out
  /// of range, with thread and step. In exclusive mode simultaneous writes raise Error{input} too, with threads and
  /// address. Raises Error{usage} for an empty function.
  void run(const std::function<Program(Thread)>& program);

  [[nodiscard]] TimeUnits time_units() const;
  [[nodiscard]] RunReport report() const;

 private:
  friend struct detail::ProgramContext;
  class Core;

  template <class T>
  Array<T> make(const std::string& name, std::uint64_t size, bool shared) {
    Array<T> result;
    result.context_ = context();
    result.base_ = allocate(name, size, shared);
    result.size_ = static_cast<std::uint32_t>(size);
    result.sequence_ = sequence(name);
    result.shared_ = shared;
    return result;
  }

  detail::ProgramContext* context();
  void check_global(const detail::ProgramContext* of_array, bool shared);
  Address allocate(const std::string& name, std::uint64_t size, bool shared);
  std::uint16_t sequence(const std::string& name);
  Word& word(std::uint64_t address);

  std::unique_ptr<Core> core_;
};

}  // namespace warpfold::machine
