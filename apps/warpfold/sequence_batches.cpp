#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include "algorithms.hpp"
#include "dtypes.hpp"
#include "sequence_input.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::app {

using formats::SequenceList;
using sequence::BatchRequest;
using sequence::Measure;
using sequence::Script;
using sequence::SymbolView;

namespace {

/// The pairs that are held at a time.
constexpr std::size_t block = std::size_t{1} << 16;

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
    throw Error(ErrorKind::usage,
                fmt::format("{} prints lines of TSV: {} is not accepted", options.pairs ? "--pairs" : "--all", name));
  }
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
  if (!options.script) check_algorithm(options.solve, sequence::batch_algorithms());
}

/// Some pairs of both lists, by their places.
struct PairPlaces {
  std::vector<std::size_t> a, b;

  [[nodiscard]] static std::vector<SymbolView> of(const SequenceList& list, const std::vector<std::size_t>& places) {
    std::vector<SymbolView> views;
    views.reserve(places.size());
    for (const std::size_t at : places) views.push_back(list.symbols(at));
    return views;
  }
};

std::vector<SymbolView> views_of(const SequenceList& list) {
  std::vector<SymbolView> views;
  for (std::size_t at = 0; at < list.size(); ++at) views.push_back(list.symbols(at));
  return views;
}

/// Prints the pairs of two lists block by block.
class BatchPrinter {
 public:
  BatchPrinter(const SequenceOptions& options, Measure measure, const SequenceList& a, const SequenceList& b)
      : options_(options), solve_(options.solve.resolve()), measure_(measure), a_(a), b_(b) {
    request_.measure = measure;
    if (options.request.max_distance) {
      constexpr std::uint64_t most = 0x7FFFFFFF;
      request_.max_distance = static_cast<std::uint32_t>(std::min(*options.request.max_distance, most));
    }
  }

  void print_pairs() {
    if (a_.size() != b_.size()) {
      throw Error(ErrorKind::input, fmt::format("{} has {} sequences and {} has {}: as many are accepted with --pairs",
                                                options_.words[0], a_.size(), options_.words[1], b_.size()));
    }
    for (std::size_t at = 0; at < a_.size(); ++at) add(at, at);
    print();
  }
  void print_all() {
    if (!options_.script) return print_rows();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      for (std::size_t j = 0; j < b_.size(); ++j) add(i, j);
    }
    print();
  }

 private:
  void add(std::size_t i, std::size_t j) {
    places_.a.push_back(i), places_.b.push_back(j);
    if (places_.a.size() == block) print();
  }

  /// Some of A with all of B at a time.
  void print_rows() {
    const auto a = views_of(a_), b = views_of(b_);
    const std::size_t rows = std::max<std::size_t>(1, block / std::max<std::size_t>(1, b.size()));
    for (std::size_t first = 0; first < a.size(); first += rows) {
      const auto some = std::span(a).subspan(first, std::min(rows, a.size() - first));
      const auto found = sequence::cdist(some, b, solve_, request_).solution;
      for (std::size_t at = 0; at < found.size(); ++at) {
        add_line(first + at / b.size(), at % b.size(), found[at], nullptr);
      }
      write();
    }
  }

  void print() {
    const auto a = PairPlaces::of(a_, places_.a), b = PairPlaces::of(b_, places_.b);
    if (options_.script) {
      print_scripts(sequence::scripts(a, b, solve_, request_, ties_named(options_.ties)).solution);
    } else {
      const auto found = sequence::distances(a, b, solve_, request_).solution;
      for (std::size_t at = 0; at < found.size(); ++at) add_line(places_.a[at], places_.b[at], found[at], nullptr);
    }
    write();
    places_ = {};
  }
  void write() {
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    text_.clear();
  }

  void print_scripts(const std::vector<std::optional<Script>>& found) {
    for (std::size_t at = 0; at < found.size(); ++at) {
      const std::int64_t distance = found[at] ? found[at]->cost() : std::int64_t{*request_.max_distance} + 1;
      add_line(places_.a[at], places_.b[at], static_cast<std::uint32_t>(distance), found[at] ? &*found[at] : nullptr);
    }
  }

  void add_line(std::size_t i, std::size_t j, std::uint32_t distance, const Script* script) {
    const std::size_t n = a_.symbols(i).size(), m = b_.symbols(j).size();
    const bool is_known = !request_.max_distance || distance <= *request_.max_distance;
    const std::size_t value = measure_ == Measure::edit ? distance : (n + m - distance) / 2;
    fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}", a_.name(i), b_.name(j), n, m,
                   is_known ? fmt::format("{}", value) : "-");
    if (options_.script) fmt::format_to(std::back_inserter(text_), "\t{}", script ? script->cigar() : "-");
    text_.push_back('\n');
  }

  const SequenceOptions& options_;
  Options solve_;
  Measure measure_;
  const SequenceList& a_;
  const SequenceList& b_;
  BatchRequest request_;
  PairPlaces places_;
  fmt::memory_buffer text_;
};

}  // namespace

void add_batch_options(Command command, SequenceOptions& options) {
  const Argument pairs = command.flag("--pairs", options.pairs,
                                      "many sequences of each file, records of FASTA or lines: a line of TSV for those "
                                      "at the same place");
  command.flag("--all", options.all, "the same for every one of the first file and every one of the second")
      .excludes(pairs);
}

void run_batch(const SequenceOptions& options, Measure measure) {
  check_batch(options);
  const formats::SequenceFormat& format = format_of(options.words, options.input);
  check_fits(options.input, format.name);
  const formats::SequenceReading reading{.keep_case = options.input.keep_case, .ignore_ends = false};
  const SequenceList a = formats::read_sequence_list(options.words[0], format, reading, options.input.ignore_case);
  const SequenceList b = formats::read_sequence_list(options.words[1], format, reading, options.input.ignore_case);
  BatchPrinter printer(options, measure, a, b);
  options.pairs ? printer.print_pairs() : printer.print_all();
}

}  // namespace warpfold::app
