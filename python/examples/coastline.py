"""A coastline's triangulation of least total length, drawn.

    python coastline.py ../../examples/iceland.geojson iceland.svg
"""

import json
import pathlib
import sys

import numpy as np

import warpfold


def main(source: str, picture: str) -> None:
    outline = json.loads(pathlib.Path(source).read_text())
    while "coordinates" not in outline:
        outline = outline["features"][0] if "features" in outline else outline["geometry"]
    degrees = np.array(outline["coordinates"][0])
    # Degrees of longitude are shorter the farther north they are.
    points = degrees * [np.cos(np.radians(degrees[:, 1].mean())), 1]
    best = warpfold.triangulate(points)
    ears = np.abs(np.diff(best.chords.astype(int), axis=1)) == 2
    print(f"{len(best.triangles)} triangles, {ears.sum()} ears, total {best.cost:.4f} degrees, {best.report}")
    pathlib.Path(picture).write_text(best._repr_svg_())


if __name__ == "__main__":
    main(*sys.argv[1:3])
