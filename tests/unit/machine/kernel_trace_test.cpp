#include "warpfold/machine/kernel_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::machine;

/// A line of the trace. `address` gives the address of a lane.
template <class Addresses>
std::string traced(const std::string& opcode, const Addresses& address, int launch = 0) {
  std::string line =
      fmt::format("MEMTRACE: CTX 0x000055d0a7e1f0a0 - grid_launch_id {} - CTA 1,2,3 - warp 4 - {} - ", launch, opcode);
  for (std::uint64_t lane = 0; lane < 32; ++lane) line += fmt::format("0x{:016x} ", std::uint64_t{address(lane)});
  return line + "\n";
}

KernelTrace read(const std::string& text) {
  KernelTrace trace("t");
  trace.add(text);
  trace.end();
  return trace;
}

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return {};
}

TEST(KernelTrace, CountsTheStagesOfEachInstruction) {
  const auto column = [](std::uint64_t lane) { return 4096 + 128 * lane; };
  const auto row = [](std::uint64_t lane) { return 0x7f0000000000 + 4 * lane; };
  const KernelTrace trace = read("NVBit loaded\n" + traced("LDG.E", row) + traced("STS", column) + traced("STS", row));
  const auto instructions = trace.instructions();
  ASSERT_EQ(instructions.size(), 2u);
  EXPECT_EQ(trace.other_lines(), 1u);
  const TracedInstruction& worst = instructions[0];
  EXPECT_EQ(worst.opcode, "STS");
  EXPECT_EQ(worst.requests, 2u);
  EXPECT_EQ(worst.stages, 33u);
  EXPECT_EQ(worst.fewest_stages, 2u);
  EXPECT_EQ(worst.worst_stages, 32u);
  EXPECT_EQ(worst.worst_line, 3u);
  EXPECT_EQ(worst.worst.cta, (std::array<std::uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(worst.worst.warp, 4u);
  EXPECT_EQ(instructions[1].kind.space, Space::global);
  EXPECT_EQ(instructions[1].stages, 4u);
}

TEST(KernelTrace, KeepsLaunchesApart) {
  const auto row = [](std::uint64_t lane) { return 4096 + 4 * lane; };
  EXPECT_EQ(read(traced("LDS", row, 0) + traced("LDS", row, 1)).instructions().size(), 2u);
}

TEST(KernelTrace, KnowsTheMemoryAndTheBytesOfAnOpcode) {
  const auto bytes = [](const char* text) { return parse_opcode(text).value().bytes; };
  EXPECT_EQ(bytes("LDG.E"), 4u);
  EXPECT_EQ(bytes("LDG.E.U8.CONSTANT"), 1u);
  EXPECT_EQ(bytes("STS.U16"), 2u);
  EXPECT_EQ(bytes("LDS.64"), 8u);
  EXPECT_EQ(bytes("STG.E.EF.128"), 16u);
  EXPECT_EQ(bytes("RED.E.ADD.F64.RN.STRONG.GPU"), 8u);
  EXPECT_EQ(parse_opcode("ATOMS.ADD")->space, Space::shared);
  for (const char* unknown : {"LD.E", "ST.E.64", "LDSM.16.M88.4", "LDL", "LDGSTS.E.128", "FOO"}) {
    EXPECT_FALSE(parse_opcode(unknown)) << unknown;
  }
}

TEST(KernelTrace, NamesUnknownOpcodes) {
  const auto row = [](std::uint64_t lane) { return 4096 + 4 * lane; };
  const KernelTrace trace = read(traced("LD.E", row) + traced("LD.E", row));
  EXPECT_TRUE(trace.instructions().empty());
  EXPECT_EQ(trace.unknown_opcodes().at("LD.E"), 2u);
}

TEST(KernelTrace, LeavesIdleLanesOut) {
  const auto half = [](std::uint64_t lane) { return lane < 16 ? 0 : 4096 + 128 * lane; };
  const auto none = [](std::uint64_t) { return 0u; };
  EXPECT_EQ(read(traced("LDS", half)).instructions()[0].stages, 16u);
  EXPECT_EQ(read(traced("LDS", none)).instructions()[0].stages, 0u);
}

TEST(KernelTrace, NamesTheLineThatIsNoAccess) {
  const auto row = [](std::uint64_t lane) { return 4096 + 4 * lane; };
  const std::string good = traced("LDS", row);
  EXPECT_NE(message_of(good + "MEMTRACE: CTX 0x1\n").find("t:2: an access lacks CTX"), std::string::npos);
  EXPECT_NE(message_of(good.substr(0, good.size() - 20)).find("t:1: an access lacks 32 addresses"), std::string::npos);
  std::string other = good;
  other.replace(other.find("CTA 1,2,3"), 9, "CTA 1,2");
  EXPECT_NE(message_of(other).find("three integers X,Y,Z after CTA"), std::string::npos);
  EXPECT_NE(message_of(traced("<b>", row)).find("an opcode"), std::string::npos);
}

TEST(KernelTrace, SkipsLinesOfAnyLength) {
  const std::string longest(std::size_t{1} << 18, 'x');
  const auto row = [](std::uint64_t lane) { return 4096 + 4 * lane; };
  const KernelTrace trace = read(longest + "\n" + traced("LDS", row));
  EXPECT_EQ(trace.other_lines(), 1u);
  EXPECT_EQ(trace.instructions()[0].worst_line, 2u);
}

RC_GTEST_PROP(KernelTrace, CountsSectorsAndBanksOfAnyAddresses, ()) {
  std::array<std::uint64_t, 32> addresses;
  for (std::uint64_t& address : addresses) {
    address = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 4096), rc::gen::arbitrary<std::uint64_t>()) / 4 * 4;
  }
  const auto of_lane = [&](std::uint64_t lane) { return addresses[lane]; };
  std::set<std::uint64_t> sectors, words;
  std::map<std::uint64_t, std::uint32_t> of_bank;
  for (const std::uint64_t address : addresses) {
    if (address == 0) continue;
    sectors.insert(address / 32);
    if (words.insert(address / 4).second) ++of_bank[address / 4 % 32];
  }
  std::uint32_t most = 0;
  for (const auto& [bank, count] : of_bank) most = std::max(most, count);
  RC_ASSERT(read(traced("LDG.E", of_lane)).instructions()[0].stages == sectors.size());
  RC_ASSERT(read(traced("LDS", of_lane)).instructions()[0].stages == most);
}

TEST(KernelTrace, ReadsTheLinesThatItWrites) {
  TracedAccess access{{1, 2, 3}, 4, {}};
  for (std::uint64_t lane = 1; lane < 32; ++lane) access.addresses[lane] = 0x7f0000000000 + 8 * lane;
  const auto instructions = read(trace_line(5, "LDG.E.64", access) + '\n').instructions();
  ASSERT_EQ(instructions.size(), 1u);
  EXPECT_EQ(instructions[0].launch, 5u);
  EXPECT_EQ(instructions[0].opcode, "LDG.E.64");
  EXPECT_EQ(instructions[0].worst.cta, access.cta);
  EXPECT_EQ(instructions[0].worst.warp, 4u);
  EXPECT_EQ(instructions[0].worst.addresses, access.addresses);
}

TEST(KernelTrace, DrawsTheWorstAccessOfEachInstruction) {
  const auto column = [](std::uint64_t lane) { return 4096 + 128 * lane; };
  const std::string svg = trace_svg(read(traced("LDS", column) + traced("STG.E", column)).instructions());
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find("launch 0, LDS: 32 stages (lane down, bank across)"), std::string::npos);
  EXPECT_NE(svg.find("launch 0, STG.E: 32 stages (lane down, sector across)"), std::string::npos);
}

}  // namespace
