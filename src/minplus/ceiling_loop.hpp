#pragma once

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

/// The loop that measure_ceiling times, and who ran it, for its tests.
namespace warpfold::minplus {

/// The shape of the loop as it ran: rows x vectors x lanes results per round.
struct CeilingLoop {
  std::string instruction_set;
  std::size_t rows = 0;
  std::size_t vectors = 0;
  std::size_t lanes = 0;

  [[nodiscard]] std::size_t results() const { return rows * vectors * lanes; }
};

/// At least the number of the loop's results, on every instruction set.
inline constexpr std::size_t ceiling_values = 1024;

/// The memory of the loop. In every round, entry (r * vectors + v) * lanes + l becomes the minimum of itself and of
/// memory[r] + memory[v + l] with their first values. i16 is added with saturation.
template <class T>
CeilingLoop run_ceiling_loop(T* memory, std::size_t rounds);

/// The share of one thread.
struct CeilingShare {
  double results_per_second = 0;
  std::thread::id thread;
};

/// Makes one measurement with `threads` threads at once.
template <class T>
std::vector<CeilingShare> measure_ceiling_shares(int threads);

}  // namespace warpfold::minplus
