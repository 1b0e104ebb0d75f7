#pragma once

#include "cli/app/run.hpp"

/// The figure of `machine play` and of the papers' pages, in a headless browser where there is one.
namespace warpfold::app::test {

/// Chooses runs and moves the slider as a reader does, and writes what the page shows then into the page.
inline constexpr const char* reader = R"js(
const set = (id, of, event) => { $(id).value = of; $(id).dispatchEvent(new Event(event)); };
const number = id => Number($(id).textContent);
const link = document.querySelector('[data-play]');
if (link) {
  link.click();
  if (!$('command').textContent.startsWith(`warpfold machine run ${link.dataset.play} `)) throw 'the link chooses another run';
}
const found = [];
for (const choice of chosen) {
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
)js";

inline std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
      text.replace(at, std::string_view(from).size(), to);
    }
  }
  return text;
}

class PlayFigure : public CommandLine {
 protected:
  /// The first browser of this machine; empty if there is none.
  [[nodiscard]] std::string browser() const {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      if (shell(fmt::format("command -v {}", name)).exit_code == 0) return name;
    }
    return "";
  }

  /// Opens the page, chooses the runs `[[pattern, machine, w, l, p, n], ..]`, moves the slider over all steps, and
  /// compares the page's numbers with those of the command lines that it shows.
  void expect_the_command_lines_numbers(const std::string& page, const Json& chosen) const {
    const std::size_t end = page.rfind("</html>");
    write("read.html", fmt::format("{}<pre id=\"found\"></pre>\n<script>\nconst chosen = {};\n{}</script>\n</html>\n",
                                   page.substr(0, end), chosen.dump(), reader));
    const Json found = found_in("read.html");
    ASSERT_EQ(found.size(), chosen.size());
    for (const Json& shown : found) {
      const auto command = shown["command"].get<std::string>();
      SCOPED_TRACE(command);
      ASSERT_TRUE(command.starts_with("warpfold machine run "));
      expect_equal(shown, shell(command + " --json").json());
      EXPECT_GT(shown["steps"].size(), 0u);
    }
  }

 private:
  [[nodiscard]] Json found_in(const std::string& name) const {
    const Ran ran =
        shell(fmt::format("HOME=\"$PWD\" timeout 120 {} --headless --no-sandbox --disable-gpu --user-data-dir=profile "
                          "--virtual-time-budget=20000 --dump-dom \"file://$PWD/{}\"",
                          browser(), name));
    const std::string_view mark = "<pre id=\"found\">";
    const std::size_t begin = ran.out.find(mark), end = ran.out.find("</pre>", begin);
    if (begin == std::string::npos || end == begin + mark.size()) {
      ADD_FAILURE() << "the page's script stopped: " << ran.err;
      return Json::array();
    }
    return Json::parse(unescaped(ran.out.substr(begin + mark.size(), end - begin - mark.size())));
  }

  /// Compares what the page shows of a run with the command line's result.
  static void expect_equal(const Json& shown, const Json& run) {
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
};

}  // namespace warpfold::app::test
