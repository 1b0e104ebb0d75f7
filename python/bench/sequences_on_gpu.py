"""How fast are two sequences on a GPU beside stringzillas' CUDA engines, and beside the ceiling, in the same run?

    python python/bench/sequences_on_gpu.py build/cuda/bin/bench_sequence

prints the rows of `bench_sequence cuda_batches` and `cuda_alignments --longest`, and then those of stringzillas. It compares
each of one list with each of another: nearly as many pairs, of the same lengths.
Needs stringzillas for CUDA, stringzilla and NumPy, not our own package.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys

import numpy as np
import stringzilla
import stringzillas
from rows import Row, figures, file_of, sampled

DNA = "ACGT"
PROSE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .,;:'!?-"


def ours(program: str, *question: str) -> list[Row]:
    answer = subprocess.run([program, *question, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows: list[Row] = json.loads(answer)["rows"]
    return rows


def drawn(count: int, length: int, letters: str, seed: int) -> stringzilla.Strs:
    generator = random.Random(seed)
    return stringzilla.Strs(["".join(generator.choices(letters, k=length)) for _ in range(count)])


def theirs(work: str, engine: object, scope: object, count: int, length: int, letters: str, repeats: int) -> Row:
    first, second = (drawn(count, length, letters, seed) for seed in (1, 2))
    results = np.empty((count, count), np.int64 if "align" in work else np.uint64)
    sampled(1, lambda: engine(first, second, device=scope, out=results))  # the first call starts the GPU
    seconds = [sampled(1, lambda: engine(first, second, device=scope, out=results)).wall for _ in range(repeats)]
    cells = float(count * count) * length * length
    row = {"work": work, "by": f"stringzillas {stringzillas.__version__}", "pairs": count * count, **figures(seconds)}
    return {**row, "rate_per_second": cells / row["median_seconds"], "pairs_per_second": count * count / row["median_seconds"]}


def rows_of_stringzillas() -> list[Row]:
    scope = stringzillas.DeviceScope(gpu_device=0)
    distances = stringzillas.LevenshteinDistances(capabilities=scope)
    classes = np.zeros(256, np.uint8)
    for number, letter in enumerate(DNA):
        classes[ord(letter)] = number
    costs = np.full((32, 32), -4, np.int8)
    np.fill_diagonal(costs, 2)
    scores = stringzillas.NeedlemanWunschScores(classes, costs, -5, -1, scope)
    return [
        theirs("DNA of 1000", distances, scope, 316, 1000, DNA, 7),
        theirs("prose of 1000", distances, scope, 316, 1000, PROSE, 7),
        theirs("DNA of 100", distances, scope, 1000, 100, DNA, 7),
        theirs("DNA of 10000", distances, scope, 32, 10_000, DNA, 3),
        theirs("affine alignment of DNA, one pair of 100000", scores, scope, 1, 100_000, DNA, 1),
    ]


def main(program: str) -> None:
    rows = ours(program, "cuda_batches") + ours(program, "cuda_alignments", "--longest") + rows_of_stringzillas()
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
