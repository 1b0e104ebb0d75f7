"""What do calls from Python take over the same calls in C++, and beside NumPy's and SciPy's functions of that purpose?

    python python/bench/calls.py build/release/bin/bench_python_calls

prints a result file. Both sides of a pair solve the same problem in turn, by the wall clock and in the processor's time,
which other work on the machine disturbs less. WARPFOLD_MACHINE and WARPFOLD_COMMIT name where; CUDA_VISIBLE_DEVICES= keeps
GPUs out of it.
"""

from __future__ import annotations

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rows import Row, Sample, compared, file_of, sampled

import warpfold


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
