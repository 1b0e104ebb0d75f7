#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "papers/papers.hpp"
#include "papers/traced.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace {

using List = std::vector<std::int64_t>;

/// The pipeline. The paper counts threads from 1.
Drawing pipeline(const List& offsets, std::uint64_t n) {
  Table1d table = sdp_table(offsets);
  table.first_thread = 1;
  const auto terms = static_cast<std::uint32_t>(offsets.size());
  return {step_part(traced("sdp-pipeline", sdp_request(offsets, n, terms)), table)};
}

Drawing figure_3() { return pipeline({5, 3, 1}, 12); }

Drawing figure_4() {
  Drawing drawing = pipeline({4, 3, 2, 1}, 10);
  drawing.front().notes.push_back(
      "with consecutive offsets all threads read one element: the paper has them take turns, four times as long; "
      "the DMM and the UMM serve equal addresses at once (warpfold paper run pipeline-dp-2018/memory-machines)");
  return drawing;
}

/// Section II-B: k - 1 threads add to one element, at once or in turn.
Drawing naive() {
  const List offsets = {5, 3, 1};
  machine::RunRequest request = sdp_request(offsets, 9, 2);
  const TracedRun in_turn = traced("sdp-naive", request);
  request.as_printed = true;
  const TracedRun printed = traced("sdp-naive", request);
  Table1d table = sdp_table(offsets);
  table.first_thread = 1;
  Drawing drawing;
  for (const TracedRun* run : {&printed, &in_turn}) {
    drawing.push_back(step_part(*run, table, in_turn.result.outputs.at("ST")));
    const machine::Counters& total = run->result.report.total;
    drawing.back().notes.push_back(
        fmt::format("{} writes are lost; {} time units", total.simultaneous_writes, total.time_units.count));
  }
  return drawing;
}

constexpr std::uint64_t matrices = 5;

/// The place in the triangle of an element of the linear array.
struct Place {
  std::uint64_t row = 0, diagonal = 0;
};

Place place_of(std::uint64_t element) {
  Place place{element, 0};
  for (; place.row >= matrices - place.diagonal; ++place.diagonal) place.row -= matrices - place.diagonal;
  return place;
}

Table1d chain_table() {
  return {[](std::uint64_t element) { return place_of(element).diagonal; }, 1, 1};
}

TracedRun chain_run(bool as_printed) {
  machine::RunRequest request{.machine = machine::pram(), .threads = matrices - 1, .as_printed = as_printed};
  request.lists["dimensions"] = {2, 1, 2, 3, 4, 5};  // our choice, for which the printed order is wrong
  return traced("mcm-pipeline", request);
}

/// The element in row i and column j, counted from 1.
std::uint64_t element_at(std::uint64_t i, std::uint64_t j) {
  const std::uint64_t diagonal = j - i;
  return diagonal * matrices - diagonal * (diagonal - 1) / 2 + i - 1;
}

/// The order in which the elements become final.
Drawing figure_5() {
  const TracedRun run = chain_run(true);
  const Table1d table = chain_table();
  std::map<std::uint64_t, std::uint64_t> missing, order;
  for (std::uint64_t e = 0; e < matrices * (matrices + 1) / 2; ++e) {
    missing[e] = table.terms(e);
    if (missing[e] == 0) order.emplace(e, order.size() + 1);
  }
  for (const Step& step : steps_of(run)) {
    for (const Visit& write : step.writes) {
      if (--missing[write.element] == 0) order.emplace(write.element, order.size() + 1);
    }
  }
  const auto cell = [&](std::uint64_t i, std::uint64_t j) {
    const std::uint64_t e = element_at(i, j);
    return GridCell{std::to_string(order.at(e)), table.terms(e) == 0 ? Tone::given : Tone::final};
  };
  return {{run.command, {triangle("The elements in the order in which they become final", matrices, cell)}, {}}};
}

/// The operands of the element that the paper numbers 13.
Drawing figure_6() {
  constexpr std::uint64_t element = 13 - 1;
  const TracedRun run = chain_run(true);
  std::vector<std::string> terms;
  std::map<std::uint64_t, Tone> tones = {{element, Tone::final}};
  for (const Step& step : steps_of(run)) {
    for (const Visit& write : step.writes) {
      if (write.element != element) continue;
      const Tone tone = color(terms.size());
      List operands;
      for (const Visit& read : step.operands) {
        if (read.thread != write.thread) continue;
        operands.push_back(static_cast<std::int64_t>(read.element) + 1);
        tones[read.element] = tone;
      }
      terms.push_back(fmt::format("f(ST[{}])", fmt::join(operands, "], ST[")));
    }
  }
  const auto cell = [&](std::uint64_t i, std::uint64_t j) {
    const std::uint64_t e = element_at(i, j);
    const auto tone = tones.find(e);
    return GridCell{tone == tones.end() ? "." : std::to_string(e + 1), tone == tones.end() ? Tone::none : tone->second};
  };
  return {{run.command,
           {triangle("The operands of ST[13], a color for each term", matrices, cell)},
           {fmt::format("ST[13] = min of {}", fmt::join(terms, ", "))}}};
}

std::string text_of(const EarlyRead& early) {
  return fmt::format("thread {} reads ST[{}] in step {}", early.visit.thread + 1, early.visit.element + 1, early.step);
}

/// The printed order, which reads too early, and the order by stages.
Drawing figure_7() {
  const TracedRun printed = chain_run(true), by_stages = chain_run(false);
  Drawing drawing = {step_part(printed, chain_table(), by_stages.result.outputs.at("ST")),
                     step_part(by_stages, chain_table())};
  std::vector<std::string> early;
  for (const EarlyRead& one : early_reads(printed, chain_table())) early.push_back(text_of(one));
  drawing.front().notes.push_back(fmt::format("the printed order reads too early: {}", fmt::join(early, "; ")));
  drawing.back().notes.push_back("the order by stages adds a term once both operands are final");
  return drawing;
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "pipeline-dp-2018/";
  return {{id + "section-2-b", paper, "The inner loop in parallel, a_1 = 5, a_2 = 3, a_3 = 1: as printed, and in turn",
           "the offsets, n, the initial values", naive},
          {id + "figure-3", paper, "The pipeline, k = 3, a_1 = 5, a_2 = 3, a_3 = 1", "n, the initial values", figure_3},
          {id + "figure-4", paper, "The pipeline's worst case, a_1 = 4, a_2 = 3, a_3 = 2, a_4 = 1",
           "n, the initial values", figure_4},
          {id + "figure-5", paper, "The order of the elements of a chain of 5 matrices", "the dimensions", figure_5},
          {id + "figure-6", paper, "The terms of element 13 of a chain of 5 matrices", "the dimensions", figure_6},
          {id + "figure-7", paper, "The pipeline for a chain of 5 matrices: as printed, and by stages",
           "the dimensions", figure_7}};
}

}  // namespace warpfold::papers::pipeline_2018
