#pragma once

#include "warpfold/machine/algorithm.hpp"

/// One function per algorithm, each in the file of its name.
namespace warpfold::machine {

[[nodiscard]] Algorithm contiguous_access();
[[nodiscard]] Algorithm stride_access();
[[nodiscard]] Algorithm transpose_straightforward();
[[nodiscard]] Algorithm transpose_diagonal();
[[nodiscard]] Algorithm transpose_rotating();
[[nodiscard]] Algorithm permute_straightforward();
[[nodiscard]] Algorithm permute_dmm();
[[nodiscard]] Algorithm permute_rows();
[[nodiscard]] Algorithm permute_umm();
[[nodiscard]] Algorithm sum_of_words();
[[nodiscard]] Algorithm prefix_sums_of_words();
[[nodiscard]] Algorithm sequential_access();
[[nodiscard]] Algorithm dp_opt_triangulation();
[[nodiscard]] Algorithm umm_opt_triangulation();
[[nodiscard]] Algorithm opt_threads_naive();
[[nodiscard]] Algorithm opt_threads_sliding();
[[nodiscard]] Algorithm opt_blocks_naive();
[[nodiscard]] Algorithm opt_blocks_mirroring();
[[nodiscard]] Algorithm opt_one_thread();
[[nodiscard]] Algorithm sdp_sequential();
[[nodiscard]] Algorithm sdp_naive();
[[nodiscard]] Algorithm sdp_tournament();
[[nodiscard]] Algorithm sdp_pipeline();
[[nodiscard]] Algorithm sdp_m_by_m();
[[nodiscard]] Algorithm sdp_p_fold();
[[nodiscard]] Algorithm mcm_sequential();
[[nodiscard]] Algorithm mcm_tournament();
[[nodiscard]] Algorithm mcm_diagonals();
[[nodiscard]] Algorithm mcm_pipeline();
[[nodiscard]] Algorithm knapsack_p_fold();
[[nodiscard]] Algorithm tiled_umm_opt();
[[nodiscard]] Algorithm transpose_hmm();
[[nodiscard]] Algorithm permute_hmm();
[[nodiscard]] Algorithm sum_of_words_hmm();
[[nodiscard]] Algorithm prefix_sums_of_words_hmm();
[[nodiscard]] Algorithm matrix_product();
[[nodiscard]] Algorithm matrix_product_hmm();
[[nodiscard]] Algorithm bitonic_sort();
[[nodiscard]] Algorithm list_ranking();
[[nodiscard]] Algorithm breadth_first_search();
[[nodiscard]] Algorithm convolution();
[[nodiscard]] Algorithm merge();
[[nodiscard]] Algorithm fft();
[[nodiscard]] Algorithm prefix_sums_by_blocks();
[[nodiscard]] Algorithm connected_components();
[[nodiscard]] Algorithm lcs_sequential();
[[nodiscard]] Algorithm lcs_rows();
[[nodiscard]] Algorithm lcs_diagonals();
[[nodiscard]] Algorithm lcs_sliding();
[[nodiscard]] Algorithm lcs_mirroring();
[[nodiscard]] Algorithm lcs_slices();
[[nodiscard]] Algorithm lcs_tiles();
[[nodiscard]] Algorithm edit_distance_sequential();
[[nodiscard]] Algorithm edit_distance_rows();
[[nodiscard]] Algorithm edit_distance_diagonals();
[[nodiscard]] Algorithm edit_distance_sliding();
[[nodiscard]] Algorithm edit_distance_mirroring();
[[nodiscard]] Algorithm edit_distance_slices();
[[nodiscard]] Algorithm edit_distance_tiles();

}  // namespace warpfold::machine
