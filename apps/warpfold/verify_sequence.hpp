#pragma once

#include "sequence_input.hpp"
#include "verify.hpp"

/// What the verifiers of all commands of two sequences share.
namespace warpfold::app {

/// Reads an instance. Raises Error{input} unless it has two files.
[[nodiscard]] SequencePair pair_of(const Files& instance, const Json& solution);

/// The runs of the key "script", each with the edit, and begin and end in both sequences. It begins at `begin_a` and
/// `begin_b`.
[[nodiscard]] sequence::Script stated_script(const Json& solution, std::uint64_t begin_a = 0,
                                             std::uint64_t begin_b = 0);

/// Checks what is derived from the script: the keys that repeat it.
[[nodiscard]] Violation find_derived_violation(const Json& solution, const sequence::Script& script);
[[nodiscard]] Violation find_matches_violation(const Json& solution, std::uint64_t matches, std::uint64_t columns);

/// Checks that 'm' is the length of the second sequence.
[[nodiscard]] Violation find_length_violation(const Json& solution, const SequencePair& pair);

}  // namespace warpfold::app
