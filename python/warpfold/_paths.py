"""Shortest paths, with the interface of SciPy's function."""

from __future__ import annotations

import math
import numbers
import operator
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import converted, infinity, lengths_array, no_value_in, without_edges
from ._kinds import host_array
from ._products import as_bool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

_NO_PREDECESSOR = -9999  # as in SciPy


def shortest_paths(
    graph: Any,
    *,
    semiring: str = "min-plus",
    indices: Any = None,
    return_predecessors: bool = False,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> Any:
    """The best paths between all pairs of vertices, by Floyd and Warshall's recurrence.

        D(i,j) = plus(edge(i,j), one if i = j);   for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))

    In min-plus these are the shortest paths, in min-max those with the smallest longest edge, in max-min the widest. In
    max-plus they are the longest paths of a graph without cycles.

    * graph: a matrix of lengths. Entry (i,j) is the edge from i to j. `infinity(dtype)` (max-plus, max-min: its negative)
      or a masked entry means no edge. Unlike in scipy.sparse.csgraph, an edge of length 0 is an edge. In or-and the
      entries are True for an edge.
    * Or graph is a sparse matrix of SciPy, whose stored entries are the edges. Stored zeros are edges too; the DIA format
      stores none. Entries of one place are added. Its lengths are float64 unless dtype is given.
    * indices: a list of vertices; the result has a row of paths from each. For one vertex (an int) the result has no such
      dimension.

    * no_edge: a number that means no edge, besides infinity: 0, -1, nan, the largest integer of a type. Without it, False and
      the largest integer of a type are rejected.

    Returns the lengths, in or-and True where there is a path. With return_predecessors it also returns the vertex before j
    on the path from i, and -9999 if there is none, like scipy.sparse.csgraph.shortest_path. Of equally good paths the one
    with the first intermediate vertex is taken.

    Raises InfeasibleError that names a cycle of negative length.

    Cost: n^3 operations. With indices, Dijkstra's algorithm takes about edges + n log2(n) steps per vertex, and little more
    memory than the edges. It is used if it takes less time and no edge alone improves. Integers are then the same; sums of
    fractions may differ in their last bits.
    """
    if indices is not None:
        return _from_sources(graph, no_edge, semiring, host_array("indices", indices), return_predecessors, options)
    return all_pairs(graph, no_edge, semiring, return_predecessors, None, options)


def all_pairs(
    graph: Any, no_edge: float | None, semiring: str, return_predecessors: bool, comm: Any, options: Options
) -> Any:
    """The best paths between all pairs, by this process or by the ranks of a communicator."""
    edges = _edges(graph, no_edge, semiring, options.get("dtype"), options.get("max_memory"))
    if not return_predecessors:
        return as_bool(_core.all_pairs(edges, semiring, False, comm, **options), edges)
    # The core returns successors. Those of the reversed graph are the predecessors, and its lengths are sums of the same
    # two terms.
    try:
        lengths, before = _core.all_pairs(edges.T, semiring, True, comm, **options)
    except _core.InfeasibleError:  # which names a cycle there
        _core.all_pairs(edges, semiring, False, comm, **options)
        raise
    return as_bool(lengths, edges).T, before.T


def _from_sources(
    graph: Any,
    no_edge: float | None,
    semiring: str,
    sources: NDArray[Any],
    return_predecessors: bool,
    options: Options,
) -> Any:
    starts = _vertices("indices", np.atleast_1d(sources))
    if hasattr(graph, "tocoo"):
        count, rows, columns, given = _square_edges(graph, no_edge, semiring, options.get("dtype"))
        lengths, before = _core.paths_from(count, rows, columns, given, starts, semiring, **options)
    else:
        given = without_edges(lengths_array("graph", graph, options.get("dtype")), no_edge)
        lengths, before = _core.paths_from_matrix(given, starts, semiring, **options)
    lengths = as_bool(lengths, given)
    if sources.ndim == 0:
        lengths, before = lengths[0], before[0]
    return (lengths, before) if return_predecessors else lengths


def _vertices(name: str, given: NDArray[Any]) -> NDArray[Any]:
    if given.ndim != 1:
        raise ValueError(f"{name} is {' x '.join(map(str, given.shape))}: a vertex, or a list of them, is accepted")
    if given.dtype.kind == "b" and given.size > 0:
        raise TypeError(f"{name} is of dtype {given.dtype}: the numbers of vertices are accepted")
    return converted(name, given, ["uint32"], None)


def _square_edges(
    graph: Any, no_edge: float | None, semiring: str, asked: Any
) -> tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The number of vertices, and the begin, end and length of each edge."""
    rows, columns, lengths = _sparse_edges(graph, no_edge, semiring, _sparse_dtype(semiring, asked))
    return graph.shape[0], rows.astype(np.uint32), columns.astype(np.uint32), lengths


def verify_paths(
    graph: Any,
    lengths: Any,
    predecessors: Any = None,
    *,
    semiring: str = "min-plus",
    indices: Any = None,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> _core.Verdict:
    """Checks that lengths are those of the best paths, and that the predecessors lead along them.

    No edge may improve a length, and every path, followed from its end, must have the stated length. Integers must be
    exact, and fractions correct up to rounding. Without predecessors it does not check that the paths exist, and sets
    Verdict.unchecked. With indices it checks the paths from these vertices only, and needs their predecessors.

    Cost: n * edges operations; with indices n + edges operations per vertex.
    """
    stated = host_array("lengths", lengths)
    dtype = options.get("dtype") or stated.dtype
    if indices is not None:
        sources = host_array("indices", indices)
        return _verify_from(graph, no_edge, stated, predecessors, sources, semiring, options)
    before = None if predecessors is None else host_array("predecessors", predecessors).T
    edges = _edges(graph, no_edge, semiring, dtype, options.get("max_memory"))
    return _core.verify_all_pairs(edges.T, stated.T, before, semiring, **options)


def _verify_from(
    graph: Any,
    no_edge: float | None,
    lengths: NDArray[Any],
    predecessors: Any,
    sources: NDArray[Any],
    semiring: str,
    options: Options,
) -> _core.Verdict:
    if predecessors is None:
        raise TypeError("predecessors is None: with indices, those that shortest_paths returns are accepted")
    before = host_array("predecessors", predecessors)
    if sources.ndim == 0:
        lengths, before = lengths[np.newaxis], before[np.newaxis]
    starts = _vertices("indices", np.atleast_1d(sources))
    if not hasattr(graph, "tocoo"):
        given = without_edges(lengths_array("graph", graph, options.get("dtype") or lengths.dtype), no_edge)
        return _core.verify_paths_from_matrix(given, lengths, before, starts, semiring, **options)
    count, rows, columns, edges = _square_edges(graph, no_edge, semiring, options.get("dtype") or lengths.dtype)
    return _core.verify_paths_from(count, rows, columns, edges, lengths, before, starts, semiring, **options)


def _edges(graph: Any, no_edge: float | None, semiring: str, dtype: Any, max_memory: Any) -> NDArray[Any]:
    """The graph as a matrix. A sparse one is filled with \"no value\"."""
    if hasattr(graph, "tocoo"):
        return _of_sparse(graph, no_edge, semiring, _sparse_dtype(semiring, dtype), max_memory)
    return without_edges(lengths_array("graph", graph, dtype), no_edge)


def _sparse_dtype(semiring: str, asked: Any) -> np.dtype[Any]:
    return np.dtype(asked or (np.bool_ if semiring == "or-and" else np.float64))


def _sparse_edges(
    graph: Any, no_edge: float | None, semiring: str, dtype: np.dtype[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise ValueError(f"graph is {' x '.join(map(str, graph.shape))}: a square matrix is accepted")
    edges = _dropped(graph.tocoo(copy=True), no_edge)  # its entries of one place are added
    if semiring == "or-and":
        edges.data = edges.data.astype(bool)  # a sum of truth is true where any is
        edges.sum_duplicates()
        return edges.row, edges.col, edges.data.astype(dtype)
    is_integer = edges.data.dtype.kind in "biu"
    lengths = edges.data if no_edge is None else np.ma.asarray(edges.data)  # a mask says that there are lengths alone
    edges.data = converted("graph", lengths, [dtype.name], dtype.name, _core.no_value(semiring))
    sums = _exact_sums(edges, dtype) if is_integer else _sums(edges)
    return sums.row, sums.col, sums.data


def _dropped(edges: Any, no_edge: float | None) -> Any:
    """Without the entries that equal no_edge, where that is given."""
    if no_edge is None:
        return edges
    kept = ~np.ma.getmaskarray(without_edges(edges.data, no_edge))
    return type(edges)((edges.data[kept], (edges.row[kept], edges.col[kept])), shape=edges.shape)


def _sums(edges: Any) -> Any:
    """The sums of fractions of each place."""
    try:
        with np.errstate(over="raise"):
            edges.sum_duplicates()
    except FloatingPointError:
        raise OverflowError(f"graph has entries of one place whose sum {edges.dtype} does not hold") from None
    return edges


def _exact_sums(edges: Any, dtype: np.dtype[Any]) -> Any:
    """The sums of integers of each place, by Python integers if the type may not hold them. Infinities stay."""
    sums = edges.copy()
    sums.sum_duplicates()
    exact_below = 2.0 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else float(infinity(dtype))
    if sums.nnz == edges.nnz or np.abs(edges.data.astype(float)).sum() < exact_below:
        return sums
    lengths = edges.data.tolist()
    edges.data = np.array([int(length) if math.isfinite(length) else length for length in lengths], object)
    edges.sum_duplicates()
    edges.data = converted("graph", edges.data, [dtype.name], dtype.name)
    return edges


def _of_sparse(
    graph: Any, no_edge: float | None, semiring: str, dtype: np.dtype[Any], max_memory: Any
) -> NDArray[Any]:
    most = max_memory if isinstance(max_memory, numbers.Integral) else sys.maxsize
    needed = math.prod(graph.shape) * dtype.itemsize
    if needed > most:
        raise MemoryError(f"graph as a matrix of {dtype} takes {needed} bytes: {most} are accepted")
    rows, columns, lengths = _sparse_edges(graph, no_edge, semiring, dtype)
    matrix = np.full(graph.shape, no_value_in(semiring, dtype), dtype)
    matrix[rows, columns] = lengths
    return matrix


def path(predecessors: ArrayLike, start: int, end: int) -> list[int]:
    """The vertices of the path from start to end, both included; empty if there is none.

    predecessors are those of shortest_paths: of all pairs, or the row of start only.
    """
    table = np.asarray(predecessors)
    is_square = table.ndim == 2 and table.shape[0] == table.shape[1]
    if not (is_square or table.ndim == 1) or table.dtype.kind not in "iu":
        raise ValueError(
            f"predecessors are {' x '.join(map(str, table.shape))} of {table.dtype}: "
            "shortest_paths' of all pairs, or the row of one vertex, are accepted"
        )
    start, end = _vertex("start", start, table.shape[-1]), _vertex("end", end, table.shape[-1])
    before_each = table if table.ndim == 1 else table[start]
    vertices = [end]
    while vertices[-1] != start:
        before = int(before_each[vertices[-1]])
        if before == _NO_PREDECESSOR:
            return []
        if not 0 <= before < len(before_each):
            raise ValueError(f"the predecessor of {vertices[-1]} is {before}: a vertex, or {_NO_PREDECESSOR} for none, is accepted")
        if len(vertices) > len(before_each):
            raise _core.InfeasibleError(f"the predecessors of {end} go round in a circle: rounded lengths below 0 do so")
        vertices.append(before)
    return vertices[::-1]


def _vertex(name: str, given: Any, count: int) -> int:
    try:
        vertex = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is {given!r}: an integer is accepted") from None
    if not 0 <= vertex < count:
        raise ValueError(f"{name} is {vertex}: a vertex from 0 to {count - 1} is accepted")
    return vertex
