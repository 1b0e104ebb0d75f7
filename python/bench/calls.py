"""What do calls from Python take over the same calls in C++, and beside NumPy's and SciPy's functions of that purpose?

    python python/bench/calls.py build/release/bin/bench_python_calls

prints a result file. Both sides of a pair solve the same problem in turn, by the wall clock and in the processor's time,
which other work on the machine disturbs less. WARPFOLD_MACHINE and WARPFOLD_COMMIT name where; CUDA_VISIBLE_DEVICES= keeps
GPUs out of it.
"""

from __future__ import annotations

import datetime
import itertools
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import warpfold

Row = dict[str, Any]


class Sample(NamedTuple):
    """Of one call."""

    wall: float
    processor: float


def sampled(calls: int, call: Callable[[], object]) -> Sample:
    """`calls` of them are timed together."""
    processor, start = time.process_time(), time.perf_counter()
    for _ in itertools.repeat(None, calls):
        call()
    wall = time.perf_counter() - start
    return Sample(wall / calls, (time.process_time() - processor) / calls)


def figures(seconds: list[float]) -> Row:
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median
    return {"median_seconds": median, "spread": round(spread, 2), "repeats": len(seconds)}


def compared(work: str, beside: str, repeats: int, ours: Callable[[], Sample], theirs: Callable[[], Sample]) -> Row:
    """The medians of so many pairs, after one to warm up; spread is that of our times. What is added is the difference of
    both sides' least times of the processor; ratios and how many times as fast we are are medians of the pairs' own."""
    pairs = [(ours(), theirs()) for _ in range(repeats + 1)][1:]
    least = [min(side[at].processor for side in pairs) for at in (0, 1)]
    return {
        "work": work,
        "beside": beside,
        "language": "C++" if beside == "C++" else "Python",
        **figures([our.wall for our, _ in pairs]),
        "beside_seconds": statistics.median(their.wall for _, their in pairs),
        "times_as_fast": statistics.median(their.wall / our.wall for our, their in pairs),
        "added_processor_seconds": least[0] - least[1],
        "processor_ratio": statistics.median(our.processor / their.processor for our, their in pairs),
    }


class Cpp(NamedTuple):
    """The same calls in C++, of the problems in a folder, by a program that waits in between."""

    process: subprocess.Popen[str]
    folder: pathlib.Path

    def sampled(self, work: str, calls: int) -> Sample:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{work}\n{calls}\n")
        self.process.stdin.flush()
        wall, processor = self.process.stdout.readline().split()
        return Sample(float(wall), float(processor))

    def beside(self, work: str, problem: np.ndarray[Any, Any], calls: int, repeats: int, ours: Callable[[], object]) -> Row:
        np.save(self.folder / f"{work}.npy", problem)
        return compared(work, "C++", repeats, lambda: sampled(calls, ours), lambda: self.sampled(work, calls))


def rows_beside_cpp(cpp: Cpp) -> list[Row]:
    rng = np.random.default_rng(1)
    rows = []
    for matrices, calls in [(5, 5000), (50, 1000), (400, 100)]:
        dims = rng.integers(1, 100, matrices + 1)
        listed = dims.tolist()
        rows.append(cpp.beside(f"chain_order of {matrices}", dims, calls, 60, lambda: warpfold.chain_order(listed)))
    one, many = rng.random((64, 64)), rng.random((10_000, 64, 64))
    a, b = factors = rng.random((2, 4096, 4096), np.float32)
    return rows + [
        cpp.beside("triangulate 64", one, 200, 60, lambda: warpfold.triangulate(one)),
        cpp.beside("triangulate 10000 x 64", many, 1, 25, lambda: warpfold.triangulate(many)),
        cpp.beside("matmul 4096 float32", factors, 1, 9, lambda: warpfold.matmul(a, b)),
    ]


def rows_beside_numpy() -> list[Row]:
    """numpy.linalg.multi_dot of vectors that are next to nothing to multiply: its time is that of the order."""
    rows = []
    for matrices, calls in [(5, 1000), (50, 10)]:
        arrays, dims = [np.ones((1, 1))] * matrices, [1] * (matrices + 1)
        rows.append(
            compared(
                f"chain_order of {matrices} ones",
                "numpy.linalg.multi_dot",
                5,
                lambda: sampled(calls, lambda: warpfold.chain_order(dims)),
                lambda: sampled(calls, lambda: np.linalg.multi_dot(arrays)),
            )
        )
    return rows


def rows_beside_scipy() -> list[Row]:
    """Lengths alone, where SciPy is installed."""
    try:
        from scipy.sparse.csgraph import floyd_warshall
    except ImportError:
        return []
    lengths = np.random.default_rng(2).random((2048, 2048))
    return [
        compared(
            f"shortest_paths 2048 float64, {text}",
            "scipy floyd_warshall",
            3,
            lambda: sampled(1, lambda: warpfold.shortest_paths(lengths, threads=threads)),
            lambda: sampled(1, lambda: floyd_warshall(lengths)),
        )
        for threads, text in [(1, "1 thread"), (0, "all threads")]
    ]


def processor_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def imported(name: str) -> Sample:
    """In a fresh interpreter."""
    processor, start = processor_of_children(), time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
    wall = time.perf_counter() - start
    return Sample(wall, processor_of_children() - processor)


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
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        rows = rows_beside_cpp(Cpp(process, pathlib.Path(folder)))
    rows += rows_beside_numpy() + rows_beside_scipy()
    rows.append(compared("import warpfold", "import numpy", 21, lambda: imported("warpfold"), lambda: imported("numpy")))
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
