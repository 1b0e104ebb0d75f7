// A compiler's own dialect of C++: __int128 counts as a number there, and warpfold::Semiring would conflict with
// minplus::Semiring.
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/verify_recurrence.hpp"
#include "warpfold/minplus/semiring.hpp"

using namespace warpfold;
using minplus::Semiring;

/// Counts the triangulations of a polygon. Each interval is multiplied by the values on both sides of its intermediate
/// vertex.
struct Ways {
  using Count = unsigned __int128;
  using Semiring = Counting<Count>;
  const Count* ones;
  Count leaf(std::size_t) const { return 1; }
  Count weight(std::size_t, std::size_t) const { return 1; }
  interval::ProductSplit<Count> product_split() const { return {ones, ones, ones}; }
};

int main() {
  constexpr std::size_t points = 60;
  const std::vector<Ways::Count> ones(points, 1);
  const Ways ways{ones.data()};
  Ways::Count catalan = 1;  // of 58 triangles
  for (std::size_t m = 1; m + 1 < points; ++m) catalan = catalan * (4 * m - 2) / (m + 1);
  const auto table = interval::solve_recurrence(ways, points).solution;
  const bool is_right = table.value() == catalan && interval::verify_recurrence(ways, table);
  return is_right && Semiring(Semiring::min_plus).is_min() ? 0 : 1;
}
