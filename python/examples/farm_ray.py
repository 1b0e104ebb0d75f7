"""Thousands of small triangulations, farmed out to Ray's workers.

    python farm_ray.py 2000
    python farm_ray.py 2000 auto

A task is a batch, which warpfold solves in one call, by one thread: Ray gives a task one processor. What travels is a
seed there and the costs back, for the problems are drawn where they are solved. With an address they run on a cluster.
"""

import sys

import numpy as np
import ray
from numpy.typing import NDArray

import warpfold

BATCH, VERTICES = 100, 40


def costs_of(seed: int) -> NDArray[np.float64]:
    weights = np.random.default_rng(seed).random((BATCH, VERTICES, VERTICES))
    costs: NDArray[np.float64] = warpfold.triangulate(weights, threads=1).costs
    return costs


def main(count: int, address: str | None = None) -> None:
    local = {"num_cpus": 2, "include_dashboard": False, "log_to_driver": False}
    ray.init(address) if address else ray.init(**local)
    task = ray.remote(costs_of)
    batches = ray.get([task.remote(seed) for seed in range(count // BATCH)])
    ray.shutdown()
    costs = np.concatenate(batches)
    print(f"{len(costs)} triangulations, mean cost {costs.mean():.6f}")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3])
