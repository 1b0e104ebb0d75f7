#include "sequence_batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "algorithms.hpp"
#include "dtypes.hpp"
#include "io/printable.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

using formats::SequenceList;
using sequence::BatchRequest;
using sequence::Measure;
using sequence::SymbolView;

namespace {

/// The pairs that are held at a time.
constexpr std::size_t block = std::size_t{1} << 16;

const char* name_of(const SequenceOptions& options) {
  return options.pairs ? "--pairs" : options.all ? "--all" : "--nearest";
}

void check_batch(const SequenceOptions& options) {
  const std::pair<const char*, bool> rejected[] = {{"--json", options.solve.json},
                                                   {"--output", !options.solve.output.empty()},
                                                   {"--estimate", options.solve.estimate},
                                                   {"--strings", options.input.strings},
                                                   {"--iupac", options.input.iupac},
                                                   {"--transpositions", options.request.transpositions},
                                                   {"--unrestricted-transpositions", options.request.unrestricted},
                                                   {"--checkpoint", options.solve.checkpoint.has_value()},
                                                   {"--resume", options.solve.resume.has_value()}};
  for (const auto& [name, is_given] : rejected) {
    if (!is_given) continue;
    throw Error(ErrorKind::usage, fmt::format("{} prints lines of TSV: {} is not accepted", name_of(options), name));
  }
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
}

std::vector<SymbolView> views_of(const SequenceList& list) {
  std::vector<SymbolView> views;
  for (std::size_t at = 0; at < list.size(); ++at) views.push_back(list.symbols(at));
  return views;
}

/// Prints pairs of two lists block by block.
class BatchPrinter {
 public:
  BatchPrinter(const SequenceOptions& options, const BatchSolver& solver, const SequenceList& a, const SequenceList& b)
      : options_(options), solver_(solver), a_(a), b_(b), all_a_(views_of(a)), all_b_(views_of(b)) {}

  void print_pairs() {
    if (a_.size() != b_.size()) {
      throw Error(ErrorKind::input, fmt::format("{} has {} sequences and {} has {}: as many are accepted with --pairs",
                                                options_.words[0], a_.size(), options_.words[1], b_.size()));
    }
    for (std::size_t at = 0; at < a_.size(); ++at) add(at, at);
    print();
  }
  void print_all() {
    if (solver_.of_all) return print_rows();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      for (std::size_t j = 0; j < b_.size(); ++j) add(i, j);
    }
    print();
  }
  void print_nearest() {
    const auto found = solver_.nearest(all_a_, all_b_);
    for (std::size_t i = 0; i < a_.size(); ++i) {
      for (const sequence::Neighbor& neighbor : found[i]) add(i, neighbor.index);
    }
    print();
  }

 private:
  void add(std::size_t i, std::size_t j) {
    places_.emplace_back(i, j);
    if (places_.size() == block) print();
  }

  /// Some of A with all of B at a time.
  void print_rows() {
    const std::size_t rows = std::max<std::size_t>(1, block / std::max<std::size_t>(1, b_.size()));
    for (std::size_t first = 0; first < a_.size(); first += rows) {
      const auto some = SequenceViews(all_a_).subspan(first, std::min(rows, a_.size() - first));
      const auto columns = solver_.of_all(some, all_b_);
      for (std::size_t at = 0; at < columns.size(); ++at) {
        add_line(first + at / b_.size(), at % b_.size(), columns[at]);
      }
      write();
    }
  }

  void print() {
    std::vector<SymbolView> a, b;
    for (const auto& [i, j] : places_) a.push_back(all_a_[i]), b.push_back(all_b_[j]);
    const auto label = [&](std::size_t at) {
      return fmt::format("{} and {}", io::printable(a_.name(places_[at].first)),
                         io::printable(b_.name(places_[at].second)));
    };
    const auto columns = solver_.of_pairs(a, b, label);
    for (std::size_t at = 0; at < columns.size(); ++at) add_line(places_[at].first, places_[at].second, columns[at]);
    write();
    places_.clear();
  }
  void write() {
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    text_.clear();
  }
  void add_line(std::size_t i, std::size_t j, const std::string& columns) {
    fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}\n", a_.name(i), b_.name(j), all_a_[i].size(),
                   all_b_[j].size(), columns);
  }

  const SequenceOptions& options_;
  const BatchSolver& solver_;
  const SequenceList& a_;
  const SequenceList& b_;
  std::vector<SymbolView> all_a_, all_b_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
  fmt::memory_buffer text_;
};

/// Distances of many pairs, as columns.
class Distances {
 public:
  Distances(const SequenceOptions& options, Measure measure)
      : solve_(options.solve.resolve()), ties_(ties_named(options.ties)), request_{.measure = measure} {
    constexpr std::uint64_t most = 0x7FFFFFFF;
    const auto& bound = options.request.max_distance;
    if (bound) request_.max_distance = static_cast<std::uint32_t>(std::min(*bound, most));
  }

  [[nodiscard]] std::vector<std::string> of_pairs(SequenceViews a, SequenceViews b) const {
    const auto found = sequence::distances(a, b, solve_, request_).solution;
    std::vector<std::string> columns;
    columns.reserve(found.size());
    for (std::size_t at = 0; at < found.size(); ++at) columns.push_back(value_of(a[at], b[at], found[at]));
    return columns;
  }
  [[nodiscard]] std::vector<std::string> of_all(SequenceViews a, SequenceViews b) const {
    const auto found = sequence::cdist(a, b, solve_, request_).solution;
    std::vector<std::string> columns;
    columns.reserve(found.size());
    for (std::size_t at = 0; at < found.size(); ++at) {
      columns.push_back(value_of(a[at / b.size()], b[at % b.size()], found[at]));
    }
    return columns;
  }
  [[nodiscard]] std::vector<std::string> with_scripts(SequenceViews a, SequenceViews b) const {
    const auto found = sequence::scripts(a, b, solve_, request_, ties_).solution;
    std::vector<std::string> columns;
    for (std::size_t at = 0; at < found.size(); ++at) {
      columns.push_back(found[at] ? value_of(a[at], b[at], static_cast<std::uint64_t>(found[at]->cost())) + '\t' +
                                        found[at]->cigar()
                                  : "-\t-");
    }
    return columns;
  }
  [[nodiscard]] std::vector<std::vector<sequence::Neighbor>> nearest(SequenceViews a, SequenceViews b, std::size_t k,
                                                                     bool with_script) const {
    Options limits = solve_;
    if (with_script) limits.algorithm.clear();  // it is one of scripts
    return sequence::nearest(a, b, k, limits, request_).solution;
  }

 private:
  [[nodiscard]] std::string value_of(const SymbolView& a, const SymbolView& b, std::uint64_t distance) const {
    if (request_.max_distance && distance > *request_.max_distance) return "-";
    return std::to_string(request_.measure == Measure::edit ? distance : (a.size() + b.size() - distance) / 2);
  }

  Options solve_;
  sequence::Ties ties_;
  BatchRequest request_;
};

}  // namespace

void add_batch_options(Command command, SequenceOptions& options, bool has_nearest) {
  const Argument pairs = command.flag("--pairs", options.pairs,
                                      "many sequences of each file, records of FASTA or lines: a line of TSV for those "
                                      "at the same place");
  const Argument all =
      command.flag("--all", options.all, "the same for every one of the first file and every one of the second")
          .excludes(pairs);
  if (!has_nearest) return;
  command
      .number("--nearest", options.nearest,
              "the same for every one of the first file and the K of the second that are nearest to it", 1)
      .takes("K")
      .excludes(pairs)
      .excludes(all);
}

bool wants_batch(const SequenceOptions& options) { return options.pairs || options.all || options.nearest; }

void run_batch(const SequenceOptions& options, const BatchSolver& solver) {
  check_batch(options);
  const formats::SequenceFormat& format = format_of(options.words, options.input);
  check_fits(options.input, format.name);
  const formats::SequenceReading reading{.keep_case = options.input.keep_case, .ignore_ends = false};
  const SequenceList a = formats::read_sequence_list(options.words[0], format, reading, options.input.ignore_case);
  const SequenceList b = formats::read_sequence_list(options.words[1], format, reading, options.input.ignore_case);
  BatchPrinter printer(options, solver, a, b);
  if (options.pairs) return printer.print_pairs();
  options.all ? printer.print_all() : printer.print_nearest();
}

void run_batch_of_distances(const SequenceOptions& options, Measure measure) {
  if (!options.script) check_algorithm(options.solve, sequence::batch_algorithms());
  const Distances distances(options, measure);
  BatchSolver solver;
  if (options.script) {
    solver.of_pairs = [&](SequenceViews a, SequenceViews b, const PairLabel&) { return distances.with_scripts(a, b); };
  } else {
    solver.of_pairs = [&](SequenceViews a, SequenceViews b, const PairLabel&) { return distances.of_pairs(a, b); };
    solver.of_all = [&](SequenceViews a, SequenceViews b) { return distances.of_all(a, b); };
  }
  solver.nearest = [&](SequenceViews a, SequenceViews b) {
    return distances.nearest(a, b, *options.nearest, options.script);
  };
  run_batch(options, solver);
}

}  // namespace warpfold::app
