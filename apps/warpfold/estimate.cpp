#include "estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/size_text.hpp"
#include "memory.hpp"
#include "tuning.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

Spent spent(const Stopwatch& total) { return {total.seconds(), held_bytes(), peak_bytes()}; }

namespace {

/// The capacity of a text of that length that grew by doubling.
std::size_t grown_text(std::size_t characters) {
  std::size_t capacity = std::string().capacity();
  while (capacity < characters) capacity *= 2;
  return capacity;
}

/// The seconds in which the run starts a GPU: 0 if it uses none.
double start_seconds(const ResourceEstimate& needs) { return needs.device_bytes > 0 ? tuning::gpu_start_seconds : 0; }

/// The resources of the whole run: before, during and after the solve. `texts` is the number of JSON texts it writes.
ResourceEstimate resources_of_run(int texts, const Spent& before, const Expected& expected,
                                  const ResourceEstimate& solve) {
  const double after = static_cast<double>(expected.file_bytes) / tuning::bytes_written_per_second +
                       texts * static_cast<double>(expected.after_bytes) / tuning::json_bytes_per_second;
  const std::size_t beside = before.held_bytes + expected.beside_bytes;
  return {solve.algorithm, before.seconds + start_seconds(solve) + solve.seconds + after,
          std::max(before.peak_bytes, beside + std::max(solve.bytes, expected.after_bytes)), solve.device_bytes};
}

Json resources_json(const ResourceEstimate& needs) {
  return {{"algorithm", needs.algorithm}, {"seconds", needs.seconds}, {"peak_bytes", needs.bytes}};
}

std::string resources_text(const ResourceEstimate& needs) {
  const std::string text = fmt::format("{:.2g} s and {}", needs.seconds, bytes_text(static_cast<double>(needs.bytes)));
  if (needs.device_bytes == 0) return text;
  return fmt::format("{}, {} of the GPU, whose start takes {:.2g} s of these", text,
                     bytes_text(static_cast<double>(needs.device_bytes)), start_seconds(needs));
}

}  // namespace

Estimate one_after_the_other(Estimate first, const Estimate& second) {
  const auto add = [](ResourceEstimate needs, const ResourceEstimate& more) {
    needs.seconds += more.seconds;
    needs.bytes = std::max(needs.bytes, more.bytes);
    needs.device_bytes = std::max(needs.device_bytes, more.device_bytes);
    return needs;
  };
  if (first.worst_case || second.worst_case) {
    first.worst_case = add(first.worst_case.value_or(first), second.worst_case.value_or(second));
  }
  static_cast<ResourceEstimate&>(first) = add(first, second);
  first.operations += second.operations;
  return first;
}

void print_estimate(const SolveOptions& options, const Spent& before, const Expected& expected) {
  const int texts = (options.json ? 1 : 0) + (io::extension(options.output) == ".json" ? 1 : 0);
  const ResourceEstimate needs = resources_of_run(texts, before, expected, expected.solve);
  std::optional<ResourceEstimate> worst_case;
  if (expected.solve.worst_case) worst_case = resources_of_run(texts, before, expected, *expected.solve.worst_case);
  if (options.json) {
    Json object = {{"command", expected.command},
                   {"status", "estimate"},
                   {"n", expected.n},
                   {"device", to_string(parse_device(options.device))}};
    object.update(resources_json(needs));
    if (worst_case) object["at_most"] = resources_json(*worst_case);
    if (expected.solve.operations > 0) object["candidates"] = expected.solve.operations;
    object["version"] = version;
    object["peak_device_bytes"] = needs.device_bytes;
    if (needs.device_bytes > 0) object["gpu_start_seconds"] = start_seconds(needs);
    return fmt::print("{}\n", json_text(object));
  }
  if (!worst_case) return fmt::print("n = {}, by {}: about {}\n", expected.n, needs.algorithm, resources_text(needs));
  fmt::print("n = {}, by {}: at least {}; at most, by {}, {}: the instance decides\n", expected.n, needs.algorithm,
             resources_text(needs), worst_case->algorithm, resources_text(*worst_case));
}

void JsonSize::add_list(std::size_t count, std::size_t width, std::size_t largest) {
  const std::size_t digits = std::to_string(largest).size();
  characters_ += count * std::max<std::size_t>(width, 1) * (digits + 1);
  bytes_ += (width == 0 ? count : std::bit_ceil(count)) * sizeof(Json);  // lists of lists grow by doubling
  if (width == 0) return;
  constexpr std::size_t block = 8;  // the overhead of an allocation
  bytes_ += count * (sizeof(std::vector<Json>) + width * sizeof(Json) + block);
  characters_ += 2 * count;
}

void JsonSize::add_text(std::size_t characters) {
  bytes_ += grown_text(characters);
  characters_ += characters;
}

/// When the text grows, the old and the new copy exist at the same time.
std::size_t JsonSize::bytes() const { return bytes_ + grown_text(characters_) * 3 / 2; }

}  // namespace warpfold::app
