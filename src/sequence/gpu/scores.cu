#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/align/walk.hpp"
#include "sequence/gpu/scores.cuh"
#include "sequence/gpu/scores.hpp"
#include "sequence/gpu/scores_path.cuh"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;
using alignment::BestEnd;

constexpr std::size_t before_b = 2 * warp, behind_b = 4 * warp;

/// The codes of all rows. Those above row 1 have a code of their own.
std::vector<std::uint8_t> rows_of(const alignment::Query& query, const ScoreLayout& layout) {
  std::vector<std::uint8_t> rows(layout.rows(), static_cast<std::uint8_t>(layout.codes));
  std::ranges::copy(query.pair.a(), rows.begin() + static_cast<std::ptrdiff_t>(layout.padding()));
  return rows;
}

/// Where a profile has the scores of a column and of the one before.
std::vector<std::uint32_t> places_of(const alignment::Query& query, const ScoreLayout& layout) {
  const auto of_code = static_cast<std::uint32_t>(layout.kernel.rows * warp);
  std::vector<std::uint32_t> places(before_b + layout.m + behind_b, layout.codes * of_code << 16);
  for (std::size_t j = 0; j < layout.m; ++j) {
    const std::uint32_t place = query.pair.b()[j] * of_code;
    places[before_b + j] += place;
    places[before_b + j + 1] += place << 16;
  }
  return places;
}

/// Rows above row 1 match nothing: a row of them equals row 0.
std::vector<std::int8_t> scores_of(const alignment::Query& query, const ScoreLayout& layout) {
  std::vector<std::int8_t> scores;
  for (std::uint32_t x = 0; x < layout.codes; ++x) {
    for (std::uint32_t y = 0; y < layout.codes; ++y) {
      const std::int64_t score = query.pair.score(x, y) + 2 * std::int64_t{layout.gaps.extend};
      scores.push_back(static_cast<std::int8_t>(std::max<std::int64_t>(score, layout.least_score)));
    }
  }
  const int above =
      layout.is_local || query.ends().begin_b ? 2 * layout.gaps.extend : layout.gaps.extend - layout.gaps.short_open;
  scores.insert(scores.end(), layout.codes, static_cast<std::int8_t>(above));
  return scores;
}

/// The memory of one solve, and its kernel.
class ScoreStrips {
 public:
  ScoreStrips(const alignment::Query& query, const ScoreLayout& layout)
      : query_(query),
        layout_(layout),
        a_(std::span<const std::uint8_t>(rows_of(query, layout))),
        b_(std::span<const std::uint32_t>(places_of(query, layout))),
        scores_(std::span<const std::int8_t>(scores_of(query, layout))),
        packets_(2 * layout.m * layout.gaps.pieces()),
        rows_(layout.group_rows()),
        borders_(layout.borders()),
        states_(layout.states()),
        column_(layout.keeps_column ? layout.rows() : 0),
        ends_(layout.is_local ? layout.strips() : 0),
        end_states_(layout.end_states()),
        words_(words) {}

  [[nodiscard]] BestEnd run(SolveMonitor& monitor) {
    sweep(solve_, query_.cells(), monitor);
    return layout_.is_local ? local_end() : best_end();
  }

  /// The script that comes to an end, after `run` with a layout that keeps what it needs.
  [[nodiscard]] Script script(const BestEnd& end, SolveMonitor& monitor) {
    const Buffer<unsigned> facts(layout_.facts());
    const Buffer<std::uint8_t> runs(layout_.n + layout_.m);
    const bool is_done = end.i == 0 || end.j == 0;
    ScoreWalk walk{.row = layout_.padding() + end.i,
                   .column = end.j,
                   .bytes = 0,
                   .edit = static_cast<unsigned>(Edit::match),
                   .ongoing = 0,
                   .is_done = is_done ? 1U : 0U};
    const Buffer<ScoreWalk> place{std::span<const ScoreWalk>(&walk, 1)};
    alignment::AlignmentWalk backwards(query_, end);
    std::uint64_t replayed = 0;
    const auto replay = [&] {
      std::vector<std::uint8_t> found(walk.bytes - replayed);
      check(cudaMemcpy(found.data(), runs.data() + replayed, found.size(), cudaMemcpyDeviceToHost), "return a script");
      for_each_run(found, [&](Edit edit, unsigned steps) { backwards.follow(edit, steps); });
      replayed = walk.bytes;
    };
    while (walk.is_done == 0) {
      monitor.check();
      const std::uint64_t strip = (walk.row - 1) / layout_.rows_of_a_strip();
      if (layout_.groups > 1 && (!solve_.keeps || strip < solve_.first)) {
        enter_group(strip, walk.column);
        sweep(solve_, 0, monitor);
      }
      for (unsigned round = 0; round < rounds_together; ++round) {
        with_kernel([&]<class Cells, int K, bool is_local>() { walk_on<Cells, K, is_local>(place, facts, runs); });
      }
      replay();  // what the rounds before these have found
      check(cudaMemcpyAsync(&walk, place.data(), sizeof walk, cudaMemcpyDeviceToHost, stream_.get()), "walk");
      stream_.synchronize();
    }
    replay();
    return backwards.finished();
  }

 private:
  enum Word : unsigned { ticket, reported, stop, words };
  static constexpr unsigned rounds_together = 4;  ///< between two looks at the walk

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }

  /// Calls `run` with the constants of this solve's kernels.
  template <class Run>
  void with_kernel(const Run& run) const {
    layout_.is_local ? with_pieces<true>(run) : with_pieces<false>(run);
  }
  template <bool is_local, class Run>
  void with_pieces(const Run& run) const {
    layout_.gaps.pieces() == 2 ? with_rows<TwoPieces<PairScores>, TwoPieces<WideScores>, is_local>(run)
                               : with_rows<PairScores, WideScores, is_local>(run);
  }
  template <class Pairs, class Wide, bool is_local, class Run>
  void with_rows(const Run& run) const {
    switch (layout_.kernel.rows) {
      case 4:
        return run.template operator()<Pairs, 4, is_local>();
      case 8:
        return layout_.kernel.pairs ? run.template operator()<Pairs, 8, is_local>()
                                    : run.template operator()<Wide, 8, is_local>();
      case 16:
        return layout_.kernel.pairs ? run.template operator()<Pairs, 16, is_local>()
                                    : run.template operator()<Wide, 16, is_local>();
      default:
        return run.template operator()<Pairs, 32, is_local>();
    }
  }

  /// A sweep of the strips of `solve`. Before it packets have a tag for which the two strips after its first do not
  /// wait.
  void sweep(const ScoredSolve& solve, double cells, SolveMonitor& monitor) const {
    const int blank = (solve.first + 2) % 0x10000 < 2 ? 0x55 : 0;
    warpfold::cuda::run(stream_, cells, monitor, [&] {
      check(cudaMemsetAsync(words_.data(), 0, words_.bytes(), stream_.get()), "clear its counters");
      check(cudaMemsetAsync(packets_.data(), blank, packets_.bytes(), stream_.get()), "clear what strips hand on");
      with_kernel([&]<class Cells, int K, bool is_local>() { start<Cells, K, is_local>(solve); });
      const std::size_t chunks = (solve.strips - solve.first) * (solve.m / warp + 2);
      return RunningSolve{word(reported), chunks / score_chunks_between_reports, word(stop), 1};
    });
  }

  /// Makes the solve that of a strip's group, up to the strip and a column, which keeps what the walk needs.
  void enter_group(std::uint64_t strip, std::uint64_t column) {
    const std::uint64_t number = strip / layout_.group();
    solve_.first = static_cast<unsigned>(number * layout_.group());
    solve_.strips = static_cast<unsigned>(strip + 1);
    solve_.m = static_cast<std::uint32_t>(column);
    solve_.above_first = number > 0 ? rows_.data() + (number - 1) * layout_.m * layout_.gaps.pieces() : nullptr;
    solve_.rows = nullptr;
    solve_.column = nullptr;
    solve_.keeps = true;
  }

  /// Of all strips.
  [[nodiscard]] ScoredSolve whole_solve() const {
    return {.a = a_.data(),
            .b = b_.data() + before_b,
            .scores = scores_.data(),
            .m = static_cast<std::uint32_t>(layout_.m),
            .padding = static_cast<std::uint32_t>(layout_.padding()),
            .codes = layout_.codes,
            .first = 0,
            .strips = static_cast<unsigned>(layout_.strips()),
            .gaps = layout_.gaps,
            .free_a = layout_.is_local || query_.ends().begin_a,
            .free_b = layout_.is_local || query_.ends().begin_b,
            .corner = layout_.corner,
            .packets = packets_.data(),
            .group = static_cast<unsigned>(layout_.group()),
            .rows = layout_.groups > 1 ? rows_.data() : nullptr,
            .above_first = nullptr,
            .keeps = layout_.keeps && layout_.groups == 1,
            .borders = borders_.data(),
            .states = states_.data(),
            .slots = static_cast<unsigned>(layout_.intervals() - 1),
            .column = layout_.keeps_column ? column_.data() : nullptr,
            .ends = ends_.data(),
            .end_states = end_states_.data(),
            .ticket = word(ticket),
            .reported = word(reported),
            .stop = word(stop)};
  }

  template <class Cells, int K, bool is_local>
  void start(ScoredSolve solve) const {
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned strips = solve.strips - solve.first;
    const unsigned of_all = (strips + schedulers * multiprocessors - 1) / (schedulers * multiprocessors);
    const unsigned warps = std::min({score_warps<K>, layout_.max_warps(), schedulers * of_all});
    const unsigned blocks = std::min(multiprocessors, (strips + warps - 1) / warps);
    const auto kernel = run_scored_strips<Cells, K, is_local>;
    const std::size_t shared_bytes = std::size_t{warps} * score_bytes_of_a_warp<Cells, K>(layout_.codes);
    reserve_shared(kernel, shared_bytes);
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(warps * warp), arguments, shared_bytes, stream_.get()),
          "start to align");
  }

  /// A round of the walk.
  template <class Cells, int K, bool is_local>
  void walk_on(const Buffer<ScoreWalk>& place, const Buffer<unsigned>& facts, const Buffer<std::uint8_t>& runs) const {
    auto* const of_tiles = reinterpret_cast<ScoreFacts<Cells, K>*>(facts.data());
    ScoreTiles tiles = layout_.tiles();
    tiles.first = solve_.first;
    const std::size_t shared_bytes = score_bytes_of_a_warp<Cells, K>(layout_.codes);
    reserve_shared(trace_scores<Cells, K, is_local>, shared_bytes);
    trace_scores<Cells, K, is_local>
        <<<tiles.count(), warp, shared_bytes, stream_.get()>>>(solve_, place.data(), tiles, of_tiles);
    check_launch("start to trace");
    walk_scores<Cells, K>
        <<<1, score_walk_threads, 0, stream_.get()>>>(place.data(), layout_.padding(), tiles, of_tiles, runs.data());
    check_launch("start to walk");
  }

  /// H of a row and a column, from a biased value.
  [[nodiscard]] std::int64_t unbiased(std::int64_t value, std::uint64_t i, std::uint64_t j) const {
    return value - std::int64_t{layout_.gaps.extend} * static_cast<std::int64_t>(layout_.padding() + i + j);
  }

  /// The ends in the last column come before those in the last row.
  [[nodiscard]] BestEnd best_end() const {
    BestEnd best;
    if (query_.ends().end_a) offer_last_column(best);
    const std::size_t first = query_.ends().end_b ? 0 : layout_.m - 1, pieces = layout_.gaps.pieces();
    std::vector<unsigned long long> row((layout_.m - first) * pieces);
    const auto* const from = packets_.data() + ((layout_.strips() - 1) % 2 * layout_.m + first) * pieces;
    check(cudaMemcpy(row.data(), from, row.size() * sizeof row[0], cudaMemcpyDeviceToHost), "return the last row");
    if (query_.ends().end_b) best.offer(query_.left_of(layout_.n), layout_.n, 0);
    for (std::size_t j = first + 1; j <= layout_.m; ++j) {
      const auto value = static_cast<std::int32_t>(row[(j - first - 1) * pieces]);
      best.offer(unbiased(value, layout_.n, j), layout_.n, j);
    }
    return best;
  }

  /// Of several strips the first one has the smallest end.
  [[nodiscard]] BestEnd local_end() const {
    std::vector<ScoreEnd> ends(layout_.strips());
    check(cudaMemcpy(ends.data(), ends_.data(), ends_.bytes(), cudaMemcpyDeviceToHost), "return the ends");
    const auto best = std::ranges::max_element(ends, {}, &ScoreEnd::score);
    if (best->score == 0) return {0};
    std::uint64_t column = 0;
    const Buffer<std::uint64_t> found{std::span<const std::uint64_t>(&column, 1)};
    with_kernel([&]<class Cells, int K, bool>() {
      const std::size_t shared_bytes = score_bytes_of_a_warp<Cells, K>(layout_.codes);
      reserve_shared(find_score_end<Cells, K>, shared_bytes);
      const auto strip = static_cast<unsigned>(best - ends.begin());
      find_score_end<Cells, K><<<1, warp, shared_bytes, stream_.get()>>>(solve_, strip, found.data());
    });
    check_launch("start to find an end");
    stream_.synchronize();
    check(cudaMemcpy(&column, found.data(), sizeof column, cudaMemcpyDeviceToHost), "return an end");
    return {best->score, best->row + 1 - layout_.padding(), column};
  }

  void offer_last_column(BestEnd& best) const {
    std::vector<std::int32_t> column(layout_.rows());
    check(cudaMemcpy(column.data(), column_.data(), column_.bytes(), cudaMemcpyDeviceToHost), "return the last column");
    best.offer(query_.above(layout_.m), 0, layout_.m);
    for (std::size_t i = 1; i < layout_.n; ++i) {
      best.offer(unbiased(column[layout_.padding() + i - 1], i, layout_.m), i, layout_.m);
    }
  }

  const alignment::Query& query_;
  const ScoreLayout& layout_;
  const Buffer<std::uint8_t> a_;
  const Buffer<std::uint32_t> b_;
  const Buffer<std::int8_t> scores_;
  const Buffer<unsigned long long> packets_;
  const Buffer<unsigned long long> rows_;
  const Buffer<unsigned> borders_, states_;
  const Buffer<int> column_;
  const Buffer<ScoreEnd> ends_;
  const Buffer<unsigned> end_states_;
  const Buffer<unsigned> words_;
  ScoredSolve solve_ = whole_solve();
  const warpfold::cuda::Stream stream_;
};

}  // namespace

Alignment alignment_by_strips(const alignment::Query& query, Context& context) {
  const std::size_t free =
      query.request.script ? free_bytes(context.options.device.index) : context.options.max_device_memory;
  const alignment::Size size = alignment::size_of(query.pair, query.request);
  return alignment_by_strips(query, context, *score_layout_of(size, std::min(context.options.max_device_memory, free)));
}

Alignment alignment_by_strips(const alignment::Query& query, Context& context, const ScoreLayout& layout) {
  const DeviceScope scope(context.options.device.index);
  context.take_device_memory(layout.device_bytes());
  const auto taken =
      context.budget.reserve(host_bytes_of_alignment(alignment::size_of(query.pair, query.request), context.options));
  SolveMonitor monitor(context.options, query.cells());
  ScoreStrips strips(query, layout);
  const BestEnd end = strips.run(monitor);
  Alignment solution = end.alignment();
  if (!layout.keeps) return solution;
  const auto start = std::chrono::steady_clock::now();
  solution.script = strips.script(end, monitor);
  context.report.traceback_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return solution;
}

}  // namespace warpfold::sequence::cuda
