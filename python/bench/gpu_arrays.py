"""What do a product and a triangulation of arrays that lie on a GPU take, from torch, CuPy and JAX?

    python python/bench/gpu_arrays.py > gpu_arrays.json

The bits are held against the CPU's first. WARPFOLD_MACHINE and WARPFOLD_COMMIT name where.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from rows import Row, figures, file_of, sampled

import warpfold


def timed(work: str, call: Callable[[], object]) -> Row:
    """After one to warm up."""
    return {"work": work, **figures([sampled(1, call).wall for _ in range(8)][1:])}


def rows_of(library: str, version: str, to_gpu: Callable[[Any], Any], to_host: Callable[[Any], Any], wait: Callable[[], object]) -> list[Row]:
    rng = np.random.default_rng(1)
    n = 4096
    a, b = rng.random((n, n), np.float32), rng.random((n, n), np.float32)
    on_gpu, other = to_gpu(a), to_gpu(b)
    if not np.array_equal(to_host(warpfold.matmul(on_gpu, other))[:64], warpfold.matmul(a[:64], b, device="cpu")):
        raise AssertionError("the product has other bits on the GPU")
    if to_host(warpfold.triangulate(on_gpu).costs) != warpfold.triangulate(a, device="cpu").cost:
        raise AssertionError("the triangulation has another cost on the GPU")

    def waited(call: Callable[[], object]) -> Callable[[], object]:
        return lambda: (call(), wait())

    rows = [
        timed("matmul 4096 float32", waited(lambda: warpfold.matmul(on_gpu, other))),
        timed("triangulate 4096 float32", waited(lambda: warpfold.triangulate(on_gpu))),
    ]
    return [{**row, "library": library, "version": version} for row in rows]


def main() -> None:
    import cupy
    import jax
    import torch

    rows = rows_of("torch", torch.__version__, lambda a: torch.from_numpy(a).cuda(), lambda a: a.cpu().numpy(), torch.cuda.synchronize)
    rows += rows_of("cupy", cupy.__version__, cupy.asarray, cupy.asnumpy, cupy.cuda.runtime.deviceSynchronize)
    rows += rows_of("jax", jax.__version__, jax.numpy.asarray, np.asarray, lambda: None)
    print(json.dumps(file_of("python python/bench/gpu_arrays.py", rows), indent=2))


if __name__ == "__main__":
    main()
