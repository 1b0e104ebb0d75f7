#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::fuzz {
namespace {

using namespace sequence;
using Symbols = std::vector<std::uint32_t>;

Symbols drawn(Bytes& bytes, std::uint64_t alphabet) {
  Symbols symbols(bytes.size(3000));
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(bytes.below(alphabet));
  return symbols;
}

/// A copy where one symbol in `every` is changed, left out or repeated.
Symbols changed(Bytes& bytes, const Symbols& symbols, std::uint64_t every, std::uint64_t alphabet) {
  Symbols copy;
  for (const auto symbol : symbols) {
    const std::uint64_t kind = bytes.one_in(every) ? bytes.below(3) : 3;
    if (kind != 0) copy.push_back(kind == 1 ? static_cast<std::uint32_t>(bytes.below(alphabet)) : symbol);
    if (kind == 2) copy.push_back(symbol);
  }
  return copy;
}

Request drawn_request(Bytes& bytes) {
  Request request;
  request.script = !bytes.one_in(4);
  request.ties = bytes.pick({Ties::left, Ties::right, Ties::shortest, Ties::longest});
  if (bytes.one_in(4)) request.max_distance = bytes.below(bytes.pick({4, 40, 400}));
  return request;
}

Costs drawn_costs(Bytes& bytes) {
  const auto cost = [&] { return static_cast<std::int64_t>(bytes.below(bytes.pick({3, 1000}))); };
  return {cost(), cost(), cost(), cost()};
}

std::string text_of(const std::optional<std::int64_t>& value, const Script& script) {
  return value ? fmt::format("{} {}", *value, script.cigar()) : "more";
}

template <class Solution>
void expect_right(const Coded& pair, const Solution& solution, const Request& request, const std::string& text) {
  expect(verify(pair, solution, request, true), text);
}

void edit(Bytes& bytes, const Coded& pair, const std::string& text) {
  Request request = drawn_request(bytes);
  if (bytes.one_in(3)) request.costs = drawn_costs(bytes);
  request.transpositions = bytes.one_in(4);
  request.unrestricted = request.transpositions && bytes.one_in(3);
  if (request.unrestricted) request.costs.transposition += (request.costs.insertion + request.costs.deletion + 1) / 2;
  const auto solved = [&](const Options& options) {
    const auto found = edit_distance(pair, options, request).solution;
    return text_of(found.distance, found.script);
  };
  std::vector<std::string> algorithms = {""};
  for (const auto& name : names_on_cpu(edit_distance_algorithms())) {
    if (applies([&] { return solved(by(name)); })) algorithms.push_back(name);
  }
  expect_alike(text, answer([&] { return solved(by("table")); }), algorithms, solved);
  expect_right(pair, edit_distance(pair, {}, request).solution, request, text);
}

void common(Bytes& bytes, const Coded& pair, const std::string& text) {
  const Request request = drawn_request(bytes);
  const auto solved = [&](const Options& options) {
    const auto found = lcs(pair, options, request).solution;
    return text_of(found.length, found.script);
  };
  std::vector<std::string> algorithms = names_on_cpu(lcs_algorithms());
  algorithms.emplace_back();
  expect_alike(text, answer([&] { return solved(by("table")); }), algorithms, solved);
  expect_right(pair, lcs(pair, {}, request).solution, request, text);
}

void run(Bytes& bytes) {
  const auto alphabet = bytes.pick<std::uint64_t>({1, 2, 4, 20, 256, 5000});
  const Symbols a = drawn(bytes, alphabet);
  const Symbols b =
      bytes.one_in(2) ? drawn(bytes, alphabet) : changed(bytes, a, bytes.pick<std::uint64_t>({2, 10, 100}), alphabet);
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  const std::string text = fmt::format("{} and {} of {} symbols", a.size(), b.size(), alphabet);
  if (bytes.one_in(2)) {
    edit(bytes, pair, text);
  } else {
    common(bytes, pair, text);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, [](warpfold::fuzz::Bytes& bytes) { warpfold::fuzz::run(bytes); });
}
