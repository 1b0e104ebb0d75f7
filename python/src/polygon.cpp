#include <fmt/format.h>

#include <sstream>

#include "binding.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/polygon/solve.hpp"
#include "warpfold/polygon/verify.hpp"

namespace warpfold::python {

namespace {

using interval::Solution;

/// What a triangulation was made of: the vertices, none for a matrix of weights, and what their chords weigh.
struct Vertices {
  std::vector<Point> points;
  polygon::Weight weight = polygon::Weight::length;
};

/// Something for each of the four types of numbers.
template <template <class> class Of>
using OfType = std::variant<Of<std::int64_t>, Of<double>, Of<std::int32_t>, Of<float>>;
template <class T>
using Solutions = std::vector<Solution<T>>;

struct Triangulation {
  OfType<Solution> solution;
  Report report;
  Vertices vertices;

  [[nodiscard]] const std::vector<interval::Chord>& chords() const {
    return std::visit(
        [](const auto& one) -> const auto& { return one.chords; }, solution);
  }
  [[nodiscard]] const std::vector<interval::Triangle>& triangles() const {
    return std::visit(
        [](const auto& one) -> const auto& { return one.triangles; }, solution);
  }
  [[nodiscard]] nb::object cost() const {
    return std::visit([](const auto& one) { return number(one.cost); }, solution);
  }
};

struct Triangulations {
  OfType<Solutions> solutions;
  std::vector<std::size_t> shape;
  Report report;
};

double splits(std::size_t n) {
  const auto vertices = static_cast<double>(n);
  return vertices * vertices * vertices / 6;
}

void check_square(const Array& weights) {
  const std::size_t axes = weights.dimensions();
  if (axes >= 2 && weights.extent(axes - 1) == weights.extent(axes - 2)) return;
  throw Error(ErrorKind::input,
              "problem is " + extents_text(weights) +
                  ": points (n, 2) or weights (n, n) are accepted, and batches (.., n, n) of weights");
}

template <class T>
Triangulation of_weights(const Array& weights, const Asked& asked) {
  const auto matrix = weights.matrix<T>();
  auto [solution, report] = run(asked, splits(matrix.rows), [&](const Options& options) {
    return interval::solve(interval::Triangulation<T>(matrix, options.threads), options);
  });
  return {std::move(solution), std::move(report), {}};
}

template <class T>
Triangulations of_batch(const Array& weights, const Asked& asked) {
  const std::size_t count = weights.matrices();
  auto [solutions, report] = run(asked, static_cast<double>(count) * splits(weights.extent(weights.dimensions() - 1)),
                                 [&](const Options& options) {
                                   std::vector<interval::Triangulation<T>> problems;
                                   problems.reserve(count);
                                   for (std::size_t at = 0; at < count; ++at)
                                     problems.emplace_back(weights.matrix<T>(at), options.threads);
                                   return interval::solve_batch<T>(problems, options);
                                 });
  return {std::move(solutions), leading(weights, 2), std::move(report)};
}

std::vector<Point> points_of(const Array& array) {
  if (array.dimensions() != 2 || array.extent(1) != 2) {
    throw Error(ErrorKind::input, "points are " + extents_text(array) + ": an array (n, 2) is accepted");
  }
  std::vector<Point> points;
  const auto rows = array.matrix<double>();
  for (std::size_t i = 0; i < rows.rows; ++i) points.push_back({rows(i, 0), rows(i, 1)});
  return points;
}

polygon::Weight weight_of(const std::string& name) {
  if (name == "length") return polygon::Weight::length;
  if (name == "squared") return polygon::Weight::squared;
  throw Error(ErrorKind::usage, "weight is '" + name + "': length or squared is accepted");
}

/// What the chords weigh, exactly where T holds whole numbers.
template <class T>
std::vector<T> chord_weights(const polygon::Outline& outline, const polygon::VisibilityGraph& graph,
                             polygon::Weight weight) {
  return polygon::chord_weights<T>(graph, [&](std::size_t i, std::size_t j) {
    constexpr double most =
        std::is_integral_v<T> ? std::min(0x1p53, static_cast<double>(infinity<T>)) : infinity<double>;
    const double value = polygon::chord_weight(weight, outline[i], outline[j]);
    if (value < most || std::is_same_v<T, double>) return static_cast<T>(value);
    throw Error(ErrorKind::overflow,
                fmt::format("chord ({}, {}) weighs more than {} holds exactly: float64 does", i, j, dtype_name<T>()));
  });
}

template <class T>
Triangulation of_points(std::vector<Point> points, polygon::Weight weight, const Asked& asked) {
  auto [solution, report] = run(asked, splits(points.size()), [&](const Options& options) {
    const polygon::Outline outline(points);
    const auto start = std::chrono::steady_clock::now();
    polygon::VisibilityGraph graph = polygon::interior_chords(outline, options);
    const std::chrono::duration<double> preparing = std::chrono::steady_clock::now() - start;
    std::vector<T> weights = chord_weights<T>(outline, graph, weight);
    auto outcome = polygon::solve(polygon::Triangulation<T>(std::move(graph), std::move(weights)), options);
    outcome.report.prepare_seconds += preparing.count();
    points = outline.vertices();  // without a last one that repeats the first
    return outcome;
  });
  return {std::move(solution), std::move(report), {std::move(points), weight}};
}

/// Whole numbers are exact under squares alone; lengths are irrational.
std::string dtype_of_points(nb::handle points, polygon::Weight weight, const std::string& dtype) {
  const bool whole =
      weight == polygon::Weight::squared && Array("problem", points, whole_or_real_types).type().kind == 'i';
  if (dtype.empty()) return whole ? "i64" : "f64";
  if (dtype[0] == 'i' && !whole) {
    throw nb::type_error(
        "dtype: float32 or float64 is accepted, and for the squared lengths of whole numbers int32 or int64");
  }
  return dtype;
}

Triangulation triangulate_points(nb::handle points, polygon::Weight weight, const Asked& asked) {
  const std::string dtype = dtype_of_points(points, weight, asked.dtype);
  std::vector<Point> vertices = points_of(Array("problem", points, {element_type<double>}));
  return with_dtype(dtype, [&]<class T>(T) { return of_points<T>(std::move(vertices), weight, asked); });
}

nb::object triangulate_weights(const Array& weights, const Asked& asked) {
  return with_type(weights, [&]<class T>(T) {
    return weights.dimensions() == 2 ? nb::cast(of_weights<T>(weights, asked)) : nb::cast(of_batch<T>(weights, asked));
  });
}

/// Arrays that tell where they lie on a GPU stay there.
bool is_on_gpu(nb::handle problem) { return nb::hasattr(problem, "__cuda_array_interface__"); }

nb::object triangulate(nb::handle problem, const std::string& weight, const nb::kwargs& words) {
  if (is_on_gpu(problem)) return nb::module_::import_("warpfold._device").attr("triangulate")(problem, words);
  const Asked options = asked(words);
  const polygon::Weight formula = weight_of(weight);
  const Array given("problem", problem, whole_or_real_types);
  if (given.dimensions() == 2 && given.extent(1) == 2) {
    return nb::cast(triangulate_points(problem, formula, options));
  }
  check_square(given);
  if (options.dtype.empty()) return triangulate_weights(given, options);
  return triangulate_weights(Array("problem", problem, whole_or_real_types, options.dtype), options);
}

Verdict verify(nb::handle problem, const Triangulation& triangulation) {
  return std::visit(
      [&]<class T>(const Solution<T>& solution) {
        if (!triangulation.vertices.points.empty()) {
          const polygon::Outline outline(points_of(Array("problem", problem, {element_type<double>})));
          return polygon::verify(outline, triangulation.vertices.weight, solution);
        }
        const Array weights("problem", problem, {element_type<T>}, std::string(dtype_name<T>()));
        check_square(weights);
        return interval::verify(interval::Triangulation<T>(weights.matrix<T>()), solution);
      },
      triangulation.solution);
}

/// As the command line draws it; without coordinates on a circle.
std::string svg_of(const Triangulation& triangulation) {
  const bool has_points = !triangulation.vertices.points.empty();
  const std::vector<Point> points =
      has_points ? triangulation.vertices.points : formats::regular_polygon(triangulation.triangles().size() + 2);
  std::ostringstream svg;
  formats::draw_svg(svg, {points, triangulation.chords(), triangulation.triangles()},
                    {fmt::format("{} vertices, optimal triangulation: total {}", points.size(),
                                 nb::str(triangulation.cost()).c_str())});
  return svg.str();
}

nb::object chords_in(nb::handle self) {
  const auto& chords = nb::cast<const Triangulation&>(self).chords();
  return array_in(self, chords.empty() ? nullptr : &chords[0].i, {chords.size(), 2});
}

nb::object triangles_in(nb::handle self) {
  const auto& triangles = nb::cast<const Triangulation&>(self).triangles();
  return array_in(self, triangles.empty() ? nullptr : &triangles[0].i, {triangles.size(), 3});
}

nb::object costs_of(const Triangulations& all) {
  return std::visit(
      [&]<class T>(const std::vector<Solution<T>>& solutions) {
        std::vector<T> costs;
        for (const Solution<T>& solution : solutions) costs.push_back(solution.cost);
        return array_of(std::move(costs), all.shape);
      },
      all.solutions);
}

Triangulation one_of(const Triangulations& all, nb::handle index) {
  const std::size_t place = place_of(all.shape, index);
  return std::visit(
      [&](const auto& solutions) {
        return Triangulation{solutions[place], all.report, {}};
      },
      all.solutions);
}

void bind_results(nb::module_& module) {
  nb::class_<Triangulation>(module, "Triangulation", "The triangulation of least total weight.")
      .def_prop_ro("cost", &Triangulation::cost, nb::sig("def cost(self) -> typing.Any"),
                   "the total weight of its chords, an int or a float")
      .def_prop_ro("chords", &chords_in, nb::sig("def chords(self) -> numpy.typing.NDArray[numpy.uint32]"),
                   "(n-3, 2): pairs of vertices i < j, sorted")
      .def_prop_ro("triangles", &triangles_in, nb::sig("def triangles(self) -> numpy.typing.NDArray[numpy.uint32]"),
                   "(n-2, 3): vertices i < k < j; a triangle comes before those beyond its sides (i,k) and (k,j)")
      .def_prop_ro(
          "report", [](const Triangulation& one) { return one.report; }, "what ran")
      .def("_repr_svg_", &svg_of, "The picture that notebooks show.")
      .def("__repr__", [](const Triangulation& one) {
        return fmt::format("Triangulation({} vertices, cost={})", one.triangles().size() + 2,
                           nb::repr(one.cost()).c_str());
      });
  nb::class_<Triangulations>(module, "Triangulations", "The triangulations of a batch.")
      .def_prop_ro("costs", &costs_of, nb::sig("def costs(self) -> numpy.typing.NDArray[typing.Any]"),
                   "of each; infinite (whole numbers: half of the largest) where forbidden chords leave none")
      .def_prop_ro(
          "report", [](const Triangulations& all) { return all.report; }, "of all of them together")
      .def("__len__", [](const Triangulations& all) { return all.shape[0]; })
      .def("__getitem__", &one_of, nb::sig("def __getitem__(self, index: int | tuple[int, ...], /) -> Triangulation"));
}

}  // namespace

void bind_polygon(nb::module_& module) {
  bind_results(module);
  module.def(
      "triangulate", &triangulate, "problem"_a, nb::kw_only(), "weight"_a = "length", "options"_a,
      signature("triangulate(problem: numpy.typing.ArrayLike, *, weight: str = 'length', OPTIONS) -> typing.Any"),
      R"(The optimal triangulation of a polygon.

Of points (n, 2), the vertices of an outline in order, by chords inside it that weigh their length (or weight='squared').
Or of weights (n, n): entry (i,j), i < j, is that of chord (i,j) of a convex polygon; inf (whole numbers: half of the
largest) forbids it, and edges, the diagonal and the lower half count nothing:

    value(i,i+1) = 0
    value(i,j)   = min over i<k<j of value(i,k) + value(k,j), + w(i,j)    with w(0,n-1) = 0

n^3/6 additions. Ties go to the smallest k; the bits are the same on every processor, GPU and number of threads.
Weights of more dimensions are a batch, solved in one call: Triangulations.)");
  module.def("verify", &verify, "problem"_a, "solution"_a,
             nb::sig("def verify(problem: numpy.typing.ArrayLike, solution: Triangulation) -> Verdict"),
             "Whether it is a triangulation of these points or weights that costs what it says, checked anew.");
}

}  // namespace warpfold::python
