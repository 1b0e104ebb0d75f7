#include <bit>
#include <vector>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

constexpr Value prime = 998244353;  // 119 * 2^23 + 1: it has roots of unity of every order up to 2^23
constexpr Value generator = 3;
constexpr std::uint64_t max_words = std::uint64_t{1} << 23;

Value times(Value a, Value b) { return a * b % prime; }

Value power(Value base, std::uint64_t exponent) {
  Value result = 1;
  for (; exponent > 0; exponent /= 2, base = times(base, base)) {
    if (exponent % 2 == 1) result = times(result, base);
  }
  return result;
}

/// A root of unity of this order.
Value root(std::uint64_t order) { return power(generator, static_cast<std::uint64_t>(prime - 1) / order); }

std::uint64_t reversed(std::uint64_t i, int bits) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (i >> bit & 1) << (bits - 1 - bit);
  return result;
}

/// Moves every word to the place whose bits are its own in reverse order, then makes log n rounds of n/2 butterflies.
/// The powers of the roots belong to the program.
Program transform(Thread pe, Array<Value> a, Array<Value> b) {
  const std::uint64_t n = a.size(), p = pe.count;
  const int bits = std::countr_zero(n);
  co_await phase("bit reversal");
  for (std::uint64_t i = pe.id; i < n; i += p) {
    const Value x = co_await a.read(i);
    co_await b.write(reversed(i, bits), x);
  }
  co_await phase("butterflies");
  for (std::uint64_t half = 1; half < n; half *= 2) {
    for (std::uint64_t pair = pe.id; pair < n / 2; pair += p) {
      const std::uint64_t low = pair / half * 2 * half + pair % half;
      const Value x = co_await b.read(low);
      const Value y = co_await b.read(low + half);
      const Value turned = times(y, power(root(2 * half), pair % half));
      co_await b.write(low, (x + turned) % prime);
      co_await b.write(low + half, (x - turned + prime) % prime);
    }
    co_await barrier();
  }
}

/// The transform by halves: of the words at even and at odd places.
std::vector<Value> plain_transform(const std::vector<Value>& a) {
  const std::size_t n = a.size();
  if (n == 1) return a;
  std::vector<Value> even, odd;
  for (std::size_t i = 0; i < n; i += 2) {
    even.push_back(a[i]);
    odd.push_back(a[i + 1]);
  }
  even = plain_transform(even);
  odd = plain_transform(odd);
  std::vector<Value> result(n);
  Value turn = 1;
  for (std::size_t k = 0; k < n / 2; ++k, turn = times(turn, root(n))) {
    result[k] = (even[k] + times(turn, odd[k])) % prime;
    result[k + n / 2] = (even[k] - times(turn, odd[k]) + prime) % prime;
  }
  return result;
}

RunResult run_fft(const RunRequest& request) {
  accept_n(request, std::has_single_bit(request.n) && request.n <= max_words, "a power of 2 up to 2^23");
  const auto words = words_of(request);
  std::vector<Value> residues;
  for (const Value word : words) residues.push_back((word % prime + prime) % prime);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", residues);
  const auto b = simulation.array<Value>("b", residues.size());
  simulation.run([&](Thread pe) { return transform(pe, a, b); });
  const auto found = simulation.values(b);
  RunResult result = result_of(request, simulation, found == plain_transform(residues), 2 * request.n);
  result.inputs["words"] = words;
  result.outputs["b"] = found;
  if (!formulas::has_latency(request.machine)) {
    result.formula = formulas::fft(request.machine, request.threads, request.n);
    result.formula_text = "two accesses to n words, and four to n/2 words in each of log n rounds";
  }
  result.bound = formulas::fft_bound(request.machine, request.threads, request.n);
  result.bound_text = "(n/w + n l/p + l) log n + n";
  if (!formulas::has_latency(request.machine)) result.bound_text = "(n/w + n/p + 1) log n";
  return result;
}

}  // namespace

Algorithm fft() {
  return {"fft",
          "The Fourier transform of n words modulo 998244353, n a power of 2: bit reversal, in which a warp's writes "
          "meet in one bank, then log n rounds of butterflies.",
          "Cooley and Tukey 1965; a classic of bank conflicts",
          run_fft,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
