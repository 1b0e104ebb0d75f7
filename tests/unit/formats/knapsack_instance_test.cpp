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
std::string refusal(const std::string& text, const std::string& format = "") {
  try {
    static_cast<void>(parse_knapsack("file", text, format));
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

TEST(Instances, ThirdColumnTellsCopies) {
  const auto instance = parse_knapsack("", "2 10\n3 8 4\n2 1 0\n").at(0);
  EXPECT_TRUE(instance.has_copies);
  EXPECT_EQ(instance.items[0].copies, 4);
  EXPECT_EQ(instance.items[1].copies, 0);
}

TEST(Instances, RefusalsNameFileAndLine) {
  EXPECT_EQ(refusal(""), "file:1: the file ends where the number of items should follow");
  EXPECT_EQ(refusal("3 10\n3 8\n2 8\n"), "file:1: 3 items announced, 2 lines left");
  EXPECT_EQ(refusal("1 10\n3 8\n2 8\n"), "file:3: more lines than the number of items announces");
  EXPECT_EQ(refusal("1 10\n3 -8\n"), "file:2: the weight is '-8': an integer from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("1 10\n3 8.5\n"), "file:2: the weight is '8.5': an integer from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("1 10\n3 9223372036854775808\n"),
            "file:2: the weight is '9223372036854775808': an integer from 0 to 2^63 - 1 is accepted");
  EXPECT_EQ(refusal("99999999999 10\n3 8\n"), "file:1: 99999999999 items announced, 1 line left");
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
  const auto format = *rc::gen::element<std::string>("standard", "kplib", "jooken", "pisinger");
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
  for (const char* format : {"", "standard", "kplib", "jooken", "pisinger"}) {
    try {
      RC_ASSERT(!parse_knapsack("file", text, format).empty());
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::input);
    }
  }
}

}  // namespace
}  // namespace warpfold::formats
