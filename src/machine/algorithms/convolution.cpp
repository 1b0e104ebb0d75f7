#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

constexpr Value max_weight = 1 << 15;  // 2^16 taps over words of 31 bits have a sum

/// out[i] = sum over j of kernel[j] a[i + j].
Program convolve(Thread pe, Array<Value> a, Array<Value> kernel, Array<Value> out) {
  for (std::uint64_t i = pe.id; i < out.size(); i += pe.count) {
    Value sum = 0;
    for (std::uint64_t j = 0; j < kernel.size(); ++j) {
      const Value weight = co_await kernel.read(j);
      const Value x = co_await a.read(i + j);
      sum += weight * x;
    }
    co_await out.write(i, sum);
  }
}

std::vector<Value> plain_convolution(const std::vector<Value>& a, const std::vector<Value>& kernel) {
  std::vector<Value> out(a.size() - kernel.size() + 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = 0; j < kernel.size(); ++j) out[i] += kernel[j] * a[i + j];
  }
  return out;
}

RunResult run_convolution(const RunRequest& request) {
  const auto* given = request.list("kernel");
  const std::uint64_t n = request.n, taps = given != nullptr ? given->size() : request.parameter("taps", 8);
  accept_parameter("taps", taps, taps >= 1, "1 or more");
  accept_n(request, n >= taps, "as many words as taps, or more,");
  const auto values = words_of(request);
  const auto weights = given_or(request, "kernel", [&] { return random_values(request, taps, request.seed + 1); });
  const std::uint64_t outputs = n - taps + 1;
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values), kernel = simulation.array("kernel", weights);
  const auto out = simulation.array<Value>("out", outputs);
  simulation.run([&](Thread pe) { return convolve(pe, a, kernel, out); });
  const auto sums = simulation.values(out);
  RunResult result = result_of(request, simulation, sums == plain_convolution(values, weights), n + taps + outputs);
  result.inputs["words"] = values;
  result.inputs["kernel"] = weights;
  result.outputs["out"] = sums;
  result.formula = formulas::convolution(request.machine, request.threads, outputs, taps);
  result.formula_text = "(k + 1) times m words aligned, and once m words from each of 0 .. k - 1; m = n - k + 1";
  result.bound =
      formulas::optimal(request.machine, request.threads, static_cast<double>(n) * static_cast<double>(taps));
  result.bound_text = "n k/w + n k l/p, k taps";
  return result;
}

}  // namespace

Algorithm convolution() {
  return {"convolution",
          "The direct convolution of n words with a kernel of a few taps, a thread for each sum that fits.",
          "the definition; future work of Memory machines 2012, section VII",
          run_convolution,
          flat_machines(),
          false,
          {{"taps", "words of the kernel (default 8)"}},
          {words_list(),
           {"kernel", "what the words are weighted by", -max_weight, max_weight, "any number", nullptr, {"taps"}}}};
}

}  // namespace warpfold::machine
