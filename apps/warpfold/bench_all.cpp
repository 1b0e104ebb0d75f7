#include "bench_all.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "bench_peers.hpp"
#include "timing/ceilings.hpp"
#include "timing/dense.hpp"
#include "timing/knapsacks.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/score_matrix.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"
#include "warpfold/paths/verify.hpp"
#include "warpfold/permutation/two_passes.hpp"
#include "warpfold/recurrence/verify.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/sequence/time_warping.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::app {

namespace {

using Conditions = BenchConditions;

void require(bool right, const char* what) {
  if (!right) throw Error(ErrorKind::internal, what);
}

int threads_of(const Conditions& conditions) { return thread_count(conditions.options.threads); }

bool is_on_gpu(const Conditions& conditions) { return conditions.options.device.kind == Device::Kind::cuda; }

Options on_cpu(Options options) {
  options.device = parse_device("cpu");
  return options;
}

/// The row of calls of `solve`, which returns its report.
template <class Solve>
Json timed(const Conditions& conditions, Json size, double results, double ceiling, const Solve& solve) {
  return timing::SolveTimes(
             conditions.repeats, [] {}, solve)
      .row("", std::move(size), results, ceiling);
}

Json bench_triangulation(std::size_t n, const Conditions& conditions) {
  return timing::measure_triangulation<float>(n, conditions.options, conditions.seed, conditions.repeats,
                                              timing::ceiling_of<float>(conditions.options));
}

Json bench_product(std::size_t n, const Conditions& conditions) {
  return timing::measure_product<float>(n, conditions.options, conditions.seed, conditions.repeats,
                                        timing::ceiling_of<float>(conditions.options));
}

/// Dimensions up to 30, so that the costs fit i32.
interval::MatrixChain drawn_chain(std::size_t matrices, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> dimensions(matrices + 1);
  for (std::int64_t& dimension : dimensions) dimension = static_cast<std::int64_t>(1 + random() % 30);
  return interval::MatrixChain(std::move(dimensions));
}

Json bench_chain(std::size_t n, const Conditions& conditions) {
  const interval::MatrixChain chain = drawn_chain(n, conditions.seed);
  require(interval::solve(chain, conditions.options).solution.cost ==
              interval::solve_by_dp<std::int32_t>(chain, conditions.options).solution.cost,
          "the chain and its recurrence have different costs");
  return timed(conditions, {{"n", n}}, static_cast<double>(n), 0,
               [&] { return interval::solve(chain, conditions.options).report; });
}

Json bench_chain_table(std::size_t n, const Conditions& conditions) {
  const interval::MatrixChain chain = drawn_chain(n, conditions.seed);
  const auto solve = [&] { return interval::solve_by_dp<std::int32_t>(chain, conditions.options); };
  require(static_cast<bool>(interval::verify(chain, solve().solution)), "the chain's order is wrong");
  const auto m = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"dtype", "i32"}}, (m + 1) * m * (m - 1) / 6,
               timing::ceiling_of<std::int32_t>(conditions.options), [&] { return solve().report; });
}

Json bench_tree(std::size_t n, const Conditions& conditions) {
  const auto keys = timing::random_values<double>(n, conditions.seed);
  const auto gaps = timing::random_values<double>(n + 1, conditions.seed + 1);
  const interval::SearchTree<double> tree(keys, gaps);
  const interval::SearchTree<double> mirrored({keys.rbegin(), keys.rend()}, {gaps.rbegin(), gaps.rend()});
  const auto solution = interval::solve(tree, conditions.options).solution;
  require(
      interval::verify(tree, solution) && solution.cost == interval::solve(mirrored, conditions.options).solution.cost,
      "the tree or its mirror image is wrong");
  const auto m = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"dtype", "f64"}}, m * (m + 1) / 2, 0,
               [&] { return interval::solve(tree, conditions.options).report; });
}

/// Lengths are shortest if no edge at the end of a path makes a shorter one: a product with the edges changes nothing.
bool are_shortest(const MatrixView<const float>& edges, const paths::AllPairs<float>& paths, const Options& options) {
  Matrix<float> longer = paths.lengths;
  minplus::accumulate<float>({}, paths.lengths.view(), edges, longer.view(), options);
  return longer == paths.lengths;
}

/// Walks the paths between 1000 random pairs of vertices.
bool are_walked(const MatrixView<const float>& edges, const paths::AllPairs<float>& paths, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int pair = 0; pair < 1000; ++pair) {
    const std::size_t from = random() % edges.rows, to = random() % edges.rows;
    const auto path = paths.path(from, to);
    float length = 0;
    for (std::size_t at = 1; at < path.size(); ++at) length += edges(path[at - 1], path[at]);
    if (path.empty() || length != paths.lengths(from, to)) return false;
  }
  return true;
}

/// Verifies the paths among the first vertices by definition; all others by a product and by walks.
bool are_right(const MatrixView<const float>& edges, const Matrix<float>& lengths, const Conditions& conditions) {
  const paths::Request request{.successors = true};
  const auto solve = [&](const auto& of) { return paths::all_pairs(of, conditions.options, request).solution; };
  const std::size_t count = std::min<std::size_t>(edges.rows, 1024);
  const MatrixView<const float> few{edges.data, count, count, edges.rows};
  const paths::AllPairs<float> paths = solve(edges);
  return paths::verify(few, solve(few), conditions.options, request) && paths.lengths == lengths &&
         are_shortest(edges, paths, conditions.options) && are_walked(edges, paths, conditions.seed);
}

template <bool successors>
Json bench_all_pairs(std::size_t n, const Conditions& conditions) {
  std::vector<float> lengths = timing::random_values<float>(n * n, conditions.seed);
  for (float& length : lengths) ++length;
  const MatrixView<const float> edges{lengths.data(), n, n, n};
  const auto solve = [&] { return paths::all_pairs(edges, conditions.options, {.successors = successors}); };
  require(are_right(edges, solve().solution.lengths, conditions), "a path is not the shortest");
  const auto m = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"dtype", "f32"}}, m * m * m, timing::ceiling_of<float>(conditions.options),
               [&] { return solve().report; });
}

/// 1000 items, as many cells for each capacity. `algorithm` empty: the fastest, which fills no table.
Json measure_knapsack(std::size_t capacity, Conditions conditions, const char* algorithm, bool items) {
  constexpr std::size_t count = 1000;
  const knapsack::Problem problem = knapsack::drawn(count, static_cast<std::int64_t>(capacity));
  const knapsack::Request request{items, "i32"};
  const std::int64_t value = knapsack::solve(problem, with_algorithm("core", Options())).solution.value;
  conditions.options.algorithm = algorithm;
  const auto solve = [&] { return knapsack::solve(problem, conditions.options, request); };
  const knapsack::Solution solution = solve().solution;
  require(solution.value == value && (!items || knapsack::verify(problem, solution)), "the packing is wrong");
  const bool has_table = *algorithm;
  const double ceiling = !has_table              ? 0
                         : is_on_gpu(conditions) ? timing::ceiling_of<std::int32_t>(conditions.options)
                                                 : timing::ceiling_of_knapsacks(threads_of(conditions));
  return timed(conditions, {{"n", count}, {"capacity", capacity}, {"dtype", "i32"}},
               count * (has_table ? static_cast<double>(capacity + 1) : 1), ceiling, [&] { return solve().report; });
}

Json bench_knapsack(std::size_t capacity, const Conditions& conditions) {
  return measure_knapsack(capacity, conditions, "", true);
}
Json bench_knapsack_table(std::size_t capacity, const Conditions& conditions) {
  return measure_knapsack(capacity, conditions, "table", false);
}
Json bench_knapsack_items(std::size_t capacity, const Conditions& conditions) {
  return measure_knapsack(capacity, conditions, "table", true);
}

/// n / 8 of the first n / 4 offsets, with weights.
recurrence::Problem<std::int32_t> drawn_recurrence(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  recurrence::Statement<std::int32_t> statement;
  statement.n = n;
  statement.offsets.resize(n / 4);
  std::iota(statement.offsets.begin(), statement.offsets.end(), std::int64_t{1});
  std::shuffle(statement.offsets.begin(), statement.offsets.end(), random);
  statement.offsets.resize(n / 8);
  statement.weights = timing::random_values<std::int32_t>(n / 8, seed + 1);
  const auto largest = *std::max_element(statement.offsets.begin(), statement.offsets.end());
  statement.initial = timing::random_values<std::int32_t>(static_cast<std::size_t>(largest), seed + 2);
  return recurrence::Problem<std::int32_t>(std::move(statement));
}

/// A small problem is verified by definition. A GPU's values are the CPU's.
Json bench_recurrence(std::size_t n, const Conditions& conditions) {
  const auto problem = drawn_recurrence(n, conditions.seed);
  const auto few = drawn_recurrence(std::min<std::size_t>(n, 65536), conditions.seed);
  const auto solve = [&](const auto& of, const Options& options) { return recurrence::solve(of, options); };
  require(recurrence::verify(few, solve(few, conditions.options).solution) &&
              (!is_on_gpu(conditions) || solve(problem, conditions.options).solution.values ==
                                             solve(problem, on_cpu(conditions.options)).solution.values),
          "a value of the recurrence is wrong");
  return timed(conditions, {{"n", n}, {"dtype", "i32"}}, problem.operations(),
               timing::ceiling_of<std::int32_t>(conditions.options),
               [&] { return solve(problem, conditions.options).report; });
}

std::string drawn_letters(std::size_t length, std::string_view alphabet, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string letters(length, ' ');
  for (char& letter : letters) letter = alphabet[random() % alphabet.size()];
  return letters;
}

constexpr std::string_view bases = "ACGU";
constexpr std::string_view amino_acids = "ACDEFGHIKLMNPQRSTVWY";

auto value_of(const sequence::Distance& solution) { return solution.distance; }
auto value_of(const sequence::Subsequence& solution) { return solution.length; }

/// Distances of random sequences of bases. `solve`: edit_distance or lcs. The optimum of the first 20,000 letters is
/// computed anew; a GPU's answer for all letters is the CPU's.
template <class Solve>
Json measure_pair(std::size_t n, Conditions conditions, sequence::Measure kind, const Solve& solve) {
  const std::string a = drawn_letters(n, bases, conditions.seed), b = drawn_letters(n, bases, conditions.seed + 1);
  conditions.options.algorithm = "slices";
  const std::string_view few_a = std::string_view(a).substr(0, 20'000), few_b = std::string_view(b).substr(0, 20'000);
  const sequence::Coded pair(a, b), few(few_a, few_b);
  require(sequence::verify(few, solve(few, conditions.options).solution, {}, true) &&
              sequence::verify(pair, solve(pair, conditions.options).solution) &&
              (!is_on_gpu(conditions) || value_of(solve(pair, conditions.options).solution) ==
                                             value_of(solve(pair, on_cpu(conditions.options)).solution)),
          "the distance of two sequences is wrong");
  const auto letters = static_cast<double>(n);
  const double ceiling =
      is_on_gpu(conditions) ? 0 : timing::ceiling_of_pairs(kind, pair.planes(), threads_of(conditions));
  return timed(conditions, {{"n", n}, {"alphabet", bases.size()}}, letters * letters, ceiling,
               [&] { return solve(pair, conditions.options).report; });
}

Json bench_edit_distance(std::size_t n, const Conditions& conditions) {
  return measure_pair(n, conditions, sequence::Measure::edit, [](const sequence::Coded& pair, const Options& options) {
    return sequence::edit_distance(pair, options);
  });
}
Json bench_lcs(std::size_t n, const Conditions& conditions) {
  return measure_pair(n, conditions, sequence::Measure::indel,
                      [](const sequence::Coded& pair, const Options& options) { return sequence::lcs(pair, options); });
}

Json bench_alignment(std::size_t n, const Conditions& conditions) {
  const sequence::ScoredPair pair(drawn_letters(n, amino_acids, conditions.seed),
                                  drawn_letters(n, amino_acids, conditions.seed + 1),
                                  formats::read_score_matrix("BLOSUM62"));
  const sequence::AlignmentRequest request{.gaps = {11, 1, {}}};
  const auto solve = [&] { return sequence::align(pair, conditions.options, request); };
  require(static_cast<bool>(sequence::verify(pair, solve().solution, request, true)), "the alignment is wrong");
  const auto letters = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"alphabet", amino_acids.size()}}, letters * letters,
               timing::ceiling_of_alignments(8, threads_of(conditions)), [&] { return solve().report; });
}

std::vector<double> random_walk(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> step;
  std::vector<double> values(length);
  double value = 0;
  for (double& entry : values) entry = value += step(random);
  return values;
}

Json bench_warping(std::size_t n, const Conditions& conditions) {
  const std::vector<double> values_a = random_walk(n, conditions.seed), values_b = random_walk(n, conditions.seed + 1);
  const sequence::TimeSeries<double> a(values_a), b(values_b);
  const sequence::WarpingRequest request{.distance = sequence::PointDistance::squared};
  const auto solve = [&] { return sequence::dtw(a, b, conditions.options, request); };
  require(static_cast<bool>(sequence::verify(a, b, solve().solution, request, true)), "the warping is wrong");
  const auto points = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"dtype", "f64"}}, points * points,
               timing::ceiling_of_warpings<double>(threads_of(conditions)), [&] { return solve().report; });
}

/// The products and the interior loops are counted. The first 100 bases are folded by the reference, too.
Json bench_folding(std::size_t n, const Conditions& conditions) {
  const std::string letters = drawn_letters(n, bases, conditions.seed);
  const rna::Sequence sequence(letters), few(letters.substr(0, 100));
  const rna::Parameters parameters = rna::rules_1998();
  const auto solve = [&] { return rna::fold(sequence, parameters, conditions.options); };
  require(rna::fold(few, parameters, conditions.options).solution.energy ==
                  rna::fold(few, parameters, timing::naive()).solution.energy &&
              rna::verify(sequence, solve().solution, parameters),
          "the folding is wrong");
  const auto m = static_cast<double>(n);
  return timed(conditions, {{"n", n}, {"dtype", "i32"}}, m * m * (m / 6 + 248),
               timing::ceiling_of<std::int32_t>(conditions.options), [&] { return solve().report; });
}

/// A plan is made once and moves many arrays. Its ceiling is a copy.
Json bench_permutation(std::size_t n, const Conditions& conditions) {
  const int threads = threads_of(conditions);
  std::vector<std::uint32_t> permutation(n), from(n), to(n), middle(n), scattered(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937_64(conditions.seed));
  from = timing::random_values<std::uint32_t>(n, conditions.seed);
  for (std::size_t i = 0; i < n; ++i) scattered[permutation[i]] = from[i];
  const permutation::TwoPassPlan plan(permutation, 0, threads);
  const auto move = [&] { plan.move<std::uint32_t>(from, to, middle, threads); };
  move();
  require(to == scattered, "a word was moved to another place");
  const auto part = [&](int thread) {
    return n * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
  };
  const auto copy = timing::measure(conditions.repeats, [&] {
    parallel(threads, [&](int thread) {
      std::copy(from.data() + part(thread), from.data() + part(thread + 1), middle.data() + part(thread));
    });
  });
  const auto words = static_cast<double>(n);
  return timing::row("",
                     {{"n", n}, {"dtype", "u32"}, {"device", "cpu"}, {"algorithm", "two-passes"}, {"threads", threads}},
                     timing::measure(conditions.repeats, move), words, words / copy.median_seconds);
}

struct Work {
  const char* name;
  std::size_t size, quick_size;
  std::size_t gpu_size;  ///< 0: no algorithm runs on a GPU
  Json (*measure)(std::size_t n, const Conditions& conditions);

  [[nodiscard]] std::size_t size_for(const Conditions& conditions) const {
    if (conditions.quick) return quick_size;
    return is_on_gpu(conditions) && gpu_size > 0 ? gpu_size : size;
  }
};

constexpr Work works[] = {
    {"triangulation", 2048, 64, 16384, bench_triangulation},
    {"matrix chain", 300, 30, 0, bench_chain},
    {"matrix chain by the recurrence", 4096, 64, 16384, bench_chain_table},
    {"search tree", 10000, 64, 0, bench_tree},
    {"(min,+) product", 2048, 64, 8192, bench_product},
    {"all pairs, lengths", 2048, 64, 8192, bench_all_pairs<false>},
    {"all pairs, lengths and successors", 2048, 64, 8192, bench_all_pairs<true>},
    {"knapsack", 250'000, 10'000, 0, bench_knapsack},
    {"knapsack by its table", 250'000, 10'000, 4'000'000, bench_knapsack_table},
    {"knapsack by its table, with items", 250'000, 10'000, 4'000'000, bench_knapsack_items},
    {"recurrence", 65536, 1024, 524'288, bench_recurrence},
    {"edit distance", 100'000, 1000, 1'000'000, bench_edit_distance},
    {"longest common subsequence", 100'000, 1000, 1'000'000, bench_lcs},
    {"alignment", 20'000, 1000, 0, bench_alignment},
    {"time warping", 10'000, 500, 0, bench_warping},
    {"folding", 2000, 100, 0, bench_folding},
    {"permutation", 1 << 24, 1 << 12, 0, bench_permutation},
};

/// Null where nothing was measured, so that all rows have the same keys.
void add_peer(Json& row, const Work& work, std::size_t n) {
  const std::optional<PeerTime> peer = time_of_peer(work.name, n);
  row["instead_of"] = peer ? Json(peer->name) : Json();
  row["instead_seconds"] = peer ? Json(peer->seconds) : Json();
  row["times_as_fast"] = peer ? Json(peer->seconds / row["median_seconds"].get<double>()) : Json();
}

/// The conditions of a work: the CPU's if no algorithm runs on a GPU.
Conditions conditions_of(const Work& work, Conditions conditions) {
  if (work.gpu_size == 0 || !is_on_gpu(conditions)) conditions.options = on_cpu(conditions.options);
  return conditions;
}

}  // namespace

std::vector<Json> bench_all(const Conditions& conditions, const std::function<void(const Json&)>& tell) {
  std::vector<Json> rows;
  for (const Work& work : works) {
    SolveMonitor(conditions.options, 0).check();
    const std::size_t n = work.size_for(conditions);
    Json row = work.measure(n, conditions_of(work, conditions));
    row["work"] = work.name;
    add_peer(row, work, n);
    tell(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpfold::app
