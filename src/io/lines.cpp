#include "io/lines.hpp"

#include <algorithm>
#include <utility>

#include "io/text.hpp"

namespace warpfold::io {

namespace {

/// Enough bytes to tell what a file is.
constexpr std::size_t beginning_bytes = 64;

}  // namespace

LineReader::LineReader(std::string path, ByteSource content, const LineRules& rules, std::size_t piece)
    : path_(std::move(path)), content_(std::move(content)), piece_(piece) {
  while (!is_ended_ && buffer_.size() < beginning_bytes) refill();
  begin(rules);
}

LineReader::LineReader(std::string path, std::string content, const LineRules& rules)
    : path_(std::move(path)), piece_(0), is_ended_(true), buffer_(std::move(content)) {
  begin(rules);
}

void LineReader::begin(const LineRules& rules) {
  may_end_by_return_ = rules.carriage_returns;
  if (!rules.is_text) return;
  check_is_text(path_, buffer_);
  begin_ = buffer_.size() - without_mark(buffer_).size();
}

bool LineReader::next(std::string_view& line) {
  for (std::size_t searched = 0;;) {
    const std::string_view unread = std::string_view(buffer_).substr(begin_);
    const std::size_t end = unread.find(end_, searched);
    if (end == unread.npos && !is_ended_) {
      searched = unread.size();
      refill();
    } else if (end == unread.npos && may_end_by_return_) {
      may_end_by_return_ = false;
      end_ = '\r';
      searched = 0;
    } else {
      may_end_by_return_ = false;
      if (unread.empty()) return false;
      line = take(std::min(end, unread.size()));
      return true;
    }
  }
}

/// Reads another piece behind what is not read yet.
void LineReader::refill() {
  buffer_offset_ += begin_;
  buffer_.erase(0, std::exchange(begin_, 0));
  const std::size_t size = buffer_.size();
  buffer_.resize(size + piece_);
  const std::size_t count = content_(std::span(buffer_).subspan(size));
  buffer_.resize(size + count);
  is_ended_ = count == 0;
}

/// The next `size` bytes, and then the end of the line.
std::string_view LineReader::take(std::size_t size) {
  const std::string_view line = std::string_view(buffer_).substr(begin_, size);
  line_offset_ = buffer_offset_ + begin_;
  begin_ = std::min(begin_ + size + 1, buffer_.size());
  ++number_;
  return line;
}

}  // namespace warpfold::io
