"""The same bits as the command line."""

import json
import subprocess

import numpy as np

import warpfold


def solved(command, *words):
    return json.loads(subprocess.run([command, *words, "--json"], capture_output=True, text=True, check=True).stdout)


def test_triangulations_have_the_bits_of_the_command_line(rng, command, tmp_path):
    weights = rng.random((70, 70))
    np.save(tmp_path / "weights.npy", weights)
    said = solved(command, "triangulate", "--matrix", str(tmp_path / "weights.npy"))
    found = warpfold.triangulate(weights)
    assert said["cost"] == found.cost and said["chords"] == found.chords.tolist()
    assert said["triangles"] == found.triangles.tolist()


def test_outlines_have_the_bits_of_the_command_line(rng, command, tmp_path):
    angles = np.sort(rng.random(60)) * 2 * np.pi
    points = np.stack([np.cos(angles), np.sin(angles)], 1) * (0.5 + rng.random((60, 1)))
    np.savetxt(tmp_path / "outline.csv", points, "%.17g", ",")
    said = solved(command, "triangulate", str(tmp_path / "outline.csv"))
    found = warpfold.triangulate(points)
    assert said["cost"] == found.cost and said["chords"] == found.chords.tolist()


def test_products_and_paths_have_the_bits_of_the_command_line(rng, command, tmp_path):
    a, b = rng.random((50, 60)), rng.random((60, 40))
    for name, array in {"a": a, "b": b, "graph": a[:, :50]}.items():
        np.save(tmp_path / f"{name}.npy", array)
    product, paths = str(tmp_path / "c.npy"), str(tmp_path / "d.npy")
    solved(command, "minplus", str(tmp_path / "a.npy"), str(tmp_path / "b.npy"), "-o", product)
    solved(command, "paths", str(tmp_path / "graph.npy"), "-o", paths)
    assert np.array_equal(np.load(product), warpfold.matmul(a, b))
    assert np.array_equal(np.load(paths), warpfold.shortest_paths(a[:, :50]))


def test_chains_and_machines_say_what_the_command_line_says(command):
    dims = [30, 35, 15, 5, 10, 20, 25]
    said = solved(command, "chain", *map(str, dims))
    order = warpfold.chain_order(dims)
    assert said["cost"] == order.cost and said["order"] == order.order
    assert [tuple(pair) for pair in said["path"]] == order.path
    said = solved(command, "machine", "run", "sum", "--machine", "umm", "--width", "4", "--latency", "5", "--threads", "16", "-n", "64")
    run = warpfold.machine.Umm(width=4, latency=5).run("sum", n=64, threads=16)
    assert said["time_units"] == run.time_units
