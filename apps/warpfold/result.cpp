#include "result.hpp"

#include <fmt/format.h>

#include "memory.hpp"
#include "terminal.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::app {

double Stopwatch::seconds() const { return seconds_since(start_); }

Json common_keys(const Summary& summary) {
  const Report& report = summary.report;
  Json keys = {{"command", summary.command},
               {"status", summary.exact ? summary.status : "rounded"},
               {"n", summary.n},
               {"cost", summary.cost},
               {"exact", summary.exact},
               {"dtype", summary.dtype},
               {"device", report.device},
               {"algorithm", report.algorithm},
               {"threads", report.threads},
               {"seconds",
                {{"read", summary.read_seconds},
                 {"prepare", report.prepare_seconds},
                 {"solve", report.solve_seconds},
                 {"traceback", report.traceback_seconds},
                 {"total", summary.total_seconds}}},
               {"peak_bytes", peak_bytes()},
               {"peak_device_bytes", report.peak_device_bytes},
               {"version", version}};
  if (!report.fallback_reason.empty()) keys["fallback_reason"] = report.fallback_reason;
  return keys;
}

Summary& Summary::of(const Report& ran, double seconds_of_reading, const Stopwatch& total) {
  report = ran;
  read_seconds = seconds_of_reading;
  total_seconds = total.seconds();
  if (!ran.fallback_reason.empty()) add_note("GPU not used: " + ran.fallback_reason);
  return *this;
}

Json checkpoint_json(const Checkpoint& checkpointer) {
  return {{"super_tiles", checkpointer.count().all}, {"resumed", checkpointer.count().resumed}};
}

void note_rounding(const Summary& summary) {
  if (summary.exact) return;
  add_note(fmt::format("the integers were added in {}, which rounds them: the result is not exact", summary.dtype));
}

void note_unlisted(std::size_t count, std::size_t most, const std::string& holder) {
  add_note(fmt::format("{} values are not listed: --json lists up to {}, {}", count, most, holder));
}

std::string result_text(Json& object) {
  std::string text = json_text(object);
  if (object.contains("peak_bytes")) {  // including the memory of the text
    object["peak_bytes"] = peak_bytes();
    std::string().swap(text);  // a second copy would raise the peak above the printed value
    text = json_text(object);
  }
  text += '\n';
  return text;
}

void print_json(Json object) { write_output(result_text(object)); }

void finish(const SolveOptions& options, Json object, const std::function<void()>& say) {
  if (io::extension(options.output) == ".json") io::write_file(options.output, result_text(object));
  if (options.json) return print_json(std::move(object));
  if (!options.quiet) say();
}

}  // namespace warpfold::app
