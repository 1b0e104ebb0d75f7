// How many cells a second do the operations of each kernel allow, without loads, stores and other threads?
// python/bench/goals.py holds results against them.
#include "timing/ceilings.hpp"

#include <fmt/format.h>

#include <string>

#include "../question.hpp"

namespace {

using namespace warpfold;

void keep_ceiling(const std::string& kernel, int threads, double rate) {
  bench::keep({{"work", kernel}, {"threads", threads}, {"ceiling_per_second", rate}});
}

void keep_ceilings(int threads) {
  for (const int planes : {2, 5, 8}) {
    keep_ceiling(fmt::format("edit distance, {} planes", planes), threads,
                 timing::ceiling_of_pairs(sequence::Measure::edit, planes, threads));
    keep_ceiling(fmt::format("LCS, {} planes", planes), threads,
                 timing::ceiling_of_pairs(sequence::Measure::indel, planes, threads));
  }
  keep_ceiling("alignment, 8 bits", threads, timing::ceiling_of_alignments(8, threads));
  keep_ceiling("time warping, f32", threads, timing::ceiling_of_warpings<float>(threads));
  keep_ceiling("time warping, f64", threads, timing::ceiling_of_warpings<double>(threads));
}

const bench::Question ceilings_question(
    "ceilings",
    [](const bench::Arguments&) {
      for (const int threads : {1, thread_count(0)}) keep_ceilings(threads);
    },
    [](const bench::Json& row) {
      return fmt::format("{:24} {:2} threads {:8.1f} G/s", row["work"].get<std::string>(), row["threads"].get<int>(),
                         1e-9 * row["ceiling_per_second"].get<double>());
    });

}  // namespace
