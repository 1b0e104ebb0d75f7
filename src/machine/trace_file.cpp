#include "warpfold/machine/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "machine/mapping.hpp"
#include "machine/trace_page.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// The kind of one memory of the machine. On the HMM memory 0 is the global UMM, and the others are DMMs.
Kind kind_of(const Machine& machine, std::uint32_t memory) {
  if (machine.kind != Kind::hmm) return machine.kind;
  return memory == 0 ? Kind::umm : Kind::dmm;
}

/// Sets the place and the stage of each request, in the order of the threads. The DMM serves one address of every bank
/// per stage, and the UMM one address group.
void place(const Machine& machine, Kind kind, std::vector<Recorder::Access>& accesses) {
  std::map<std::uint32_t, std::vector<Address>> by_bank;
  std::vector<std::uint32_t> groups;
  const auto position = [](auto& list, std::uint32_t value) {
    const auto found = std::ranges::find(list, value);
    const auto index = static_cast<std::uint32_t>(found - list.begin());
    if (found == list.end()) list.push_back(value);
    return index;
  };
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    Recorder::Access& access = accesses[i];
    access.place = access.address;
    if (kind == Kind::bpram) access.stage = static_cast<std::uint32_t>(i / machine.width);
    if (kind == Kind::dmm) {
      access.place = mapped(machine, access.address) % machine.width;
      access.stage = position(by_bank[access.place], access.address);
    }
    if (kind == Kind::umm) {
      access.place = access.address / machine.width;
      access.stage = position(groups, access.place);
    }
  }
}

std::string json_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '<') {  // so that no text ends the page's script element
      out += "\\u003c";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

Recorder::Recorder(const Machine& machine, std::size_t max_accesses) : machine_(machine), max_accesses_(max_accesses) {}

void Recorder::on_array(std::string_view name, Address base, std::uint32_t size) {
  arrays_.push_back({std::string(name), base, size});
}

void Recorder::on_phase(std::string_view name, TimeUnits start) { phases_.push_back({std::string(name), start}); }

void Recorder::on_dispatch(const TraceDispatch& dispatch) {
  accesses_ += dispatch.accesses.size();
  if (accesses_ > max_accesses_) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("the trace has more than {} accesses: a smaller n is accepted, or a run "
                            "without a trace",
                            max_accesses_));
  }
  Dispatch kept{dispatch.start,
                dispatch.completed,
                dispatch.step,
                dispatch.warp,
                dispatch.memory,
                dispatch.stages,
                phases_.empty() ? 0 : static_cast<std::uint32_t>(phases_.size() - 1),
                {}};
  for (const TraceAccess& access : dispatch.accesses) {
    kept.accesses.push_back({access.thread, access.address, access.write, 0, access.value, 0});
  }
  place(machine_, kind_of(machine_, dispatch.memory), kept.accesses);
  dispatches_.push_back(std::move(kept));
}

TimeUnits Recorder::end() const {
  TimeUnits end;
  for (const Dispatch& dispatch : dispatches_) end = std::max(end, dispatch.completed);
  return end;
}

std::string trace_json(const Recorder& trace, const std::string& title) {
  const Machine& machine = trace.machine();
  std::string out = fmt::format(
      "{{\"title\":{},\"machine\":{{\"kind\":\"{}\",\"width\":{},\"latency\":{},\"multiprocessors\":{},"
      "\"shared_latency\":{}}},\"time_units\":{},\n\"arrays\":[",
      json_quoted(title), to_string(machine.kind), machine.width, machine.latency, machine.multiprocessors,
      machine.shared_latency, trace.end().count);
  const char* comma = "";
  for (const Recorder::Array& array : trace.arrays()) {
    out += fmt::format("{}{{\"name\":{},\"base\":{},\"size\":{}}}", comma, json_quoted(array.name), array.base,
                       array.size);
    comma = ",";
  }
  out += "],\n\"phases\":[";
  comma = "";
  for (const Recorder::Phase& phase : trace.phases()) {
    out += fmt::format("{}{{\"name\":{},\"start\":{}}}", comma, json_quoted(phase.name), phase.start.count);
    comma = ",";
  }
  out += "],\n\"dispatches\":[";
  comma = "\n";
  for (const Recorder::Dispatch& one : trace.dispatches()) {
    out += fmt::format(
        "{}{{\"start\":{},\"completed\":{},\"step\":{},\"warp\":{},\"memory\":{},\"stages\":{},\"phase\":{},"
        "\"accesses\":[",
        comma, one.start.count, one.completed.count, one.step, one.warp, one.memory, one.stages, one.phase);
    comma = ",\n";
    const char* inner = "";
    for (const Recorder::Access& access : one.accesses) {
      out += fmt::format("{}[{},{},{},{},{},{}]", inner, access.thread, access.address, access.write ? 1 : 0,
                         access.stage, access.place, static_cast<std::int64_t>(access.value));
      inner = ",";
    }
    out += "]}";
  }
  return out + "]}\n";
}

std::string trace_csv(const Recorder& trace) {
  std::string out = "start,completed,step,phase,memory,warp,stages,thread,access,address,stage,place,value\n";
  for (const Recorder::Dispatch& one : trace.dispatches()) {
    std::string phase = trace.phases().empty() ? "all" : trace.phases()[one.phase].name;
    if (phase.find_first_of(",\"") != std::string::npos) phase = json_quoted(phase);
    for (const Recorder::Access& access : one.accesses) {
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", one.start.count, one.completed.count, one.step,
                         phase, one.memory, one.warp, one.stages, access.thread, access.write ? 'W' : 'R',
                         access.address, access.stage, access.place, static_cast<std::int64_t>(access.value));
    }
  }
  return out;
}

std::string trace_html(const Recorder& trace, const std::string& title) {
  return std::string(trace_page_before) + trace_json(trace, title) + std::string(trace_page_after);
}

}  // namespace warpfold::machine
