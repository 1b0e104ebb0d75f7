#!/usr/bin/env python3
"""Reads files that others wrote by the command line, and compares what it found with other readers of the same files.

    tests/real_files/read.py build/release/bin/warpfold countryinfo-1.0.1=FOLDER ... > results/MACHINE/real_files.json

Each folder is an unpacked package. Outlines are GeoJSON, or shapefiles if pyshp is there: every polygon has to have the
number of distinct vertices that are in the file, and two triangles less. Matrices are Matrix Market: SciPy has to find as
many vertices, and as many of them reachable from the first. Knapsacks are kplib's: a table of NumPy has to find the same
value. What is refused is listed with the message. Ends with 1 if anything was read wrong.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io
import scipy.sparse
import scipy.sparse.csgraph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from results import result  # noqa: E402

LARGEST = 1000  # vertices of an outline that is triangulated; larger ones are counted by an estimate


def run(*words):
    """The JSON that the command prints, and its message if it fails."""
    ran = subprocess.run([sys.argv[1], *map(str, words), "--json"], capture_output=True, text=True)
    message = ran.stderr.strip().removeprefix("warpfold: error: ")
    return (json.loads(ran.stdout), "") if ran.returncode == 0 else (None, f"exit {ran.returncode}: {message}")


def polygons(shape):
    if shape is None:
        return []
    kind = shape["type"]
    if kind == "FeatureCollection":
        return [polygon for feature in shape["features"] for polygon in polygons(feature["geometry"])]
    if kind == "Feature":
        return polygons(shape["geometry"])
    return shape["coordinates"] if kind == "MultiPolygon" else [shape["coordinates"]] if kind == "Polygon" else []


def distinct_vertices(ring):
    """The vertices of a ring that do not repeat the one before, or the first at the end."""
    points = [tuple(point[:2]) for point in ring]
    return sum(a != b for a, b in zip(points, points[1:] + points[:1]))


def shapes_in(path):
    """The shapes in a file, as dictionaries of GeoJSON."""
    if path.suffix == ".shp":
        import shapefile

        return [shape.__geo_interface__ for shape in shapefile.Reader(str(path)).shapes()]
    content = json.loads(path.read_text(encoding="utf-8"))
    shape = content.get("geoJSON", content) if isinstance(content, dict) else None
    return [shape] if isinstance(shape, dict) and "type" in shape else []


def read_outlines(path):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "outline.geojson"
        for shape in shapes_in(path):
            parts = polygons(shape)
            file.write_text(json.dumps(shape))
            for part, rings in enumerate(parts):
                n = distinct_vertices(rings[0])
                words = ["triangulate", file] + (["--part", part] if len(parts) > 1 else [])
                found, message = run(*words, *(["--estimate"] if n > LARGEST else []))
                right = found and found["n"] == n and (n > LARGEST or len(found["triangles"]) == n - 2)
                yield "polygons", right, message.replace(str(file), path.name)


def read_matrix(path):
    found, message = run("paths", path, "--from", 1, "--unweighted")
    if found is None:
        found, message = run("paths", path, "--from", 1)
    try:
        matrix = scipy.sparse.coo_array(scipy.io.mmread(path))
    except ValueError:
        yield "matrices that SciPy does not read", None, message.replace(str(path), path.name)
        return
    right = False
    if found:
        graph = scipy.sparse.csr_array((np.ones(matrix.nnz), matrix.coords), matrix.shape)
        reached = len(scipy.sparse.csgraph.breadth_first_order(graph, 0, return_predecessors=False)) - 1
        right = found["n"] == matrix.shape[0] and found["reachable"] == reached
    yield "matrices", right, message.replace(str(path), path.name)


def read_knapsack(path):
    found, message = run("knapsack", path)
    n, capacity, *numbers = map(int, path.read_text().split())
    best = np.zeros(capacity + 1, np.int64)
    for value, weight in zip(numbers[::2], numbers[1::2]):
        best[weight:] = np.maximum(best[weight:], best[: capacity + 1 - weight] + value)
    right = found and found["value"] == best[-1] and found["n"] == n
    yield "knapsacks", right, message.replace(str(path), path.name)


READERS = {".geojson": read_outlines, ".json": read_outlines, ".shp": read_outlines, ".mtx": read_matrix,
           ".gz": read_matrix, ".kp": read_knapsack}


def read_folder(source, folder):
    counts, refused, wrong = collections.Counter(), [], []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        reader = READERS.get(path.suffix)
        if not reader:
            continue
        for kind, right, message in reader(path):
            counts[kind] += 1
            counts["right"] += bool(right)
            if message:
                refused.append(f"{path.name}: {message}")
            elif right is not None and not right:
                wrong.append(path.name)
    return {"source": source, **counts, "refused": refused, "wrong": wrong}


def main():
    rows = [read_folder(*word.split("=", 1)) for word in sys.argv[2:]]
    print(json.dumps(result(os.environ.get("WARPFOLD_MACHINE", os.uname().nodename), "tests/real_files/read.py", rows), indent=1))
    sys.exit(any(row["wrong"] for row in rows))


main()
