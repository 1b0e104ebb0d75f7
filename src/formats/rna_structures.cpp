#include "warpfold/formats/rna_structures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "warpfold/core/point.hpp"

namespace warpfold::formats {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// For each base its partner, or `none`.
std::vector<std::size_t> partners_of(const rna::Folding& folding) {
  std::vector<std::size_t> partners(folding.structure.size(), none);
  for (const auto& [i, j] : rna::pairs_of(folding.structure)) {
    partners[i] = j;
    partners[j] = i;
  }
  return partners;
}

/// The partner's position from 1, or 0.
std::size_t place_of(std::size_t partner) { return partner == none ? 0 : partner + 1; }

/// The places of the bases, loop by loop from the exterior one.
class Layout {
 public:
  explicit Layout(const std::vector<std::size_t>& partners) : partners_(partners), places_(partners.size()) {
    place_exterior();
    while (!open_.empty()) {
      const std::size_t i = open_.back();
      open_.pop_back();
      place_loop(i, partners_[i]);
    }
  }
  [[nodiscard]] const std::vector<Point>& places() const { return places_; }

 private:
  /// The bases of a loop from `first` to `last`, without those inside its inner pairs.
  [[nodiscard]] std::vector<std::size_t> bases(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> found;
    for (std::size_t at = first; at < last; ++at) {
      found.push_back(at);
      if (partners_[at] == none || partners_[at] < at) continue;
      at = partners_[at];
      found.push_back(at);
    }
    return found;
  }
  void open_pairs(const std::vector<std::size_t>& bases) {
    for (const std::size_t at : bases) {
      if (partners_[at] != none && partners_[at] > at) open_.push_back(at);
    }
  }
  void place_exterior() {
    const std::vector<std::size_t> all = bases(0, partners_.size());
    const double corners = static_cast<double>(all.size()) + 1, radius = 0.5 / std::sin(std::numbers::pi / corners);
    for (std::size_t t = 0; t < all.size(); ++t) {
      const double angle = std::numbers::pi / 2 + 2 * std::numbers::pi * (static_cast<double>(t) + 1) / corners;
      places_[all[t]] = {radius * std::cos(angle), radius * std::sin(angle)};
    }
    open_pairs(all);
  }
  /// Places the loop of a pair on the far side of the pair, seen from the loop around it.
  void place_loop(std::size_t i, std::size_t j) {
    const std::vector<std::size_t> inner = bases(i + 1, j);
    const double corners = static_cast<double>(inner.size()) + 2, turn = 2 * std::numbers::pi / corners;
    const Point a = places_[i], b = places_[j];
    const double height = 0.5 / std::tan(turn / 2);
    const Point center = {(a.x + b.x) / 2 + height * (b.y - a.y), (a.y + b.y) / 2 - height * (b.x - a.x)};
    double angle = std::atan2(a.y - center.y, a.x - center.x);
    const double radius = std::hypot(a.x - center.x, a.y - center.y);
    for (const std::size_t at : inner) {
      angle += turn;
      places_[at] = {center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)};
    }
    open_pairs(inner);
  }

  const std::vector<std::size_t>& partners_;
  std::vector<Point> places_;
  std::vector<std::size_t> open_;  ///< the first bases of pairs whose loops are not placed
};

}  // namespace

std::string ct_text(const RnaRecord& record, const rna::Folding& folding) {
  const std::vector<std::size_t> partners = partners_of(folding);
  const std::size_t n = partners.size();
  std::string text = fmt::format("{} ENERGY = {:.2f} {}\n", n, static_cast<double>(folding.energy) / 100, record.name);
  for (std::size_t t = 0; t < n; ++t) {
    text += fmt::format("{} {} {} {} {} {}\n", t + 1, record.sequence.letters()[t], t, t + 1 < n ? t + 2 : 0,
                        place_of(partners[t]), t + 1);
  }
  return text;
}

std::string bpseq_text(const RnaRecord& record, const rna::Folding& folding) {
  const std::vector<std::size_t> partners = partners_of(folding);
  std::string text;
  for (std::size_t t = 0; t < partners.size(); ++t) {
    text += fmt::format("{} {} {}\n", t + 1, record.sequence.letters()[t], place_of(partners[t]));
  }
  return text;
}

std::string structure_drawing(const RnaRecord& record, const rna::Folding& folding) {
  constexpr double unit = 16, margin = 24;
  constexpr std::size_t max_letters = 1000;
  const std::vector<std::size_t> partners = partners_of(folding);
  const Layout layout(partners);
  Point low = layout.places().empty() ? Point{0, 0} : layout.places()[0], high = low;
  for (const Point& place : layout.places()) {
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  const auto x = [&](std::size_t t) { return margin + unit * (layout.places()[t].x - low.x); };
  const auto y = [&](std::size_t t) { return margin + unit * (high.y - layout.places()[t].y); };
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.2f} {1:.2f}\" width=\"{0:.2f}\" height=\"{1:.2f}\" "
      "font-family=\"sans-serif\" font-size=\"9\" text-anchor=\"middle\">\n<path fill=\"none\" stroke=\"#888\" d=\"",
      2 * margin + unit * (high.x - low.x), 2 * margin + unit * (high.y - low.y));
  for (std::size_t t = 0; t < partners.size(); ++t)
    text += fmt::format("{}{:.2f} {:.2f}", t == 0 ? 'M' : 'L', x(t), y(t));
  text += "\"/>\n<path fill=\"none\" stroke=\"#d9534f\" stroke-width=\"2\" d=\"";
  for (std::size_t t = 0; t < partners.size(); ++t) {
    if (partners[t] == none || partners[t] < t) continue;
    text += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", x(t), y(t), x(partners[t]), y(partners[t]));
  }
  text += "\"/>\n";
  for (std::size_t t = 0; t < partners.size() && partners.size() <= max_letters; ++t) {
    text += fmt::format(
        "<circle cx=\"{0:.2f}\" cy=\"{1:.2f}\" r=\"6\" fill=\"#fff\" stroke=\"#888\"/><text x=\"{0:.2f}\" "
        "y=\"{2:.2f}\">{3}</text>\n",
        x(t), y(t), y(t) + 3.2, record.sequence.letters()[t]);
  }
  return text + "</svg>\n";
}

}  // namespace warpfold::formats
