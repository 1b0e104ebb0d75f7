// How long do the calls of the Python package take in C++? python/bench/calls.py runs this program and alternates
// between its own calls and these:
//
//   bench_python_calls FOLDER        FOLDER has WORK.npy, the input of Python's calls
//
// Reads pairs of lines, WORK and CALLS. For each pair it makes that many calls, and prints the wall-clock and processor
// seconds of one.
#include <chrono>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace {

using namespace warpfold;
using Call = std::function<void()>;

Call chain(const io::NpyArray& input) {
  return [dimensions = input.values<std::int64_t>()] {
    static_cast<void>(interval::solve(interval::MatrixChain(dimensions)));
  };
}

Call triangulation(const io::NpyArray& input) {
  return [weights = input.values<double>(), n = input.shape[0]] {
    static_cast<void>(interval::solve(interval::Triangulation<double>({weights.data(), n, n, n})));
  };
}

Call batch(const io::NpyArray& input) {
  return [weights = input.values<double>(), count = input.shape[0], n = input.shape[1]] {
    std::vector<interval::Triangulation<double>> problems;
    problems.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
      problems.emplace_back(MatrixView<const double>{weights.data() + at * n * n, n, n, n});
    }
    static_cast<void>(interval::solve_batch<double>(problems));
  };
}

Call product(const io::NpyArray& input) {
  return [factors = input.values<float>(), n = input.shape[1]] {
    const float* a = factors.data();
    static_cast<void>(minplus::multiply<float>({}, {a, n, n, n}, {a + n * n, n, n, n}));
  };
}

Call call_of(const std::string& work, const io::NpyArray& input) {
  if (work.starts_with("chain_order")) return chain(input);
  if (work.starts_with("matmul")) return product(input);
  return input.shape.size() == 2 ? triangulation(input) : batch(input);
}

void time(const Call& call, int calls) {
  const std::clock_t processor = std::clock();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < calls; ++k) call();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const double used = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  std::cout << wall.count() / calls << ' ' << used / calls << std::endl;
}

}  // namespace

int main(int, char** argv) {
  std::string work, next, calls;
  Call call;
  while (std::getline(std::cin, next) && std::getline(std::cin, calls)) {
    if (next != work) call = call_of(next, io::read_npy(std::string(argv[1]) + "/" + next + ".npy"));
    work = next;
    time(call, std::stoi(calls));
  }
}
