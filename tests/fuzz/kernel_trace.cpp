// Traces of kernels, in pieces of any size: the pieces do not change what is read.
#include "warpfold/machine/kernel_trace.hpp"

#include <algorithm>

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view text) {
    machine::KernelTrace whole("fuzz");
    whole.add(text);
    whole.end();
    machine::KernelTrace pieces("fuzz");
    for (std::size_t at = 0; at < text.size(); at += 7) pieces.add(text.substr(at, 7));
    pieces.end();
    const auto one = whole.instructions(), other = pieces.instructions();
    const auto stages = [](const auto& instruction) { return instruction.stages; };
    if (!std::ranges::equal(one, other, {}, stages, stages)) throw std::logic_error("the pieces matter");
    (void)machine::trace_svg(one);
  });
  return 0;
}
