#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "allocations.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/tally.hpp"
#include "several_gpus.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Compares all ways to solve a problem: bits, structure and the text of errors must be equal.
namespace warpfold::fuzz {

/// Ends a fuzzer's run.
class Difference : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw Difference(what);
}
inline void expect(const Verdict& verdict, const std::string& what) {
  if (verdict.violation) throw Difference(what + ": " + *verdict.violation);
}

/// The bytes of numbers and of lists of numbers, one after another.
template <class Value>
std::string bits(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value> || std::is_trivially_copyable_v<Value>) {
    static_assert(std::is_floating_point_v<Value> || std::has_unique_object_representations_v<Value>);
    return {reinterpret_cast<const char*>(&value), sizeof(Value)};
  } else if constexpr (requires { value.rows(); }) {
    return {reinterpret_cast<const char*>(value.view().data), value.rows() * value.columns() * sizeof(value(0, 0))};
  } else {
    static_assert(std::is_trivially_copyable_v<typename Value::value_type>);
    return {reinterpret_cast<const char*>(value.data()), value.size() * sizeof(*value.data())};
  }
}
template <class... Values>
requires(sizeof...(Values) > 1) std::string bits(const Values&... values) { return (... + bits(values)); }

inline Options by(const std::string& algorithm, int threads = 1) {
  Options options;
  options.device.kind = Device::Kind::cpu;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

inline std::string error_text(ErrorKind kind) { return fmt::format("error {}: ", static_cast<int>(kind)); }

/// The bits of the result of solve(), or its error.
template <class Solve>
std::string answer(const Solve& solve) {
  try {
    return solve();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) throw;
    return error_text(error.kind()) + error.what();
  }
}

/// Whether the algorithm of solve() supports such problems.
template <class Solve>
bool applies(const Solve& solve) {
  return !answer(solve).starts_with(error_text(ErrorKind::usage));
}

inline std::string shown(const std::string& answer) {
  if (answer.starts_with("error ")) return answer;
  std::string text = fmt::format("{} bytes:", answer.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(answer.size(), 64); ++k) {
    text += fmt::format(" {:02x}", static_cast<unsigned char>(answer[k]));
  }
  return text;
}

inline void expect_same(const std::string& expected, const std::string& found, const std::string& what) {
  expect(expected == found, fmt::format("{} gives {}\nexpected {}", what, shown(found), shown(expected)));
}

/// Forces each instruction set of the vector code, and restores the processor's best one at its end.
class ForcedSets {
 public:
  ~ForcedSets() { force_instruction_set(""); }
  template <class Body>
  void each(const Body& body) const {
    static const std::vector<std::string> sets = instruction_sets();
    for (const std::string& set : sets) {
      force_instruction_set(set);
      body(set);
    }
  }
};

inline constexpr int all_threads[] = {1, 2, 5};

inline bool has_gpu() {
  static const bool is_there = !gpus().empty();
  return is_there;
}

/// Sampling rates with a GPU: one input in `large_one_in` is a large problem. One problem in `every_variant_one_in` is
/// solved by every variant of the CPU's code, which builds without CUDA test for all. One in `several_gpus_one_in` is
/// solved on several GPUs.
inline constexpr std::uint64_t large_one_in = 25, every_variant_one_in = 8, several_gpus_one_in = 32;

/// Whether the input's problem is large. Never without a GPU, because the CPU alone would take too long.
inline bool is_large(const Bytes& bytes) {
  tally.large = has_gpu() && bytes.is_one_of(large_one_in);
  return tally.large;
}

inline bool takes_every_variant(const std::string& problem) {
  return !has_gpu() || std::hash<std::string>()(problem) % every_variant_one_in == 0;
}

/// If one of the solve's allocations fails, it must raise std::bad_alloc or give the same result. On one thread it must
/// free all memory. Each of the first 400 allocations fails once; later ones are sampled.
template <class Solve>
void expect_to_outlast_allocations(const std::string& what, const std::string& expected, int threads,
                                   const Solve& solve) {
  constexpr std::int64_t one_by_one = 400, most = 4000;
  for (std::int64_t number = 0; number < most; number += number < one_by_one ? 1 : 1 + number / 50) {
    const std::int64_t live = test::live_allocations();
    bool was_met = false;
    try {
      const test::FailingAllocation failing(number);
      const std::string found = answer(solve);
      was_met = failing.was_met();
      const bool is_refused = was_met && found.starts_with(error_text(ErrorKind::memory_limit));
      if (!is_refused) expect_same(expected, found, what);
      if (!was_met) return;
    } catch (const std::bad_alloc&) {
    }
    const std::int64_t leaked = test::live_allocations() - live;
    expect(threads > 1 || leaked <= 0, fmt::format("{}: {} allocations leak where {} fails", what, leaked, number));
  }
}

/// Calls `run` on these GPUs, with that algorithm or with any if it is "". Reports whether it ran there; any other
/// error is a difference.
template <class Run>
bool runs_alike_on(const Device& device, const std::string& problem, const std::string& expected,
                   const std::string& algorithm, const Run& run) {
  Options options = by(algorithm, 2);  // other processes solve at the same time
  options.device = device;
  const std::string found = answer([&] { return run(options); });
  const bool is_for_cpu = found.starts_with(error_text(ErrorKind::usage)) ||
                          (found.starts_with(error_text(ErrorKind::device)) && found.find("on the CPU") < found.size());
  if (!is_for_cpu) expect_same(expected, found, fmt::format("{}: '{}' on {}", problem, algorithm, to_string(device)));
  return !is_for_cpu;
}

/// Also runs on a GPU, if there is one, and sometimes on several: one that helps itself, and all of them.
template <class Run>
void expect_alike_on_gpu(const std::string& problem, const std::string& expected, const std::string& algorithm,
                         const Run& run) {
  if (!has_gpu() || !runs_alike_on({Device::Kind::cuda}, problem, expected, algorithm, run)) return;
  tally.on_gpu = true;
  if (std::hash<std::string>()(problem + expected) % (tally.large ? 4 : several_gpus_one_in) != 0) return;
  static const std::vector<Device> several = test::several_gpus();
  for (const Device& devices : several) runs_alike_on(devices, problem, expected, algorithm, run);
}

/// Compares a large problem on a GPU with that algorithm of the CPU, because the naive loops would take minutes.
template <class Run>
void expect_large_alike(const std::string& problem, const std::string& algorithm_on_cpu, const Run& run) {
  expect_alike_on_gpu("large " + problem, answer([&] { return run(by(algorithm_on_cpu)); }), "", run);
}

/// A solve that should stop does not begin, or is rejected as without the stop. A solve that ends reports it.
template <class Solve>
void expect_to_hear_and_tell(const std::string& what, const std::string& expected, Options options,
                             const Solve& solve) {
  Progress last = {0, 1};
  options.progress = [&](const Progress& progress) { last = progress; };
  expect_same(expected, answer([&] { return solve(options); }), what + ", watched");
  const bool is_refused = expected.starts_with("error ");
  expect(is_refused || last.done >= last.total,
         fmt::format("{} tells {} of {} as the last", what, last.done, last.total));
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  const std::string stopped = answer([&] { return solve(options); });
  expect(stopped.starts_with(error_text(ErrorKind::cancelled)) || (is_refused && stopped == expected),
         fmt::format("{}, stopped beforehand, gives {}", what, shown(stopped)));
}

/// `run(options)` must give `expected`, bits or an error, with every algorithm, instruction set and number of threads.
template <class Run>
void expect_runs_alike(const std::string& problem, const std::string& expected,
                       const std::vector<std::string>& algorithms, const Run& run) {
  if (!takes_every_variant(problem + expected)) {
    for (const std::string& algorithm : algorithms) {
      expect_same(expected, answer([&] { return run(by(algorithm)); }), fmt::format("{}: '{}'", problem, algorithm));
    }
    return;
  }
  ForcedSets().each([&](const std::string& set) {
    for (const std::string& algorithm : algorithms) {
      for (const int threads : all_threads) {
        expect_same(expected, answer([&] { return run(by(algorithm, threads)); }),
                    fmt::format("{}: '{}', {}, {} threads", problem, algorithm, set, threads));
      }
    }
  });
  if (has_gpu() || std::hash<std::string>()(problem + expected) % 40 != 0) return;  // it takes long, so only sometimes
  for (const std::string& algorithm : algorithms) {
    for (const int threads : {1, 2}) {
      expect_to_outlast_allocations(fmt::format("{}: '{}', {} threads, out of memory", problem, algorithm, threads),
                                    expected, threads, [&] { return run(by(algorithm, threads)); });
    }
  }
}

/// The same for a solve, which must also obey all options. On a GPU it uses the algorithm of this name, or any if it is
/// "".
template <class Solve>
void expect_alike(const std::string& problem, const std::string& expected, const std::vector<std::string>& algorithms,
                  const Solve& solve, const std::string& on_gpu = "") {
  expect_runs_alike(problem, expected, algorithms, solve);
  expect_alike_on_gpu(problem, expected, on_gpu, solve);
  for (const std::string& algorithm : algorithms) {
    expect_to_hear_and_tell(fmt::format("{}: '{}'", problem, algorithm), expected, by(algorithm), solve);
  }
}

/// The same for algorithms whose solutions may differ if their costs are equal.
template <class Solve>
void expect_each_alike(const std::string& problem, const std::vector<std::string>& algorithms, const Solve& solve) {
  for (const std::string& algorithm : algorithms) {
    expect_alike(problem, answer([&] { return solve(by(algorithm)); }), {algorithm}, solve, algorithm);
  }
}

/// The algorithms of a list that run on the CPU, without the oracle, which uses neither vectors nor threads.
inline std::vector<std::string> names_on_cpu(const std::vector<AlgorithmInfo>& infos) {
  std::vector<std::string> names;
  for (const AlgorithmInfo& info : infos) {
    if (info.device == "cpu" && info.name != "reference") names.push_back(info.name);
  }
  return names;
}

/// Ends a harness whose problem is rejected.
struct Refused {};

/// The problem of make(). If it is rejected here, that is no finding; a later rejection is one.
template <class Make>
auto stated(const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::overflow) throw;
    throw Refused();
  }
}

/// The return value of a harness: 0, or -1 for a rejected problem, which libFuzzer does not store.
template <class Body>
int run_input(const std::uint8_t* data, std::size_t size, const Body& body) {
  Bytes bytes(data, size);
  try {
    body(bytes);
    return 0;
  } catch (const Refused&) {
    return -1;
  }
}

/// The same for body.operator()<T>(bytes), where T is drawn from the types.
template <class... Types, class Body>
int run_input_in_one_of(const std::uint8_t* data, std::size_t size, const Body& body) {
  return run_input(data, size, [&](Bytes& bytes) {
    const std::size_t at = bytes.below(sizeof...(Types));
    std::size_t type = 0;
    (void)(... || (type++ == at && (body.template operator()<Types>(bytes), true)));
  });
}

}  // namespace warpfold::fuzz
