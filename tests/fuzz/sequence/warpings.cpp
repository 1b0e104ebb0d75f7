#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/sequence/time_warping.hpp"

namespace warpfold::fuzz {
namespace {

using namespace sequence;

template <class T>
std::vector<T> drawn_points(Bytes& bytes, std::size_t dimensions, std::uint64_t range) {
  std::vector<T> values((1 + bytes.size(2000)) * dimensions);
  for (T& value : values) value = static_cast<T>(bytes.below(range));
  return values;
}

std::string text_of(const auto& found) {
  return found.distance ? fmt::format("{} {}", *found.distance, found.script.cigar()) : "more than the bound";
}

template <class T>
void warp_in(Bytes& bytes) {
  const std::size_t dimensions = 1 + bytes.below(3);
  const auto range = bytes.pick<std::uint64_t>({2, 10, 1000, 1'000'000, 2'000'000'000});
  const std::vector<T> values_a = drawn_points<T>(bytes, dimensions, range);
  const std::vector<T> values_b = drawn_points<T>(bytes, dimensions, range);
  const TimeSeries<T> a(values_a, dimensions), b(values_b, dimensions);
  WarpingRequest request{.script = !bytes.one_in(4)};
  request.distance = bytes.pick({PointDistance::absolute, PointDistance::squared});
  if (bytes.one_in(2)) request.window = bytes.below(1 + std::max(a.size(), b.size()));
  if (bytes.one_in(4)) request.max_distance = static_cast<double>(bytes.below(range) * bytes.below(100));
  const std::string text = fmt::format("{} and {} points of {} dimensions", a.size(), b.size(), dimensions);
  const auto solved = [&](const Options& options) { return text_of(dtw(a, b, options, request).solution); };
  std::vector<std::string> algorithms = {""};
  for (const auto& name : names_on_cpu(dtw_algorithms())) {
    if (applies([&] { return solved(by(name)); })) algorithms.push_back(name);
  }
  expect_alike(text, answer([&] { return solved(by("table")); }), algorithms, solved);
}

void run(Bytes& bytes) {
  switch (bytes.below(3)) {
    case 0:
      return warp_in<float>(bytes);
    case 1:
      return warp_in<double>(bytes);
    default:
      return warp_in<std::int32_t>(bytes);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, [](warpfold::fuzz::Bytes& bytes) { warpfold::fuzz::run(bytes); });
}
