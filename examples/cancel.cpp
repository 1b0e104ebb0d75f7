// A solve that another thread ends: within 0.1 s of request_stop().
// --- snippet
#include <chrono>
#include <iostream>
#include <stop_token>
#include <thread>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"

int main() {
  using namespace warpfold::knapsack;
  std::vector<Item> items;
  for (std::int64_t i = 0; i < 100'000; ++i) items.push_back({.value = 1 + i % 97, .weight = 1 + i % 89});
  const Problem minutes_of_work(Kind::zero_one, items, 4'000'000);

  std::stop_source source;
  warpfold::Options options;
  options.algorithm = "table";
  options.stop = source.get_token();
  const std::jthread somebody([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  try {
    std::cout << every_capacity(minutes_of_work, options).solution.values.back() << '\n';
  } catch (const warpfold::Error& error) {
    if (error.kind() != warpfold::ErrorKind::cancelled) throw;
    std::cout << "stopped: " << error.what() << '\n';
  }
}
