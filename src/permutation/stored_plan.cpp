#include "warpfold/permutation/stored_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "permutation/parts.hpp"
#include "permutation/reject.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::permutation {

namespace {

std::vector<std::uint32_t> counted(std::size_t n, std::uint32_t first = 0) {
  std::vector<std::uint32_t> list(n);
  std::iota(list.begin(), list.end(), first);
  return list;
}

ListForm inverse_of(const ListForm& list) {
  ListForm inverse(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) inverse[list[i]] = static_cast<std::uint32_t>(i);
  return inverse;
}

// What each form needs to be a permutation of n words.

void check_form(std::size_t n, const RotationForm& rotation) {
  if (rotation.places >= std::max<std::size_t>(n, 1))
    reject_plan(fmt::format("it rotates {} words by {}", n, rotation.places));
}

/// Axes fill 0 .. n-1 only as the digits of a mixed radix do: by increasing stride, each stride is the product of the
/// extents before.
void check_form(std::size_t n, const AxisForm& form) {
  constexpr std::size_t max_axes = 31;  // of 2^31 words
  std::vector<Axis> axes = form.axes;
  if (axes.size() > max_axes) reject_plan(fmt::format("it has {} axes", axes.size()));
  const auto distance = [](const Axis& axis) { return axis.stride < 0 ? -axis.stride : axis.stride; };
  for (const Axis& axis : axes) {
    if (axis.stride == std::numeric_limits<std::int64_t>::min()) reject_plan("a stride is out of range");
  }
  std::ranges::sort(axes, {}, distance);
  std::int64_t words = 1, lowest = form.offset;
  for (const Axis& axis : axes) {
    if (axis.extent < 2 || distance(axis) != words) reject_plan("its axes do not fill the array");
    words *= axis.extent;
    if (words > static_cast<std::int64_t>(n)) reject_plan("its axes do not fill the array");
    if (axis.stride < 0) lowest += axis.stride * (axis.extent - 1);
  }
  if (words != static_cast<std::int64_t>(std::max<std::size_t>(n, 1)) || lowest != 0)
    reject_plan("its axes do not fill the array");
}

void check_form(std::size_t n, const ListForm& list) {
  if (list.size() != n) reject_plan(fmt::format("it has {} of {} words", list.size(), n));
  check_permutation(list);
}

void check_form(std::size_t n, const TwoPassPlan& plan) {
  if (plan.size() != n) reject_plan(fmt::format("it has {} of {} words", plan.size(), n));
}

/// Moving checks the plan's numbers. Each of the words 1, 2, .. arrives once. A place of the last row without a word
/// has a 0.
void check_form(std::size_t n, const ThreeStepPlan& plan) {
  if (plan.n != n) reject_plan(fmt::format("it has {} of {} words", plan.n, n));
  std::vector<std::uint32_t> arrived(n), spare(spare_words(plan));
  move<std::uint32_t>(plan, counted(n, 1), arrived, spare);
  for (std::uint32_t& word : arrived) --word;
  check_permutation(arrived);
}

// How each form moves.

template <class T>
struct Arrays {
  std::size_t n;
  const T* from;
  T* to;
  std::span<T> spare;
  bool back;  ///< to[i] = from[permutation[i]], not to[permutation[i]] = from[i]
  int threads;

  [[nodiscard]] std::span<const T> source() const { return {from, n}; }
  [[nodiscard]] std::span<T> target() const { return {to, n}; }
  void move_word(std::size_t i, std::size_t place) const { to[back ? i : place] = from[back ? place : i]; }
};

template <class T>
void move_by(const RotationForm& rotation, const Arrays<T>& arrays) {
  for_parts(arrays.n, arrays.threads, [&](std::size_t begin, std::size_t end) {
    std::size_t place = (begin + rotation.places) % arrays.n;
    for (std::size_t i = begin; i < end; ++i) {
      arrays.move_word(i, place);
      place = place + 1 == arrays.n ? 0 : place + 1;
    }
  });
}

/// The digits of an index, and the place that they stand for.
class Digits {
 public:
  Digits(const AxisForm& form, std::size_t index) : axes_(form.axes), place_(form.offset) {
    for (const Axis& axis : axes_) {
      digits_.push_back(static_cast<std::uint32_t>(index % axis.extent));
      place_ += axis.stride * digits_.back();
      index /= axis.extent;
    }
  }

  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(place_); }
  void next() {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      place_ += axes_[a].stride;
      if (++digits_[a] < axes_[a].extent) return;
      place_ -= axes_[a].stride * axes_[a].extent;
      digits_[a] = 0;
    }
  }

 private:
  std::span<const Axis> axes_;
  std::vector<std::uint32_t> digits_;
  std::int64_t place_;
};

template <class T>
void move_by(const AxisForm& form, const Arrays<T>& arrays) {
  for_parts(arrays.n, arrays.threads, [&](std::size_t begin, std::size_t end) {
    Digits digits(form, begin);
    for (std::size_t i = begin; i < end; ++i, digits.next()) arrays.move_word(i, digits.place());
  });
}

template <class T>
void move_by(const ListForm& list, const Arrays<T>& arrays) {
  for_parts(arrays.n, arrays.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) arrays.move_word(i, list[i]);
  });
}

template <class T>
void move_by(const TwoPassPlan& plan, const Arrays<T>& arrays) {
  arrays.back ? plan.move_back<T>(arrays.source(), arrays.target(), arrays.spare, arrays.threads)
              : plan.move<T>(arrays.source(), arrays.target(), arrays.spare, arrays.threads);
}

/// The place that each word arrives from.
ListForm sources_of(const ThreeStepPlan& plan) {
  ListForm sources(plan.n), spare(spare_words(plan));
  move<std::uint32_t>(plan, counted(plan.n), sources, spare);
  return sources;
}

/// Three steps move one way.
template <class T>
void move_by(const ThreeStepPlan& plan, const Arrays<T>& arrays) {
  if (!arrays.back) return move<T>(plan, arrays.source(), arrays.target(), arrays.spare, arrays.threads);
  Arrays<T> moved_on = arrays;
  moved_on.back = false;
  move_by(sources_of(plan), moved_on);
}

/// Words of working memory.
std::size_t words_needed(const RotationForm&) { return 0; }
std::size_t words_needed(const AxisForm&) { return 0; }
std::size_t words_needed(const ListForm&) { return 0; }
std::size_t words_needed(const TwoPassPlan& plan) { return plan.size(); }
std::size_t words_needed(const ThreeStepPlan& plan) { return spare_words(plan); }

/// The words 0, 1, .. moved back are the permutation.
template <class Form>
std::vector<std::uint32_t> permutation_of(const Form& form, std::size_t n) {
  const std::vector<std::uint32_t> words = counted(n);
  std::vector<std::uint32_t> list(n), spare(words_needed(form));
  move_by(form, Arrays<std::uint32_t>{n, words.data(), list.data(), spare, true, 1});
  return list;
}
std::vector<std::uint32_t> permutation_of(const ListForm& list, std::size_t) { return list; }
std::vector<std::uint32_t> permutation_of(const ThreeStepPlan& plan, std::size_t) {
  return inverse_of(sources_of(plan));
}

constexpr std::size_t cache_line = 64;

std::size_t plan_bytes(const RotationForm&, std::size_t, std::size_t) { return 0; }
std::size_t plan_bytes(const AxisForm&, std::size_t, std::size_t) { return 0; }
std::size_t plan_bytes(const ListForm&, std::size_t n, std::size_t word_bytes) {
  return n * (sizeof(std::uint32_t) + cache_line - word_bytes);
}
std::size_t plan_bytes(const TwoPassPlan& plan, std::size_t n, std::size_t word_bytes) {
  return 2 * n * word_bytes + plan.bytes();
}
std::size_t plan_bytes(const ThreeStepPlan&, std::size_t n, std::size_t word_bytes) {
  return 4 * n * word_bytes + 6 * n;
}

[[noreturn]] void reject_algorithm(const std::string& name, const char* why) {
  throw Error(ErrorKind::usage, fmt::format("algorithm {} does not move this permutation: {}", name, why));
}

}  // namespace

StoredPlan::StoredPlan(std::size_t n, Form form, bool of_inverse)
    : n_(n), form_(std::move(form)), of_inverse_(of_inverse) {
  if (n > std::size_t{1} << 31) reject_plan(fmt::format("it has {} words, up to 2^31 are accepted", n));
  try {
    std::visit([&](const auto& one) { check_form(n_, one); }, form_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;  // of numbers that moving checks
    throw Error(ErrorKind::input, error.what());
  }
}

std::string StoredPlan::algorithm() const {
  if (std::holds_alternative<ListForm>(form_)) return of_inverse_ ? "gather" : "scatter";
  constexpr const char* names[] = {"rotation", "axes", "", "two-passes", "three-steps"};
  return names[form_.index()];
}

std::vector<std::uint32_t> StoredPlan::permutation() const {
  auto list = std::visit([&](const auto& form) { return permutation_of(form, n_); }, form_);
  return of_inverse_ ? inverse_of(list) : list;
}

StoredPlan StoredPlan::inverse() && {
  of_inverse_ = !of_inverse_;
  return std::move(*this);
}

void StoredPlan::move(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
                      std::size_t arrays, int threads) const {
  move_words(word_bytes, from, to, spare, arrays, of_inverse_, threads);
}

void StoredPlan::move_back(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
                           std::size_t arrays, int threads) const {
  move_words(word_bytes, from, to, spare, arrays, !of_inverse_, threads);
}

std::size_t StoredPlan::spare_bytes(std::size_t word_bytes) const {
  return word_bytes * std::visit([](const auto& form) { return words_needed(form); }, form_);
}

void StoredPlan::move_words(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
                            std::size_t arrays, bool back, int threads) const {
  check_word_bytes(word_bytes);
  if (spare.size() < spare_bytes(word_bytes)) {
    throw Error(ErrorKind::usage, fmt::format("working memory of {} bytes: {} or more are accepted by this plan",
                                              spare.size(), spare_bytes(word_bytes)));
  }
  with_word(word_bytes, [&]<class T>(T) {
    const std::span<T> spare_words(reinterpret_cast<T*>(spare.data()), spare_bytes(word_bytes) / word_bytes);
    for (std::size_t array = 0; array < arrays; ++array) {
      const Arrays<T> words{n_,
                            reinterpret_cast<const T*>(from) + array * n_,
                            reinterpret_cast<T*>(to) + array * n_,
                            spare_words,
                            back,
                            threads};
      std::visit([&](const auto& form) { move_by(form, words); }, form_);
    }
  });
}

std::size_t StoredPlan::bytes_moved(std::size_t word_bytes) const {
  const auto of_plan = [&](const auto& form) { return plan_bytes(form, n_, word_bytes); };
  return 2 * n_ * word_bytes + std::visit(of_plan, form_);
}

StoredPlan plan_to_store(std::span<const std::uint32_t> permutation, const std::string& algorithm, int threads) {
  check_permutation(permutation);
  const std::size_t n = permutation.size();
  const auto wants = [&](const char* name) { return algorithm.empty() || algorithm == name; };
  if (const auto places = wants("rotation") ? find_rotation(permutation) : std::nullopt) {
    return {n, RotationForm{*places}};
  }
  if (auto axes = wants("axes") ? find_axes(permutation) : std::nullopt) return {n, *std::move(axes)};
  if (wants("two-passes")) return {n, TwoPassPlan(permutation, 0, threads)};
  if (algorithm == "three-steps") return {n, plan_three_steps(permutation)};
  const ListForm list(permutation.begin(), permutation.end());
  if (algorithm == "scatter") return {n, list};
  if (algorithm == "gather") return {n, inverse_of(list), true};
  if (algorithm == "rotation") reject_algorithm(algorithm, "it is no rotation");
  if (algorithm == "axes") reject_algorithm(algorithm, "it is no order of axes");
  throw Error(
      ErrorKind::usage,
      fmt::format("algorithm is {}: rotation, axes, scatter, gather, two-passes, three-steps are accepted", algorithm));
}

}  // namespace warpfold::permutation
