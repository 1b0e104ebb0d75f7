// The page of `machine play`: its numbers are the command line's.
#include "cli/app/play_figure.hpp"

namespace warpfold::app::test {
namespace {

class Play : public PlayFigure {};

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

TEST_F(Play, ShowsAtEveryStepTheNumbersOfTheCommandLine) {
  if (browser().empty()) GTEST_SKIP() << "there is no Chromium here: the page was not opened";
  ASSERT_EQ(warpfold("machine play -o play.html").exit_code, 0);
  expect_the_command_lines_numbers(file("play.html"), {{0, "umm", 4, 5, 16, 64},
                                                       {1, "dmm", 4, 2, 16, 64},
                                                       {1, "umm", 8, 20, 32, 256},
                                                       {2, "umm", 4, 1, 16, 64},
                                                       {4, "dmm", 8, 5, 64, 64},
                                                       {6, "umm", 4, 5, 32, 256},
                                                       {7, "dmm", 4, 1, 16, 64},
                                                       {8, "dmm", 16, 2, 32, 64}});
}

}  // namespace
}  // namespace warpfold::app::test
