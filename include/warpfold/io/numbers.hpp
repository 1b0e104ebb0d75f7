#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::io {

/// A list of numbers as a file holds it.
struct Numbers {
  bool whole = true;                 ///< whether every entry is written as a whole number that fits 64 bits
  std::vector<std::int64_t> wholes;  ///< the entries, where `whole`
  std::vector<double> reals;         ///< the entries, always
};

/// Reads numbers from text (separated by white space, commas or semicolons; '#' begins a comment) or a one-dimensional
/// .npy file; "-" is standard input, as text. Raises Error{input} that names the file, the line and the word.
[[nodiscard]] Numbers read_numbers(const std::string& path);

/// The same from text in memory; `path` is only for messages.
[[nodiscard]] Numbers parse_numbers(const std::string& path, std::string_view text);

/// The lists of numbers under `keys` of a JSON object, in this order. Raises Error{input} that names the file and
/// entry.
[[nodiscard]] std::vector<Numbers> read_json_lists(const std::string& path, const std::vector<std::string>& keys);

/// The same from text in memory.
[[nodiscard]] std::vector<Numbers> parse_json_lists(const std::string& path, std::string_view text,
                                                    const std::vector<std::string>& keys);

}  // namespace warpfold::io
