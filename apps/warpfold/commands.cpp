#include "commands.hpp"

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/time_warping.hpp"

namespace warpfold::app {

// COMMAND.cpp defines the function that adds the command, and its algorithms. verify_COMMAND.cpp checks its solutions.
void add_align(Command command);
void add_bench(Command command);
void add_chain(Command command);
void add_coins(Command command);
void add_completions(Command command);
void add_diff(Command command);
void add_dtw(Command command);
void add_edit_distance(Command command);
void add_fold(Command command);
void add_info(Command command);
void add_knapsack(Command command);
void add_lcs(Command command);
void add_machine(Command command);
void add_manual(Command command);
void add_minplus(Command command);
void add_paper(Command command);
void add_paths(Command command);
void add_permute(Command command);
void add_plan(Command command);
void add_recurrence(Command command);
void add_subset_sum(Command command);
void add_tree(Command command);
void add_triangulate(Command command);
void add_verify(Command command);

std::vector<AlgorithmInfo> knapsack_algorithms();
std::vector<AlgorithmInfo> paths_algorithms();
std::vector<AlgorithmInfo> recurrence_algorithms();
std::vector<AlgorithmInfo> triangulate_algorithms();

Verdict verify_align(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_chain(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_coins(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_diff(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_dtw(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_edit_distance(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_fold(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_knapsack(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_lcs(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_minplus(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_paths(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_recurrence(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_subset_sum(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_tree(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_triangulate(const Files& instance, const Json& solution, const Options& limits);

Json align_optimum(const Files& instance, const Json& solution, Options limits);
Json chain_optimum(const Files& instance, const Json& solution, Options limits);
Json dtw_optimum(const Files& instance, const Json& solution, Options limits);
Json edit_distance_optimum(const Files& instance, const Json& solution, Options limits);
Json fold_optimum(const Files& instance, const Json& solution, Options limits);
Json knapsack_optimum(const Files& instance, const Json& solution, Options limits);
Json lcs_optimum(const Files& instance, const Json& solution, Options limits);
Json subset_sum_optimum(const Files& instance, const Json& solution, Options limits);
Json tree_optimum(const Files& instance, const Json& solution, Options limits);
Json triangulate_optimum(const Files& instance, const Json& solution, Options limits);

std::span<const CommandEntry> commands() {
  static const CommandEntry all[] = {
      {"triangulate", "optimal triangulation of an outline or of chord weights", add_triangulate,
       triangulate_algorithms, verify_triangulate, triangulate_optimum},
      {"chain", "cheapest order to multiply a chain of matrices", add_chain, interval::chain_algorithms, verify_chain,
       chain_optimum},
      {"knapsack", "most valuable packing of 0-1, bounded or unbounded items", add_knapsack, knapsack_algorithms,
       verify_knapsack, knapsack_optimum, 3, true},
      {"paths", "shortest paths between the vertices of a graph", add_paths, paths_algorithms, verify_paths},
      {"minplus", "(min,+) product of two matrices, or that of another semiring", add_minplus, minplus::algorithms,
       verify_minplus, nullptr, 2},
      {"align", "best alignment of two sequences by scores and gap costs", add_align, sequence::align_algorithms,
       verify_align, align_optimum, 2},
      {"bench", "time of a random problem, against the hardware's ceiling", add_bench},
      {"coins", "fewest coins for an amount (coin change), and number of ways", add_coins, recurrence::coin_algorithms,
       verify_coins, nullptr, 1, true},
      {"completions", "shell completions", add_completions},
      {"diff", "minimal patch between two texts: a longest common subsequence of lines", add_diff,
       sequence::lcs_algorithms, verify_diff, lcs_optimum, 2},
      {"dtw", "dynamic time warping of two series, with or without a band", add_dtw, sequence::dtw_algorithms,
       verify_dtw, dtw_optimum, 2},
      {"edit-distance", "fewest insertions, deletions and substitutions between two sequences", add_edit_distance,
       sequence::edit_distance_algorithms, verify_edit_distance, edit_distance_optimum, 2},
      {"fold", "secondary structure of least free energy of RNA sequences", add_fold, rna::fold_algorithms, verify_fold,
       fold_optimum, 2},
      {"info", "version, devices, instruction sets and algorithms", add_info},
      {"lcs", "longest common subsequence of two sequences", add_lcs, sequence::lcs_algorithms, verify_lcs, lcs_optimum,
       2},
      {"machine", "simulated memory machines: PRAM, BPRAM, DMM, UMM and HMM", add_machine},
      {"man", "manual page", add_manual},
      {"paper", "papers' tables and figures, as published and on this machine", add_paper},
      {"permute", "an array moved along a permutation, or a schedule without bank conflicts", add_permute},
      {"plan", "predicted memory, traffic and time of a table on many GPUs", add_plan},
      {"recurrence", "values of ST[i] = op over offsets a of ST[i - a] + weight", add_recurrence, recurrence_algorithms,
       verify_recurrence},
      {"subset-sum", "subset whose sum is closest to a target, but not above it", add_subset_sum,
       knapsack::subset_sum_algorithms, verify_subset_sum, subset_sum_optimum, 2, true},
      {"tree", "binary search tree of least expected depth", add_tree, interval::tree_algorithms, verify_tree,
       tree_optimum, 2},
      {"verify", "check of a solution, independent of the solvers", add_verify},
  };
  return all;
}

void add_commands(Command program) {
  constexpr std::size_t most_used = 5;
  std::size_t position = 0;
  for (const CommandEntry& entry : commands()) {
    entry.add(program.add_command(entry.name, entry.description,
                                  position++ < most_used ? "Most used commands" : "Other commands"));
  }
}

}  // namespace warpfold::app
