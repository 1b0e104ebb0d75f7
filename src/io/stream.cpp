#include "warpfold/io/stream.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "io/content.hpp"
#include "io/descriptor.hpp"
#include "io/unpack.hpp"

namespace warpfold::io {

namespace {

/// A file from its beginning to its end. The first two bytes tell whether it is gzip.
class Content {
 public:
  explicit Content(const std::string& path) : path_(path), file_(open_input(path)) {
    while (begin_.size() < magic_bytes && read_beginning()) {
    }
    if (is_gzip(begin_)) gzip_.emplace(path, [this](std::span<char> to) { return read_bytes(to); });
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  ~Content() = default;

  [[nodiscard]] std::size_t read(std::span<char> to) { return gzip_ ? gzip_->read(to) : read_bytes(to); }

 private:
  static constexpr std::size_t magic_bytes = 2;

  bool read_beginning() {
    std::array<char, magic_bytes> bytes;
    const std::size_t count = read_some(path_, file_, std::span(bytes).first(magic_bytes - begin_.size()));
    begin_.append(bytes.data(), count);
    return count > 0;
  }
  std::size_t read_bytes(std::span<char> to) {
    if (begin_.empty()) return read_some(path_, file_, to);
    const std::size_t count = begin_.copy(to.data(), to.size());
    begin_.erase(0, count);
    return count;
  }

  std::string path_;
  Descriptor file_;
  std::string begin_ = {};  ///< what is read of the first bytes, and not given yet
  std::optional<GzipReader> gzip_ = {};
};

}  // namespace

ByteSource content_of(const std::string& path) {
  return [content = std::make_shared<Content>(path)](std::span<char> to) { return content->read(to); };
}

void read_pieces(const std::string& path, const std::function<void(std::string_view)>& consume) {
  const ByteSource content = content_of(path);
  std::array<char, 1 << 16> piece;
  while (const std::size_t count = content(piece)) consume({piece.data(), count});
}

}  // namespace warpfold::io
