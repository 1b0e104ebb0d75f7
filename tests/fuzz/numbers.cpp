// Lists of numbers as text (dimensions of chains, weights of trees) and as JSON.
#include "warpfold/io/numbers.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const auto read_text = [](std::string_view text) {
    const io::Numbers numbers = io::parse_numbers("fuzz", text);
    if (!numbers.integers.empty() && !numbers.reals.empty()) __builtin_trap();
  };
  fuzz::expect_end(data, size, read_text, ErrorKind::overflow);
  const auto read_json = [](std::string_view text) { (void)io::parse_json_lists("fuzz", text, {"p", "q"}); };
  fuzz::expect_end(data, size, read_json, ErrorKind::overflow);
  return 0;
}
