#include "rna/backends.hpp"
#include "rna/ensemble_backends.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the GPU backends of foldings and ensembles in a build without CUDA.
namespace warpfold::rna::cuda {

Folding fold(const FoldProblem&, Context&) { reject_cuda(); }

std::size_t device_bytes(const FoldProblem&, const Options&) { reject_cuda(); }

std::size_t host_bytes(const FoldProblem&, const Options&) { reject_cuda(); }

std::vector<Folding> fold_batch(const FoldBatch&, Context&) { reject_cuda(); }

template <bool lone_pairs>
interval::GrammarTables<SumGrammar<lone_pairs>> sum_tables(const LoopWeights&, std::size_t, std::size_t, Context&) {
  reject_cuda();
}

template <bool lone_pairs>
Scaled sum_of_all(const LoopWeights&, std::size_t, std::size_t, Context&) {
  reject_cuda();
}

template <bool lone_pairs>
std::size_t bytes_of_sum_tables(std::size_t, double) {
  reject_cuda();
}

template <bool lone_pairs>
PairSums pair_sums(const LoopWeights&, std::size_t, std::size_t, std::size_t, double, Context&) {
  reject_cuda();
}

template <bool lone_pairs>
std::size_t bytes_of_pair_sums(std::size_t, std::size_t) {
  reject_cuda();
}

template interval::GrammarTables<SumGrammar<false>> sum_tables<false>(const LoopWeights&, std::size_t, std::size_t,
                                                                      Context&);
template interval::GrammarTables<SumGrammar<true>> sum_tables<true>(const LoopWeights&, std::size_t, std::size_t,
                                                                    Context&);
template Scaled sum_of_all<false>(const LoopWeights&, std::size_t, std::size_t, Context&);
template Scaled sum_of_all<true>(const LoopWeights&, std::size_t, std::size_t, Context&);
template PairSums pair_sums<false>(const LoopWeights&, std::size_t, std::size_t, std::size_t, double, Context&);
template PairSums pair_sums<true>(const LoopWeights&, std::size_t, std::size_t, std::size_t, double, Context&);
template std::size_t bytes_of_pair_sums<false>(std::size_t, std::size_t);
template std::size_t bytes_of_pair_sums<true>(std::size_t, std::size_t);
template std::size_t bytes_of_sum_tables<false>(std::size_t, double);
template std::size_t bytes_of_sum_tables<true>(std::size_t, double);

}  // namespace warpfold::rna::cuda
