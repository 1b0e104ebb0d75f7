"""Why a matrix in a GPU's shared memory gets a 33rd column: what reading a column of 32 costs, drawn.

    python bank_conflicts.py plain.svg padded.svg
"""

import pathlib
import sys

import numpy as np

from warpfold import machine


def main(plain_picture: str, padded_picture: str) -> None:
    width = 32
    shared = machine.Dmm(width=width, latency=20)
    row = np.arange(width)
    for name, columns, picture in [("plain", width, plain_picture), ("padded", width + 1, padded_picture)]:
        cost = shared.cost(row * columns)
        print(f"{name}: {cost.stages[0]} stages, {cost.time_units} time units")
        pathlib.Path(picture).write_text(cost._repr_svg_())
    transpose = shared.run("transpose-straightforward", n=width**2, threads=width**2)
    diagonal = shared.run("transpose-diagonal", n=width**2, threads=width**2)
    print(f"a transpose takes {transpose.time_units} time units, along diagonals {diagonal.time_units}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
