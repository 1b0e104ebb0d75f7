#include "warpfold/machine/simulation.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>

#include "core/quantity.hpp"
#include "core/size_text.hpp"
#include "machine/mapping.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/stages.hpp"

namespace warpfold::machine {

using detail::Request;
using detail::RequestKind;

namespace {

constexpr std::size_t bytes_per_thread = sizeof(Request) + sizeof(Program) + 256;  // plus the size of a typical frame

std::size_t memory_of_this_computer() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

/// Warps that wait for the port of a memory. They are served in turn.
class Turn {
 public:
  void resize(std::size_t warps) { bits_.resize((warps + 63) / 64); }
  void add(std::uint32_t warp) {
    bits_[warp / 64] |= std::uint64_t{1} << (warp % 64);
    ++count_;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// The first waiting warp after the one taken last.
  std::uint32_t take() {
    std::size_t block = next_ / 64;
    std::uint64_t bits = bits_[block] & (~std::uint64_t{0} << (next_ % 64));
    while (bits == 0) {
      block = block + 1 == bits_.size() ? 0 : block + 1;
      bits = bits_[block];
    }
    const auto warp = static_cast<std::uint32_t>(block * 64 + std::countr_zero(bits));
    bits_[block] &= ~(std::uint64_t{1} << (warp % 64));
    --count_;
    next_ = (warp + 1) % (bits_.size() * 64);
    return warp;
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::size_t next_ = 0, count_ = 0;
};

struct Memory {
  Kind kind = Kind::umm;
  std::uint32_t latency = 1;
  bool mapped = false;
  std::vector<Word> words;
  std::vector<std::uint32_t> written;  // the epoch of the last write to each word
  std::uint64_t step_stages = 0;       // lockstep: of the present step
  std::uint64_t port_free = 0;         // pipelined: when the next warp can enter
  Turn turn;
};

struct Write {
  std::uint32_t memory;
  std::uint32_t thread;
  Address address;
  Word value;
};

/// Sets the context of this host thread while programs run.
class Activation {
 public:
  explicit Activation(detail::ProgramContext* context) : before_(std::exchange(detail::active_context, context)) {}
  ~Activation() { detail::active_context = before_; }
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;

 private:
  detail::ProgramContext* before_;
};

struct Sequence {
  SequenceReport report;
  std::uint64_t length = 0, gaps = 0;  // since the phase began
  Address last = 0;
};

struct Phase {
  std::string name;
  Counters counters;
  std::vector<Sequence> sequences;
};

void add(Counters& sum, const Counters& part) {
  sum.reads += part.reads;
  sum.writes += part.writes;
  sum.dispatches += part.dispatches;
  sum.stages += part.stages;
  sum.simultaneous_writes += part.simultaneous_writes;
  sum.barriers += part.barriers;
  sum.time_units += part.time_units;
  if (sum.histogram.size() < part.histogram.size()) sum.histogram.resize(part.histogram.size());
  for (std::size_t k = 0; k < part.histogram.size(); ++k) sum.histogram[k] += part.histogram[k];
}

}  // namespace

double Counters::utilization(std::uint32_t width) const {
  return stages == 0 ? 0 : static_cast<double>(accesses()) / (static_cast<double>(stages) * width);
}

class Simulation::Core : public detail::ProgramContext {
 public:
  Core(const Machine& machine, std::uint32_t threads, const SimulationOptions& options)
      : machine_(machine), options_(options), threads_(threads) {
    validate(machine, threads);
    if (options_.max_memory == 0) options_.max_memory = memory_of_this_computer();
    need(threads * bytes_per_thread, quantity(threads, "thread"));
    const bool warps_matter = machine.kind != Kind::pram && machine.kind != Kind::bpram;
    warp_ = warps_matter ? machine.warp_size() : threads;
    warps_ = threads / warp_;
    requests_.resize(threads);
    programs_.reserve(threads);
    scratch_.resize(warp_);
    if (options.observer != nullptr) traced_.reserve(warp_);
    memories_.resize(machine.kind == Kind::hmm ? 1 + machine.multiprocessors : 1);
    memories_[0].kind = machine.kind == Kind::hmm ? Kind::umm : machine.kind;
    memories_[0].latency = warps_matter ? machine.latency : 1;
    memories_[0].mapped = machine.kind == Kind::dmm && machine.mapping != Mapping::none;
    for (std::size_t m = 1; m < memories_.size(); ++m) {
      memories_[m].kind = Kind::dmm;
      memories_[m].latency = machine.shared_latency;
      memories_[m].mapped = machine.mapping != Mapping::none;
    }
    for (Memory& memory : memories_) memory.turn.resize(warps_);
    enter("all");
  }

  [[noreturn]] void reject_index(std::uint16_t sequence, std::uint64_t index, std::uint64_t size) const {
    const std::string accepted = size == 0 ? "it is empty" : fmt::format("0 to {} is accepted", size - 1);
    throw Error(ErrorKind::input, fmt::format("thread {}, step {}: index {} of array '{}' is out of range: {}",
                                              current - requests_.data(), step_, static_cast<std::int64_t>(index),
                                              names_[sequence], accepted));
  }

  Address allocate(const std::string& name, std::uint64_t size, bool shared) {
    if (shared && machine_.kind != Kind::hmm) {
      throw Error(ErrorKind::usage, fmt::format("array '{}' is shared: only the hmm has shared memories", name));
    }
    const std::size_t copies = shared ? machine_.multiprocessors : 1;
    const std::uint64_t width = machine_.width, old = memories_[shared].words.size();
    const std::uint64_t base = (old + width - 1) / width * width;
    if (size > std::numeric_limits<Address>::max() - std::min<std::uint64_t>(base, 1u << 31)) {
      throw Error(ErrorKind::memory_limit,
                  fmt::format("array '{}' of {} words does not fit: a memory has at most 2^32 words", name, size));
    }
    need((base + size - old) * copies * detail::bytes_per_word,
         fmt::format("array '{}' of {}", name, quantity(size, "word")));
    for (std::size_t m = shared; m < shared + copies; ++m) {
      memories_[m].words.resize(base + size);
      memories_[m].written.resize(base + size);
    }
    const auto first = static_cast<Address>(base);
    if (options_.observer != nullptr && !shared) {
      options_.observer->on_array(name, first, static_cast<std::uint32_t>(size));
    }
    return first;
  }

  std::uint16_t sequence(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) {
      names_.push_back(name);
      for (Phase& phase : phases_) phase.sequences.resize(sequences());
      return static_cast<std::uint16_t>(names_.size() - 1);
    }
    return static_cast<std::uint16_t>(found - names_.begin());
  }

  Word& word(std::uint64_t address) { return memories_[0].words[address]; }

  void run(const std::function<Program(Thread)>& program) {
    const Activation activation(this);
    const std::uint32_t local = threads_ / machine_.multiprocessors;
    programs_.clear();
    for (std::uint32_t t = 0; t < threads_; ++t) {
      programs_.push_back(program({t, threads_, t / local, t % local, local}));
      programs_.back().start_as(requests_[t]);
    }
    live_ = threads_;
    waiting_ = 0;
    if (options_.timing == Timing::lockstep) {
      run_lockstep();
    } else {
      run_pipelined();
    }
    leave();
    programs_.clear();
  }

  [[nodiscard]] TimeUnits time_units() const { return {clock_}; }

  [[nodiscard]] RunReport report() const {
    RunReport result{machine_, threads_, options_.timing, {}, {}};
    for (const Phase& phase : phases_) {
      if (phase.counters.accesses() == 0) continue;
      add(result.total, phase.counters);
      auto& out = result.phases.emplace_back(PhaseReport{phase.name, phase.counters, {}});
      for (std::size_t s = 0; s < phase.sequences.size(); ++s) {
        if (phase.sequences[s].report.sequences == 0) continue;
        out.sequences.push_back(phase.sequences[s].report);
        out.sequences.back().name = names_[s / 2];
        out.sequences.back().writes = s % 2 == 1;
      }
    }
    return result;
  }

 private:
  /// The number of sequences of a phase: for each name its reads, then its writes.
  [[nodiscard]] std::size_t sequences() const { return 2 * names_.size(); }

  struct Collected {
    bool global = false, shared = false, skipped = false;
  };

  void need(std::size_t bytes, const std::string& what) {
    if (bytes > options_.max_memory || bytes_ > options_.max_memory - bytes) {
      throw Error(ErrorKind::memory_limit, fmt::format("{} would need {} in all, there is {}", what,
                                                       bytes_text(static_cast<double>(bytes_ + bytes)),
                                                       bytes_text(static_cast<double>(options_.max_memory))));
    }
    bytes_ += bytes;
  }

  void enter(std::string_view name) {
    auto found = std::ranges::find(phases_, name, &Phase::name);
    if (found == phases_.end()) {
      phases_.push_back({std::string(name), {}, std::vector<Sequence>(sequences())});
      found = phases_.end() - 1;
    }
    phase_ = static_cast<std::size_t>(found - phases_.begin());
    phase_start_ = clock_;
    if (options_.observer != nullptr) options_.observer->on_phase(phases_[phase_].name, {clock_});
  }

  /// Closes the current phase's sequences in the report.
  void leave() {
    Phase& phase = phases_[phase_];
    phase.counters.time_units += TimeUnits{clock_ - phase_start_};
    phase_start_ = clock_;
    for (Sequence& sequence : phase.sequences) {
      if (sequence.length == 0) continue;
      SequenceReport& report = sequence.report;
      ++report.sequences;
      report.length += sequence.length;
      report.fragmentation += sequence.gaps;
      report.longest = std::max(report.longest, sequence.length);
      report.most_fragmented = std::max(report.most_fragmented, sequence.gaps);
      sequence.length = sequence.gaps = 0;
    }
  }

  /// All threads wait at a barrier: releases them, into the next phase if they named one.
  void release() {
    for (Request& request : requests_) {
      if (request.kind == RequestKind::barrier) request.kind = RequestKind::skip;
    }
    waiting_ = 0;
    ++phases_[phase_].counters.barriers;
    if (next_phase.empty()) return;
    leave();
    enter(next_phase);
    next_phase = {};
  }

  /// Runs the threads of a warp up to their next request.
  Collected collect(std::uint32_t warp) {
    Collected result;
    Request* const end = requests_.data() + std::size_t{warp + 1} * warp_;
    for (Request* request = end - warp_; request != end; ++request) {
      if (request->kind >= RequestKind::barrier) continue;
      current = request;
      do request->handle.resume();
      while (request->kind >= RequestKind::call);
      switch (request->kind) {
        case RequestKind::read:
        case RequestKind::write:
          (request->shared ? result.shared : result.global) = true;
          break;
        case RequestKind::skip:
          result.skipped = true;
          break;
        case RequestKind::barrier:
          ++waiting_;
          break;
        case RequestKind::done:
          --live_;
          break;
        case RequestKind::call:
        case RequestKind::raise:
          break;  // resumed above, so never seen here
      }
    }
    return result;
  }

  [[nodiscard]] std::uint32_t memory_of(std::uint32_t warp, bool shared) const {
    return shared ? 1 + warp / (warps_ / machine_.multiprocessors) : 0;
  }

  /// Sends a warp's requests to one memory at `start`. Serves its reads, keeps its writes for `apply_writes`, and
  /// counts everything. Returns the number of stages. One function: with the counting and the observer in functions of
  /// their own, sdp-pipeline took 6 % longer (2026-11-26, GCC 12).
  std::uint32_t dispatch(std::uint32_t warp, bool shared, std::uint64_t start) {
    const std::uint32_t memory_index = memory_of(warp, shared);
    Memory& memory = memories_[memory_index];
    Phase& phase = phases_[phase_];
    Word* const words = memory.words.data();
    std::uint32_t count = 0;
    std::uint64_t writes = 0;
    if (options_.observer != nullptr) traced_.clear();
    std::uint32_t thread = warp * warp_;
    lead_ = nullptr;
    for (const std::uint32_t end = thread + warp_; thread != end; ++thread) {
      Request& request = requests_[thread];
      if (request.kind > RequestKind::write || request.shared != shared) continue;
      const Address address = request.address;
      const bool writes_word = request.kind == RequestKind::write;
      Sequence& sequence = phase.sequences[std::size_t{request.sequence} * 2 + writes_word];
      sequence.gaps += sequence.length > 0 && address - sequence.last + 1 > 2;
      ++sequence.length;
      sequence.last = address;
      if (lead_ == nullptr) lead_ = &sequence;
      if (writes_word) {
        writes_.push_back({memory_index, thread, address, request.value});
        ++writes;
      } else {
        request.value = words[address];
      }
      scratch_[count++] = memory.mapped ? mapped(machine_, address) : address;
      if (options_.observer != nullptr) traced_.push_back({thread, address, writes_word, request.value});
    }
    const std::uint32_t k = stages(memory.kind, machine_.width, {scratch_.data(), count});
    phase.counters.reads += count - writes;
    phase.counters.writes += writes;
    ++phase.counters.dispatches;
    phase.counters.stages += k;
    if (phase.counters.histogram.size() <= k) phase.counters.histogram.resize(k + 1);
    ++phase.counters.histogram[k];
    lead_->report.stages += k;
    if (options_.observer != nullptr) {
      options_.observer->on_dispatch({{start},
                                      {start + k + memory.latency - 1},
                                      static_cast<std::uint32_t>(step_),
                                      warp,
                                      memory_index,
                                      k,
                                      phase.name,
                                      traced_});
    }
    return k;
  }

  /// Applies the writes. The lowest thread wins.
  void apply_writes() {
    if (writes_.empty()) return;
    if (++epoch_ == 0) {  // after 2^32 steps
      for (Memory& memory : memories_) std::ranges::fill(memory.written, 0);
      epoch_ = 1;
    }
    for (const Write& write : writes_) {
      Memory& memory = memories_[write.memory];
      if (memory.written[write.address] == epoch_) {
        ++phases_[phase_].counters.simultaneous_writes;
        if (options_.exclusive) reject_simultaneous(write);
        continue;
      }
      memory.written[write.address] = epoch_;
      memory.words[write.address] = write.value;
    }
    writes_.clear();
  }

  [[noreturn]] void reject_simultaneous(const Write& second) const {
    const auto first = std::ranges::find_if(
        writes_, [&](const Write& write) { return write.address == second.address && write.memory == second.memory; });
    throw Error(ErrorKind::input, fmt::format("threads {} and {} write address {} in the same step ({}), which "
                                              "exclusive mode refuses",
                                              first->thread, second.thread, second.address, step_));
  }

  void run_lockstep() {
    while (live_ > 0) {
      if (waiting_ == live_) release();
      Sequence* lead = nullptr;
      for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        const Collected collected = collect(warp);
        for (const bool shared : {false, true}) {
          if (!(shared ? collected.shared : collected.global)) continue;
          Memory& memory = memories_[memory_of(warp, shared)];
          memory.step_stages += dispatch(warp, shared, clock_ + memory.step_stages);
          if (lead == nullptr) lead = lead_;
        }
      }
      if (lead == nullptr) continue;
      apply_writes();
      std::uint64_t slowest = 0;
      for (Memory& memory : memories_) {
        if (memory.step_stages > 0) slowest = std::max(slowest, memory.step_stages + memory.latency - 1);
        memory.step_stages = 0;
      }
      clock_ += slowest;
      lead->report.time_units += TimeUnits{slowest};
      ++step_;
    }
  }

  /// Carries out a dispatched warp's effects at once. Each memory completes its warps in the order of their dispatch,
  /// and no thread sees an effect before its own completion. So the values are those at completion.
  void run_pipelined() {
    using Completion = std::pair<std::uint64_t, std::uint32_t>;  // time, warp
    std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions;
    std::vector<std::uint8_t> unfinished(warps_);
    const auto advance = [&](std::uint32_t warp) {
      Collected collected;
      do collected = collect(warp);
      while (!collected.global && !collected.shared && collected.skipped);
      if (collected.global) memories_[0].turn.add(warp);
      if (collected.shared) memories_[memory_of(warp, true)].turn.add(warp);
      unfinished[warp] = static_cast<std::uint8_t>(collected.global + collected.shared);
    };
    for (std::uint32_t warp = 0; warp < warps_; ++warp) advance(warp);
    while (live_ > 0) {
      while (live_ > 0 && waiting_ == live_) {
        release();
        for (std::uint32_t warp = 0; warp < warps_; ++warp) advance(warp);
      }
      constexpr auto never = std::numeric_limits<std::uint64_t>::max();
      std::uint64_t next = completions.empty() ? never : completions.top().first;
      for (std::uint32_t m = 0; m < memories_.size(); ++m) {
        Memory& memory = memories_[m];
        if (memory.turn.empty()) continue;
        if (memory.port_free <= clock_) {
          const std::uint32_t warp = memory.turn.take();
          const std::uint32_t k = dispatch(warp, m > 0, clock_);
          ++step_;
          apply_writes();
          memory.port_free = clock_ + k;
          completions.emplace(clock_ + k + memory.latency - 1, warp);
          next = std::min(next, completions.top().first);
        }
        if (!memory.turn.empty()) next = std::min(next, memory.port_free);
      }
      if (next == never) break;
      clock_ = std::max(clock_, next);
      while (!completions.empty() && completions.top().first <= clock_) {
        const std::uint32_t warp = completions.top().second;
        completions.pop();
        if (--unfinished[warp] == 0) advance(warp);
      }
    }
  }

  Machine machine_;
  SimulationOptions options_;
  std::uint32_t threads_ = 0, warp_ = 1, warps_ = 1;
  std::size_t bytes_ = 0;
  std::vector<Memory> memories_;
  std::vector<std::string> names_;  // names of the sequences
  std::vector<Phase> phases_;
  std::size_t phase_ = 0;
  std::uint64_t phase_start_ = 0;
  std::vector<Request> requests_;
  std::vector<Program> programs_;
  std::vector<Address> scratch_;
  std::vector<TraceAccess> traced_;
  std::vector<Write> writes_;
  Sequence* lead_ = nullptr;  // the sequence of the lowest thread in the last dispatch
  std::uint32_t live_ = 0, waiting_ = 0;
  std::uint32_t epoch_ = 0;
  std::uint64_t clock_ = 0, step_ = 0;
};

void detail::ProgramContext::refuse(const ProgramContext* context, std::uint16_t sequence, std::uint64_t index,
                                    std::uint64_t size) {
  if (context == nullptr)
    throw Error(ErrorKind::usage, "an array is of no simulation: those that one makes are accepted");
  static_cast<const Simulation::Core*>(context)->reject_index(sequence, index, size);
}

Simulation::Simulation(const Machine& machine, std::uint32_t threads, const SimulationOptions& options)
    : core_(std::make_unique<Core>(machine, threads, options)) {}
Simulation::~Simulation() = default;

void Simulation::run(const std::function<Program(Thread)>& program) {
  if (!program) throw Error(ErrorKind::usage, "there is no program: a function that is one is accepted");
  core_->run(program);
}
TimeUnits Simulation::time_units() const { return core_->time_units(); }
RunReport Simulation::report() const { return core_->report(); }

detail::ProgramContext* Simulation::context() { return core_.get(); }
void Simulation::check_global(const detail::ProgramContext* of_array, bool shared) {
  if (of_array == core_.get() && !shared) return;
  throw Error(ErrorKind::usage, shared ? "the array is in shared memory, of which there is one a multiprocessor: a "
                                         "global one is accepted"
                                       : "the array is another simulation's: one of this is accepted");
}
Address Simulation::allocate(const std::string& name, std::uint64_t size, bool shared) {
  return core_->allocate(name, size, shared);
}
std::uint16_t Simulation::sequence(const std::string& name) { return core_->sequence(name); }
Word& Simulation::word(std::uint64_t address) { return core_->word(address); }

}  // namespace warpfold::machine
