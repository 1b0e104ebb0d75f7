#include <cstdint>
#include <span>
#include <vector>

#include "cli/app/run.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app::test {
namespace {

class InputFiles : public CommandLine {
 protected:
  template <class T>
  void write_matrix(const std::string& name, const std::vector<T>& values,
                    const std::vector<std::size_t>& shape) const {
    io::write_npy<T>(path(name), std::span<const T>(values), shape);
  }
};

TEST_F(InputFiles, OfEveryCommandMayBeCompressedByGzip) {
  write("g.gr", "p sp 3 2\na 1 2 1\na 2 3 2\n");
  write("dims.txt", "10 20 30\n");
  write("o.wkt", "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))");
  write("k.txt", "2 10\n3 4\n5 6\n");
  write_matrix<double>("d.npy", {0, 1, 9, 7, 0, 2, 3, 9, 0}, {3, 3});
  for (const std::string command : {"paths g.gr --from 1 --to 3", "chain dims.txt", "triangulate o.wkt",
                                    "knapsack k.txt", "paths d.npy --from 0 --to 2", "triangulate --matrix d.npy"}) {
    const Json plain = warpfold(command + " --json").json();
    std::string packed = command;
    for (const std::string file : {"g.gr", "dims.txt", "o.wkt", "k.txt", "d.npy"}) {
      const std::size_t at = packed.find(file);
      if (at != std::string::npos) packed.insert(at + file.size(), ".gz");
    }
    const Ran ran = shell("gzip -kf *.gr *.txt *.wkt *.npy; warpfold " + packed + " --json");
    ASSERT_EQ(ran.exit_code, 0) << packed << ran.err;
    EXPECT_EQ(ran.json()["cost"], plain["cost"]) << packed;
  }
  EXPECT_EQ(shell("gzip -c g.gr | warpfold paths - --from 1 --to 3 --json").json()["cost"], 3);
}

TEST_F(InputFiles, UnpackedCountAgainstTheLimitOfMemory) {
  const Ran ran = shell("yes 0,1,1 | head -n 20000000 | gzip -1 > g.csv.gz; warpfold paths g.csv.gz --max-memory 30M");
  expect_error(ran, 5, "MB of memory, the limit is 31.5 MB");
  EXPECT_LT(ran.peak_resident_bytes, std::size_t{120} << 20);
}

TEST_F(InputFiles, OfGzipAreRefusedWhereTheyAreCutOrSomethingFollows) {
  write("g.csv", "0,1,3\n1,2,4\n");
  expect_error(shell("gzip -c g.csv | head -c 30 > cut.gz; warpfold paths cut.gz"), 3,
               "cut.gz: its compressed data are trunc");
  expect_error(shell("(gzip -c g.csv; cat g.csv) > more.gz; warpfold paths more.gz"), 3,
               "more.gz: has 12 bytes after its gzip");
  EXPECT_EQ(shell("(gzip -c g.csv; gzip -c g.csv) > two.gz; warpfold paths two.gz --json").json()["reachable"], 3);
}

TEST_F(InputFiles, OfArraysAreTakenFromStandardInput) {
  write_matrix<double>("d.npy", {0, 1, 9, 7, 0, 2, 3, 9, 0}, {3, 3});
  EXPECT_EQ(shell("warpfold paths - --from 0 --to 2 --json < d.npy").json()["cost"], 3);
  EXPECT_EQ(shell("warpfold triangulate --matrix - --json < d.npy").json()["n"], 3);
  EXPECT_EQ(shell("warpfold minplus d.npy - -q < d.npy").exit_code, 0);
  write_matrix<std::int64_t>("dims.npy", {10, 20, 30}, {3});
  EXPECT_EQ(shell("warpfold chain - --json < dims.npy").json()["cost"], 6000);
}

TEST_F(InputFiles, InUtf16AreNamedAsSuch) {
  const std::string text("0\0,\0005\0", 6);
  for (const std::string& content : {"\xff\xfe" + text, text}) {
    write("f.csv", content);
    for (const std::string command :
         {"paths f.csv", "chain f.csv", "triangulate f.csv", "triangulate --matrix f.csv"}) {
      expect_error(warpfold(command), 3, "f.csv: is UTF-16: UTF-8 is accepted");
    }
  }
}

TEST_F(InputFiles, AreNamedOnceInAMessage) {
  write("g.csv", "0,1,18446744073709551616\n");
  for (const std::string options : {"", " --from 0 --to 1"}) {
    const Ran ran = warpfold("paths g.csv --dtype i64" + options);
    expect_error(ran, 3, "g.csv: the length from 0 to 1 is 18446744073709551616");
    EXPECT_EQ(ran.err.find("g.csv"), ran.err.rfind("g.csv")) << ran.err;
  }
}

TEST_F(InputFiles, WithLengthsBeyond64BitsAreSolvedRounded) {
  write("g.csv", "a,b,18446744073709551616\nb,c,1\n");
  write("longer.csv", "a,b,1" + std::string(60, '0') + "\nb,c,1\n");
  for (const auto& [name, cost] : {std::pair("g.csv", 0x1p64), std::pair("longer.csv", 1e60)}) {
    const Ran ran = warpfold("paths " + std::string(name) + " --from a --to c --json > s.json; cat s.json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["cost"], cost);
    EXPECT_EQ(ran.json()["exact"], false);
    EXPECT_EQ(ran.json()["dtype"], "f64");
    EXPECT_NE(ran.err.find("the result is not exact"), std::string::npos) << ran.err;
    EXPECT_TRUE(warpfold("verify " + std::string(name) + " s.json").out.starts_with("valid"));
  }
  write("fits.csv", "a,b,1000000000000000000\n");
  EXPECT_EQ(warpfold("paths fits.csv --from a --to b --json").json()["cost"], 1000000000000000000);
  write_matrix<std::uint64_t>("d.npy", {0, std::uint64_t{1} << 63, 5, 0}, {2, 2});
  EXPECT_EQ(warpfold("paths d.npy --from 0 --to 1 --json").json()["cost"], 0x1p63);
}

TEST_F(InputFiles, OfShapesAreChains) {
  write("shapes.txt", "30x35 35x15\n15x5\n");
  EXPECT_EQ(warpfold("chain shapes.txt --json > s.json; cat s.json").json()["cost"], 7875);
  EXPECT_EQ(warpfold("verify shapes.txt s.json").out, "valid\n");
  EXPECT_EQ(warpfold("chain 30x35 35x15 15x5 --json").json()["cost"], 7875);
  EXPECT_EQ(warpfold("chain 10.0 20.0 30.00 --json").json()["cost"], 6000);
  expect_error(warpfold("chain 30x35 36x15"), 3, "matrix 1 is 36x15: 35 rows are accepted, as 30x35 has columns");
  expect_error(warpfold("chain 30x35 15"), 3, "matrix 1 is '15': ROWSxCOLUMNS");
  expect_error(warpfold("chain 30x0 0x15"), 2, "dimension 0 is '30x0'");
}

TEST_F(InputFiles, OfTextAndOfMatrixMarketAreFactors) {
  write("a.csv", "1,2\n3,4\n");
  write("b.mtx", "%%MatrixMarket matrix array integer general\n2 2\n5\n7\n6\n8\n");
  ASSERT_EQ(warpfold("minplus a.csv b.mtx -o c.npy --json > s.json").exit_code, 0);
  EXPECT_EQ(io::read_npy(path("c.npy")).values<std::int64_t>(), (std::vector<std::int64_t>{6, 7, 8, 9}));
  EXPECT_EQ(warpfold("verify a.csv b.mtx s.json").out, "valid\n");
}

TEST_F(InputFiles, OfVectorsAreRowsAndColumns) {
  write_matrix<std::int64_t>("a.npy", {1, 2, 3, 4, 5, 6}, {2, 3});
  write_matrix<std::int64_t>("two.npy", {10, 20}, {2});
  write_matrix<std::int64_t>("three.npy", {1, 0, 7}, {3});
  const auto product = [&](const std::string& factors) {
    const Ran ran = warpfold("minplus " + factors + " -o c.npy --argmin k.npy --json > s.json");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(warpfold("verify " + factors + " s.json").out, "valid\n");
    const io::NpyArray array = io::read_npy(path("c.npy"));
    return std::pair(array.shape, array.values<std::int64_t>());
  };
  using Shape = std::vector<std::size_t>;
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(product("a.npy three.npy"), std::pair(Shape{2}, Values{2, 5}));
  EXPECT_EQ(product("two.npy a.npy"), std::pair(Shape{3}, Values{11, 12, 13}));
  EXPECT_EQ(product("two.npy two.npy"), std::pair(Shape{}, Values{20}));
  expect_error(warpfold("minplus a.npy two.npy"), 3, "two.npy: has 2 rows where a.npy has 3 columns");
}

}  // namespace
}  // namespace warpfold::app::test
