#include "io/unpack.hpp"

#include <string>

#include "reader.hpp"
#include "warpfold/io/npz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const std::string_view member : {"", "a", "data"}) {
    fuzz::expect_end(data, size, [&](std::string_view text) { (void)io::unpacked("fuzz", std::string(text), member); });
  }
  fuzz::expect_end(data, size, [](std::string_view text) {
    if (!io::is_zip(text)) return;
    const io::Npz archive("fuzz", text);
    for (const std::string& name : archive.names()) (void)archive.content(name);
  });
  return 0;
}
