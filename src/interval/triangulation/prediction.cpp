#include "warpfold/interval/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::interval {

RankGrid::RankGrid(int ranks) {
  for (int divisor = 1; divisor <= ranks / divisor; ++divisor) {
    if (ranks % divisor == 0) rows = divisor;
  }
  columns = ranks / rows;
}

namespace {

void check(std::size_t points, const Workers& workers) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (points < 3 || points > tiles::max_points) {
    refuse(fmt::format("{} points: 3 to {} are accepted", points, tiles::max_points));
  }
  if (workers.ranks < 1) refuse(fmt::format("{} ranks: 1 or more are accepted", workers.ranks));
  if (workers.gpus < 0) refuse(fmt::format("{} GPUs: 0 or more are accepted", workers.gpus));
  const double link = workers.link_bytes_per_second;
  if (!std::isfinite(link) || link < 0 || (workers.ranks > 1 && link == 0)) {
    refuse(fmt::format("a link of {} bytes a second between ranks: a finite number above 0 is accepted", link));
  }
}

}  // namespace

Prediction predict(std::size_t points, const Workers& workers) {
  check(points, workers);
  const RankGrid grid(workers.ranks);
  const WorkerRate& rate = workers.gpus > 0 ? gpu_rate : thread_rate;
  const double n = static_cast<double>(points), table = n * n / 2 * sizeof(float);
  const double ranks = workers.ranks, rows = grid.rows, columns = grid.columns;
  const double all_workers = ranks * std::max(workers.gpus, 1);
  const double sent = table * (rows + columns - 2) / ranks;
  Prediction prediction{.grid = grid,
                        .table_bytes = table,
                        .bytes_of_a_rank = table * (1 / rows + 1 / columns - 1 / ranks),
                        .bytes_of_a_gpu = 0,
                        .sent_bytes = sent,
                        .computing_seconds = n * (n - 1) * (n - 2) / 6 / (all_workers * rate.splits_per_second),
                        .path_seconds = n * rate.path_seconds_a_point,
                        .sending_seconds = workers.ranks > 1 ? sent / workers.link_bytes_per_second : 0,
                        .is_extrapolated = all_workers > rate.max_workers || points > rate.max_points};
  if (workers.gpus > 0) prediction.bytes_of_a_gpu = prediction.bytes_of_a_rank / workers.gpus;
  return prediction;
}

}  // namespace warpfold::interval
