#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "binding.hpp"
#include "ranks.hpp"
#include "warpfold/formats/outline.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/polygon/triangulation.hpp"
#include "warpfold/polygon/verify.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::python {

namespace {

using interval::Solution;

/// The input of a triangulation: the vertices, none for a matrix of weights, and the weights of their chords.
struct Vertices {
  std::vector<Point> points;
  polygon::Weight weight = polygon::Weight::length;
};

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
  std::vector<Vertices> vertices;  ///< of outlines, one each
};

double splits(std::size_t n) {
  const auto vertices = static_cast<double>(n);
  return vertices * vertices * vertices / 6;
}

/// One matrix of weights, or a batch of them.
void check_weights(const Array& weights) {
  const std::size_t axes = weights.dimensions();
  if (axes >= 2 && weights.extent(axes - 1) == weights.extent(axes - 2)) return;
  throw Error(ErrorKind::input,
              "problem is " + extents_text(weights) +
                  ": points (n, 2) or weights (n, n) are accepted, and batches of them, (.., n, 2) or (.., n, n)");
}

const NoValue no_chord = infinity<double>;

/// Checks the weights that are read. Raises Error{overflow} for one that equals the weight of a forbidden chord.
template <class T>
void check_chords(const MatrixView<const T>& weights) {
  check_within_infinity("problem", weights, [](std::size_t i) { return i + 2; });
}

template <class T>
Triangulation of_weights(const Array& weights, const CallOptions& asked, const std::optional<Ranks>& ranks = {}) {
  const auto matrix = weights.matrix<T>();
  auto [solution, report] = run(asked, splits(matrix.rows), [&](const Options& options) {
    check_chords(matrix);
    const interval::Triangulation<T> problem(matrix, options.threads);
    return ranks ? ranks->solve(problem, options) : interval::solve(problem, options);
  });
  return {std::move(solution), std::move(report), {}};
}

/// The problems of a batch. Their weights are read once, of many problems by several threads. An error names the
/// problem.
template <class T>
std::vector<interval::Triangulation<T>> problems_of(const Array& weights, const Options& options) {
  constexpr std::size_t weights_a_thread = 1 << 18;
  const std::size_t useful = weights.size() / weights_a_thread;
  Team team(useful < 2 ? 1 : static_cast<int>(std::min<std::size_t>(useful, thread_count(options.threads))));
  std::vector<std::optional<interval::Triangulation<T>>> read(weights.matrices());
  team.parallel_for(read.size(), [&](std::size_t at, int) {
    try {
      check_chords(weights.matrix<T>(at));
      read[at].emplace(weights.matrix<T>(at), 1);
    } catch (const Error& error) {
      throw Error(error.kind(), place_text(leading(weights, 2), at) + ": " + error.what());
    }
  });
  std::vector<interval::Triangulation<T>> problems;
  problems.reserve(read.size());
  for (auto& one : read) problems.push_back(std::move(*one));
  return problems;
}

template <class T>
Triangulations of_batch(const Array& weights, const CallOptions& asked) {
  const double operations = static_cast<double>(weights.matrices()) * splits(weights.extent(weights.dimensions() - 1));
  auto [solutions, report] = run(asked, operations, [&](const Options& options) {
    return interval::solve_batch<T>(problems_of<T>(weights, options), options);
  });
  return {std::move(solutions), leading(weights, 2), std::move(report), {}};
}

/// Whether an array has points in rows, perhaps with a third coordinate. Three rows of three numbers are weights.
bool has_points(const Array& array) {
  const std::size_t axes = array.dimensions();
  if (axes < 2) return false;
  return array.extent(axes - 1) == 2 || (array.extent(axes - 1) == 3 && array.extent(axes - 2) != 3);
}

bool is_geometry(nb::handle value) { return PyDict_Check(value.ptr()) || nb::hasattr(value, "__geo_interface__"); }

std::vector<Point> points_of(const MatrixView<const double>& rows) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < rows.rows; ++i) points.push_back({rows(i, 0), rows(i, 1)});
  return points;
}

/// A polygon of shapely, or of any other library that describes it as GeoJSON.
formats::OutlineFile outline_of_geometry(const char* name, nb::handle value) {
  const nb::object text = nb::module_::import_("warpfold._outlines").attr("geojson_text")(name, value);
  return formats::parse_geojson_outline(name, nb::cast<std::string>(text), {.has_options = false});
}

/// What is noted of an array.
std::vector<std::string> notes_of(const Array& array) {
  if (array.extent(array.dimensions() - 1) == 2) return {};
  return {"Z is ignored: the outline is that of x and y"};
}

formats::OutlineFile outline_of(const char* name, nb::handle value) {
  if (is_geometry(value)) return outline_of_geometry(name, value);
  const Array array(name, value, {element_type<double>});
  if (array.dimensions() == 2 && has_points(array)) {
    return {.vertices = points_of(array.matrix<double>()), .notes = notes_of(array)};
  }
  throw Error(ErrorKind::input, fmt::format("{} is {}: points (n, 2) are accepted", name, extents_text(array)));
}

/// Warns about what is ignored or dropped of an outline.
void warn(const std::string& name, const std::string& note) {
  const std::string text = name + ": " + note;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) nb::raise_python_error();
}

/// The points of an outline, with a warning for each of its notes.
std::vector<Point> take_points(const std::string& name, formats::OutlineFile outline) {
  for (const std::string& note : outline.notes) warn(name, note);
  return std::move(outline.vertices);
}

polygon::Weight weight_of(nb::handle weight) {
  const std::string name = text("weight", weight, "'length' or 'squared' is accepted");
  if (name == "length") return polygon::Weight::length;
  if (name == "squared") return polygon::Weight::squared;
  throw Error(ErrorKind::usage, "weight is '" + name + "': length or squared is accepted");
}

/// Vertices in order, and the weights of their chords in T.
template <class T>
struct OutlineProblem {
  std::vector<Point> points;
  polygon::Weight weight;
};

template <class T>
Outcome<Solution<T>> solve(const OutlineProblem<T>& problem, const Options& options) {
  const polygon::Outline outline(problem.points);
  const auto start = std::chrono::steady_clock::now();
  const auto stated = polygon::triangulation_of<T>(outline, problem.weight, options);
  const std::chrono::duration<double> preparing = std::chrono::steady_clock::now() - start;
  auto outcome = interval::solve(stated, options);
  outcome.report.prepare_seconds += preparing.count();
  return outcome;
}

/// The points that are vertices, with a warning if others repeat them.
Vertices vertices_of(const std::string& name, std::vector<Point> points, polygon::Weight weight) {
  const std::size_t dropped = polygon::drop_repeated(points);
  if (dropped > 0) warn(name, formats::dropped_text(dropped));
  return {std::move(points), weight};
}

template <class T>
Triangulation of_points(std::vector<Point> points, polygon::Weight weight, const CallOptions& asked) {
  OutlineProblem<T> problem{std::move(points), weight};
  auto [solution, report] =
      run(asked, splits(problem.points.size()), [&](const Options& options) { return solve(problem, options); });
  return {std::move(solution), std::move(report), vertices_of("problem", std::move(problem.points), weight)};
}

/// Solves a batch, each outline by one thread. An error names the outline.
template <class T>
struct PlacedOutline {
  OutlineProblem<T> problem;
  std::size_t place;
};

template <class T>
Outcome<Solution<T>> solve(const PlacedOutline<T>& one, const Options& options) {
  try {
    return solve(one.problem, options);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("problem[{}]: {}", one.place, error.what()));
  }
}

template <class T>
Triangulations of_outlines(std::vector<std::vector<Point>> outlines, std::vector<std::size_t> shape,
                           polygon::Weight weight, const CallOptions& asked) {
  std::vector<PlacedOutline<T>> problems;
  double operations = 0;
  for (std::size_t at = 0; at < outlines.size(); ++at) {
    operations += splits(outlines[at].size());
    problems.push_back({{std::move(outlines[at]), weight}, at});
  }
  auto [solutions, report] = run(asked, operations, [&](const Options& options) {
    return solve_batch(std::span<const PlacedOutline<T>>(problems), options);
  });
  Triangulations all{std::move(solutions), std::move(shape), std::move(report), {}};
  for (PlacedOutline<T>& one : problems) {
    const std::string name = fmt::format("problem[{}]", one.place);
    all.vertices.push_back(vertices_of(name, std::move(one.problem.points), weight));
  }
  return all;
}

/// The type of the weights.
std::string dtype_of_points(bool is_integral, polygon::Weight weight, const std::string& dtype) {
  const bool exact = is_integral && polygon::keeps_integers(weight);
  if (dtype.empty()) return exact ? "i64" : "f64";
  if (dtype[0] == 'i' && !exact) {
    throw nb::type_error(
        "dtype: float32 or float64 is accepted, and for the squared lengths of integers int32 or int64");
  }
  return dtype;
}

Triangulation triangulate_points(nb::handle points, bool is_integral, polygon::Weight weight,
                                 const CallOptions& asked) {
  std::vector<Point> vertices = take_points("problem", outline_of("problem", points));
  return with_dtype(dtype_of_points(is_integral, weight, asked.dtype),
                    [&]<class T>(T) { return of_points<T>(std::move(vertices), weight, asked); });
}

struct Outlines {
  std::vector<std::vector<Point>> points;
  std::vector<std::size_t> shape;
  bool is_integral = true;
  std::vector<std::pair<std::string, std::string>> notes = {};  ///< each with the name of its outline
};

Outlines outlines_in_array(nb::handle problem, bool is_integral) {
  const Array array("problem", problem, {element_type<double>});
  if (array.dimensions() < 3 || !has_points(array)) {
    throw Error(ErrorKind::input, fmt::format("problem is {}: outlines (.., n, 2) are accepted", extents_text(array)));
  }
  Outlines outlines{{}, leading(array, 2), is_integral};
  for (std::size_t at = 0; at < array.matrices(); ++at) outlines.points.push_back(points_of(array.matrix<double>(at)));
  for (const std::string& note : notes_of(array)) outlines.notes.emplace_back("problem", note);
  return outlines;
}

Outlines outlines_in_list(nb::handle problem) {
  Outlines outlines;
  for (const nb::handle one : problem) {
    const std::string name = fmt::format("problem[{}]", outlines.points.size());
    outlines.is_integral =
        outlines.is_integral && !is_geometry(one) && Array(name.c_str(), one, integer_or_real_types).type().kind == 'i';
    formats::OutlineFile outline = outline_of(name.c_str(), one);
    for (const std::string& note : outline.notes) outlines.notes.emplace_back(name, note);
    outlines.points.push_back(std::move(outline.vertices));
  }
  outlines.shape = {outlines.points.size()};
  return outlines;
}

Triangulations triangulate_outlines(Outlines outlines, polygon::Weight weight, const CallOptions& asked) {
  for (const auto& [name, note] : outlines.notes) warn(name, note);
  return with_dtype(dtype_of_points(outlines.is_integral, weight, asked.dtype), [&]<class T>(T) {
    return of_outlines<T>(std::move(outlines.points), std::move(outlines.shape), weight, asked);
  });
}

/// Whether it is a list of outlines, which may have different lengths.
bool is_list_of_outlines(nb::handle problem) {
  if (!PyList_Check(problem.ptr()) && !PyTuple_Check(problem.ptr())) return false;
  if (nb::len(problem) > 0 && is_geometry(problem[0])) return true;
  if (depth_of(problem) != 3) return false;
  const Array first("problem[0]", problem[0], integer_or_real_types);
  return first.dimensions() == 2 && has_points(first);
}

nb::object triangulate_weights(const Array& weights, const CallOptions& asked) {
  return with_type(weights, [&]<class T>(T) {
    return weights.dimensions() == 2 ? nb::cast(of_weights<T>(weights, asked)) : nb::cast(of_batch<T>(weights, asked));
  });
}

/// Whether it is an array in GPU memory. Such arrays stay there.
bool is_on_gpu(nb::handle problem) { return nb::hasattr(problem, "__cuda_array_interface__"); }

nb::object triangulate(nb::handle problem, nb::handle weight, const nb::kwargs& words) {
  if (is_on_gpu(problem)) return nb::module_::import_("warpfold._device").attr("triangulate")(problem, words);
  const CallOptions options = asked(words);
  const polygon::Weight formula = weight_of(weight);
  if (is_geometry(problem)) return nb::cast(triangulate_points(problem, false, formula, options));
  if (is_list_of_outlines(problem)) {
    return nb::cast(triangulate_outlines(outlines_in_list(problem), formula, options));
  }
  const Array given("problem", problem, integer_or_real_types, "", no_chord);
  if (has_points(given)) {
    const bool is_integral = given.type().kind == 'i';
    if (given.dimensions() == 2) return nb::cast(triangulate_points(problem, is_integral, formula, options));
    return nb::cast(triangulate_outlines(outlines_in_array(problem, is_integral), formula, options));
  }
  check_weights(given);
  if (options.dtype.empty()) return triangulate_weights(given, options);
  return triangulate_weights(Array("problem", problem, integer_or_real_types, options.dtype, no_chord), options);
}

Triangulation triangulate_by_ranks(nb::handle weights, nb::handle comm, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const Ranks ranks = ranks_of(comm);
  const Array given("weights", weights, integer_or_real_types, options.dtype, no_chord);
  if (given.dimensions() != 2 || given.extent(0) != given.extent(1)) {
    throw Error(ErrorKind::input, fmt::format("weights is {}: one matrix (n, n) is accepted", extents_text(given)));
  }
  return with_type(given, [&]<class T>(T) { return of_weights<T>(given, options, ranks); });
}

Verdict verify(nb::handle problem, const Triangulation& triangulation) {
  return std::visit(
      [&]<class T>(const Solution<T>& solution) {
        if (!triangulation.vertices.points.empty()) {
          const polygon::Outline outline(outline_of("problem", problem).vertices);
          return polygon::verify(outline, triangulation.vertices.weight, solution);
        }
        const Array weights("problem", problem, {element_type<T>}, std::string(dtype_name<T>()), no_chord);
        check_square(weights);
        return interval::verify(interval::Triangulation<T>(weights.matrix<T>()), solution);
      },
      triangulation.solution);
}

/// Whether the forbidden chords left no triangulation.
template <class T>
bool is_none(const Solution<T>& solution) {
  return solution.triangles.empty() && solution.cost == infinity<T>;
}

template <class T>
Verdict verify_one(const interval::Triangulation<T>& problem, const Solution<T>& solution) {
  if (is_none(solution)) return {.unchecked = "whether there is none"};
  return interval::verify(problem, solution);
}

Verdict verify_outlines(nb::handle problem, const Triangulations& all) {
  Outlines outlines = is_list_of_outlines(problem) ? outlines_in_list(problem) : outlines_in_array(problem, false);
  if (outlines.shape != all.shape) return infeasible("the batch has another shape");
  return verify_each(all.shape, outlines.points.size(), [&](std::size_t at) {
    const polygon::Outline outline(std::move(outlines.points[at]));
    return std::visit(
        [&](const auto& solutions) { return polygon::verify(outline, all.vertices[at].weight, solutions[at]); },
        all.solutions);
  });
}

Verdict verify_batch(nb::handle problem, const Triangulations& all) {
  if (!all.vertices.empty()) return verify_outlines(problem, all);
  return std::visit(
      [&]<class T>(const Solutions<T>& solutions) {
        const Array weights("problem", problem, {element_type<T>}, std::string(dtype_name<T>()), no_chord);
        check_weights(weights);
        if (leading(weights, 2) != all.shape) return infeasible("the batch has another shape");
        return verify_each(all.shape, solutions.size(), [&](std::size_t at) {
          return verify_one(interval::Triangulation<T>(weights.matrix<T>(at)), solutions[at]);
        });
      },
      all.solutions);
}

/// What one triangulation has, a batch has not. A user may take it for that of a polygon with holes.
nb::object reject_attribute(const Triangulations&, const std::string& name) {
  const bool is_of_one = name == "cost" || name == "chords" || name == "triangles";
  throw nb::attribute_error(
      fmt::format("'Triangulations' has no attribute '{}'{}", name,
                  is_of_one
                      ? ": a list of outlines is a batch, whose costs are `costs` and whose triangulations are [0], "
                        "[1], ..; a polygon with holes is not accepted"
                      : "")
          .c_str());
}

/// Draws it as the command line does; without coordinates on a circle.
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

Triangulation one_of(const Triangulations& all, nb::handle index) {
  const std::size_t place = place_of(all.shape, index);
  return std::visit(
      [&](const auto& solutions) {
        if (is_none(solutions[place])) {
          throw Error(ErrorKind::infeasible,
                      place_text(all.shape, place) + ": the forbidden chords leave no triangulation");
        }
        return Triangulation{solutions[place], all.report, all.vertices.empty() ? Vertices{} : all.vertices[place]};
      },
      all.solutions);
}

void bind_results(nb::module_& module) {
  nb::class_<Triangulation>(module, "Triangulation", "The triangulation of least total weight.")
      .def_prop_ro("cost", &Triangulation::cost, nb::sig("def cost(self) -> typing.Any"),
                   "total weight of the chords, an int or a float")
      .def_prop_ro("chords", &chords_in, nb::sig("def chords(self) -> numpy.typing.NDArray[numpy.uint32]"),
                   "(n-3, 2): pairs of vertices i < j, sorted")
      .def_prop_ro("triangles", &triangles_in, nb::sig("def triangles(self) -> numpy.typing.NDArray[numpy.uint32]"),
                   "(n-2, 3): vertices i < k < j; a triangle comes before those across its sides (i,k) and (k,j)")
      .def_prop_ro(
          "report", [](const Triangulation& one) { return one.report; }, "report of the run")
      .def("_repr_svg_", &svg_of, "The picture in notebooks.")
      .def("__repr__", [](const Triangulation& one) {
        return fmt::format("Triangulation({} vertices, cost={})", one.triangles().size() + 2,
                           nb::repr(one.cost()).c_str());
      });
  nb::class_<Triangulations>(module, "Triangulations", "The triangulations of a batch.")
      .def_prop_ro(
          "costs", &costs_of<Triangulations>, nb::sig("def costs(self) -> numpy.typing.NDArray[typing.Any]"),
          "cost of each; infinite (integers: half of the largest) if the forbidden chords leave no triangulation. "
          "Its index then raises InfeasibleError, and verify reports it as unchecked")
      .def_prop_ro(
          "report", [](const Triangulations& all) { return all.report; }, "report of the batch")
      .def("__repr__",
           [](const Triangulations& all) { return fmt::format("Triangulations({})", extents_text(all.shape)); })
      .def("__len__", [](const Triangulations& all) { return all.shape[0]; })
      .def("__getattr__", &reject_attribute, nb::sig("def __getattr__(self, name: str, /) -> typing.NoReturn"))
      .def("__getitem__", &one_of, nb::sig("def __getitem__(self, index: int | tuple[int, ...], /) -> Triangulation"));
}

}  // namespace

void bind_polygon(nb::module_& module) {
  bind_results(module);
  module.def("triangulate", &triangulate, "problem"_required, nb::kw_only(), "weight"_a = "length", "options"_a,
             signature("triangulate(problem: typing.Any, *, weight: str = 'length', OPTIONS) -> typing.Any"),
             R"(The optimal triangulation of a polygon.

    value(i,i+1) = 0
    value(i,j)   = min over i<k<j of value(i,k) + value(k,j), + w(i,j)    with w(0,n-1) = 0

The problem is one of these:

* Points (n, 2): the vertices of an outline in order. Chords are inside it, and weigh their length or, with
  weight='squared', its square. A third coordinate is ignored, and vertices that repeat the one before are dropped, each
  with a RuntimeWarning.
* A polygon of shapely, or any other object that has __geo_interface__, or GeoJSON as a dictionary: the same, without
  holes.
* Weights (n, n): entry (i,j), i < j, is the weight of chord (i,j) of a convex polygon. inf (integers: half of the
  largest) forbids a chord. Edges, the diagonal and the lower half are ignored.
* A batch: points or weights of more dimensions, or a list of outlines of any lengths; no outline is a hole of
  another. It is solved in one call, and
  gives Triangulations.

Raises InfeasibleError if the forbidden chords leave no triangulation. A batch has an infinite cost there, and raises
when that triangulation is taken from it.

Ties go to the smallest k. The bits are the same on every processor and GPU, and for any number of threads. Cost: n^3/6
additions.)");
  module.def("triangulate_by_ranks", &triangulate_by_ranks, "weights"_a, "comm"_a, "options"_a,
             signature("triangulate_by_ranks(weights: numpy.typing.ArrayLike, comm: typing.Any, OPTIONS) -> "
                       "Triangulation"));
  module.def(
      "verify", &verify, "problem"_required, "solution"_required,
      nb::sig(
          "def verify(problem: numpy.typing.ArrayLike | dict[str, typing.Any], solution: Triangulation) -> Verdict"),
      "Checks that the solution is a triangulation of these points or weights with the stated cost.");
  module.def("verify", &verify_batch, "problem"_required, "solution"_required,
             nb::sig("def verify(problem: numpy.typing.ArrayLike | list[dict[str, typing.Any]], solution: "
                     "Triangulations) -> Verdict"),
             "Checks every triangulation of a batch.");
}

}  // namespace warpfold::python
