"""Thousands of small triangulations, farmed out to Dask's workers.

    python farm_dask.py 2000
    python farm_dask.py 2000 tcp://scheduler:8786

A task is a batch, which warpfold solves in one call, by one thread: Dask has a process for every processor. What
travels is a seed there and the costs back, for the problems are drawn where they are solved.
"""

import sys

import numpy as np
from dask.distributed import Client
from numpy.typing import NDArray

import warpfold

BATCH, VERTICES = 100, 40


def costs_of(seed: int) -> NDArray[np.float64]:
    weights = np.random.default_rng(seed).random((BATCH, VERTICES, VERTICES))
    costs: NDArray[np.float64] = warpfold.triangulate(weights, threads=1).costs
    return costs


def main(count: int, scheduler: str | None = None) -> None:
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(scheduler) if scheduler else Client(**local) as client:
        batches = client.gather(client.map(costs_of, range(count // BATCH)))
    costs = np.concatenate(batches)
    print(f"{len(costs)} triangulations, mean cost {costs.mean():.6f}")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3])
