#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::fuzz {
namespace {

using namespace sequence;
using Symbols = std::vector<std::uint32_t>;

Symbols drawn_symbols(Bytes& bytes, std::uint64_t alphabet) {
  Symbols symbols(bytes.size(3000));
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(bytes.below(alphabet));
  return symbols;
}

/// A copy where one symbol in 8 is left out, repeated, or begins a part that is left out.
Symbols edited(Bytes& bytes, const Symbols& symbols) {
  Symbols copy;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::uint64_t kind = bytes.one_in(8) ? bytes.below(3) : 3;
    if (kind == 2) i += bytes.below(200);
    if (kind == 1 && i < symbols.size()) copy.push_back(symbols[i]);
    if (kind != 0 && i < symbols.size()) copy.push_back(symbols[i]);
  }
  return copy;
}

ScoreMatrix drawn_matrix(Bytes& bytes, std::uint32_t alphabet, std::int64_t largest) {
  std::vector<std::uint32_t> symbols(alphabet);
  std::vector<std::int64_t> scores(std::size_t{alphabet} * alphabet);
  for (std::uint32_t symbol = 0; symbol < alphabet; ++symbol) symbols[symbol] = symbol;
  for (auto& score : scores) {
    score = static_cast<std::int64_t>(bytes.below(static_cast<std::uint64_t>(2 * largest + 1))) - largest;
  }
  return {std::move(symbols), std::move(scores)};
}

AlignmentRequest drawn_request(Bytes& bytes, std::int64_t largest) {
  const auto cost = [&] { return static_cast<std::int64_t>(bytes.below(static_cast<std::uint64_t>(largest + 2))); };
  AlignmentRequest request;
  request.script = !bytes.one_in(4);
  request.ties = bytes.pick({Ties::left, Ties::right, Ties::shortest, Ties::longest});
  const std::int64_t least = request.ties == Ties::longest ? 1 : 0;  // to extend a gap
  request.gaps = {cost(), least + cost(), {}};
  if (bytes.one_in(4)) request.gaps.second = {cost(), least + cost()};
  request.ends = {bytes.one_in(2), bytes.one_in(2), bytes.one_in(2), bytes.one_in(2), bytes.one_in(3)};
  return request;
}

std::string text_of(const Alignment& found) {
  return fmt::format("{} {}:{} {}:{} {}", found.score, found.script.begin_a, found.end_a, found.script.begin_b,
                     found.end_b, found.script.cigar());
}

void run(Bytes& bytes) {
  const auto alphabet = bytes.pick<std::uint32_t>({1, 2, 4, 20, 100});
  const auto largest = bytes.pick<std::int64_t>({2, 12, 100, 5000, 1'000'000});
  const Symbols a = drawn_symbols(bytes, alphabet);
  const Symbols b = bytes.one_in(2) ? drawn_symbols(bytes, alphabet) : edited(bytes, a);
  const ScoredPair pair(a, b, drawn_matrix(bytes, alphabet, largest));
  const AlignmentRequest request = drawn_request(bytes, largest);
  const std::string text = fmt::format("{} and {} of {} symbols, scores to {}", a.size(), b.size(), alphabet, largest);
  const auto solved = [&](const Options& options) { return text_of(align(pair, options, request).solution); };
  std::vector<std::string> algorithms = {""};
  for (const auto& name : names_on_cpu(align_algorithms())) {
    if (applies([&] { return solved(by(name)); })) algorithms.push_back(name);
  }
  expect_alike(text, answer([&] { return solved(by("table")); }), algorithms, solved);
  expect(verify(pair, align(pair, {}, request).solution, request, true), text);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, [](warpfold::fuzz::Bytes& bytes) { warpfold::fuzz::run(bytes); });
}
