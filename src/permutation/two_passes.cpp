#include "warpfold/permutation/two_passes.hpp"

#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "core/quantity.hpp"
#include "permutation/block_of.hpp"
#include "permutation/reject.hpp"
#include "permutation/tuning.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::permutation {

namespace {

constexpr std::size_t group = 32;  ///< places with one word of run_starts

std::size_t groups_of(std::size_t words) { return (words + group - 1) / group; }

void check_block(std::uint32_t block, ErrorKind kind) {
  if (block > 0 && block % group == 0 && block <= TwoPassPlan::max_block) return;
  throw Error(kind,
              fmt::format("block is {}: multiples of {} up to {} are accepted", block, group, TwoPassPlan::max_block));
}

void check_count(const char* name, std::size_t count, std::size_t accepted) {
  if (count != accepted)
    reject_plan(fmt::format("{} has {}: {} is accepted", name, quantity(count, "entry", "entries"), accepted));
}

/// Places that words have taken.
class Taken {
 public:
  Taken(const char* name, std::size_t places) : name_(name), taken_(places) {}

  /// Takes a place below `end` for word k.
  void take(std::size_t k, std::size_t place, std::size_t end) {
    if (place >= end || taken_[place]) reject_plan(fmt::format("{} gives word {} no place of its own", name_, k));
    taken_[place] = true;
  }

 private:
  const char* name_;
  std::vector<bool> taken_;
};

}  // namespace

/// Fills a plan in two rounds over the source blocks. The first counts each block's words by destination block. The
/// second gives every word its places.
class TwoPassPlan::Planner {
 public:
  Planner(TwoPassPlan& plan, std::span<const std::uint32_t> permutation, int threads)
      : plan_(plan), permutation_(permutation), block_of_(plan.block()), team_(thread_count(threads)) {}

  void run() {
    const std::size_t blocks = plan_.blocks();
    at_.resize(blocks * blocks);
    runs_before_block_.resize(blocks + 1);
    team_.parallel_for(blocks, [&](std::size_t block, int) { count(block); });
    std::partial_sum(runs_before_block_.begin(), runs_before_block_.end(), runs_before_block_.begin());
    place_runs();
    plan_.arrays_.shift.resize(runs_before_block_.back());
    team_.parallel_for(blocks, [&](std::size_t block, int) { place_words(block); });
  }

 private:
  [[nodiscard]] std::size_t begin(std::size_t block) const { return block * plan_.arrays_.block; }
  [[nodiscard]] std::size_t end(std::size_t block) const { return std::min(begin(block + 1), permutation_.size()); }
  [[nodiscard]] std::uint32_t* row(std::size_t block) { return &at_[block * plan_.blocks()]; }

  void count(std::size_t block) {
    std::uint32_t* const words = row(block);
    for (std::size_t i = begin(block); i < end(block); ++i) ++words[block_of_(permutation_[i])];
    const auto is_run = [](std::uint32_t length) { return length > 0; };
    runs_before_block_[block + 1] = static_cast<std::uint32_t>(std::count_if(words, words + plan_.blocks(), is_run));
  }

  /// Replaces the lengths of the runs by their places in the middle array.
  void place_runs() {
    std::vector<std::uint32_t> next(plan_.blocks());
    for (std::size_t d = 0; d < next.size(); ++d) next[d] = static_cast<std::uint32_t>(begin(d));
    for (std::size_t block = 0; block < plan_.blocks(); ++block) {
      std::uint32_t* const at = row(block);
      for (std::size_t d = 0; d < next.size(); ++d) next[d] += std::exchange(at[d], next[d]);
    }
  }

  /// The end of a run in the middle array: where the next source block's run begins.
  [[nodiscard]] std::uint32_t run_end(std::size_t block, std::size_t d) {
    return block + 1 < plan_.blocks() ? row(block + 1)[d] : static_cast<std::uint32_t>(end(d));
  }

  void place_words(std::size_t block) {
    std::vector<std::uint32_t> next(plan_.blocks());   // places in the order of the runs
    std::vector<std::uint32_t> shift(plan_.blocks());  // from there to the middle array
    std::uint32_t* run = plan_.arrays_.shift.data() + runs_before_block_[block];
    auto place = static_cast<std::uint32_t>(begin(block));
    for (std::size_t d = 0; d < next.size(); ++d) {
      const std::uint32_t length = run_end(block, d) - row(block)[d];
      if (length == 0) continue;
      next[d] = place;
      shift[d] = *run++ = row(block)[d] - place;
      plan_.arrays_.run_starts[place / group] |= std::uint32_t{1} << place % group;
      place += length;
    }
    std::uint32_t before = runs_before_block_[block];
    for (std::size_t g = begin(block) / group; g * group < end(block); ++g) {
      plan_.runs_before_[g] = before;
      before += static_cast<std::uint32_t>(std::popcount(plan_.arrays_.run_starts[g]));
    }
    for (std::size_t i = begin(block); i < end(block); ++i) {
      const std::size_t d = block_of_(permutation_[i]);
      const std::uint32_t k = next[d]++;
      plan_.arrays_.first[k] = static_cast<std::uint16_t>(i - begin(block));
      plan_.arrays_.second[permutation_[i]] = static_cast<std::uint16_t>(k + shift[d] - begin(d));
    }
  }

  TwoPassPlan& plan_;
  std::span<const std::uint32_t> permutation_;
  BlockOf block_of_;
  Team team_;
  std::vector<std::uint32_t> at_;  ///< [source block][destination block]: length, then place of the run
  std::vector<std::uint32_t> runs_before_block_;
};

TwoPassPlan::TwoPassPlan(std::span<const std::uint32_t> permutation, std::uint32_t block, int threads)
    : arrays_{.block = block == 0 ? cache_block : block} {
  check_block(arrays_.block, ErrorKind::usage);
  check_permutation(permutation);
  const std::size_t groups = groups_of(permutation.size());
  arrays_.first.resize(permutation.size());
  arrays_.second.resize(permutation.size());
  arrays_.run_starts.resize(groups);
  runs_before_.resize(groups);
  Planner(*this, permutation, threads).run();
}

TwoPassPlan::TwoPassPlan(Arrays arrays) : arrays_(std::move(arrays)) {
  check_block(block(), ErrorKind::input);
  check_count("second", arrays_.second.size(), size());
  check_count("run_starts", arrays_.run_starts.size(), groups_of(size()));
  count_runs_before();
  check_blocks();
  check_runs();
}

void TwoPassPlan::count_runs_before() {
  runs_before_.resize(arrays_.run_starts.size());
  std::size_t before = 0;
  for (std::size_t g = 0; g < runs_before_.size(); ++g) {
    runs_before_[g] = static_cast<std::uint32_t>(before);
    before += static_cast<std::size_t>(std::popcount(arrays_.run_starts[g]));
  }
  check_count("shift", runs(), before);
}

/// Both passes move the words of each block to places of their own.
void TwoPassPlan::check_blocks() const {
  Taken sources("first", size()), middle("second", size());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t begin = i / block() * block(), end = std::min(begin + block(), size());
    sources.take(i, begin + arrays_.first[i], end);
    middle.take(i, begin + arrays_.second[i], end);
  }
}

/// The runs have places of their own in the middle array. Every block begins with a run.
void TwoPassPlan::check_runs() const {
  for (std::size_t begin = 0; begin < size(); begin += block()) {
    if ((arrays_.run_starts[begin / group] & 1) == 0) reject_plan(fmt::format("no run starts at place {}", begin));
  }
  if (size() % group != 0 && arrays_.run_starts.back() >> size() % group != 0)
    reject_plan("a run starts beyond the last place");
  Taken middle("shift", size());
  for (std::size_t b = 0; b < blocks(); ++b) {
    for_each_run(b, [&](std::size_t begin, std::size_t end, std::uint32_t shift) {
      const std::uint32_t place = static_cast<std::uint32_t>(begin) + shift;
      for (std::size_t k = begin; k < end; ++k) middle.take(k, place + (k - begin), size());
    });
  }
}

std::size_t TwoPassPlan::bytes() const {
  return 4 * (size() + arrays_.run_starts.size() + runs_before_.size() + runs());
}

void TwoPassPlan::check_lengths(std::size_t from, std::size_t to, std::size_t middle) const {
  if (from == size() && to == size() && middle == size()) return;
  throw Error(ErrorKind::usage, fmt::format("arrays of {}, {} and {} words: {} each, as the plan has, are accepted",
                                            from, to, middle, size()));
}

/// Calls visit(begin, end, shift) for each run of a source block.
template <class Visit>
void TwoPassPlan::for_each_run(std::size_t block, const Visit& visit) const {
  const std::size_t begin = block * arrays_.block;
  const std::size_t end = std::min(begin + arrays_.block, size());
  std::size_t run = runs_before_[begin / group];
  std::size_t start = begin;
  for (std::size_t g = begin / group; g * group < end; ++g) {
    for (std::uint32_t bits = arrays_.run_starts[g]; bits != 0; bits &= bits - 1) {
      const std::size_t place = g * group + static_cast<std::size_t>(std::countr_zero(bits));
      if (place > start) visit(start, place, arrays_.shift[run++]);
      start = place;
    }
  }
  visit(start, end, arrays_.shift[run]);
}

std::vector<std::uint32_t> TwoPassPlan::middle_places() const {
  std::vector<std::uint32_t> places(size());
  for (std::size_t b = 0; b < blocks(); ++b) {
    for_each_run(b, [&](std::size_t begin, std::size_t end, std::uint32_t shift) {
      for (std::size_t k = begin; k < end; ++k) places[k] = static_cast<std::uint32_t>(k) + shift;
    });
  }
  return places;
}

template <class T>
void TwoPassPlan::move(std::span<const T> from, std::span<T> to, std::span<T> middle, int threads) const {
  check_lengths(from.size(), to.size(), middle.size());
  Team team(thread_count(threads));
  team.parallel_for(blocks(), [&](std::size_t block, int) {
    const T* const words = &from[block * arrays_.block];
    for_each_run(block, [&](std::size_t begin, std::size_t end, std::uint32_t shift) {
      T* const run = &middle[static_cast<std::uint32_t>(begin) + shift];
      for (std::size_t k = begin; k < end; ++k) run[k - begin] = words[arrays_.first[k]];
    });
  });
  team.parallel_for(blocks(), [&](std::size_t block, int) {
    const T* const words = &middle[block * arrays_.block];
    const std::size_t end = std::min<std::size_t>((block + 1) * arrays_.block, size());
    for (std::size_t i = block * arrays_.block; i < end; ++i) to[i] = words[arrays_.second[i]];
  });
}

template <class T>
void TwoPassPlan::move_back(std::span<const T> from, std::span<T> to, std::span<T> middle, int threads) const {
  check_lengths(from.size(), to.size(), middle.size());
  Team team(thread_count(threads));
  team.parallel_for(blocks(), [&](std::size_t block, int) {
    T* const words = &middle[block * arrays_.block];
    const std::size_t end = std::min<std::size_t>((block + 1) * arrays_.block, size());
    for (std::size_t i = block * arrays_.block; i < end; ++i) words[arrays_.second[i]] = from[i];
  });
  team.parallel_for(blocks(), [&](std::size_t block, int) {
    T* const words = &to[block * arrays_.block];
    for_each_run(block, [&](std::size_t begin, std::size_t end, std::uint32_t shift) {
      const T* const run = &middle[static_cast<std::uint32_t>(begin) + shift];
      for (std::size_t k = begin; k < end; ++k) words[arrays_.first[k]] = run[k - begin];
    });
  });
}

#define WARPFOLD_INSTANTIATE(T)                                                               \
  template void TwoPassPlan::move(std::span<const T>, std::span<T>, std::span<T>, int) const; \
  template void TwoPassPlan::move_back(std::span<const T>, std::span<T>, std::span<T>, int) const;
WARPFOLD_FOR_EACH_WORD_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::permutation
