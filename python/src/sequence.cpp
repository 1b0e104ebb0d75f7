#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "sequences.hpp"
#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::python {

namespace {

using sequence::Coded;
using sequence::Edit;
using sequence::Run;
using sequence::Script;

/// What was requested, and what ran.
struct Call {
  sequence::Request request;
  bool iupac;
  Report report;
};

/// What a function returned, and for what.
template <class Solution>
struct Answer {
  Solution solution;
  std::shared_ptr<const Call> call;

  Answer(Solution found, std::shared_ptr<const Call> of) : solution(std::move(found)), call(std::move(of)) {}
  Answer(Outcome<Solution> outcome, const sequence::Request& request, bool iupac)
      : Answer(std::move(outcome.solution),
               std::make_shared<const Call>(Call{request, iupac, std::move(outcome.report)})) {}
};
using DistanceAnswer = Answer<sequence::Distance>;
using SubsequenceAnswer = Answer<sequence::Subsequence>;

// Sequences in.

enum class SequenceKind { text, array, things };

constexpr const char* accepted_sequences =
    "text, bytes, an array of integers, or a list of hashable values is accepted";

/// Whether a value is an array of numbers, and none of texts or objects.
bool is_array_of_numbers(nb::handle value) {
  if (PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr()) || PyMemoryView_Check(value.ptr())) return true;
  if (!nb::hasattr(value, "dtype")) return nb::hasattr(value, "__dlpack__");
  if (!nb::hasattr(value.attr("dtype"), "kind")) return true;
  const std::string kind = nb::cast<std::string>(nb::str(value.attr("dtype").attr("kind")));
  return kind != "S" && kind != "U" && kind != "O" && kind != "T";
}

SequenceKind kind_of(nb::handle value) {
  if (PyUnicode_Check(value.ptr())) return SequenceKind::text;
  return is_array_of_numbers(value) ? SequenceKind::array : SequenceKind::things;
}

template <class T>
std::span<const T> points(nb::handle text) {
  return {static_cast<const T*>(PyUnicode_DATA(text.ptr())),
          static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()))};
}

std::vector<std::uint32_t> wide_points(nb::handle text) {
  std::vector<std::uint32_t> wide(static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr())));
  const auto kind = static_cast<int>(PyUnicode_KIND(text.ptr()));
  for (std::size_t i = 0; i < wide.size(); ++i) {
    wide[i] = PyUnicode_READ(kind, PyUnicode_DATA(text.ptr()), static_cast<Py_ssize_t>(i));
  }
  return wide;
}

Coded coded_wide(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return {std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
}

/// Code points, a lone surrogate like any other.
Coded coded_texts(nb::handle a, nb::handle b) {
  const auto kind = PyUnicode_KIND(a.ptr());
  if (kind != PyUnicode_KIND(b.ptr())) return coded_wide(wide_points(a), wide_points(b));
  if (kind == PyUnicode_1BYTE_KIND) return {points<std::uint8_t>(a), points<std::uint8_t>(b)};
  if (kind == PyUnicode_2BYTE_KIND) return {points<std::uint16_t>(a), points<std::uint16_t>(b)};
  return {points<std::uint32_t>(a), points<std::uint32_t>(b)};
}

__extension__ using Wide = __int128;

/// Calls visit(zero of the type) for the type of an array of integers.
template <class Visit>
void with_integer_type(const Array& array, const Visit& visit) {
  const auto try_each = [&](auto... zeros) { ((array.holds<decltype(zeros)>() ? visit(zeros) : void()), ...); };
  try_each(std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{}, std::int8_t{}, std::int16_t{},
           std::int32_t{}, std::int64_t{});
}

std::vector<Wide> wide_values(const Array& array) {
  std::vector<Wide> values;
  with_integer_type(array, [&]<class T>(T) { values.assign(array.data<T>(), array.data<T>() + array.size()); });
  return values;
}

std::vector<std::uint32_t> places_in(const std::vector<Wide>& symbols, const std::vector<Wide>& values) {
  std::vector<std::uint32_t> places;
  places.reserve(values.size());
  for (const Wide value : values) {
    places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(symbols, value) - symbols.begin()));
  }
  return places;
}

Coded coded_wide_values(const std::vector<Wide>& a, const std::vector<Wide>& b) {
  std::vector<Wide> symbols = a;
  symbols.insert(symbols.end(), b.begin(), b.end());
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return coded_wide(places_in(symbols, a), places_in(symbols, b));
}

template <class T>
std::span<const T> entries(const Array& array) {
  return {array.data<T>(), array.size()};
}

const ElementTypes& integer_types() {
  static const ElementTypes types = {
      element_type<std::int64_t>,  element_type<std::uint8_t>, element_type<std::uint16_t>, element_type<std::uint32_t>,
      element_type<std::uint64_t>, element_type<std::int8_t>,  element_type<std::int16_t>,  element_type<std::int32_t>};
  return types;
}

Coded coded_arrays(nb::handle a, nb::handle b) {
  const Array first("a", a, integer_types()), second("b", b, integer_types());
  check_list(first);
  check_list(second);
  if (first.type() == second.type()) {
    if (first.holds<std::uint8_t>()) return {entries<std::uint8_t>(first), entries<std::uint8_t>(second)};
    if (first.holds<std::uint16_t>()) return {entries<std::uint16_t>(first), entries<std::uint16_t>(second)};
    if (first.holds<std::uint32_t>()) return {entries<std::uint32_t>(first), entries<std::uint32_t>(second)};
  }
  return coded_wide_values(wide_values(first), wide_values(second));
}

/// Appends a number for each thing. Things that are equal have the same number.
std::vector<std::uint32_t> numbers_of(const char* name, nb::handle things, const nb::dict& known) {
  const nb::object list = nb::steal(PySequence_List(things.ptr()));
  if (!list.is_valid()) {
    PyErr_Clear();
    reject_type(name, things, accepted_sequences);
  }
  std::vector<std::uint32_t> numbers;
  for (const nb::handle thing : nb::borrow<nb::list>(list)) {
    const nb::object next = nb::int_(nb::len(known));
    PyObject* const number = PyDict_SetDefault(known.ptr(), thing.ptr(), next.ptr());
    if (number == nullptr) {
      PyErr_Clear();
      reject_type(fmt::format("{}[{}]", name, numbers.size()).c_str(), thing, "a hashable value is accepted");
    }
    numbers.push_back(nb::cast<std::uint32_t>(nb::handle(number)));
  }
  return numbers;
}

Coded coded_things(nb::handle a, nb::handle b) {
  const nb::dict known;
  const std::vector<std::uint32_t> first = numbers_of("a", a, known);
  return coded_wide(first, numbers_of("b", b, known));
}

/// Letters of DNA as sets of bases.
Coded coded_letters(nb::handle a, nb::handle b) {
  using formats::SymbolSequence;
  const SymbolSequence first{.unit = SymbolSequence::Unit::point, .points = symbols_of("a", a)};
  return formats::coded_bases(first, {.unit = SymbolSequence::Unit::point, .points = symbols_of("b", b)});
}

}  // namespace

Coded coded_pair(nb::handle a, nb::handle b, bool iupac) {
  if (iupac) return coded_letters(a, b);
  const SequenceKind kind = kind_of(a), other = kind_of(b);
  if (kind != other && (kind == SequenceKind::array || other == SequenceKind::array) &&
      (kind == SequenceKind::text || other == SequenceKind::text)) {
    reject_type("b", b, "a sequence of a's kind, both text or neither, is accepted");
  }
  if (kind != other || kind == SequenceKind::things) return coded_things(a, b);
  return kind == SequenceKind::text ? coded_texts(a, b) : coded_arrays(a, b);
}

std::vector<std::uint32_t> symbols_of(const char* name, nb::handle value) {
  const SequenceKind kind = kind_of(value);
  if (kind == SequenceKind::text) return wide_points(value);
  if (kind == SequenceKind::things) reject_type(name, value, "text, bytes or an array of integers is accepted");
  const Array array(name, value, integer_types());
  check_list(array);
  std::vector<std::uint32_t> symbols;
  for (const Wide symbol : wide_values(array)) {
    if (symbol < 0 || symbol > 0xFFFFFFFF) reject_value(name, value, "integers from 0 to 4294967295 are accepted");
    symbols.push_back(static_cast<std::uint32_t>(symbol));
  }
  return symbols;
}

namespace {

double cells_of(const Coded& pair) { return static_cast<double>(pair.n()) * static_cast<double>(pair.m()); }

// Requests in.

}  // namespace

sequence::Ties ties_of(nb::handle value) {
  constexpr const char* accepted = "'left', 'right', 'shortest' or 'longest' is accepted";
  const std::string ties = text("ties", value, accepted);
  const auto* const known = std::ranges::find(sequence::ties_names, ties);
  if (known == std::end(sequence::ties_names)) reject_value("ties", value, accepted);
  return static_cast<sequence::Ties>(known - std::begin(sequence::ties_names));
}

namespace {

sequence::Costs costs_of(nb::handle value, bool transpositions) {
  const nb::tuple parts =
      parts_of("costs", value, 3, transpositions ? 4 : 3,
               transpositions ? "(insertion, deletion, substitution) and then the cost of a transposition is accepted"
                              : "(insertion, deletion, substitution) is accepted");
  const auto part = [&](std::size_t at) {
    return integer<std::int64_t>(fmt::format("costs[{}]", at).c_str(), parts[at]);
  };
  return {part(0), part(1), part(2), nb::len(parts) == 4 ? part(3) : 1};
}

/// Sets what True, False or 'unrestricted' says.
void set_transpositions(sequence::Request& request, nb::handle value) {
  if (!nb::isinstance<nb::str>(value)) {
    request.transpositions = truth("transpositions", value);
    return;
  }
  constexpr const char* accepted = "True, False or 'unrestricted' is accepted";
  if (text("transpositions", value, accepted) != "unrestricted") reject_value("transpositions", value, accepted);
  request.transpositions = request.unrestricted = true;
}

sequence::Request sequence_request_of(nb::handle script, nb::handle max_distance, nb::handle ties) {
  sequence::Request request{.script = truth("script", script), .ties = ties_of(ties)};
  if (!max_distance.is_none()) request.max_distance = integer<std::uint64_t>("max_distance", max_distance);
  return request;
}

// The objects that a caller who gives no costs and no ties passes.

const nb::tuple& unit_costs() {
  static const nb::tuple* const costs = new nb::tuple(nb::make_tuple(1, 1, 1));
  return *costs;
}
const nb::str& default_ties() {
  static const nb::str* const ties = new nb::str("left");
  return *ties;
}

// Short pairs without options take less time than an option.

/// The most symbols of the longer sequence.
constexpr std::size_t longest_short = 1024;

std::optional<std::span<const std::uint8_t>> bytes_of(nb::handle value) {
  if (PyUnicode_Check(value.ptr()) && PyUnicode_KIND(value.ptr()) == PyUnicode_1BYTE_KIND) {
    return points<std::uint8_t>(value);
  }
  if (!PyBytes_Check(value.ptr())) return {};
  return std::span(reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(value.ptr())),
                   static_cast<std::size_t>(PyBytes_GET_SIZE(value.ptr())));
}

bool is_ascii_text(nb::handle value) { return PyUnicode_Check(value.ptr()) && PyUnicode_IS_ASCII(value.ptr()); }

/// The distance if nothing but the distance of a short pair is asked for.
std::optional<std::int64_t> distance_of_short(nb::handle a, nb::handle b, nb::handle script, nb::handle max_distance,
                                              nb::handle ties, sequence::Measure measure, const nb::kwargs& words) {
  if (!script.is(Py_False) || !max_distance.is_none() || PyDict_GET_SIZE(words.ptr()) > 0) return {};
  if (!ties.is(default_ties())) return {};
  if (Py_TYPE(a.ptr()) != Py_TYPE(b.ptr())) return {};
  const auto first = bytes_of(a), second = bytes_of(b);
  if (!first || !second || std::min(first->size(), second->size()) > sequence::max_short ||
      std::max(first->size(), second->size()) > longest_short) {
    return {};
  }
  const bool is_ascii = is_ascii_text(a) && is_ascii_text(b);
  return static_cast<std::int64_t>(sequence::short_distance(*first, *second, measure, is_ascii ? 128 : 256));
}

/// What the solver would report. All short pairs share it.
std::shared_ptr<const Call> call_of_short() {
  static const Call* const call = new Call{{}, false, {.device = "cpu", .algorithm = "words"}};
  return {std::shared_ptr<const Call>(), call};
}

DistanceAnswer edit_distance(nb::handle a, nb::handle b, nb::handle script, nb::handle max_distance, nb::handle costs,
                             nb::handle ties, nb::handle transpositions, nb::handle iupac, const nb::kwargs& words) {
  if (costs.is(unit_costs()) && transpositions.is(Py_False) && iupac.is(Py_False)) {
    const auto known = distance_of_short(a, b, script, max_distance, ties, sequence::Measure::edit, words);
    if (known) return {{*known, {}}, call_of_short()};
  }
  const CallOptions options = asked(words);
  reject_dtype(options, "distances are integers of 64 bits");
  sequence::Request request = sequence_request_of(script, max_distance, ties);
  set_transpositions(request, transpositions);
  request.costs = costs_of(costs, request.transpositions);
  const bool has_sets = truth("iupac", iupac);
  const Coded pair = coded_pair(a, b, has_sets);
  return {run(options, cells_of(pair),
              [&](const Options& limits) { return sequence::edit_distance(pair, limits, request); }),
          request, has_sets};
}

SubsequenceAnswer lcs(nb::handle a, nb::handle b, nb::handle script, nb::handle max_distance, nb::handle ties,
                      nb::handle iupac, const nb::kwargs& words) {
  if (iupac.is(Py_False)) {
    const auto known = distance_of_short(a, b, script, max_distance, ties, sequence::Measure::indel, words);
    const auto symbols = known ? static_cast<std::int64_t>(nb::len(a) + nb::len(b)) : 0;
    if (known) return {{(symbols - *known) / 2, {}}, call_of_short()};
  }
  const CallOptions options = asked(words);
  reject_dtype(options, "lengths are integers of 64 bits");
  const sequence::Request request = sequence_request_of(script, max_distance, ties);
  const bool has_sets = truth("iupac", iupac);
  const Coded pair = coded_pair(a, b, has_sets);
  return {run(options, cells_of(pair), [&](const Options& limits) { return sequence::lcs(pair, limits, request); }),
          request, has_sets};
}

// Scripts out.

/// Calls visit(edit, i, j) for every step.
template <class Visit>
void each_step(const Script& script, const Visit& visit) {
  std::uint64_t i = script.begin_a, j = script.begin_b;
  for (const Run& run : script.runs()) {
    const std::uint64_t symbols = run.edit == Edit::transposition ? 2 : 1;
    for (std::uint64_t step = 0; step < run.length; ++step) {
      visit(run.edit, i, j);
      i += run.edit == Edit::insertion ? 0 : symbols;
      j += run.edit == Edit::deletion ? 0 : symbols;
    }
  }
}

/// The runs of matches, and one entry for all edits between two of them.
nb::list opcodes(const Script& script) {
  nb::list codes;
  std::uint64_t i = script.begin_a, j = script.begin_b, begin_a = i, begin_b = j;
  const auto end_edits = [&] {
    if (begin_a == i && begin_b == j) return;
    codes.append(nb::make_tuple(begin_b == j ? "delete" : begin_a == i ? "insert" : "replace", begin_a, i, begin_b, j));
  };
  for (const Run& run : script.runs()) {
    const std::uint64_t symbols = run.length * (run.edit == Edit::transposition ? 2 : 1);
    if (run.edit == Edit::match) end_edits();
    if (run.edit == Edit::match) codes.append(nb::make_tuple("equal", i, i + symbols, j, j + symbols));
    i += run.edit == Edit::insertion ? 0 : symbols;
    j += run.edit == Edit::deletion ? 0 : symbols;
    if (run.edit == Edit::match) begin_a = i, begin_b = j;
  }
  end_edits();
  return codes;
}

nb::list editops(const Script& script) {
  nb::list edits;
  each_step(script, [&](Edit edit, std::uint64_t i, std::uint64_t j) {
    if (edit == Edit::deletion) edits.append(nb::make_tuple("delete", i, j));
    if (edit == Edit::insertion) edits.append(nb::make_tuple("insert", i, j));
    const bool is_gap = edit == Edit::deletion || edit == Edit::insertion;
    if (edit != Edit::match && !is_gap) edits.append(nb::make_tuple("replace", i, j));
    if (edit == Edit::transposition) edits.append(nb::make_tuple("replace", i + 1, j + 1));
  });
  return edits;
}

/// The corners of the table that the script goes through.
nb::object path(const Script& script) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> points;
  each_step(script, [&](Edit, std::uint64_t i, std::uint64_t j) { points.emplace_back(i, j); });
  points.emplace_back(script.end_a(), script.end_b());
  return array_of_pairs(points);
}

nb::object pairs(const Script& script) { return array_of_pairs(script.matched_pairs()); }

Script compose(const Script& script, const Script& next, nb::handle a, nb::handle c) {
  const Coded pair = coded_pair(a, c, false);
  return script.compose(next, pair.n(), pair.m(),
                        [&](std::uint64_t i, std::uint64_t k) { return pair.a()[i] == pair.b()[k]; });
}

template <class Solution>
nb::object script_of(const Answer<Solution>& answer, bool is_found) {
  return answer.call->request.script && is_found ? nb::cast(answer.solution.script) : nb::none();
}

Verdict check(const nb::tuple& problem, const DistanceAnswer& answer, bool optimal, const Options& limits) {
  const Coded pair = coded_pair(problem[0], problem[1], answer.call->iupac);
  return sequence::verify(pair, answer.solution, answer.call->request, optimal, limits);
}
Verdict check(const nb::tuple& problem, const SubsequenceAnswer& answer, bool optimal, const Options& limits) {
  const Coded pair = coded_pair(problem[0], problem[1], answer.call->iupac);
  return sequence::verify(pair, answer.solution, answer.call->request, optimal, limits);
}

template <class Answered>
void bind_verify(nb::module_& module, const std::string& name) {
  module.def(
      "verify",
      [](nb::handle problem, const Answered& answer, nb::handle optimal) {
        return check(parts_of("problem", problem, 2, 2, "(a, b) is accepted"), answer, truth("optimal", optimal), {});
      },
      "problem"_required, "solution"_required, nb::kw_only(), "optimal"_a = false,
      nb::sig(("def verify(problem: tuple[typing.Any, typing.Any], solution: " + name +
               ", *, optimal: bool = False) -> Verdict")
                  .c_str()),
      "Replays the script against both sequences and recounts its cost. With optimal, or without a script, the "
      "optimum\n"
      "is computed anew by an algorithm that shares no code with the solvers.");
}

void bind_script(nb::module_& module) {
  nb::class_<Script>(module, "EditScript", "The edits that turn a into b, from the beginning to the end.")
      .def("opcodes", &opcodes, nb::sig("def opcodes(self) -> list[tuple[str, int, int, int, int]]"),
           "rows (tag, i1, i2, j1, j2) in difflib's form: a[i1:i2] becomes b[j1:j2]; the tag is 'equal', 'replace', "
           "'delete' or 'insert'")
      .def("editops", &editops, nb::sig("def editops(self) -> list[tuple[str, int, int]]"),
           "rows (tag, i, j) in RapidFuzz's form, one for each edit; a transposition is two of 'replace'")
      .def(
          "path", &path, nb::sig("def path(self) -> numpy.typing.NDArray[numpy.int64]"),
          "(k, 2): the points (i, j) from (0, 0) to (n, m) between the steps: the first i symbols of a have become the "
          "first j of b")
      .def("pairs", &pairs, nb::sig("def pairs(self) -> numpy.typing.NDArray[numpy.int64]"),
           "(matches, 2): the positions of all symbols that match, in a and in b")
      .def_prop_ro(
          "cigar", [](const Script& script) { return script.cigar(); },
          "runs as text: '=' match, 'X' substitution, 'D' deletion, 'I' insertion, 'T' transposition, which stands for "
          "two symbols of a and two of b, '(' and ')' the symbols of a transposition that are apart")
      .def_prop_ro(
          "matches", [](const Script& script) { return script.count(Edit::match); }, "number of symbols that match")
      .def("inverse", &Script::inverse, nb::sig("def inverse(self) -> EditScript"), "the script that turns b into a")
      .def("compose", &compose, "next"_required, "a"_required, "c"_required,
           nb::sig("def compose(self, next: EditScript, a: typing.Any, c: typing.Any) -> EditScript"),
           "the script that turns a into c, if this one turns a into b and next turns b into c")
      .def(
          "__eq__",
          [](const Script& script, nb::handle other) {
            return nb::isinstance<Script>(other) && script == nb::cast<const Script&>(other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Script& script) { return fmt::format("EditScript({})", script.cigar()); });
}

void bind_edit_distance(nb::module_& module) {
  nb::class_<DistanceAnswer>(module, "EditDistance", "An edit distance, and if asked for its script.")
      .def_prop_ro(
          "distance", [](const DistanceAnswer& answer) { return answer.solution.distance; },
          nb::sig("def distance(self) -> int | None"), "the distance; None if it is more than max_distance")
      .def_prop_ro(
          "cost", [](const DistanceAnswer& answer) { return answer.solution.distance; },
          nb::sig("def cost(self) -> int | None"), "same as distance")
      .def_prop_ro(
          "script",
          [](const DistanceAnswer& answer) { return script_of(answer, answer.solution.distance.has_value()); },
          nb::sig("def script(self) -> EditScript | None"), "the edits; None if they were not asked for")
      .def_prop_ro(
          "report", [](const DistanceAnswer& answer) { return answer.call->report; }, "report of the run")
      .def("__repr__", [](const DistanceAnswer& answer) {
        const auto& distance = answer.solution.distance;
        return distance ? fmt::format("EditDistance({})", *distance)
                        : fmt::format("EditDistance(more than {})", *answer.call->request.max_distance);
      });
  module.def(
      "edit_distance", &edit_distance, "a"_required, "b"_required, "script"_a = false, nb::kw_only(),
      "max_distance"_a = nb::none(), "costs"_a = unit_costs(), "ties"_a = default_ties(), "transpositions"_a = false,
      "iupac"_a = false, "options"_a,
      signature("edit_distance(a: typing.Any, b: typing.Any, script: bool = False, *, max_distance: int | None = None, "
                "costs: collections.abc.Sequence[int] = (1, 1, 1), ties: typing.Literal['left', 'right', 'shortest', "
                "'longest'] = 'left', "
                "transpositions: bool | typing.Literal['unrestricted'] = False, iupac: bool = False, OPTIONS) -> "
                "EditDistance"),
      R"(The least cost of insertions, deletions and substitutions that turn a into b.

    D(i,j) = min(D(i-1,j-1) + (a[i] = b[j] ? 0 : substitution), D(i-1,j) + deletion, D(i,j-1) + insertion)

a and b are text (code points, lone surrogates too), bytes, arrays of integers, or lists of hashable values such as
words. costs are those of (insertion, deletion, substitution), and with transpositions that of a transposition may
follow. A distance above max_distance is None. With transpositions, neighbors that swap are one edit, and are not edited
again. With transpositions='unrestricted', symbols between the two that swap may be deleted before or inserted
afterwards; a transposition then has to cost at least half of an insertion and a deletion. With iupac, a and b are
letters of DNA, and ambiguity letters such as R and N match what they have a base in common with.

ties='left' returns the script with gaps as far left as they go, 'right' as far right. 'shortest' and 'longest' return
one with the fewest or the most columns: symbols of a, of b, or one of each. They take n m operations and more.)");
  bind_verify<DistanceAnswer>(module, "EditDistance");
}

void bind_lcs(nb::module_& module) {
  nb::class_<SubsequenceAnswer>(module, "CommonSubsequence",
                                "The length of a longest common subsequence, and if asked for its script.")
      .def_prop_ro(
          "length", [](const SubsequenceAnswer& answer) { return answer.solution.length; },
          nb::sig("def length(self) -> int | None"),
          "number of symbols; None if the insert/delete distance is more than max_distance")
      .def_prop_ro(
          "cost", [](const SubsequenceAnswer& answer) { return answer.solution.length; },
          nb::sig("def cost(self) -> int | None"), "same as length")
      .def_prop_ro(
          "script",
          [](const SubsequenceAnswer& answer) { return script_of(answer, answer.solution.length.has_value()); },
          nb::sig("def script(self) -> EditScript | None"),
          "matches, deletions and insertions; None if they were not asked for")
      .def_prop_ro(
          "report", [](const SubsequenceAnswer& answer) { return answer.call->report; }, "report of the run")
      .def("__repr__", [](const SubsequenceAnswer& answer) {
        const auto& length = answer.solution.length;
        return length ? fmt::format("CommonSubsequence({})", *length)
                      : fmt::format("CommonSubsequence(distance more than {})", *answer.call->request.max_distance);
      });
  module.def(
      "lcs", &lcs, "a"_required, "b"_required, "script"_a = false, nb::kw_only(), "max_distance"_a = nb::none(),
      "ties"_a = default_ties(), "iupac"_a = false, "options"_a,
      signature(
          "lcs(a: typing.Any, b: typing.Any, script: bool = False, *, max_distance: int | None = None, "
          "ties: typing.Literal['left', 'right', 'shortest', 'longest'] = 'left', iupac: bool = False, OPTIONS) -> "
          "CommonSubsequence"),
      R"(The length of a longest common subsequence of a and b.

    L(i,j) = L(i-1,j-1) + 1 if a[i] = b[j], else max(L(i-1,j), L(i,j-1))

a, b and iupac are those of edit_distance. max_distance bounds the insert/delete distance n + m - 2 L(n,m).

ties='left' returns the script with gaps as far left as they go, 'right' as far right. All scripts have as many columns,
so 'shortest' and 'longest' return that of 'left'.)");
  bind_verify<SubsequenceAnswer>(module, "CommonSubsequence");
}

}  // namespace

void bind_sequence(nb::module_& module) {
  bind_script(module);
  bind_edit_distance(module);
  bind_lcs(module);
}

}  // namespace warpfold::python
