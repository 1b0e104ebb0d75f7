#pragma once

#include <cstddef>
#include <cstdint>

/// The tuned numbers of this family. Measured 2026-11 on 2 cores of an AMD EPYC (AVX2).
namespace warpfold::sequence::tuning {

inline constexpr double table_cell_seconds = 3e-9;
inline constexpr double edit_word_seconds = 4e-9;
inline constexpr double lcs_word_seconds = 2e-9;
inline constexpr double row_cell_seconds = 1.5e-9;
inline constexpr double scored_row_cell_seconds = 2.5e-9;

// Scored alignments in strips.
inline constexpr std::size_t strip_rows = 2048;
inline constexpr std::size_t narrow_strip_rows = 4096;  ///< of strips in 8 bits
inline constexpr std::size_t chunk_columns = 256;
inline constexpr std::size_t band_strip_rows = 1024;  ///< of strips in a band
inline constexpr double worth_first_band = 0.1;       ///< of all cells, that a first band may take
inline constexpr double worth_band = 0.8;             ///< of all cells, that a band may take
inline constexpr double worth_scored_band = 1e9;      ///< cells; alignments of fewer have no band
inline constexpr std::size_t profile_codes =
    64;  ///< without a matrix: symbols beyond which rows and columns are compared
inline constexpr std::size_t max_profile_codes = 4096;
inline constexpr double scored_operation_seconds = 1.3e-10;

// A coarse grid leaves this part of its bytes for the grids of its tiles. Time warping of 10^5 x 10^5 points of f32 in
// 6.4 MB: 4, 8 and 16 were within 4 % of each other. A half, and tiles whose sides double, took 1.3 times as long.
inline constexpr std::size_t part_for_tiles = 8;

// Time warping in strips.
inline constexpr std::size_t warp_max_words = 128;  ///< K for points of one dimension
inline constexpr std::size_t warp_min_words = 8;
inline constexpr std::size_t warp_chunk_steps = 64;
inline constexpr std::size_t warp_path_steps = 32;
inline constexpr std::size_t warp_min_steps = 8;
inline constexpr double warp_step_vectors = 12;  ///< vectors of cells that take as long as the rest of a step
inline constexpr double warp_kept_vector = 2.5;  ///< times as long, of a vector of cells that is kept for a path
inline constexpr double warp_operation_seconds = 1.3e-10;
inline constexpr double warp_row_operation_seconds = 6e-10;

// Furthest-reaching points.
inline constexpr double point_seconds = 4e-9;
inline constexpr double vector_point_seconds = 1.2e-9;  ///< in vectors; AVX-512 took 1, AVX2 2
inline constexpr double symbol_seconds = 3e-10;         ///< of a symbol that is compared
inline constexpr double free_part = 0.01;               ///< of the next algorithm's time, that a first try may take
inline constexpr double worth_part = 0.5;          ///< of that time, up to which a search goes on by what it has shown
inline constexpr double worth_penalties = 1e6;     ///< cells; alignments of fewer are not tried by points
inline constexpr double worth_scored_part = 1;     ///< worth_part of alignments, whose next algorithm is estimated low
inline constexpr double worth_before_band = 0.05;  ///< the same, of the time of all cells, if a band is next
inline constexpr std::int64_t min_kept_interval = 32;   ///< frontiers between two that are kept for a script
inline constexpr std::int64_t costs_before_seeds = 64;  ///< searched before a bound and seeds leave out diagonals
inline constexpr std::int64_t near_diagonals = 32;      ///< on both sides, of the search for a bound
inline constexpr std::int64_t near_costs = 8;           ///< after which that search leaves out others
inline constexpr double seeded_part = 0.1;              ///< of d^2 points, that a search by seeds takes: 0.04 to 0.36
inline constexpr double seed_chances = 16;              ///< random parts of which one occurs; 4 to 256 within a tenth
inline constexpr std::size_t max_seed = 32, seed_places = 16;           ///< symbols; places for a diagonal
inline constexpr std::size_t max_front_bytes = std::size_t{256} << 20;  ///< of alignments, for a script
inline constexpr std::int64_t max_penalty = 4096;                       ///< as many fronts are kept, of one kind

// Dominant pairs. They are taken up to this part of the dense kernel's time.
inline constexpr double pair_seconds = 3e-8;
inline constexpr double occurrence_seconds = 5e-9;
inline constexpr double worth_dominance = 0.5;

// The dense kernel. K is chosen by the operations that it leads to.
inline constexpr std::size_t max_words = 32;         ///< of a script, whose walk runs entire strips again
inline constexpr std::size_t max_score_words = 128;  ///< 32 took 1.2 times as long for two strips of 98
inline constexpr double many_planes = 1.5;           ///< times as long, beyond 8 planes, which are loaded for each cell
inline constexpr double kept_step = 2;               ///< times as long, of a step that is kept for a walk
inline constexpr double ahead_use = 0.5;             ///< of the threads but the first, by which a walk is faster
inline constexpr std::size_t min_threads_ahead = 4;  ///< 2 gain nothing: members of a team wait for each other
inline constexpr double byte_operations = 2;     ///< that take as long as a byte of memory touched for the first time
inline constexpr std::size_t ahead_step = 256;   ///< rows or columns between two looks ahead
inline constexpr double ahead_aside = 4;         ///< times the square root of the way: what a walk goes aside
inline constexpr double step_operations = 100;   ///< of a step, besides its cells
inline constexpr double column_operations = 25;  ///< of a column in a step, for each vector that moves on
inline constexpr double vector_operation_seconds = 1e-10;
inline constexpr double slices_start_seconds = 20e-6;
inline constexpr double worth_slices = 1e5;   ///< cells; fewer take other algorithms less time than a choice of K
inline constexpr double worth_threads = 3e7;  ///< cells

// The band. The first one has a diagonal for that many symbols.
inline constexpr std::size_t first_band = 256;
inline constexpr double worth_a_first_band = 1e8;  ///< cells
inline constexpr double expected_bound = 0.6;      ///< that it shows, for a symbol of the shorter sequence

// Checkpoints. A row is saved below each group of rows: a bit or two for a symbol in slices, 4 to 8 bytes in other
// tables. The numbers of groups fill triangles of 10 and 6 super-tiles a side. Strips have at most a unit's rows.
inline constexpr std::size_t max_slice_groups = 55, max_slice_unit = 16384;
inline constexpr std::size_t max_table_groups = 21, min_scored_unit = 256;
inline constexpr std::size_t min_warp_unit = 128, max_warp_unit = 2048;

// Batches. A pair goes by words if its shorter sequence is at most `max_pattern`, in a vector up to `max_lane`.
inline constexpr std::size_t max_pattern = 2048;
inline constexpr std::size_t max_lane = 2048;
inline constexpr double pattern_seconds = 1.5e-7;  ///< of a pattern that is used once
inline constexpr std::size_t check_columns = 32;   ///< between two looks whether all pairs have passed the bound
inline constexpr std::size_t batch_check_entries = std::size_t{1} << 28;  ///< between two looks at the clock
inline constexpr std::size_t items_a_thread = 8;
inline constexpr std::size_t min_rows = 16;  ///< that share the planes of a group

// Slices on a GPU. K is chosen by the cycles that it leads to. Measured 2026-11 on an H100.
inline constexpr std::size_t gpu_schedulers = 528;
inline constexpr double gpu_cycle_seconds = 1 / 1.97e9;
inline constexpr double gpu_cycles_alone = 2.55;  ///< of an instruction, where a warp has its scheduler for itself
inline constexpr double gpu_step_alone = 8;       ///< of a step besides
inline constexpr double gpu_cycles_shared = 2.07, gpu_step_shared = 1;  ///< the same, where warps share a scheduler
inline constexpr std::size_t gpu_chunks_behind = 2;
inline constexpr double gpu_start_seconds = 5e-4;
inline constexpr double gpu_symbol_seconds = 1e-9;
inline constexpr std::size_t gpu_script_bytes = std::size_t{4} << 30;  ///< of kept states, or as much as strips hand on

// The walk of a script on a GPU.
inline constexpr std::size_t gpu_choice_bytes = std::size_t{512} << 20;
inline constexpr std::size_t gpu_segment_rows = 512;  ///< a power of two, up to the rows of the lowest strip
inline constexpr std::size_t gpu_max_segments = 256;
inline constexpr std::size_t gpu_max_exits = std::size_t{2} << 20;
inline constexpr std::size_t gpu_run_bytes = std::size_t{4} << 20;
inline constexpr double gpu_aside_rows = 128, gpu_edit_aside = 1.2, gpu_lcs_aside = 1.5;
inline constexpr double gpu_walk_row_seconds = 1.3e-8;

// Time warping on a GPU. Cycles of f32: what a cell waits for and what it issues, as measured in registers on an H100,
// the same for a step besides, a cell's sum of one dimension, and what a step waits for it; times as long for f64.
// Columns between two strips besides those of the lanes. Times as long where a band begins. Seconds of a path's step.
// Times as long by strips of 32 rows a lane: measured 2026-11 on an H200 for 10^6 points and 2 warps.
inline constexpr double gpu_series_wait = 13, gpu_series_issue = 3.6;
inline constexpr double gpu_series_step_wait = 170, gpu_series_step = 10;
inline constexpr double gpu_series_sum = 2.5, gpu_series_sum_wait = 220, gpu_series_double = 3;
inline constexpr double gpu_series_lag = 60, gpu_series_careful = 2.8;
inline constexpr double gpu_series_walk_seconds = 8e-8;
inline constexpr double gpu_series_together = 0.94;

// Scored alignments on a GPU, likewise, for a cell or a pair: where a warp has its scheduler for itself, and where
// warps share one. Measured 2026-11 on an H100 for 10^5 and 10^6 symbols: 217, 312 and 481 cycles of a step of 8, 16
// and 32 rows alone, 422 cycles of two warps with 16 rows, 398 of four with 8.
inline constexpr double gpu_score_wait = 11.7, gpu_score_step_alone = 125;
inline constexpr double gpu_score_issue = 10.5, gpu_score_step = 30;
inline constexpr double gpu_score_lag = 70;
inline constexpr double gpu_score_local = 0.4;       ///< times longer, of local alignments; by count of instructions
inline constexpr double gpu_score_pieces = 0.9;      ///< the same of two pieces
inline constexpr std::size_t gpu_score_tiles = 512;  ///< that a script's walk keeps at a time, a warp for each
inline constexpr std::size_t gpu_score_tiles_aside = 7;  ///< of a strip, beside those of a straight line
inline constexpr double gpu_score_walk_seconds = 3e-8;
inline constexpr std::size_t gpu_shared_bytes = 227 * 1024;  ///< of a multiprocessor

// Many pairs on a GPU.
inline constexpr double gpu_pair_cycles_shared = 2.2, gpu_pair_cycles_alone = 2.6;  ///< of a logic instruction
inline constexpr double gpu_pair_step = 30;                                         ///< instructions besides
inline constexpr std::size_t gpu_max_lane = 16384;
inline constexpr std::size_t gpu_chunk_symbols = std::size_t{8} << 20;  ///< that a thread copies at a time
inline constexpr std::size_t gpu_pair_symbols = 64;                     ///< that take as much memory as a pair
inline constexpr std::size_t gpu_batch_threads = 8;
inline constexpr std::size_t gpu_pair_choice_bytes = std::size_t{96} << 20;  ///< of a thread, for scripts
inline constexpr std::size_t gpu_max_script = 4096;                          ///< symbols of a pair

// The choice of a device for a batch: an entry, a symbol and a pair. On a CPU by one thread of a Xeon with AVX-512, on
// an H100 with its host's work by 8 threads, measured 2026-11.
inline constexpr double lane_entry_seconds = 1e-12, lane_symbol_seconds = 5e-10;
inline constexpr double gpu_batch_entry_seconds = 2e-14, gpu_batch_symbol_seconds = 7e-11,
                        gpu_batch_pair_seconds = 3e-8;

// The same for the scripts of a batch: a pair, a cell, and a symbol, which is about a step of the walk.
inline constexpr double script_pair_seconds = 2e-6, script_cell_seconds = 5e-10;
inline constexpr double gpu_script_cell_seconds = 5e-11, gpu_script_step_seconds = 3e-9;

/// Memory for a script, unless more is needed: in all, and for each symbol.
inline constexpr std::size_t script_bytes = std::size_t{64} << 20;
inline constexpr std::size_t symbol_bytes = 16;

// Tiles of strips, whose borders alone are kept. At most so many on a side. They leave one of these parts of the memory
// for their own walks, the one that is predicted to take least time. The borders of tiles of a tile take a fourth. For
// 10^6 symbols in 8 MB, one thread of a Xeon with AVX-512, that took 1.2 times the score; three fourths took 1.26 to
// 1.35, and 8 chunks in place of 4 the same as 4.
inline constexpr std::size_t max_tiles = 1024;
inline constexpr std::size_t parts_for_tiles[] = {2, 4, 8}, part_for_borders_of_tile = 4;
inline constexpr std::size_t min_part_interval = 4;  ///< min_interval of a tile
inline constexpr std::size_t min_interval = 8;       ///< chunks between two kept states; 2 took 1.2 times as long

/// Chunks of a row in a message to another process. Others are not measured.
inline constexpr std::size_t block_chunks = 16;

}  // namespace warpfold::sequence::tuning
