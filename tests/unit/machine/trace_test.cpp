#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/trace_file.hpp"

namespace warpfold::machine {
namespace {

/// The worked example of 2012, Fig. 4: two warps of four threads. The DMM serves their requests in 2 + 1 stages and the
/// UMM in 3 + 2.
Recorder figure_4(const Machine& machine) {
  Recorder recorder(machine);
  SimulationOptions options;
  options.observer = &recorder;
  Simulation simulation(machine, 8, options);
  const auto m = simulation.array<Word>("m", 16);
  simulation.run([&](Thread pe) -> Program {
    return [](Thread t, Array<Word> memory) -> Program {
      constexpr std::array<std::uint64_t, 8> addresses = {0, 1, 5, 10, 8, 9, 14, 15};
      co_await memory.read(addresses[t.id]);
    }(pe, m);
  });
  return recorder;
}

TEST(Recorder, SaysInWhichStageAndBankEachRequestIsServed) {
  const Recorder trace = figure_4(dmm(4, 3));
  ASSERT_EQ(trace.dispatches().size(), 2u);
  const auto& first = trace.dispatches()[0];
  EXPECT_EQ(first.stages, 2u);
  EXPECT_EQ(first.accesses[1].place, 1u);
  EXPECT_EQ(first.accesses[1].stage, 0u);
  EXPECT_EQ(first.accesses[2].place, 1u);  // address 5 waits for address 1 in bank 1
  EXPECT_EQ(first.accesses[2].stage, 1u);
  EXPECT_EQ(trace.end().count, 5u);
}

TEST(Recorder, SaysInWhichStageAndGroupEachRequestIsServed) {
  const Recorder trace = figure_4(umm(4, 3));
  ASSERT_EQ(trace.dispatches().size(), 2u);
  const auto& first = trace.dispatches()[0];
  EXPECT_EQ(first.accesses[3].place, 2u);
  EXPECT_EQ(first.accesses[3].stage, 2u);
  EXPECT_EQ(trace.end().count, 7u);
}

TEST(Recorder, ServesEveryRequestWithinTheStagesThatWereCounted) {
  for (Machine machine : {pram(), bpram(4), dmm(4, 3), umm(4, 3)}) {
    for (const bool shifted : {false, true}) {
      if (machine.kind == Kind::dmm && shifted) machine.mapping = Mapping::random_shift;
      Recorder recorder(machine);
      RunRequest request{.machine = machine, .threads = 16, .n = 64};
      request.options.observer = &recorder;
      static_cast<void>(run(find_algorithm("transpose-straightforward"), request));
      for (const auto& dispatch : recorder.dispatches()) {
        std::uint32_t last = 0;
        for (const auto& access : dispatch.accesses) last = std::max(last, access.stage);
        EXPECT_EQ(last + 1, dispatch.stages) << to_string(machine);
      }
    }
  }
}

TEST(Recorder, RefusesMoreAccessesThanItMayKeep) {
  Recorder recorder(umm(4, 3), 63);
  RunRequest request{.machine = umm(4, 3), .threads = 16, .n = 64};
  request.options.observer = &recorder;
  EXPECT_THROW(static_cast<void>(run(find_algorithm("contiguous"), request)), Error);
}

/// Two threads exchange the words of an array of two.
Recorder exchange() {
  Recorder recorder(pram());
  SimulationOptions options;
  options.observer = &recorder;
  Simulation simulation(pram(), 2, options);
  const auto m = simulation.array("m", std::vector<std::int64_t>{-7, 40});
  simulation.run([&](Thread pe) -> Program {
    return [](Thread t, Array<std::int64_t> memory) -> Program {
      const std::int64_t x = co_await memory.read(t.id);
      co_await memory.write(1 - t.id, x);
    }(pe, m);
  });
  return recorder;
}

TEST(Recorder, KeepsWhatIsReadAndWritten) {
  const Recorder trace = exchange();
  ASSERT_EQ(trace.dispatches().size(), 2u);
  for (const auto& dispatch : trace.dispatches()) {
    ASSERT_EQ(dispatch.accesses.size(), 2u);
    EXPECT_EQ(static_cast<std::int64_t>(dispatch.accesses[0].value), -7);
    EXPECT_EQ(dispatch.accesses[1].value, 40u);
  }
}

TEST(Recorder, KeepsWhereEachArrayLies) {
  Recorder recorder(umm(4, 3));
  SimulationOptions options;
  options.observer = &recorder;
  Simulation simulation(umm(4, 3), 4, options);
  static_cast<void>(simulation.array<Word>("a", 5));
  static_cast<void>(simulation.array<Word>("b", 2));
  ASSERT_EQ(recorder.arrays().size(), 2u);
  EXPECT_EQ(recorder.arrays()[1].name, "b");
  EXPECT_EQ(recorder.arrays()[1].base, 8u);
  EXPECT_EQ(recorder.arrays()[1].size, 2u);
}

TEST(TraceCsv, HasALineForEachAccess) {
  const std::string lines = trace_csv(figure_4(dmm(4, 3)));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1 + 8);
  EXPECT_NE(lines.find("\n0,4,0,all,0,0,2,2,R,5,1,1,0\n"), std::string::npos) << lines;
  EXPECT_NE(trace_csv(exchange()).find(",W,1,0,1,-7\n"), std::string::npos) << trace_csv(exchange());
}

TEST(TraceJson, EscapesItsTitle) {
  const std::string text = trace_json(figure_4(dmm(4, 3)), "a \"b\" </script>");
  EXPECT_NE(text.find("\"a \\\"b\\\" \\u003c/script>\""), std::string::npos);
  EXPECT_NE(text.find("\"time_units\":5"), std::string::npos);
  EXPECT_NE(text.find("\"arrays\":[{\"name\":\"m\",\"base\":0,\"size\":16}]"), std::string::npos);
}

/// The output of a command; "" if it cannot run.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t read = 0; pipe && (read = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    text.append(buffer.data(), read);
  }
  return text;
}

TEST(TracePage, NeedsNoNetwork) {
  const std::string page = trace_html(figure_4(dmm(4, 3)), "Fig. 4");
  for (const char* word : {"http:", "https:", "src=", "import", "@font-face"}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

TEST(TracePage, ShowsTheChosenTimeUnitInABrowser) {
  std::string browser;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (browser.empty() && !output_of(std::string("command -v ") + name).empty()) browser = name;
  }
  if (browser.empty()) GTEST_SKIP() << "there is no chromium: the page was not opened in a browser";
  const warpfold::test::TemporaryFolder folder;
  std::ofstream(folder / "trace.html") << trace_html(figure_4(dmm(4, 3)), "Fig. 4");
  const std::string page =
      output_of("timeout 60 " + browser +
                " --headless --no-sandbox --disable-gpu --user-data-dir=" + (folder / "profile").string() +
                " --dump-dom 'file://" + (folder / "trace.html").string() + "#1' 2>/dev/null");
  EXPECT_NE(page.find("data-ready=\"yes\""), std::string::npos) << "the page's script did not reach its end";
  EXPECT_NE(page.find("stage 2 of 2"), std::string::npos);
  EXPECT_NE(page.find("thread 2 reads address 5; m[5] = 0"), std::string::npos);
  EXPECT_NE(page.find("time unit 1 of 5"), std::string::npos);
}

}  // namespace
}  // namespace warpfold::machine
