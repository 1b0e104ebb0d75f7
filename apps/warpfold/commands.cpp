#include "commands.hpp"

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/recurrence/coins.hpp"

namespace warpfold::app {

// COMMAND.cpp defines what adds the command and its algorithms, verify_COMMAND.cpp what checks its solutions.
void add_bench(Command command);
void add_chain(Command command);
void add_coins(Command command);
void add_completions(Command command);
void add_info(Command command);
void add_knapsack(Command command);
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

Verdict verify_chain(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_coins(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_knapsack(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_minplus(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_paths(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_recurrence(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_subset_sum(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_tree(const Files& instance, const Json& solution, const Options& limits);
Verdict verify_triangulate(const Files& instance, const Json& solution, const Options& limits);

Json chain_optimum(const Files& instance, const Json& solution, Options limits);
Json knapsack_optimum(const Files& instance, const Json& solution, Options limits);
Json subset_sum_optimum(const Files& instance, const Json& solution, Options limits);
Json tree_optimum(const Files& instance, const Json& solution, Options limits);
Json triangulate_optimum(const Files& instance, const Json& solution, Options limits);

std::span<const CommandEntry> commands() {
  static const CommandEntry all[] = {
      {"bench", "check and time a random problem, against the processor's ceiling", add_bench},
      {"chain", "the cheapest order in which to multiply a chain of matrices", add_chain, interval::chain_algorithms,
       verify_chain, chain_optimum},
      {"coins", "pay an amount in the fewest coins; count the ways", add_coins, recurrence::coin_algorithms,
       verify_coins},
      {"info", "version, devices, instruction sets and algorithms", add_info},
      {"knapsack", "pack the most value: 0-1, bounded or unbounded items", add_knapsack, knapsack_algorithms,
       verify_knapsack, knapsack_optimum},
      {"machine", "the memory machines: PRAM, BPRAM, DMM, UMM and HMM as simulators", add_machine},
      {"minplus", "the (min,+) product of two matrices, and other semirings'", add_minplus, minplus::algorithms,
       verify_minplus, nullptr, 2},
      {"paths", "the shortest paths between all pairs of vertices of a graph", add_paths, paths_algorithms,
       verify_paths},
      {"paper", "the papers' tables and figures: published, recorded, and measured on this machine", add_paper},
      {"permute", "plan how an array moves along a permutation without conflicts", add_permute},
      {"plan", "what a large table would take on many ranks and GPUs: memory, traffic and time, from a model",
       add_plan},
      {"recurrence", "ST[i] = op over offsets a of ST[i - a], with a weight added or not", add_recurrence,
       recurrence_algorithms, verify_recurrence},
      {"subset-sum", "the subset whose sum comes closest to a target from below", add_subset_sum,
       knapsack::subset_sum_algorithms, verify_subset_sum, subset_sum_optimum},
      {"tree", "the binary search tree of least expected depth", add_tree, interval::tree_algorithms, verify_tree,
       tree_optimum, 2},
      {"triangulate", "an optimal triangulation of an outline or of chord weights", add_triangulate,
       triangulate_algorithms, verify_triangulate, triangulate_optimum},
      {"verify", "check a solution, independently of the solvers", add_verify},
      {"completions", "print what lets a shell complete warpfold's commands and options", add_completions},
      {"man", "print the manual page that is installed with warpfold", add_manual},
  };
  return all;
}

}  // namespace warpfold::app
