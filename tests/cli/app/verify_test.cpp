#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

/// A command, and the files of its instance.
struct Solved {
  std::string command, instance;
};

class Verdict : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    write("chain.txt", "40 20 30 10 30 25");
    write("hairpin.fa", ">a\nGGGGAAAACCCC\n");
    write("circle.fa", ">a\nAAGGGGGGAAAACCCCCCAA\n");
    write("pairs.txt", "1 11 -3.5\n2 10 -3\n");
    write("rna.fa", ">a\nGGGGAAAACCCC\n>b\nGGGAAAUCC\n");
    write("one.txt", "The quick brown fox\njumps over\nthe dog\n");
    write("other.txt", "the quick fox\njumps high over\nthe dog\r\n");
    write("one.fa", ">a\nACgTA\n");
    write("other.fa", ">b\nACGTAA\n");
    write("tree.json", R"({"p": [15, 10, 5, 10, 20], "q": [5, 10, 5, 5, 5, 10]})");
    write("r.json", R"({"op": "sum", "offsets": [2, 1], "initial": [0, 1], "n": 60})");
    write("c.json", R"({"coins": [1, 5, 12], "amount": 40})");
    write("k.txt", "4 10\n6 4\n5 3\n9 8\n2 2\n");
    write("w.csv", "0,0,7,5,0\n0,0,0,9,4\n0,0,0,0,8\n0,0,0,0,0\n0,0,0,0,0\n");
    write("a.csv", "0,3\n5,1\n");
    write("o.csv", "0,0\n4,0\n5,3\n1,1\n0,4\n");
    write("g.csv", "a,b,9\nb,c,8\na,c,20\nc,a,2\nd,a,1\n");
  }

  static std::vector<Solved> all() {
    return {{"chain chain.txt", "chain.txt"},
            {"tree tree.json", "tree.json"},
            {"fold rna.fa", "rna.fa"},
            {"fold rna.fa --suboptimal 3 --best 4", "rna.fa"},
            {"fold hairpin.fa --pair-energies pairs.txt", "hairpin.fa"},
            {"fold circle.fa --circular", "circle.fa"},
            {"fold circle.fa --circular --partition --samples 3 --best 4 --mea 1", "circle.fa"},
            {"fold rna.fa --partition --samples 3 --no-lone-pairs", "rna.fa"},
            {"lcs one.txt other.txt", "one.txt other.txt"},
            {"lcs one.txt other.txt --script --ignore-case", "one.txt other.txt"},
            {"lcs one.txt other.txt --as lines --max-distance 5", "one.txt other.txt"},
            {"lcs one.txt other.txt --as lines --ignore-ends --script", "one.txt other.txt"},
            {"lcs --strings abcbdab bdcaba --script", "abcbdab bdcaba"},
            {"align one.txt other.txt --match 3 --mismatch -2 --gap 4,1 --script", "one.txt other.txt"},
            {"align one.txt other.txt --mode local", "one.txt other.txt"},
            {"align --strings HEAGAWGHWEEA AGWGHEEAK --matrix PAM250 --gap 2,1 --free-ends begin-a,end-b --script "
             "--ties right",
             "HEAGAWGHWEEA AGWGHEEAK"},
            {"dtw o.csv a.csv", "o.csv a.csv"},
            {"dtw k.txt a.csv --script --window 3 --distance squared", "k.txt a.csv"},
            {"dtw k.txt o.csv --max-distance 30", "k.txt o.csv"},
            {"diff one.txt other.txt --script", "one.txt other.txt"},
            {"edit-distance one.txt other.txt", "one.txt other.txt"},
            {"edit-distance one.txt other.txt --as words --script --costs 2,3,4", "one.txt other.txt"},
            {"edit-distance --strings abcdefghqi bacxefyghi --transpositions --script", "abcdefghqi bacxefyghi"},
            {"edit-distance --strings abcdefghqi bacxefyghi --script --ties shortest", "abcdefghqi bacxefyghi"},
            {"edit-distance --strings xcayzzq xabcywz --unrestricted-transpositions --script", "xcayzzq xabcywz"},
            {"edit-distance one.fa other.fa --case --max-distance 3", "one.fa other.fa"},
            {"edit-distance --strings ACGTRNAACG GTYNACGTTK --iupac --script", "ACGTRNAACG GTYNACGTTK"},
            {"align --strings ACGTRNAACGCC GTYNACGTTK --iupac --script --gap 3", "ACGTRNAACGCC GTYNACGTTK"},
            {"recurrence r.json", "r.json"},
            {"coins c.json --ways", "c.json"},
            {"coins c.json --ways --all", "c.json"},
            {"coins c.json --ways --modulus 11", "c.json"},
            {"knapsack k.txt", "k.txt"},
            {"knapsack k.txt --kind unbounded", "k.txt"},
            {"subset-sum k.txt --count", "k.txt"},
            {"minplus a.csv a.csv -o c.npy", "a.csv a.csv"},
            {"paths g.csv --from a", "g.csv"},
            {"paths g.csv --from a --to c", "g.csv"},
            {"paths g.csv --from a --to d", "g.csv"},
            {"paths g.csv --from a --to c --semiring max-min", "g.csv"},
            {"triangulate --matrix w.csv", "w.csv"},
            {"triangulate o.csv", "o.csv"},
            {"triangulate o.csv --weight squared", "o.csv"}};
  }

  Json solve(const std::string& command) const {
    const Ran ran = warpfold(command + " --json | tee s.json");
    EXPECT_TRUE(ran.err.empty() || ran.err.find("there is no path from a to d") != std::string::npos) << ran.err;
    return ran.json();
  }

  /// The exit codes of `verify` for all solutions of a folder, by their file names. Several run at the same time.
  std::map<std::string, int> verify_all(const std::string& instance, const std::string& folder) const {
    const Ran ran =
        shell(fmt::format("ls {0} | xargs -P \"$(nproc)\" -I{{}} sh -c '"
                          "warpfold verify {1} {0}/{{}} >/dev/null 2>&1; echo {{}} $?'",
                          folder, instance));
    std::map<std::string, int> exit_codes;
    std::istringstream lines(ran.out);
    std::string name;
    for (int code = 0; lines >> name >> code;) exit_codes[name] = code;
    return exit_codes;
  }
};

TEST_F(Verdict, FindsEverySolutionOfOursFeasibleRightAndOptimal) {
  for (const auto& [command, instance] : all()) {
    static_cast<void>(solve(command));
    const Ran ran = warpfold("verify " + instance + " s.json --json --optimal");
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
    const Json object = ran.json();
    for (const char* key : {"valid", "feasible", "cost_right", "optimal"})
      EXPECT_EQ(object[key], true) << command << key;
    EXPECT_EQ(warpfold("verify " + instance + " s.json").out, "valid\n");
    EXPECT_EQ(warpfold("verify " + instance + " s.json --optimal").out, "valid, optimal\n");
    EXPECT_EQ(warpfold("verify " + instance + " s.json --json").json()["optimal"], "not checked");
  }
}

TEST_F(Verdict, IsTestedOnEverySolvingCommand) {
  std::vector<std::string> runs;
  for (const auto& [command, instance] : all()) runs.push_back(command);
  expect_runs_of_solving_commands(runs);
}

TEST_F(Verdict, IsGivenOnEverySolvingCommand) {
  write("s.json", R"({"command": "sorting"})");
  const Ran ran = warpfold("verify w.csv s.json");
  expect_error(ran, 3, "'sorting': a solution of triangulate, ");
  for (const std::string& command : solving_commands()) EXPECT_NE(ran.err.find(command), std::string::npos) << command;
}

TEST_F(Verdict, OfAPatchIsThatItTurnsOneFileIntoTheOther) {
  ASSERT_EQ(warpfold("diff one.txt other.txt -o s.patch").exit_code, 0);
  EXPECT_EQ(warpfold("verify one.txt other.txt s.patch").out, "valid\n");
  EXPECT_EQ(warpfold("verify one.txt other.txt s.patch --optimal").out, "valid, optimal\n");
  EXPECT_EQ(warpfold("verify one.txt other.txt s.patch --optimal --json").json()["optimal"], true);
  EXPECT_EQ(warpfold("verify other.txt one.txt s.patch").exit_code, 3);
}

/// Adds one to every number that the instance determines.
void change_each(Json& value, const std::function<void()>& changed) {
  if (value.is_array() || value.is_object()) {
    for (Json& entry : value) change_each(entry, changed);
    return;
  }
  const Json before = value;
  if (value.is_boolean()) value = !value.get<bool>();
  if (before.is_number_integer()) value = before.get<std::int64_t>() + 1;
  if (before.is_number_float()) value = 1.5 * before.get<double>() + 1;
  if (before.is_string()) value = before.get<std::string>() + "x";
  if (before.is_null()) value = 17;
  changed();
  if (before.is_number_integer()) {
    for (const Json& unlike : {Json(before.get<double>() + 0.5), Json(before.get<std::int64_t>() + 4294967296)}) {
      value = unlike;
      changed();
    }
  }
  value = before;
}

TEST_F(Verdict, SeesEveryKeyThatAnInstanceDetermines) {
  const std::set<std::string> free = {
      "command", "seconds", "peak_bytes", "threads",           "device",          "algorithm",         "version",
      "dtype",   "reason",  "weight",     "peak_device_bytes", "fallback_reason", "chords_considered", "window"};
  for (const auto& [command, instance] : all()) {
    Json solution = solve(command);
    std::map<std::string, std::string> changed;  // by the name of the file
    std::filesystem::create_directory(path("changed"));
    for (auto& [key, value] : solution.items()) {
      if (free.contains(key) && !(key == "weight" && value.is_number())) continue;
      change_each(value, [&, &key = key, &value = value] {
        const std::string name = fmt::format("{}.json", changed.size());
        changed[name] = fmt::format("{}: {}", key, value.dump());
        write("changed/" + name, solution.dump());
      });
    }
    const std::map<std::string, int> exit_codes = verify_all(instance, "changed");
    for (const auto& [name, change] : changed) {
      EXPECT_TRUE(exit_codes.contains(name) && exit_codes.at(name) == 3) << command << ", " << change;
    }
    std::filesystem::remove_all(path("changed"));
  }
}

TEST_F(Verdict, TellsASolutionThatIsRightFromOneThatIsOptimal) {
  Json empty = solve("knapsack k.txt");
  for (const char* key : {"cost", "value", "weight"}) empty[key] = 0;
  empty["items"] = Json::array();
  write("s.json", empty.dump());
  const Json plain = warpfold("verify k.txt s.json --json").json();
  EXPECT_EQ(plain["valid"], true);
  const Ran ran = warpfold("verify k.txt s.json --json --optimal");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.json()["feasible"], true);
  EXPECT_EQ(ran.json()["cost_right"], true);
  EXPECT_EQ(ran.json()["optimal"], false);
  expect_error(warpfold("verify k.txt s.json --optimal"), 3, "s.json: is not optimal: the cost is 0, an optimum's 13");

  write("fan.json", R"json({"command":"chain","status":"optimal","n":3,"cost":2000000,"dtype":"i128","device":"cpu",
    "algorithm":"dp","threads":1,"seconds":{"read":0,"prepare":0,"solve":0,"traceback":0,"total":0},"peak_bytes":0,
    "version":"0.1.0","order":"(A1(A2A3))","splits":[[0,1,3],[1,2,3]],"path":[[1,2],[0,1]]})json");
  write("three.txt", "100 1 100 100");
  Json fan = Json::parse(file("fan.json"));
  fan["cost"] = 1 * 100 * 100 + 100 * 1 * 100;
  write("fan.json", fan.dump());
  EXPECT_EQ(warpfold("verify three.txt fan.json --optimal").out, "valid, optimal\n");
  fan["order"] = "((A1A2)A3)";
  fan["splits"] = Json::parse("[[0,2,3],[0,1,2]]");
  fan["path"] = Json::parse("[[0,1],[0,1]]");
  fan["cost"] = 100 * 1 * 100 + 100 * 100 * 100;
  write("fan.json", fan.dump());
  EXPECT_EQ(warpfold("verify three.txt fan.json").exit_code, 0);
  expect_error(warpfold("verify three.txt fan.json --optimal"), 3,
               "is not optimal: the cost is 1010000, an optimum's 20000");
}

TEST_F(Verdict, SaysWhereOptimalityWasNotChecked) {
  std::string p = "1", q = "1,1";  // the search of all roots takes some 10^10 steps
  for (int t = 1; t < 3000; ++t) {
    p += fmt::format(",{}", t * 37 % 101);
    q += ",1";
  }
  write("large.json", fmt::format(R"({{"p":[{}],"q":[{}]}})", p, q));
  ASSERT_EQ(warpfold("tree large.json -o s.json -q").exit_code, 0);
  const Ran ran = warpfold("verify large.json s.json --json --optimal --time-limit 1.5");
  EXPECT_EQ(ran.exit_code, 5) << ran.err;
  EXPECT_EQ(ran.json()["valid"], true);
  EXPECT_EQ(ran.json()["optimal"], "not checked");
}

TEST_F(Verdict, SaysWhatWasNotChecked) {
  write("g.csv", "a,b,9\nb,c,8\n");
  solve("paths g.csv -o d.npy");
  const std::string lengths = "whether there are paths of these lengths: that takes successors or predecessors";
  EXPECT_EQ(warpfold("verify g.csv s.json").out, "valid (unchecked: " + lengths + ")\n");
  expect_error(warpfold("verify g.csv s.json --optimal"), 5, "it was not checked whether it is optimal: " + lengths);
  write("s.txt", "3 30000000000\n10000000000\n10000000000\n10000000000\n");
  solve("subset-sum s.txt --count");
  EXPECT_EQ(warpfold("verify s.txt s.json --optimal").out, "valid, optimal (unchecked: the number of subsets)\n");
  write("c.json", R"({"coins": [7, 9, 11], "amount": 150000000})");
  ASSERT_EQ(warpfold("coins c.json --ways --modulus 1000 --json >s.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify c.json s.json").out,
            "valid (unchecked: whether fewer coins give the amount, and the number of ways)\n");
}

TEST_F(Verdict, TakesNoNumberBeyondATypesInfinity) {
  const auto write_number = [&](const char* name, std::int16_t x) {
    write_array(path(name), "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1)}", 1,
                [=](std::size_t) { return x; });
  };
  write_number("a.npy", 5);
  solve("minplus a.npy --semiring max-min --closure --dtype i16 -o c.npy");
  EXPECT_EQ(warpfold("verify a.npy s.json").out, "valid\n");
  write_number("c.npy", 16384);
  expect_error(warpfold("verify a.npy s.json"), 3, "(0, 0) is beyond infinity");
}

TEST_F(Verdict, ComparesCostsOfAnyLengthExactly) {
  write("huge.txt", "2199023255552 2199023255552 2199023255552");  // 2^123
  solve("chain huge.txt");
  EXPECT_EQ(warpfold("verify huge.txt s.json --optimal").out, "valid, optimal\n");
  write("huge.txt", "2000000000000 2000000000000 2000000000000");
  Json solution = solve("chain huge.txt");
  EXPECT_EQ(warpfold("verify huge.txt s.json").out, "valid\n");
  std::string text = file("s.json");
  const std::size_t end = text.find(",\"exact\"");
  ASSERT_NE(end, std::string::npos) << text;
  ++text[end - 1];
  write("s.json", text);
  expect_error(warpfold("verify huge.txt s.json"), 3, "the splits cost 8000000000000000000000000000000000000");
}

TEST_F(Verdict, ReadsStructuresThatFoldWrites) {
  write("one.fa", ">a\nGGGGAAAACCCC\n");
  std::string hairpins = "INF INF INF";
  for (int size = 3; size <= 30; ++size) hairpins += " 500";
  write("own.par", "## RNAfold parameter file v2.0\n# hairpin\n" + hairpins + "\n# END\n");
  for (const char* ending : {"db", "ct", "bpseq"}) {
    const std::string output = fmt::format("x.{}", ending);
    for (const std::string& parameters : {std::string(), std::string("own.par ")}) {
      const std::string energies = parameters.empty() ? "" : "--parameters " + parameters;
      ASSERT_EQ(warpfold("fold one.fa " + energies + "-o " + output).exit_code, 0);
      EXPECT_EQ(warpfold("verify one.fa " + parameters + output + " --optimal").out, "valid, optimal\n") << output;
    }
  }
  expect_error(warpfold("verify rna.fa x.ct"), 3, "x.ct: it has 1 structures for 2 sequences");
}

TEST_F(Verdict, OfFoldingsLeavesOutSequencesThatFailed) {
  write("some.fa", ">a\nGGGGAAAACCCC\n>b\nGX\n>c\nGGGAAAUCC\n");
  const Ran ran = warpfold("fold some.fa --keep-going -o s.json --json");
  EXPECT_EQ(ran.exit_code, 3);
  const std::string first = "record 'b': some.fa:4: base 2, counted from 1, is 'X': A, C, G, U, T and N are accepted";
  EXPECT_EQ(ran.err, "warpfold: error: 1 of 3 sequences failed, the others are folded. The first is " + first + "\n");
  const Json records = ran.json().at("records");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].at("structure"), "((((....))))");
  EXPECT_EQ(records[1], Json({{"name", "b"}, {"error", first.substr(first.find("some.fa"))}}));
  EXPECT_EQ(records[2].at("n"), 9);
  EXPECT_EQ(warpfold("verify some.fa s.json --optimal").out, "valid, optimal (unchecked: the records that failed)\n");
  Json solution = Json::parse(file("s.json"));
  solution["records"][1] = solution["records"][0];
  solution["records"][1]["name"] = "b";
  write("s.json", solution.dump());
  expect_error(warpfold("verify some.fa s.json"), 3, "'status' is \"incomplete\": \"optimal\" is accepted");
  solution["status"] = "optimal";
  write("s.json", solution.dump());
  expect_error(warpfold("verify some.fa s.json"), 3, "some.fa:4: base 2, counted from 1, is 'X'");
}

TEST_F(Verdict, OfFoldingsLeavesOutSequencesThatNoStructureFits) {
  write("some.fa", ">a\nGGGGAAAACCCC\n>b\nGGGGAAAACCCC\n>c\nGGGAAAUCC\n");
  write("some.txt", "............\n||||||||||||\n..........\n");
  EXPECT_EQ(warpfold("fold some.fa --constraints some.txt --keep-going -o s.json").exit_code, 3);
  const Json solution = Json::parse(file("s.json"));
  EXPECT_EQ(solution.at("status"), "incomplete");
  EXPECT_EQ(solution.at("records")[1].at("error"), "no structure satisfies the constraint");
  EXPECT_NE(
      solution.at("records")[2].at("error").get<std::string>().find("some.txt:3: the constraint has 10 positions"),
      std::string::npos);
  EXPECT_EQ(warpfold("verify some.fa s.json").out, "valid (unchecked: the records that failed)\n");
}

TEST_F(Verdict, OfFoldingsReadsTheStatedEnergiesFromAnyFolder) {
  std::string hairpins = "INF INF INF";
  for (int size = 3; size <= 30; ++size) hairpins += " 500";
  write("own.par", "## RNAfold parameter file v2.0\n# hairpin\n" + hairpins + "\n# END\n");
  ASSERT_EQ(warpfold("fold hairpin.fa --parameters own.par -o s.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify hairpin.fa s.json --optimal").out, "valid, optimal\n");
  ASSERT_EQ(shell("mkdir moved && mv own.par moved").exit_code, 0);
  EXPECT_EQ(warpfold("verify hairpin.fa moved/own.par s.json --optimal").out, "valid, optimal\n");
  expect_error(warpfold("verify hairpin.fa s.json"), 3, "own.par: cannot be read");
}

TEST_F(Verdict, HasNoMinusBeforeAnEnergyOfZero) {
  for (const std::string sequence : {"NNNNNN", "GAAAC"}) {
    const Ran ran = warpfold("fold --sequence " + sequence + " --partition");
    EXPECT_NE(ran.out.find(" [  0.00]\n"), std::string::npos) << ran.out;
  }
  EXPECT_NE(warpfold("fold --sequence NNNNNN --partition --json").out.find("\"ensemble_energy\":0.0,"),
            std::string::npos);
}

TEST_F(Verdict, TablesNumberSequencesWithoutNames) {
  write("two.txt", "GGGGAAAACCCC\nGGGAAACCC\n");
  ASSERT_EQ(warpfold("fold two.txt -q --probabilities p.tsv --accessibility a.tsv --max-window 2").exit_code, 0);
  EXPECT_NE(file("p.tsv").find("\n1\t1\t12\t"), std::string::npos);
  EXPECT_NE(file("p.tsv").find("\n2\t1\t9\t"), std::string::npos);
  EXPECT_NE(file("a.tsv").find("\n2\t1\t"), std::string::npos);
}

TEST_F(Verdict, ProbabilitiesOfPairsAreAnArchiveOfArrays) {
  write("one.fa", ">a\nGGGGAAAACCCC\n");
  ASSERT_EQ(warpfold("fold one.fa --probabilities p.npz").exit_code, 0);
  EXPECT_EQ(warpfold("chain p.npz:shape").exit_code, 0);  // any command that reads an array of integers
  EXPECT_NE(warpfold("chain p.npz:none").err.find("it has format, shape, row, col, data, unpaired"), std::string::npos);
}

}  // namespace
}  // namespace warpfold::app::test
