#pragma once

#include <cstddef>
#include <cstdint>

/// The tuned numbers of the family. Measured on two cores of an AMD EPYC (Zen 5) in November 2026.
namespace warpfold::knapsack::tuning {

/// Core algorithm.
inline constexpr std::size_t core_long_list = 3000;       ///< states at which a bound on the number of pieces is tried
inline constexpr std::size_t core_watched_states = 4096;  ///< lists so long look at the stop token at every step
inline constexpr std::size_t core_visits_a_time = 4096;   ///< between two looks at the room that a list has
inline constexpr std::size_t core_ties = 16;              ///< so many equal ratios around the break are rearranged
inline constexpr double core_surrogate_states = 1e9;      ///< visited states before the search without it goes on
inline constexpr double core_states_per_second = 2.5e8;
inline constexpr double core_least_states = 1e5;    ///< that the search may visit where a table would be faster
inline constexpr double core_piece_seconds = 2e-7;  ///< sorting, and the easiest search

/// Tables.
inline constexpr std::int64_t granule = 64;           ///< strips and halos are multiples of it: one word of decisions
inline constexpr std::int64_t l1_bytes = 36 * 1024;   ///< a strip and the weights of its group of items
inline constexpr std::int64_t l2_bytes = 768 * 1024;  ///< the same, for groups too heavy for the first cache
inline constexpr std::size_t l1_group = 3;         ///< fewer items than that are not worth a strip of the first cache
inline constexpr std::size_t balanced_rounds = 8;  ///< after so many the threads' shares follow their speeds
inline constexpr std::int64_t min_share = 16 * 1024;  ///< cells of a thread, below which the meetings take longer

/// Rates per thread, for estimates and the choice of the algorithm. They are for rows that share a strip, for rows too
/// heavy for one, which read and write memory, and for memory that is touched for the first time.
inline constexpr double cells_per_second = 2e10;
inline constexpr double heavy_cells_per_second = 4.5e9;
inline constexpr double bytes_touched_per_second = 3e9;
inline constexpr double reference_cell_seconds = 2e-9;
inline constexpr double start_seconds = 1e-5;
inline constexpr double max_table_bytes = 8e9;           ///< of a table that is taken where the core gives up
inline constexpr double parallel_cells = 2e6;            ///< smaller tables stay on one thread
inline constexpr std::size_t decision_bytes = 8u << 20;  ///< tables of decision bits beyond it are halved first

inline constexpr double gpu_cells = 5e8;  ///< from here on a GPU gains, its start and the copies included
/// Rates of an H200, for estimates. Its start is not counted.
inline constexpr double gpu_cells_per_second = 1.25e12;
inline constexpr double gpu_item_seconds = 1.5e-6;
inline constexpr int gpu_blocks_of_processor = 16;  ///< of 256 threads; more gained nothing on an H200

/// Subset sums by bits.
inline constexpr std::int64_t bitset_strip_bytes = 512 * 1024;
inline constexpr double bitset_words_per_second = 4e9;  ///< per thread, halving included; then of heavier numbers
inline constexpr double heavy_bitset_words_per_second = 4.5e8;
inline constexpr double core_least_states_before_bits = 1e6;  ///< that the core may visit where bits would be faster
inline constexpr double bitset_words_a_state = 4;
inline constexpr double count_seconds = 2.5e-9;  ///< a number and sum, modulo something or for each word

}  // namespace warpfold::knapsack::tuning
