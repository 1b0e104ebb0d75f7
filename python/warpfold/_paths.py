"""Shortest paths: called as SciPy's function of that purpose is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import converted
from ._kinds import host_array
from ._products import infinity

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
    its negative) where there is none, or the mask of a masked array: unlike in scipy.sparse.csgraph an edge of length 0 is
    one. Or one of SciPy's sparse matrices, whose entries are the edges, zeros that it holds too; its lengths are float64
    unless dtype says otherwise. In or-and truth says where an edge is, and a path.

    Returns the lengths and, with return_predecessors, the vertex before j on the path from i; -9999 where there is none,
    as scipy.sparse.csgraph.shortest_path does. Of several paths as good it is the one whose middle vertex was tried
    first. Raises InfeasibleError that names a cycle of negative length.
    """
    edges = _edges(graph, semiring, options.get("dtype"))

    def as_given(lengths: NDArray[Any]) -> NDArray[Any]:
        return lengths.view(np.bool_) if edges.dtype == np.bool_ else lengths

    if not return_predecessors:
        return as_given(_core.all_pairs(edges, semiring, False, **options))
    # The library answers with the vertices after: in the reversed graph they are those before, and the lengths are sums of
    # the same two terms.
    try:
        lengths, before = _core.all_pairs(edges.T, semiring, True, **options)
    except _core.InfeasibleError:  # which names a cycle there
        _core.all_pairs(edges, semiring, False, **options)
        raise
    return as_given(lengths).T, before.T


def verify_paths(
    graph: Any, lengths: Any, predecessors: Any = None, *, semiring: str = "min-plus", **options: Unpack[Options]
) -> _core.Verdict:
    """Whether lengths are those of the best paths, and the predecessors lead along them: no edge improves any, and every
    path, walked from its end, has the length that is said. Whole numbers exactly, fractions up to rounding. Without
    predecessors nobody knows whether the paths are there, as Verdict.unchecked says. n * edges operations.
    """
    before = None if predecessors is None else np.asarray(predecessors).T
    edges = _edges(graph, semiring, options.get("dtype") or np.asarray(lengths).dtype)
    return _core.verify_all_pairs(edges.T, np.asarray(lengths).T, before, semiring, **options)


def _edges(graph: Any, semiring: str, dtype: Any) -> NDArray[Any]:
    """As a matrix, with what is none where there is none."""
    if hasattr(graph, "tocoo"):
        return _of_sparse(graph, semiring, np.dtype(dtype or (np.bool_ if semiring == "or-and" else np.float64)))
    if isinstance(graph, np.ma.MaskedArray):
        return np.asarray(graph.filled(_none_of(semiring, graph.dtype)))
    return host_array("graph", graph)


def _none_of(semiring: str, dtype: np.dtype[Any]) -> Any:
    if semiring == "or-and":
        return False
    return infinity(dtype) if semiring.startswith("min") else -infinity(dtype)


def _of_sparse(graph: Any, semiring: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    matrix = np.full(graph.shape, _none_of(semiring, dtype), dtype)
    edges = graph.tocoo()  # a copy, whose entries of one place are added up
    edges.sum_duplicates()
    exact = edges.data if dtype == np.bool_ else converted("graph", edges.data, [dtype.name], dtype.name)
    matrix[edges.row, edges.col] = exact
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
