#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "needs_gpu.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold {
namespace {

const AlgorithmInfo tiled_cpu{"tiled", "cpu", ""};
const AlgorithmInfo reference{"reference", "cpu", ""};
const AlgorithmInfo tiled_gpu{"tiled", "cuda", ""};
const AlgorithmInfo paper{"paper", "cuda", ""};

/// A family with two algorithms on each device. A GPU gains if `gpu_cost` is below 1.
std::vector<Candidate> family(double gpu_cost) {
  return {{&tiled_cpu, 1},
          {&reference, 2},
          {&tiled_gpu, gpu_cost},
          {.info = &paper, .has_parameters = true, .explicit_only = true}};
}

Options wishing(const std::string& device, const std::string& algorithm) {
  Options options;
  options.device = parse_device(device);
  options.algorithm = algorithm;
  return options;
}

/// "cpu tiled", or "cuda tiled, else cpu tiled", or the error.
std::string chosen(const std::vector<Candidate>& candidates, const Options& options, bool gpu_there = true) {
  const auto name = [&](std::size_t at) { return candidates[at].info->device + " " + candidates[at].info->name; };
  try {
    const Choice choice = choose(candidates, options, [&](std::size_t /*on_cpu*/) { return gpu_there; });
    return choice.instead ? name(choice.first) + ", else " + name(*choice.instead) : name(choice.first);
  } catch (const Error& error) {
    return (error.kind() == ErrorKind::usage ? "usage: " : "device: ") + std::string(error.what());
  }
}

TEST(Choose, TakesTheGpuWhereItGainsAndIsThere) {
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "")), "cuda tiled, else cpu tiled");
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "tiled")), "cuda tiled, else cpu tiled");
  EXPECT_EQ(chosen(family(1.5), wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(family(0.5), wishing("auto", ""), false), "cpu tiled");
}

TEST(Choose, LooksForAGpuOnlyWhereOneWouldGain) {
  for (const Options& options : {wishing("cpu", ""), wishing("auto", "reference"), wishing("cuda", "")}) {
    static_cast<void>(choose(family(0.5), options, [](std::size_t /*on_cpu*/) {
      ADD_FAILURE() << "asked for a GPU";
      return true;
    }));
  }
}

/// A problem is the seconds that it takes the CPU.
std::vector<Backend<double, double, double>> backends_in_seconds() {
  const auto run = [](const double& seconds, Context&) { return seconds; };
  return {
      {.info = {"tiled", "cpu", ""}, .cost = [](const double& seconds, const Options&) { return seconds; }, .run = run},
      {.info = {"tiled", "cuda", ""}, .run = run}};
}

TEST(Choose, StartsNoGpuForWhatTheCpuSolvesSooner) {
  if (gpus().empty()) GTEST_SKIP() << test::no_gpu;
  ASSERT_FALSE(is_gpu_started());
  const auto backends = backends_in_seconds();
  const auto device = [&](double seconds, double start) {
    Options options;
    options.gpu_start_seconds = start;
    return backend_for(std::span(backends), seconds, options).info.device;
  };
  EXPECT_EQ(device(0.1, 0.2), "cpu");
  EXPECT_EQ(device(0.3, 0.2), "cuda");
  EXPECT_EQ(device(0.1, 0), "cuda") << "it may be started";
  static_cast<void>(find_gpus(parse_device("cuda")));
  EXPECT_TRUE(is_gpu_started());
  EXPECT_EQ(device(0.1, 0.2), "cuda") << "it is started";
}

TEST(Choose, DoesWhatTheOptionsSay) {
  EXPECT_EQ(chosen(family(0.5), wishing("cpu", "")), "cpu tiled");
  EXPECT_EQ(chosen(family(1.5), wishing("cuda", "")), "cuda tiled");
  EXPECT_EQ(chosen(family(0.5), wishing("cuda:3", "")), "cuda tiled");
  EXPECT_EQ(chosen(family(0.5), wishing("cpu", "reference")), "cpu reference");
  EXPECT_EQ(chosen(family(0.5), wishing("cuda", ""), false), "cuda tiled") << "which says that there is none";
}

TEST(Choose, TakesSeveralGpusOnlyWhereABackendSpansThem) {
  std::vector<Candidate> candidates = family(0.5);
  EXPECT_EQ(chosen(candidates, wishing("cuda:0,1", "")),
            "usage: algorithm 'tiled' does not run on several GPUs (cuda:0,1): cuda:N is accepted");
  candidates[2].supports_multi_gpu = true;
  EXPECT_EQ(chosen(candidates, wishing("cuda:0,1", "")), "cuda tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda:all", "tiled")), "cuda tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda:all", "paper")),
            "usage: algorithm 'paper' does not run on several GPUs (cuda:all): cuda:N is accepted");
}

TEST(Choose, LetsAnAlgorithmOfOneDeviceDecideTheDevice) {
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "reference")), "cpu reference");
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "paper")), "cuda paper");
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "paper:64,2"), false), "cuda paper");
}

TEST(Choose, SaysWhichNamesAreAccepted) {
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "til")),
            "usage: algorithm 'til' is unknown: tiled, reference, paper are accepted");
  EXPECT_EQ(chosen(family(0.5), wishing("cpu", "til")),
            "usage: algorithm 'til' is unknown: tiled, reference are accepted");
  EXPECT_EQ(chosen(family(0.5), wishing("auto", "tiled:3")),
            "usage: algorithm 'tiled:3' is unknown: tiled, reference, paper are accepted");
  EXPECT_EQ(chosen(family(0.5), wishing("cpu", "paper")),
            "usage: algorithm 'paper' does not run on cpu: tiled, reference are accepted");
  EXPECT_EQ(chosen(family(0.5), wishing("cuda", "reference")),
            "usage: algorithm 'reference' does not run on cuda:0: tiled, paper are accepted");
}

TEST(Choose, PassesByWhatRefusesTheProblem) {
  std::vector<Candidate> candidates = family(0.5);
  candidates[2].unsupported_reason = "takes no counts";
  EXPECT_EQ(chosen(candidates, wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("auto", "tiled")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "tiled")),
            "usage: algorithm 'tiled' takes no counts: paper is accepted");
  candidates[3].unsupported_reason = "takes nothing";
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")), "usage: algorithm 'tiled' takes no counts");
}

TEST(Choose, LeavesAReasonAloneThatSaysItselfWhatIsAccepted) {
  std::vector<Candidate> candidates = family(0.5);
  candidates[1].unsupported_reason = "solves one capacity: every_capacity takes 'table'";
  EXPECT_EQ(chosen(candidates, wishing("auto", "reference")),
            "usage: algorithm 'reference' solves one capacity: every_capacity takes 'table'");
}

TEST(Choose, TakesWhatIsOnlyForItsNameNeverByItself) {
  const std::vector<Candidate> candidates = {
      {&tiled_cpu, 1}, {&tiled_gpu, 2, "solves no sums"}, {.info = &paper, .explicit_only = true}};
  EXPECT_EQ(chosen(candidates, wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")), "usage: algorithm 'tiled' solves no sums: paper is accepted");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "paper")), "cuda paper");
}

TEST(Choose, NeverTakesAnEntryThatOnlyExplains) {
  const AlgorithmInfo core{"core", "cpu", ""};
  const std::vector<Candidate> candidates = {
      {.info = &core, .unsupported_reason = "solves one capacity", .runs = false}, {&tiled_cpu, 1}, {&tiled_gpu, 2}};
  EXPECT_EQ(chosen(candidates, wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("auto", "core")),
            "usage: algorithm 'core' solves one capacity: tiled is accepted");
  EXPECT_EQ(chosen(candidates, wishing("auto", "cor")), "usage: algorithm 'cor' is unknown: tiled is accepted");
}

TEST(Choose, SaysThatAFamilyHasNoGpuBackend) {
  const std::vector<Candidate> candidates = {{&tiled_cpu, 1}};
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")),
            "device: this build solves it on the CPU only: device auto or cpu is accepted");
}

/// Runs a choice of a GPU that raises `error`, with a CPU fallback that succeeds.
template <class Raise>
Report after(const Raise& raise, Choice choice = {1, 0}) {
  Report report;
  run_choice(choice, {}, report, [&](std::size_t at) {
    report.device = at == 0 ? "cpu" : "cuda:0";
    report.peak_device_bytes = at == 0 ? 0 : 7;
    if (at == 1) raise();
  });
  return report;
}

TEST(RunChoice, ReportsTheGpuThatRan) {
  const Report report = after([] {});
  EXPECT_EQ(report.device, "cuda:0");
  EXPECT_EQ(report.fallback_reason, "");
}

TEST(RunChoice, TakesTheCpuWhereTheGpuFailsOrLacksMemory) {
  for (const ErrorKind kind : {ErrorKind::device, ErrorKind::memory_limit}) {
    const Report report = after([&] { throw Error(kind, "it burns"); });
    EXPECT_EQ(report.device, "cpu");
    EXPECT_EQ(report.fallback_reason, "cuda:0: it burns");
    EXPECT_EQ(report.peak_device_bytes, 0U) << "nothing is left of what the GPU said";
  }
  EXPECT_EQ(after([] { throw std::bad_alloc(); }).fallback_reason, "cuda:0: there is not enough memory");
}

TEST(RunChoice, SaysWhichGpuWasPassedOverWhereTheCpuFillsInAWholeReport) {
  Report report;
  run_choice({1, 0}, {}, report, [&](std::size_t at) {
    if (at == 1) throw Error(ErrorKind::device, "it burns");
    report = Report{};
  });
  EXPECT_EQ(report.fallback_reason, "cuda:0: it burns");
}

TEST(RunChoice, RaisesWhatTheCpuWouldRaiseToo) {
  for (const ErrorKind kind : {ErrorKind::internal, ErrorKind::usage, ErrorKind::input, ErrorKind::overflow,
                               ErrorKind::infeasible, ErrorKind::time_limit, ErrorKind::cancelled}) {
    EXPECT_THROW(after([&] { throw Error(kind, "no"); }), Error);
  }
}

TEST(RunChoice, RaisesWhatAGpuRaisedThatWasAskedFor) {
  EXPECT_THROW(after([] { throw Error(ErrorKind::device, "it burns"); }, {1, {}}), Error);
}

TEST(AddPart, AddsTimesKeepsTheMostAndNamesTheLast) {
  Report whole{.device = "cuda:0",
               .algorithm = "tiled",
               .threads = 3,
               .prepare_seconds = 1,
               .solve_seconds = 2,
               .traceback_seconds = 4,
               .peak_bytes = 100,
               .peak_device_bytes = 7,
               .fallback_reason = "cuda:1: it burns"};
  add_part(whole, {.device = "cpu",
                   .algorithm = "reference",
                   .threads = 2,
                   .prepare_seconds = 10,
                   .solve_seconds = 20,
                   .traceback_seconds = 40,
                   .peak_bytes = 200,
                   .peak_device_bytes = 5});
  EXPECT_EQ(whole.device, "cpu");
  EXPECT_EQ(whole.algorithm, "reference");
  EXPECT_EQ(whole.threads, 3);
  EXPECT_EQ(whole.prepare_seconds, 11);
  EXPECT_EQ(whole.solve_seconds, 22);
  EXPECT_EQ(whole.traceback_seconds, 44);
  EXPECT_EQ(whole.peak_bytes, 200U);
  EXPECT_EQ(whole.peak_device_bytes, 7U);
  EXPECT_EQ(whole.fallback_reason, "cuda:1: it burns");
  add_part(whole, {.device = "", .algorithm = "", .fallback_reason = "cuda:2: it is gone"});
  EXPECT_EQ(whole.device, "cpu") << "a part that names none";
  EXPECT_EQ(whole.algorithm, "reference");
  EXPECT_EQ(whole.fallback_reason, "cuda:2: it is gone");
}

using NumberBackend = Backend<int, int, int>;
using NumberBackends = std::span<const NumberBackend>;

double any_cost(const int&, const Options&) { return 0; }
std::size_t eight_bytes(const int&, const Options&) { return 8; }

int halved(const int& number, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(8);
  context.report.threads = 5;
  context.report.traceback_seconds = 100;
  return number / 2;
}

const NumberBackend half{{"half", "cpu", ""}, any_cost, eight_bytes, halved};

/// A solve within a solve.
int quartered(const int& number, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(4);
  context.report.prepare_seconds = 10;
  const auto [quarter, report] = solve_by(std::span(&half, 1), number / 2, number / 2, context.options);
  add_part(context.report, report);
  return quarter;
}

TEST(SolveBy, ReportsWhatASolveWithinTheSolveReported) {
  const NumberBackend quarter{{"quarter", "cpu", ""}, any_cost, nullptr, quartered};
  const auto [solution, report] = solve_by(std::span(&quarter, 1), 100, 100, {});
  EXPECT_EQ(solution, 25);
  EXPECT_EQ(report.algorithm, "half");
  EXPECT_EQ(report.device, "cpu");
  EXPECT_EQ(report.threads, 5);
  EXPECT_EQ(report.prepare_seconds, 10);
  EXPECT_EQ(report.traceback_seconds, 100);
  EXPECT_EQ(report.peak_bytes, 12U) << "of both at once";
}

struct Told {
  int times = 0;
  int ends = 0;
};

/// The progress that a solve of 100 reports.
Told told_by(const NumberBackend& backend) {
  Told told;
  Options options;
  options.progress = [&](const Progress& progress) {
    ++told.times;
    if (progress.done >= progress.total) ++told.ends;
  };
  static_cast<void>(solve_by(std::span(&backend, 1), 100, 100, options));
  return told;
}

TEST(SolveBy, TellsTheEndOnceWhetherTheBackendCountsOrNot) {
  EXPECT_EQ(told_by(half).ends, 1) << "which says nothing";
  EXPECT_EQ(told_by({{"quarter", "cpu", ""}, any_cost, nullptr, quartered}).ends, 1) << "of the solve within";
  const auto counting = [](const int& number, Context& context) {
    SolveMonitor monitor(context.options, number);
    monitor.advance(number);
    return number;
  };
  EXPECT_EQ(told_by({{"counting", "cpu", ""}, any_cost, nullptr, counting}).ends, 1);
  const auto sparing = [](const int& number, Context& context) {
    context.options.progress({number / 2.0, static_cast<double>(number)});
    return number;
  };
  const Told told = told_by({{"sparing", "cpu", ""}, any_cost, nullptr, sparing});
  EXPECT_EQ(told.ends, 1) << "which spares the rest";
  EXPECT_EQ(told.times, 2);
}

TEST(SolveBy, TellsTheProgressOfPartsAsOne) {
  const NumberBackend in_parts{{"parts", "cpu", ""}, any_cost, nullptr, [](const int& number, Context& context) {
                                 context.expect(2 * number);
                                 SolveMonitor(context.options, number).advance(number);
                                 context.options.progress({number / 2.0, 2.0 * number});  // of a part that fails
                                 context.expect(number);
                                 SolveMonitor(context.options, number).advance(number);
                                 return number;
                               }};
  std::vector<std::pair<double, double>> told;
  Options options;
  options.progress = [&](const Progress& progress) { told.emplace_back(progress.done, progress.total); };
  static_cast<void>(solve_by(std::span(&in_parts, 1), 100, 100, options));
  EXPECT_EQ(told, (std::vector<std::pair<double, double>>{{100, 200}, {150, 200}, {250, 300}, {300, 300}}));
}

TEST(SolveBy, LetsNoBackendBeginThatShouldStop) {
  const NumberBackend never{{"never", "cpu", ""}, any_cost, nullptr, [](const int&, Context&) -> int {
                              ADD_FAILURE() << "began";
                              return 0;
                            }};
  std::stop_source stop;
  stop.request_stop();
  Options options;
  options.stop = stop.get_token();
  EXPECT_THROW(static_cast<void>(solve_by(std::span(&never, 1), 100, 100, options)), Error);
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(solve_by(std::span(&never, 1), 100, 100, late)), Error);
}

/// Gives up odd numbers in favor of "slow", if it may.
int halved_if_even(const int& number, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(20);
  context.report.prepare_seconds = 1000;
  if (number % 2 == 0) return number / 2;
  if (!context.next) return -1;
  EXPECT_EQ(context.next().seconds, 7);
  context.give_up("odd");
}

std::string last_reason;  ///< the reason why "slow" runs

int halved_slowly(const int& number, Context& context) {
  last_reason = context.gave_up;
  const Budget::Reservation taken = context.budget.reserve(30);
  context.report.prepare_seconds = 100;
  context.report.threads = 3;
  return number / 2;
}

/// "quick", which hands on to "slow".
std::vector<NumberBackend> quick_and_slow() {
  return {{.info = {"quick", "cpu", ""}, .bytes = eight_bytes, .run = halved_if_even, .hands_on_to = "slow"},
          {.info = {"slow", "cpu", ""},
           .cost = [](const int&, const Options&) { return 7.0; },
           .bytes = [](const int&, const Options&) { return std::size_t{30}; },
           .run = halved_slowly,
           .unsupported_reason = [](const int& number) -> std::string { return number == 13 ? "solves no 13" : ""; }}};
}

Outcome<int> solve_quickly(int number, const Options& options = {}) {
  const std::vector<NumberBackend> backends = quick_and_slow();
  return solve_by(std::span(backends), number, number, options);
}

TEST(HandOn, RunsTheNextBackendWhereTheFirstGivesUpAndReportsBoth) {
  const auto [solution, report] = solve_quickly(101);
  EXPECT_EQ(solution, 50);
  EXPECT_EQ(last_reason, "odd");
  EXPECT_EQ(report.algorithm, "slow");
  EXPECT_EQ(report.prepare_seconds, 1100);
  EXPECT_EQ(report.threads, 3);
  EXPECT_EQ(report.peak_bytes, 30U) << "the first one's memory is free before the next one begins";
}

TEST(HandOn, LeavesTheFirstBackendsSolutionAlone) {
  last_reason = "none";
  const auto [solution, report] = solve_quickly(100);
  EXPECT_EQ(solution, 50);
  EXPECT_EQ(last_reason, "none");
  EXPECT_EQ(report.algorithm, "quick");
  EXPECT_EQ(report.peak_bytes, 20U);
}

TEST(HandOn, IsNotForABackendThatWasNamedNorToOneThatRefuses) {
  EXPECT_EQ(solve_quickly(101, wishing("cpu", "quick")).solution, -1);
  EXPECT_EQ(solve_quickly(13).solution, -1);
  std::vector<NumberBackend> backends = quick_and_slow();
  backends[0].may_hand_on = [](const int&, std::size_t bytes_left) { return bytes_left >= 1000; };
  Options narrow;
  narrow.max_memory = 999;
  EXPECT_EQ(solve_by(NumberBackends(backends), 101, 101, narrow).solution, -1);
  EXPECT_EQ(solve_by(NumberBackends(backends), 101, 101, {}).solution, 50);
}

TEST(HandOn, IsTheWorstCaseOfAnEstimate) {
  std::vector<NumberBackend> backends = quick_and_slow();
  backends[0].worst_case = [](const ResourceEstimate& expected, const int&, const Options&,
                              const std::optional<ResourceEstimate>& next) {
    return ResourceEstimate{expected.algorithm, next ? next->seconds : 100, expected.bytes};
  };
  const Estimate expected = estimate_by(NumberBackends(backends), 101, {});
  EXPECT_EQ(expected.algorithm, "quick");
  EXPECT_EQ(expected.seconds, 0);
  EXPECT_EQ(expected.bytes, 8U);
  ASSERT_TRUE(expected.worst_case);
  EXPECT_EQ(expected.worst_case->algorithm, "slow");
  EXPECT_EQ(expected.worst_case->seconds, 14) << "both, one after the other";
  EXPECT_EQ(expected.worst_case->bytes, 30U);
  const Estimate named = estimate_by(NumberBackends(backends), 101, wishing("cpu", "quick"));
  EXPECT_EQ(named.worst_case->algorithm, "quick");
  EXPECT_EQ(named.worst_case->seconds, 100);
  backends[0].worst_case = nullptr;
  EXPECT_EQ(estimate_by(NumberBackends(backends), 101, {}).worst_case->seconds, 7);
  EXPECT_FALSE(estimate_by(NumberBackends(backends), 13, {}).worst_case);
}

TEST(Infos, ListWhatRunsOnly) {
  std::vector<NumberBackend> backends = quick_and_slow();
  backends[0].run = nullptr;
  const std::vector<AlgorithmInfo> list = infos(backends);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].name, "slow");
}

TEST(EstimateBy, HasWhatTheBackendThatRunsSays) {
  NumberBackend known = half;
  known.operations = [](const int& number) { return number / 2.0; };
  known.probe_size = 3;
  known.seconds = [](const NumberBackend& backend, const int&, const Options&) {
    return static_cast<double>(backend.probe_size);
  };
  const Estimate expected = estimate_by(NumberBackends(&known, 1), 100, {});
  EXPECT_EQ(expected.algorithm, "half");
  EXPECT_EQ(expected.operations, 50);
  EXPECT_EQ(expected.seconds, 3);
  EXPECT_EQ(expected.bytes, 8U);
  EXPECT_EQ(expected.device_bytes, 0U);
  EXPECT_FALSE(expected.worst_case);
}

TEST(EstimateBy, AsksABackendOnceIfOneLookGivesAllOfIt) {
  static int looks = 0;
  NumberBackend known = half;  // whose `bytes` and `cost` are not asked then
  known.estimate = [](const NumberBackend& backend, const int& number, const Options&) {
    ++looks;
    return Estimate{{backend.info.name, 7, 70, 0}, number / 2.0};
  };
  const Estimate expected = estimate_by(NumberBackends(&known, 1), 100, {});
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(expected.algorithm, "half");
  EXPECT_EQ(expected.seconds, 7);
  EXPECT_EQ(expected.bytes, 70U);
  EXPECT_EQ(expected.operations, 50);
  EXPECT_FALSE(expected.worst_case);
}

TEST(EstimateBy, HasTheBytesOfAGpu) {
  if (has_cuda()) GTEST_SKIP() << "this build asks for the GPU";
  const NumberBackend on_gpu{.info = {"half", "cuda", ""},
                             .cost = any_cost,
                             .bytes = eight_bytes,
                             .run = halved,
                             .device_bytes = [](const int& number, const Options&) { return std::size_t(number); }};
  const Estimate expected = estimate_by(std::span(&on_gpu, 1), 100, wishing("cuda", ""));
  EXPECT_EQ(expected.bytes, 8U);
  EXPECT_EQ(expected.device_bytes, 100U);
}

TEST(Probe, RunsTheBackendItselfWithoutTheLimitsOfTheSolve) {
  static std::atomic<int> runs = 0;
  const NumberBackend slow{{"slow", "cpu", ""}, any_cost, nullptr, [](const int& milliseconds, Context& context) {
                             ++runs;
                             const SolveMonitor monitor(context.options, 1);  // raises an error if a limit is exceeded
                             const Budget::Reservation taken = context.budget.reserve(1000);
                             std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                             return context.options.threads;
                           }};
  Options over;
  over.deadline = std::chrono::steady_clock::now();
  over.max_memory = 0;
  EXPECT_GE(probe_seconds(slow, 5, over), 5e-3);
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace warpfold
