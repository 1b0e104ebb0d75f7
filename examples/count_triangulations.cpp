// Counts the triangulations of a convex polygon of 40 vertices in which no chord joins two even vertices: exactly, with
// integers of any length, and modulo a prime, with machine words.
#include <gmpxx.h>

#include <iostream>

#include "warpfold/interval/recurrence.hpp"

template <class S>
struct Triangulations {
  using Semiring = S;
  using T = typename S::Value;
  std::size_t vertices;

  T leaf(std::size_t) const { return S::one(); }
  T close(std::size_t i, std::size_t j, const T& best) const {
    const bool chord = i != 0 || j != vertices - 1;
    return chord && i % 2 == 0 && j % 2 == 0 ? S::zero() : best;
  }
};

int main() {
  using Exact = warpfold::Counting<mpz_class>;
  using Modulo = warpfold::CountingModulo<1'000'000'007>;
  std::cout << warpfold::interval::solve_recurrence(Triangulations<Exact>{40}, 40).solution.value() << '\n'
            << warpfold::interval::solve_recurrence(Triangulations<Modulo>{40}, 40).solution.value() << '\n';
}
