#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/run/budget.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// How every family solves. A family declares its backends, each an algorithm on one device. `solve_by` chooses a
/// backend by the options and the problem, runs it, and reports what ran.
namespace warpfold {

/// What a backend gets besides its problem.
class Context {
 public:
  Context(const Options& asked, Report& to_fill);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Records the memory of GPUs that this backend needs. Call it before allocating.
  ///
  /// `bytes` is the most held at one time on GPU options.device.index, `of_others` on each GPU of options.device.more.
  /// Raises what check_device_memory raises. Report::peak_device_bytes grows to cover it.
  void take_device_memory(std::size_t bytes, std::size_t of_others = 0);

  /// Tells the caller the progress of so many operations as one. The solves inside this one that follow each other are
  /// parts of it. A second call adds operations.
  void expect(double operations) { expected_ += operations; }

  /// Completes the report of a backend that ran for `seconds`: its device, algorithm and solve time if they are empty,
  /// and the peak of the budget. Reports the end of the work to the caller's progress callback if the backend has not
  /// done so. The frame calls it.
  void finish(const AlgorithmInfo& ran, double seconds) const;

  /// Ends this backend's run. The backend that Backend::hands_on_to names runs next and finds `reason` in `gave_up`.
  /// Call it only if `next` is set.
  [[noreturn]] static void give_up(std::string reason);

  /// The caller's options. Solves inside this one reserve their memory from `budget`.
  Options options;
  /// The host memory of this solve.
  Budget budget;
  /// Filled in by the backend: the threads, and the times if it has several parts.
  Report& report;
  /// Estimates the backend that runs if this one gives up. Empty: this backend must not give up.
  std::function<ResourceEstimate()> next = {};
  std::string gave_up = {};  ///< why the backend before this one gave up, or empty

 private:
  [[nodiscard]] Progress of_all_parts(const Progress& part);

  Progress told_ = {0, 1};
  double expected_ = 0;  ///< the operations of all parts, or 0: there is one
  Progress part_ = {};   ///< of the part that was told last
  double before_ = 0;    ///< what the parts before it did
};

/// An algorithm on one device. `Size` decides which backend runs and what it needs; often it is the problem itself.
template <class Size, class Problem, class Solution>
struct Backend {
  AlgorithmInfo info;
  /// The cost that the choice minimizes: the cheapest backend runs, the first of equals. In seconds if the family can
  /// tell, else in a unit that all its backends share. Null: 0.
  double (*cost)(const Size& size, const Options& options) = nullptr;
  /// The maximum bytes of host memory that `run` needs. Null: almost none, or only the buffers of GPU transfers.
  std::size_t (*bytes)(const Size& size, const Options& options) = nullptr;
  /// Solves the problem. Null: the entry is no algorithm, and its `unsupported_reason` explains why the name does not
  /// run.
  Solution (*run)(const Problem& problem, Context& context) = nullptr;
  /// Why it does not solve such a problem, for example "does not solve unbounded problems", or empty. Unless the reason
  /// says after a colon what is accepted, the error lists the algorithms that solve it. Null: it solves every problem.
  std::string (*unsupported_reason)(const Size& size) = nullptr;
  bool has_parameters = false;       ///< whether "NAME:..." names it, too
  bool supports_multi_gpu = false;   ///< whether it solves one problem on several GPUs, which the options then list
  bool supports_checkpoint = false;  ///< whether it passes its table to Options::checkpointer
  /// The maximum bytes of memory of one GPU that `run` needs (Context::take_device_memory). Null on the CPU.
  std::size_t (*device_bytes)(const Size& size, const Options& options) = nullptr;
  bool explicit_only = false;  ///< whether it runs only if Options::algorithm names it

  // The remaining members up to `worst_case` serve estimates.
  /// The elementary operations of the recurrence. Null: unknown before the solve.
  double (*operations)(const Size& size) = nullptr;
  /// The seconds of a run: measured on a small problem (run/probe.hpp) if one rate fits all sizes, otherwise from the
  /// family's tuning.hpp. Null: `cost`.
  double (*seconds)(const Backend& backend, const Size& size, const Options& options) = nullptr;
  std::size_t probe_size = 0;  ///< the size of that small problem
  /// The whole estimate but its worst case, for a backend that would otherwise examine the problem for `bytes`, for
  /// `operations` and for `seconds`. Null: those three give it.
  Estimate (*estimate)(const Backend& backend, const Size& size, const Options& options) = nullptr;
  /// The worst case, if the data decides how far the algorithm goes. `next` is the estimate of the next backend, if
  /// this one may hand on. Null: the worst case is `expected`.
  ResourceEstimate (*worst_case)(const ResourceEstimate& expected, const Size& size, const Options& options,
                                 const std::optional<ResourceEstimate>& next) = nullptr;

  /// The name of the backend on the same device that runs if this one gives up (Context::give_up). Ignored if the
  /// caller named an algorithm, or if the next backend does not support the problem.
  std::string hands_on_to = {};
  /// Whether it may hand on with this many bytes of memory left. Null: always.
  bool (*may_hand_on)(const Size& size, std::size_t bytes_left) = nullptr;
};

/// A backend as the choice sees it for one problem.
struct Candidate {
  const AlgorithmInfo* info;
  double cost = 0;
  std::string unsupported_reason = {};
  bool has_parameters = false;
  bool supports_multi_gpu = false;
  bool explicit_only = false;
  bool runs = true;  ///< false: the entry only explains why its name does not run

  [[nodiscard]] bool on_gpu() const { return info->device == "cuda"; }
};

/// The result of a choice, as positions in the list of candidates.
struct Choice {
  std::size_t first = 0;
  /// The fallback on the CPU. Set if `first` runs on a GPU that the caller did not ask for.
  std::optional<std::size_t> instead;
};

/// Chooses the cheapest candidate that `options.algorithm` and `options.device` allow. An algorithm that exists on one
/// device only decides the device. With device `automatic`, a GPU is preferred to the CPU only if `gpu_pays` returns
/// true, by default if this machine has one. It gets the position of the CPU's candidate, and is called last, and only
/// then.
///
/// Raises Error{usage}:
/// * for an unknown algorithm, or one that does not support the device or the problem;
/// * for several GPUs, if the algorithm uses one.
///
/// Raises Error{device} for a GPU if no candidate runs on one.
[[nodiscard]] Choice choose(
    std::span<const Candidate> candidates, const Options& options,
    const std::function<bool(std::size_t on_cpu)>& gpu_pays = [](std::size_t) { return !gpus().empty(); });

/// Runs run(choice.first), which fills in `report`. If that fails on a GPU and the choice has a fallback, runs
/// run(choice.instead) and sets Report::fallback_reason. Failures are Error{device}, Error{memory_limit} and
/// std::bad_alloc. `device` is that of the options.
void run_choice(const Choice& choice, const Device& device, Report& report,
                const std::function<void(std::size_t)>& run);

/// The name of a device's GPU or GPUs, as reports give it.
[[nodiscard]] std::string gpu_name(Device device);

/// Adds the report of a part to the report of the whole. The part is a solve inside another solve, or one that follows
/// it. Device, algorithm and fallback reason are those of the last part that has them. Times are added. Threads and
/// bytes are the maximum of the parts.
void add_part(Report& whole, const Report& part);

/// Resolves the numbers of a device if the backend is CUDA and this build has CUDA. Called by the frame because a
/// trivial problem may return before the backend touches a GPU. A user's CUDA backend works in a build without CUDA,
/// too.
[[nodiscard]] Device device_of(const AlgorithmInfo& backend, const Device& device);

/// Estimates the memory of a backend. The seconds are 0.
template <class Size, class Problem, class Solution>
[[nodiscard]] ResourceEstimate resources_of(const Backend<Size, Problem, Solution>& backend,
                                            const std::type_identity_t<Size>& size, const Options& options) {
  ResourceEstimate needs{backend.info.name, 0, backend.bytes ? backend.bytes(size, options) : 0};
  if (!backend.device_bytes) return needs;
  Options there = options;
  there.device = device_of(backend.info, options.device);
  needs.device_bytes = backend.device_bytes(size, there);
  return needs;
}

/// Backends of a family with one problem and the options of one call, without their types. All that does not depend on
/// the types is written for this class. A backend is its position in the list.
class BackendList {
 public:
  [[nodiscard]] virtual const Options& options() const = 0;
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual const AlgorithmInfo& info(std::size_t at) const = 0;
  [[nodiscard]] virtual Candidate candidate(std::size_t at) const = 0;
  /// The estimate of a backend that does not give up. The worst case is not set.
  [[nodiscard]] virtual Estimate estimate(std::size_t at) const = 0;
  /// Backend::worst_case. Empty if the backend has none.
  [[nodiscard]] virtual std::optional<ResourceEstimate> worst_case(
      std::size_t at, const ResourceEstimate& expected, const std::optional<ResourceEstimate>& next) const = 0;
  /// The backend that runs if this one gives up, with `bytes_left` bytes of memory left. Empty: this one must not give
  /// up.
  [[nodiscard]] virtual std::optional<std::size_t> next(std::size_t at, std::size_t bytes_left) const = 0;
  /// Solves the problem and keeps the solution.
  virtual void run(std::size_t at, Context& context) = 0;
  /// Solves the problem with other options, and keeps the solution. `gave_up` becomes Context::gave_up.
  virtual Report solve_again(const Options& options, const std::string& gave_up) = 0;

 protected:
  ~BackendList() = default;
};

/// Chooses among the backends by their costs. Raises what `choose` raises.
[[nodiscard]] Choice choose_for(const BackendList& backends);
/// Estimates the backend that would run. Raises what `choose` raises.
[[nodiscard]] Estimate estimate_by(const BackendList& backends);
/// The report of the backend that would run, for a problem that is solved without it.
[[nodiscard]] Report report_of_nothing(const BackendList& backends);
/// Runs the backend that `choose` selects, and the next one if it gives up.
Report solve_by(BackendList& backends, const std::string& gave_up = {});

/// Backends that a caller adds to the family's own. Options::algorithm can name them.
template <class B>
using ExtraBackends = std::span<const std::type_identity_t<B>>;

/// The list of backends of some types: the family's own, then the caller's. `problem` may be null if none of them runs.
/// All arguments must outlive the list.
template <class Size, class Problem, class Solution>
class TypedBackends final : public BackendList {
 public:
  using Entry = Backend<Size, Problem, Solution>;

  TypedBackends(std::span<const Backend<Size, Problem, Solution>> own, const std::type_identity_t<Size>& size,
                const Options& options, ExtraBackends<Entry> extra_backends = {},
                const std::type_identity_t<Problem>* problem = nullptr)
      : own_(own), extra_(extra_backends), size_(size), options_(options), problem_(problem) {}

  [[nodiscard]] const Options& options() const override { return options_; }
  [[nodiscard]] std::size_t count() const override { return own_.size() + extra_.size(); }
  [[nodiscard]] const AlgorithmInfo& info(std::size_t at) const override { return entry(at).info; }
  [[nodiscard]] Candidate candidate(std::size_t at) const override {
    const auto& backend = entry(at);
    return {.info = &backend.info,
            .cost = cost(at),
            .unsupported_reason = unsupported_reason(at),
            .has_parameters = backend.has_parameters,
            .supports_multi_gpu = backend.supports_multi_gpu,
            .explicit_only = backend.explicit_only,
            .runs = backend.run != nullptr};
  }
  [[nodiscard]] Estimate estimate(std::size_t at) const override {
    const auto& backend = entry(at);
    if (backend.estimate) return backend.estimate(backend, size_, options());
    Estimate expected{resources_of(backend, size_, options())};
    expected.seconds = backend.seconds ? backend.seconds(backend, size_, options()) : cost(at);
    if (backend.operations) expected.operations = backend.operations(size_);
    return expected;
  }
  [[nodiscard]] std::optional<ResourceEstimate> worst_case(std::size_t at, const ResourceEstimate& expected,
                                                           const std::optional<ResourceEstimate>& next) const override {
    if (!entry(at).worst_case) return std::nullopt;
    return entry(at).worst_case(expected, size_, options(), next);
  }
  [[nodiscard]] std::optional<std::size_t> next(std::size_t at, std::size_t bytes_left) const override {
    const auto& backend = entry(at);
    if (backend.hands_on_to.empty() || !options().algorithm.empty()) return std::nullopt;
    if (backend.may_hand_on && !backend.may_hand_on(size_, bytes_left)) return std::nullopt;
    for (std::size_t other = 0; other < count(); ++other) {
      if (info(other).name != backend.hands_on_to || info(other).device != backend.info.device) continue;
      if (unsupported_reason(other).empty()) return other;
      break;
    }
    return std::nullopt;
  }
  void run(std::size_t at, Context& context) override { solution_.emplace(entry(at).run(*problem_, context)); }
  Report solve_again(const Options& options, const std::string& gave_up) override {
    TypedBackends others(own_, size_, options, extra_, problem_);
    Report report = solve_by(others, gave_up);
    solution_ = std::move(others.solution_);
    return report;
  }

  [[nodiscard]] Solution&& solution() { return std::move(*solution_); }

 private:
  [[nodiscard]] const Entry& entry(std::size_t at) const {
    return at < own_.size() ? own_[at] : extra_[at - own_.size()];
  }
  [[nodiscard]] double cost(std::size_t at) const { return entry(at).cost ? entry(at).cost(size_, options()) : 0; }
  /// Why a backend does not run with the options, or empty.
  [[nodiscard]] std::string unsupported_reason(std::size_t at) const {
    if (options().checkpointer && !entry(at).supports_checkpoint) return "keeps no checkpoint";
    return entry(at).unsupported_reason ? entry(at).unsupported_reason(size_) : "";
  }

  std::span<const Entry> own_, extra_;
  const Size& size_;
  const Options& options_;
  const Problem* problem_;
  std::optional<Solution> solution_;
};

/// The backend that would run. Raises what `choose` raises.
template <class Size, class Problem, class Solution>
[[nodiscard]] const Backend<Size, Problem, Solution>& backend_for(
    std::span<const Backend<Size, Problem, Solution>> backends, const std::type_identity_t<Size>& size,
    const Options& options) {
  return backends[choose_for(TypedBackends(backends, size, options)).first];
}

/// Estimates the backend that would run, of the family's own and the caller's. Raises what `choose` raises.
template <class Size, class Problem, class Solution>
[[nodiscard]] Estimate estimate_by(std::span<const Backend<Size, Problem, Solution>> own,
                                   const std::type_identity_t<Size>& size, const Options& options,
                                   ExtraBackends<Backend<Size, Problem, Solution>> extra_backends = {}) {
  return estimate_by(TypedBackends(own, size, options, extra_backends));
}

/// Copies the options with another algorithm. "": the solver chooses.
[[nodiscard]] inline Options with_algorithm(const std::string& algorithm, Options options) {
  options.algorithm = algorithm;
  return options;
}

/// The report for a problem that has nothing to solve. It names the backend that would run, and options are checked as
/// in a solve: raises what `choose` and SolveMonitor raise.
template <class Size, class Problem, class Solution>
[[nodiscard]] Report report_of_nothing(std::span<const Backend<Size, Problem, Solution>> backends,
                                       const std::type_identity_t<Size>& size, const Options& options) {
  return report_of_nothing(TypedBackends(backends, size, options));
}

/// Solves a problem by the backend that `choose` selects, of the family's own and the caller's.
///
/// Raises what `choose` and the backend raise, and Error{device} if a named GPU does not exist. Raises Error{cancelled}
/// or Error{time_limit} before a backend starts if the solve should stop. The progress callback gets the end exactly
/// once, however small the problem is.
///
/// If the backend gives up, the backend it hands on to solves the problem as if it had been named. The report covers
/// both, and the second finds the reason in Context::gave_up.
template <class Size, class Problem, class Solution>
[[nodiscard]] Outcome<Solution> solve_by(std::span<const Backend<Size, Problem, Solution>> own,
                                         const std::type_identity_t<Size>& size,
                                         const std::type_identity_t<Problem>& problem, const Options& options,
                                         ExtraBackends<Backend<Size, Problem, Solution>> extra_backends = {}) {
  TypedBackends list(own, size, options, extra_backends, &problem);
  Report report = solve_by(list);
  return {list.solution(), std::move(report)};
}

/// Copies the options without their algorithm if `others` lists its name. For options that serve two calls of a family,
/// where the name belongs to the other call.
[[nodiscard]] inline Options without_those_of(const std::vector<AlgorithmInfo>& others, Options options) {
  if (std::ranges::find(others, options.algorithm, &AlgorithmInfo::name) != others.end()) options.algorithm.clear();
  return options;
}

/// The algorithms that `info` and the families' `algorithms()` list.
template <class Size, class Problem, class Solution>
[[nodiscard]] std::vector<AlgorithmInfo> infos(const std::vector<Backend<Size, Problem, Solution>>& backends) {
  std::vector<AlgorithmInfo> list;
  for (const auto& backend : backends) {
    if (backend.run) list.push_back(backend.info);
  }
  return list;
}

}  // namespace warpfold
