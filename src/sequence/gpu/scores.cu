#include <algorithm>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/scores.cuh"
#include "sequence/gpu/scores.hpp"

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
      const std::int64_t score = query.pair.score(x, y) + 2 * std::int64_t{layout.extend};
      scores.push_back(static_cast<std::int8_t>(std::max<std::int64_t>(score, layout.least_score)));
    }
  }
  const int above = query.ends().begin_b ? 2 * layout.extend : layout.extend - layout.open;
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
        packets_(2 * layout.m),
        column_(layout.keeps_column ? layout.rows() : 0),
        words_(words) {}

  [[nodiscard]] BestEnd run(SolveMonitor& monitor) {
    warpfold::cuda::run(stream_, query_.cells(), monitor, [&] {
      check(cudaMemsetAsync(words_.data(), 0, words_.bytes(), stream_.get()), "clear its counters");
      check(cudaMemsetAsync(packets_.data(), 0, packets_.bytes(), stream_.get()), "clear what strips hand on");
      start();
      const std::size_t chunks = layout_.m / warp + 2;
      return RunningSolve{word(reported), layout_.strips() * chunks / score_chunks_between_reports, word(stop), 1};
    });
    return best_end();
  }

 private:
  enum Word : unsigned { ticket, reported, stop, words };

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }

  void start() const {
    switch (layout_.kernel.rows) {
      case 4:
        return start<PairScores, 4>();
      case 8:
        return layout_.kernel.pairs ? start<PairScores, 8>() : start<WideScores, 8>();
      case 16:
        return layout_.kernel.pairs ? start<PairScores, 16>() : start<WideScores, 16>();
      default:
        return start<PairScores, 32>();
    }
  }

  template <class Cells, int K>
  void start() const {
    ScoredSolve solve{.a = a_.data(),
                      .b = b_.data() + before_b,
                      .scores = scores_.data(),
                      .m = static_cast<std::uint32_t>(layout_.m),
                      .padding = static_cast<std::uint32_t>(layout_.padding()),
                      .codes = layout_.codes,
                      .strips = static_cast<unsigned>(layout_.strips()),
                      .open = layout_.open,
                      .extend = layout_.extend,
                      .free_a = query_.ends().begin_a,
                      .free_b = query_.ends().begin_b,
                      .corner = layout_.corner,
                      .packets = packets_.data(),
                      .column = layout_.keeps_column ? column_.data() : nullptr,
                      .ticket = word(ticket),
                      .reported = word(reported),
                      .stop = word(stop)};
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned of_all = (solve.strips + schedulers * multiprocessors - 1) / (schedulers * multiprocessors);
    const unsigned warps = std::min({score_warps<K>, layout_.max_warps(), schedulers * of_all});
    const unsigned blocks = std::min(multiprocessors, (solve.strips + warps - 1) / warps);
    const auto kernel = run_scored_strips<Cells, K>;
    const std::size_t shared_bytes = std::size_t{warps} * score_bytes_of_a_warp<Cells, K>(layout_.codes);
    reserve_shared(kernel, shared_bytes);
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(warps * warp), arguments, shared_bytes, stream_.get()),
          "start to align");
  }

  /// H of a row and a column, from a biased value.
  [[nodiscard]] std::int64_t unbiased(std::int64_t value, std::uint64_t i, std::uint64_t j) const {
    return value - std::int64_t{layout_.extend} * static_cast<std::int64_t>(layout_.padding() + i + j);
  }

  /// The ends in the last column come before those in the last row.
  [[nodiscard]] BestEnd best_end() const {
    BestEnd best;
    if (query_.ends().end_a) offer_last_column(best);
    const std::size_t first = query_.ends().end_b ? 0 : layout_.m - 1;
    std::vector<unsigned long long> row(layout_.m - first);
    const auto* const from = packets_.data() + (layout_.strips() - 1) % 2 * layout_.m + first;
    check(cudaMemcpy(row.data(), from, row.size() * sizeof row[0], cudaMemcpyDeviceToHost), "return the last row");
    if (query_.ends().end_b) best.offer(query_.left_of(layout_.n), layout_.n, 0);
    for (std::size_t at = 0; at < row.size(); ++at) {
      const std::size_t j = first + at + 1;
      best.offer(unbiased(static_cast<std::int32_t>(row[at]), layout_.n, j), layout_.n, j);
    }
    return best;
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
  const Buffer<int> column_;
  const Buffer<unsigned> words_;
  const warpfold::cuda::Stream stream_;
};

}  // namespace

Alignment alignment_by_strips(const alignment::Query& query, Context& context) {
  return alignment_by_strips(query, context, *score_layout_of(alignment::size_of(query.pair, query.request)));
}

Alignment alignment_by_strips(const alignment::Query& query, Context& context, const ScoreLayout& layout) {
  const DeviceScope scope(context.options.device.index);
  context.take_device_memory(layout.device_bytes());
  const auto taken =
      context.budget.reserve(host_bytes_of_alignment(alignment::size_of(query.pair, query.request), context.options));
  SolveMonitor monitor(context.options, query.cells());
  return ScoreStrips(query, layout).run(monitor).alignment();
}

}  // namespace warpfold::sequence::cuda
