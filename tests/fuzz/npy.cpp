#include "warpfold/io/npy.hpp"

#include <string>

#include "reader.hpp"

/// Reads weights as each of these types, which may not hold them.
template <class... Types>
void expect_weights(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const auto read_as = [&]<class T>(T) {
    const auto read = [](std::string_view text) { (void)io::parse_npy("fuzz", std::string(text)).weights<T>(); };
    fuzz::expect_end(data, size, read, ErrorKind::overflow);
  };
  (read_as(Types{}), ...);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size,
                   [](std::string_view text) { (void)io::parse_npy("fuzz", std::string(text)).values<double>(); });
  expect_weights<std::uint8_t, std::int16_t, std::int32_t, std::int64_t, std::uint64_t, float, double>(data, size);
  return 0;
}
