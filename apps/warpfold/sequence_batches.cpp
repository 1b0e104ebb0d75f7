#include "sequence_batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "algorithms.hpp"
#include "dtypes.hpp"
#include "formats/sequence_blocks.hpp"
#include "io/printable.hpp"
#include "outputs.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

using formats::BlockLimits;
using formats::SequenceBlocks;
using formats::SequenceList;
using sequence::BatchRequest;
using sequence::Measure;
using sequence::SymbolView;

namespace {

/// What is held at a time: so many pairs, and so many symbols of a file.
constexpr std::size_t block_pairs = std::size_t{1} << 16, block_symbols = std::size_t{1} << 26;

using WriteText = std::function<void(std::string_view)>;

const char* name_of(const SequenceOptions& options) {
  return options.pairs ? "--pairs" : options.all ? "--all" : "--nearest";
}

void check_batch(const SequenceOptions& options) {
  const std::pair<const char*, bool> rejected[] = {{"--json", options.solve.json},
                                                   {"--estimate", options.solve.estimate},
                                                   {"--ranks", options.solve.ranks},
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
  require_extension("--output", options.solve.output, ".tsv", fmt::format(" with {}", name_of(options)));
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
}

/// Makes symbols 4 bytes wide.
void widen(SequenceList& list) {
  for (const char c : std::exchange(list.content, {})) list.points.push_back(static_cast<unsigned char>(c));
}

/// The sequences of a file that are held at a time.
class HeldBlock {
 public:
  HeldBlock(std::string path, SequenceBlocks blocks, bool is_wide)
      : path_(std::move(path)), blocks_(std::move(blocks)), is_wide_(is_wide) {}

  /// Reads the next block if all sequences were used. Returns whether there are any.
  bool refill(const BlockLimits& limits) {
    if (left() > 0) return true;
    read(limits);
    for (std::size_t at = 0; at < list_.size(); ++at) views_.push_back(list_.symbols(at));
    return left() > 0;
  }
  /// The sequences that were not used yet.
  [[nodiscard]] SequenceViews views() const { return SequenceViews(views_).subspan(used_); }
  [[nodiscard]] std::size_t left() const { return list_.size() - used_; }
  [[nodiscard]] std::string name(std::size_t at) const { return list_.name(used_ + at); }
  void use(std::size_t count) { used_ += count; }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_last() const { return is_last_; }
  /// The number of all sequences of the file, which is read to its end.
  [[nodiscard]] std::size_t count_all() {
    while (!is_last_) read({.symbols = block_symbols});
    return before_ + list_.size();
  }

 private:
  void read(const BlockLimits& limits) {
    before_ += list_.size();
    used_ = 0;
    views_.clear();
    list_ = {};  // before there is another one
    list_ = blocks_(limits);
    is_last_ = !limits.are_reached(list_.size(), list_.total_symbols());
    if (is_wide_) widen(list_);
  }

  std::string path_;
  SequenceBlocks blocks_;
  bool is_wide_;
  SequenceList list_ = {};
  std::vector<SymbolView> views_ = {};
  std::size_t used_ = 0, before_ = 0;
  bool is_last_ = false;
};

/// Prints pairs of two files block by block.
class BatchPrinter {
 public:
  BatchPrinter(const BatchSolver& solver, HeldBlock a, HeldBlock b, WriteText write)
      : solver_(solver), a_(std::move(a)), b_(std::move(b)), write_(std::move(write)) {}

  void print_pairs() {
    const BlockLimits limits{.sequences = block_pairs, .symbols = block_symbols};
    while (true) {
      a_.refill(limits);
      b_.refill(limits);
      check_numbers();
      const std::size_t count = std::min(a_.left(), b_.left());
      if (count == 0) return;
      for (std::size_t at = 0; at < count; ++at) places_.emplace_back(at, at);
      print_places();
      a_.use(count);
      b_.use(count);
    }
  }
  void print_all() {
    b_.refill({});
    const std::size_t rows = std::max<std::size_t>(1, block_pairs / std::max<std::size_t>(1, b_.left()));
    for_blocks_of_a(rows, [this] { solver_.of_all ? print_rows() : print_pairs_of_rows(); });
  }
  void print_nearest() {
    b_.refill({});
    for_blocks_of_a(block_pairs, [this] {
      const auto found = solver_.nearest(a_.views(), b_.views());
      for (std::size_t i = 0; i < found.size(); ++i) {
        for (const sequence::Neighbor& neighbor : found[i]) add(i, neighbor.index);
      }
      print_places();
    });
  }

 private:
  /// Raises Error{input} if one file ends before the other one.
  void check_numbers() {
    const bool is_ended = (a_.is_last() && a_.left() < b_.left()) || (b_.is_last() && b_.left() < a_.left());
    if (!is_ended) return;
    throw Error(ErrorKind::input, fmt::format("{} has {} sequences and {} has {}: as many are accepted with --pairs",
                                              a_.path(), a_.count_all(), b_.path(), b_.count_all()));
  }

  template <class Print>
  void for_blocks_of_a(std::size_t sequences, const Print& print) {
    while (a_.refill({.sequences = sequences, .symbols = block_symbols})) {
      print();
      a_.use(a_.left());
    }
  }

  void print_rows() {
    const auto columns = solver_.of_all(a_.views(), b_.views());
    for (std::size_t at = 0; at < columns.size(); ++at) add_line(at / b_.left(), at % b_.left(), columns[at]);
    write();
  }
  void print_pairs_of_rows() {
    for (std::size_t i = 0; i < a_.left(); ++i) {
      for (std::size_t j = 0; j < b_.left(); ++j) add(i, j);
    }
    print_places();
  }

  void add(std::size_t i, std::size_t j) {
    places_.emplace_back(i, j);
    if (places_.size() == block_pairs) print_places();
  }
  void print_places() {
    std::vector<SymbolView> a, b;
    for (const auto& [i, j] : places_) a.push_back(a_.views()[i]), b.push_back(b_.views()[j]);
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
    write_({text_.data(), text_.size()});
    text_.clear();
  }
  void add_line(std::size_t i, std::size_t j, const std::string& columns) {
    fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}\n", a_.name(i), b_.name(j), a_.views()[i].size(),
                   b_.views()[j].size(), columns);
  }

  const BatchSolver& solver_;
  HeldBlock a_, b_;
  WriteText write_;
  std::vector<std::pair<std::size_t, std::size_t>> places_ = {};  ///< of the pairs to be solved, in both blocks
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
  const auto held = [&](const std::string& path) {
    return HeldBlock(path, formats::sequence_blocks(path, format, reading, options.input.ignore_case), solver.is_wide);
  };
  HeldBlock a = held(options.words[0]), b = held(options.words[1]);
  const auto print = [&](const WriteText& write) {
    BatchPrinter printer(solver, std::move(a), std::move(b), write);
    if (options.pairs) return printer.print_pairs();
    options.all ? printer.print_all() : printer.print_nearest();
  };
  if (options.solve.output.empty()) return print(write_output);
  io::write_file(options.solve.output, [&](std::ostream& out) { print([&](std::string_view text) { out << text; }); });
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
