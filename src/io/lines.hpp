#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "io/inflate.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {

/// What a file of lines is.
struct LineRules {
  bool is_text = true;           ///< `check_is_text` is raised for other files, and a byte order mark is left out
  bool carriage_returns = true;  ///< they end lines if there is no line feed in the file, which is then held whole
};

/// Reads the lines of a file, and holds a piece of it and its longest line. `each_line` does the same with a text in
/// memory.
class LineReader {
 public:
  static constexpr std::size_t default_piece = std::size_t{1} << 18;

  /// Reads `piece` bytes at a time. Raises what `check_is_text` raises.
  LineReader(std::string path, ByteSource content, const LineRules& rules = {}, std::size_t piece = default_piece);
  /// Reads the lines of a text.
  LineReader(std::string path, std::string content, const LineRules& rules = {});

  /// Reads the next line, without its end. Returns false at the end of the file. The line is valid until the next call.
  [[nodiscard]] bool next(std::string_view& line);

  /// Calls visit(line) for the next line, and prefixes the message of an Error with "FILE:LINE: ". Returns false at the
  /// end of the file.
  template <class Visit>
  [[nodiscard]] bool visit_next(const Visit& visit) {
    std::string_view line;
    if (!next(line)) return false;
    try {
      visit(line);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}:{}: {}", path_, number_, error.what()));
    }
    return true;
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The number of lines that were read, which is that of the last one, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// The position of the last line's first byte in the file.
  [[nodiscard]] std::size_t offset() const { return line_offset_; }

 private:
  void begin(const LineRules& rules);
  void refill();
  std::string_view take(std::size_t size);

  std::string path_;
  ByteSource content_;
  std::size_t piece_;
  bool is_ended_ = false;           ///< nothing is left but the buffer
  bool may_end_by_return_ = false;  ///< no line feed has been found yet
  char end_ = '\n';
  std::string buffer_;
  std::size_t begin_ = 0;          ///< of what is not read yet, in the buffer
  std::size_t buffer_offset_ = 0;  ///< the buffer's position in the file
  std::size_t number_ = 0, line_offset_ = 0;
};

}  // namespace warpfold::io
