#include "io/inflate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/quantity.hpp"
#include "io/text.hpp"
#include "io/unpack.hpp"

namespace warpfold::io {

namespace {

constexpr std::size_t packed_piece = std::size_t{1} << 16;

}  // namespace

ByteSource source_of(std::string_view text) {
  return [text](std::span<char> to) mutable {
    const std::size_t count = text.copy(to.data(), to.size());
    text.remove_prefix(count);
    return count;
  };
}

Inflater::Inflater(std::string path, ByteSource packed, int window_bits)
    : path_(std::move(path)), packed_(std::move(packed)) {
  if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
}

std::size_t Inflater::read(std::span<char> to) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::size_t done = 0;
  while (done < to.size()) {
    if (stream_.avail_in == 0) refill();
    const std::size_t wanted = std::min(to.size() - done, most);
    stream_.next_out = reinterpret_cast<Bytef*>(to.data() + done);
    stream_.avail_out = static_cast<uInt>(wanted);
    const int state = inflate(&stream_, Z_NO_FLUSH);
    done += wanted - stream_.avail_out;
    if (is_ended_after(state)) break;
  }
  return done;
}

/// Whether the member is ended.
bool Inflater::is_ended_after(int state) {
  if (state == Z_STREAM_END) return true;
  if (state == Z_OK) return false;
  if (state == Z_BUF_ERROR) reject_file(path_, "its compressed data are truncated: a whole file is accepted");
  if (state == Z_MEM_ERROR) throw std::bad_alloc();
  reject_file(path_, fmt::format("its compressed data are damaged ({}): a file as gzip wrote it is accepted",
                                 stream_.msg ? stream_.msg : "no reason given"));
}

/// Reads another piece behind the bytes that are left.
void Inflater::refill() {
  const std::size_t left = stream_.avail_in;
  buffer_.erase(0, buffer_.size() - left);
  buffer_.resize(left + packed_piece);
  buffer_.resize(left + packed_(std::span(buffer_).subspan(left)));
  stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream_.avail_in = static_cast<uInt>(buffer_.size());
}

std::string_view Inflater::rest() {
  for (uInt before = 0; stream_.avail_in < 2;) {
    before = stream_.avail_in;
    refill();
    if (stream_.avail_in == before) break;
  }
  return std::string_view(buffer_).substr(buffer_.size() - stream_.avail_in);
}

std::size_t Inflater::count_rest() {
  std::size_t count = 0;
  while (!rest().empty()) count += std::exchange(stream_.avail_in, 0);
  return count;
}

GzipReader::GzipReader(std::string path, ByteSource packed)
    : path_(std::move(path)), inflater_(path_, std::move(packed), 31) {}

std::size_t GzipReader::read(std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size() && !is_ended_) {
    done += inflater_.read(to.subspan(done));
    if (done < to.size()) is_ended_ = !begins_next_member();
  }
  return done;
}

bool GzipReader::begins_next_member() {
  if (inflater_.rest().empty()) return false;
  if (!is_gzip(inflater_.rest())) {
    reject_file(path_,
                fmt::format("has {} after its gzip data: none are accepted", quantity(inflater_.count_rest(), "byte")));
  }
  inflater_.begin_next_member();
  return true;
}

}  // namespace warpfold::io
