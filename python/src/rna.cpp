#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "binding.hpp"
#include "io/text.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/rna/suboptimal.hpp"

namespace warpfold::python {

namespace {

using rna::FoldRequest;
using rna::Parameters;
using rna::Sequence;

/// A folding with what it was folded by.
struct FoldedSequence {
  std::string sequence;
  rna::Folding folding;
  Report report;
  FoldRequest request;
  std::shared_ptr<const Parameters> parameters;
};

/// An ensemble with what it was computed by.
struct ComputedEnsemble {
  rna::Ensemble ensemble;
  Report report;
  FoldRequest request;
  rna::EnsembleRequest wanted;
  std::shared_ptr<const Parameters> parameters;
};

double kcal_per_mol(rna::Energy energy) { return static_cast<double>(energy) / 100; }

/// A set of parameters by name, or from a file.
std::shared_ptr<const Parameters> parameters_of(nb::handle value) {
  const nb::object path = nb::steal(PyOS_FSPath(value.ptr()));
  std::string name;
  if (!path.is_valid() || !nb::try_cast(path, name)) {
    PyErr_Clear();
    reject_type("parameters", value, "'rules-1998' or the path of a file is accepted");
  }
  return std::make_shared<const Parameters>(formats::energy_parameters(name));
}

/// The constraint of one sequence; None is none.
std::string constraint_of(nb::handle value) { return value.is_none() ? "" : text("constraint", value); }

/// Those of several sequences, or none.
std::vector<std::string> constraints_of(nb::handle value) {
  std::vector<std::string> constraints;
  if (value.is_none()) return constraints;
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) {
    reject_type("constraint", value, "a list with a text for each sequence is accepted");
  }
  for (const nb::handle one : nb::list(nb::borrow(value))) constraints.push_back(constraint_of(one));
  return constraints;
}

/// The request of a sequence of several.
FoldRequest request_for(const FoldRequest& common, const std::vector<std::string>& constraints, std::size_t t) {
  FoldRequest request = common;
  if (!constraints.empty()) request.constraint = constraints[t];
  return request;
}

constexpr const char* one_text = "text is accepted";
constexpr const char* one_or_more_texts = "text, or several texts, is accepted";

Sequence sequence_of(const char* name, nb::handle value, const char* accepted = one_text) {
  const std::string letters = text(name, value, accepted);
  return io::with_file_context(name, [&] { return Sequence(letters); });
}

/// At least about the operations of folding n bases.
double operations_of(std::size_t n) {
  const auto bases = static_cast<double>(n);
  return bases * bases * (bases / 6 + 248);
}

/// The sequences of a list that failed, by position. They are kept if the caller asks for it. Else the first one is
/// raised.
class Failures {
 public:
  explicit Failures(bool are_kept) : are_kept_(are_kept) {}

  /// Raises the error with the sequence's name, or keeps the first one of a sequence.
  void add(std::size_t t, const Error& error) {
    const std::string name = name_of(t);
    const std::string message = error.what();
    const Error named(error.kind(), message.starts_with(name) ? message : name + ": " + message);
    if (!are_kept_) throw Error(named);
    errors_.emplace(t, named);
  }

  /// A list of what make(t) gives, or the exception of a sequence that failed.
  template <class Make>
  [[nodiscard]] nb::list list_of(std::size_t count, const Make& make) const {
    nb::list all;
    for (std::size_t t = 0; t < count; ++t) {
      const auto failed = errors_.find(t);
      all.append(failed == errors_.end() ? make(t) : exception_of(failed->second));
    }
    return all;
  }

  [[nodiscard]] static std::string name_of(std::size_t t) { return fmt::format("sequence[{}]", t); }

  /// The options of a solve of all sequences, whose failures come here.
  [[nodiscard]] Options told(Options limits) {
    limits.failed = [this](std::size_t t, const Error& error) { add(t, error); };
    return limits;
  }

 private:
  bool are_kept_;
  std::map<std::size_t, Error> errors_;
};

/// The sequences of a list. One that fails is empty.
std::vector<Sequence> sequences_of(const nb::list& values, Failures& failures) {
  std::vector<Sequence> sequences;
  for (const nb::handle value : values) {
    try {
      sequences.push_back(sequence_of(Failures::name_of(sequences.size()).c_str(), value));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      failures.add(sequences.size(), error);
      sequences.emplace_back("");
    }
  }
  return sequences;
}

double operations_of(const std::vector<Sequence>& sequences) {
  double operations = 0;
  for (const Sequence& sequence : sequences) operations += operations_of(sequence.size());
  return operations;
}

bool is_list(nb::handle value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

/// Whether a value is several sequences: a list, an array of strings, a generator.
bool are_several(nb::handle value) {
  return nb::hasattr(value, "__iter__") && !PyUnicode_Check(value.ptr()) && !PyBytes_Check(value.ptr()) &&
         !PyDict_Check(value.ptr());
}

/// A position in a sequence, counted from 0: an integer, or one as a float, as arrays of floats have it.
std::uint32_t position_of(nb::handle value, std::size_t bases) {
  const bool is_whole = PyFloat_Check(value.ptr()) && nb::cast<bool>(value.attr("is_integer")());
  const nb::object index = is_whole ? nb::int_(value) : index_of("pair_energies", value);
  std::uint32_t position = 0;
  if (nb::try_cast(index, position) && position < bases) return position;
  throw Error(
      ErrorKind::input,
      fmt::format("pair_energies: a position is {}: the sequence has {} bases, counted from 0", shown(index), bases));
}

rna::PairEnergy pair_energy_of(nb::handle value, std::size_t bases) {
  const std::uint32_t i = position_of(value[0], bases), j = position_of(value[1], bases);
  if (i >= j) {
    throw Error(ErrorKind::input,
                fmt::format("pair_energies: a pair is {}, {}: the smaller position first is accepted", i, j));
  }
  const double energy = real("pair_energies", value[2]);
  if (!(std::abs(energy) <= 100)) {
    throw Error(ErrorKind::input, fmt::format("pair_energies: the energy is {}: -100 to 100 is accepted", energy));
  }
  return {i, j, static_cast<rna::Energy>(std::lround(100 * energy))};
}

/// Energies of pairs of one sequence in kcal/mol: a list of (i, j, energy), or an array; None is none.
std::vector<rna::PairEnergy> pair_energies_of(nb::handle value, nb::handle sequence) {
  std::vector<rna::PairEnergy> pairs;
  if (value.is_none()) return pairs;
  const std::size_t bases = text("sequence", sequence, "one text is accepted with pair_energies").size();
  const auto reject = [&] {
    reject_type("pair_energies", value, "a list of tuples (i, j, energy), or an array (n, 3), is accepted");
  };
  const nb::object rows = nb::hasattr(value, "tolist") ? value.attr("tolist")() : nb::borrow(value);
  if (!is_list(rows)) reject();
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const nb::handle row : nb::list(rows)) {
    if (!PySequence_Check(row.ptr()) || nb::len(row) != 3) reject();
    pairs.push_back(pair_energy_of(row, bases));
    const auto [i, j, energy] = pairs.back();
    if (seen.emplace(i, j).second) continue;
    throw Error(ErrorKind::input,
                fmt::format("pair_energies: the pair {}, {} comes again: one energy is accepted", i, j));
  }
  return pairs;
}

/// Energies that each base of one sequence adds to a stack that it is in, in kcal/mol; None is none.
std::vector<rna::Energy> stack_energies_of(nb::handle value, nb::handle sequence) {
  std::vector<rna::Energy> energies;
  if (value.is_none()) return energies;
  const std::size_t bases = text("sequence", sequence, "one text is accepted with stack_energies").size();
  const Array array("stack_energies", value, {element_type<double>});
  if (array.dimensions() != 1 || array.size() != bases) {
    throw Error(ErrorKind::input, fmt::format("stack_energies is {}: a number for each of the {} bases is accepted",
                                              extents_text(array), bases));
  }
  for (const double energy : array.values<double>()) {
    if (!(std::abs(energy) <= 100)) {
      throw Error(ErrorKind::input, fmt::format("stack_energies: the energy of base {}, from 0, is {}: -100 to 100 is "
                                                "accepted",
                                                energies.size(), energy));
    }
    energies.push_back(static_cast<rna::Energy>(std::lround(100 * energy)));
  }
  return energies;
}

/// What the functions on sequences have in common.
FoldRequest request_of(nb::handle sequence, nb::handle temperature, nb::handle dangles, nb::handle max_span,
                       nb::handle lone_pairs, nb::handle stack_energies, nb::handle pair_energies,
                       nb::handle circular) {
  return {.temperature = real("temperature", temperature),
          .dangles = integer<int>("dangles", dangles),
          .max_span = integer<std::size_t>("max_span", max_span),
          .lone_pairs = truth("lone_pairs", lone_pairs),
          .stack_energies = stack_energies_of(stack_energies, sequence),
          .pair_energies = pair_energies_of(pair_energies, sequence),
          .circular = truth("circular", circular)};
}

nb::object fold_one(nb::handle value, const FoldRequest& request, const std::shared_ptr<const Parameters>& parameters,
                    const CallOptions& options) {
  const Sequence sequence = sequence_of("sequence", value, one_or_more_texts);
  auto [folding, report] = run(options, operations_of(sequence.size()), [&](const Options& limits) {
    return rna::fold(sequence, *parameters, limits, request);
  });
  return nb::cast(FoldedSequence{sequence.letters(), std::move(folding), std::move(report), request, parameters});
}

nb::object fold_list(const nb::list& values, const FoldRequest& request, const std::vector<std::string>& constraints,
                     const std::shared_ptr<const Parameters>& parameters, Failures failures,
                     const CallOptions& options) {
  const std::vector<Sequence> sequences = sequences_of(values, failures);
  auto [foldings, report] = run(options, operations_of(sequences), [&](const Options& limits) {
    return rna::fold_each(sequences, *parameters, failures.told(limits), request, constraints);
  });
  return failures.list_of(foldings.size(), [&](std::size_t t) {
    return nb::cast(FoldedSequence{sequences[t].letters(), std::move(foldings[t]), report,
                                   request_for(request, constraints, t), parameters});
  });
}

nb::object fold(nb::handle sequence, nb::handle parameters, nb::handle temperature, nb::handle dangles,
                nb::handle max_span, nb::handle lone_pairs, nb::handle constraint, nb::handle stack_energies,
                nb::handle pair_energies, nb::handle circular, nb::handle return_exceptions, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "energies are integers of 32 bits");
  const auto energies = parameters_of(parameters);
  FoldRequest request =
      request_of(sequence, temperature, dangles, max_span, lone_pairs, stack_energies, pair_energies, circular);
  const Failures failures(truth("return_exceptions", return_exceptions));
  if (are_several(sequence)) {
    return fold_list(nb::list(nb::borrow(sequence)), request, constraints_of(constraint), energies, failures, options);
  }
  request.constraint = constraint_of(constraint);
  return fold_one(sequence, request, energies, options);
}

double fold_energy(nb::handle sequence, nb::handle structure, nb::handle parameters, nb::handle temperature,
                   nb::handle dangles, nb::handle stack_energies, nb::handle pair_energies, nb::handle circular) {
  const FoldRequest request =
      request_of(sequence, temperature, dangles, nb::int_(0), nb::bool_(true), stack_energies, pair_energies, circular);
  return kcal_per_mol(rna::energy_of(sequence_of("sequence", sequence), text("structure", structure),
                                     *parameters_of(parameters), request));
}

/// The ensemble of one sequence, or a list of those of several.
nb::object ensemble_of(nb::handle sequence, const rna::EnsembleRequest& wanted, FoldRequest request,
                       nb::handle constraint, const std::shared_ptr<const Parameters>& parameters, Failures failures,
                       const CallOptions& options) {
  if (!are_several(sequence)) {
    const Sequence one = sequence_of("sequence", sequence, one_or_more_texts);
    request.constraint = constraint_of(constraint);
    auto [ensemble, report] = run(options, 3 * operations_of(one.size()), [&](const Options& limits) {
      return rna::ensemble(one, *parameters, limits, request, wanted);
    });
    return nb::cast(ComputedEnsemble{std::move(ensemble), std::move(report), request, wanted, parameters});
  }
  const std::vector<Sequence> sequences = sequences_of(nb::list(nb::borrow(sequence)), failures);
  const auto constraints = constraints_of(constraint);
  auto [ensembles, report] = run(options, 3 * operations_of(sequences), [&](const Options& limits) {
    return rna::ensemble_each(sequences, *parameters, failures.told(limits), request, wanted, constraints);
  });
  return failures.list_of(ensembles.size(), [&](std::size_t t) {
    return nb::cast(
        ComputedEnsemble{std::move(ensembles[t]), report, request_for(request, constraints, t), wanted, parameters});
  });
}

nb::object pair_probabilities(nb::handle sequence, nb::handle threshold, nb::handle max_window, nb::handle parameters,
                              nb::handle temperature, nb::handle dangles, nb::handle max_span, nb::handle lone_pairs,
                              nb::handle constraint, nb::handle stack_energies, nb::handle pair_energies,
                              nb::handle circular, nb::handle return_exceptions, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "sums are double");
  const auto energies = parameters_of(parameters);
  const rna::EnsembleRequest wanted{.threshold = real("threshold", threshold),
                                    .max_window = integer<std::size_t>("max_window", max_window)};
  const FoldRequest request =
      request_of(sequence, temperature, dangles, max_span, lone_pairs, stack_energies, pair_energies, circular);
  const Failures failures(truth("return_exceptions", return_exceptions));
  return ensemble_of(sequence, wanted, request, constraint, energies, failures, options);
}

nb::object sample_structures(nb::handle sequence, nb::handle count, nb::handle seed, nb::handle parameters,
                             nb::handle temperature, nb::handle dangles, nb::handle max_span, nb::handle lone_pairs,
                             nb::handle constraint, nb::handle stack_energies, nb::handle pair_energies,
                             nb::handle circular, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "sums are double");
  const auto energies = parameters_of(parameters);
  FoldRequest request =
      request_of(sequence, temperature, dangles, max_span, lone_pairs, stack_energies, pair_energies, circular);
  request.constraint = constraint_of(constraint);
  const Sequence one = sequence_of("sequence", sequence);
  const rna::EnsembleRequest wanted{
      .pairs = false, .samples = integer<std::size_t>("count", count), .seed = integer<std::uint64_t>("seed", seed)};
  const auto bases = static_cast<double>(one.size());
  const double operations = operations_of(one.size()) + static_cast<double>(wanted.samples) * bases * bases;
  const auto found = run(options, operations,
                         [&](const Options& limits) { return rna::ensemble(one, *energies, limits, request, wanted); });
  return nb::cast(found.solution.samples);
}

/// The energy `within` in 0.01 kcal/mol; None is none.
std::optional<rna::Energy> energy_within(nb::handle value) {
  if (value.is_none()) return {};
  const double energy = real("within", value);
  constexpr double most = 1000;
  if (energy >= 0 && energy <= most) return static_cast<rna::Energy>(std::lround(energy * 100));
  throw Error(ErrorKind::input, fmt::format("within is {}: a number from 0 to {} is accepted", energy, most));
}

/// What is listed: without a limit, all within the energy up to a bound, or some of any energy.
rna::SuboptimalRequest suboptimal_request(nb::handle within, nb::handle limit) {
  constexpr std::size_t most_within = 10'000, most_of_any = 1000;
  rna::SuboptimalRequest wanted{.within = energy_within(within)};
  wanted.limit = wanted.within ? most_within : most_of_any;
  if (!limit.is_none()) wanted.limit = integer<std::size_t>("limit", limit);
  return wanted;
}

/// Warns of structures within the energy that are not listed.
void warn_of_more(std::size_t listed, nb::handle within) {
  const std::string text =
      fmt::format("suboptimal_structures: {} structures are listed, more are within {} kcal/mol: limit= lists more",
                  listed, shown(within));
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) nb::raise_python_error();
}

nb::object suboptimal_structures(nb::handle sequence, nb::handle within, nb::handle limit, nb::handle parameters,
                                 nb::handle temperature, nb::handle dangles, nb::handle max_span, nb::handle lone_pairs,
                                 nb::handle constraint, nb::handle stack_energies, nb::handle pair_energies,
                                 nb::handle circular, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "energies are integers of 32 bits");
  const auto energies = parameters_of(parameters);
  FoldRequest request =
      request_of(sequence, temperature, dangles, max_span, lone_pairs, stack_energies, pair_energies, circular);
  request.constraint = constraint_of(constraint);
  const Sequence one = sequence_of("sequence", sequence);
  const rna::SuboptimalRequest wanted = suboptimal_request(within, limit);
  constexpr double of_a_base = 20;  // operations, for each structure
  const double operations =
      operations_of(one.size()) + of_a_base * static_cast<double>(one.size()) * static_cast<double>(wanted.limit);
  auto [found, report] = run(options, operations, [&](const Options& limits) {
    return rna::suboptimal(one, *energies, limits, request, wanted);
  });
  if (wanted.within && limit.is_none() && !found.is_complete) warn_of_more(found.structures.size(), within);
  nb::list all;
  for (rna::Folding& folding : found.structures) {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    all.append(nb::cast(FoldedSequence{one.letters(), std::move(folding), report, request, energies}));
  }
  return all;
}

/// The matrix of probabilities, symmetric.
nb::object matrix_of(const ComputedEnsemble& computed) {
  const std::size_t n = computed.ensemble.unpaired.size();
  std::vector<double> values(n * n);
  for (const auto& [i, j, probability] : computed.ensemble.pairs) {
    values[i * n + j] = values[j * n + i] = probability;
  }
  return array_of(std::move(values), {n, n});
}

nb::object probable_pairs_of(const ComputedEnsemble& computed) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [i, j, probability] : computed.ensemble.pairs) pairs.emplace_back(i, j);
  return array_of_pairs(pairs);
}

nb::object probabilities_of(const ComputedEnsemble& computed) {
  std::vector<double> values;
  for (const auto& pair : computed.ensemble.pairs) values.push_back(pair.probability);
  const std::size_t count = values.size();
  return array_of(std::move(values), {count});
}

nb::object unpaired_of(const ComputedEnsemble& computed) {
  std::vector<double> values = computed.ensemble.unpaired;
  const std::size_t count = values.size();
  return array_of(std::move(values), {count});
}

nb::object accessibility_of(const ComputedEnsemble& computed) {
  std::vector<double> values = computed.ensemble.accessibility;
  return array_of(std::move(values), {computed.ensemble.unpaired.size(), computed.wanted.max_window});
}

nb::object pairs_of(const FoldedSequence& folded) { return array_of_pairs(rna::pairs_of(folded.folding.structure)); }

}  // namespace

void bind_rna(nb::module_& module) {
  const std::string energies =
      "stack_energies: numpy.typing.ArrayLike | None = None, pair_energies: "
      "collections.abc.Sequence[tuple[int, int, float]] | numpy.typing.ArrayLike | None = None, circular: bool = False";
  const std::string model =
      "parameters: str | os.PathLike[str] = 'rules-1998', temperature: float = 37.0, dangles: int = 2";
  const std::string request =
      model + ", max_span: int = 0, lone_pairs: bool = True, constraint: str | None = None, " + energies + ", OPTIONS";
  const std::string requests = model +
                               ", max_span: int = 0, lone_pairs: bool = True, constraint: str | "
                               "collections.abc.Sequence[str] | None = None, " +
                               energies + ", return_exceptions: bool = False, OPTIONS";
  nb::class_<FoldedSequence>(module, "Folding", "A secondary structure of least free energy.")
      .def_prop_ro(
          "sequence", [](const FoldedSequence& folded) { return folded.sequence; },
          "its bases, in capitals with U for T")
      .def_prop_ro(
          "structure", [](const FoldedSequence& folded) { return folded.folding.structure; },
          "dot-bracket notation: a pair is ( and ), an unpaired base a dot")
      .def_prop_ro(
          "energy", [](const FoldedSequence& folded) { return kcal_per_mol(folded.folding.energy); },
          "free energy in kcal/mol")
      .def_prop_ro(
          "cost", [](const FoldedSequence& folded) { return folded.folding.energy; },
          "free energy in 0.01 kcal/mol, an integer")
      .def_prop_ro("pairs", &pairs_of, nb::sig("def pairs(self) -> numpy.typing.NDArray[numpy.int64]"),
                   "(k, 2): positions of the paired bases, from 0, by the first one")
      .def_prop_ro(
          "report", [](const FoldedSequence& folded) { return folded.report; }, "report of the run")
      .def(
          "__eq__",
          [](const FoldedSequence& folded, nb::handle other) {
            if (!nb::isinstance<FoldedSequence>(other)) return false;
            const auto& same = nb::cast<const FoldedSequence&>(other);
            return folded.sequence == same.sequence && folded.folding.structure == same.folding.structure &&
                   folded.folding.energy == same.folding.energy;
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const FoldedSequence& folded) { return std::hash<std::string>()(folded.folding.structure); })
      .def("__repr__", [](const FoldedSequence& folded) {
        return fmt::format("Folding('{}', energy={:.2f})", folded.folding.structure,
                           kcal_per_mol(folded.folding.energy));
      });
  nb::class_<ComputedEnsemble>(module, "Ensemble", "All secondary structures of a sequence, each with its probability.")
      .def_prop_ro(
          "energy", [](const ComputedEnsemble& computed) { return computed.ensemble.energy; },
          "free energy of the ensemble in kcal/mol: -kT ln Z")
      .def_prop_ro("pairs", &probable_pairs_of, nb::sig("def pairs(self) -> numpy.typing.NDArray[numpy.int64]"),
                   "(k, 2): positions of the bases of each pair, from 0, by the first one")
      .def_prop_ro("probabilities", &probabilities_of,
                   nb::sig("def probabilities(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(k,): the probability of each pair")
      .def_prop_ro("unpaired", &unpaired_of, nb::sig("def unpaired(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(n,): for each base the probability that it does not pair")
      .def_prop_ro(
          "accessibility", &accessibility_of, nb::sig("def accessibility(self) -> numpy.typing.NDArray[numpy.float64]"),
          "(n, max_window): in row i and column u - 1 the probability that base i and the u - 1 bases before it "
          "are all unpaired; nan if there are fewer")
      .def_prop_ro("matrix", &matrix_of, nb::sig("def matrix(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(n, n): the probability of each pair, 0 below the threshold")
      .def_prop_ro(
          "centroid", [](const ComputedEnsemble& computed) { return computed.ensemble.centroid; },
          "dot-bracket notation of the pairs with a probability above 1/2")
      .def(
          "most_accurate",
          [](const ComputedEnsemble& computed, nb::handle gamma) {
            return rna::most_accurate(computed.ensemble, real("gamma", gamma)).structure;
          },
          "gamma"_a = 1.0, nb::sig("def most_accurate(self, gamma: float = 1.0) -> str"),
          "The structure of maximum expected accuracy, in dot-bracket notation: the most of 2 gamma times the "
          "probabilities of its pairs, plus those of its unpaired bases. Pairs below the threshold are not in it.")
      .def_prop_ro(
          "report", [](const ComputedEnsemble& computed) { return computed.report; }, "report of the run")
      .def("__repr__", [](const ComputedEnsemble& computed) {
        return fmt::format("Ensemble('{}', energy={:.2f})", computed.ensemble.centroid, computed.ensemble.energy);
      });
  module.def("pair_probabilities", &pair_probabilities, "sequence"_required, nb::kw_only(), "threshold"_a = 1e-5,
             "max_window"_a = 0, "parameters"_a = "rules-1998", "temperature"_a = 37.0, "dangles"_a = 2,
             "max_span"_a = 0, "lone_pairs"_a = true, "constraint"_a = nb::none(), "stack_energies"_a = nb::none(),
             "pair_energies"_a = nb::none(), "circular"_a = false, "return_exceptions"_a = false, "options"_a,
             signature("pair_probabilities(sequence: str | collections.abc.Iterable[str], *, threshold: float = 1e-05, "
                       "max_window: int = 0, " +
                       requests + ") -> typing.Any"),
             R"(The probabilities of all base pairs of an RNA sequence, and the free energy of its ensemble.

A structure has the probability exp(-energy / kT) / Z, where Z is the sum over all structures. A list of sequences gives a
list of ensembles, each by one thread.

* threshold: the least probability of a pair that is listed.
* max_window: the most bases of the windows in `accessibility`, of sequences that are not circular; 0: none.
* The other arguments are those of fold.

The result is exact up to rounding, and does not overflow, whatever the length. Cost for n bases: n^3/2 operations,
20 n^2 bytes.)");
  module.def("sample_structures", &sample_structures, "sequence"_required, "count"_required, nb::kw_only(),
             "seed"_a = 0, "parameters"_a = "rules-1998", "temperature"_a = 37.0, "dangles"_a = 2, "max_span"_a = 0,
             "lone_pairs"_a = true, "constraint"_a = nb::none(), "stack_energies"_a = nb::none(),
             "pair_energies"_a = nb::none(), "circular"_a = false, "options"_a,
             signature("sample_structures(sequence: str, count: int, *, seed: int = 0, " + request + ") -> list[str]"),
             R"(Structures drawn from the ensemble of an RNA sequence, in dot-bracket notation.

Each is drawn with its probability exp(-energy / kT) / Z. A sample depends on the sequence, the seed and its number alone.
The other arguments are those of fold. Cost for n bases: n^3/6 operations, 20 n^2 bytes.)");
  module.def(
      "suboptimal_structures", &suboptimal_structures, "sequence"_required, nb::kw_only(), "within"_a = nb::none(),
      "limit"_a = nb::none(), "parameters"_a = "rules-1998", "temperature"_a = 37.0, "dangles"_a = 2, "max_span"_a = 0,
      "lone_pairs"_a = true, "constraint"_a = nb::none(), "stack_energies"_a = nb::none(),
      "pair_energies"_a = nb::none(), "circular"_a = false, "options"_a,
      signature("suboptimal_structures(sequence: str, *, within: float | None = None, limit: int | None = None, " +
                request + ") -> list[Folding]"),
      R"(The structures of an RNA sequence near the least free energy, by energy, each once.

* within: at most this much energy above the least, in kcal/mol; None: any.
* limit: the most structures; None: up to 10000 with within, and a RuntimeWarning if there are more, else up to 1000.
* The other arguments are those of fold.

The first one has the least energy. Structures of the same energy have an order that is the same on every machine. Cost for
n bases: that of fold with 10 n^2 bytes, then memory for each structure.)");
  module.def("fold", &fold, "sequence"_required, nb::kw_only(), "parameters"_a = "rules-1998", "temperature"_a = 37.0,
             "dangles"_a = 2, "max_span"_a = 0, "lone_pairs"_a = true, "constraint"_a = nb::none(),
             "stack_energies"_a = nb::none(), "pair_energies"_a = nb::none(), "circular"_a = false,
             "return_exceptions"_a = false, "options"_a,
             signature("fold(sequence: str | collections.abc.Iterable[str], *, " + requests + ") -> typing.Any"),
             R"(The secondary structure of least free energy of an RNA sequence, in the nearest-neighbor model.

* sequence: letters A, C, G, U, T and N; several sequences, in a list, an array or any iterable, give a list of foldings.
  On the CPU each is folded by one thread; a GPU folds many at the same time. "" has the empty structure, with an energy of 0.
* parameters: "rules-1998", the set that comes with warpfold, a file in the form "RNAfold parameter file v2.0", or the
  name of a set of an installed ViennaRNA, such as "turner2004".
* temperature: in degrees Celsius.
* dangles: 2: the bases beside a pair in a multiloop or outside add their energy; 0: they add nothing.
* max_span: the most bases from one end of a pair to the other; 0: any number.
* lone_pairs: False permits only pairs that are directly around another one or directly inside one.
* constraint: a character for each base: . any, x unpaired, | paired, < paired with a later base, > with an earlier one,
  ( ) paired with each other. For a list of sequences a list.
* stack_energies: n energies in kcal/mol: what a base adds to each stack that it is in, such as those of probing,
  1.8 * numpy.log(reactivity + 1) - 0.6. For one sequence.
* pair_energies: a list of (i, j, energy), or an array (n, 3): each structure with the pair of the bases i < j, from 0,
  gets this energy in kcal/mol. For one sequence.
* circular: True: the last base is beside the first one.
* return_exceptions: True: a sequence of a list that fails does not end the call. Its exception is in its place.

The result is exact. Pseudoknots are not in the model. Cost for n bases: n^3/6 + 248 n^2 operations, 4 n^2 bytes.)");
  module.def("fold_energy", &fold_energy, "sequence"_required, "structure"_required, nb::kw_only(),
             "parameters"_a = "rules-1998", "temperature"_a = 37.0, "dangles"_a = 2, "stack_energies"_a = nb::none(),
             "pair_energies"_a = nb::none(), "circular"_a = false,
             signature("fold_energy(sequence: str, structure: str, *, " + model + ", " + energies + ") -> float"),
             "The free energy of a structure in dot-bracket notation, in kcal/mol. Raises ValueError for a structure "
             "that the sequence or the model does not allow.");
  module.def(
      "verify",
      [](nb::handle problem, const FoldedSequence& folded) {
        return rna::verify(sequence_of("problem", problem), folded.folding, *folded.parameters, folded.request);
      },
      "problem"_required, "solution"_required, nb::sig("def verify(problem: str, solution: Folding) -> Verdict"),
      "Adds up the energy of the structure anew, loop by loop. It does not check that no structure has less. problem "
      "is the sequence.");
  module.def(
      "verify",
      [](nb::handle problem, const ComputedEnsemble& computed) {
        return rna::verify(sequence_of("problem", problem), computed.ensemble, *computed.parameters, {},
                           computed.request, computed.wanted);
      },
      "problem"_required, "solution"_required, nb::sig("def verify(problem: str, solution: Ensemble) -> Verdict"),
      "Computes the energy and the probabilities anew, by McCaskill's recurrence as it is written. problem is the "
      "sequence.");
}

}  // namespace warpfold::python
