#include <algorithm>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

/// More sequences than are held at a time: with --suboptimal, some 65,536 bases are.
class ManyFoldings : public CommandLine {
 protected:
  static constexpr std::size_t count = 12'000, first_block = 5500;
  static constexpr const char* options = "--suboptimal 0 ";

  void SetUp() override {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format(">r{}\n{}\n", i, letters(i));
    write("all.fa", text);
  }
  static std::string letters(std::size_t i) {
    return i % 3 == 0 ? "GGGGAAAACCCC" : i % 3 == 1 ? "AAAAAAAAAAAA" : "GCGCAAAAGCGC";
  }

  /// What is printed of the first `number` sequences: the same of each as of a file with it alone.
  [[nodiscard]] std::string expected(std::size_t number, const std::string& more = "") const {
    std::string printed[3];
    for (std::size_t i = 0; i < 3; ++i)
      printed[i] = warpfold(fmt::format("fold --sequence {} {} {}", letters(i), options, more)).out;
    std::string text;
    for (std::size_t i = 0; i < number; ++i) text += fmt::format(">r{}\n{}", i, printed[i % 3]);
    return text;
  }
};

TEST_F(ManyFoldings, ArePrintedAndWrittenInOrder) {
  const std::string text = expected(count, "--partition");
  const Ran ran = warpfold(std::string("fold all.fa --partition -o x.db ") + options);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.out == text);
  EXPECT_TRUE(file("x.db") == text);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << "one note";
  EXPECT_TRUE(warpfold(std::string("fold - --partition <all.fa ") + options).out == text);
}

TEST_F(ManyFoldings, AreInOneJsonDocument) {
  const Json found = warpfold(std::string("fold all.fa --json ") + options).json();
  EXPECT_EQ(found["n"], 12 * count);
  ASSERT_EQ(found["records"].size(), count);
  std::int64_t energy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(found["records"][i]["name"], fmt::format("r{}", i));
    energy += found["records"][i]["energy"].get<std::int64_t>();
  }
  EXPECT_EQ(found["cost"], energy);
  EXPECT_EQ(found["records"][count - 3]["structure"], "((((....))))");
  EXPECT_EQ(warpfold(std::string("fold all.fa --estimate --json ") + options).json()["n"], 12 * count);
}

TEST_F(ManyFoldings, HaveOneTableOfProbabilitiesWithTheirNumbers) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += letters(i) + '\n';
  write("lines.txt", text);
  EXPECT_EQ(
      warpfold(
          std::string("fold lines.txt -q --probabilities p.tsv --accessibility w.tsv --max-window 1 --threshold 0.5 ") +
          options)
          .exit_code,
      0);
  const std::string table = file("p.tsv"), windows = file("w.tsv");
  EXPECT_EQ(table.find("name", 1), std::string::npos) << "one header";
  EXPECT_EQ(windows.find("name", 1), std::string::npos);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(windows, '\n')), 1 + 12 * count);
  EXPECT_NE(table.find(fmt::format("\n{}\t1\t12\t", count)), std::string::npos) << "the last one pairs";
  EXPECT_NE(windows.find(fmt::format("\n{}\t12\t", count)), std::string::npos);
}

TEST_F(ManyFoldings, HaveTheirOwnConstraints) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format(">r{}\n{}\n", i, i + 1 == count ? "xxxxxxxxxxxx" : "............");
  write("c.txt", text);
  const std::string out = warpfold(std::string("fold all.fa --constraints c.txt ") + options).out;
  const std::string last =
      fmt::format(">r{}\n{}\n............ (  0.00)\n............ (  0.00)\n", count - 1, letters(count - 1));
  EXPECT_TRUE(out.starts_with(expected(count - 1)));
  EXPECT_TRUE(out.ends_with(last)) << out.substr(out.size() - 200);
  write("c.txt", text + "............\n............\n");
  EXPECT_NE(warpfold(std::string("fold all.fa --constraints c.txt ") + options)
                .err.find(fmt::format("c.txt: has {} constraints for {} sequences: a line for each is accepted",
                                      count + 2, count)),
            std::string::npos);
  write("c.txt", text.substr(0, text.find(">r3000\n")));
  const Ran few = warpfold(std::string("fold all.fa --constraints c.txt ") + options);
  EXPECT_NE(few.err.find(fmt::format("for {} sequences: a line for each is accepted", count)), std::string::npos)
      << few.err;
}

TEST_F(ManyFoldings, EndAtAFaultInALaterBlock) {
  write("faulty.fa", file("all.fa") + ">last\nACX\n");
  const Ran ran = warpfold(std::string("fold faulty.fa -o x.db ") + options);
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find(fmt::format("faulty.fa:{}: base 3, counted from 1, is 'X'", 2 * count + 2)), std::string::npos)
      << ran.err;
  EXPECT_TRUE(ran.out.starts_with(expected(first_block)) && expected(count).starts_with(ran.out)) << "blocks before";
  EXPECT_FALSE(exists("x.db"));
}

TEST_F(ManyFoldings, GoOnAfterFaultsIfAsked) {
  write("faulty.fa", ">first\n\n" + file("all.fa") + ">last\nACX\n");
  const Ran ran = warpfold(std::string("fold faulty.fa --keep-going -o x.db ") + options);
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find(fmt::format("2 of {} sequences failed, the others are folded. The first is record 'first': ",
                                     count + 2)),
            std::string::npos)
      << ran.err;
  EXPECT_TRUE(ran.out == expected(count));
  EXPECT_TRUE(file("x.db") == ran.out);
}

TEST_F(ManyFoldings, AreCountedByAnOptionThatTakesOne) {
  expect_error(warpfold("fold all.fa -o x.svg"), 2, fmt::format("for {} sequences: .svg has one", count));
  expect_error(warpfold("fold all.fa --checkpoint kept"), 2, "a batch keeps no checkpoint");
}

}  // namespace
}  // namespace warpfold::app::test
