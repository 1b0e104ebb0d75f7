#pragma once

#include <cstddef>
#include <cstdint>

/// The tuned numbers of the family. Measured on two cores of an AMD EPYC (Zen 5) in November 2026.
namespace warpfold::knapsack::tuning {

/// Core algorithm.
/// Length of the list from which a bound on the number of pieces is tried.
inline constexpr std::size_t core_long_list = 3000;
inline constexpr std::size_t core_watched_states = 4096;  ///< from this length on, every step checks the stop token
inline constexpr std::size_t core_visits_a_time = 4096;   ///< states between two checks of a list's room
inline constexpr std::size_t core_ties = 16;  ///< the number of equal ratios around the break that are rearranged
/// States visited with the bound before the search without it goes on.
inline constexpr double core_surrogate_states = 1e9;
inline constexpr double core_states_per_second = 2.5e8;
/// States that the search may always visit, even if a table would be faster.
inline constexpr double core_least_states = 1e5;
inline constexpr double core_piece_seconds = 2e-7;  ///< seconds for each piece: sorting, and the easiest search

/// Tables.
inline constexpr std::int64_t granule = 64;           ///< unit of strips and halos: the bits of a word of decisions
inline constexpr std::int64_t l1_bytes = 36 * 1024;   ///< bytes of a strip, with the weights of its group of items
inline constexpr std::int64_t l2_bytes = 768 * 1024;  ///< the same for groups too heavy for the first-level cache
inline constexpr std::size_t l1_group = 3;            ///< a smaller group does not use a first-level strip
inline constexpr std::size_t balanced_rounds = 8;     ///< rounds after which the shares follow the threads' speeds
/// Cells of a thread; with fewer, waiting takes longer than the work.
inline constexpr std::int64_t min_share = 16 * 1024;

/// Rates per thread, for estimates and the choice of the algorithm. They are for rows that share a strip, for rows too
/// heavy for one, which read and write memory, and for memory that is touched for the first time.
inline constexpr double cells_per_second = 2e10;
inline constexpr double heavy_cells_per_second = 4.5e9;
inline constexpr double bytes_touched_per_second = 3e9;
inline constexpr double reference_cell_seconds = 2e-9;
inline constexpr double start_seconds = 1e-5;
inline constexpr double max_table_bytes = 8e9;           ///< of the table that runs if the core gives up
inline constexpr double parallel_cells = 2e6;            ///< smaller tables stay on one thread
inline constexpr std::size_t decision_bytes = 8u << 20;  ///< tables with more decision bits are cut
/// Parts of a packing: one thread of a Xeon (Sapphire Rapids) with other load, processor time, 2026-11-27, 1000 items,
/// C = 250,000, in times of the value's time. Bits of 256 KiB 1.53, 1 MiB 1.53, 8 MiB 1.68; 3 starts 1.62, 7
/// starts 1.54.
inline constexpr std::size_t part_decision_bytes = 1u << 20;
inline constexpr std::size_t kept_starts = 5;               ///< of parts, each at most a table
inline constexpr std::int64_t min_cells_to_copy = 1 << 18;  ///< fewer are copied by one thread
/// Pieces that weigh more than so many capacities together are halved. Weights of 2, 3, 4, 6, 8 capacities: parts 1.54,
/// 1.69, 1.79, 1.89, 2.05 times, halves 1.93, 1.93, 1.88, 1.79, 1.77.
inline constexpr std::int64_t light_weight = 4;

inline constexpr double part_gpu_cells = 1e8;  ///< rows of a part with fewer cells run on the CPU
inline constexpr double gpu_cells = 5e8;       ///< from this size on a GPU gains, including its start and the copies
/// Rates of an H200, for estimates. Its start is not counted.
inline constexpr double gpu_cells_per_second = 1.25e12;
inline constexpr double gpu_item_seconds = 1.5e-6;
inline constexpr int gpu_blocks_of_processor = 16;  ///< blocks of 256 threads; more gained nothing on an H200

/// Subset sums by bits.
inline constexpr std::int64_t bitset_strip_bytes = 512 * 1024;
inline constexpr double bitset_words_per_second = 4e9;  ///< per thread, including halving; then for heavier numbers
inline constexpr double heavy_bitset_words_per_second = 4.5e8;
/// States that the core may visit even if bits would be faster.
inline constexpr double core_least_states_before_bits = 1e6;
inline constexpr double bitset_words_a_state = 4;
inline constexpr double count_seconds = 2.5e-9;  ///< for each number and sum: with a modulus, and for each limb

}  // namespace warpfold::knapsack::tuning
