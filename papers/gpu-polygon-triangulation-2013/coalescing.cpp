#include <algorithm>
#include <functional>

#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"
#include "papers/gpu-polygon-triangulation-2013/other_problems.hpp"
#include "papers/gpu-polygon-triangulation-2013/plan.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

constexpr std::uint32_t vertices = 128, read_stage = 40, lanes = 32;

/// The element M(i,j) that a lane reads in a round.
struct Element {
  std::uint32_t i, j;
};
using Reads = std::function<Element(std::uint32_t lane, std::uint32_t round)>;

/// The address of an element. A column of the mirroring arrangement is read as a row.
machine::Address address(Arrangement arrangement, Element element, bool is_column) {
  if (arrangement == Arrangement::sliding) {
    const auto row = sliding_row(vertices, element.i, element.j, Form::corrected);
    return static_cast<machine::Address>(row * vertices + element.j);
  }
  const bool is_mirrored = arrangement == Arrangement::mirroring && is_column;
  return is_mirrored ? element.j * vertices + element.i : element.i * vertices + element.j;
}

/// The most stages of a warp on the UMM, over all rounds.
std::uint32_t most_stages(Arrangement arrangement, bool is_column, const Reads& reads, std::uint32_t rounds) {
  std::uint32_t most = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    machine::WarpAccess access;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      access.lanes.push_back({lane, address(arrangement, reads(lane, round), is_column)});
    }
    most = std::max(most, step_cost(machine::umm(lanes, 1), {access}).warps[0].stages);
  }
  return most;
}

}  // namespace

Table coalescing(const RunOptions&) {
  Table table{
      {key("method"), key("arrangement"), key("operand"), published("access"), counted("most stages of a warp")}, {}};
  const auto add = [&](const char* method, Arrangement arrangement, const char* name, bool is_column,
                       const char* printed, const Reads& reads, std::uint32_t rounds) {
    const char* arranged[] = {"naive", "sliding", "mirroring"};
    table.rows.push_back({method, arranged[static_cast<std::size_t>(arrangement)], name, printed,
                          most_stages(arrangement, is_column, reads, rounds)});
  };
  for (const Arrangement arrangement : {Arrangement::naive, Arrangement::sliding}) {
    const char* printed = arrangement == Arrangement::naive ? "stride" : "coalesced";
    add(
        "TB", arrangement, "M(i,i+k), thread i", false, printed,
        [](std::uint32_t lane, std::uint32_t k) {
          return Element{lane + 1, lane + 1 + k};
        },
        read_stage);
    add(
        "TB", arrangement, "M(i+k+1,i+p), thread i", true, printed,
        [](std::uint32_t lane, std::uint32_t k) {
          return Element{lane + k + 2, lane + 1 + read_stage};
        },
        read_stage);
  }
  for (const Arrangement arrangement : {Arrangement::naive, Arrangement::mirroring}) {
    constexpr std::uint32_t elements = vertices - read_stage - 1;
    add(
        "BB", arrangement, "M(i,i+k), thread k", false, "coalesced",
        [](std::uint32_t lane, std::uint32_t i) {
          return Element{i + 1, i + 1 + lane};
        },
        elements);
    add(
        "BB", arrangement, "M(i+k+1,i+p), thread k", true, arrangement == Arrangement::naive ? "stride" : "coalesced",
        [](std::uint32_t lane, std::uint32_t i) {
          return Element{i + lane + 2, i + 1 + read_stage};
        },
        elements);
  }
  table.notes = {
      "stage p = 40 of a 128-gon, warps of 32 threads, UMM of width 32: a coalesced access takes 1 stage, or 2 "
      "where it begins within an address group; every k of TB, every i of BB"};
  return table;
}

}  // namespace warpfold::papers::gpu_polygon_2013
