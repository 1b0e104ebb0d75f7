// The algorithm of Hu and Shing, Computation of matrix chain products, parts I and II.
//
// The polygon is turned so that its lightest vertex comes first. Hu and Shing show that an optimal triangulation
// consists of fans and some of n-3 candidate chords, the h-arcs. One sweep finds the h-arcs, which never cross. Each
// region between chosen h-arcs is triangulated from its lightest vertex.
//
// The *supporting weight* of an h-arc decides whether it is chosen. Close the region above the arc by a vertex of
// weight w: the arc belongs to the optimum exactly if its supporting weight is below w.
//
// The arcs form a tree by containment. From the leaves up, each arc keeps the still useful arcs below it in a heap,
// with the largest supporting weight on top.
#include "hu_shing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

namespace warpfold::interval {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// numerator / denominator. Both are at least 0; the denominator is at least 1 where it is compared.
struct SupportingWeight {
  Wide numerator = 0;    ///< the cost of the regions that the arc and those joined to it close
  Wide denominator = 0;  ///< the side products of those regions less the products of their closing arcs
};

/// a <= b, exactly. Cross products may need more than 128 bits, so it compares the integer parts, then the remainders
/// reversed.
bool at_most(SupportingWeight a, SupportingWeight b) {
  // Doubles decide unless the two are closer than their roundings.
  const double left = static_cast<double>(a.numerator) * static_cast<double>(b.denominator);
  const double right = static_cast<double>(b.numerator) * static_cast<double>(a.denominator);
  constexpr double margin = 1e-14;
  if (left < right * (1 - margin)) return true;
  if (left > right * (1 + margin)) return false;
  for (;;) {
    if (a.denominator == 0) return b.denominator == 0;
    if (b.denominator == 0) return true;
    const Wide whole_a = a.numerator / a.denominator;
    const Wide whole_b = b.numerator / b.denominator;
    if (whole_a != whole_b) return whole_a < whole_b;
    const SupportingWeight rest_a{a.denominator, a.numerator % a.denominator};
    const SupportingWeight rest_b{b.denominator, b.numerator % b.denominator};
    a = rest_b;
    b = rest_a;
  }
}

struct Arc {
  std::uint32_t first = 0;  ///< first < last, positions in the turned polygon
  std::uint32_t last = 0;
  Wide product = 0;  ///< weight(first) * weight(last)
  Wide excess = 0;   ///< the side products between first and last, less `product`
  SupportingWeight supporting;
  std::uint32_t joined = none;  ///< the next arc in a list of arcs that are chosen together
  std::uint32_t joined_end = none;
  std::uint32_t heap_left = none;
  std::uint32_t heap_right = none;
  std::uint32_t inner_from = none;  ///< the next arc inwards that begins at `first` and is not yet dismissed
  std::uint32_t inner_to = none;    ///< the same for arcs that end at `last`
};

class Triangulator {
 public:
  Triangulator(const std::vector<std::int64_t>& dimensions, const SolveMonitor& monitor);

  std::vector<Split> splits();

 private:
  void sweep();
  void add_arc(std::uint32_t first, std::uint32_t last);
  void process(std::uint32_t arc, std::uint32_t& heap);
  [[nodiscard]] Wide fan_cost(const Arc& arc) const;
  [[nodiscard]] Wide product_beside(const Arc& arc) const;
  std::uint32_t pop(std::uint32_t heap);
  std::uint32_t merge(std::uint32_t a, std::uint32_t b);
  void choose(std::uint32_t heap);
  void emit_fans(std::vector<Split>& out);

  [[nodiscard]] bool first_is_lighter(const Arc& arc) const { return weights_[arc.first] <= weights_[arc.last]; }
  [[nodiscard]] Wide side(std::size_t t) const { return Wide{weights_[t]} * weights_[t + 1]; }

  std::uint32_t vertices_;
  std::uint32_t shift_;                ///< position 0 of the turned polygon is this vertex of the chain
  std::vector<std::int64_t> weights_;  ///< of the turned polygon; the first vertex stands again at the end
  std::vector<Wide> side_products_;    ///< prefix sums of weight(t) * weight(t+1)
  std::vector<Arc> arcs_;              ///< children before parents; the whole polygon, (0, vertices), is the last
  std::vector<std::uint32_t> from_;    ///< the outermost arc not yet dismissed that begins at each vertex
  std::vector<std::uint32_t> to_;      ///< and the one that ends there
  std::vector<std::uint32_t> chosen_;
  PeriodicCheck ticker_;
};

Triangulator::Triangulator(const std::vector<std::int64_t>& dimensions, const SolveMonitor& monitor)
    : vertices_(static_cast<std::uint32_t>(dimensions.size())),
      shift_(static_cast<std::uint32_t>(std::min_element(dimensions.begin(), dimensions.end()) - dimensions.begin())),
      weights_(dimensions),
      side_products_(dimensions.size() + 1),
      from_(dimensions.size() + 1, none),
      to_(dimensions.size() + 1, none),
      ticker_(monitor, 1 << 12) {
  std::rotate(weights_.begin(), weights_.begin() + shift_, weights_.end());
  weights_.push_back(weights_.front());
  for (std::size_t t = 0; t < vertices_; ++t) side_products_[t + 1] = side_products_[t] + side(t);
}

/// The one-sweep algorithm: an arc between its neighbors cuts off a vertex that is heavier than both. Arcs at the
/// lightest vertex are left out: if no other arc is chosen, that vertex's fan draws them.
void Triangulator::sweep() {
  std::vector<std::uint32_t> stack;
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
    ticker_.tick();
    while (stack.size() >= 2 && weights_[stack.back()] > weights_[vertex]) {
      stack.pop_back();
      if (stack.back() != 0) add_arc(stack.back(), vertex);
    }
    stack.push_back(vertex);
  }
  add_arc(0, vertices_);
}

void Triangulator::add_arc(std::uint32_t first, std::uint32_t last) {
  Arc arc;
  arc.first = first;
  arc.last = last;
  arc.product = Wide{weights_[first]} * weights_[last];
  arc.excess = side_products_[last] - side_products_[first] - arc.product;
  arcs_.push_back(arc);
}

/// The product of the region's side at the arc's lighter end that is not on the arc: a side of the polygon, or the
/// outermost arc that is still on the region's boundary there.
Wide Triangulator::product_beside(const Arc& arc) const {
  if (first_is_lighter(arc)) {
    return from_[arc.first] == none ? side(arc.first) : arcs_[from_[arc.first]].product;
  }
  return to_[arc.last] == none ? side(arc.last - 1) : arcs_[to_[arc.last]].product;
}

/// The cost of the region right below the arc as a fan from the arc's lighter end, the region's lightest vertex.
Wide Triangulator::fan_cost(const Arc& arc) const {
  const Wide lightest = std::min(weights_[arc.first], weights_[arc.last]);
  return lightest * (arc.supporting.denominator + arc.product - product_beside(arc));
}

/// Merges skew heaps by supporting weight, the largest on top. Iterative: a heap may be a list of a million arcs.
std::uint32_t Triangulator::merge(std::uint32_t a, std::uint32_t b) {
  std::uint32_t root = none;
  std::uint32_t* link = &root;
  while (a != none && b != none) {
    if (!at_most(arcs_[b].supporting, arcs_[a].supporting)) std::swap(a, b);
    Arc& top = arcs_[a];
    *link = a;
    a = top.heap_right;
    top.heap_right = top.heap_left;
    link = &top.heap_left;
  }
  *link = a != none ? a : b;
  return root;
}

std::uint32_t Triangulator::pop(std::uint32_t heap) {
  const Arc& top = arcs_[heap];
  from_[top.first] = top.inner_from;
  to_[top.last] = top.inner_to;
  return merge(top.heap_left, top.heap_right);
}

/// Decides on the arcs below `index`, whose heaps are merged in `heap`, and adds `index` to it.
void Triangulator::process(std::uint32_t index, std::uint32_t& heap) {
  Arc& arc = arcs_[index];
  arc.supporting.numerator = fan_cost(arc);
  const SupportingWeight lightest{std::min(weights_[arc.first], weights_[arc.last]), 1};
  // Below a vertex as light as this arc's end, such an arc is never chosen: the fan grows over its region.
  while (heap != none && at_most(lightest, arcs_[heap].supporting)) {
    arc.supporting.denominator += arcs_[heap].supporting.denominator;
    heap = pop(heap);
    arc.supporting.numerator = fan_cost(arc);
  }
  // An arc that supports no more than one below it is chosen only together with that one. From now on they are one.
  while (heap != none && at_most(arc.supporting, arcs_[heap].supporting)) {
    const std::uint32_t below = heap;
    arc.supporting.numerator += arcs_[below].supporting.numerator;
    arc.supporting.denominator += arcs_[below].supporting.denominator;
    heap = pop(heap);
    const std::uint32_t below_end = arcs_[below].joined_end == none ? below : arcs_[below].joined_end;
    arcs_[below_end].joined = arc.joined;
    if (arc.joined_end == none) arc.joined_end = below_end;
    arc.joined = below;
  }
  arc.inner_from = std::exchange(from_[arc.first], index);
  arc.inner_to = std::exchange(to_[arc.last], index);
  heap = merge(heap, index);
}

/// Chooses every arc that is left in the heap, and those joined to them.
void Triangulator::choose(std::uint32_t heap) {
  std::vector<std::uint32_t> open;
  if (heap != none) open.push_back(heap);
  while (!open.empty()) {
    const std::uint32_t top = open.back();
    open.pop_back();
    for (std::uint32_t arc = top; arc != none; arc = arcs_[arc].joined) chosen_.push_back(arc);
    for (std::uint32_t next : {arcs_[top].heap_left, arcs_[top].heap_right}) {
      if (next != none) open.push_back(next);
    }
  }
}

/// The fan of every region between chosen arcs.
void Triangulator::emit_fans(std::vector<Split>& out) {
  const auto emit = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    ticker_.tick();
    std::array<std::uint32_t, 3> corner{a, b, c};
    for (std::uint32_t& vertex : corner) vertex = (vertex % vertices_ + shift_) % vertices_;
    std::sort(corner.begin(), corner.end());
    out.push_back({corner[0], corner[1], corner[2]});
  };
  // The next vertex along the boundary of the present region: by a side, or by a chosen arc already dealt with.
  std::vector<std::uint32_t> next(vertices_ + 1);
  for (std::uint32_t t = 0; t <= vertices_; ++t) next[t] = t + 1;
  std::vector<std::uint32_t> order = chosen_;
  std::sort(order.begin(), order.end());  // children before parents
  for (std::uint32_t index : order) {
    const Arc& arc = arcs_[index];
    const std::uint32_t lightest = first_is_lighter(arc) ? arc.first : arc.last;
    for (std::uint32_t a = arc.first; a != arc.last; a = next[a]) {
      const bool touches = a == arc.first && lightest == arc.first;
      if (touches || next[a] == lightest || (next[a] == arc.last && arc.last == vertices_)) continue;
      emit(lightest, a, next[a]);
    }
    next[arc.first] = arc.last;
  }
}

std::vector<Split> Triangulator::splits() {
  sweep();
  // Arcs come children first, so a stack of finished subtrees suffices.
  struct Subtree {
    std::uint32_t arc;
    std::uint32_t heap;
  };
  std::vector<Subtree> finished;
  for (std::uint32_t index = 0; index < arcs_.size(); ++index) {
    ticker_.tick();
    Arc& arc = arcs_[index];
    arc.supporting.denominator = arc.excess;
    std::uint32_t heap = none;
    while (!finished.empty() && arcs_[finished.back().arc].first >= arc.first) {
      arc.supporting.denominator -= arcs_[finished.back().arc].excess;
      heap = merge(heap, finished.back().heap);
      finished.pop_back();
    }
    process(index, heap);
    finished.push_back({index, heap});
  }
  choose(finished.back().heap);
  std::vector<Split> out;
  out.reserve(vertices_ - 2);
  emit_fans(out);
  return out;
}

}  // namespace

std::vector<Split> hu_shing(const std::vector<std::int64_t>& dimensions, const SolveMonitor& monitor) {
  return Triangulator(dimensions, monitor).splits();
}

std::size_t hu_shing_bytes(std::size_t dimensions) {
  // Vectors that grow by doubling hold up to twice their entries: the arcs, the chosen ones and the walk's stacks.
  return dimensions *
         (2 * sizeof(Arc) + sizeof(std::int64_t) + sizeof(Wide) + 8 * sizeof(std::uint32_t) + sizeof(Split));
}

}  // namespace warpfold::interval
