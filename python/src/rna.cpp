#include <fmt/format.h>

#include "binding.hpp"
#include "io/text.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::python {

namespace {

using rna::FoldRequest;
using rna::Parameters;
using rna::Sequence;

/// A folding with what it was folded by.
struct FoldedSequence {
  rna::Folding folding;
  Report report;
  FoldRequest request;
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

FoldRequest request_of(nb::handle temperature, nb::handle dangles, nb::handle max_span) {
  return {.temperature = real("temperature", temperature),
          .dangles = integer<int>("dangles", dangles),
          .max_span = integer<std::size_t>("max_span", max_span)};
}

Sequence sequence_of(const char* name, nb::handle value) {
  const std::string letters = text(name, value, "text, or a list of texts, is accepted");
  return io::with_file_context(name, [&] { return Sequence(letters); });
}

/// At least about the operations of folding n bases.
double operations_of(std::size_t n) {
  const auto bases = static_cast<double>(n);
  return bases * bases * (bases / 6 + 248);
}

nb::object fold_one(nb::handle value, const FoldRequest& request, const std::shared_ptr<const Parameters>& parameters,
                    const CallOptions& options) {
  const Sequence sequence = sequence_of("sequence", value);
  auto [folding, report] = run(options, operations_of(sequence.size()), [&](const Options& limits) {
    return rna::fold(sequence, *parameters, limits, request);
  });
  return nb::cast(FoldedSequence{std::move(folding), std::move(report), request, parameters});
}

nb::object fold_list(const nb::list& values, const FoldRequest& request,
                     const std::shared_ptr<const Parameters>& parameters, const CallOptions& options) {
  std::vector<Sequence> sequences;
  double operations = 0;
  for (const nb::handle value : values) {
    sequences.push_back(sequence_of(fmt::format("sequence[{}]", sequences.size()).c_str(), value));
    operations += operations_of(sequences.back().size());
  }
  auto [foldings, report] = run(options, operations, [&](const Options& limits) {
    return rna::fold_each(sequences, *parameters, limits, request);
  });
  nb::list all;
  for (rna::Folding& folding : foldings) {
    all.append(nb::cast(FoldedSequence{std::move(folding), report, request, parameters}));
  }
  return all;
}

nb::object fold(nb::handle sequence, nb::handle parameters, nb::handle temperature, nb::handle dangles,
                nb::handle max_span, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "energies are integers of 32 bits");
  const auto energies = parameters_of(parameters);
  const FoldRequest request = request_of(temperature, dangles, max_span);
  if (!PyList_Check(sequence.ptr()) && !PyTuple_Check(sequence.ptr()))
    return fold_one(sequence, request, energies, options);
  return fold_list(nb::list(nb::borrow(sequence)), request, energies, options);
}

double fold_energy(nb::handle sequence, nb::handle structure, nb::handle parameters, nb::handle temperature,
                   nb::handle dangles) {
  return kcal_per_mol(rna::energy_of(sequence_of("sequence", sequence), text("structure", structure),
                                     *parameters_of(parameters), request_of(temperature, dangles, nb::int_(0))));
}

nb::object pairs_of(const FoldedSequence& folded) { return array_of_pairs(rna::pairs_of(folded.folding.structure)); }

}  // namespace

void bind_rna(nb::module_& module) {
  nb::class_<FoldedSequence>(module, "Folding", "A secondary structure of least free energy.")
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
      .def("__repr__", [](const FoldedSequence& folded) {
        return fmt::format("Folding('{}', energy={:.2f})", folded.folding.structure,
                           kcal_per_mol(folded.folding.energy));
      });
  module.def("fold", &fold, "sequence"_required, nb::kw_only(), "parameters"_a = "rules-1998", "temperature"_a = 37.0,
             "dangles"_a = 2, "max_span"_a = 0, "options"_a,
             signature("fold(sequence: str | collections.abc.Sequence[str], *, parameters: str | os.PathLike[str] = "
                       "'rules-1998', temperature: float = 37.0, dangles: int = 2, max_span: int = 0, OPTIONS) -> "
                       "typing.Any"),
             R"(The secondary structure of least free energy of an RNA sequence, in the nearest-neighbor model.

* sequence: letters A, C, G, U, T and N; a list of sequences gives a list of foldings, each by one thread.
* parameters: "rules-1998", the set that comes with warpfold, or a file in the form "RNAfold parameter file v2.0".
* temperature: in degrees Celsius.
* dangles: 2: the bases beside a pair in a multiloop or outside add their energy; 0: they add nothing.
* max_span: the most bases from one end of a pair to the other; 0: any number.

The result is exact. Pseudoknots are not in the model. Cost for n bases: n^3/6 + 248 n^2 operations, 8 n^2 bytes.)");
  module.def("fold_energy", &fold_energy, "sequence"_required, "structure"_required, nb::kw_only(),
             "parameters"_a = "rules-1998", "temperature"_a = 37.0, "dangles"_a = 2,
             nb::sig("def fold_energy(sequence: str, structure: str, *, parameters: str | os.PathLike[str] = "
                     "'rules-1998', temperature: float = 37.0, dangles: int = 2) -> float"),
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
}

}  // namespace warpfold::python
