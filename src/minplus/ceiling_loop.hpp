#pragma once

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

/// What measure_ceiling times and who ran it, so that its tests can look.
namespace warpfold::minplus {

/// The loop as it ran: rows x vectors x lanes results a round.
struct CeilingLoop {
  std::string instruction_set;
  std::size_t rows = 0;
  std::size_t vectors = 0;
  std::size_t lanes = 0;

  [[nodiscard]] std::size_t results() const { return rows * vectors * lanes; }
};

/// At least as many values as the loop has results, on every instruction set.
inline constexpr std::size_t ceiling_values = 1024;

/// In every round, at (r * vectors + v) * lanes + l: the least of what stands there and of memory[r] + memory[v + l] as
/// they were at first. i16 is added with saturation.
template <class T>
CeilingLoop run_ceiling_loop(T* memory, std::size_t rounds);

/// One thread's share of a ceiling.
struct CeilingShare {
  double results_per_second = 0;
  std::thread::id thread;
};

/// One measurement, of `threads` threads at once.
template <class T>
std::vector<CeilingShare> measure_ceiling_shares(int threads);

}  // namespace warpfold::minplus
