#include "warpfold/formats/knapsack_instance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::formats {
namespace {

const std::string pisinger =
    "knapPI_1_3_10_1\nn 3\nc 10\nz 12\ntime 0.00\n1,3,8,1\n2,2,8,0\n3,9,1,1\n-----\n"
    "knapPI_1_2_10_2\nn 2\nc 5\nz 4\ntime 0.01\n1,4,5,1\n2,3,5,0\n-----\n";

void expect_three(const KnapsackInstance& instance) {
  EXPECT_EQ(instance.capacity, 10);
  ASSERT_EQ(instance.items.size(), 3U);
  EXPECT_EQ(instance.items[0].value, 3);
  EXPECT_EQ(instance.items[1].weight, 8);
  EXPECT_EQ(instance.items[2].value, 9);
}

/// The message of the error that reading `text` raises.
std::string refusal(const std::string& text, const std::string& format = "",
                    const std::optional<std::string>& capacity = std::nullopt) {
  try {
    static_cast<void>(parse_knapsack("file", text, format, capacity));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

TEST(Instances, EveryFormatIsRecognized) {
  expect_three(parse_knapsack("", "3 10\n3 8\n2 8\n9 1\n").at(0));
  expect_three(parse_knapsack("", "3\n10\n\n3 8\n2 8\n9 1\n").at(0));
  expect_three(parse_knapsack("", "3\n1 3 8\n2 2 8\n3 9 1\n10\n").at(0));
  expect_three(parse_knapsack("", "3 10\r\n3 8\r\n2 8\r\n9 1").at(0));
  const auto two = parse_knapsack("", pisinger);
  ASSERT_EQ(two.size(), 2U);
  expect_three(two[0]);
  EXPECT_EQ(two[0].name, "knapPI_1_3_10_1");
  EXPECT_EQ(two[0].best, 12);
  EXPECT_EQ(two[0].best_packing, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(two[1].capacity, 5);
}

TEST(Instances, AreReadWithCommentsNamesAndSeparatorsOfOtherPrograms) {
  for (const char* text : {
           "# n capacity\n3 10\n# value weight\n3 8\n\n2 8 # the second\n9 1\n",
           "n capacity\n3 10\nvalue weight\n3 8\n2 8\n9 1\n",
           "3 10\nweight value\n8 3\n8 2\n1 9\n",
           "3,10\n3,8\n2,8\n9,1\n",
           "3;10,0\n3;8\n2;8\n9;1\n",
           "3.0 10.00\n3.0 8\n2 80e-1\n0.9e1 +1\n",
           "capacity,10\nweight,name,profit\n8,\"a, b\",3\n8,c,2\n1,d,9\n",
           "capacity 10\nprofit\tweight\n3\t8\n2\t8\n9\t1\n",
           "\xef\xbb\xbf"
           "3 10\r3 8\r2 8\r9 1\r",
       }) {
    SCOPED_TRACE(text);
    expect_three(parse_knapsack("", text).at(0));
  }
}

TEST(Instances, AreReadFromEveryFormOfJson) {
  for (const char* text : {
           R"({"capacity": 10, "values": [3, 2, 9], "weights": [8, 8, 1]})",
           R"({"capacity": 10.0, "profits": [3, 2, 9], "weights": [8, 8, 1], "copies": [1, 1, 1]})",
           R"({"capacity": 10, "items": [{"value": 3, "weight": 8}, {"profit": 2, "weight": 8, "id": 7}, [9, 1]]})",
       }) {
    SCOPED_TRACE(text);
    expect_three(parse_knapsack("", text).at(0));
  }
  expect_three(parse_knapsack("", "[[3, 8], [2, 8], [9, 1]]", "", "10").at(0));
  EXPECT_TRUE(parse_knapsack("", R"({"capacity": 1, "items": [[1, 1, 4]]})").at(0).has_copies);
}

TEST(Instances, WithoutACapacityTakeTheOneBeside) {
  for (const char* text : {"value,weight\n3,8\n2,8\n9,1\n", "3 8\n2 8\n9 1\n", "3\n3 8\n2 8\n9 1\n",
                           R"({"values": [3, 2, 9], "weights": [8, 8, 1]})"}) {
    SCOPED_TRACE(text);
    const KnapsackInstance instance = parse_knapsack("", text, "", "10").at(0);
    expect_three(instance);
    EXPECT_FALSE(instance.states_capacity);
  }
  EXPECT_TRUE(parse_knapsack("", "1 10\n3 8\n", "", "9").at(0).states_capacity) << "the caller compares both";
  EXPECT_EQ(parse_knapsack("", "1 10\n3 8\n", "", "9").at(0).capacity, 10);
}

TEST(Instances, WithDecimalFractionsAreExactInTheirOwnUnits) {
  const KnapsackInstance instance = parse_knapsack("", "2 10.5\n0.125 1.05\n3 0.1\n").at(0);
  EXPECT_EQ(instance.value_places, 3);
  EXPECT_EQ(instance.weight_places, 2);
  EXPECT_EQ(instance.capacity, 1050);
  EXPECT_EQ(instance.items[0].value, 125);
  EXPECT_EQ(instance.items[1].value, 3000);
  EXPECT_EQ(instance.items[0].weight, 105);
  EXPECT_EQ(instance.items[1].weight, 10);
  EXPECT_EQ(
      parse_knapsack("", R"({"capacity": 0.1000000000000000055, "values": [1], "weights": [0]})").at(0).weight_places,
      19)
      << "a double would round it";
}

TEST(Instances, OfNoFormatAreRefusedWithTheFormats) {
  const std::string message = refusal("items are here\nand there\n");
  for (const char* name : {"standard", "pisinger", "kplib", "jooken", "csv", "json", "n capacity"}) {
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
  EXPECT_TRUE(message.starts_with("file:1: 'items' begins no format of instances: ")) << message;
}

TEST(Instances, OfItemsAloneNeedTheCapacity) {
  EXPECT_EQ(refusal("60 10\n100 20\n120 30\n"),
            "file:1: 60 items announced, 2 lines left; a file of items alone needs --capacity");
  EXPECT_EQ(refusal("1 2\n3 4\n5 6\n"),
            "file:3: more lines than the number of items announces; a file of items alone needs --capacity");
  EXPECT_EQ(refusal("2\n60 10\n100 20\n"),
            "file:2: 2 columns where 1 is accepted: the capacity alone on its line; a file of items alone needs "
            "--capacity");
  EXPECT_EQ(refusal("2 10\n60 x\n100 20\n"), "file:2: the weight is 'x': a number from 0 to 2^63 - 1 is accepted")
      << "n is the number of lines, so the first line is no item";
}

TEST(Instances, RefusalsOfOtherFormsNameThePlace) {
  EXPECT_EQ(refusal("value,weight\n3,8\n"), "file: states no capacity: --capacity is accepted beside it");
  EXPECT_EQ(refusal("capacity,10\nvalue,weight\n3,x\n"),
            "file:3: the weight is 'x': a number from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("capacity,10\nvalue,weight\n3\n"), "file:3: the weight is missing");
  EXPECT_EQ(refusal("1 10\nname size\n3 8\n"),
            "file:2: 'name' names no columns of items: value and weight are accepted");
  EXPECT_EQ(refusal("1 10\n9223372036854775807 0\n"), "accepted");
  EXPECT_EQ(refusal("2 10\n9223372036854775807 0\n0.5 0\n"),
            "file:2: the value is 9223372036854775807: at most 2^63 - 1 times 10^-1, the unit of these numbers, is "
            "accepted");
  EXPECT_EQ(refusal("{\"capacity\": 1, \"values\": [1, 2], \"weights\": [1]}"),
            "file: 'values' has 2 entries for 1 weight: one for each is accepted");
  EXPECT_EQ(refusal("{\"capacity\": 1, \"items\": [[1, 2], 3]}"),
            "file: items[1] is 3: an object with value and weight is accepted");
  EXPECT_EQ(refusal("{\"capacity\": 1, \"items\": [{\"value\": 1}]}"), "file: items[0]: 'weight' is missing");
  EXPECT_EQ(refusal("{\"capacity\": -1, \"items\": []}"),
            "file: 'capacity' is -1: a number from 0 to 2^63 - 1 is accepted");
}

TEST(Instances, ThirdColumnTellsCopies) {
  const auto instance = parse_knapsack("", "2 10\n3 8 4\n2 1 0\n").at(0);
  EXPECT_TRUE(instance.has_copies);
  EXPECT_EQ(instance.items[0].copies, 4);
  EXPECT_EQ(instance.items[1].copies, 0);
}

TEST(Instances, RefusalsNameFileAndLine) {
  EXPECT_EQ(refusal(""), "file:1: the file ends where the number of items should follow");
  EXPECT_EQ(refusal("3 10\n3 8\n2 8\n"),
            "file:1: 3 items announced, 2 lines left; a file of items alone needs --capacity");
  EXPECT_EQ(refusal("1 10\n3 8\n2 8\n"),
            "file:3: more lines than the number of items announces; a file of items alone needs --capacity");
  EXPECT_EQ(refusal("1 10\n3 -8\n"), "file:2: the weight is '-8': a number from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("1 10\n3 9223372036854775808\n"),
            "file:2: the weight is '9223372036854775808': a number from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("99999999999 10\n3 8\n"),
            "file:1: 99999999999 items announced, 1 line left; a file of items alone needs --capacity");
  EXPECT_EQ(refusal("2 10\n3 8 1\n2 8\n"),
            "file:3: 2 columns where 3 are accepted: value, weight and, for all items or none, copies");
  EXPECT_EQ(refusal("-3 10\n"), "file:1: the number of items is '-3': an integer from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("3\n10\n3 8\n2 8\n", "kplib"), "file:4: the file ends where item 2 of 3 should follow");
  EXPECT_EQ(refusal("2\n1 3 8\n2 2 8\n"), "file:3: the file ends where the capacity should follow");
}

TEST(Instances, PisingerFilesCutAnywhereAreRefusedOrWholeInstances) {
  const std::size_t first = pisinger.find("-----\n");
  for (std::size_t length = 1; length < pisinger.size(); ++length) {
    const std::string text = pisinger.substr(0, length);
    try {
      const auto instances = parse_knapsack("file", text, "pisinger");
      const bool whole =
          instances.size() == 1 ? length + 2 >= first && length <= first + 6 : length + 8 >= pisinger.size();
      EXPECT_TRUE(whole) << length;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("file:")) << error.what();
    }
  }
}

TEST(Instances, UnknownFormatIsAUsageError) {
  try {
    static_cast<void>(parse_knapsack("file", "1 1\n1 1\n", "nonsense"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

TEST(Instances, SubsetSumsOfEitherSignAreReadInEveryForm) {
  for (const char* text : {"3 0\n-7\n-3\n8\n", "3\n0\n-7\n-3\n8\n", "n,target\n3,0\n-7\n-3\n8\n",
                           R"({"target": 0, "numbers": [-7, -3, 8]})"}) {
    SCOPED_TRACE(text);
    const KnapsackInstance instance = parse_subset_sum("", text);
    EXPECT_TRUE(instance.states_capacity);
    ASSERT_EQ(instance.items.size(), 3U);
    EXPECT_EQ(instance.capacity, 0);
    EXPECT_EQ(instance.items[0].weight, -7);
    EXPECT_EQ(instance.items[2].weight, 8);
  }
}

TEST(Instances, ListsOfNumbersTakeTheTargetBeside) {
  for (const char* text : {"-7 -3 8", "-7,-3,8\n", "-7\n-3\n8\n", "numbers\n-7\n-3\n8\n", "[-7, -3, 8]"}) {
    SCOPED_TRACE(text);
    const KnapsackInstance instance = parse_subset_sum("", text, "", "1.5");
    EXPECT_FALSE(instance.states_capacity);
    ASSERT_EQ(instance.items.size(), 3U);
    EXPECT_EQ(instance.weight_places, 1);
    EXPECT_EQ(instance.capacity, 15);
    EXPECT_EQ(instance.items[0].weight, -70);
  }
  for (const char* text : {"2 10\n4\n5\n", "2\n10\n4\n5\n", "2 10\n3 4\n3 5\n", "2\n10\n3 4\n3 5\n"}) {
    SCOPED_TRACE(text);
    const KnapsackInstance instance = parse_subset_sum("", text, "", "1");
    EXPECT_TRUE(instance.states_capacity);
    EXPECT_EQ(instance.capacity, 10);
    ASSERT_EQ(instance.items.size(), 2U);
    EXPECT_EQ(instance.items[0].weight, 4);
  }
}

TEST(Instances, SubsetSumsAreNumbersOrAnyKnapsacksWeights) {
  const auto numbers = parse_subset_sum("", "3 10\n4\n5\n6\n");
  EXPECT_EQ(numbers.capacity, 10);
  EXPECT_EQ(numbers.items.at(2).weight, 6);
  EXPECT_EQ(parse_subset_sum("", "3 10\n3 8\n2 8\n9 1\n").items.at(2).weight, 1);
  EXPECT_EQ(parse_subset_sum("", "0 10\n").items.size(), 0U);
  EXPECT_THROW(static_cast<void>(parse_subset_sum("", "3 10\n4\n5\n")), Error);
  EXPECT_THROW(static_cast<void>(parse_subset_sum("", pisinger)), Error);
}

RC_GTEST_PROP(Instances, SurviveWritingAndReadingInEveryFormat, ()) {
  const auto format = *rc::gen::element<std::string>("standard", "kplib", "jooken", "pisinger", "csv", "json");
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const auto n = *rc::gen::inRange<std::size_t>(1, 30);
  const knapsack::Problem problem = knapsack::generate({"weakly-correlated", n, 100, 50, 100, seed});
  KnapsackInstance instance;
  instance.capacity = problem.capacity();
  for (const knapsack::Item& item : problem.items()) instance.items.push_back({item.value, item.weight, 1});
  for (const std::string& as : {format, std::string()}) {
    const KnapsackInstance again = parse_knapsack("", format_knapsack(instance, format), as).at(0);
    RC_ASSERT(again.capacity == problem.capacity());
    RC_ASSERT(again.items.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      RC_ASSERT(again.items[i].value == problem.items()[i].value);
      RC_ASSERT(again.items[i].weight == problem.items()[i].weight);
    }
  }
}

RC_GTEST_PROP(Instances, AnyTextIsReadOrRefused, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::element('0', '1', '9', ' ', '\n', '-', ',', 'n', 'z', '.'));
  for (const char* format : {"", "standard", "kplib", "jooken", "pisinger", "csv", "json"}) {
    try {
      RC_ASSERT(!parse_knapsack("file", text, format).empty());
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::input);
    }
  }
}

}  // namespace
}  // namespace warpfold::formats
