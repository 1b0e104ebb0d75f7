"""Shortest paths, as SciPy's function of that purpose is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def shortest_paths(
    graph: Any, *, semiring: str = "min-plus", return_predecessors: bool = False, **options: Unpack[Options]
) -> Any:
    """The best paths between all pairs of vertices, by Floyd and Warshall's recurrence.

        D(i,j) = plus(edge(i,j), one where i = j);   for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))

    In min-plus the shortest, in min-max those of the least longest edge, in max-min the widest, in max-plus the longest
    of a graph without cycles. n^3 operations.

    graph is a matrix of lengths, entry (i,j) that of the edge from i to j, and `infinity(dtype)` (max-plus, max-min:
    its negative) where there is none: unlike in scipy.sparse.csgraph an edge of length 0 is one. Or one of SciPy's
    sparse matrices, whose entries are the edges; its lengths are float64 unless dtype says otherwise.

    Returns the lengths and, with return_predecessors, the vertex before j on the path from i; -9999 where there is none,
    as scipy.sparse.csgraph.shortest_path does. Of several paths as good it is the one whose middle vertex was tried
    first. Raises InfeasibleError that names a cycle of negative length.
    """
    reverse = _reversed_sparse(graph, semiring, options) if hasattr(graph, "tocsr") else np.asarray(graph).T
    return _core.reversed_all_pairs(reverse, semiring, return_predecessors, **options)


def _reversed_sparse(graph: Any, semiring: str, options: Options) -> NDArray[Any]:
    dtype = np.dtype(options.get("dtype") or np.float64)
    from ._products import infinity

    none = infinity(dtype) if semiring.startswith("min") else -infinity(dtype)
    matrix = np.full(graph.shape[::-1], none, dtype)
    edges = graph.tocsr().tocoo()
    matrix[edges.col, edges.row] = edges.data
    return matrix


def path(predecessors: NDArray[np.int32], start: int, end: int) -> list[int]:
    """The vertices of the path from start to end, both included, by shortest_paths' predecessors; empty where there is
    none."""
    vertices = [end]
    while vertices[-1] != start:
        before = int(predecessors[start, vertices[-1]])
        if before < 0:
            return []
        if len(vertices) > len(predecessors):
            raise _core.InfeasibleError(f"the predecessors of {end} go round in a circle: rounded lengths below 0 do so")
        vertices.append(before)
    return vertices[::-1]
