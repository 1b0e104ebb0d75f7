#include "sequence/gpu/layout.hpp"

#include <algorithm>
#include <initializer_list>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

int planes_of_kernel(int planes) {
  for (const int most : {2, 5, 8}) {
    if (planes <= most) return most;
  }
  return 16;
}

}  // namespace

std::uint64_t Layout::chunks() const { return quotient_up(m, chunk_columns); }
/// One even of an empty A, which estimates ask for.
std::uint64_t Layout::strips() const {
  return std::max<std::uint64_t>(1, quotient_up(n, std::uint64_t{stripes} * rows));
}
std::size_t Layout::packets() const { return static_cast<std::size_t>((strips() - 1) * chunks() * columns); }
std::size_t Layout::plane_words() const {
  return static_cast<std::size_t>(chunks() * columns) * static_cast<std::size_t>(planes);
}

std::size_t Layout::bytes() const {
  return sizeof(std::uint32_t) * (static_cast<std::size_t>(n + m) + plane_words()) +
         sizeof(std::uint64_t) * (packets() + 3);
}

/// A strip begins when the one before it has handed on its first columns, so only some strips run at a time. A warp
/// waits for its own results if it has a scheduler for itself. Several share its instructions.
double Layout::cycles(std::size_t schedulers) const {
  const double cells = columns * (planes + (signs == 2 ? 5.0 : 2.0)) * rows;
  const double alone = tuning::gpu_cycles_alone * cells + tuning::gpu_step_alone;
  const double shared = tuning::gpu_cycles_shared * cells + tuning::gpu_step_shared;
  const auto steps = static_cast<double>((chunks() + lag) * warp);
  const auto delay = static_cast<double>((lag + tuning::gpu_chunks_behind) * warp);
  const auto all = static_cast<double>(strips());
  const double total = steps + (all - 1) * delay;
  const double at_once = all * steps / total / static_cast<double>(schedulers);
  return total * std::max(alone, at_once * shared);
}

Layout layout_of(const Size& size) {
  Layout best{static_cast<std::uint64_t>(size.n), static_cast<std::uint64_t>(size.m), planes_of_kernel(size.planes),
              size.measure == Measure::edit ? 2 : 1, 1};
  for (Layout layout = best; layout.rows <= (layout.planes > 8 ? 4 : 16); layout.rows *= 2) {
    if (layout.cycles(tuning::gpu_schedulers) < best.cycles(tuning::gpu_schedulers)) best = layout;
  }
  return best;
}

}  // namespace warpfold::sequence::cuda
