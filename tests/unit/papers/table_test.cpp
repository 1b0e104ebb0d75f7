#include "papers/table.hpp"

#include <gtest/gtest.h>

#include "papers/measure.hpp"
#include "papers/registry.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {
namespace {

const Column times_published = in_seconds(published("", "GTX 680"));
const Column times_measured = in_seconds(measured("", "Some CPU"));

TEST(Heading, SaysWhoseTheNumbersAre) {
  EXPECT_EQ(heading(key("n")), "n");
  EXPECT_EQ(heading(counted("steps")), "steps");
  EXPECT_EQ(heading(published("speed-up", "GTX 680")), "speed-up, published (GTX 680)");
  EXPECT_EQ(heading(recorded("", "H200, 2026-11-20, commit 1")), "recorded (H200, 2026-11-20, commit 1)");
  EXPECT_EQ(heading(measured("p", "Some CPU")), "p, this machine (Some CPU)");
}

TEST(Text, HasThePublishedDigitsAndThreeOfWhatIsMeasured) {
  EXPECT_EQ(text(times_published, 1939.02), "1,939.02 s");
  EXPECT_EQ(text(times_published, 0.56e-3), "0.56 ms");
  EXPECT_EQ(text(times_measured, 1939.02), "1,939 s");
  EXPECT_EQ(text(times_measured, 463.19), "463 s");
  EXPECT_EQ(text(times_measured, 0.28828), "288 ms");
  EXPECT_EQ(text(times_measured, 4.19e-6), "4.19 µs");
  EXPECT_EQ(text(times_measured, 0.99999), "1 s");
  EXPECT_EQ(text(times_measured, "no GPU"), "no GPU");
}

TEST(Text, GroupsTheDigitsOfWhatIsCountedButNotOfSizes) {
  EXPECT_EQ(text(counted("steps"), 1234567), "1,234,567");
  EXPECT_EQ(text(counted("steps"), 999), "999");
  EXPECT_EQ(text(counted("mean"), -1234.5), "-1,234");
  EXPECT_EQ(text(counted("mean"), 9.1619), "9.16");
  EXPECT_EQ(text(key("n"), 8192), "8192");
}

TEST(Quotient, IsATextWhereACellIsNone) {
  EXPECT_EQ(quotient(6, 2, "none").value, 3.0);
  EXPECT_EQ(quotient("not measured", 2, "none").value, "none");
}

Experiment named(const char* title) { return {"paper/figure", "Author, Title", title, nullptr}; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Picture, HasALineForEveryColumnAndGroup) {
  const Table table{{key("n"), key("method"), times_published, times_measured},
                    {{1, "a", 1, 2}, {2, "a", 2, 3}, {1, "b", "none", 4}, {2, "b", "none", 5}},
                    {},
                    Chart{0, {1}, {2, 3}}};
  const std::string picture = to_svg(named("a < b"), table);
  EXPECT_EQ(count(picture, "<polyline"), 3u);
  EXPECT_EQ(count(picture, ">a, published (GTX 680)</text>"), 1u);
  EXPECT_EQ(count(picture, ">b, this machine (Some CPU)</text>"), 1u);
  EXPECT_EQ(count(picture, ">time</text>"), 1u);
  EXPECT_EQ(count(picture, ">a &lt; b</text>"), 1u);
}

TEST(Picture, IsLogarithmicWhereTheRangeAsks) {
  const auto picture_of = [](double x, double y) {
    return to_svg(named("t"), {{key("n"), times_measured}, {{1, 1}, {2, 2}, {x, y}}, {}, Chart{0, {}, {1}}});
  };
  EXPECT_EQ(count(picture_of(3, 5), "logarithmic"), 0u);
  EXPECT_EQ(count(picture_of(8, 5), ">n, logarithmic<"), 1u);
  EXPECT_EQ(count(picture_of(3, 50), ">time, logarithmic<"), 1u);
}

TEST(Picture, DrawsAPublishedPointAndSaysWhereThereIsNone) {
  const auto picture_of = [](const Cell& cell) {
    return to_svg(
        named("t"),
        {{key("g"), counted("p"), published("")}, {{1, 1, "not printed"}, {2, 2, cell}}, {}, Chart{0, {}, {1, 2}}});
  };
  EXPECT_EQ(count(picture_of(2), "prints no values"), 0u);
  EXPECT_EQ(count(picture_of(2), "<rect"), 3u);  // the ground, the point and the legend's
  EXPECT_EQ(count(picture_of("not printed"), "prints no values"), 1u);
}

TEST(Picture, HasABarForASpreadAlsoWhereItReachesZero) {
  Table table{{key("n"), times_measured}, {{1, 1e-6}, {2, 1}}, {}, Chart{0, {}, {1}}};
  EXPECT_EQ(count(to_svg(named("t"), table), "vertical bars"), 0u);
  table.rows[0][1].spread = 3;
  const std::string picture = to_svg(named("t"), table);
  EXPECT_EQ(count(picture, "vertical bars"), 1u);
  EXPECT_EQ(count(picture, "nan"), 0u);
  EXPECT_EQ(count(picture, "inf"), 0u);
}

TEST(Picture, IsRefusedWhereThereIsNoNumber) {
  const Table texts{{key("n"), times_measured}, {{1, "no GPU"}}, {}, Chart{0, {}, {1}}};
  EXPECT_THROW((void)to_svg(named("t"), texts), Error);
  EXPECT_THROW((void)to_svg(named("t"), Table{{key("n")}, {{1}}}), Error);
}

TEST(Meter, TakesTheMedianAndTheSpreadOfSeveralRuns) {
  Meter meter({.row_seconds = 5});
  double next = 0.01;
  const Cell cell = meter.seconds(1, [&] { return next += 0.01; });  // 0.02 warms up; 0.03 .. 0.07 count
  EXPECT_NEAR(cell.number(), 0.05, 1e-12);
  EXPECT_NEAR(cell.spread, 0.04 / 0.05, 1e-12);
}

TEST(Meter, LeavesOutWhatTheLastRateSaysTakesTooLong) {
  Meter meter({.row_seconds = 5});
  int runs = 0;
  const auto run = [&] {
    ++runs;
    return 2.0;
  };
  EXPECT_EQ(meter.seconds(1, run).number(), 2);
  EXPECT_EQ(runs, 1);  // one, where it takes longer than a second
  EXPECT_EQ(meter.seconds(2, run).value, "not measured");
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(Meter({.row_seconds = 0}).seconds(1, run).value, "not measured");
  EXPECT_EQ(runs, 1);
}

TEST(ThisMachine, IsCalledByItsProcessorsName) {
  EXPECT_NE(this_machine().find(" thread"), std::string::npos) << this_machine();
  EXPECT_EQ(this_machine().ends_with("no GPU"), !has_gpu());
}

}  // namespace
}  // namespace warpfold::papers
