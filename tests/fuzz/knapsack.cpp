#include "reader.hpp"
#include "warpfold/formats/knapsack_instance.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const char* format : {"", "standard", "kplib", "jooken", "pisinger", "csv", "json"}) {
    fuzz::expect_end(data, size, [=](std::string_view text) { (void)formats::parse_knapsack("fuzz", text, format); });
    fuzz::expect_end(data, size, [=](std::string_view text) { (void)formats::parse_subset_sum("fuzz", text, format); });
    fuzz::expect_end(data, size,
                     [=](std::string_view text) { (void)formats::parse_knapsack("fuzz", text, format, "9"); });
    fuzz::expect_end(data, size,
                     [=](std::string_view text) { (void)formats::parse_subset_sum("fuzz", text, format, "9"); });
  }
  return 0;
}
