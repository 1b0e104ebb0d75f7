#pragma once

#include <array>
#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::rna {

/// The number of bases from which a GPU folds faster than the CPU. 2026-11-27, H100 with a 16-core host, random
/// sequences, CPU / GPU: 300 1.17 / 0.99 ms, 1,000 4.2 / 2.3, 2,000 19.4 / 3.8, 4,000 47.9 / 7.6, 10,000 475 / 26.
inline constexpr std::size_t cuda_gains_from = 300;

/// What an interval takes besides its products, in the time of one term of a product, for estimates. 2026-11-28, two
/// cores with AVX-512: seconds of 1,000 to 29,903 bases are a n^3/6 + b n^2/2 within 8 %. b / a of least energies is
/// 1,560 to 1,600 (results/epyc-2core-zen4/rna_folding.json, results/xeon-2core/rna_sums_by_rows.json and the long
/// foldings beside them), of energies of ensembles 2,350, of pairs 2,200.
inline constexpr double folding_interval_units = 1600, ensemble_interval_units = 2300;

/// The operations of a batch from which a GPU folds it faster than the CPU, an estimate of 2026-11-28, and the seconds
/// that one takes a thread of the CPU, for a choice before the GPU is started. 2026-11-28, Xeon, 32 threads: 1.7e-10
/// of 100 bases, 0.8e-10 of 600 (results/h100/cuda_batches.json).
inline constexpr double cuda_batch_gains_from = 1e9, batch_operation_seconds = 1e-10;

/// The most bases of each class of short sequences. Those of a class are in launches together. 2026-11-28, H100,
/// microseconds for each sequence of 200 bases: 4.2, in groups 7.7.
inline constexpr std::array<std::size_t, 6> short_sizes = {50, 74, 100, 136, 184, 232};
/// The threads of the host that pack short sequences, and the operations of the sequences that one packs at one time.
/// 2026-11-28, H100 with 16 cores, 100,000 sequences of 100 bases: 92.0 ms with 3 threads, 91.7 with 6.
inline constexpr std::size_t short_workers = 6;
inline constexpr double short_operations = 2e10;

/// The groups that are at work at one time, the operations of a group, and the longest and the number of its sequences.
/// 2026-11-28, H100: a group of 22 sequences of 5,601 bases is filled every 93 ms, and what comes after its tables
/// takes 5.8 ms beside the next group. Other numbers were not measured.
inline constexpr std::size_t group_workers = 2, max_group_bases = 12'000, max_group_size = 60'000;
inline constexpr double group_operations = 8e11;

/// The bases from which a GPU computes ensembles without samples and windows faster. 2026-11-28, H100 with a 16-core
/// host, CPU / GPU: energies 300 5.3 / 2.3 ms, 1,000 20.5 / 5.8, 2,000 126 / 11.7, 4,000 185 / 25, 10,000 1,190 / 130;
/// pairs 300 14.6 / 4.3, 1,000 61 / 13.4, 2,000 194 / 30, 4,000 486 / 74, 10,000 3,710 / 391. Since then a GPU takes
/// less (results/h100/cuda_ensemble.json). Shorter ones were not measured.
inline constexpr std::size_t cuda_ensemble_gains_from = 300;

/// The problems of a batch that a GPU solves at one time, if not by blocks or groups. 2026-11-28, H200, pairs of an
/// ensemble of 300 bases: 0.87 ms each, alone 3.05; of 1,000 bases 2.4, alone 8.9. Other numbers were not measured.
inline constexpr std::size_t gpu_workers = 8;

/// The memory and the time of a list near the least energy, for each base of each structure, at most. 2026-11-27, EPYC,
/// 2 cores, bytes of 2,000 to 50,000 structures of 50 to 1,600 bases: random sequences 5 to 32, AU repeated 21 to 57,
/// GC repeated 19 to 212; user time 18 to 213 ns of random sequences, of GC
/// repeated 166 to 352 ns.
inline constexpr double listed_base_bytes = 256, listed_base_seconds = 500e-9;

}  // namespace warpfold::rna
