#include "bench_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace warpfold::app {

namespace {

/// Ends the process after a minute. `time` prints the median of at most five runs that together take about 3 s.
constexpr const char* prelude = R"py(
import random, signal, sys, time as clock
signal.alarm(60)
n = int(sys.argv[1])
def time(f):
    seconds = []
    while len(seconds) < 5 and sum(seconds) < 3:
        start = clock.perf_counter()
        f()
        seconds.append(clock.perf_counter() - start)
    print(sorted(seconds)[len(seconds) // 2])
)py";

/// How a package solves a problem of size n. The code ends with `time(f)` and has no single quotes.
struct Peer {
  const char* work;
  const char* name;
  const char* code;
  std::size_t max_size;  ///< it takes some seconds for this
};

constexpr Peer peers[] = {
    {"triangulation", "NumPy", R"py(
import numpy as np
w = np.random.default_rng(1).random((n, n), np.float32)
def f():
    rows, columns = np.zeros((2, n, n), np.float32)
    for i in range(n - 3, -1, -1):
        for j in range(i + 2, n):
            rows[i, j] = columns[j, i] = w[i, j] + (rows[i, i + 1:j] + columns[j, i + 1:j]).min()
time(f)
)py",
     2048},
    {"matrix chain", "NumPy multi_dot", R"py(
import numpy as np
factors = [np.ones((1, 1))] * n
time(lambda: np.linalg.multi_dot(factors))
)py",
     300},
    {"(min,+) product", "NumPy", R"py(
import numpy as np
a, b = np.random.default_rng(1).random((2, n, n), np.float32)
def f():
    c = np.full((n, n), np.inf, np.float32)
    for k in range(n):
        np.minimum(c, a[:, k, None] + b[k], out=c)
time(f)
)py",
     2048},
    {"all pairs, lengths", "SciPy floyd_warshall", R"py(
import numpy as np
from scipy.sparse.csgraph import floyd_warshall
w = 1 + np.random.default_rng(1).random((n, n))
time(lambda: floyd_warshall(w))
)py",
     2048},
    {"all pairs, lengths and successors", "SciPy floyd_warshall", R"py(
import numpy as np
from scipy.sparse.csgraph import floyd_warshall
w = 1 + np.random.default_rng(1).random((n, n))
time(lambda: floyd_warshall(w, return_predecessors=True))
)py",
     2048},
    {"knapsack", "OR-Tools", R"py(
from ortools.algorithms.python.knapsack_solver import KnapsackSolver, SolverType
random.seed(1)
values = [random.randint(1, 1000) for _ in range(1000)]
weights = [[random.randint(1, 4 * n // 1000) for _ in range(1000)]]
def f():
    solver = KnapsackSolver(SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER, "")
    solver.init(values, weights, [n])
    solver.solve()
time(f)
)py",
     250'000},
    {"knapsack by its table", "NumPy", R"py(
import numpy as np
random = np.random.default_rng(1)
items = list(zip(random.integers(1, 4 * n // 1000 + 1, 1000), random.integers(1, 1001, 1000)))
def f():
    best = np.zeros(n + 1, np.int32)
    for weight, value in items:
        best[weight:] = np.maximum(best[weight:], best[:-weight] + np.int32(value))
time(f)
)py",
     4'000'000},
    {"recurrence", "NumPy", R"py(
import numpy as np
random = np.random.default_rng(1)
offsets = random.permutation(np.arange(1, n // 4 + 1))[:n // 8]
weights = random.integers(0, 1024, n // 8, np.int32)
def f():
    values = np.zeros(n, np.int32)
    for i in range(offsets.max(), n):
        values[i] = (values[i - offsets] + weights).min()
time(f)
)py",
     65536},
    {"edit distance", "RapidFuzz", R"py(
from rapidfuzz.distance import Levenshtein
a, b = ("".join(random.choices("ACGU", k=n)) for _ in range(2))
time(lambda: Levenshtein.distance(a, b))
)py",
     100'000},
    {"longest common subsequence", "RapidFuzz", R"py(
from rapidfuzz.distance import LCSseq
a, b = ("".join(random.choices("ACGU", k=n)) for _ in range(2))
time(lambda: LCSseq.similarity(a, b))
)py",
     100'000},
    {"alignment", "Parasail", R"py(
import parasail
a, b = ("".join(random.choices("ACDEFGHIKLMNPQRSTVWY", k=n)) for _ in range(2))
time(lambda: parasail.nw_striped_sat(a, b, 12, 1, parasail.blosum62))
)py",
     20'000},
    {"time warping", "dtaidistance", R"py(
import numpy as np
from dtaidistance import dtw
a, b = np.random.default_rng(1).standard_normal((2, n)).cumsum(1)
time(lambda: dtw.distance_fast(a, b))
)py",
     10'000},
    {"folding", "ViennaRNA", R"py(
import RNA
letters = "".join(random.choices("ACGU", k=n))
time(lambda: RNA.fold(letters))
)py",
     2000},
    {"permutation", "NumPy", R"py(
import numpy as np
random = np.random.default_rng(1)
to, source = np.empty(n, np.uint32), random.integers(0, 1024, n, np.uint32)
order = random.permutation(n)
def f():
    to[order] = source
time(f)
)py",
     1 << 24},
};

}  // namespace

std::optional<PeerTime> time_of_peer(const std::string& work, std::size_t n) {
  const auto* const peer =
      std::find_if(std::begin(peers), std::end(peers), [&](const Peer& p) { return p.work == work; });
  if (peer == std::end(peers) || n > peer->max_size) return {};
  FILE* const pipe = popen(fmt::format("python3 -c '{}{}' {} 2>/dev/null", prelude, peer->code, n).c_str(), "r");
  if (!pipe) return {};
  double seconds = 0;
  const bool is_read = std::fscanf(pipe, "%lf", &seconds) == 1;
  return pclose(pipe) == 0 && is_read ? std::optional(PeerTime{peer->name, seconds}) : std::nullopt;
}

}  // namespace warpfold::app
