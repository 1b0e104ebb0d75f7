#include "sequence/gpu/layout.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <ranges>

#include "sequence/gpu/traceback.hpp"
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
std::size_t Layout::packets() const { return static_cast<std::size_t>(quotient_up(strips() - 1, gpus) * chunks()); }
std::size_t Layout::plane_words() const {
  return static_cast<std::size_t>(chunks()) * static_cast<std::size_t>(planes);
}

/// A state has v of the rows, h, and h that lanes hand on.
std::size_t Layout::kept_words() const {
  if (interval == 0) return 0;
  const auto states = static_cast<std::size_t>(quotient_up(strips(), gpus) * quotient_up(chunks() + lag, interval));
  return states * (rows + 2) * static_cast<std::size_t>(signs) * warp;
}

std::size_t Layout::bytes() const {
  return sizeof(std::uint32_t) * (static_cast<std::size_t>(n + m) + plane_words() + kept_words()) +
         sizeof(std::uint64_t) * (packets() + 3) + (interval ? traceback_bytes(*this) : 0);
}

/// A strip begins when the one before it has handed on its first columns, so only some strips run at a time. A warp
/// waits for its own results if it has a scheduler for itself. Several share its instructions, and all strips go as
/// fast as those on the scheduler that has most of them.
double Layout::cycles(std::size_t schedulers) const {
  const double moves = 2 * signs + planes;  // to the next stripe, and to the next column
  const double instructions = (planes + (signs == 2 ? 5.0 : 2.0)) * rows + moves;
  const double alone = tuning::gpu_cycles_alone * instructions + tuning::gpu_step_alone;
  const double shared = tuning::gpu_cycles_shared * instructions + tuning::gpu_step_shared;
  const auto steps = static_cast<double>((chunks() + lag) * chunk_columns);
  const auto delay = static_cast<double>((lag + tuning::gpu_chunks_behind) * chunk_columns);
  const auto all = static_cast<double>(strips());
  const double total = steps + (all - 1) * delay;
  const double at_once = std::ceil(std::min(all, steps / delay) / static_cast<double>(schedulers));
  return total * std::max(alone, at_once * shared);
}

double Layout::seconds() const {
  const double walk = interval ? tuning::gpu_walk_row_seconds * static_cast<double>(std::max(n, m)) : 0;
  return tuning::gpu_cycle_seconds * cycles(gpus * tuning::gpu_schedulers) + walk;
}

std::span<const unsigned> rows_of_kernels(int planes) {
  static constexpr unsigned rows[] = {1, 2, 4, 8, 16};
  return std::span(rows).first(planes > 8 ? 3 : 5);
}

Layout layout_of(const Size& size, unsigned rows, unsigned gpus) {
  Layout layout{static_cast<std::uint64_t>(size.n), static_cast<std::uint64_t>(size.m), planes_of_kernel(size.planes),
                size.measure == Measure::edit ? 2 : 1, rows};
  layout.gpus = static_cast<unsigned>(std::min<std::uint64_t>(gpus, layout.strips()));
  if (!size.request.script) return layout;
  const std::size_t most = std::max(sizeof(std::uint64_t) * layout.packets(), tuning::gpu_script_bytes);
  for (layout.interval = state_interval; sizeof(std::uint32_t) * layout.kept_words() > most;) layout.interval *= 2;
  return layout;
}

Layout layout_on(unsigned gpus, const Size& size) {
  const auto layouts = rows_of_kernels(planes_of_kernel(size.planes)) |
                       std::views::transform([&](unsigned rows) { return layout_of(size, rows, gpus); });
  return std::ranges::min(layouts, {}, &Layout::seconds);
}

Layout layout_of(const Size& size) { return layout_on(1, size); }

}  // namespace warpfold::sequence::cuda
