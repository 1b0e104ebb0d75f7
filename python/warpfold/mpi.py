"""Solves by the ranks of an MPI job, in a build with MPI: `mpirun -n 4 python program.py`.

All ranks call with the same arguments, and each gets the complete result. Its bits are those of one process. comm is a
communicator of mpi4py, by default COMM_WORLD. Its MPI must be the one that warpfold was built with. threads is the
number for each rank. An error in one rank is raised in all.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _core, _kinds
from ._core import has_mpi as has_mpi
from ._graphs import Reading
from ._paths import all_pairs
from ._products import as_bool, factor_array

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def matmul(
    a: Any,
    b: Any,
    *,
    comm: Any = None,
    semiring: str = "min-plus",
    modulus: int = 0,
    return_argmin: bool = False,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> Any:
    """warpfold.matmul of two matrices. Each rank computes its block of the product.

    It uses GPUs if device names them. With "cuda:all" each rank of a host uses one.
    """
    left, right = (factor_array(name, one, semiring, no_edge, options) for name, one in (("a", a), ("b", b)))
    words: Any = {"semiring": semiring, "modulus": modulus, "return_argmin": return_argmin, **options}
    found = _core.matmul(left, right, comm=_world(comm), **words)
    return (as_bool(found[0], left), found[1]) if return_argmin else as_bool(found, left)


def shortest_paths(
    graph: Any,
    *,
    comm: Any = None,
    semiring: str = "min-plus",
    return_predecessors: bool = False,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> Any:
    """warpfold.shortest_paths between all pairs of vertices, on CPUs. or-and is not accepted."""
    reading = Reading(semiring, no_edge)
    lengths, before = all_pairs(graph, reading, return_predecessors, _world(comm), options)
    return (lengths, before) if return_predecessors else lengths


def triangulate(weights: Any, *, comm: Any = None, **options: Unpack[Options]) -> _core.Triangulation:
    """warpfold.triangulate of a matrix of weights, on CPUs."""
    return _core.triangulate_by_ranks(_kinds.host_array("weights", weights), _world(comm), **options)


def _world(comm: Any) -> Any:
    if comm is not None:
        return comm
    return importlib.import_module("mpi4py.MPI").COMM_WORLD
