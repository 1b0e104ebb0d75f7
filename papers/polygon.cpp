#include "papers/polygon.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "warpfold/interval/solve.hpp"

namespace warpfold::papers {

namespace {

constexpr std::uint64_t n = polygon_corners;

const std::vector<std::int64_t>& weights_of_chords() {
  static const std::vector<std::int64_t> all = {1, 9, 1, 8, 1, 7, 9, 8, 7, 9, 1, 8, 9, 7, 8, 9, 7, 2, 8, 9};
  return all;
}

bool is_chord(std::uint64_t i, std::uint64_t j) { return j >= i + 2 && (i > 0 || j + 1 < n); }

/// The n x n matrix of the weights; 0 where there is no chord.
std::vector<std::int64_t> weight_matrix() {
  std::vector<std::int64_t> matrix(n * n);
  auto next = weights_of_chords().begin();
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = i; j < n; ++j) {
      if (is_chord(i, j)) matrix[i * n + j] = *next++;
    }
  }
  return matrix;
}

interval::Solution<std::int64_t> optimum() {
  const std::vector<std::int64_t> weights = weight_matrix();
  return interval::solve(interval::Triangulation<std::int64_t>({weights.data(), n, n, n})).solution;
}

/// The corners on a circle, counterclockwise from the top left.
Graph polygon(const std::string& title) {
  Graph graph{title, {}, {}};
  constexpr double radius = 150, center = 175;
  for (std::uint64_t v = 0; v < n; ++v) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(v) + 0.5) / n + std::numbers::pi / 2;
    graph.nodes.push_back(
        {fmt::format("v{}", v), center + radius * std::cos(angle), center - radius * std::sin(angle), Tone::given});
  }
  return graph;
}

void add_sides(Graph& graph) {
  for (std::size_t v = 0; v < n; ++v) graph.edges.push_back({v, (v + 1) % n});
}

const char* command = "warpfold machine run dp-opt --machine umm --width 4 --latency 5 --threads 16 --chords=";

std::string command_of_weights() {
  std::string text = command;
  for (const std::int64_t weight : weights_of_chords())
    text += fmt::format("{}{}", text.back() == '=' ? "" : ",", weight);
  return text;
}

bool is_chosen(const interval::Solution<std::int64_t>& solution, std::uint64_t i, std::uint64_t j) {
  for (const auto& chord : solution.chords) {
    if (chord.i == i && chord.j == j) return true;
  }
  return false;
}

/// The name of the side or chord from v_i to v_j in the parse tree: a leaf, the root, or the chord's ends.
std::string name_of(std::uint64_t i, std::uint64_t j) {
  if (j == i + 1) return fmt::format("l{}", j);
  return i == 0 && j + 1 == n ? "r" : fmt::format("v{}v{}", i, j);
}

/// A parse tree below the side or chord from v_i to v_j. Returns the index of its node.
class ParseTree {
 public:
  explicit ParseTree(const interval::Solution<std::int64_t>& solution) {
    for (const auto& [i, k, j] : solution.triangles) middles_[{i, j}] = k;
    add(0, n - 1, 0);
  }
  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  std::size_t add(std::uint64_t i, std::uint64_t j, int depth) {
    const double y = 16 + 46.0 * depth;
    if (j == i + 1) {
      graph_.nodes.push_back({name_of(i, j), 24 + 56.0 * static_cast<double>(i), y, Tone::given});
      return graph_.nodes.size() - 1;
    }
    const std::uint64_t k = middles_.at({i, j});
    const std::size_t left = add(i, k, depth + 1), right = add(k, j, depth + 1);
    const double x = (graph_.nodes[left].x + graph_.nodes[right].x) / 2;
    graph_.nodes.push_back({name_of(i, j), x, y, Tone::color_0});
    const std::size_t own = graph_.nodes.size() - 1;
    graph_.edges.push_back({own, left});
    graph_.edges.push_back({own, right});
    return own;
  }

  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> middles_;
  Graph graph_{"Its parse tree: the root r, a node for each chord, a leaf for each other side", {}, {}};
};

}  // namespace

TracedRun on_polygon(const char* algorithm) {
  machine::RunRequest request{.machine = machine::umm(4, 5), .threads = 16};
  request.lists["chords"] = weights_of_chords();
  return traced(algorithm, request);
}

Part triangulation_part() {
  const auto solution = optimum();
  const std::vector<std::int64_t> weights = weight_matrix();
  Graph all = polygon("Every chord with its weight"), chosen = polygon("The optimal triangulation");
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = i; j < n; ++j) {
      if (!is_chord(i, j)) continue;
      const std::string weight = std::to_string(weights[i * n + j]);
      const double at = j - i == n / 2 ? 0.3 : 0.42;  // the longest chords cross in the middle
      all.edges.push_back({i, j, weight, Tone::none, 0, false, at});
      if (is_chosen(solution, i, j)) chosen.edges.push_back({i, j, weight, Tone::color_0, 0, true});
    }
  }
  add_sides(all);
  add_sides(chosen);
  return {command_of_weights(),
          {},
          {fmt::format("{} chords of weight {} in all, {} triangles", solution.chords.size(), solution.cost,
                       solution.triangles.size())},
          {all, chosen}};
}

Part parse_tree_part() {
  const auto solution = optimum();
  Graph drawn = polygon("The triangulation with its sides l1 .. l7 and r");
  for (std::size_t v = 0; v + 1 < n; ++v) drawn.edges.push_back({v, v + 1, name_of(v, v + 1)});
  drawn.edges.push_back({0, n - 1, "r"});
  for (const auto& chord : solution.chords) {
    drawn.edges.push_back({chord.i, chord.j, name_of(chord.i, chord.j), Tone::color_0, 0, true});
  }
  return {command_of_weights(),
          {},
          {fmt::format("{} inner nodes below the root, {} leaves", solution.chords.size(), n - 1)},
          {drawn, ParseTree(solution).graph()}};
}

Part cut_part() {
  constexpr std::uint64_t i = 2, k = 4, j = 6;
  Graph cut = polygon("The chord from v1 to v6 cuts off the polygon v1 .. v6");
  add_sides(cut);
  cut.edges.push_back({i - 1, j, "v1v6", Tone::color_0, 0, true});
  cut.edges.push_back({i - 1, k, "M(2,4)", Tone::color_1, 0, true});
  cut.edges.push_back({k, j, "M(5,6)", Tone::color_1, 0, true});
  Graph tree{"Its part of the parse tree", {}, {}};
  tree.nodes = {{"v1v6", 120, 16, Tone::color_0}, {"v1v4", 60, 70, Tone::color_1}, {"v4v6", 180, 70, Tone::color_1}};
  tree.edges = {{0, 1}, {0, 2}};
  return {command_of_weights(),
          {},
          {fmt::format("{} vertices: a {}-gon, a {}-gon and the triangle v1, v4, v6 (i = 2, k = 4, j = 6)", j - i + 2,
                       k - i + 2, j - k + 1)},
          {cut, tree}};
}

Part weights_part() {
  const TracedRun run = on_polygon("dp-opt");
  const std::vector<std::int64_t> weights = weight_matrix();
  Grid given{"The weights w(i,j)", {}, {}};
  for (std::uint64_t i = 0; i < n; ++i) {
    given.columns.push_back(fmt::format("j = {}", i));
    given.rows.push_back({fmt::format("i = {}", i), std::vector<GridCell>(n)});
    for (std::uint64_t j = i; j < n; ++j) {
      if (is_chord(i, j)) given.rows.back().cells[j] = {std::to_string(weights[i * n + j]), Tone::given};
    }
  }
  std::map<std::uint64_t, std::int64_t> values;
  for (const auto& dispatch : run.trace.dispatches()) {
    for (const auto& access : dispatch.accesses) {
      if (access.write) values[access.address] = static_cast<std::int64_t>(access.value);
    }
  }
  return {run.command,
          {given, triangle("The table M(i,j), a color for each stage", n - 1,
                           [&](std::uint64_t i, std::uint64_t j) {
                             return GridCell{std::to_string(values.at(i * n + j)), color(j - i)};
                           })},
          {fmt::format("the least weight is M(1,7) = {}", values.at(n + n - 1))}};
}

Part operands_part() {
  constexpr std::uint64_t i = 2, stage = 4, thread = i - 1;
  const TracedRun run = on_polygon("dp-opt");
  std::map<std::uint64_t, GridCell> cells;
  std::size_t reads = 0;
  std::uint32_t loops = 0, phase = 0;
  for (const auto& dispatch : run.trace.dispatches()) {
    for (; phase <= dispatch.phase; ++phase) loops += run.trace.phases()[phase].name == "loop C";
    if (loops != stage || run.trace.phases()[dispatch.phase].name != "loop C") continue;
    for (const auto& access : dispatch.accesses) {
      if (access.thread != thread) continue;
      if (access.write) {
        cells[access.address] = {"min", Tone::color_1};
      } else if (reads++ % 3 > 0) {  // each term reads the element so far and its two operands
        cells[access.address] = {fmt::format("{}{}", (reads - 1) % 3 == 1 ? 'X' : 'Y', (reads + 2) / 3), Tone::color_0};
      }
    }
  }
  return {run.command,
          {triangle(fmt::format("M(2,6) is the least of X1 + Y1 .. X{0} + Y{0}, plus its weight", stage), n - 1,
                    [&](std::uint64_t row, std::uint64_t column) {
                      const auto found = cells.find(row * n + column);
                      return found == cells.end() ? GridCell{".", Tone::none} : found->second;
                    })},
          {"the X lie along row 2, the Y along column 6"}};
}

}  // namespace warpfold::papers
