#include <fmt/format.h>

#include <random>

#include "equivalence/rna/drawn.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/rna/suboptimal.hpp"

namespace warpfold::fuzz {
namespace {

using namespace rna;

/// A sequence, the energies of its loops and what is asked of them.
struct DrawnFolding {
  Sequence sequence;
  Parameters parameters;
  FoldRequest request;

  [[nodiscard]] std::string text() const {
    return fmt::format("{}, dangles {}, span {}, lone pairs {}, circular {}, constraint '{}', {} pairs and {} stacks",
                       sequence.letters(), request.dangles, request.max_span, request.lone_pairs, request.circular,
                       request.constraint, request.pair_energies.size(), request.stack_energies.size());
  }
};

Energy drawn_energy(Bytes& bytes) { return static_cast<Energy>(bytes.between(-300, 300)); }

std::vector<PairEnergy> drawn_pairs(Bytes& bytes, std::size_t size) {
  std::vector<PairEnergy> pairs;
  for (std::uint32_t j = 0; j < size; ++j) {
    for (std::uint32_t i = 0; i < j; ++i) {
      if (bytes.one_in(size)) pairs.push_back({i, j, drawn_energy(bytes)});
    }
  }
  return pairs;
}

DrawnFolding drawn_folding(Bytes& bytes, std::size_t most) {
  const std::size_t size = 1 + bytes.size(most);
  const auto letters = bytes.pick<std::string_view>({"ACGU", "GC", "GU", "ACGUN", "AU", "GGGCA"});
  std::string drawn;
  const std::size_t period = bytes.one_in(4) ? 1 + bytes.below(8) : size;  // sequences that repeat have many ties
  while (drawn.size() < size) {
    drawn += drawn.size() < period ? letters[bytes.below(letters.size())] : drawn[drawn.size() - period];
  }
  DrawnFolding folding{Sequence(drawn), rules_1998(), {}};
  if (bytes.one_in(2)) folding.parameters = rna::test::drawn_parameters(static_cast<unsigned>(bytes.below(1000)));
  FoldRequest& request = folding.request;
  request.temperature = bytes.pick({37.0, 37.0, 20.0, 61.5});
  request.dangles = bytes.pick({0, 2});
  request.circular = bytes.one_in(5);
  request.lone_pairs = request.circular || !bytes.one_in(3);
  if (!request.circular && bytes.one_in(4)) request.max_span = 1 + bytes.below(size + 4);
  if (bytes.one_in(4)) {
    std::mt19937 random(static_cast<unsigned>(bytes.below(1000)));
    request.constraint = rna::test::random_constraint(random, size);
  }
  if (bytes.one_in(5)) {
    for (std::size_t base = 0; base < size; ++base) request.stack_energies.push_back(drawn_energy(bytes));
  }
  if (bytes.one_in(5)) request.pair_energies = drawn_pairs(bytes, size);
  return folding;
}

std::string text_of(const Folding& folding) { return fmt::format("{} {}", folding.structure, folding.energy); }

/// The least energy by every algorithm, against the naive loops.
void fold_drawn(Bytes& bytes) {
  const DrawnFolding drawn = drawn_folding(bytes, 140);
  const auto solved = [&](const Options& options) {
    const Folding found = fold(drawn.sequence, drawn.parameters, options, drawn.request).solution;
    expect(verify(drawn.sequence, found, drawn.parameters, drawn.request), drawn.text());
    return text_of(found);
  };
  expect_alike(drawn.text(), answer([&] { return solved(by("reference")); }), {"", "tiled"}, solved);
}

std::string text_of(const Ensemble& found) {
  std::string text = bits(found.energy) + found.centroid + bits(found.unpaired);
  for (const PairProbability& pair : found.pairs) text += bits(pair.i) + bits(pair.j) + bits(pair.probability);
  for (const std::string& sample : found.samples) text += sample;
  return text;
}

/// The ensemble's bits, and its verification by plain loops.
void sum_drawn(Bytes& bytes) {
  DrawnFolding drawn = drawn_folding(bytes, 100);
  drawn.request.circular = false;
  const EnsembleRequest wanted{
      .pairs = !bytes.one_in(4), .threshold = bytes.pick({1e-5, 0.0, 0.3}), .samples = bytes.below(4)};
  const auto solved = [&](const Options& options) {
    return text_of(ensemble(drawn.sequence, drawn.parameters, options, drawn.request, wanted).solution);
  };
  const std::string expected = answer([&] {
    const Ensemble found = ensemble(drawn.sequence, drawn.parameters, by("tiled"), drawn.request, wanted).solution;
    expect(verify(drawn.sequence, found, drawn.parameters, {}, drawn.request, wanted), drawn.text());
    return text_of(found);
  });
  expect_alike("the ensemble of " + drawn.text(), expected, {"", "tiled"}, solved);
}

/// All structures within an energy of the least, by trying them all, as lines.
std::vector<std::string> all_within(const DrawnFolding& drawn, Energy most) {
  std::vector<std::string> lines;
  rna::test::for_each_structure(drawn.sequence, drawn.parameters, drawn.request,
                                [&](const std::string& structure, Energy energy) {
                                  if (energy <= most) lines.push_back(text_of(Folding{energy, structure}));
                                });
  std::ranges::sort(lines);
  return lines;
}

/// The structures near the least energy: each once, by energy, from the least on, and all of a short sequence.
void check_list(const DrawnFolding& drawn, const SuboptimalRequest& wanted, const Suboptimal& found) {
  const Energy least = fold(drawn.sequence, drawn.parameters, by("tiled"), drawn.request).solution.energy;
  expect(found.structures.size() <= wanted.limit, drawn.text() + ": more structures than the limit");
  std::vector<std::string> lines;
  Energy last = least;
  for (const Folding& folding : found.structures) {
    expect(verify(drawn.sequence, folding, drawn.parameters, drawn.request), drawn.text());
    expect(folding.energy >= last && folding.energy <= least + wanted.within.value_or(no_loop),
           drawn.text() + ": the list is not in order");
    last = folding.energy;
    lines.push_back(text_of(folding));
  }
  expect(!lines.empty() && found.structures[0].energy == least, drawn.text() + ": the list begins later");
  std::ranges::sort(lines);
  expect(std::ranges::adjacent_find(lines) == lines.end(), drawn.text() + ": a structure is listed twice");
  if (!found.is_complete || drawn.sequence.size() > 16) return;
  const Energy most = wanted.within ? least + *wanted.within : no_loop;
  expect(lines == all_within(drawn, most), drawn.text() + ": the list is not that of all structures");
}

void list_drawn(Bytes& bytes) {
  DrawnFolding drawn = drawn_folding(bytes, 100);
  drawn.request.circular = false;
  SuboptimalRequest wanted{.limit = 1 + bytes.below(300)};
  if (bytes.one_in(2)) wanted.within = static_cast<Energy>(bytes.below(400));
  const auto solved = [&](const Options& options) {
    const Suboptimal found = suboptimal(drawn.sequence, drawn.parameters, options, drawn.request, wanted).solution;
    std::string text = found.is_complete ? "all" : "some";
    for (const Folding& folding : found.structures) text += '\n' + text_of(folding);
    return text;
  };
  const std::string expected = answer([&] {
    check_list(drawn, wanted, suboptimal(drawn.sequence, drawn.parameters, by(""), drawn.request, wanted).solution);
    return solved(by(""));
  });
  expect_runs_alike(fmt::format("{} structures of {}", wanted.limit, drawn.text()), expected, {"", "tiled"}, solved);
}

void run(Bytes& bytes) {
  switch (bytes.below(3)) {
    case 0:
      return fold_drawn(bytes);
    case 1:
      return sum_drawn(bytes);
    default:
      return list_drawn(bytes);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, [](warpfold::fuzz::Bytes& bytes) { warpfold::fuzz::run(bytes); });
}
