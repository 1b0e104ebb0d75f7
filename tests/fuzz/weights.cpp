#include "warpfold/formats/weights.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const auto read_as = [&]<class T>(T) {
    const auto read = [](std::string_view text) { (void)formats::parse_weights("fuzz", text).values<T>(); };
    fuzz::expect_end(data, size, read, ErrorKind::overflow);
  };
  read_as(std::int32_t{});
  read_as(std::int64_t{});
  read_as(float{});
  read_as(double{});
  return 0;
}
