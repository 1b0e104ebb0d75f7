#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold {
namespace {

const AlgorithmInfo tiled_cpu{"tiled", "cpu", ""};
const AlgorithmInfo reference{"reference", "cpu", ""};
const AlgorithmInfo tiled_gpu{"tiled", "cuda", ""};
const AlgorithmInfo paper{"paper", "cuda", ""};

/// A family with two algorithms on each device; a GPU gains where `gpu_cost` is below 1.
std::vector<Candidate> family(double gpu_cost) {
  return {{&tiled_cpu, 1}, {&reference, 2}, {&tiled_gpu, gpu_cost}, {&paper, only_when_named, {}, true}};
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
    const Choice choice = choose(candidates, options, [&] { return gpu_there; });
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
    static_cast<void>(choose(family(0.5), options, [] {
      ADD_FAILURE() << "asked for a GPU";
      return true;
    }));
  }
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
  candidates[2].spans_gpus = true;
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
  candidates[2].refusal = "takes no counts";
  EXPECT_EQ(chosen(candidates, wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("auto", "tiled")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "tiled")), "usage: algorithm 'tiled' takes no counts");
  candidates[3].refusal = "takes nothing";
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")), "usage: algorithm 'tiled' takes no counts");
}

TEST(Choose, TakesWhatIsOnlyForItsNameNeverByItself) {
  const std::vector<Candidate> candidates = {
      {&tiled_cpu, 1}, {&tiled_gpu, 2, "solves no sums"}, {&paper, only_when_named}};
  EXPECT_EQ(chosen(candidates, wishing("auto", "")), "cpu tiled");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")), "usage: algorithm 'tiled' solves no sums");
  EXPECT_EQ(chosen(candidates, wishing("cuda", "paper")), "cuda paper");
}

TEST(Choose, SaysThatAFamilyHasNoGpuBackend) {
  const std::vector<Candidate> candidates = {{&tiled_cpu, 1}};
  EXPECT_EQ(chosen(candidates, wishing("cuda", "")),
            "device: this build solves it on the CPU only: device auto or cpu is accepted");
}

/// Runs a choice of a GPU that raises `error` before a CPU that succeeds.
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
  EXPECT_EQ(report.passed_over, "");
}

TEST(RunChoice, TakesTheCpuWhereTheGpuFailsOrLacksMemory) {
  for (const ErrorKind kind : {ErrorKind::device, ErrorKind::memory_limit}) {
    const Report report = after([&] { throw Error(kind, "it burns"); });
    EXPECT_EQ(report.device, "cpu");
    EXPECT_EQ(report.passed_over, "cuda:0: it burns");
    EXPECT_EQ(report.peak_device_bytes, 0U) << "nothing is left of what the GPU said";
  }
  EXPECT_EQ(after([] { throw std::bad_alloc(); }).passed_over, "cuda:0: there is not enough memory");
}

TEST(RunChoice, SaysWhichGpuWasPassedOverWhereTheCpuFillsInAWholeReport) {
  Report report;
  run_choice({1, 0}, {}, report, [&](std::size_t at) {
    if (at == 1) throw Error(ErrorKind::device, "it burns");
    report = Report{};
  });
  EXPECT_EQ(report.passed_over, "cuda:0: it burns");
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

}  // namespace
}  // namespace warpfold
