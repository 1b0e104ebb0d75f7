#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "run/cuda.hpp"
#include "tiles/exchange/peer_tables.hpp"
#include "tiles/exchange/super_tile_count.hpp"
#include "tiles/exchange/tile_shares.hpp"
#include "tiles/exchange/tile_tickets.hpp"
#include "tiles/tuning.hpp"
#include "warpfold/run/checkpointer.hpp"
#include "warpfold/run/team.hpp"
#include "warpfold/tiles/super_tiles.hpp"

/// The exchange of super-tiles with a table that GPUs fill.
namespace warpfold::tiles::device {

/// Connects a TableExchange with the kernel that fills a table (fill.cuh). The kernel leaves out super-tiles that come
/// from elsewhere, and waits for them as for any other tile.
///
/// The host has a copy of the table. Copy engines bring there what the kernel has noted as final. They bring arrived
/// super-tiles to every GPU, and on the same stream after them the word that marks them final.
///
/// The thread that waits for the kernel does this work. If many super-tiles are final at one time, a few more threads
/// fetch. Each has a stream and a part of the pinned memory, which it empties while engines fill the others. All memory
/// is allocated beforehand, and nothing is started that could wait for the kernel.
class DeviceExchange {
 public:
  /// `host`: the place of the host's table. `threads`: at most max_fetching_threads. The current device must be that of
  /// the first copy.
  DeviceExchange(TableExchange& exchange, const SuperTiles& host, int threads)
      : exchange_(exchange),
        host_(host),
        count_(host),
        team_(threads),
        noted_(Memory::Place::pinned, look_at_once * sizeof(unsigned)),
        come_(Memory::Place::pinned, host.group * sizeof(unsigned)),
        staging_(Memory::Place::pinned, staging_bytes),
        fetched_(static_cast<std::size_t>(team_.size())) {
    std::fill_n(reinterpret_cast<unsigned*>(come_.data()), host.group, comes_from_elsewhere | is_final);
  }

  /// The words for the tiles when the kernel starts. `peers` get the super-tiles that they need without this exchange.
  [[nodiscard]] std::vector<unsigned> ready(const PeerTables& peers) {
    std::vector<unsigned> said(tiles_in_table(host_.tiles));
    is_asked_ = false;
    for (std::size_t at = 0; at < tiles_in_table(host_.along()); ++at) {
      const auto [i, j] = place_of(at);
      const bool comes = exchange_.comes(i, j);
      const unsigned word = comes ? comes_from_elsewhere : peers.withheld(i, j);
      is_asked_ = is_asked_ || (!comes && exchange_.wants(i, j));
      each_piece({i, j}, [&](std::span<std::byte> piece, TilePlace first) {
        std::fill_n(said.begin() + static_cast<std::ptrdiff_t>(tile_number(first.i, first.j)),
                    piece.size() / host_.tile_bytes, word);
      });
    }
    return said;
  }

  /// Takes the addresses that a Workspace gives.
  void connect(const unsigned* made, std::vector<TableCopy> copies, const TileShares& shares) {
    made_ = made;
    copies_ = std::move(copies);
    shares_ = shares;
  }

  /// Exchanges what is final. Call it while the kernel runs, and once after it has ended.
  void progress() {
    const std::vector<Place> made = is_asked_ ? look() : std::vector<Place>();
    fetch(made);
    for (const auto& [i, j] : made) exchange_.made(i, j);
    std::vector<Place> come;
    exchange_.progress([&](std::size_t i, std::size_t j) { come.emplace_back(i, j); });
    send(come);
  }

  /// Call it after the kernel. Waits for the super-tiles that the kernel has not waited for, so that the GPUs have the
  /// whole table.
  void complete(const SolveMonitor& monitor) {
    std::vector<unsigned> said(tiles_in_table(host_.tiles));
    for (;;) {
      copy(said.data(), copies_.front().ready, said.size() * sizeof(unsigned));
      stream_.synchronize();
      if (std::all_of(said.begin(), said.end(), [](unsigned word) { return (word & is_final) != 0; })) return;
      monitor.check();
      progress();
    }
  }

 private:
  using DeviceScope = warpfold::cuda::DeviceScope;
  using Memory = warpfold::cuda::Memory;
  using Stream = warpfold::cuda::Stream;
  using Place = std::pair<std::size_t, std::size_t>;
  static constexpr std::size_t look_at_once = 4096;
  static constexpr std::size_t lane_bytes = std::size_t{1} << 20;  // the size of a super-tile does not matter
  static constexpr std::size_t staging_bytes = max_fetching_threads * lane_bytes;

  static void copy(void* to, const void* from, std::size_t bytes, const Stream& stream) {
    warpfold::cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()), "exchange tiles");
  }
  void copy(void* to, const void* from, std::size_t bytes) const { copy(to, from, bytes, stream_); }

  /// The wanted super-tiles that have become final since the last look.
  std::vector<Place> look() {
    std::vector<Place> found;
    const auto* noted = reinterpret_cast<const unsigned*>(noted_.data());
    for (;;) {
      const std::size_t most = std::min(look_at_once, tiles_in_table(host_.tiles) - seen_);
      if (most == 0) return found;
      copy(noted_.data(), made_ + 1 + seen_, most * sizeof(unsigned));
      stream_.synchronize();
      const std::size_t there = static_cast<std::size_t>(std::find(noted, noted + most, 0U) - noted);
      for (std::size_t at = 0; at < there; ++at) {
        const auto whole = count_.finish(noted[at] - 1);
        if (whole && exchange_.wants(whole->first, whole->second)) found.push_back(*whole);
      }
      seen_ += there;
      if (there < most) return found;
    }
  }

  /// Copies super-tiles to the host, from the first GPU that has them. A single one wakes no other thread.
  void fetch(const std::vector<Place>& places) {
    if (places.empty()) return;
    if (places.size() == 1) return fetch(places[0], 0);
    const int device = DeviceScope::current();
    team_.parallel_for(places.size(), [&](std::size_t at, int member) {
      const DeviceScope scope(device);
      fetch(places[at], static_cast<std::size_t>(member));
    });
  }
  void fetch(const Place& place, std::size_t member) const {
    std::byte* const lane = staging_.data() + member * lane_bytes;
    std::byte* to = lane;
    each_piece(place, [&](std::span<std::byte> piece, TilePlace first) {
      copy(to, on_gpu(home_of(first), first), piece.size(), fetched_[member]);
      to += piece.size();
    });
    fetched_[member].synchronize();
    const std::byte* from = lane;
    each_piece(place, [&](std::span<std::byte> piece, TilePlace) {
      std::copy_n(from, piece.size(), piece.data());
      from += piece.size();
    });
  }

  /// Copies super-tiles to every GPU that has room for them, and marks them final on all GPUs.
  void send(const std::vector<Place>& places) {
    std::size_t used = 0;
    const auto send_piece = [&](std::span<std::byte> piece, TilePlace first) {
      if (used + piece.size() > staging_bytes) {
        stream_.synchronize();
        used = 0;
      }
      std::copy(piece.begin(), piece.end(), staging_.data() + used);
      for (std::size_t gpu = 0; gpu < copies_.size(); ++gpu) {
        if (!shares_.is_near(first) && gpu != home_of(first)) continue;
        copy(on_gpu(gpu, first), staging_.data() + used, piece.size());
      }
      for (const TableCopy& gpu : copies_) {
        copy(gpu.ready + tile_number(first.i, first.j), come_.data(),
             piece.size() / host_.tile_bytes * sizeof(unsigned));
      }
      used += piece.size();
    };
    for (const Place& place : places) each_piece(place, send_piece);
    stream_.synchronize();
  }

  /// Calls visit(piece, its first tile) for every part that is contiguous on the host and on the GPUs. In each column
  /// of tiles, those on a single GPU form one part and the others another.
  template <class Visit>
  void each_piece(const Place& place, const Visit& visit) const {
    for (const std::span<std::byte> column : pieces_of(host_, place.first, place.second)) {
      const auto at = static_cast<std::size_t>(column.data() - host_.first) / host_.tile_bytes;
      const auto [i, j] = place_of(at);
      const TilePlace first{static_cast<unsigned>(i), static_cast<unsigned>(j)};
      const auto count = static_cast<unsigned>(column.size() / host_.tile_bytes);
      const unsigned far = std::min(count, std::max(shares_.far_rows(first.j), first.i) - first.i);
      const std::size_t far_bytes = far * host_.tile_bytes;
      if (far > 0) visit(column.first(far_bytes), first);
      if (far < count) visit(column.subspan(far_bytes), TilePlace{first.i + far, first.j});
    }
  }
  /// The first GPU that has a tile.
  [[nodiscard]] std::size_t home_of(TilePlace tile) const { return shares_.is_near(tile) ? 0 : tile.j % shares_.gpus; }
  [[nodiscard]] std::byte* on_gpu(std::size_t gpu, TilePlace tile) const {
    return copies_[gpu].tables + shares_.number(tile) * host_.tile_bytes;
  }

  TableExchange& exchange_;
  SuperTiles host_;
  SuperTileCount count_;
  bool is_asked_ = true;  ///< whether any super-tile that the kernel makes is wanted
  std::size_t seen_ = 0;  ///< noted tiles that were looked at
  const unsigned* made_ = nullptr;
  std::vector<TableCopy> copies_;
  TileShares shares_;
  Team team_;
  Memory noted_, come_, staging_;
  Stream stream_;
  std::vector<Stream> fetched_;  ///< one for each member of the team
};

}  // namespace warpfold::tiles::device
