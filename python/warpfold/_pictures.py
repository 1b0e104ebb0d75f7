"""Pictures that the C++ library does not draw."""

from __future__ import annotations

from numpy.typing import NDArray
import numpy as np


def tree_svg(parents: NDArray[np.int64]) -> str:
    """A search tree as SVG: keys in order from left to right, each at its depth."""
    step, radius = 36, 13
    depths = _depths(parents)
    places = [(step * (key + 1), step * (depth + 1)) for key, depth in enumerate(depths)]
    width, height = step * (len(parents) + 1), step * (max(depths) + 2)
    lines = [
        f'<line x1="{x}" y1="{y}" x2="{places[parent][0]}" y2="{places[parent][1]}"/>'
        for (x, y), parent in zip(places, parents)
        if parent >= 0
    ]
    nodes = [
        f'<circle cx="{x}" cy="{y}" r="{radius}"/><text x="{x}" y="{y + 4}">{key}</text>'
        for key, (x, y) in enumerate(places)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        "<style>line{stroke:#123c4a}circle{fill:#dbe9ee;stroke:#123c4a}"
        "text{font:12px sans-serif;text-anchor:middle;fill:#0d2530}</style>"
        f"{''.join(lines)}{''.join(nodes)}</svg>"
    )


def _depths(parents: NDArray[np.int64]) -> list[int]:
    depths: dict[int, int] = {-1: -1}
    for key in range(len(parents)):
        way = [key]
        while way[-1] not in depths:
            way.append(int(parents[way[-1]]))
        for node in reversed(way[:-1]):
            depths[node] = depths[int(parents[node])] + 1
    return [depths[key] for key in range(len(parents))]
