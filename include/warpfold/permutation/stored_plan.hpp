#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warpfold/permutation/form.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/two_passes.hpp"

namespace warpfold::permutation {

/// permutation[i] = (i + places) mod n.
struct RotationForm {
  std::uint32_t places = 0;
};

/// permutation[i] is entry i.
using ListForm = std::vector<std::uint32_t>;

/// A plan that a file can keep: a permutation in one of the forms that move words, with all that moving needs. A CPU
/// moves by every form. A GPU does so too, except that it makes a plan of its own from three steps, and from two passes
/// of a CPU (`cuda::Plan`).
///
/// A file has 7 integers of 8 bytes (magic, version, number of the form, whether the form is of the inverse, n, the
/// form's parameter, bytes of its arrays), the arrays, and XXH3's 64-bit checksum of all of these. The parameter is a
/// rotation's places, a two-pass plan's block or a three-step plan's columns. All integers have the byte order of the
/// machine that wrote the file.
class StoredPlan {
 public:
  using Form = std::variant<RotationForm, AxisForm, ListForm, TwoPassPlan, ThreeStepPlan>;

  /// Takes a form of n words. `of_inverse`: the form states the inverse of the permutation.
  ///
  /// Raises Error{input} if the form is of another number of words or moves no permutation. Cost: O(n), but O(1) for
  /// rotations and axes.
  StoredPlan(std::size_t n, Form form, bool of_inverse = false);

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] const Form& form() const { return form_; }
  [[nodiscard]] bool is_of_inverse() const { return of_inverse_; }
  /// The name of the form's algorithm: rotation, axes, scatter, gather, two-passes or three-steps.
  [[nodiscard]] std::string algorithm() const;
  [[nodiscard]] std::vector<std::uint32_t> permutation() const;
  /// The plan of the inverse permutation.
  [[nodiscard]] StoredPlan inverse() &&;

  /// Moves the word of `word_bytes` = 1, 2, 4, 8 or 16 bytes at `from` + i to `to` + permutation[i], for every i and
  /// each of `arrays` arrays, one after another. The arrays do not overlap. `spare` is working memory of `spare_bytes`
  /// bytes, aligned to 16. `threads`: 0 means all.
  ///
  /// Raises Error{usage} for another word size, for too little working memory, and for a negative number of threads.
  void move(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
            std::size_t arrays = 1, int threads = 1) const;
  /// Moves the word at `from` + permutation[i] to `to` + i: the inverse of `move`.
  void move_back(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
                 std::size_t arrays = 1, int threads = 1) const;
  [[nodiscard]] std::size_t spare_bytes(std::size_t word_bytes) const;
  /// The bytes that a move reads and writes, the plan among them; a random access counts as a cache line.
  [[nodiscard]] std::size_t bytes_moved(std::size_t word_bytes) const;

  /// Writes the plan's file.
  void write(std::ostream& out) const;
  /// Reads the content of a plan's file. `name` is for messages. Raises Error{input} for another file, another version,
  /// and for a file that is damaged, cut off or moves no permutation.
  [[nodiscard]] static StoredPlan parse(const std::string& name, std::string_view content);
  /// Whether a file begins as a plan's file does, or is the beginning of one.
  [[nodiscard]] static bool is_plan(std::string_view content);

 private:
  void move_words(std::size_t word_bytes, const std::byte* from, std::byte* to, std::span<std::byte> spare,
                  std::size_t arrays, bool back, int threads) const;

  std::size_t n_;
  Form form_;
  bool of_inverse_;
};

/// Returns a plan of a CPU by the named algorithm: rotation, axes, scatter, gather, two-passes or three-steps. Empty:
/// rotation or axes if the permutation has that form, otherwise two passes. `threads`: 0 means all.
///
/// Raises what `check_permutation` raises, and Error{usage} for another algorithm, or one that this permutation does
/// not have.
[[nodiscard]] StoredPlan plan_to_store(std::span<const std::uint32_t> permutation, const std::string& algorithm = {},
                                       int threads = 1);

}  // namespace warpfold::permutation
