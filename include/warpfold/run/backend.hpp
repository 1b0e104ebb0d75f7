#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
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
  void tell_end() const;

  Options options;  ///< the caller's; what is solved within this solve takes its memory from `budget`
  Budget budget;    ///< the host's memory
  Report& report;   ///< the backend fills in threads; times, where it has several parts

 private:
  Progress told_ = {0, 1};
};

/// An algorithm on a device. `Size` is what decides which one runs and what it takes, often the problem itself.
template <class Size, class Problem, class Solution>
struct Backend {
  AlgorithmInfo info;
  /// Of the backends that may run, that of least cost does; of equal ones the first. Seconds where the family can tell.
  double (*cost)(const Size& size, const Options& options);
  /// The most bytes of the host's memory that `run` takes; null where that is next to none, or a GPU's transfers alone.
  std::size_t (*bytes)(const Size& size, const Options& options);
  Solution (*run)(const Problem& problem, Context& context);
  /// Why it does not solve such a problem: "does not solve unbounded problems", or empty. Null: it solves every one.
  std::string (*refusal)(const Size& size) = nullptr;
  bool has_parameters = false;  ///< "NAME:..." names it too
  bool spans_gpus = false;      ///< whether it solves one problem on several GPUs; the options then list them
  bool keeps = false;           ///< it hands its table to Options::keeper
  /// The most bytes of a GPU's memory that `run` takes: Context::take_device_memory. Null on the CPU.
  std::size_t (*device_bytes)(const Size& size, const Options& options) = nullptr;

  /// Why it does not run with these options, or empty.
  [[nodiscard]] std::string refusal_of(const Size& size, const Options& options) const {
    if (options.keeper && !keeps) return "keeps no checkpoint";
    return refusal ? refusal(size) : "";
  }
};

/// The cost of what runs only where it is asked for by its name.
inline constexpr double only_when_named = std::numeric_limits<double>::infinity();

/// A backend as the choice sees it, for the problem at hand.
struct Candidate {
  const AlgorithmInfo* info;
  double cost = 0;
  std::string refusal = {};
  bool has_parameters = false;
  bool spans_gpus = false;

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
    candidates.push_back({&backend.info, backend.cost(size, options), backend.refusal_of(size, options),
                          backend.has_parameters, backend.spans_gpus});
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
[[nodiscard]] Needs needs_of(const Backend<Size, Problem, Solution>& backend, const std::type_identity_t<Size>& size,
                             const Options& options) {
  Needs needs{backend.info.name, 0, backend.bytes ? backend.bytes(size, options) : 0};
  if (!backend.device_bytes) return needs;
  Options there = options;
  find_gpus_of(backend.info, there);
  needs.device_bytes = backend.device_bytes(size, there);
  return needs;
}

/// What the backend that would run takes, for so many operations. `seconds(backend)` is the family's to say: from a
/// small problem (run/probe.hpp) where a rate holds for every size, else from the rates in its tuning.hpp.
template <class Size, class Problem, class Solution, class Seconds>
[[nodiscard]] Estimate estimate_by(std::span<const Backend<Size, Problem, Solution>> backends,
                                   const std::type_identity_t<Size>& size, const Options& options, double operations,
                                   const Seconds& seconds) {
  const auto& backend = backend_for(backends, size, options);
  Estimate expected{needs_of(backend, size, options), operations};
  expected.seconds = seconds(backend);
  return expected;
}

/// What is said of a problem that has nothing to solve, once the options have been obeyed: of the backend that would
/// run.
template <class Size, class Problem, class Solution>
[[nodiscard]] Report report_of_nothing(std::span<const Backend<Size, Problem, Solution>> backends,
                                       const std::type_identity_t<Size>& size, const Options& options) {
  const AlgorithmInfo& info = backend_for(backends, size, options).info;
  Watch(options, 1).advance(1);
  return {.device = info.device, .algorithm = info.name};
}

/// Raises what `choose` and the backend raise, and Error{device} where there is no such GPU. No backend begins that
/// should stop, and the end is told once, however small the problem is.
template <class Size, class Problem, class Solution>
[[nodiscard]] Outcome<Solution> solve_by(std::span<const Backend<Size, Problem, Solution>> backends,
                                         const std::type_identity_t<Size>& size,
                                         const std::type_identity_t<Problem>& problem, const Options& options) {
  std::optional<Solution> solution;
  Report report;
  run_choice(choose_for(backends, size, options), options, report, [&](std::size_t at) {
    const auto start = std::chrono::steady_clock::now();
    Context context(options, report);
    const Watch before(options, 0);
    find_gpus_of(backends[at].info, context.options);
    solution.emplace(backends[at].run(problem, context));
    context.tell_end();
    finish_report(backends[at].info, context, seconds_since(start));
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
using Additional = std::span<const std::type_identity_t<B>>;

/// The family's own, then the caller's.
template <class B>
[[nodiscard]] std::vector<B> with_more(std::vector<B> own, Additional<B> more) {
  own.insert(own.end(), more.begin(), more.end());
  return own;
}

/// `solve_by` among both.
template <class Size, class Problem, class Solution>
[[nodiscard]] Outcome<Solution> solve_by(const std::vector<Backend<Size, Problem, Solution>>& own,
                                         Additional<Backend<Size, Problem, Solution>> more,
                                         const std::type_identity_t<Size>& size,
                                         const std::type_identity_t<Problem>& problem, const Options& options) {
  if (more.empty()) return solve_by(std::span(own), size, problem, options);  // without a copy of the list
  const auto all = with_more(own, more);
  return solve_by(std::span(all), size, problem, options);
}

/// What `info` and the families' `algorithms()` list.
template <class Size, class Problem, class Solution>
[[nodiscard]] std::vector<AlgorithmInfo> infos(const std::vector<Backend<Size, Problem, Solution>>& backends) {
  std::vector<AlgorithmInfo> list;
  for (const auto& backend : backends) list.push_back(backend.info);
  return list;
}

}  // namespace warpfold
