#include "solve_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "guard.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "outputs.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::app {

void SolveOptions::begin() {
  check_outputs({output});
  if (max_memory) limit_memory(parse_size("--max-memory", *max_memory));
  if (time_limit_seconds) deadline = begin_time_limit(*time_limit_seconds);
}

Options SolveOptions::resolve() const {
  Options resolved;
  resolved.device = parse_device(device);
  resolved.threads = threads;
  resolved.algorithm = algorithm;
  resolved.deadline = deadline;
  resolved.budget = &process_budget();
  if (max_device_memory) resolved.max_device_memory = parse_size("--max-device-memory", *max_device_memory);
  resolved.stop = interrupt_token();
  if (!quiet && (progress || isatty(STDERR_FILENO))) {
    const auto start = std::chrono::steady_clock::now();
    resolved.progress = [start](const Progress& done) { draw_progress(done, seconds_since(start)); };
  }
  return resolved;
}

std::optional<Checkpoint> SolveOptions::checkpointer() const {
  if (!checkpoint && !resume) {
    if (every_seconds) throw Error(ErrorKind::usage, "--every is for a checkpoint: it needs --checkpoint or --resume");
    return std::nullopt;
  }
  wait_for_checkpoints();
  const std::chrono::duration<double> every(every_seconds ? *every_seconds : Checkpoint::default_interval.count());
  return checkpoint ? Checkpoint(*checkpoint, every) : Checkpoint::resumed(*resume, every);
}

void add_checkpoint_options(Command command, SolveOptions& options) {
  const Argument checkpoint =
      command.option("--checkpoint", options.checkpoint, "keep in FOLDER what is final, so that --resume can go on")
          .takes("FOLDER");
  command.option("--resume", options.resume, "go on with what FOLDER keeps, and go on keeping there")
      .takes("FOLDER")
      .excludes(checkpoint);
  command.number("--every", options.every_seconds, "how often what FOLDER keeps becomes safe; default: 10")
      .takes("SECONDS");
}

void add_solve_options(Command command, SolveOptions& options, const std::string& endings, const std::string& dtypes,
                       const SupportedOptions& reads) {
  command.option("-o,--output", options.output, "write the solution to FILE: " + endings).takes("FILE");
  command.flag("--json", options.json, "print one JSON object on standard output, and nothing else there");
  command.option("--device", options.device, "where to solve").takes("auto|cpu|cuda|cuda:N,...|cuda:all");
  if (reads.threads) command.number("--threads", options.threads, threads_help, 0);
  command.option("--dtype", options.dtype, "arithmetic; the instance decides without it").takes(dtypes);
  if (reads.algorithm) command.option("-a,--algorithm", options.algorithm, "force one; `warpfold info` lists them");
  command.number("--time-limit", options.time_limit_seconds, time_limit_help).takes("SECONDS");
  command.option("--max-memory", options.max_memory, max_memory_help).takes("SIZE");
  if (reads.device_memory) {
    command
        .option("--max-device-memory", options.max_device_memory, "the same for a GPU's memory; default: what is free")
        .takes("SIZE");
  }
  if (reads.estimate) {
    command.flag("--estimate", options.estimate, "print the time and bytes the solve would take; do not solve");
  }
  if (reads.seed) command.number("--seed", options.seed, "for everything random");
  command.flag("-q,--quiet", options.quiet, "print nothing but errors");
  if (reads.progress) {
    command.flag("--progress", options.progress, "show the progress bar also where stderr is no terminal");
  }
  command.on_parsed([&options] { options.begin(); });  // before the command reads anything
}

}  // namespace warpfold::app
