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

/// Of a memory: what the word holds, and when it was last written.
inline constexpr std::size_t bytes_per_word = sizeof(Word) + sizeof(std::uint32_t);

}  // namespace detail

/// What was counted, of a phase or of a whole run.
struct Counters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t dispatches = 0;           ///< of warps with a request
  std::uint64_t stages = 0;               ///< of the pipeline that they occupied
  std::uint64_t simultaneous_writes = 0;  ///< dropped, because a lower thread wrote the same address in the same step
  std::vector<std::uint64_t> histogram;   ///< [k]: dispatches that occupied k stages
  TimeUnits time_units;

  [[nodiscard]] std::uint64_t accesses() const { return reads + writes; }
  /// accesses / (stages * width): 1 where every stage serves a full warp.
  [[nodiscard]] double utilisation(std::uint32_t width) const;
};

/// The accesses of one phase under one name, in the order step, thread: a "sequential memory access" of the 2013
/// paper. A phase that is entered again starts a new sequence under the same name.
struct SequenceReport {
  std::string name;
  std::uint64_t sequences = 0;
  std::uint64_t length = 0;         ///< accesses, of all sequences
  std::uint64_t fragmentation = 0;  ///< neighbours in a sequence whose addresses differ by 2 or more, of all sequences
  std::uint64_t longest = 0;        ///< the length of the longest sequence
  std::uint64_t most_fragmented = 0;
  std::uint64_t stages = 0;
  TimeUnits time_units;  ///< of the lockstep steps whose lowest requesting thread is in this sequence
};

/// What one phase of a program took.
struct PhaseReport {
  std::string name;
  Counters counters;
  std::vector<SequenceReport> sequences;
};

/// What a run took in all, and each phase of it.
struct RunReport {
  Machine machine;
  std::uint32_t threads = 0;
  Timing timing = Timing::lockstep;
  Counters total;
  std::vector<PhaseReport> phases;
};

/// How a simulation runs besides its machine.
struct SimulationOptions {
  Timing timing = Timing::lockstep;
  bool exclusive = false;        ///< refuse simultaneous writes to one address instead of counting them
  Observer* observer = nullptr;  ///< outlives the simulation
  std::size_t max_memory = 0;    ///< of arrays and threads; 0: the memory of this computer
};

/// A machine with its threads and the contents of its memories.
/// Peak bytes: 12 for each word, about 40 and the program's frame for each thread.
class Simulation {
 public:
  /// Raises what `validate` raises, and Error{memory_limit} where the threads do not fit the memory.
  Simulation(const Machine& machine, std::uint32_t threads, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// An array of zeros in the global (or only) memory; it starts at a multiple of the width.
  /// Raises Error{memory_limit} where it does not fit.
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

  /// One array of zeros in the shared memory of every multiprocessor of the HMM; a thread reaches its own.
  template <class T>
  [[nodiscard]] Array<T> shared_array(const std::string& name, std::uint64_t size) {
    return make<T>(name, size, true);
  }

  /// The same array under another name in the report: each name of a phase is a sequence of its own.
  template <class T>
  [[nodiscard]] Array<T> named(Array<T> array, const std::string& name) {
    array.sequence_ = sequence(name);
    return array;
  }

  /// What a global array holds now. Raises Error{usage} for a shared one, and for one of another simulation.
  template <class T>
  [[nodiscard]] std::vector<T> values(const Array<T>& array) {
    check_global(array.context_, array.shared_);
    std::vector<T> result(array.size_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = detail::from_word<T>(word(array.base_ + i));
    return result;
  }

  /// Runs the program in every thread to its end; time goes on from run to run. Raises Error{input} for an index out of
  /// range (with thread and step) and, in exclusive mode, for simultaneous writes (with threads and address),
  /// Error{usage} for no program.
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
