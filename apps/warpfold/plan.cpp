#include <fmt/format.h>

#include "core/size_text.hpp"
#include "number_lists.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/interval/prediction.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::app {

namespace {

using interval::Prediction;
using interval::Workers;

struct PlanOptions {
  std::size_t n = 0;
  std::string ranks = "1";
  int gpus = 1;
  double link = 0;
  bool json = false;
};

Json plan_json(int ranks, const Prediction& plan) {
  return {{"ranks", ranks},
          {"grid", {plan.grid.rows, plan.grid.columns}},
          {"table_bytes", plan.table_bytes},
          {"bytes_of_a_rank", plan.bytes_of_a_rank},
          {"bytes_of_a_gpu", plan.bytes_of_a_gpu},
          {"sent_bytes_of_a_rank", plan.sent_bytes},
          {"seconds",
           {{"computing", plan.computing_seconds},
            {"path", plan.path_seconds},
            {"sending", plan.sending_seconds},
            {"total", plan.seconds()}}},
          {"extrapolated", plan.is_extrapolated}};
}

void print_line(int ranks, int gpus, const Prediction& plan) {
  fmt::print("{:>6} {:>6} {:>8} {:>9} {:>9} {:>9} {:>11.4g} {:>7.2g} {:>8.2g} {:>9.4g}  {}\n", ranks,
             std::int64_t{ranks} * gpus, fmt::format("{} x {}", plan.grid.rows, plan.grid.columns),
             bytes_text(plan.bytes_of_a_rank), gpus > 0 ? bytes_text(plan.bytes_of_a_gpu) : "",
             bytes_text(plan.sent_bytes), plan.computing_seconds, plan.path_seconds, plan.sending_seconds,
             plan.seconds(), plan.is_extrapolated ? "extrapolated" : "");
}

void run(const PlanOptions& options) {
  std::vector<std::pair<int, Prediction>> plans;
  for (const int ranks : option_integers<std::int32_t>("--ranks", options.ranks)) {
    if (ranks > 1 && options.link == 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} ranks send to each other: --link, bytes a second, is needed", ranks));
    }
    plans.emplace_back(ranks, interval::predict(options.n, Workers{ranks, options.gpus, options.link}));
  }
  if (options.json) {
    Json list = Json::array();
    for (const auto& [ranks, plan] : plans) list.push_back(plan_json(ranks, plan));
    return print_json({{"command", "plan"},
                       {"version", version},
                       {"n", options.n},
                       {"gpus", options.gpus},
                       {"link_bytes_per_second", options.link},
                       {"plans", std::move(list)}});
  }
  fmt::print("{} points, f32 not negative: a table of {}\n", options.n, bytes_text(plans.front().second.table_bytes));
  fmt::print("{:>6}{:>7}{:>9}{:>10}{:>10}{:>10}{:>12}{:>8}{:>9}{:>10}\n", "ranks", "GPUs", "grid", "a rank's",
             "a GPU's", "it sends", "computing", "path", "sending", "seconds");
  for (const auto& [ranks, plan] : plans) print_line(ranks, options.gpus, plan);
}

}  // namespace

void add_plan(Command command) {
  command.examples("warpfold plan -n 1048576 --ranks 1,8,64 --gpus 8 --link 400e9",
                   "warpfold plan -n 65536 --gpus 0 --json");
  auto options = std::make_shared<PlanOptions>();
  command.number("-n", options->n, "number of points of the table", std::size_t{3}, tiles::max_points).required();
  command.option("--ranks", options->ranks, "numbers of processes that share the table, a line of each").takes("R,R..");
  command.number("--gpus", options->gpus, "number of GPUs of each rank; 0: one thread", 0);
  command.number("--link", options->link,
                 "bytes a second that a rank sends, and receives at the same time; needed by several ranks", 0.0);
  command.in(Group::output).flag("--json", options->json, json_help);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
