"""All distances between towns by road, the way between the two farthest, and a picture of the table.

    python road_distances.py ../../examples/towns.csv distances.svg
"""

import pathlib
import sys

import numpy as np
from numpy.typing import NDArray

import warpfold


def main(source: str, picture: str) -> None:
    lines = [line.partition("#")[0].strip() for line in pathlib.Path(source).read_text().splitlines()]
    roads = [line.split(",") for line in lines if line][1:]  # behind the names of the columns
    towns = sorted({town for road in roads for town in road[:2]})
    lengths = np.full((len(towns), len(towns)), np.inf)
    for one, other, length in roads:
        lengths[towns.index(one), towns.index(other)] = float(length)
    distances, predecessors = warpfold.shortest_paths(lengths, return_predecessors=True)
    farthest = np.where(np.isfinite(distances), distances, -1)
    start, end = divmod(int(farthest.argmax()), len(towns))
    way = [towns[town] for town in warpfold.path(predecessors, start, end)]
    print(f"{distances[start, end]:g}: {' -> '.join(way)}")
    pathlib.Path(picture).write_text(table_svg(towns, distances))


def table_svg(towns: list[str], distances: NDArray[np.float64]) -> str:
    """A square for each pair, the darker the farther; white where there is no way."""
    side, margin = 36, 16 + 7 * max(map(len, towns))
    largest = distances[np.isfinite(distances)].max()
    cells = []
    for i, j in np.ndindex(distances.shape):
        length, is_reached = distances[i, j], np.isfinite(distances[i, j])
        darkness = length / largest if is_reached else 0
        shade = f"hsl(200,45%,{92 - 60 * darkness:.0f}%)" if is_reached else "white"
        x, y = margin + side * j, margin + side * i
        cells.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{shade}"/>'
                     f'<text x="{x + side / 2}" y="{y + side / 2 + 4}" text-anchor="middle" '
                     f'fill="{"white" if darkness > 0.5 else "black"}">{f"{length:g}" if is_reached else ""}</text>')
    names = [f'<text x="{margin - 8}" y="{margin + side * i + side / 2 + 4}" text-anchor="end">{town}</text>'
             f'<text transform="translate({margin + side * i + side / 2 + 4} {margin - 8}) rotate(-60)">{town}</text>'
             for i, town in enumerate(towns)]
    height = margin + side * len(towns) + 10
    width = height + margin // 2  # the last town's name leans over
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="12"><rect width="{width}" height="{height}" fill="white"/>'
            f'{"".join(cells)}{"".join(names)}</svg>')


if __name__ == "__main__":
    main(*sys.argv[1:3])
