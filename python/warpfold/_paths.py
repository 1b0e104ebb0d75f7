"""Shortest paths: called as SciPy's function of that purpose is."""

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

_NO_PREDECESSOR = -9999  # as SciPy says it


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

        D(i,j) = plus(edge(i,j), one where i = j);   for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))

    In min-plus the shortest, in min-max those of the least longest edge, in max-min the widest, in max-plus the longest
    of a graph without cycles. n^3 operations.

    Or from the vertices in indices alone, a row each, or of one vertex (an int) without that dimension: by Dijkstra's
    algorithm, some edges + n log2(n) steps each in little more memory than the edges, where that takes less time and no
    edge alone improves. Integers are the same, sums of fractions may differ in their last bits.

    graph is a matrix of lengths, entry (i,j) that of the edge from i to j, and `infinity(dtype)` (max-plus, max-min:
    its negative) where there is none, or the mask of a masked array: unlike in scipy.sparse.csgraph an edge of length 0 is
    one. An entry that equals no_edge (0, -1, nan, a type's largest integer) is no edge, too; without no_edge, False and the
    largest integer of a type are refused. Or one of SciPy's sparse matrices, whose entries are the edges, zeros that it holds too (the DIA format holds
    none), those of one place added up; its lengths are float64 unless dtype says otherwise. In or-and truth says where
    an edge is, and a path.

    Returns the lengths and, with return_predecessors, the vertex before j on the path from i; -9999 where there is none,
    as scipy.sparse.csgraph.shortest_path does. Of several paths as good it is the one whose intermediate vertex was tried
    first. Raises InfeasibleError that names a cycle of negative length.
    """
    if indices is not None:
        return _from_sources(graph, no_edge, semiring, host_array("indices", indices), return_predecessors, options)
    return all_pairs(graph, no_edge, semiring, return_predecessors, None, options)


def all_pairs(
    graph: Any, no_edge: float | None, semiring: str, return_predecessors: bool, comm: Any, options: Options
) -> Any:
    """By this process, or by the ranks of a communicator."""
    edges = _edges(graph, no_edge, semiring, options.get("dtype"), options.get("max_memory"))
    if not return_predecessors:
        return as_bool(_core.all_pairs(edges, semiring, False, comm, **options), edges)
    # The library answers with the vertices after: in the reversed graph they are those before, and the lengths are sums of
    # the same two terms.
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
    """How many vertices there are; where each edge begins and ends, and its length."""
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
    """Whether lengths are those of the best paths, and the predecessors lead along them: no edge improves any, and every
    path, walked from its end, has the length that is said. Integers exactly, fractions up to rounding. Without
    predecessors nobody knows whether the paths are there, as Verdict.unchecked says. n * edges operations.

    With indices the paths from these vertices alone, as shortest_paths gives them, and by their predecessors: n + edges
    operations each.
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
    """As a matrix, of a sparse one with what is none where there is none."""
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
    edges = _dropped(graph.tocoo(copy=True), no_edge)  # whose entries of one place are added up
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
    """Of each place, of fractions."""
    try:
        with np.errstate(over="raise"):
            edges.sum_duplicates()
    except FloatingPointError:
        raise OverflowError(f"graph has entries of one place whose sum {edges.dtype} does not hold") from None
    return edges


def _exact_sums(edges: Any, dtype: np.dtype[Any]) -> Any:
    """Of each place, of integers: by Python's where the type may not hold them; infinities stay."""
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
    """The vertices of the path from start to end, both included, by shortest_paths' predecessors, or by start's alone, of
    one dimension; empty where there is none."""
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
