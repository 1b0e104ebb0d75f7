#include "warpfold/formats/patch.hpp"

#include "reader.hpp"

/// The text and its patch, with an empty line between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view both) {
    const std::size_t end = std::min(both.find("\n\n"), both.size());
    (void)formats::apply_patch("fuzz", both.substr(std::min(end + 2, both.size())), both.substr(0, end));
  });
  return 0;
}
