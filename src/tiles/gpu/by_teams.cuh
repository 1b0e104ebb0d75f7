#pragma once

#include "tiles/gpu/fill.cuh"

/// Small tables, whose time is that of the tiles from the diagonal to the corner: each waits for the one before. A
/// block then has a multiprocessor for itself, and its teams share the products of a tile and its sub-blocks.
namespace warpfold::tiles::device {

/// The rules of such a table. Shared memory: the teams' chunks, and the two diagonal tiles after those of the first
/// team.
template <class Rules>
struct ByTeams : Rules {
  using T = typename Rules::Value;
  static constexpr unsigned teams = Layout<T>::blocks;
  static constexpr bool keeps_corners = true;
  static constexpr unsigned adding_teams(int) { return teams; }
  static constexpr int shared_bytes(int depth, int) {
    return (static_cast<int>(teams) * Layout<T>::corners(depth) + Layout<T>::tile_size) * static_cast<int>(sizeof(T));
  }
};

/// The last two products of a tile have an operand of the diagonal before, whose upper right quarter is final last. So
/// the product with the tile to the left begins with its left half, and that with the tile below with its lower half.
template <class Rules, int Depth>
struct ChunkOrder<ByTeams<Rules>, Depth> : WholeProducts<ByTeams<Rules>, Depth> {
  using Whole = WholeProducts<ByTeams<Rules>, Depth>;
  using Whole::of_product, Whole::task;

  [[nodiscard]] __device__ __forceinline__ bool is_late(unsigned product) const {
    return task.diagonal() >= 3 && own_product<ByTeams<Rules>>(product) + 3 >= task.diagonal();
  }
  [[nodiscard]] __device__ __forceinline__ typename Whole::Place place(unsigned chunk) const {
    typename Whole::Place place = Whole::place(chunk);
    const bool is_below = place.k == task.tile.i + 1;
    if (is_below && is_late(chunk / of_product)) place.row = tile_side - Depth - place.row;
    return place;
  }
  [[nodiscard]] __device__ __forceinline__ bool continues(unsigned chunk) const {
    return Whole::continues(chunk) && !is_late(chunk / of_product);
  }
};

/// A sub-block that half a warp closes, with its products within the tile in the order in which their operands become
/// final. Products 0 and 1 need the wave before the sub-block's own, 2 and 3 the wave before that one, and so on.
template <class Rules, int Depth>
class EarlyClosing {
 public:
  using T = typename Rules::Value;

  __device__ __forceinline__ EarlyClosing(const Task<Rules, Depth>& task, HalfLane lane, int wave,
                                          const Cells<T>& weights)
      : task_(task), lane_(lane), place_(lane, wave, is_diagonal()), other_(weights) {
    const int products = is_diagonal() ? wave - 1 : wave;
    below_ = is_diagonal() ? (products + 1) / 2 : subs - 1 - place_.a;
    left_ = products - below_;
    next_ = products - 1;
    if (!place_.share.any) return;
    if (place_.share.both && next_ % 2 != lane_.half) --next_;
    sum_ = of_tile<T>(place_.a, place_.b).cells(lane_.row(), lane_.column());
    if (place_.share.helps) each_cell([&](int u, int v) { sum_.value[u][v] = Rules::zero(); });
  }

  /// Adds the products from `last` on that are not added yet. Two halves of a warp that close the same sub-block take
  /// turns.
  __device__ __forceinline__ void add_products(int last) {
    if (!place_.share.any) return;
    for (; next_ >= last; next_ -= 1 + place_.share.both) add_product(next_);
  }

  /// Half of its products are from this one on, besides those of its own turn.
  [[nodiscard]] __device__ __forceinline__ int middle_product() const { return (below_ + left_ + 2) / 2; }

  /// Adds the products that are left, and finishes the sub-block.
  __device__ __forceinline__ void finish() {
    if (!place_.share.any) return;
    const Corners<T> corners(lane_, corner_left(place_.a), corner_below(place_.b));
    fetch_inner_values(task_, place_, lane_, other_);
    add_products(0);
    if (place_.share.both) {
      each_cell(
          [&](int u, int v) { sum_.value[u][v] = Rules::plus(sum_.value[u][v], from_neighbor(sum_.value[u][v], 16)); });
    }
    close_sub_block(task_.rules, origin(), lane_, !place_.share.helps, sum_, of_tile<T>(place_.a, place_.b), corners,
                    other_);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ bool is_diagonal() const { return task_.diagonal() == 0; }
  [[nodiscard]] __device__ __forceinline__ Origin origin() const {
    return origin_of(task_, place_.a * sub + lane_.row(), place_.b * sub + lane_.column());
  }
  /// The finished sub-blocks in its rows to the left, and in its columns below.
  [[nodiscard]] __device__ __forceinline__ SubBlock<T> corner_left(int middle) const {
    return is_diagonal() ? of_tile<T>(place_.a, middle) : of_left<T, Depth>(place_.a, middle);
  }
  [[nodiscard]] __device__ __forceinline__ SubBlock<T> corner_below(int middle) const {
    return is_diagonal() ? of_tile<T>(middle, place_.b) : of_below<T, Depth>(middle, place_.b);
  }

  __device__ __forceinline__ void add_product(int number) {
    const int fewer = min(below_, left_);
    const bool is_paired = number < 2 * fewer;
    const int distance = is_paired ? number / 2 : number - fewer;
    const bool is_below = is_paired ? number % 2 == 0 : below_ > left_;
    const int middle = is_below ? place_.a + 1 + distance : place_.b - 1 - distance;
    SubBlock<T> a = is_below ? corner_left(middle) : of_tile<T>(place_.a, middle);
    SubBlock<T> b = is_below ? of_tile<T>(middle, place_.b) : corner_below(middle);
    a.offset += of_tile<T>(0, 0).at(lane_.row(), 0);
    b.offset += lane_.column();
    const unsigned tile = is_below ? task_.tile.i : task_.tile.j;
    Factors<T>(a, b).add_to(sum_, task_.rules, origin(), tile * tile_side + middle * sub);
  }

  const Task<Rules, Depth>& task_;
  HalfLane lane_;
  SubPlace place_;
  int below_, left_;  ///< the products whose other factor lies below in this tile, and to the left
  int next_;
  Cells<T> sum_, other_;
};

/// Before this wave all sub-blocks are final but those of the upper right quarter. In the next one a team has three
/// sub-blocks, and its last warp none.
inline constexpr int quarters_wave = subs + subs / 2 - 1;

/// A warp without a sub-block writes three quarters of the tile and marks them final.
template <class Rules, int Depth>
__device__ void publish_quarters(const Task<Rules, Depth>& task) {
  constexpr int half = tile_side / 2;
  typename Rules::Value* const place = task.global(task.tile.i, task.tile.j);
  write_part<half, half, 32>(place, 0, 0, thread_anew() % 32, checked(task));
  write_part<half, tile_side, 32>(place, half, 0, thread_anew() % 32, checked(task));
  __syncwarp();
  if (thread_anew() % 32 != 0) return;
  OwnCounter(task.job.ready[tile_number(task.tile.i, task.tile.j)])
      .fetch_or(is_final_but_corner, ::cuda::memory_order_release);
}

/// Finishes a tile in waves as close_tile does, but each team closes every third wave (of 8-byte values every second).
/// Before its turn it adds the products whose operands are final. One barrier of the block a wave. The teams reach it
/// at different places of the code, which costs less than one place for all (docs/explanation/kernels/interval.md).
template <class Rules, int Depth>
__device__ __forceinline__ void close_tile_by_teams(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  const bool diagonal = task.diagonal() == 0;
  const int first_wave = diagonal ? 1 : 0, waves = diagonal ? subs : 2 * subs - 1;
  const HalfLane lane(thread_anew());
  const T* own = task.global(task.tile.i, task.tile.j) + lane.row() * tile_side + lane.column();
  int turn = first_wave;  // the wave that a team closes now
  for (int wave = first_wave + static_cast<int>(threadIdx.y); wave < waves; wave += static_cast<int>(Rules::teams)) {
    EarlyClosing<Rules, Depth> closing(task, lane, wave, weights_of(task, own, lane, SubPlace(lane, wave, diagonal)));
    for (; turn < wave; ++turn) {
      if (turn == quarters_wave && wave == quarters_wave + 1 && lane.warp == warps - 1) publish_quarters(task);
      const int turns = wave - turn;
      closing.add_products(turns == 1 ? 2 : max(2 * turns, closing.middle_product()));
      __syncthreads();
    }
    closing.finish();
    __syncthreads();
    ++turn;
  }
  for (; turn < waves; ++turn) __syncthreads();
}

/// Combines the teams' sums of the tile.
template <class Rules, int Depth>
__device__ __forceinline__ void combine_sums() {
  using T = typename Rules::Value;
  for (int at = thread_in_block<Rules>() * 4; at < Layout<T>::tile_size; at += threads_of<Rules> * 4) {
    auto& sums = *reinterpret_cast<Four<T>*>(shared_values<T>() + at);
    Four<T> sum = sums;
#pragma unroll
    for (unsigned team = 1; team < Rules::teams; ++team) {
      const Four<T> more = *reinterpret_cast<const Four<T>*>(shared_values<T>() + team_offset<Rules, Depth>(team) + at);
      for (int x = 0; x < 4; ++x) sum.value[x] = Rules::plus(sum.value[x], more.value[x]);
    }
    sums = sum;
  }
}

/// fill_tables calls this for a tile.
template <class Rules, int Depth>
__device__ void run_task(const Task<ByTeams<Rules>, Depth>& task) {
  if (task.diagonal() == 0) {
    close_corners(task);
  } else {
    fetch_weights(task);
    fetch_corners(task);
    TileSum<ByTeams<Rules>, Depth> sum(task);
    add_products(task, sum);
    copy_wait<0>();
    sum.store(task);
    __syncthreads();
    combine_sums<ByTeams<Rules>, Depth>();
  }
  __syncthreads();
  close_tile_by_teams(task);
}

/// Writes what is left of the tile, and marks it final.
template <class Rules, int Depth>
__device__ void publish(const Task<ByTeams<Rules>, Depth>& task, bool) {
  using By = ByTeams<Rules>;
  constexpr int half = tile_side / 2;
  typename Rules::Value* const place = task.global(task.tile.i, task.tile.j);
  if (task.diagonal() == 0) {
    write_part<tile_side, tile_side, threads_of<By>>(place, 0, 0, thread_in_block<By>(), checked(task));
  } else {
    write_part<half, half, threads_of<By>>(place, 0, half, thread_in_block<By>(), checked(task));
  }
  __syncthreads();
  if (is_first_thread<By>()) announce<OwnCounter>(task.job, task.tile);
}

}  // namespace warpfold::tiles::device
