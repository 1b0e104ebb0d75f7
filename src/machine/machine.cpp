#include "warpfold/machine/machine.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

void at_least_one(const char* name, std::uint32_t value) {
  if (value == 0) throw Error(ErrorKind::usage, fmt::format("{} is 0: 1 or more is accepted", name));
}

}  // namespace

Machine pram() { return {Kind::pram, 1, 1, 1, 1, Mapping::none, 1, 0}; }
Machine bpram(std::uint32_t width) { return {Kind::bpram, width, 1, 1, 1, Mapping::none, 1, 0}; }
Machine dmm(std::uint32_t width, std::uint32_t latency) {
  return {Kind::dmm, width, latency, 1, 1, Mapping::none, 1, 0};
}
Machine umm(std::uint32_t width, std::uint32_t latency) {
  return {Kind::umm, width, latency, 1, 1, Mapping::none, 1, 0};
}
Machine hmm(std::uint32_t multiprocessors, std::uint32_t width, std::uint32_t latency, std::uint32_t shared_latency) {
  return {Kind::hmm, width, latency, multiprocessors, shared_latency, Mapping::none, 1, 0};
}

std::string to_string(const Machine& machine) {
  const std::string warp = machine.warp_size() == machine.width ? "" : fmt::format(", warp {}", machine.warp);
  const std::string mapping = warp + (machine.mapping == Mapping::random_shift ? ", random shift" : "");
  switch (machine.kind) {
    case Kind::pram:
      return "PRAM";
    case Kind::bpram:
      return fmt::format("BPRAM(w={})", machine.width);
    case Kind::dmm:
      return fmt::format("DMM(w={}, l={}{})", machine.width, machine.latency, mapping);
    case Kind::umm:
      return fmt::format("UMM(w={}, l={}{})", machine.width, machine.latency, warp);
    case Kind::hmm:
      return fmt::format("HMM(d={}, w={}, l={}, shared l={}{})", machine.multiprocessors, machine.width,
                         machine.latency, machine.shared_latency, mapping);
  }
  return "";
}

std::string to_string(Kind kind) {
  constexpr const char* names[] = {"pram", "bpram", "dmm", "umm", "hmm"};
  return names[static_cast<int>(kind)];
}

Kind parse_kind(const std::string& text) {
  for (const Kind kind : {Kind::pram, Kind::bpram, Kind::dmm, Kind::umm, Kind::hmm}) {
    if (text == to_string(kind)) return kind;
  }
  throw Error(ErrorKind::usage, fmt::format("machine '{}' is unknown: pram, bpram, dmm, umm or hmm is accepted", text));
}

void validate(const Machine& machine, std::uint32_t threads) {
  at_least_one("width", machine.width);
  at_least_one("latency", machine.latency);
  at_least_one("multiprocessors", machine.multiprocessors);
  at_least_one("shared latency", machine.shared_latency);
  at_least_one("threads", threads);
  if (machine.kind != Kind::hmm && machine.multiprocessors != 1) {
    throw Error(ErrorKind::usage, fmt::format("multiprocessors is {} on the {}: only the hmm has more than 1",
                                              machine.multiprocessors, to_string(machine.kind)));
  }
  if (machine.kind == Kind::pram || machine.kind == Kind::bpram) {
    if (machine.warp == 0) return;
    throw Error(ErrorKind::usage, fmt::format("warp is {} on the {}: only the dmm, umm and hmm have warps",
                                              machine.warp, to_string(machine.kind)));
  }
  const std::uint32_t warp = machine.warp_size();
  if (warp % machine.width != 0 && machine.width % warp != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("warp is {}: a multiple or a divisor of the width, {}, is accepted", warp, machine.width));
  }
  const std::uint64_t whole = std::uint64_t{warp} * machine.multiprocessors;
  if (threads % whole != 0) {
    const std::string unit = machine.warp == 0 ? "width" : "warp";
    throw Error(ErrorKind::usage,
                fmt::format("threads is {}: the papers assume whole warps, so a multiple of {} ({}) is accepted, for "
                            "example {}",
                            threads, machine.kind == Kind::hmm ? unit + " times multiprocessors" : "the " + unit, whole,
                            (threads / whole + 1) * whole));
  }
}

Timing parse_timing(const std::string& text) {
  for (const Timing timing : {Timing::lockstep, Timing::pipelined}) {
    if (text == to_string(timing)) return timing;
  }
  throw Error(ErrorKind::usage, fmt::format("timing '{}' is unknown: lockstep or pipelined is accepted", text));
}

std::string to_string(Timing timing) { return timing == Timing::lockstep ? "lockstep" : "pipelined"; }

}  // namespace warpfold::machine
