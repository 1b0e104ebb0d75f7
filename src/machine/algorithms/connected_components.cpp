#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// The arrays of the program. Every vertex points to a parent, every root to itself. `changed` has a word for each
/// pass, which says that the pass wrote a parent.
struct Forest {
  std::uint64_t n, edges;
  Array<Value> from, to, parent, parent_there, changed;
};

/// Raises the number of the pass, and returns whether any thread changed a parent in it.
Program ends_pass(Forest of, bool has_changed, std::uint64_t* pass, bool* goes_on) {
  co_await barrier();
  if (has_changed) co_await of.changed.write(*pass, 1);
  co_await barrier();
  *goes_on = co_await of.changed.read((*pass)++) != 0;
  co_await barrier();
}

/// A thread for each edge: the root of one end, if it is the greater one, gets the other end's parent as its parent.
/// A parent is always below its vertex, so that no cycle arises. Of several edges at a root the lowest thread's counts.
Program hook(Thread pe, Forest of, bool* has_changed) {
  for (std::uint64_t e = pe.id; e < of.edges; e += pe.count) {
    const auto u = static_cast<std::uint64_t>(co_await of.from.read(e));
    const auto v = static_cast<std::uint64_t>(co_await of.to.read(e));
    const Value above_u = co_await of.parent_there.read(u);
    const Value above_v = co_await of.parent_there.read(v);
    if (above_u == above_v) {
      co_await skip();
      continue;
    }
    *has_changed = true;
    co_await of.parent_there.write(static_cast<std::uint64_t>(std::max(above_u, above_v)), std::min(above_u, above_v));
  }
}

/// A thread for each vertex: its parent becomes its parent's parent.
Program jump(Thread pe, Forest of, bool* has_changed) {
  for (std::uint64_t v = pe.id; v < of.n; v += pe.count) {
    const Value above = co_await of.parent.read(v);
    const Value next = co_await of.parent_there.read(static_cast<std::uint64_t>(above));
    if (next == above) {
      co_await skip();
      continue;
    }
    *has_changed = true;
    co_await of.parent.write(v, next);
  }
}

/// Hooks trees to each other, and shortens all paths until every vertex points to a root, until no edge joins two
/// trees.
Program join_components(Thread pe, Forest of) {
  std::uint64_t pass = 0;
  for (bool hooks = true; hooks;) {
    bool has_changed = false;
    co_await phase("hooking");
    co_await hook(pe, of, &has_changed);
    co_await ends_pass(of, has_changed, &pass, &hooks);
    for (bool jumps = hooks; jumps;) {
      bool has_jumped = false;
      co_await phase("jumping");
      co_await jump(pe, of, &has_jumped);
      co_await ends_pass(of, has_jumped, &pass, &jumps);
    }
  }
}

/// The least vertex of each vertex's component, by a forest in which every root is the least.
std::vector<Value> plain_components(std::uint64_t n, const std::vector<Value>& ends) {
  std::vector<Value> parent(n);
  std::iota(parent.begin(), parent.end(), Value{0});
  const auto root = [&](Value v) {
    while (parent[static_cast<std::size_t>(v)] != v) v = parent[static_cast<std::size_t>(v)];
    return v;
  };
  for (std::size_t e = 0; e < ends.size() / 2; ++e) {
    const Value u = root(ends[e]), v = root(ends[e + ends.size() / 2]);
    parent[static_cast<std::size_t>(std::max(u, v))] = std::min(u, v);
  }
  for (Value& v : parent) v = root(v);
  return parent;
}

/// The ends of the edges: the list "ends", or random ones.
std::vector<Value> ends_of(const RunRequest& request) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  accept_n(request, request.n >= 1 && request.n <= most, "1 to 2^31 vertices");
  if (const auto* given = request.list("ends")) {
    accept_parameter("the number of ends", given->size(), !given->empty() && given->size() % 2 == 0, "an even number");
    const auto wrong = std::ranges::find_if(*given, [&](Value v) { return v >= static_cast<Value>(request.n); });
    if (wrong == given->end()) return *given;
    throw Error(ErrorKind::input, fmt::format("entry {} of ends is {}: 0 to {} is accepted", wrong - given->begin(),
                                              *wrong, request.n - 1));
  }
  const std::uint64_t edges = request.parameter("edges", request.n);
  accept_parameter("edges", edges, edges >= 1 && edges <= most, "1 to 2^31");
  return random_values(request, 2 * edges, request.seed, request.n);
}

RunResult run_connected_components(const RunRequest& request) {
  const std::vector<Value> ends = ends_of(request);
  const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
  const std::uint64_t n = request.n;
  std::vector<Value> alone(n);
  std::iota(alone.begin(), alone.end(), Value{0});
  Simulation simulation(request.machine, request.threads, request.options);
  const auto parent = simulation.array("parent", alone);
  const Forest forest{n,
                      ends.size() / 2,
                      simulation.array("from", std::vector<Value>(ends.begin(), middle)),
                      simulation.array("to", std::vector<Value>(middle, ends.end())),
                      parent,
                      simulation.named(parent, "parent[there]"),
                      simulation.array<Value>("changed", 3 * n + 3)};
  simulation.run([&](Thread pe) { return join_components(pe, forest); });
  const auto found = simulation.values(parent);
  const std::vector<Value> expected = plain_components(n, ends);
  RunResult result = result_of(request, simulation, found == expected, ends.size());
  result.inputs["ends"] = ends;
  result.outputs["component"] = found;
  std::uint64_t components = 0;
  for (std::uint64_t v = 0; v < n; ++v) components += expected[v] == static_cast<Value>(v);
  result.counts["components"] = components;
  return result;
}

}  // namespace

Algorithm connected_components() {
  return {
      "connected-components",
      "The least vertex of each vertex's component in a random graph of n vertices, by hooking trees and jumping to "
      "parents.",
      "the PRAM's algorithm of textbooks, after Shiloach and Vishkin 1982",
      run_connected_components,
      flat_machines(),
      false,
      {{"edges", "number of edges; default: n"}},
      {{"ends",
        "the first ends of all edges, then the second ones",
        0,
        (Value{1} << 31) - 1,
        "twice the number of edges",
        nullptr,
        {"edges"}}}};
}

}  // namespace warpfold::machine
