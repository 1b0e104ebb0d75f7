#pragma once

#include <zlib.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

/// Decompression of data that come piece by piece.
namespace warpfold::io {

/// Writes bytes to `to` and returns their number: at least one before the end, 0 at the end.
using ByteSource = std::function<std::size_t(std::span<char> to)>;

/// Gives the bytes of a text, which has to outlive the source.
[[nodiscard]] ByteSource source_of(std::string_view text);

/// zlib's state while it inflates.
class Inflater {
 public:
  /// `window_bits` has zlib's meaning: 31 for gzip, -15 for raw deflate data. `path` is for messages.
  Inflater(std::string path, ByteSource packed, int window_bits);
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Writes the next bytes of the content and returns their number. They are fewer than `to` has only at the end of the
  /// member. Raises Error{input} that names the file if the data are damaged or truncated.
  [[nodiscard]] std::size_t read(std::span<char> to);

  /// The packed bytes after the member, as far as they are read: two or more if there are as many.
  [[nodiscard]] std::string_view rest();
  /// The number of all of them.
  [[nodiscard]] std::size_t count_rest();
  void begin_next_member() { inflateReset(&stream_); }

 private:
  [[nodiscard]] bool is_ended_after(int state);
  void refill();

  std::string path_;
  ByteSource packed_;
  std::string buffer_;
  z_stream stream_{};  ///< its input is what the buffer has left
};

/// Inflates a gzip file of one or more members.
class GzipReader {
 public:
  GzipReader(std::string path, ByteSource packed);

  /// Writes the next bytes of the content and returns their number, 0 at the end. Raises Error{input} that names the
  /// file if its data are damaged, truncated, or followed by anything else.
  [[nodiscard]] std::size_t read(std::span<char> to);

 private:
  [[nodiscard]] bool begins_next_member();

  std::string path_;
  Inflater inflater_;
  bool is_ended_ = false;
};

}  // namespace warpfold::io
