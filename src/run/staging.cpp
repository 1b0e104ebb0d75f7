#include "run/staging.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "run/tuning.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::cuda {

namespace {

/// The lists as one contiguous run of bytes, as on the device.
template <class Byte>
class ByteRun {
 public:
  explicit ByteRun(std::span<const HostRows<Byte>> lists) : lists_(lists) {
    for (const HostRows<Byte>& rows : lists) ends_.push_back(bytes() + rows.bytes());
  }

  [[nodiscard]] std::size_t bytes() const { return ends_.empty() ? 0 : ends_.back(); }

  /// Calls visit(host, at, count) for the parts of rows in bytes first .. last-1 of the run. The `count` bytes at
  /// `host` are byte `at` of the run and those after it.
  template <class Visit>
  void parts(std::size_t first, std::size_t last, Visit&& visit) const {
    auto list = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
    for (std::size_t at = first; at < last; ++list) {
      const HostRows<Byte>& rows = lists_[list];
      const std::size_t start = ends_[list] - rows.bytes();
      while (at < std::min(last, ends_[list])) {
        const std::size_t row = (at - start) / rows.row_bytes, column = (at - start) % rows.row_bytes;
        const std::size_t end = std::min(rows.row_bytes, column + last - at);
        const std::size_t begin = std::max(column, std::min(end, (row + 1) * rows.indent));
        if (begin < end) visit(rows.data + row * rows.stride + begin, at + begin - column, end - begin);
        at += end - column;
      }
    }
  }

 private:
  std::span<const HostRows<Byte>> lists_;
  std::vector<std::size_t> ends_;
};

std::size_t pieces_of(std::size_t bytes) { return (bytes + staging_piece_bytes - 1) / staging_piece_bytes; }

/// Whether pieces consist of whole rows, of which the bus carries only what is right of the first one's indent.
bool omits_on_the_bus(std::span<const HostRows<const std::byte>> lists) {
  return lists.size() == 1 && lists[0].indent > 0 && lists[0].row_bytes <= staging_piece_bytes;
}

/// Two pieces of pinned memory for each thread: one that the host fills or empties, one on the bus.
class Staging {
 public:
  Staging(std::size_t bytes, int threads, std::size_t piece_bytes = staging_piece_bytes)
      : bytes_(bytes),
        piece_bytes_(piece_bytes),
        threads_(staging_threads(bytes, threads)),
        pinned_(Memory::Place::pinned, staging_bytes(bytes, threads)),
        sent_(2 * static_cast<std::size_t>(threads_)) {}

  /// Runs body(thread, ...) in every thread until no piece is left.
  template <class Body>
  void run(const Body& body) {
    const int device = DeviceScope::current();
    parallel(threads_, [&](int thread) {
      const DeviceScope scope(device);
      body(thread);
    });
    stream_.synchronize();
  }

  struct Piece {
    std::size_t first = 0, last = 0;
    std::byte* pinned = nullptr;
    const Event* sent = nullptr;

    [[nodiscard]] std::size_t bytes() const { return last - first; }
    explicit operator bool() const { return first < last; }
  };

  /// The next piece, in one of the thread's two buffers.
  Piece next(int thread, int place) {
    const std::size_t first = std::min(next_++ * piece_bytes_, bytes_);
    const auto slot = static_cast<std::size_t>(2 * thread + place);
    return {first, std::min(first + piece_bytes_, bytes_), pinned_.data() + slot * staging_piece_bytes, &sent_[slot]};
  }

  void send(void* to, const void* from, const Piece& piece) const {
    check(cudaMemcpyAsync(to, from, piece.bytes(), cudaMemcpyDefault, stream_.get()), "copy to or from the host");
    piece.sent->record(stream_);
  }

  /// Sends a piece of whole rows without the first `omitted` bytes of each.
  void send_rows(std::byte* to, const Piece& piece, std::size_t row_bytes, std::size_t omitted) const {
    if (omitted >= row_bytes) return;
    check(cudaMemcpy2DAsync(to + piece.first + omitted, row_bytes, piece.pinned + omitted, row_bytes,
                            row_bytes - omitted, piece.bytes() / row_bytes, cudaMemcpyDefault, stream_.get()),
          "copy rows from the host");
    piece.sent->record(stream_);
  }

 private:
  std::size_t bytes_;
  std::size_t piece_bytes_;
  int threads_;
  Memory pinned_;
  std::vector<Event> sent_;
  std::atomic<std::size_t> next_ = 0;
  Stream stream_;
};

}  // namespace

int staging_threads(std::size_t bytes, int threads) {
  const std::size_t most = std::clamp<std::size_t>(pieces_of(bytes) / 2, 1, max_staging_threads);
  return static_cast<int>(std::min<std::size_t>(most, static_cast<std::size_t>(thread_count(threads))));
}

std::size_t staging_bytes(std::size_t bytes, int threads) {
  if (bytes <= staging_piece_bytes) return bytes;
  return 2 * static_cast<std::size_t>(staging_threads(bytes, threads)) * staging_piece_bytes;
}

void upload(void* device, std::span<const HostRows<const std::byte>> lists, int threads, const SolveMonitor& monitor,
            const Inspect& inspect) {
  const ByteRun run(lists);
  if (run.bytes() == 0) return;
  const bool omits = omits_on_the_bus(lists);
  const std::size_t row_bytes = lists[0].row_bytes;
  Staging staging(run.bytes(), threads, omits ? staging_piece_bytes / row_bytes * row_bytes : staging_piece_bytes);
  staging.run([&](int thread) {
    for (int place = 0;; place = 1 - place) {
      const auto piece = staging.next(thread, place);
      if (!piece) return;
      monitor.check();
      piece.sent->wait();
      run.parts(piece.first, piece.last, [&](const std::byte* host, std::size_t at, std::size_t count) {
        std::memcpy(piece.pinned + (at - piece.first), host, count);
      });
      if (omits) {
        const std::size_t omitted = (piece.first / row_bytes + 1) * lists[0].indent;
        staging.send_rows(static_cast<std::byte*>(device), piece, row_bytes, omitted);
      } else {
        staging.send(static_cast<std::byte*>(device) + piece.first, piece.pinned, piece);
      }
      if (inspect) inspect({piece.pinned, piece.bytes()});
    }
  });
}

void download(const void* device, std::span<const HostRows<std::byte>> lists, int threads,
              const SolveMonitor& monitor) {
  const ByteRun run(lists);
  if (run.bytes() == 0) return;
  Staging staging(run.bytes(), threads);
  staging.run([&](int thread) {
    const auto fetch = [&](int place) {
      const auto piece = staging.next(thread, place);
      if (piece) staging.send(piece.pinned, static_cast<const std::byte*>(device) + piece.first, piece);
      return piece;
    };
    auto piece = fetch(0);
    for (int place = 1; piece; place = 1 - place) {
      monitor.check();
      const auto ahead = fetch(place);
      piece.sent->wait();
      run.parts(piece.first, piece.last, [&](std::byte* host, std::size_t at, std::size_t count) {
        std::memcpy(host, piece.pinned + (at - piece.first), count);
      });
      piece = ahead;
    }
  });
}

}  // namespace warpfold::cuda
