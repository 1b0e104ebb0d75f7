"""How fast are foldings and ensembles beside ViennaRNA, and beside the ceiling of their products, in the same run?

    python python/bench/rna_beside_vienna.py build/release/bin/bench_rna

prints the result file of `bench_rna folding few`, with the seconds that ViennaRNA takes for the same sequence on one
thread. Ours take all threads. ViennaRNA has its energies of 2004 and bench_rna has rules-1998. Of 4,000 bases ViennaRNA
runs once; its pair probabilities take minutes.
"""

from __future__ import annotations

import importlib
import json
import statistics
import subprocess
import sys
from typing import Any

import numpy as np
from rows import Row, file_of, sampled


def drawn(length: int) -> str:
    """The sequence that bench_rna draws: std::mt19937 with the seed 1."""
    numbers = np.random.RandomState(1).randint(0, 2**32, length, np.uint32)
    return "".join("ACGU"[number % 4] for number in numbers)


def compute(vienna: Any, work: str, sequence: str) -> None:
    model = vienna.md()
    model.pf_smooth, model.compute_bpp = 0, int(work == "pair probabilities")
    compound = vienna.fold_compound(sequence, model)
    energy = compound.mfe()[1]
    if work != "folding with structure":
        compound.exp_params_rescale(energy)
        compound.pf()


def beside(vienna: Any, row: Row) -> Row:
    """ViennaRNA's sums are scaled by the least energy, whose time is theirs, too."""
    repeats = 3 if row["n"] <= 1000 else 1
    sequence = drawn(row["n"])
    seconds = [sampled(1, lambda: compute(vienna, row["work"], sequence)).wall for _ in range(repeats)]
    median = statistics.median(seconds)
    return {
        **row,
        "beside": "ViennaRNA",
        "beside_seconds": median,
        "beside_repeats": repeats,
        "times_as_fast": median / row["median_seconds"],
        "version": vienna.__version__,
    }


def main(program: str) -> None:
    vienna = importlib.import_module("RNA")
    answer = subprocess.run([program, "folding", "few", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [beside(vienna, row) for row in json.loads(answer)["rows"]]
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
