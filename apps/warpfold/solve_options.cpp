#include "solve_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "guard.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "outputs.hpp"
#include "terminal.hpp"
#include "tuning.hpp"
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
  resolved.gpu_start_seconds = tuning::gpu_start_seconds;
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
  const Command output = command.in(Group::output);
  const Argument checkpoint = output
                                  .option("--checkpoint", options.checkpoint,
                                          "new or empty folder for finished tiles, from which --resume continues")
                                  .takes("FOLDER");
  output.option("--resume", options.resume, "checkpoint folder to continue from, and to save further tiles in")
      .takes("FOLDER")
      .excludes(checkpoint);
  output.number("--every", options.every_seconds, "seconds between durable checkpoints (default 10)").takes("SECONDS");
}

namespace {

void add_solving_options(Command solving, SolveOptions& options, const std::string& dtypes,
                         const SupportedOptions& reads) {
  solving.option("--device", options.device, "device to solve on")
      .takes(reads.gpu ? "auto|cpu|cuda|cuda:N,...|cuda:all" : "auto|cpu");
  if (reads.threads) solving.number("--threads", options.threads, threads_help, 0);
  const bool has_choice = dtypes.find('|') != std::string::npos;
  solving.option("--dtype", options.dtype, "number type; default: " + (has_choice ? "chosen from the input" : dtypes))
      .takes(dtypes);
  if (reads.algorithm) {
    solving
        .option("-a,--algorithm", options.algorithm,
                "algorithm, of those that `warpfold info` lists; default: the fastest")
        .takes("NAME");
  }
  if (reads.estimate) {
    solving.flag("--estimate", options.estimate, "time and memory that the solve would take, without the solve");
  }
  if (reads.seed) solving.number("--seed", options.seed, seed_help);
}

void add_output_options(Command output, SolveOptions& options, const std::string& endings,
                        const SupportedOptions& reads) {
  output.option("-o,--output", options.output, "file for the solution: " + endings).takes("FILE");
  output.flag("--json", options.json, json_help);
  output.flag("-q,--quiet", options.quiet, "no output but errors");
  if (reads.progress) {
    output.flag("--progress", options.progress, "progress bar even where standard error is no terminal");
  }
}

}  // namespace

void add_solve_options(Command command, SolveOptions& options, const std::string& endings, const std::string& dtypes,
                       const SupportedOptions& reads) {
  add_solving_options(command.in(Group::solving), options, dtypes, reads);
  add_output_options(command.in(Group::output), options, endings, reads);
  const Command limits = command.in(Group::limits);
  add_limit_options(limits, options.time_limit_seconds, options.max_memory);
  if (reads.device_memory) {
    limits
        .option("--max-device-memory", options.max_device_memory,
                "largest size to hold in a GPU's memory; default: what is free")
        .takes("SIZE");
  }
  command.on_parsed([&options] { options.begin(); });  // before the command reads any input
}

}  // namespace warpfold::app
