#include <malloc.h>

#include <algorithm>
#include <cmath>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"
#include "sanitizers.hpp"

namespace warpfold::app::test {
namespace {

/// The key `peak_bytes` must be what the process held, and --max-memory must limit it.
class Memory : public CommandLine {
 protected:
  /// The process's resident set must be within 10 % or 30 MB of the reported peak. With a lower limit, the run must
  /// fail or use less.
  void expect_honest(const std::string& arguments) const {
    malloc_trim(0);  // a child starts with this process's peak, which includes earlier tests
    const Ran ran = warpfold(arguments + " --json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto said = ran.json().at("peak_bytes").get<double>();
    const auto held = static_cast<double>(ran.peak_resident_bytes);
    EXPECT_GT(said, 20e6) << "too small to show anything";
    if (!warpfold::test::under_sanitizer) {
      EXPECT_LE(std::abs(held - said), 0.1 * said + 30e6) << "said " << said * 1e-6 << ", held " << held * 1e-6;
    }
    const double limit = std::floor(0.8 * said);
    const Ran limited = warpfold(arguments + " --json --max-memory " + std::to_string(static_cast<std::size_t>(limit)));
    if (limited.exit_code != 0) return expect_error(limited, 5, "");
    EXPECT_LE(limited.json().at("peak_bytes").get<double>(), limit);
    if (!warpfold::test::under_sanitizer) {
      EXPECT_LE(static_cast<double>(limited.peak_resident_bytes), limit + 30e6);
    }
  }
};

/// JSON consists of many small allocations, and destroying it allocates, too.
TEST_F(Memory, OfSmallPiecesIsLimitedAsWell) {
  std::string ring;
  for (int k = 0; k < 40000; ++k) ring += "[" + std::to_string(k) + "," + std::to_string(k % 7) + "],";
  write("o.geojson", R"({"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[)" + ring + "[0,90]]]]}");
  const Ran ran = warpfold("triangulate o.geojson --part 0 --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto peak = ran.json()["peak_bytes"].get<std::size_t>();
  for (std::size_t part = 1; part < 20; ++part) {
    expect_error(warpfold("triangulate o.geojson --part 0 --json --max-memory " + std::to_string(peak * part / 20)), 5,
                 "of memory, the limit is");
  }
}

TEST_F(Memory, IsNeverAboveItsLimit) {
  write("k.txt", "3 10\n3 8\n2 8\n9 1\n");
  const auto peak = warpfold("knapsack k.txt --json").json()["peak_bytes"].get<std::size_t>();
  int refused = 0;
  for (std::size_t limit = peak - 6000; limit < peak + 500; limit += 100) {
    const Ran ran = warpfold("knapsack k.txt --json --max-memory " + std::to_string(limit));
    refused += ran.exit_code == 5;
    if (ran.exit_code != 0) {
      expect_error(ran, 5, "the limit is");
    } else {
      EXPECT_LE(ran.json()["peak_bytes"].get<std::size_t>(), limit);
    }
  }
  EXPECT_GT(refused, 0);
}

/// GEOS reads and checks an outline. It reports failed allocations in its own ways.
TEST_F(Memory, OfAnOutlineIsRefusedAtAnyPoint) {
  std::string vertices;
  for (int k = 0; k < 400; ++k) {
    const double angle = k * 0.0157, radius = 1 + 0.3 * (k % 2);
    vertices += fmt::format("{}{} {}", k == 0 ? "" : "\n", radius * std::cos(angle), radius * std::sin(angle));
  }
  write("o.txt", vertices);
  std::replace(vertices.begin(), vertices.end(), '\n', ',');
  write("o.wkt", "POLYGON ((" + vertices + "))");
  for (const std::string name : {"o.txt", "o.wkt"}) {
    const std::string command = "triangulate " + name + " --threads 1 --json ";
    const auto peak = warpfold(command).json()["peak_bytes"].get<std::size_t>();
    int refused = 0;
    for (std::size_t limit = peak - 200'000; limit < peak; limit += 4'000) {
      const Ran ran = warpfold(command + "--max-memory " + std::to_string(limit));
      if (ran.exit_code == 0) continue;
      expect_error(ran, 5, "of memory, the limit is");
      ++refused;
    }
    EXPECT_GT(refused, 10) << name;
  }
}

TEST_F(Memory, OfTriangulateIsWhatItHeld) {
  write_npy(path("w.npy"), 1500, 1500);
  expect_honest("triangulate --matrix w.npy");
  expect_honest("triangulate --matrix w.npy -o t.json");
}

TEST_F(Memory, OfMinplusIsWhatItHeld) {
  write_npy(path("a.npy"), 1500, 1500);
  expect_honest("minplus a.npy a.npy");
  expect_honest("minplus a.npy a.npy -o c.npy --argmin k.npy");
  expect_honest("minplus a.npy --closure --dtype f32");
}

TEST_F(Memory, OfChainIsWhatItHeld) {
  write_lines(path("dims.txt"), "", 1500, {100});
  expect_honest("chain dims.txt --tables m.npy s.npy");
  write_lines(path("long.txt"), "", 150000, {1000});
  expect_honest("chain long.txt -o chain.json");
}

TEST_F(Memory, OfTreeIsWhatItHeld) {
  write_lines(path("p.txt"), "", 4000, {1000});
  write_lines(path("q.txt"), "", 4001, {1000});
  expect_honest("tree p.txt q.txt");
}

TEST_F(Memory, OfRecurrenceIsWhatItHeld) {
  expect_honest("recurrence --offsets 1,2,5,9 --initial 1,2,3,4,5,6,7,8,9 --op min -n 20000000");
  expect_honest("recurrence --offsets 1,2 --initial 1,1 --op sum-mod --modulus 1000007 -n 20000000 -o st.npy");
}

TEST_F(Memory, OfCoinsIsWhatItHeld) {
  expect_honest("coins --coins 1,100003,299993,700001 --amount 30000000 --all -o fewest.npy");
  expect_honest("coins --coins 1,5,10,25 --amount 20000000 --ways --modulus 1000007 --all -o ways.npy");
}

TEST_F(Memory, OfKnapsackIsWhatItHeld) {
  write_lines(path("table.txt"), "50 10000000\n", 50, {1000, 1100000});
  expect_honest("knapsack table.txt -a table --value-only");
  expect_honest("knapsack table.txt -a table");
  expect_honest("knapsack table.txt --every-capacity -o all.npy");
  expect_honest("knapsack table.txt --kind unbounded --every-capacity -o all.npy");
  write_lines(path("items.txt"), "200000 5000000000\n", 200000, {1000000, 1000000});
  expect_honest("knapsack items.txt");
}

TEST_F(Memory, OfSubsetSumIsWhatItHeld) {
  write_lines(path("numbers.txt"), "200 300000001\n", 200, {5000000});
  expect_honest("subset-sum numbers.txt -a bitset");
  write_lines(path("few.txt"), "60 10000001\n", 60, {2000000});
  expect_honest("subset-sum few.txt --count --modulus 1000007");
}

TEST_F(Memory, OfPermuteIsWhatItHeld) {
  write_permutation(path("p.npy"), 1 << 21);
  expect_honest("permute p.npy");
}

TEST_F(Memory, OfTheSimulatorsIsWhatTheyHeld) { expect_honest("machine run contiguous -n 3000000 --threads 100000"); }

TEST_F(Memory, OfVerifyIsWhatItHeld) {
  write_npy(path("a.npy"), 1000, 1000);
  ASSERT_EQ(warpfold("minplus a.npy a.npy -o c.npy --json >c.json").exit_code, 0);
  expect_honest("verify a.npy a.npy c.json");
  expect_honest("verify a.npy a.npy c.json --optimal");
}

TEST_F(Memory, OfAStreamWithoutEndIsLimited) {
  expect_error(warpfold("triangulate - --max-memory 100M </dev/zero"), 5, "the limit is 105 MB");
}

}  // namespace
}  // namespace warpfold::app::test
