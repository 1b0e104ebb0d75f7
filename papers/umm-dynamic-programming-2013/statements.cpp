#include "papers/statements.hpp"

#include "papers/papers.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

using machine::umm;

/// Theorem 1, for fewer threads than words and for more.
std::vector<Point> sequences() {
  std::vector<Point> points;
  for (const std::uint32_t w : {4u, 32u}) {
    for (const std::uint32_t l : {1u, 100u}) {
      for (const std::uint32_t p : {256u, 8192u}) {
        for (const std::uint64_t f : {0u, 1u, 63u, 4095u}) {
          points.push_back({"sequential", umm(w, l), p, 4096, {{"fragmentation", f}}});
        }
      }
    }
  }
  return points;
}

double sequence_time(const Point& point) {
  const Sizes s = sizes_of(point);
  return s.n / s.w + s.n * s.l / s.p + s.l + static_cast<double>(point.parameters.at("fragmentation"));
}

/// w <= n, w >= n^2, and n < w < n^2: the three cases of section V.
std::vector<Point> triangulations(const std::vector<const char*>& algorithms) {
  std::vector<Point> points;
  for (const char* algorithm : algorithms) {
    for (const std::uint32_t w : {4u, 32u, 64u, 256u, 1024u, 4096u}) {
      for (const std::uint32_t n : {16u, 32u, 64u}) {
        for (const std::uint32_t l : {1u, 100u}) {
          for (const std::uint32_t p : {w, 4096u}) points.push_back({algorithm, umm(w, l), p, n});
        }
      }
    }
  }
  return points;
}

double triangulation_time(const Point& point) {
  const Sizes s = sizes_of(point);
  const double cube = s.n * s.n * s.n;
  return cube / s.w + cube * s.l / s.p + s.n * s.l;
}

}  // namespace

std::vector<Experiment> statements() {
  const std::string id = "umm-dynamic-programming-2013/";
  using enum Statement::Bound;
  return {
      experiment_of({id + "theorem-1", paper, "A sequential access of length n with fragmentation f",
                     "n/w + n l/p + l + f", sequence_time, above, 2, sequences()}),
      experiment_of({id + "theorem-2", paper, "Algorithm UMM-OPT in all three cases of the width",
                     "n^3/w + n^3 l/p + n l", triangulation_time, above, 16, triangulations({"umm-opt"})}),
      experiment_of({id + "theorem-3", paper, "No implementation of the dynamic program is faster",
                     "n^3/w + n^3 l/p + n l", triangulation_time, below, 0.5, triangulations({"dp-opt", "umm-opt"})})};
}

}  // namespace warpfold::papers::umm_2013
