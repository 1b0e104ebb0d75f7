#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "run/cuda.hpp"
#include "tiles/device_run.hpp"
#include "tiles/peer_tables.hpp"
#include "tiles/super_tile_count.hpp"
#include "tiles/tile_tickets.hpp"
#include "warpfold/tiles/table_keeper.hpp"

/// A table that GPUs fill while super-tiles of it come and go.
namespace warpfold::tiles::device {

/// What stands between a TableExchange and the kernel that fills a table (fill.cuh), which leaves out what comes from
/// elsewhere and waits for it as for any other tile. The host has the table, too, as the exchange knows it: copy
/// engines bring there what the kernel has noted as final, and to every GPU what comes from there, the word that says
/// so behind it on the same stream. The thread that waits for the kernel does all this. It takes its memory beforehand,
/// and starts nothing that could wait for the kernel.
class DeviceExchange {
 public:
  /// `host`: where the table lies there. The current device is that of the first copy.
  DeviceExchange(TableExchange& beside, const SuperTiles& host)
      : beside_(beside),
        host_(host),
        count_(host),
        noted_(Memory::Place::pinned, look_at_once * sizeof(unsigned)),
        come_(Memory::Place::pinned, host.group * sizeof(unsigned)),
        staging_(Memory::Place::pinned, staging_bytes) {
    std::fill_n(reinterpret_cast<unsigned*>(come_.data()), host.group, comes_from_elsewhere | is_final);
  }

  /// What is to be said of the tiles when the kernel starts. `peers` get by themselves what they need.
  [[nodiscard]] std::vector<unsigned> ready(const PeerTables& peers) {
    std::vector<unsigned> said(tiles_in_table(host_.tiles));
    is_asked_ = false;
    for (std::size_t at = 0; at < tiles_in_table(host_.along()); ++at) {
      const auto [i, j] = place_of(at);
      const bool comes = beside_.comes(i, j);
      const unsigned word = comes ? comes_from_elsewhere : peers.withheld(i, j);
      is_asked_ = is_asked_ || (!comes && beside_.wants(i, j));
      each_piece({{i, j}}, [&](std::span<std::byte> piece) {
        std::fill_n(said.begin() + static_cast<std::ptrdiff_t>(offset(piece) / host_.tile_bytes),
                    piece.size() / host_.tile_bytes, word);
      });
    }
    return said;
  }

  /// `made`: Workspace::made.
  void connect(const unsigned* made, std::vector<TableCopy> copies) {
    made_ = made;
    copies_ = std::move(copies);
  }

  /// To be called while the kernel runs, and once when it has ended.
  void progress() {
    const std::vector<Place> made = is_asked_ ? look() : std::vector<Place>();
    fetch(made);
    for (const auto& [i, j] : made) beside_.made(i, j);
    std::vector<Place> come;
    beside_.progress([&](std::size_t i, std::size_t j) { come.emplace_back(i, j); });
    send(come);
  }

  /// Behind the kernel: waits for what it has not waited for.
  void complete() {
    std::vector<unsigned> said(tiles_in_table(host_.tiles));
    for (;;) {
      copy(said.data(), copies_.front().ready, said.size() * sizeof(unsigned));
      stream_.synchronize();
      if (std::all_of(said.begin(), said.end(), [](unsigned word) { return (word & is_final) != 0; })) return;
      progress();
    }
  }

 private:
  using Memory = warpfold::cuda::Memory;
  using Place = std::pair<std::size_t, std::size_t>;
  static constexpr std::size_t look_at_once = 4096;
  static constexpr std::size_t staging_bytes = std::size_t{8} << 20;  // several super-tiles of any size

  void copy(void* to, const void* from, std::size_t bytes) const {
    warpfold::cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_.get()), "exchange tiles");
  }

  /// The super-tiles that are asked for and have become final since the last look.
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
        if (whole && beside_.wants(whole->first, whole->second)) found.push_back(*whole);
      }
      seen_ += there;
      if (there < most) return found;
    }
  }

  /// To the host, from the first GPU.
  void fetch(const std::vector<Place>& places) {
    std::vector<std::span<std::byte>> on_the_way;
    std::size_t used = 0;
    const auto arrive = [&] {
      stream_.synchronize();
      const std::byte* from = staging_.data();
      for (const std::span<std::byte> piece : on_the_way) {
        std::copy_n(from, piece.size(), piece.data());
        from += piece.size();
      }
      on_the_way.clear();
      used = 0;
    };
    each_piece(places, [&](std::span<std::byte> piece) {
      if (used + piece.size() > staging_bytes) arrive();
      copy(staging_.data() + used, copies_.front().tables + offset(piece), piece.size());
      on_the_way.push_back(piece);
      used += piece.size();
    });
    arrive();
  }

  /// To every GPU.
  void send(const std::vector<Place>& places) {
    std::size_t used = 0;
    each_piece(places, [&](std::span<std::byte> piece) {
      if (used + piece.size() > staging_bytes) {
        stream_.synchronize();
        used = 0;
      }
      std::copy(piece.begin(), piece.end(), staging_.data() + used);
      const std::size_t first = offset(piece) / host_.tile_bytes, count = piece.size() / host_.tile_bytes;
      for (const TableCopy& gpu : copies_) {
        copy(gpu.tables + offset(piece), staging_.data() + used, piece.size());
        copy(gpu.ready + first, come_.data(), count * sizeof(unsigned));
      }
      used += piece.size();
    });
    stream_.synchronize();
  }

  template <class Visit>
  void each_piece(const std::vector<Place>& places, const Visit& visit) const {
    for (const auto& [i, j] : places) {
      for (const std::span<std::byte> piece : host_.pieces(i, j)) visit(piece);
    }
  }
  [[nodiscard]] std::size_t offset(std::span<std::byte> piece) const {
    return static_cast<std::size_t>(piece.data() - host_.first);
  }

  TableExchange& beside_;
  SuperTiles host_;
  SuperTileCount count_;
  bool is_asked_ = true;  ///< whether anything of what the kernel makes is
  std::size_t seen_ = 0;  ///< of what the kernel has noted
  const unsigned* made_ = nullptr;
  std::vector<TableCopy> copies_;
  Memory noted_, come_, staging_;
  warpfold::cuda::Stream stream_;
};

}  // namespace warpfold::tiles::device
