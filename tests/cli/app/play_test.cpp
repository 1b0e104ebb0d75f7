// The page of `machine play`, opened in a headless browser where there is one: its numbers are the command line's.
#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Play : public CommandLine {};

constexpr const char* browsers[] = {"chromium", "chromium-browser", "google-chrome"};

/// Chooses runs and moves the slider as a reader does, and writes what the page shows then into the page.
constexpr const char* reader = R"js(
<pre id="found"></pre>
<script>
const set = (id, of, event) => { $(id).value = of; $(id).dispatchEvent(new Event(event)); };
const number = id => Number($(id).textContent);
const found = [];
for (const choice of [[0, 'umm', 4, 5, 16, 64], [1, 'dmm', 4, 2, 16, 64], [1, 'umm', 8, 20, 32, 256], [2, 'umm', 4, 1, 16, 64],
                      [4, 'dmm', 8, 5, 64, 64], [6, 'umm', 4, 5, 32, 256], [7, 'dmm', 4, 1, 16, 64], [8, 'dmm', 16, 2, 32, 64]]) {
  ['pattern', 'machine', 'width', 'latency', 'threads', 'size'].forEach((id, i) => set(id, choice[i], 'change'));
  const steps = [];
  for (let at = 0; at <= Number($('step').max); ++at) {
    set('step', at, 'input');
    steps.push({ start: number('step-start'), stages: number('step-stages'), units: number('step-units'),
                 requests: document.querySelectorAll('#places rect[fill]').length });
  }
  found.push({ command: $('command').textContent, units: number('units'), stages: number('stages'),
               dispatches: number('dispatches'), accesses: number('accesses'), steps });
}
$('found').textContent = JSON.stringify(found);
</script>
)js";

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
      text.replace(at, std::string_view(from).size(), to);
    }
  }
  return text;
}

TEST_F(Play, WritesAPageThatNeedsNoOtherFile) {
  const Ran ran = warpfold("machine play -o play.html");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  const std::string page = file("play.html");
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("http"), page.rfind("http")) << "only the name of SVG's elements";
  expect_error(warpfold("machine play -o play.svg"), 2, ".html");
  expect_error(warpfold("machine play"), 2, "--output");
}

/// Compares what the page shows of a run with the command line's result.
void expect_equal(const Json& shown, const Json& run) {
  EXPECT_EQ(shown["units"], run["time_units"]);
  EXPECT_EQ(shown["stages"], run["total_stages"]);
  EXPECT_EQ(shown["dispatches"], run["dispatches"]);
  EXPECT_EQ(shown["accesses"], run["accesses"]);
  std::uint64_t units = 0, stages = 0;
  for (const Json& step : shown["steps"]) {
    EXPECT_EQ(step["start"], units);
    units += step["units"].get<std::uint64_t>();
    stages += step["stages"].get<std::uint64_t>();
    EXPECT_GT(step["requests"], 0);
  }
  EXPECT_EQ(units, run["time_units"]);
  EXPECT_EQ(stages, run["total_stages"]);
}

TEST_F(Play, ShowsAtEveryStepTheNumbersOfTheCommandLine) {
  std::string browser;
  for (const char* name : browsers) {
    if (browser.empty() && shell(fmt::format("command -v {}", name)).exit_code == 0) browser = name;
  }
  if (browser.empty()) GTEST_SKIP() << "there is no Chromium here: the page was not opened";
  ASSERT_EQ(warpfold("machine play -o play.html").exit_code, 0);
  const std::string page = file("play.html");
  write("read.html", page.substr(0, page.rfind("</html>")) + reader + "</html>\n");
  const Ran ran =
      shell(fmt::format("HOME=\"$PWD\" timeout 120 {} --headless --no-sandbox --disable-gpu --user-data-dir=profile "
                        "--virtual-time-budget=20000 --dump-dom \"file://$PWD/read.html\"",
                        browser));
  const std::size_t begin = ran.out.find("<pre id=\"found\">"), end = ran.out.find("</pre>", begin);
  ASSERT_NE(begin, std::string::npos) << ran.err;
  const std::string text = unescaped(ran.out.substr(begin + 16, end - begin - 16));
  ASSERT_FALSE(text.empty()) << "the page's script stopped";
  const Json found = Json::parse(text);
  EXPECT_EQ(found.size(), 8u);
  for (const Json& shown : found) {
    const auto command = shown["command"].get<std::string>();
    SCOPED_TRACE(command);
    ASSERT_TRUE(command.starts_with("warpfold machine run "));
    expect_equal(shown, shell(command + " --json").json());
    EXPECT_GT(shown["steps"].size(), 0u);
  }
}

}  // namespace
}  // namespace warpfold::app::test
