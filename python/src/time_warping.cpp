#include "warpfold/sequence/time_warping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/text.hpp"
#include "sequences.hpp"

namespace warpfold::python {

namespace {

using sequence::PointDistance;
using sequence::TimeSeries;
using sequence::Warping;
using sequence::WarpingRequest;

/// A distance in Python's types, and how it was asked for.
struct WarpingAnswer {
  nb::object distance;
  sequence::Script script;
  Report report;
  WarpingRequest request;
  std::string dtype;
};

/// A list of numbers, or rows of them, in type T.
template <class T>
struct Series {
  Series(const char* named, nb::handle value)
      : name(named),
        array(name, value, {element_type<T>}, std::string(dtype_name<T>())),
        values(array.template values<T>()) {
    if (array.dimensions() != 1 && array.dimensions() != 2) {
      reject_value(name, value, "a list of numbers, or a row of numbers for each point, is accepted");
    }
  }
  [[nodiscard]] TimeSeries<T> series() const {
    const std::size_t dimensions = array.dimensions() == 1 ? 1 : array.extent(1);
    return io::with_file_context(name, [&] { return TimeSeries<T>(values, dimensions); });
  }

  const char* name;
  Array array;
  std::vector<T> values;
};

/// Whether all numbers are integers of 32 bits.
bool holds_short_integers(const Array& array) {
  if (!array.holds<std::int64_t>()) return array.holds<std::int32_t>();
  return std::ranges::all_of(array.values<std::int64_t>(),
                             [](std::int64_t value) { return std::in_range<std::int32_t>(value); });
}

/// f32 or i32 if both series have numbers of this type, otherwise f64.
std::string dtype_of_series(nb::handle a, nb::handle b) {
  static const ElementTypes accepted = {element_type<double>, element_type<float>, element_type<std::int64_t>,
                                        element_type<std::int32_t>};
  const Array array_a("a", a, accepted), array_b("b", b, accepted);
  if (array_a.holds<float>() && array_b.holds<float>()) return "f32";
  return holds_short_integers(array_a) && holds_short_integers(array_b) ? "i32" : "f64";
}

PointDistance point_distance_of(nb::handle value) {
  const std::string name = text("distance", value);
  if (name == "absolute") return PointDistance::absolute;
  if (name == "squared") return PointDistance::squared;
  reject_value("distance", value, "'absolute' or 'squared' is accepted");
}

template <class Visit>
auto with_series_type(const std::string& dtype, const Visit& visit) {
  return with_type_named(dtype, TypeList<std::int32_t, float, double>(), visit,
                         [] { throw nb::type_error("dtype: int32, float32 or float64 is accepted here"); });
}

WarpingAnswer solve_dtw(nb::handle a, nb::handle b, nb::handle script, nb::handle window, nb::handle distance,
                        nb::handle max_distance, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  WarpingRequest request{.script = truth("script", script), .distance = point_distance_of(distance)};
  if (!window.is_none()) request.window = integer<std::uint64_t>("window", window);
  if (!max_distance.is_none()) request.max_distance = real("max_distance", max_distance);
  const std::string dtype = options.dtype.empty() ? dtype_of_series(a, b) : options.dtype;
  return with_series_type(dtype, [&]<class T>(T) {
    const Series<T> points_a("a", a), points_b("b", b);
    const TimeSeries<T> series_a = points_a.series(), series_b = points_b.series();
    const double cells = static_cast<double>(series_a.size()) * static_cast<double>(series_b.size());
    auto [found, report] =
        run(options, cells, [&](const Options& limits) { return sequence::dtw(series_a, series_b, limits, request); });
    return WarpingAnswer{found.distance ? nb::cast(*found.distance) : nb::none(), std::move(found.script),
                         std::move(report), request, dtype};
  });
}

Verdict check_dtw(nb::handle problem, const WarpingAnswer& answer, nb::handle optimal) {
  const nb::tuple parts = parts_of("problem", problem, 2, 2, "(a, b) is accepted");
  const bool is_recomputed = truth("optimal", optimal) || !answer.request.script;
  return with_series_type(answer.dtype, [&]<class T>(T) {
    const Series<T> points_a("problem[0]", parts[0]), points_b("problem[1]", parts[1]);
    Warping<T> stated{.script = answer.script};
    if (!answer.distance.is_none()) stated.distance = nb::cast<sequence::WarpingCost<T>>(answer.distance);
    return sequence::verify(points_a.series(), points_b.series(), stated, answer.request, is_recomputed);
  });
}

nb::object path_of(const WarpingAnswer& answer) {
  if (!answer.request.script || answer.distance.is_none()) return nb::none();
  return array_of_pairs(sequence::warping_path(answer.script));
}

}  // namespace

void bind_time_warping(nb::module_& module) {
  nb::class_<WarpingAnswer>(module, "TimeWarping", "A distance of two series, and if asked for its path.")
      .def_prop_ro(
          "distance", [](const WarpingAnswer& answer) { return answer.distance; },
          nb::sig("def distance(self) -> float | int | None"), "the distance; None if it is more than max_distance")
      .def_prop_ro(
          "cost", [](const WarpingAnswer& answer) { return answer.distance; },
          nb::sig("def cost(self) -> float | int | None"), "same as distance")
      .def("path", &path_of, nb::sig("def path(self) -> numpy.typing.NDArray[numpy.int64] | None"),
           "(k, 2): the pairs of points of the path, from (0, 0) on; None if no script was asked for")
      .def_prop_ro(
          "script",
          [](const WarpingAnswer& answer) {
            return answer.request.script && !answer.distance.is_none() ? nb::cast(answer.script) : nb::none();
          },
          nb::sig("def script(self) -> EditScript | None"),
          "the path's steps: a match in both series, a deletion in a alone, an insertion in b alone; None if they were "
          "not asked for")
      .def_prop_ro(
          "report", [](const WarpingAnswer& answer) { return answer.report; }, "report of the run")
      .def("__repr__", [](const WarpingAnswer& answer) {
        return answer.distance.is_none()
                   ? fmt::format("TimeWarping(more than {})", *answer.request.max_distance)
                   : fmt::format("TimeWarping({})", nb::cast<std::string>(nb::str(answer.distance)));
      });
  module.def(
      "dtw", &solve_dtw, "a"_required, "b"_required, "script"_a = false, nb::kw_only(), "window"_a = nb::none(),
      "distance"_a = "absolute", "max_distance"_a = nb::none(), "options"_a,
      signature("dtw(a: typing.Any, b: typing.Any, script: bool = False, *, window: int | None = None, distance: "
                "typing.Literal['absolute', 'squared'] = 'absolute', max_distance: float | None = None, "
                "OPTIONS) -> TimeWarping"),
      R"(The dynamic time warping distance of two series.

    D(i,j) = distance(a[i], b[j]) + min(D(i-1,j-1), D(i-1,j), D(i,j-1))

a and b are lists of numbers, or arrays with a row for each point. Arrays of float32 are added in their type, arrays of
integers as int32, and others as float64. Integers beyond 32 bits are added as float64, which has to hold each of them
exactly. distance: the sum over a point's dimensions of 'absolute' or of 'squared' differences. No root is taken.

window=W keeps the path to pairs that are shifted by less than W, beyond the difference of the lengths: the window of
dtaidistance. A larger distance than max_distance is None, and the run ends early.

Of several paths the one that the complete table gives from its end is returned: a step in both series first, then one
in a alone, then one in b alone.)");
  module.def(
      "verify",
      [](nb::handle problem, const WarpingAnswer& answer, nb::handle optimal) {
        return check_dtw(problem, answer, optimal);
      },
      "problem"_required, "solution"_required, nb::kw_only(), "optimal"_a = false,
      nb::sig("def verify(problem: tuple[typing.Any, typing.Any], solution: TimeWarping, *, optimal: bool = False) -> "
              "Verdict"),
      "Replays the path over both series and adds up its cost. With optimal, or without a path, the optimum is\n"
      "computed anew by a loop that shares no code with the solvers.");
}

}  // namespace warpfold::python
