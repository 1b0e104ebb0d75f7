#pragma once

#if __cplusplus < 202002L
#error "warpfold needs C++20: compile with -std=c++20"
#endif

/// What a program that solves needs of every family; files, CUDA plans and the papers' methods have headers of their
/// own.
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/knapsack/verify.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"
#include "warpfold/minplus/verify.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/closure.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/paths/update.hpp"
#include "warpfold/paths/verify.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/polygon/solve.hpp"
#include "warpfold/polygon/verify.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/recurrence/verify.hpp"
#include "warpfold/run/devices.hpp"
