#include "machine/twins.hpp"

#include <fmt/format.h>

namespace warpfold::machine {

namespace {

constexpr std::uint32_t warp_of_gpu = 32;

std::vector<std::string> indices(std::uint32_t bytes) {
  std::vector<std::string> all;
  for (const int stride : {1, 2, 3, 4, 6, 8, 12, 16, 24, 31, 32, 33}) all.push_back(fmt::format("i*{}", stride));
  if (bytes != 4) return all;
  for (const char* index : {"0", "i/2", "i/4", "i%4", "31 - i", "i^1", "i*i % 64", "i*17 % 64", "i%4*32 + i/4",
                            "i/16*32 + i%16", "i%8*33 + i/8", "(i*5 + 3) % 32 * 32"}) {
    all.emplace_back(index);
  }
  return all;
}

void add_programs(std::vector<Twin>& all, Space space, std::uint32_t threads) {
  const auto add = [&](const char* algorithm, std::uint64_t n) {
    all.push_back({algorithm, algorithm, space, threads, n});
  };
  add("contiguous", 4096);
  add("stride", 4096);
  add("transpose-straightforward", 1024);
  add("transpose-diagonal", 1024);
  add("transpose-rotating", 4096);
  add("permute-straightforward", 1024);
  if (space == Space::shared) add("permute-dmm", 1024);
  add("sum", 4096);
  add("prefix-sums", 4096);
  add("dp-opt", 64);
  add("umm-opt", 64);
}

/// With offsets 1 apart all threads read one word, 2 apart neighbors, 33 apart words of one bank.
void add_pipelines(std::vector<Twin>& all, Space space) {
  for (const std::uint64_t step : {1u, 2u, 33u}) {
    all.push_back({fmt::format("sdp-pipeline, offsets {} apart", step), "sdp-pipeline", space, 32, 4096, step, 32});
  }
  all.push_back({"sdp-m-by-m, offsets 1 apart", "sdp-m-by-m", space, 32, 4096, 1, 64});
}

}  // namespace

std::vector<Pattern> patterns() {
  std::vector<Pattern> all;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      for (const std::string& index : indices(bytes)) all.push_back({space, bytes, index});
    }
  }
  return all;
}

std::uint32_t predicted_stages(const Pattern& pattern) {
  const Machine machine = machine_of(pattern.space);
  const auto warps = indexed_accesses(Expression(pattern.index), warp_of_gpu, machine.width, machine.warp);
  return step_cost(machine, warps, pattern.bytes).warps[0].stages;
}

std::vector<Twin> twins() {
  std::vector<Twin> all;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint32_t threads : {32u, 256u}) add_programs(all, space, threads);
    add_pipelines(all, space);
  }
  return all;
}

std::uint32_t words_of(const Twin& twin) {
  const auto n = static_cast<std::uint32_t>(twin.n);
  if (twin.algorithm.ends_with("opt")) return 2 * n * n + n;
  return twin.algorithm == "prefix-sums" ? 2 * n + 512 : 2 * n;  // levels of fewer words than a warp are padded
}

std::uint32_t frame_stages(const Twin& twin) {
  return twin.space == Space::shared ? 2 * words_of(twin) / warp_of_gpu : 1;
}

RunRequest request_of(const Twin& twin) {
  RunRequest request{.machine = machine_of(twin.space), .threads = twin.threads, .n = twin.n};
  for (std::uint64_t j = twin.terms; j > 0; --j) {
    request.lists["offsets"].push_back(static_cast<std::int64_t>(j * twin.offset_step));
  }
  return request;
}

}  // namespace warpfold::machine
