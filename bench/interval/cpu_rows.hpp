#pragma once

#include <utility>

#include "../question.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/run/run.hpp"

/// What the questions about a processor's ceiling share.
namespace warpfold::bench {

inline Options on_cpu(int threads) {
  Options options;
  options.device = parse_device("cpu");
  options.threads = threads;
  return options;
}

inline void keep_with_instruction_set(Json row) {
  row["instruction_set"] = instruction_sets().front();
  keep(std::move(row));
}

}  // namespace warpfold::bench
