#include "machine_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/listed.hpp"
#include "machine/prediction.hpp"
#include "papers/data.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/stream.hpp"

namespace warpfold::app {

namespace {

constexpr const char* probe_file = "machine_probe.json";

std::vector<std::string> probed_gpus() {
  std::vector<std::string> names;
  const std::filesystem::path results = papers::recorded_results();
  if (results.empty()) return names;
  for (const auto& folder : std::filesystem::directory_iterator(results)) {
    if (std::filesystem::exists(folder.path() / probe_file)) names.push_back(folder.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

/// The probe of a GPU, which has measured every size of an access with many numbers of stages.
io::Json recorded_probe(const std::string& gpu) {
  const std::vector<std::string> names = probed_gpus();
  if (std::ranges::find(names, gpu) != names.end()) {
    return probe_rows((papers::recorded_results() / gpu / probe_file).string());
  }
  throw Error(ErrorKind::usage, fmt::format("gpu '{}' has no recorded times: {} is accepted", gpu,
                                            names.empty() ? "none" : listed(names, "or")));
}

}  // namespace

io::Json probe_rows(const std::string& path) {
  const io::Json file = io::parse_json(path, io::read_file(path));
  const auto rows = file.is_object() ? file.find("rows") : file.end();
  if (rows != file.end() && rows->is_array()) return *rows;
  throw Error(ErrorKind::input,
              fmt::format("{}: has no list 'rows': what `bench_machine probe --json` prints is accepted", path));
}

io::Json probe_origin(const std::string& path) {
  const io::Json file = io::parse_json(path, io::read_file(path));
  io::Json origin = io::Json::object();
  for (const char* key : {"machine", "date", "commit"}) {
    if (const auto value = file.find(key); value != file.end()) origin[key] = *value;
  }
  return origin;
}

machine::KernelTrace trace_of(const std::string& path) {
  machine::KernelTrace trace(path == "-" ? "standard input" : path);
  io::read_pieces(path, [&](std::string_view piece) { trace.add(piece); });
  trace.end();
  if (trace.instructions().empty() && trace.unknown_opcodes().empty()) {
    throw Error(ErrorKind::input, fmt::format("{}: there is no access: lines 'MEMTRACE: CTX 0x.. ..' are accepted",
                                              path == "-" ? "standard input" : path));
  }
  return trace;
}

double nanoseconds_on(const std::string& gpu, machine::Space space, std::uint32_t bytes, std::uint64_t stages) {
  std::vector<machine::Measured> measured;
  double cycles_per_nanosecond = 0;
  for (const io::Json& row : recorded_probe(gpu)) {
    if (row.at("work") == "clock") cycles_per_nanosecond = row.at("cycles_per_nanosecond").get<double>();
    if (row.at("work") != "pattern" || row.at("space") != to_string(space) || row.at("bytes") != bytes) continue;
    const machine::Pattern pattern{space, bytes, row.at("index").get<std::string>()};
    measured.push_back({work_of(pattern), row.at("cycles").get<double>()});
  }
  return machine::fit(measured).value().cycles({stages, 1}) / cycles_per_nanosecond;
}

}  // namespace warpfold::app
