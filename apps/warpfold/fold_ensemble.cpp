#include "fold_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "warpfold/io/npz.hpp"

namespace warpfold::app {

using rna::Ensemble;

namespace {

/// The name of a record, or without one its number from 1.
std::string name_of(const FoldBlock& block, std::size_t t) {
  return block.records[t].name.empty() ? std::to_string(block.first + t + 1) : block.records[t].name;
}

void write_table(std::ostream& out, const FoldBlock& block, const std::vector<Ensemble>& ensembles) {
  if (block.first == 0) out << "name\ti\tj\tprobability\n";
  for (std::size_t t = 0; t < block.records.size(); ++t) {
    const std::string name = name_of(block, t);
    for (const auto& [i, j, probability] : ensembles[t].pairs) {
      out << fmt::format("{}\t{}\t{}\t{}\n", name, i + 1, j + 1, probability);
    }
  }
}

/// A square for each pair, whose area is its probability, in the row of its first base and the column of its second.
void draw_dots(std::ostream& out, std::size_t bases, const Ensemble& ensemble) {
  const double scale = 720 / static_cast<double>(std::max<std::size_t>(bases, 1));
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 -1 722 722\">\n"
         "<path d=\"M0 0H720V720Z\" fill=\"none\" stroke=\"#888\" stroke-width=\"0.5\"/>\n";
  for (const auto& [i, j, probability] : ensemble.pairs) {
    const double side = std::sqrt(probability) * scale, inset = (scale - side) / 2;
    out << fmt::format("<rect x=\"{:.3f}\" y=\"{:.3f}\" width=\"{:.3f}\" height=\"{:.3f}\"/>\n", j * scale + inset,
                       i * scale + inset, side, side);
  }
  out << "</svg>\n";
}

/// Arrays from which scipy.sparse.load_npz makes the matrix of probabilities, with those of unpaired bases.
std::string npz_content(const Ensemble& ensemble) {
  std::vector<std::int64_t> row, column;
  std::vector<double> probabilities;
  for (const auto& [i, j, probability] : ensemble.pairs) {
    row.push_back(i);
    column.push_back(j);
    probabilities.push_back(probability);
  }
  const std::size_t bases = ensemble.unpaired.size();
  const std::vector<std::int64_t> shape(2, static_cast<std::int64_t>(bases));
  io::NpzContent content;
  content.add("format", "coo");
  content.add("shape", shape, {2});
  content.add("row", row, {row.size()});
  content.add("col", column, {column.size()});
  content.add("data", probabilities, {probabilities.size()});
  content.add("unpaired", ensemble.unpaired, {bases});
  return content.bytes();
}

}  // namespace

std::string ensemble_text(const Ensemble& ensemble) {
  const double energy = std::abs(ensemble.energy) < 0.005 ? 0 : ensemble.energy;  // not -0.00
  std::string text = fmt::format("{} [{:6.2f}]\n", ensemble.centroid, energy);
  for (const std::string& sample : ensemble.samples) text += sample + '\n';
  return text;
}

void add_ensemble(Json& record, const Ensemble& ensemble) {
  record["ensemble_energy"] = ensemble.energy;
  record["centroid"] = ensemble.centroid;
  if (!ensemble.samples.empty()) record["samples"] = ensemble.samples;
}

void write_probabilities(std::ostream& out, const std::string& ending, const FoldBlock& block,
                         const std::vector<Ensemble>& ensembles) {
  if (ending == ".npz") {
    out << npz_content(ensembles[0]);
  } else if (ending == ".svg") {
    draw_dots(out, block.records[0].sequence.size(), ensembles[0]);
  } else {
    write_table(out, block, ensembles);
  }
}

void write_accessibility(std::ostream& out, const FoldBlock& block, const std::vector<Ensemble>& ensembles,
                         std::size_t max_window) {
  if (block.first == 0) {
    out << "name\ti";
    for (std::size_t u = 1; u <= max_window; ++u) out << '\t' << u;
    out << '\n';
  }
  for (std::size_t t = 0; t < block.records.size(); ++t) {
    const std::vector<double>& windows = ensembles[t].accessibility;
    for (std::size_t at = 0; at < windows.size(); ++at) {
      if (at % max_window == 0) out << fmt::format("{}\t{}", name_of(block, t), at / max_window + 1);
      out << (std::isnan(windows[at]) ? "\tNA" : fmt::format("\t{}", windows[at]));
      if ((at + 1) % max_window == 0) out << '\n';
    }
  }
}

}  // namespace warpfold::app
