#include "sequence/slices/share.hpp"

#include <algorithm>

namespace warpfold::sequence::slices {

std::size_t Share::streams(const Layout& layout) const {
  if (is_all()) return layout.streams(total);
  return (count + 1) * (layout.interval ? rounds(layout) : std::min<std::size_t>(rounds(layout), 2));
}

std::size_t Share::kept_states(const Layout& layout) const {
  return (is_all() ? layout.strips() : rounds(layout) * count) * layout.states_of_a_strip();
}

std::size_t Share::bytes(const Layout& layout) const {
  return is_all() ? layout.bytes(total) : layout.bytes(streams(layout), kept_states(layout), count);
}

}  // namespace warpfold::sequence::slices
