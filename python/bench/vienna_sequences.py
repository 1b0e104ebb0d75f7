"""Do random sequences have the energies and pair probabilities that ViennaRNA computes?

    python python/bench/vienna_sequences.py [SEQUENCES [ENSEMBLES]]

prints a result file, with a row for each temperature and for dangles or none. Sequences have 1 to 500 bases. Of all of
them (10,000 by default) the least energy is compared, and the energy that ViennaRNA gives to our structure. Of the first
ENSEMBLES (all by default) the energy of the ensemble and all pair probabilities are compared. Needs ViennaRNA's Python
package, whose smoothing of energies is off (`pf_smooth`). A process for each core compares 60 at a time.
"""

from __future__ import annotations

import importlib
import itertools
import json
import math
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from rows import Row, file_of

import warpfold

MODELS = list(itertools.product((25.0, 37.0, 60.0), (0, 2)))
AT_ONE_TIME = 60


class Model:
    """Both programs with one temperature and one choice of dangles, and what was found."""

    def __init__(self, vienna: Any, parameters: str, temperature: float, dangles: int) -> None:
        self.vienna = vienna
        self.ours = {"parameters": parameters, "temperature": temperature, "dangles": dangles, "threads": 1}
        self.theirs = vienna.md()
        self.theirs.temperature, self.theirs.dangles, self.theirs.pf_smooth = temperature, dangles, 0
        self.row: Row = {
            "temperature": temperature,
            "dangles": dangles,
            "sequences": 0,
            "different_energies": 0,
            "ensembles": 0,
            "largest_difference_of_ensembles": 0.0,
            "largest_difference_of_probabilities": 0.0,
        }

    def compare(self, sequences: list[str]) -> None:
        for sequence, found in zip(sequences, warpfold.fold(sequences, **self.ours), strict=True):
            compound = self.vienna.fold_compound(sequence, self.theirs)
            energies = (found.energy, compound.mfe()[1], compound.eval_structure(found.structure))
            self.row["sequences"] += 1
            self.row["different_energies"] += len({round(100 * energy) for energy in energies}) > 1

    def compare_ensembles(self, sequences: list[str]) -> None:
        for sequence in sequences:
            found = warpfold.pair_probabilities(sequence, threshold=0, **self.ours)
            compound = self.vienna.fold_compound(sequence, self.theirs)
            compound.exp_params_rescale(compound.mfe()[1])
            compound.pf()
            n = len(sequence)
            theirs = np.array(compound.bpp())[1:, 1:]
            ours = np.zeros((n, n))
            ours[found.pairs[:, 0], found.pairs[:, 1]] = found.probabilities
            self.row["ensembles"] += 1
            self.at_least("largest_difference_of_ensembles", abs(found.energy - ensemble_energy(compound, n)))
            self.at_least("largest_difference_of_probabilities", float(abs(ours - theirs).max()))

    def at_least(self, key: str, value: float) -> None:
        self.row[key] = max(self.row[key], value)


def ensemble_energy(compound: Any, n: int) -> float:
    """In doubles: what `pf` returns has 32 bits."""
    parameters = compound.exp_params
    whole = compound.exp_matrices.q[compound.iindx[1] - n]
    return float(-parameters.kT / 1000 * (math.log(whole) + n * math.log(parameters.pf_scale)))


def drawn(count: int) -> list[str]:
    rng = random.Random(1)
    return ["".join(rng.choices("ACGU", k=rng.randint(1, 500))) for _ in range(count)]


def compared(sequences: list[str], ensembles: int) -> list[Row]:
    """A row for each model."""
    vienna = importlib.import_module("RNA")
    with tempfile.TemporaryDirectory() as folder:
        vienna.params_save(f"{folder}/vienna.par")
        models = [Model(vienna, f"{folder}/vienna.par", *model) for model in MODELS]
        for t, model in enumerate(models):
            model.compare(sequences[t :: len(models)])
            model.compare_ensembles(sequences[:ensembles][t :: len(models)])
    return [{**model.row, "version": vienna.__version__} for model in models]


def joined(rows: Sequence[Row]) -> Row:
    """Of the same model, from other sequences each."""
    counts = {key: sum(row[key] for row in rows) for key in ("sequences", "different_energies", "ensembles")}
    largest = {key: max(row[key] for row in rows) for key in rows[0] if key.startswith("largest")}
    return {**rows[0], **counts, **largest}


def main(count: int, ensembles: int) -> None:
    sequences = drawn(count)
    work = [(sequences[at : at + AT_ONE_TIME], max(0, ensembles - at)) for at in range(0, count, AT_ONE_TIME)]
    with multiprocessing.Pool() as pool:
        found = pool.starmap(compared, work, chunksize=1)
    rows = [joined(of_model) for of_model in zip(*found, strict=True)]
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    sizes = [int(argument) for argument in sys.argv[1:]] or [10_000]
    main(sizes[0], sizes[-1])
