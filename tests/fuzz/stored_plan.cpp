#define XXH_INLINE_ALL
#include "warpfold/permutation/stored_plan.hpp"

#include <xxhash.h>

#include <string>

#include "reader.hpp"

/// The bytes as they are, and with the checksum that they need. A plan that is read moves a permutation.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const auto read = [](std::string_view text) {
    const auto plan = permutation::StoredPlan::parse("fuzz", text);
    if (plan.size() < 1 << 20) permutation::check_permutation(plan.permutation());
  };
  fuzz::expect_end(data, size, read);
  const std::uint64_t checksum = XXH3_64bits(data, size);
  std::string sealed(reinterpret_cast<const char*>(data), size);
  sealed.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  fuzz::expect_end(reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size(), read);
  return 0;
}
