#include <algorithm>

#include "cli/app/run.hpp"
#include "sanitizers.hpp"

namespace warpfold::app::test {
namespace {

class Sequences : public CommandLine {
 protected:
  void SetUp() override {
    write("old.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
    write("new.txt", "a\nb\nx\nd\ne\nf\ng\nh\ni\nj\nk");
  }
};

TEST_F(Sequences, HaveTheKeysOfTheirScript) {
  const Json found = warpfold("edit-distance --strings kitten sitting --script --json").json();
  EXPECT_EQ(found["cost"], 3);
  EXPECT_EQ(found["distance"], 3);
  EXPECT_EQ(found["n"], 6);
  EXPECT_EQ(found["m"], 7);
  EXPECT_EQ(found["matches"], 4);
  EXPECT_DOUBLE_EQ(found["identity"], 4.0 / 7);
  EXPECT_EQ(found["cigar"], "1X3=1X1=1I");
  EXPECT_EQ(found["script"][4], Json::parse(R"(["insertion", 6, 6, 6, 7])"));
  const Json common = warpfold("lcs --strings ABCBDAB BDCABA --json").json();
  EXPECT_EQ(common["length"], 4);
  EXPECT_EQ(common["distance"], 5);
  EXPECT_FALSE(common.contains("script"));
}

TEST_F(Sequences, MayBeEmpty) {
  const Json found = warpfold("edit-distance --strings '' '' --script --json").json();
  EXPECT_EQ(found["distance"], 0);
  EXPECT_EQ(found["cigar"], "");
  EXPECT_EQ(found["identity"], 1.0);
  EXPECT_EQ(warpfold("lcs --strings '' abc --json").json()["distance"], 3);
}

TEST_F(Sequences, BeyondTheBoundHaveNoCost) {
  for (const char* command :
       {"edit-distance --strings kitten sitting --max-distance 2", "lcs --strings kitten sitting --max-distance 4"}) {
    const Ran ran = warpfold(std::string(command) + " --json");
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.json()["status"], "more than");
    EXPECT_EQ(ran.json()["cost"], nullptr);
    EXPECT_TRUE(ran.json()["more_than"].is_number());
    EXPECT_NE(warpfold(command).out.find("more than"), std::string::npos);
    EXPECT_NE(warpfold(std::string(command) + " -o x.svg").err.find("x.svg is not written"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path("x.svg")));
  }
  EXPECT_EQ(warpfold("lcs --strings kitten sitting --max-distance 5 --json").json()["status"], "optimal");
}

TEST_F(Sequences, OfAnUnknownEndingAreTextAndANoteNamesHeaders) {
  write("a.seq", ">r\nACGT\n");
  write("b.fa", ">s\nACGT\n");
  const Ran ran = warpfold("edit-distance a.seq a.seq --json");
  EXPECT_EQ(ran.json()["n"], 8);
  EXPECT_NE(ran.err.find("note: a.seq begins with '>' and is read as text"), std::string::npos) << ran.err;
  EXPECT_EQ(warpfold("edit-distance a.seq a.seq --as text").err, "");
  EXPECT_EQ(warpfold("edit-distance a.seq b.fa --as fasta --json").json()["n"], 4);
}

TEST_F(Sequences, AreReadByTheirEndingPlainOrGzip) {
  write("a.fa", ">r\nacgt\nACGT\n");
  write("b.fa", ">s\nACGTTCGT\n");
  ASSERT_EQ(shell("gzip b.fa").exit_code, 0);
  const Json found = warpfold("edit-distance a.fa b.fa.gz --json").json();
  EXPECT_EQ(found["as"], "fasta");
  EXPECT_EQ(found["distance"], 1);
  EXPECT_EQ(warpfold("edit-distance a.fa b.fa.gz --case --json").json()["distance"], 5);
  EXPECT_EQ(warpfold("edit-distance - old.txt --json <new.txt").json()["as"], "text");
}

TEST_F(Sequences, CountAsTheyAreRead) {
  const auto distance = [&](const std::string& words) {
    return warpfold("edit-distance --json --strings " + words).json()["distance"];
  };
  EXPECT_EQ(distance("né ne"), 1);
  EXPECT_EQ(distance("né ne --as bytes"), 2);
  EXPECT_EQ(distance("'to be' 'to do be' --as words"), 1);
  EXPECT_EQ(distance("'1 02 3' '1,2,4' --as numbers"), 1);
  EXPECT_EQ(distance("ABC abd --ignore-case"), 1);
  EXPECT_EQ(distance("ab ba"), 2);
  EXPECT_EQ(distance("ab ba --transpositions"), 1);
  EXPECT_EQ(distance("ca abc --transpositions"), 3);
  EXPECT_EQ(distance("ca abc --unrestricted-transpositions"), 2);
  EXPECT_EQ(distance("kitten sitting --costs 1,2,3"), 7);
}

TEST_F(Sequences, OfAmbiguousBasesMatchWhereTheyHaveABaseInCommon) {
  EXPECT_EQ(warpfold("edit-distance --strings ACGTN acRUA --iupac --json").json()["distance"], 0);
  EXPECT_EQ(warpfold("edit-distance --strings ACGTN acRUA --ignore-case --json").json()["distance"], 3);
  EXPECT_EQ(warpfold("edit-distance --strings RY YR --iupac --json").json()["distance"], 2);
  EXPECT_EQ(warpfold("lcs --strings NNN AC --iupac --json").json()["length"], 2);
  const Json aligned = warpfold("align --strings ACGTACGT GNAC --mode infix --iupac --script --json").json();
  EXPECT_EQ(aligned["iupac"], true);
  write("n.fa", ">n\nACGTNNN\n");
  write("r.fa", ">r\nacrtgca\n");
  EXPECT_EQ(warpfold("edit-distance n.fa r.fa --iupac --script -o s.json -q").exit_code, 0);
  EXPECT_EQ(Json::parse(file("s.json"))["cigar"], "7=");
  EXPECT_EQ(warpfold("verify n.fa r.fa s.json --optimal --json").json()["optimal"], true);
  expect_error(warpfold("edit-distance --strings ACE ACG --iupac"), 3,
               "symbol 3 of the first sequence is 'E': A, C, G, T, U and the ambiguity letters R, Y, S, W, K, M, B, D, "
               "H, V, N are accepted as sets of bases");
  write("odd.fa", "; of the file\n>n\nACGT\n ACE\n");
  expect_error(warpfold("edit-distance n.fa odd.fa --iupac"), 3, "odd.fa:4: column 4 is 'E': A, C, G, T, U and the");
  write("odd.txt", "AC!");
  expect_error(warpfold("edit-distance odd.txt n.fa --as text --iupac"), 3,
               "odd.txt:1: symbol 3 of the line is '!': A, C, G, T, U and the");
  expect_error(warpfold("lcs a.txt b.txt --as lines --iupac"), 2, "--iupac is for letters");
  expect_error(warpfold("align --strings A C --matrix BLOSUM62 --iupac"), 2, "a matrix scores the ambiguity letters");
  expect_error(warpfold("lcs n.fa r.fa --pairs --iupac"), 2, "--pairs prints lines of TSV: --iupac is not accepted");
}

TEST_F(Sequences, HaveGapsOnTheSideThatTiesName) {
  const auto cigar = [&](const std::string& ties) {
    return warpfold("lcs --strings abbbc abbc --script --json --ties " + ties).json()["cigar"];
  };
  EXPECT_EQ(cigar("left"), "1=1D3=");
  EXPECT_EQ(cigar("right"), "3=1D1=");
}

TEST_F(Sequences, HaveTheFewestOrTheMostColumnsThatTiesName) {
  const auto cigar = [&](const std::string& command) { return warpfold(command + " --script --json").json()["cigar"]; };
  EXPECT_EQ(cigar("edit-distance --strings ab ba --ties shortest"), "2X");
  EXPECT_EQ(cigar("edit-distance --strings ab ba --ties longest"), "1I1=1D");
  EXPECT_EQ(cigar("align --strings ab ba --match 0 --mismatch -1 --ties shortest"), "2X");
  EXPECT_EQ(cigar("align --strings ab ba --match 0 --mismatch -1 --ties longest"), "1I1=1D");
  EXPECT_EQ(cigar("lcs --strings ab ba --ties shortest"), "1I1=1D");
  expect_error(warpfold("align --strings ab ba --gap 1,0 --ties longest --script"), 2, "the cost to extend a gap is 0");
}

TEST_F(Sequences, AreWrittenByTheEndingOfTheOutput) {
  EXPECT_EQ(warpfold("edit-distance --strings kitten sitting -q -o x.cigar").out, "");
  EXPECT_EQ(file("x.cigar"), "1X3=1X1=1I\n");
  EXPECT_EQ(warpfold("edit-distance --strings kitten sitting -q -o x.txt").exit_code, 0);
  EXPECT_NE(file("x.txt").find("kitten- 6\n"), std::string::npos);
  for (const char* run : {"edit-distance --strings kitten sitting", "lcs --strings abc ac", "diff old.txt new.txt",
                          "align --strings abc ac --mode local"}) {
    EXPECT_EQ(warpfold(std::string(run) + " -q -o x.svg").exit_code, 0) << run;
    EXPECT_TRUE(file("x.svg").starts_with("<svg ") && file("x.svg").ends_with("</svg>\n")) << run;
  }
  EXPECT_EQ(warpfold("lcs old.txt new.txt --as lines -q -o x.patch").exit_code, 0);
  EXPECT_EQ(file("x.patch"), warpfold("diff old.txt new.txt").out);
  EXPECT_EQ(warpfold("diff old.txt new.txt --script -q -o x.json").exit_code, 0);
  EXPECT_EQ(Json::parse(file("x.json"))["length"], 9);
}

TEST_F(Sequences, PrintAPatchWithContextThatEndsWell) {
  const Ran ran = warpfold("diff old.txt new.txt --context 1");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out,
            "--- old.txt\n+++ new.txt\n@@ -2,3 +2,3 @@\n b\n-c\n+x\n d\n@@ -10 +10,2 @@\n j\n+k\n"
            "\\ No newline at end of file\n");
  EXPECT_EQ(warpfold("diff old.txt old.txt").out, "");
  EXPECT_EQ(warpfold("diff old.txt old.txt").exit_code, 0);
  EXPECT_EQ(warpfold("diff old.txt new.txt -o x.patch").out, "");
  EXPECT_EQ(warpfold("diff old.txt new.txt --json").json()["command"], "diff");
}

TEST_F(Sequences, PrintNoPatchBeyondTheBound) {
  const Ran ran = warpfold("diff old.txt new.txt --max-distance 2 -o x.patch");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("note: x.patch is not written: the deleted and inserted lines are more than 2"),
            std::string::npos);
  EXPECT_FALSE(exists("x.patch"));
  EXPECT_NE(warpfold("diff old.txt new.txt --max-distance 2").err.find("note: no patch: "), std::string::npos);
}

TEST_F(Sequences, LeaveNoFileOfAnEarlierRunBeyondTheBound) {
  write("a.csv", "1\n2\n3\n");
  write("b.csv", "4\n2\n3\n");
  for (const char* command : {"diff old.txt new.txt --max-distance 1", "lcs old.txt new.txt --max-distance 1",
                              "edit-distance old.txt new.txt --max-distance 1", "dtw a.csv b.csv --max-distance 1"}) {
    write("x.cigar", "old");
    const Ran ran = warpfold(std::string(command) + " -o x.cigar");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ran.err.find("note: x.cigar is removed, and not written: "), std::string::npos) << ran.err;
    EXPECT_FALSE(exists("x.cigar")) << command;
  }
}

TEST_F(Sequences, PrintAPatchThatPatchApplies) {
  if (shell("command -v patch").exit_code != 0) GTEST_SKIP() << "no patch";
  write("crlf name.txt", "a\r\nb\r\nc");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"old.txt", "new.txt"}, {"new.txt", "old.txt"}, {"old.txt", "'crlf name.txt'"}, {"'crlf name.txt'", "new.txt"}};
  for (const auto& [from, to] : cases) {
    const Ran ran = shell("warpfold diff " + from + " " + to + " >x.patch && patch --binary -o patched " + from +
                          " x.patch && cmp patched " + to);
    EXPECT_EQ(ran.exit_code, 0) << from << " " << to << ran.out << ran.err;
  }
}

TEST_F(Sequences, OfManyLinesAreComparedPairByPairOrAll) {
  write("a.txt", "kitten\n\nrésumé\n");
  write("b.txt", "sitting\r\nx\nresume");
  EXPECT_EQ(warpfold("edit-distance a.txt b.txt --pairs").out, "1\t1\t6\t7\t3\n2\t2\t0\t1\t1\n3\t3\t6\t6\t2\n");
  EXPECT_EQ(warpfold("edit-distance a.txt b.txt --pairs --max-distance 2 --script").out,
            "1\t1\t6\t7\t-\t-\n2\t2\t0\t1\t1\t1I\n3\t3\t6\t6\t2\t1=1X3=1X\n");
  const std::string all = warpfold("lcs a.txt b.txt --all --algorithm words").out;
  EXPECT_EQ(std::ranges::count(all, '\n'), 9);
  EXPECT_EQ(all.substr(0, 20), "1\t1\t6\t7\t4\n1\t2\t6\t1\t0\n");
  EXPECT_EQ(warpfold("lcs a.txt b.txt --all --algorithm lanes").out, all);
}

TEST_F(Sequences, OfManyRecordsHaveTheirNames) {
  write("a.fa", ">one first\nACGT\nAC\n>two\nAAAA\n");
  write("b.fq", "@x\nacgg\n+\n@@@@\n@y\nA\n+\nI\n");
  EXPECT_EQ(warpfold("edit-distance a.fa b.fq --pairs").out, "one\tx\t6\t4\t3\ntwo\ty\t4\t1\t3\n");
  EXPECT_EQ(warpfold("edit-distance a.fa b.fq --pairs --case").out, "one\tx\t6\t4\t6\ntwo\ty\t4\t1\t3\n");
  write("mixed.fa", ">one\nACGT\n@two\nAC\n+\nII\n");
  EXPECT_NE(warpfold("edit-distance mixed.fa a.fa --pairs").err.find("records of one kind"), std::string::npos);
  write("empty.fa", ">one\n>two\nAC\n");
  EXPECT_EQ(warpfold("edit-distance empty.fa a.fa --pairs").exit_code, 3);
}

TEST_F(Sequences, OfManyAreAlignedPairByPairOrAll) {
  const std::vector<std::string> a = {"GATTACA", "ACGT", "acgt"}, b = {"TTAC", "ACT", "ACGT"};
  write("a.txt", "GATTACA\nACGT\nacgt\n");
  write("b.txt", "TTAC\nACT\nACGT\n");
  for (const std::string scoring :
       {"--mode local", "--gap 2,1", "--mode infix --ties right", "--matrix BLOSUM62 --ignore-case --mode local"}) {
    std::string pairs, all;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        const Json one = warpfold(fmt::format("align --strings {} {} {} --script --json", a[i], b[j], scoring)).json();
        const std::string line =
            fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", i + 1, j + 1, a[i].size(), b[j].size(),
                        one["score"].get<int>(), one["begin"][0].get<int>(), one["end"][0].get<int>(),
                        one["begin"][1].get<int>(), one["end"][1].get<int>(), one["cigar"].get<std::string>());
        all += line;
        if (i == j) pairs += line;
      }
    }
    EXPECT_EQ(warpfold("align a.txt b.txt --pairs --script " + scoring).out, pairs) << scoring;
    EXPECT_EQ(warpfold("align a.txt b.txt --all --script " + scoring).out, all) << scoring;
  }
  EXPECT_EQ(warpfold("align a.txt b.txt --pairs").out.substr(0, 19), "1\t1\t7\t4\t1\t0\t7\t0\t4\n2");
  EXPECT_EQ(warpfold("align a.txt b.txt --pairs --json").exit_code, 2);
  write("odd.txt", "AC\nA!\n");
  write("even.txt", "AC\nAC\n");
  expect_error(warpfold("align odd.txt even.txt --pairs --matrix BLOSUM62"), 3, "2 and 2: ");
}

TEST_F(Sequences, OfManyHaveTheirNearest) {
  write("a.txt", "kitten\nsitting\n");
  write("b.txt", "kittens\nmitten\nsitting\n");
  EXPECT_EQ(warpfold("edit-distance a.txt b.txt --nearest 2").out,
            "1\t1\t6\t7\t1\n1\t2\t6\t6\t1\n2\t3\t7\t7\t0\n2\t1\t7\t7\t3\n");
  EXPECT_EQ(warpfold("edit-distance a.txt b.txt --nearest 9 --max-distance 1 --script").out,
            "1\t1\t6\t7\t1\t6=1I\n1\t2\t6\t6\t1\t1X5=\n2\t3\t7\t7\t0\t7=\n");
  EXPECT_EQ(warpfold("lcs a.txt b.txt --nearest 1").out, "1\t1\t6\t7\t6\n2\t3\t7\t7\t7\n");
  EXPECT_EQ(warpfold("lcs a.txt b.txt --nearest 1 --all").exit_code, 2);
  EXPECT_EQ(warpfold("lcs a.txt b.txt --nearest 0").exit_code, 2);
}

/// More pairs than are held at a time.
class ManyPairs : public CommandLine {
 protected:
  static constexpr std::size_t block = 65'536, count = block + 1000;

  /// Lines of one letter, by turns two ones.
  static std::string lines(std::size_t number, char first, char second) {
    std::string text;
    for (std::size_t i = 0; i < number; ++i) text += {i % 2 == 0 ? first : second, '\n'};
    return text;
  }
  static std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
};

TEST_F(ManyPairs, ArePrintedInOrderWithTheirNumbers) {
  write("a.txt", lines(count, 'x', 'y'));
  write("b.txt", lines(count, 'x', 'x'));
  write("one.txt", "x\n");
  std::string pairs, all;
  for (std::size_t i = 1; i <= count; ++i) {
    pairs += fmt::format("{}\t{}\t1\t1\t{}\n", i, i, 1 - i % 2);
    all += fmt::format("{}\t1\t1\t1\t{}\n", i, 1 - i % 2);
  }
  EXPECT_TRUE(warpfold("edit-distance a.txt b.txt --pairs").out == pairs);
  EXPECT_TRUE(warpfold("edit-distance a.txt one.txt --all").out == all);
  EXPECT_TRUE(warpfold("edit-distance a.txt one.txt --nearest 1").out == all);
  const Ran ran = warpfold("edit-distance - b.txt --pairs -o lines.tsv < a.txt");
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(file("lines.tsv") == pairs);
}

TEST_F(ManyPairs, OfUnequalFilesEndWithBothNumbersAndNoHalfFile) {
  write("a.txt", lines(count, 'x', 'y'));
  write("b.txt", lines(count + block, 'x', 'y'));
  for (const char* files : {"a.txt b.txt", "b.txt a.txt"}) {
    const Ran ran = warpfold(fmt::format("edit-distance {} --pairs", files));
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_EQ(lines_of(ran.out), block) << "those of the blocks before";
    EXPECT_NE(ran.err.find(fmt::format("a.txt has {}", count)), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(fmt::format("b.txt has {}", count + block)), std::string::npos) << ran.err;
    expect_error(warpfold(fmt::format("edit-distance {} --pairs -o lines.tsv", files)), 3, "as many are accepted");
    EXPECT_FALSE(exists("lines.tsv"));
  }
}

TEST_F(ManyPairs, EndAtAFaultInALaterBlock) {
  write("a.txt", lines(count, 'x', 'y') + "\xff\n");
  write("b.txt", lines(count + 1, 'x', 'y'));
  const Ran ran = warpfold("lcs a.txt b.txt --pairs");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(lines_of(ran.out), block);
  EXPECT_NE(ran.err.find(fmt::format("a.txt:{}: column 1, byte 0xff at offset {}", count + 1, 2 * count)),
            std::string::npos)
      << ran.err;
  write("lines.tsv", "old");
  expect_error(warpfold("lcs a.txt b.txt --pairs -o lines.tsv"), 3, "a.txt:");
  EXPECT_EQ(file("lines.tsv"), "old");
}

TEST_F(ManyPairs, TakeTheMemoryOfABlock) {
  if (warpfold::test::under_sanitizer) GTEST_SKIP() << "freed memory is kept";
  const auto peak = [&](std::size_t number) {
    std::string text;
    for (std::size_t i = 0; i < number; ++i) text += fmt::format(">{}\n{}\n", i, std::string(40, "ACGT"[i % 4]));
    write("a.fa", text);
    EXPECT_EQ(warpfold("edit-distance a.fa a.fa --pairs --threads 1").exit_code, 0);
    return warpfold("edit-distance a.fa a.fa --pairs --threads 1").peak_resident_bytes;
  };
  EXPECT_LT(peak(6 * block), peak(2 * block) + (std::size_t{4} << 20)) << "a file of 19 MB against one of 6 MB";
}

TEST_F(Sequences, OfManyRejectWhatIsForOnePair) {
  for (const char* option : {"--json", "-o x.cigar", "--estimate", "--strings", "--costs 1,2,3", "--transpositions",
                             "--unrestricted-transpositions", "--algorithm slices", "--as words", "--all"}) {
    EXPECT_EQ(warpfold(std::string("edit-distance old.txt old.txt --pairs ") + option).exit_code, 2) << option;
  }
  const Ran ran = warpfold("lcs old.txt new.txt --pairs");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("old.txt has 10 sequences and new.txt has 11"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace warpfold::app::test
