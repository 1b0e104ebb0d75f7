#include <fmt/format.h>

#include "core/exact_type.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "temporary_folder.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::fuzz {
namespace {

using interval::Triangulation;

template <class T>
std::string solved(const Triangulation<T>& problem, const Options& options) {
  const auto solution = solve(problem, options).solution;
  return bits(solution.cost, solution.triangles, solution.chords);
}

/// With a GPU, every other solve runs on it. Each must be able to resume what the other has begun.
Options drawn_options(Bytes& bytes) {
  Options options = by("tiled", bytes.pick({1, 2, 5}));
  if (has_gpu() && bytes.one_in(2)) {
    options.device.kind = Device::Kind::cuda;
    tally.on_gpu = true;
  }
  return options;
}

/// Stops after a given amount of work, which may be never.
template <class T>
std::string solved_in_part(const Triangulation<T>& problem, Checkpoint checkpoint, double share, Options options) {
  std::stop_source stop;
  options.checkpointer = &checkpoint;
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done >= share * progress.total) stop.request_stop();
  };
  return answer([&] { return solved(problem, options); });
}

/// A solve that was stopped several times must end with the same bits, or with the same error.
template <class T>
void stop_and_go_on(Bytes& bytes) {
  const std::size_t n = is_large(bytes) ? bytes.large_size() : 3 + bytes.below(bytes.pick({70, 200, 500}));
  const Numbers numbers(bytes);
  const auto most = static_cast<T>(largest_accepted_total<T> / static_cast<T>(n));
  const Matrix<T> weights = numbers.matrix<T>(bytes, n, n, most, infinity<T>);
  const Triangulation<T> problem(weights.view());
  const std::string text = fmt::format("triangulation of {} vertices, {}, gone on with", n, dtype_name<T>());
  const std::string expected = answer([&] { return solved(problem, by("tiled")); });
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  const auto every = [&] { return std::chrono::duration<double>(bytes.pick({0.0, 3600.0})); };
  const auto share = [&] { return static_cast<double>(bytes.below(12)) / 10; };
  const auto is_as_expected = [&](const std::string& found) {
    return found == expected || found.starts_with(error_text(ErrorKind::cancelled));
  };
  const std::uint64_t stops = 1 + bytes.below(3);
  for (std::uint64_t k = 0; k < stops; ++k) {
    Checkpoint checkpoint = k == 0 ? Checkpoint(kept, every()) : Checkpoint::resumed(kept, every());
    const std::string found = solved_in_part(problem, std::move(checkpoint), share(), drawn_options(bytes));
    expect(is_as_expected(found), fmt::format("{}, part {}, gives {}", text, k, shown(found)));
  }
  Checkpoint last = Checkpoint::resumed(kept);
  Options options = drawn_options(bytes);
  options.checkpointer = &last;
  expect_same(expected, answer([&] { return solved(problem, options); }), text);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { stop_and_go_on<T>(bytes); });
}
