#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/run/budget.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// How every family solves: it declares its backends, an algorithm on a device each, and `solve_by` takes the one that
/// the options and the problem ask for, gives it what it needs, and reports what ran.
namespace warpfold {

/// What Context::give_up raises.
struct GaveUp {
  std::string reason;
};

/// What a backend gets besides its problem.
class Context {
 public:
  Context(const Options& asked, Report& to_fill);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Before memory of GPUs is allocated, all that is held at the same time of options.device.index, and of each of
  /// options.device.more: raises what check_device_memory raises, and lets the report know.
  void take_device_memory(std::size_t bytes, std::size_t of_others = 0);

  /// Tells the caller that all is done, where the backend has not: what is solved at a stroke counts no operations.
  void report_completion() const;

  /// Ends this backend's run. The backend that it hands on to (Backend::hands_on_to) runs next and finds the reason in
  /// `gave_up`. Only where `next` is set.
  [[noreturn]] static void give_up(std::string reason) { throw GaveUp{std::move(reason)}; }

  Options options;  ///< the caller's; what is solved within this solve takes its memory from `budget`
  Budget budget;    ///< the host's memory
  Report& report;   ///< the backend fills in threads; times, where it has several parts
  /// Estimates what the next backend takes, should this one give up. Empty: this one must not give up.
  std::function<ResourceEstimate()> next = {};
  std::string gave_up = {};  ///< why the backend before this one gave up; empty: none did

 private:
  Progress told_ = {0, 1};
};

/// An algorithm on a device. `Size` is what decides which one runs and what it takes, often the problem itself.
template <class Size, class Problem, class Solution>
struct Backend {
  AlgorithmInfo info;
  /// Of the backends that may run, that of least cost does; of equal ones the first. Seconds where the family can tell.
  /// Null: 0.
  double (*cost)(const Size& size, const Options& options) = nullptr;
  /// The most bytes of the host's memory that `run` takes; null where that is next to none, or a GPU's transfers alone.
  std::size_t (*bytes)(const Size& size, const Options& options) = nullptr;
  /// Null: the entry is no algorithm, its `unsupported_reason` only explains why the name does not run.
  Solution (*run)(const Problem& problem, Context& context) = nullptr;
  /// Why it does not solve such a problem: "does not solve unbounded problems", or empty. Null: it solves every one.
  std::string (*unsupported_reason)(const Size& size) = nullptr;
  bool has_parameters = false;       ///< "NAME:..." names it too
  bool supports_multi_gpu = false;   ///< whether it solves one problem on several GPUs; the options then list them
  bool supports_checkpoint = false;  ///< it hands its table to Options::checkpointer
  /// The most bytes of a GPU's memory that `run` takes: Context::take_device_memory. Null on the CPU.
  std::size_t (*device_bytes)(const Size& size, const Options& options) = nullptr;
  bool explicit_only = false;  ///< runs only where Options::algorithm names it

  // For estimates.
  /// Elementary operations of the recurrence. Null: they cannot be told beforehand.
  double (*operations)(const Size& size) = nullptr;
  /// Seconds of a run: measured on a small problem (run/probe.hpp) if one rate fits all sizes, otherwise from the
  /// family's tuning.hpp. Null: `cost`.
  double (*seconds)(const Backend& backend, const Size& size, const Options& options) = nullptr;
  std::size_t probe_size = 0;  ///< size of that small problem
  /// The worst case where the instance decides how far the algorithm goes; `next` is what the next backend takes, if it
  /// may hand on. Null: the worst case is `expected`.
  ResourceEstimate (*worst_case)(const ResourceEstimate& expected, const Size& size, const Options& options,
                                 const std::optional<ResourceEstimate>& next) = nullptr;

  /// The backend on the same device that runs where this one gives up (Context::give_up). Not where an algorithm was
  /// named, or where the next one refuses the problem.
  std::string hands_on_to = {};
  /// Whether it may hand on with so many bytes left. Null: always.
  bool (*may_hand_on)(const Size& size, std::size_t bytes_left) = nullptr;

  /// Why it does not run with these options, or empty.
  [[nodiscard]] std::string unsupported_reason_of(const Size& size, const Options& options) const {
    if (options.checkpointer && !supports_checkpoint) return "keeps no checkpoint";
    return unsupported_reason ? unsupported_reason(size) : "";
  }
  [[nodiscard]] double cost_of(const Size& size, const Options& options) const {
    return cost ? cost(size, options) : 0;
  }
};

/// A backend as the choice sees it, for the problem at hand.
struct Candidate {
  const AlgorithmInfo* info;
  double cost = 0;
  std::string unsupported_reason = {};
  bool has_parameters = false;
  bool supports_multi_gpu = false;
  bool explicit_only = false;
  bool runs = true;  ///< else it only explains

  [[nodiscard]] bool on_gpu() const { return info->device == "cuda"; }
};

/// Positions in the list of candidates.
struct Choice {
  std::size_t first = 0;
  std::optional<std::size_t> instead;  ///< on the CPU, where nobody asked for the GPU that `first` runs on
};

/// `options.algorithm` and `options.device` decide as far as they say something; an algorithm that only one device has
/// decides the device. A GPU is chosen freely only where `gpu_there`, which is asked last, says that there is one.
/// Raises Error{usage} for a name that is unknown, or does not go together with the device or the problem, or where
/// several GPUs are asked of backends that use one, and
/// Error{device} for a GPU where no backend has any.
[[nodiscard]] Choice choose(std::span<const Candidate> candidates, const Options& options,
                            const std::function<bool()>& gpu_there);
/// The same where this machine is asked for its GPUs.
[[nodiscard]] Choice choose(std::span<const Candidate> candidates, const Options& options);

/// Runs run(position), which fills in `report`, for the choice: first the one and, where its GPU cannot (it raises
/// Error{device}, Error{memory_limit} or std::bad_alloc) and the choice has another, that one. The report then says so.
void run_choice(const Choice& choice, const Options& options, Report& report,
                const std::function<void(std::size_t)>& run);

/// The name in reports of the GPU, or GPUs, that the options mean.
[[nodiscard]] std::string gpu_name(const Options& options);

/// What the frame says of a run that took so long; what the backend said of it already stands.
void finish_report(const AlgorithmInfo& ran, const Context& context, double seconds);

/// What a solve says of another one within it, or of one after the other: device and algorithm are those of the part
/// that ran last, times are added, threads and bytes are the most of all parts, and a GPU that one part passed over
/// stays named.
void add_part(Report& whole, const Report& part);

/// Where a backend uses GPUs of this build, their numbers; a problem that is solved before may never come to them. (A
/// caller's CUDA backend needs none of this library's.)
void find_gpus_of(const AlgorithmInfo& backend, Options& options);

/// The choice among backends, by what each costs at this size.
template <class Size, class Problem, class Solution>
[[nodiscard]] Choice choose_for(std::span<const Backend<Size, Problem, Solution>> backends,
                                const std::type_identity_t<Size>& size, const Options& options) {
  std::vector<Candidate> candidates;
  candidates.reserve(backends.size());
  for (const auto& backend : backends) {
    candidates.push_back({.info = &backend.info,
                          .cost = backend.cost_of(size, options),
                          .unsupported_reason = backend.unsupported_reason_of(size, options),
                          .has_parameters = backend.has_parameters,
                          .supports_multi_gpu = backend.supports_multi_gpu,
                          .explicit_only = backend.explicit_only,
                          .runs = backend.run != nullptr});
  }
  return choose(candidates, options);
}

/// The backend that would run, for estimates.
template <class Size, class Problem, class Solution>
[[nodiscard]] const Backend<Size, Problem, Solution>& backend_for(
    std::span<const Backend<Size, Problem, Solution>> backends, const std::type_identity_t<Size>& size,
    const Options& options) {
  return backends[choose_for(backends, size, options).first];
}

/// Without its seconds.
template <class Size, class Problem, class Solution>
[[nodiscard]] ResourceEstimate resources_of(const Backend<Size, Problem, Solution>& backend,
                                            const std::type_identity_t<Size>& size, const Options& options) {
  ResourceEstimate needs{backend.info.name, 0, backend.bytes ? backend.bytes(size, options) : 0};
  if (!backend.device_bytes) return needs;
  Options there = options;
  find_gpus_of(backend.info, there);
  needs.device_bytes = backend.device_bytes(size, there);
  return needs;
}

/// With its seconds.
template <class Size, class Problem, class Solution>
[[nodiscard]] ResourceEstimate timed_resources_of(const Backend<Size, Problem, Solution>& backend,
                                                  const std::type_identity_t<Size>& size, const Options& options) {
  ResourceEstimate needs = resources_of(backend, size, options);
  needs.seconds = backend.seconds ? backend.seconds(backend, size, options) : backend.cost_of(size, options);
  return needs;
}

/// The backend that runs where this one gives up, with so many bytes left. Null: this one must not give up.
template <class Size, class Problem, class Solution>
[[nodiscard]] const Backend<Size, Problem, Solution>* next_of(
    std::span<const Backend<Size, Problem, Solution>> backends, const Backend<Size, Problem, Solution>& backend,
    const std::type_identity_t<Size>& size, const Options& options, std::size_t bytes_left) {
  if (backend.hands_on_to.empty() || !options.algorithm.empty()) return nullptr;
  if (backend.may_hand_on && !backend.may_hand_on(size, bytes_left)) return nullptr;
  const auto next = std::ranges::find_if(backends, [&](const auto& other) {
    return other.info.name == backend.hands_on_to && other.info.device == backend.info.device;
  });
  return next != backends.end() && next->unsupported_reason_of(size, options).empty() ? &*next : nullptr;
}

/// What one backend takes and then the next.
[[nodiscard]] ResourceEstimate followed_by(const ResourceEstimate& first, const ResourceEstimate& next);

/// What the backend that would run takes.
template <class Size, class Problem, class Solution>
[[nodiscard]] Estimate estimate_by(std::span<const Backend<Size, Problem, Solution>> backends,
                                   const std::type_identity_t<Size>& size, const Options& options) {
  const auto& backend = backend_for(backends, size, options);
  Estimate expected{timed_resources_of(backend, size, options), backend.operations ? backend.operations(size) : 0};
  const auto* next = next_of(backends, backend, size, options, Budget(options).left());
  if (!next && !backend.worst_case) return expected;
  const auto resources_of_next = next ? std::optional(timed_resources_of(*next, size, options)) : std::nullopt;
  expected.worst_case = backend.worst_case ? backend.worst_case(expected, size, options, resources_of_next) : expected;
  if (next) expected.worst_case = followed_by(*expected.worst_case, *resources_of_next);
  return expected;
}

/// The options with another algorithm; "": the solver chooses.
[[nodiscard]] inline Options with_algorithm(const std::string& algorithm, Options options) {
  options.algorithm = algorithm;
  return options;
}

/// What is said of a problem that has nothing to solve, once the options have been obeyed: of the backend that would
/// run.
template <class Size, class Problem, class Solution>
[[nodiscard]] Report report_of_nothing(std::span<const Backend<Size, Problem, Solution>> backends,
                                       const std::type_identity_t<Size>& size, const Options& options) {
  const AlgorithmInfo& info = backend_for(backends, size, options).info;
  SolveMonitor(options, 1).advance(1);
  return {.device = info.device, .algorithm = info.name};
}

/// Raises what `choose` and the backend raise, and Error{device} where there is no such GPU. No backend begins that
/// should stop, and the end is told once, however small the problem is. Where the backend gives up, the one that it
/// hands on to solves the problem, as if it had been named; `gave_up` is for its Context.
template <class Size, class Problem, class Solution>
[[nodiscard]] Outcome<Solution> solve_by(std::span<const Backend<Size, Problem, Solution>> backends,
                                         const std::type_identity_t<Size>& size,
                                         const std::type_identity_t<Problem>& problem, const Options& options,
                                         const std::string& gave_up = {}) {
  std::optional<Solution> solution;
  Report report;
  run_choice(choose_for(backends, size, options), options, report, [&](std::size_t at) {
    const auto& backend = backends[at];
    const auto start = std::chrono::steady_clock::now();
    Context context(options, report);
    const SolveMonitor before(options, 0);
    find_gpus_of(backend.info, context.options);
    context.gave_up = gave_up;
    const auto* next = next_of(backends, backend, size, options, context.budget.left());
    if (next) context.next = [&, next] { return timed_resources_of(*next, size, options); };
    try {
      solution.emplace(backend.run(problem, context));
    } catch (const GaveUp& end) {
      report.solve_seconds = seconds_since(start) - report.prepare_seconds;
      auto by_next =
          solve_by(backends, size, problem, with_algorithm(backend.hands_on_to, context.options), end.reason);
      add_part(report, by_next.report);
      solution.emplace(std::move(by_next.solution));
    }
    context.report_completion();
    finish_report(backend.info, context, seconds_since(start));
  });
  return {std::move(*solution), std::move(report)};
}

/// The options without an algorithm that has the name of one of `others`, which serve another call of the family with
/// the same options.
[[nodiscard]] inline Options without_those_of(const std::vector<AlgorithmInfo>& others, Options options) {
  if (std::ranges::find(others, options.algorithm, &AlgorithmInfo::name) != others.end()) options.algorithm.clear();
  return options;
}

/// Backends that a caller adds to a family's own, for Options::algorithm to name.
template <class B>
using ExtraBackends = std::span<const std::type_identity_t<B>>;

/// The family's own, then the caller's.
template <class B>
[[nodiscard]] std::vector<B> with_extra(std::vector<B> own, ExtraBackends<B> extra_backends) {
  own.insert(own.end(), extra_backends.begin(), extra_backends.end());
  return own;
}

/// `solve_by` among both.
template <class Size, class Problem, class Solution>
[[nodiscard]] Outcome<Solution> solve_by(const std::vector<Backend<Size, Problem, Solution>>& own,
                                         ExtraBackends<Backend<Size, Problem, Solution>> extra_backends,
                                         const std::type_identity_t<Size>& size,
                                         const std::type_identity_t<Problem>& problem, const Options& options) {
  if (extra_backends.empty()) return solve_by(std::span(own), size, problem, options);  // without a copy of the list
  const auto all = with_extra(own, extra_backends);
  return solve_by(std::span(all), size, problem, options);
}

/// What `info` and the families' `algorithms()` list.
template <class Size, class Problem, class Solution>
[[nodiscard]] std::vector<AlgorithmInfo> infos(const std::vector<Backend<Size, Problem, Solution>>& backends) {
  std::vector<AlgorithmInfo> list;
  for (const auto& backend : backends) {
    if (backend.run) list.push_back(backend.info);
  }
  return list;
}

}  // namespace warpfold
