"""What do calls from Python take over the same calls in C++, and what do NumPy's own take?

    python python/bench/calls.py build/release/bin/bench_python_calls

prints a result file; both are measured in turn, in the same run. WARPFOLD_MACHINE and WARPFOLD_COMMIT name where.
"""

from __future__ import annotations

import datetime
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import warpfold

Row = dict[str, Any]


def timed(work: str, calls: int, repeats: int, call: Callable[[], object]) -> Row:
    """`calls` of them are timed together; the median of the repeats, after one to warm up."""
    seconds = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        seconds.append((time.perf_counter() - start) / calls)
    return row(work, calls, seconds[1:])


def row(work: str, calls: int, seconds: list[float]) -> Row:
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median
    return {
        "work": work,
        "language": "Python",
        "calls": calls,
        "median_seconds": median,
        "spread": round(spread, 2),
        "repeats": len(seconds),
    }


def chain(rng: np.random.Generator, matrices: int, calls: int) -> Row:
    dims = rng.integers(1, 100, matrices + 1).tolist()
    return timed(f"chain_order of {matrices}", calls, 15, lambda: warpfold.chain_order(dims))


def rows_of_python() -> list[Row]:
    rng = np.random.default_rng(1)
    weights, batch = rng.random((64, 64)), rng.random((10_000, 64, 64))
    a, b = rng.random((4096, 4096), np.float32), rng.random((4096, 4096), np.float32)
    return [
        chain(rng, 5, 20_000),
        chain(rng, 50, 2000),
        chain(rng, 400, 200),
        timed("triangulate 64", 200, 15, lambda: warpfold.triangulate(weights)),
        timed("triangulate 10000 x 64", 1, 7, lambda: warpfold.triangulate(batch)),
        timed("matmul 4096 float32", 1, 5, lambda: warpfold.matmul(a, b)),
    ]


def rows_of_numpy() -> list[Row]:
    """numpy.linalg.multi_dot of vectors that are next to nothing to multiply: its time is that of the order."""
    rows = []
    for matrices, calls in [(5, 1000), (50, 10)]:
        arrays = [np.ones((1, 1))] * matrices
        rows.append({**timed(f"chain_order of {matrices}", calls, 5, lambda: np.linalg.multi_dot(arrays)), "language": "NumPy"})
    return rows


def rows_of_shortest_paths() -> list[Row]:
    """Lengths alone, beside SciPy's Floyd and Warshall where SciPy is installed."""
    try:
        from scipy.sparse.csgraph import floyd_warshall
    except ImportError:
        return []
    lengths = np.random.default_rng(2).random((2048, 2048))
    ours = timed("shortest_paths 2048 float64", 1, 5, lambda: warpfold.shortest_paths(lengths))
    theirs = timed("shortest_paths 2048 float64", 1, 2, lambda: floyd_warshall(lengths))
    return [ours, {**theirs, "language": "SciPy"}]


def import_of(repeats: int) -> Row:
    """What importing the package takes beyond NumPy, of fresh interpreters."""

    def once(program: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        return time.perf_counter() - start

    return row("import beyond NumPy", 1, [once("import warpfold") - once("import numpy") for _ in range(repeats)])


def file_of(command: str, rows: list[Row]) -> dict[str, Any]:
    """As every result file says where and when it was made."""
    return {
        "machine": os.environ.get("WARPFOLD_MACHINE", "unknown"),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": os.environ.get("WARPFOLD_COMMIT", "unknown"),
        "command": command,
        "rows": rows,
    }


def main(program: str) -> None:
    cpp = json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    rows = [{**one, "language": "C++", "spread": round(one["spread"], 2)} for one in cpp] + rows_of_python() + rows_of_numpy()
    rows += rows_of_shortest_paths()
    rows.append(import_of(9))
    print(json.dumps(file_of("./dev bench python", rows), indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
